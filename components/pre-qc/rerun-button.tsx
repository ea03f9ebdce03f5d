'use client'

import { RotateCw } from 'lucide-react'
import { Button } from '@/components/ui/button'
import { ApiProblem, apiRequest } from '@/lib/client/api'
import { toast } from '@/lib/client/toast'
import { toastProblem, useApiMutation } from '@/lib/client/use-api-mutation'
import { formatCount } from '@/lib/format'

type Rerun = {
  batch: { project_id: string; batch_id: string }
  /** Without them: all of the batch that could not be checked. At most 500; a function is asked when it is pressed. */
  fileIds?: string[] | (() => Promise<string[]>)
  onDone?: () => void | Promise<void>
}

/** Queues the checks of many files once more, and says how many that were. */
export function useRerun({ batch, fileIds, onDone }: Rerun): { press: () => void; isPending: boolean } {
  const rerun = useApiMutation({
    request: (ids: string[] | undefined) =>
      apiRequest('POST /api/projects/{project_id}/batches/{batch_id}/pre-qc/rerun', {
        params: batch,
        body: ids ? { file_ids: ids } : {},
      }),
    success: ({ results, left }) =>
      [
        results.length > 0 ? `${formatCount(results.length, 'file')} queued to be checked again` : 'Nothing was queued',
        left.length > 0 && `${left.length} left: ${left[0]?.reason}`,
      ]
        .filter(Boolean)
        .join('. '),
    onSuccess: onDone,
  })
  const press = async () => {
    try {
      const ids = typeof fileIds === 'function' ? await fileIds() : fileIds
      if (ids?.length === 0) toast.info('None of these files can be checked again now.')
      else rerun.mutate(ids)
    } catch (error) {
      if (error instanceof ApiProblem) toastProblem(error)
      else throw error
    }
  }
  return { press: () => void press(), isPending: rerun.isPending }
}

export function RerunButton({
  children,
  variant = 'secondary',
  ...given
}: Rerun & { children: React.ReactNode; variant?: 'secondary' | 'ghost' }) {
  const { press, isPending } = useRerun(given)
  return (
    <Button variant={variant} size="sm" loading={isPending} onClick={press}>
      <RotateCw />
      {children}
    </Button>
  )
}
