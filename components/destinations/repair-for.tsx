'use client'

import { Wrench } from 'lucide-react'
import Link from 'next/link'
import { isUnderWay, repairKey, useFileRepair } from '@/components/files/repair-query'
import { Button } from '@/components/ui/button'
import { apiRequest } from '@/lib/client/api'
import { toastProblem, useApiMutation } from '@/lib/client/use-api-mutation'

/** Has a copy of a file made that fits a destination, and leads to where it is decided on. */
export function RepairFor({
  file,
  destinationId,
  href,
}: {
  file: { project_id: string; batch_id: string; file_id: string }
  destinationId: string
  href: string
}) {
  const { data, isPending, refetch } = useFileRepair(file)
  const propose = useApiMutation({
    request: () =>
      apiRequest('POST /api/projects/{project_id}/batches/{batch_id}/files/{file_id}/repair', {
        params: file,
        body: { destination_id: destinationId },
      }),
    invalidate: [repairKey(file.file_id)],
    refresh: false,
    // It may be under way all the same: the answer was lost, or another person was first.
    onProblem: (problem) => {
      toastProblem(problem)
      void refetch()
    },
  })
  const repair = data?.repair
  if (repair && (isUnderWay(repair) || repair.status === 'proposed')) {
    const isForOther = repair.destination?.id !== destinationId
    const what = `copy${isForOther ? ` for ${repair.destination?.title ?? 'what the media category asks'}` : ''}`
    return (
      <p role="status">
        {isUnderWay(repair) ? `A ${what} is being made and checked.` : `A repaired ${what} waits for a decision.`}{' '}
        <Link href={href} className="link">
          Decide on it in the file
        </Link>
      </p>
    )
  }
  return (
    <>
      {repair?.status === 'failed' && <p className="text-fail-ink">There is no repaired copy: {repair.failure}</p>}
      <Button size="sm" loading={isPending || propose.isPending} onClick={() => propose.mutate()}>
        <Wrench />
        Make a repaired copy
      </Button>
    </>
  )
}
