'use client'

import { RotateCw } from 'lucide-react'
import { Button } from '@/components/ui/button'
import { formatCount } from '@/lib/client/format'
import { useApiMutation } from '@/lib/client/use-api-mutation'
import type { RerunBatchAnswer } from '@/lib/domain/pre-qc/schema'

type Props = {
  /** Of the batch, below /api. */
  path: `/api/projects/${string}/batches/${string}`
  /** Without them: all of the batch that could not be checked. At most 500. */
  fileIds?: readonly string[]
  children: React.ReactNode
  variant?: 'secondary' | 'ghost'
  onDone?: () => void | Promise<void>
}

/** Queues the checks of many files once more, and says how many that were. */
export function RerunButton({ path, fileIds, children, variant = 'secondary', onDone }: Props) {
  const rerun = useApiMutation<undefined, RerunBatchAnswer>({
    request: () => ({
      path: `${path}/pre-qc/rerun` as const,
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
    <Button variant={variant} size="sm" loading={rerun.isPending} onClick={() => rerun.mutate(undefined)}>
      <RotateCw />
      {children}
    </Button>
  )
}
