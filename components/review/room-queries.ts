import type { QueryClient } from '@tanstack/react-query'
import { api } from '@/lib/client/api'

/** What the room holds in the browser, by key. */
export const keys = {
  files: (batchId: string) => ['review files', batchId],
  comments: (batchId: string) => ['comments', batchId],
  result: (fileId: string) => ['result', fileId],
}

export const resultQuery = (batchId: string, fileId: string) => ({
  queryKey: keys.result(fileId),
  queryFn: async () => (await api('GET /api/pre-qc/results', { query: { batchId, fileId } })).results[0] ?? null,
  staleTime: 60_000,
})

export const refetchAll = (queryClient: QueryClient, batchId: string) =>
  Promise.all([
    queryClient.invalidateQueries({ queryKey: keys.files(batchId) }),
    queryClient.invalidateQueries({ queryKey: keys.comments(batchId) }),
    queryClient.invalidateQueries({ queryKey: ['result'] }),
  ])
