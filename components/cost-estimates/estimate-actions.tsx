'use client'

import { Download, MoreHorizontal, Pencil, PencilLine, Trash2, Unlink } from 'lucide-react'
import { useRouter } from 'next/navigation'
import { useState } from 'react'
import { useAsOpened } from '@/components/ui/as-opened'
import { Button } from '@/components/ui/button'
import { Callout } from '@/components/ui/callout'
import { ConfirmDialog } from '@/components/ui/confirm-dialog'
import { Dialog, DialogBody, DialogClose, DialogFooter } from '@/components/ui/dialog'
import { Field } from '@/components/ui/field'
import { IconButton } from '@/components/ui/icon-button'
import { AnchorButton, LinkButton } from '@/components/ui/link-button'
import { Menu, MenuItem } from '@/components/ui/menu'
import { Textarea } from '@/components/ui/textarea'
import { apiRequest } from '@/lib/client/api'
import { refreshSoon } from '@/lib/client/refresh'
import { toastProblem, useApiMutation } from '@/lib/client/use-api-mutation'
import { isPossible } from '@/lib/domain/cost-estimates/rules'
import type { Estimate, EstimateRoute } from '@/lib/domain/cost-estimates/schema'

export type EstimatePowers = { mayManage: boolean; mayDecide: boolean; maySetApproval: boolean }

const isForClient = ({ status }: Estimate) => status === 'awaiting_client_approval'

/** What can be done with an estimate now. */
export function EstimateActions({
  estimate,
  etag,
  powers,
  route,
}: {
  estimate: Estimate
  /** Of what is on screen: users decide only about what they have seen. */
  etag: string
  powers: EstimatePowers
  /** The steps a draft would go through if it were submitted now. */
  route: EstimateRoute['steps']
}) {
  const router = useRouter()
  const [dialog, setDialog] = useState<'approve' | 'reject' | 'submit' | 'revise' | 'delete' | 'revoke' | null>(null)
  const close = (isOpen: boolean) => !isOpen && setDialog(null)
  const path = `/api/cost-estimates/${estimate.id}` as const
  const params = { estimate_id: estimate.id }
  const submit = useApiMutation({
    request: () => apiRequest('POST /api/cost-estimates/{estimate_id}/submit', { params }),
    success: `${estimate.number} submitted`,
  })
  const revise = useApiMutation({
    request: () => apiRequest('POST /api/cost-estimates/{estimate_id}/revise', { params }),
    success: `A new revision of ${estimate.number}`,
    onSuccess: () => router.push(`/cost-estimates/${estimate.id}/edit`),
  })
  const revoke = useApiMutation({
    request: () => apiRequest('POST /api/cost-estimates/{estimate_id}/revoke-link', { params }),
    success: 'The link no longer works',
  })
  const remove = useApiMutation({
    request: (ifMatch: string) => apiRequest('DELETE /api/cost-estimates/{estimate_id}', { params, ifMatch }),
    success: ({ restored }) =>
      restored ? `${estimate.number} is revision ${restored.revision} again` : `${estimate.number} deleted`,
    refresh: false,
    onSuccess: ({ restored }) => (restored ? refreshSoon(router) : router.push('/cost-estimates')),
  })
  const { status } = estimate
  const blocked = route.find(({ problem }) => problem !== null)
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
        <Button onClick={() => setDialog('reject')}>{isForClient(estimate) ? 'Client rejected' : 'Reject'}</Button>
      )}
      {powers.mayDecide && isPossible('approve', status) && (
        <Button variant="primary" onClick={() => setDialog('approve')}>
          {isForClient(estimate) ? 'Client approved' : 'Approve'}
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
      {blocked ? (
        <Dialog open={dialog === 'submit'} onOpenChange={close} title={`${estimate.number} cannot be submitted yet`}>
          <DialogBody>
            <Callout tone="warn">{blocked.problem}</Callout>
          </DialogBody>
          <DialogFooter>
            <DialogClose>
              <Button>Close</Button>
            </DialogClose>
            {powers.maySetApproval && (
              <LinkButton href="/settings/approval" variant="primary">
                Change the approval
              </LinkButton>
            )}
          </DialogFooter>
        </Dialog>
      ) : (
        <ConfirmDialog
          open={dialog === 'submit'}
          onOpenChange={close}
          title={`Submit ${estimate.number}?`}
          confirmLabel="Submit"
          tone="primary"
          onConfirm={() => submit.mutateAsync()}
        >
          {route.length === 0 ? (
            <p>
              No approval inside is needed: the client can decide at once, by a link that you send. It cannot be changed
              meanwhile, only revised.
            </p>
          ) : (
            <>
              <p>It waits for these, then for the client. It cannot be changed meanwhile, only revised.</p>
              <ol className="mt-2 list-decimal pl-5">
                {route.map(({ name, takers }, index) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: two steps may be called alike, and none of them moves
                  <li key={index}>
                    <span className="font-medium text-ink">{name}</span>: {takers}
                  </li>
                ))}
              </ol>
            </>
          )}
        </ConfirmDialog>
      )}
      <ConfirmDialog
        open={dialog === 'revise'}
        onOpenChange={close}
        title={`Revise ${estimate.number}?`}
        confirmLabel="Revise"
        tone="primary"
        onConfirm={() => revise.mutateAsync()}
      >
        Revision {estimate.revision} is kept as it stands. The approval begins anew once the next one is submitted.
      </ConfirmDialog>
      <ConfirmDialog
        open={dialog === 'revoke'}
        onOpenChange={close}
        title={`Revoke the link to ${estimate.number}?`}
        confirmLabel="Revoke link"
        onConfirm={() => revoke.mutateAsync()}
      >
        It shows nothing any more. The next submission makes a new one.
      </ConfirmDialog>
      <ConfirmDialog
        open={dialog === 'delete'}
        onOpenChange={close}
        title={isFirst ? `Delete ${estimate.number}?` : `Discard revision ${estimate.revision} of ${estimate.number}?`}
        confirmLabel={isFirst ? 'Delete draft' : 'Discard revision'}
        onConfirm={() => remove.mutateAsync(etag)}
      >
        {isFirst
          ? `“${estimate.title}” and its ${estimate.line_items.length === 1 ? 'line are' : `${estimate.line_items.length} lines are`} gone for good. The next new estimate gets the number ${estimate.number}.`
          : `Revision ${estimate.revision - 1} stands again as it was before, with its decisions. What was changed since is gone for good.`}
      </ConfirmDialog>
    </div>
  )
}

type Verb = 'approve' | 'reject'

/** Asks for the comment that goes with a decision, about the estimate as it was when the dialog opened. */
function DecisionDialog({
  decision,
  close,
  ...now
}: {
  estimate: Estimate
  etag: string
  decision: Verb | null
  close: () => void
}) {
  const { question, opening } = useAsOpened(decision !== null, { ...now, verb: decision ?? 'approve' })
  const { estimate, verb } = question
  return (
    <Dialog
      open={decision !== null}
      onOpenChange={(isOpen) => !isOpen && close()}
      title={
        isForClient(estimate)
          ? `Record that the client ${verb === 'reject' ? 'rejected' : 'approved'} ${estimate.number}`
          : `${verb === 'reject' ? 'Reject' : 'Approve'} ${estimate.number}?`
      }
      description={isForClient(estimate) ? 'For a decision by phone or mail. It is kept with your name.' : undefined}
    >
      <DecisionForm key={opening} {...question} close={close} />
    </Dialog>
  )
}

function DecisionForm({
  estimate,
  etag,
  verb,
  close,
}: {
  estimate: Estimate
  etag: string
  verb: Verb
  close: () => void
}) {
  const router = useRouter()
  const [comment, setComment] = useState('')
  const decide = useApiMutation({
    request: () =>
      apiRequest(`POST /api/cost-estimates/{estimate_id}/${verb}`, {
        params: { estimate_id: estimate.id },
        body: { comment },
        ifMatch: etag,
      }),
    success: (after) => `${after.number}: ${verb === 'approve' ? 'approval' : 'rejection'} recorded`,
    onSuccess: close,
    onProblem: (problem) => {
      toastProblem(problem)
      // Decided meanwhile, perhaps in another window: the page behind shows what it is now.
      if (problem.status === 412 || problem.status === 409) refreshSoon(router)
    },
  })
  return (
    <>
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
          variant={verb === 'reject' ? 'danger' : 'primary'}
          loading={decide.isPending}
          onClick={() => decide.mutate()}
        >
          {verb === 'reject' ? 'Reject' : 'Approve'}
        </Button>
      </DialogFooter>
    </>
  )
}
