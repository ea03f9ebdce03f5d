'use client'

import { apiRequest } from '@/lib/client/api'
import { useApiMutation } from '@/lib/client/use-api-mutation'
import { ConfirmButton, WithdrawDialog } from './waive'

type Line = { projectId: string; waiver: { id: string; label: string; batch: { name: string } | null; files: number } }

const params = ({ projectId, waiver }: Line) => ({ project_id: projectId, waiver_id: waiver.id })

/** Confirms a waiver of a batch or project as the second person. */
export function ConfirmScopedWaiver(line: Line) {
  const confirm = useApiMutation({
    request: () =>
      apiRequest('POST /api/projects/{project_id}/scoped-waivers/{waiver_id}/confirm', { params: params(line) }),
    success: `${line.waiver.label} waived; files that are there follow in a moment`,
  })
  return <ConfirmButton confirm={confirm} />
}

export function WithdrawScopedWaiver(line: Line) {
  const { label, batch, files } = line.waiver
  const withdraw = useApiMutation({
    request: () => apiRequest('DELETE /api/projects/{project_id}/scoped-waivers/{waiver_id}', { params: params(line) }),
    success: `The waiver of ${label} was withdrawn; its files follow in a moment`,
  })
  return (
    <WithdrawDialog
      title={`Withdraw the waiver of “${label}” for ${batch ? `every file of “${batch.name}”` : 'every file of the project'}?`}
      onWithdraw={() => withdraw.mutateAsync()}
    >
      {files === 0
        ? 'No finding is waived by it at present. Files that arrive later are no longer covered.'
        : `What the check found counts again in ${files === 1 ? '1 file' : `${files} files`}, and in the verdicts of their batches. That it was waived stays on the audit trail.`}
    </WithdrawDialog>
  )
}
