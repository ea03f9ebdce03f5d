'use client'

import { type ReactNode, useState } from 'react'
import { ConfirmDialog } from '@/components/ui/confirm-dialog'
import { api, apiRequest } from '@/lib/client/api'
import { useApiMutation } from '@/lib/client/use-api-mutation'
import type { Batch } from '@/lib/domain/batches/schema'

/** Missing files the dialog names; the manifest beside it has them all. */
const MOST_NAMED = 10

/** Lines of the manifest for which nothing came, and the names of the first. */
export type Missing = { count: number; names: readonly string[] }

/** Submits a batch, and asks first where something is missing or on its way, or an approval ends. */
export function useSubmitBatch(
  batch: Batch,
  missing: Missing,
): { submit: () => void; isPending: boolean; dialog: ReactNode } {
  const [isAsking, setIsAsking] = useState(false)
  const [isLooking, setIsLooking] = useState(false)
  const [arriving, setArriving] = useState<readonly { label: string }[]>([])
  const params = { project_id: batch.project_id, batch_id: batch.id }
  const submit = useApiMutation({
    request: () => apiRequest('POST /api/projects/{project_id}/batches/{batch_id}/submit', { params }),
    success: `${batch.name} submitted for review`,
  })
  // Rejected files that nothing replaced would be submitted once more as they are.
  const unreplaced = batch.status === 'awaiting_resupply' ? batch.counts.rejected : 0
  const isComplete = unreplaced === 0 && missing.count === 0 && batch.status !== 'approved'
  const start = async () => {
    if (isLooking) return
    setIsLooking(true)
    const found = await receivingLinks(params)
    setIsLooking(false)
    setArriving(found)
    if (isComplete && found.length === 0) submit.mutate()
    else setIsAsking(true)
  }
  return {
    submit: start,
    isPending: isLooking || submit.isPending,
    dialog: (
      <ConfirmDialog
        open={isAsking}
        onOpenChange={setIsAsking}
        title={questionOf(batch, unreplaced, missing)}
        confirmLabel={submitLabel(batch)}
        tone="primary"
        onConfirm={() => submit.mutateAsync()}
      >
        {batch.status === 'approved' && (
          <p>It is approved. It goes back into review, and its certificate holds for the earlier round only.</p>
        )}
        {arriving.length > 0 && (
          <p className="mb-2">
            Files are coming in through{' '}
            {arriving.map(({ label }) => (label ? `“${label}”` : 'an upload link')).join(' and ')} at this moment, or
            were less than a minute ago. What has not arrived when you submit is refused.
          </p>
        )}
        {unreplaced > 0 && (
          <p>
            {unreplaced === 1 ? '1 rejected file has' : `${unreplaced} rejected files have`} no new version yet. Upload
            links take nothing while the batch is in review.
          </p>
        )}
        {missing.count > 0 && (
          <>
            <p className="mt-2">Not here yet:</p>
            <ul className="mt-1 list-disc pl-5">
              {missing.names.slice(0, MOST_NAMED).map((name) => (
                <li key={name} className="wrap-anywhere">
                  {name}
                </li>
              ))}
              {missing.count > MOST_NAMED && <li>and {missing.count - MOST_NAMED} more</li>}
            </ul>
          </>
        )}
      </ConfirmDialog>
    ),
  }
}

function questionOf({ name, status }: Batch, unreplaced: number, missing: Missing): string {
  if (status === 'approved') return `Begin a new round of “${name}”?`
  if (unreplaced > 0) return `Submit “${name}” without the resupply?`
  if (missing.count === 0) return `Submit “${name}” while files are coming in?`
  return `Submit “${name}” without ${missing.count === 1 ? 'a file' : `${missing.count} files`} of the manifest?`
}

/** Through which files come in at this moment. None where that cannot be told: submitting goes on. */
const receivingLinks = (params: { project_id: string; batch_id: string }) =>
  api('GET /api/projects/{project_id}/batches/{batch_id}/receiving-links', { params }).then(
    ({ receiving_links }) => receiving_links,
    () => [],
  )

/** The words of the button that submits a batch in this state. */
export const submitLabel = ({ status, round }: Pick<Batch, 'status' | 'round'>) =>
  round === 0 ? 'Submit for review' : status === 'in_review' ? 'Submit again' : `Submit round ${round + 1}`
