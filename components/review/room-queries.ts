import type { QueryClient } from '@tanstack/react-query'
import { api } from '@/lib/client/api'
import type { ReviewDecision } from '@/lib/vocabulary'
import { slimFile } from './room-file'

export type RailFilter = 'all' | ReviewDecision
export type BatchPath = { project_id: string; batch_id: string }

/** What the review room, and the drawer of a file, hold in the browser, by key. */
export const keys = {
  batch: (batchId: string) => ['review batch', batchId],
  /** Parts of the list of the room; the filter and the number of the part follow. */
  list: (batchId: string) => ['review list', batchId],
  /** A file without its long facts. */
  seen: (fileId: string) => ['review file', fileId],
  versions: (fileId: string) => ['review versions', fileId],
  comments: (batchId: string) => ['comments', batchId],
  result: (fileId: string) => ['result', fileId],
}

/** As many files a part of the list has. */
export const PART_FILES = 100

export const partQuery = (batch: BatchPath, filter: RailFilter, part: number) => ({
  queryKey: [...keys.list(batch.batch_id), filter, part],
  queryFn: () => askList(batch, filter, { offset: part * PART_FILES, limit: PART_FILES }),
  staleTime: Number.POSITIVE_INFINITY,
})

/** A part of the list as the room asks for it: by name, with how much is said of each file. */
export const askList = (
  batch: BatchPath,
  filter: RailFilter,
  part: { limit: number; offset?: number; at?: string; after?: string },
) =>
  api('GET /api/projects/{project_id}/batches/{batch_id}/file-summaries', {
    params: batch,
    query: { ...part, order: 'name', comments: 'open', ...(filter !== 'all' && { decision: filter }) },
  })

export const seenQuery = (batch: BatchPath, fileId: string) => ({
  queryKey: keys.seen(fileId),
  queryFn: async () =>
    slimFile(
      await api('GET /api/projects/{project_id}/batches/{batch_id}/files/{file_id}', {
        params: { ...batch, file_id: fileId },
      }),
    ),
  staleTime: Number.POSITIVE_INFINITY,
})

export const versionsQuery = (batch: BatchPath, fileId: string) => ({
  queryKey: keys.versions(fileId),
  queryFn: async () => {
    const query = { versions: 'all', file_id: fileId } as const
    const { files } = await api('GET /api/projects/{project_id}/batches/{batch_id}/files', { params: batch, query })
    return files.map(slimFile)
  },
  staleTime: Number.POSITIVE_INFINITY,
})

/** On all versions of the file. */
export const commentsQuery = (batch: BatchPath, fileId: string) => ({
  queryKey: [...keys.comments(batch.batch_id), fileId],
  queryFn: async () => {
    const query = { versions: 'all', file_id: fileId } as const
    return (await api('GET /api/projects/{project_id}/batches/{batch_id}/comments', { params: batch, query })).comments
  },
  staleTime: Number.POSITIVE_INFINITY,
})

export const resultQuery = (batchId: string, fileId: string) => ({
  queryKey: keys.result(fileId),
  queryFn: async () => (await api('GET /api/pre-qc/results', { query: { batchId, fileId } })).results[0] ?? null,
  staleTime: 60_000,
})

/** Asks for everything of viewed files anew. */
export const refetchFiles = (queryClient: QueryClient, batchId: string) =>
  Promise.all(
    [keys.comments(batchId), ['review file'], ['review versions'], ['result']].map((queryKey) =>
      queryClient.invalidateQueries({ queryKey }),
    ),
  )

export const refetchAll = (queryClient: QueryClient, batchId: string) =>
  Promise.all([
    refetchFiles(queryClient, batchId),
    ...[keys.batch(batchId), keys.list(batchId)].map((queryKey) => queryClient.invalidateQueries({ queryKey })),
  ])
