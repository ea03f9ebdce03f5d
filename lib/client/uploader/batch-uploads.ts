'use client'

import { useEffect, useMemo } from 'react'
import { pause } from '../connection'
import { UploadQueue } from './queue'
import { sendBy } from './send-by'
import { type BatchUploads, leaveUploads, showUploads, uploadsTo } from './uploads-elsewhere'
import { validateInBatch } from './validate-in-batch'

/** The queue of a batch whose page is on screen. It goes on when that is left, and is found there again. */
export function useBatchQueue({ id, projectId, name }: BatchUploads['batch'], isDirect: boolean): UploadQueue {
  const uploads = useMemo(
    () => uploadsTo(id) ?? { batch: { id, projectId, name }, queue: newQueue(projectId, id, isDirect) },
    [id, projectId, name, isDirect],
  )
  useEffect(() => {
    showUploads(uploads)
    return () => leaveUploads(uploads)
  }, [uploads])
  return uploads.queue
}

function newQueue(projectId: string, batchId: string, isDirect: boolean): UploadQueue {
  const path = `/api/projects/${projectId}/batches/${batchId}`
  return new UploadQueue({
    pause,
    send: sendBy({
      endpoint: `${path}/files`,
      tusEndpoint: `${path}/tus`,
      directEndpoint: isDirect ? `${path}/uploads` : null,
    }),
    validate: async () => validateInBatch({ project_id: projectId, batch_id: batchId }),
  })
}
