'use client'

import { RotateCw } from 'lucide-react'
import { Button } from '@/components/ui/button'
import { apiRequest } from '@/lib/client/api'
import { useApiMutation } from '@/lib/client/use-api-mutation'
import { formatCount } from '@/lib/format'

type Props = {
  batch: { project_id: string; batch_id: string }
  /** Without them: all of the batch that could not be checked. At most 500. */
  fileIds?: string[]
  children: React.ReactNode
  variant?: 'secondary' | 'ghost'
  onDone?: () => void | Promise<void>
}

/** Queues the checks of many files once more, and says how many that were. */
export function RerunButton({ batch, fileIds, children, variant = 'secondary', onDone }: Props) {
  const rerun = useApiMutation({
    request: () =>
      apiRequest('POST /api/projects/{project_id}/batches/{batch_id}/pre-qc/rerun', {
        params: batch,
        body: fileIds ? { file_ids: fileIds } : {},
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
  return (
    <Button variant={variant} size="sm" loading={rerun.isPending} onClick={() => rerun.mutate()}>
      <RotateCw />
      {children}
    </Button>
  )
}
