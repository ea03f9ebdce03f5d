'use client'

import { apiRequest } from '@/lib/client/api'
import { useApiMutation } from '@/lib/client/use-api-mutation'
import type { File } from '@/lib/domain/files/schema'
import { pathOfFile, playbackKey } from './use-playback'

/** Has the worker make what is played of a file, or read its audio. */
export const useMakePlayback = (file: File) =>
  useApiMutation({
    request: () =>
      apiRequest('POST /api/projects/{project_id}/batches/{batch_id}/files/{file_id}/playback', {
        params: pathOfFile(file),
      }),
    invalidate: [playbackKey(file.id)],
    refresh: false,
  })
