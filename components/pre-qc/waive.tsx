'use client'

import type { ReactNode } from 'react'
import { Button } from '@/components/ui/button'
import { ConfirmDialog } from '@/components/ui/confirm-dialog'
import { loadedPart, WhenUsed } from '@/components/ui/when-used'
import { apiRequest } from '@/lib/client/api'
import { useApiMutation } from '@/lib/client/use-api-mutation'
import type { CheckLine } from '@/lib/domain/pre-qc/schema'
import { formatDate } from '@/lib/format'
import { LABELS } from '@/lib/vocabulary'

type Waiver = NonNullable<CheckLine['waiver']>
type Line = Pick<CheckLine, 'check_id' | 'label'>

type Said = Pick<Waiver, 'reason' | 'reason_code' | 'expires_at'>

const untilWords = ({ expires_at }: Said) => (expires_at ? ` until ${formatDate(expires_at)}` : '')
const reasonWords = ({ reason, reason_code }: Said) =>
  `${reason_code === 'other' ? '' : `${LABELS.waiverReason[reason_code]}. `}${reason}`

/** Who accepted a finding, who confirmed that, why, and until when. */
export function WaiverWords({ waiver }: { waiver: Waiver }) {
  return (
    <p className="text-sm text-info-ink wrap-anywhere">
      Waived{waiver.scope !== 'file' && ` for every file of this ${waiver.scope}`} by {waiver.by.name}
      {waiver.confirmed_by && `, confirmed by ${waiver.confirmed_by.name},`}
      {untilWords(waiver)}: {reasonWords(waiver)}
    </p>
  )
}

/** A waiver that waits for a second person. */
export function ProposalWords({ proposal }: { proposal: NonNullable<CheckLine['waiver_proposal']> }) {
  return (
    <p className="text-sm text-info-ink wrap-anywhere">
      {proposal.by.name} proposes to waive it{untilWords(proposal)}: {reasonWords(proposal)}
      <span className="block">A second person has to confirm it.</span>
    </p>
  )
}

export function ConfirmButton({ confirm }: { confirm: { isPending: boolean; mutate: () => void } }) {
  return (
    <Button size="sm" className="self-start" loading={confirm.isPending} onClick={() => confirm.mutate()}>
      Confirm the waiver
    </Button>
  )
}

export function ConfirmWaiver({ resultId, check }: { resultId: string; check: Line }) {
  const confirm = useApiMutation({
    request: () =>
      apiRequest('POST /api/pre-qc/results/{result_id}/checks/{check_id}/waive/confirm', {
        params: { result_id: resultId, check_id: check.check_id },
      }),
    success: `${check.label} waived`,
  })
  return <ConfirmButton confirm={confirm} />
}

const part = loadedPart(() => import('./waive-dialog'))

export function WaiveButton({
  resultId,
  check,
  mayScope,
}: {
  resultId: string
  check: Line
  /** Whether the user may waive it for files that nobody has seen yet. */
  mayScope: boolean
}) {
  const trigger = (
    <Button variant="ghost" size="sm" className="-ml-2">
      Waive
    </Button>
  )
  return (
    <div>
      <WhenUsed part={part} trigger={trigger} opens="dialog">
        {({ WaiveDialog }, press) => (
          <WaiveDialog resultId={resultId} check={check} mayScope={mayScope} trigger={trigger} press={press} />
        )}
      </WhenUsed>
    </div>
  )
}

export function WithdrawWaiver({ resultId, check }: { resultId: string; check: Line }) {
  const withdraw = useApiMutation({
    request: () =>
      apiRequest('DELETE /api/pre-qc/results/{result_id}/checks/{check_id}/waive', {
        params: { result_id: resultId, check_id: check.check_id },
      }),
    success: `The waiver of ${check.label} was withdrawn`,
  })
  return (
    <WithdrawDialog title={`Withdraw the waiver of “${check.label}”?`} onWithdraw={() => withdraw.mutateAsync()}>
      The finding counts again, unless it is waived for its batch or project. That it was waived stays on the audit
      trail.
    </WithdrawDialog>
  )
}

export function WithdrawDialog({
  title,
  onWithdraw,
  children,
}: {
  title: string
  onWithdraw: () => Promise<unknown>
  children: ReactNode
}) {
  return (
    <ConfirmDialog
      trigger={
        <Button variant="ghost" size="sm" className="-ml-2 self-start">
          Withdraw the waiver
        </Button>
      }
      title={title}
      confirmLabel="Withdraw"
      onConfirm={onWithdraw}
    >
      {children}
    </ConfirmDialog>
  )
}
