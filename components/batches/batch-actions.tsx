'use client'

import { MoreHorizontal, Pencil, Send } from 'lucide-react'
import { useState } from 'react'
import { ConfirmDialog } from '@/components/ui/confirm-dialog'
import { IconButton } from '@/components/ui/icon-button'
import { LinkButton } from '@/components/ui/link-button'
import { Menu, MenuItem } from '@/components/ui/menu'
import { apiRequest } from '@/lib/client/api'
import { useApiMutation } from '@/lib/client/use-api-mutation'
import type { NextStep } from '@/lib/domain/batches/next-step'
import type { Batch } from '@/lib/domain/batches/schema'
import { mayMove } from '@/lib/domain/batches/states'
import { EditBatch } from './edit-batch'
import type { Edited } from './edit-batch-dialog'
import { type Missing, submitLabel, useSubmitBatch } from './submit-batch'

export type BatchPowers = {
  maySubmit: boolean
  mayReview: boolean
  mayUpdate: boolean
  mayCancel: boolean
  mayCertify: boolean
  mayDeliver: boolean
}

type Props = Edited & {
  batch: Batch
  powers: BatchPowers
  /** What the bar below offers: it is not offered here, too. */
  step: NextStep | null
  missing: Missing
  projectState: 'open' | 'on_hold' | 'closed'
}

/** What else can be done with the batch, beside its next step: to look closely, to edit, to submit early, to cancel. */
export function BatchActions({ powers, step, missing, projectState, ...edited }: Props) {
  const { batch } = edited
  const [dialog, setDialog] = useState<'edit' | 'cancel' | null>(null)
  const submission = useSubmitBatch(batch, missing)
  const cancel = useApiMutation({
    request: () =>
      apiRequest('POST /api/projects/{project_id}/batches/{batch_id}/cancel', {
        params: { project_id: batch.project_id, batch_id: batch.id },
      }),
    success: 'Batch cancelled',
  })
  const isNext = step === 'submit' || step === 'submit_again'
  const maySubmit = powers.maySubmit && projectState !== 'closed' && mayMove('submit', batch.status) && !isNext
  const whyNotSubmit =
    projectState === 'on_hold'
      ? 'the project is on hold'
      : batch.counts.files === 0
        ? 'add files first'
        : !batch.operator
          ? 'assign an operator first'
          : null

  return (
    <div className="flex flex-wrap items-center justify-end gap-2">
      {batch.counts.files > 0 && step !== 'review' && (
        <LinkButton href={`/projects/${batch.project_id}/batches/${batch.id}/review`}>Review closely</LinkButton>
      )}
      {(powers.mayUpdate || maySubmit) && projectState !== 'closed' && (
        <Menu trigger={<IconButton label="More for this batch" variant="secondary" icon={<MoreHorizontal />} />}>
          {powers.mayUpdate && (
            <MenuItem icon={<Pencil />} onClick={() => setDialog('edit')}>
              Edit batch
            </MenuItem>
          )}
          {maySubmit && (
            <MenuItem icon={<Send />} disabled={whyNotSubmit !== null} onClick={submission.submit}>
              {submitLabel(batch)}
              {whyNotSubmit && `: ${whyNotSubmit}`}
            </MenuItem>
          )}
          {powers.mayCancel && mayMove('cancel', batch.status) && (
            <MenuItem tone="danger" onClick={() => setDialog('cancel')}>
              Cancel batch
            </MenuItem>
          )}
        </Menu>
      )}
      {submission.dialog}
      <ConfirmDialog
        open={dialog === 'cancel'}
        onOpenChange={(isOpen) => !isOpen && setDialog(null)}
        title={`Cancel “${batch.name}”?`}
        confirmLabel="Cancel batch"
        tone="danger"
        onConfirm={() => cancel.mutateAsync()}
      >
        It takes no more files and cannot be submitted. Its {batch.counts.files}{' '}
        {batch.counts.files === 1 ? 'file stays' : 'files stay'} readable.
      </ConfirmDialog>
      <EditBatch {...edited} open={dialog === 'edit'} onOpenChange={(isOpen) => setDialog(isOpen ? 'edit' : null)} />
    </div>
  )
}
