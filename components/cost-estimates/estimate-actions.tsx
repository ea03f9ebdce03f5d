'use client'

import { Download, MoreHorizontal, Pencil, PencilLine, Trash2, Unlink } from 'lucide-react'
import { useRouter } from 'next/navigation'
import { useState } from 'react'
import { Button } from '@/components/ui/button'
import { ConfirmDialog } from '@/components/ui/confirm-dialog'
import { Dialog, DialogBody, DialogClose, DialogFooter } from '@/components/ui/dialog'
import { Field } from '@/components/ui/field'
import { IconButton } from '@/components/ui/icon-button'
import { AnchorButton, LinkButton } from '@/components/ui/link-button'
import { Menu, MenuItem } from '@/components/ui/menu'
import { Textarea } from '@/components/ui/textarea'
import { refreshSoon } from '@/lib/client/refresh'
import { useApiMutation } from '@/lib/client/use-api-mutation'
import { isPossible } from '@/lib/domain/cost-estimates/rules'
import type { Estimate } from '@/lib/domain/cost-estimates/schema'

export type EstimatePowers = { mayManage: boolean; mayDecide: boolean }

/** What can be done with an estimate now. */
export function EstimateActions({
  estimate,
  etag,
  powers,
}: {
  estimate: Estimate
  /** Of what is on screen: nobody decides about something they have not seen. */
  etag: string
  powers: EstimatePowers
}) {
  const router = useRouter()
  const [dialog, setDialog] = useState<'approve' | 'reject' | 'submit' | 'revise' | 'delete' | 'revoke' | null>(null)
  const close = (isOpen: boolean) => !isOpen && setDialog(null)
  const path = `/api/cost-estimates/${estimate.id}` as const
  const act = (verb: 'submit' | 'revise' | 'revoke-link', success: string) => ({
    request: () => ({ path: `${path}/${verb}` as const }),
    success,
  })
  const submit = useApiMutation(act('submit', `${estimate.number} submitted`))
  const revise = useApiMutation<void, Estimate>({
    ...act('revise', `A new revision of ${estimate.number}`),
    onSuccess: () => router.push(`/cost-estimates/${estimate.id}/edit`),
  })
  const revoke = useApiMutation(act('revoke-link', 'The link no longer works'))
  const remove = useApiMutation<void, { restored: Estimate | null }>({
    request: () => ({ path, method: 'DELETE' as const, ifMatch: etag }),
    success: ({ restored }) =>
      restored ? `${estimate.number} is revision ${restored.revision} again` : `${estimate.number} deleted`,
    refresh: false,
    onSuccess: ({ restored }) => (restored ? refreshSoon(router) : router.push('/cost-estimates')),
  })
  const { status } = estimate
  const isForClient = status === 'awaiting_client_approval'
  const isFirst = estimate.revision === 1
  // Nothing else can be done with what was refused or ran out.
  const isNext = status === 'rejected' || status === 'expired'
  return (
    <div className="flex flex-wrap items-center justify-end gap-2">
      <AnchorButton href={`${path}/export?format=pdf`} variant="secondary" download>
        <Download />
        PDF
      </AnchorButton>
      {powers.mayManage && isPossible('change', status) && (
        <LinkButton href={`/cost-estimates/${estimate.id}/edit`} variant="secondary">
          <Pencil />
          Edit
        </LinkButton>
      )}
      {powers.mayDecide && isPossible('reject', status) && (
        <Button onClick={() => setDialog('reject')}>{isForClient ? 'Client rejected' : 'Reject'}</Button>
      )}
      {powers.mayDecide && isPossible('approve', status) && (
        <Button variant="primary" onClick={() => setDialog('approve')}>
          {isForClient ? 'Client approved' : 'Approve'}
        </Button>
      )}
      {powers.mayManage && isPossible('submit', status) && (
        <Button variant="primary" onClick={() => setDialog('submit')}>
          Submit
        </Button>
      )}
      {powers.mayManage && isNext && (
        <Button variant="primary" onClick={() => setDialog('revise')}>
          <PencilLine />
          Revise
        </Button>
      )}
      {powers.mayManage && (
        <Menu trigger={<IconButton label="More for this estimate" variant="secondary" icon={<MoreHorizontal />} />}>
          <MenuItem icon={<Download />} onClick={() => window.location.assign(`${path}/export?format=csv`)}>
            Download as CSV
          </MenuItem>
          {isPossible('revise', status) && !isNext && (
            <MenuItem icon={<PencilLine />} onClick={() => setDialog('revise')}>
              Revise
            </MenuItem>
          )}
          {estimate.client_url && (
            <MenuItem icon={<Unlink />} onClick={() => setDialog('revoke')}>
              Revoke the client’s link
            </MenuItem>
          )}
          {isPossible('delete', status) && (
            <MenuItem icon={<Trash2 />} tone="danger" onClick={() => setDialog('delete')}>
              {isFirst ? 'Delete draft' : 'Discard this revision'}
            </MenuItem>
          )}
        </Menu>
      )}
      <DecisionDialog
        estimate={estimate}
        etag={etag}
        decision={dialog === 'approve' || dialog === 'reject' ? dialog : null}
        close={() => setDialog(null)}
      />
      <ConfirmDialog
        open={dialog === 'submit'}
        onOpenChange={close}
        title={`Submit ${estimate.number}?`}
        confirmLabel="Submit"
        tone="primary"
        onConfirm={() => submit.mutateAsync(undefined)}
      >
        It goes to whoever approves estimates, then to the client. It cannot be changed meanwhile, only revised.
      </ConfirmDialog>
      <ConfirmDialog
        open={dialog === 'revise'}
        onOpenChange={close}
        title={`Revise ${estimate.number}?`}
        confirmLabel="Revise"
        tone="primary"
        onConfirm={() => revise.mutateAsync(undefined)}
      >
        Revision {estimate.revision} is kept as it stands. The approval begins anew once the next one is submitted.
      </ConfirmDialog>
      <ConfirmDialog
        open={dialog === 'revoke'}
        onOpenChange={close}
        title={`Revoke the link to ${estimate.number}?`}
        confirmLabel="Revoke link"
        onConfirm={() => revoke.mutateAsync(undefined)}
      >
        Whoever has it sees nothing any more. The next submission makes a new one.
      </ConfirmDialog>
      <ConfirmDialog
        open={dialog === 'delete'}
        onOpenChange={close}
        title={isFirst ? `Delete ${estimate.number}?` : `Discard revision ${estimate.revision} of ${estimate.number}?`}
        confirmLabel={isFirst ? 'Delete draft' : 'Discard revision'}
        onConfirm={() => remove.mutateAsync(undefined)}
      >
        {isFirst
          ? `“${estimate.title}” and its ${estimate.line_items.length === 1 ? 'line are' : `${estimate.line_items.length} lines are`} gone for good.`
          : `Revision ${estimate.revision - 1} stands again as it was before, with its decisions. What was changed since is gone for good.`}
      </ConfirmDialog>
    </div>
  )
}

/** Asks for the comment that goes with a decision. */
function DecisionDialog({
  estimate,
  etag,
  decision,
  close,
}: {
  estimate: Estimate
  etag: string
  decision: 'approve' | 'reject' | null
  close: () => void
}) {
  const [comment, setComment] = useState('')
  const isForClient = estimate.status === 'awaiting_client_approval'
  const decide = useApiMutation<'approve' | 'reject', Estimate>({
    request: (verb) => ({
      path: `/api/cost-estimates/${estimate.id}/${verb}` as const,
      body: { comment },
      ifMatch: etag,
    }),
    success: (after) => `${after.number}: ${decision === 'approve' ? 'approval' : 'rejection'} recorded`,
    onSuccess: () => {
      setComment('')
      close()
    },
  })
  const verb = decision === 'reject' ? 'Reject' : 'Approve'
  return (
    <Dialog
      open={decision !== null}
      onOpenChange={(isOpen) => !isOpen && close()}
      title={
        isForClient
          ? `Record that the client ${decision === 'reject' ? 'rejected' : 'approved'} ${estimate.number}`
          : `${verb} ${estimate.number}?`
      }
      description={isForClient ? 'For an answer by phone or mail. It is kept with your name.' : undefined}
    >
      <DialogBody>
        <Field label="Comment" optional>
          <Textarea value={comment} onChange={(event) => setComment(event.target.value)} rows={4} maxLength={5000} />
        </Field>
      </DialogBody>
      <DialogFooter>
        <DialogClose>
          <Button>Cancel</Button>
        </DialogClose>
        <Button
          variant={decision === 'reject' ? 'danger' : 'primary'}
          loading={decide.isPending}
          onClick={() => decision && decide.mutate(decision)}
        >
          {verb}
        </Button>
      </DialogFooter>
    </Dialog>
  )
}
