'use client'

import { useQuery } from '@tanstack/react-query'
import { api } from '@/lib/client/api'
import type { File } from '@/lib/domain/files/schema'
import { copyWanted } from '@/lib/domain/playback/rules'
import type { Playback } from '@/lib/domain/playback/schema'

/** How far a copy is, is asked for so often while it is made. */
const ASK_MS = 1_000

export const playbackKey = (fileId: string) => ['playback', fileId]

/** An address of ours on the origin the page came from. */
export function playedPath(url: string): string {
  const { pathname, search } = new URL(url, 'http://own')
  return pathname + search
}

/** What names a file in the interface. */
export const pathOfFile = (file: File) => ({
  project_id: /\/projects\/([^/]+)\//.exec(file.download_url)?.[1] ?? '',
  batch_id: file.batch_id,
  file_id: file.id,
})

export const isBeingMade = (playback: Playback | null | undefined) =>
  playback?.status === 'queued' || playback?.status === 'running'

export type Played = {
  /** What a player plays: the file itself, or its copy; null while there is none. */
  source: string | null
  /** Of a file that needs a copy, or whose audio the worker reads. */
  playback: Playback | null
  isLoading: boolean
}

/** What of a file is played: itself, or where browsers do not know it, the copy that was made of it. */
export function usePlayback(file: File): Played {
  const wanted = copyWanted(file.media_type, file.media, file.size)
  const { data, isPending } = useQuery({
    queryKey: playbackKey(file.id),
    queryFn: () =>
      api('GET /api/projects/{project_id}/batches/{batch_id}/files/{file_id}/playback', { params: pathOfFile(file) }),
    enabled: wanted !== null,
    staleTime: ASK_MS,
    retry: false,
    refetchInterval: ({ state }) => (isBeingMade(state.data) ? ASK_MS : false),
  })
  if (wanted !== 'playback') return { source: playedPath(file.download_url), playback: data ?? null, isLoading: false }
  return { source: data?.url ? playedPath(data.url) : null, playback: data ?? null, isLoading: isPending }
}
