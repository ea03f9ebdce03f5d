'use client'

import { Download, MoreHorizontal, Pencil, PencilLine, Trash2, Unlink, UserX } from 'lucide-react'
import { useState } from 'react'
import { EraseClientDialog } from '@/components/erasure/erase-dialog'
import { Button } from '@/components/ui/button'
import { IconButton } from '@/components/ui/icon-button'
import { AnchorButton, LinkButton } from '@/components/ui/link-button'
import { Menu, MenuItem } from '@/components/ui/menu'
import { isPossible } from '@/lib/domain/cost-estimates/rules'
import type { Estimate, EstimateRoute } from '@/lib/domain/cost-estimates/schema'
import { ERASED_PERSON } from '@/lib/vocabulary'
import { DecisionDialog, isForClient } from './decision-dialog'
import { DiscardDialog, ReviseDialog, RevokeLinkDialog } from './revision-dialogs'
import { SubmitDialog } from './submit-dialog'

export type EstimatePowers = { mayManage: boolean; mayDecide: boolean; maySetApproval: boolean; mayErase: boolean }

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
  const [dialog, setDialog] = useState<
    'approve' | 'reject' | 'submit' | 'revise' | 'delete' | 'revoke' | 'erase' | null
  >(null)
  const close = (isOpen: boolean) => !isOpen && setDialog(null)
  const path = `/api/cost-estimates/${estimate.id}` as const
  const { status } = estimate
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
          {powers.mayErase && namesClient(estimate) && (
            <MenuItem icon={<UserX />} tone="danger" onClick={() => setDialog('erase')}>
              Erase the client’s name
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
      <SubmitDialog
        estimate={estimate}
        route={route}
        maySetApproval={powers.maySetApproval}
        isOpen={dialog === 'submit'}
        onOpenChange={close}
      />
      <ReviseDialog estimate={estimate} isOpen={dialog === 'revise'} onOpenChange={close} />
      <RevokeLinkDialog estimate={estimate} isOpen={dialog === 'revoke'} onOpenChange={close} />
      <EraseClientDialog estimate={estimate} open={dialog === 'erase'} onOpenChange={close} />
      <DiscardDialog estimate={estimate} etag={etag} isOpen={dialog === 'delete'} onOpenChange={close} />
    </div>
  )
}

/** Whether a client without an account decided under a name that was not erased. */
function namesClient({ decisions }: Estimate) {
  return decisions.some(({ side, by }) => side === 'client' && by.id === null && by.name !== ERASED_PERSON)
}
