import { useQuery } from '@tanstack/react-query'
import { api } from '@/lib/client/api'
import type { Repair } from '@/lib/domain/repairs/schema'

export const repairKey = (fileId: string) => ['repair', fileId]

export const isUnderWay = (repair: Repair | null | undefined) =>
  repair?.status === 'queued' || repair?.status === 'running'

/**
 * The newest repaired copy of a file and what could be repaired, read again while a copy is being made.
 * @param resultId Of the checks on screen: once they are others, what could be repaired is too.
 */
export function useFileRepair(
  params: { project_id: string; batch_id: string; file_id: string },
  resultId: string | null = null,
) {
  return useQuery({
    queryKey: [...repairKey(params.file_id), resultId],
    queryFn: () => api('GET /api/projects/{project_id}/batches/{batch_id}/files/{file_id}/repair', { params }),
    refetchInterval: ({ state }) => (isUnderWay(state.data?.repair) ? 2000 : false),
  })
}
