'use client'

import { useState } from 'react'
import { Button } from '@/components/ui/button'
import { ConfirmDialog } from '@/components/ui/confirm-dialog'
import { Dialog, DialogBody, DialogClose, DialogFooter } from '@/components/ui/dialog'
import { Field } from '@/components/ui/field'
import { Input } from '@/components/ui/input'
import { Select } from '@/components/ui/select'
import { Textarea } from '@/components/ui/textarea'
import { apiRequest } from '@/lib/client/api'
import { useApiMutation } from '@/lib/client/use-api-mutation'
import type { CheckLine } from '@/lib/domain/pre-qc/schema'
import { formatDate } from '@/lib/format'
import { LABELS, WAIVER_REASONS, type WaiverReason } from '@/lib/vocabulary'

type Waiver = NonNullable<CheckLine['waiver']>
type Line = Pick<CheckLine, 'check_id' | 'label'>

const REASONS = WAIVER_REASONS.map((value) => ({ value, label: LABELS.waiverReason[value] }))

type Said = Pick<Waiver, 'reason' | 'reason_code' | 'expires_at'>

const untilWords = ({ expires_at }: Said) => (expires_at ? ` until ${formatDate(expires_at)}` : '')
const reasonWords = ({ reason, reason_code }: Said) =>
  `${reason_code === 'other' ? '' : `${LABELS.waiverReason[reason_code]}. `}${reason}`

/** Who accepted a finding, who confirmed that, why, and until when. */
export function WaiverWords({ waiver }: { waiver: Waiver }) {
  return (
    <p className="text-sm text-info-ink wrap-anywhere">
      Waived by {waiver.by.name}
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

export function ConfirmWaiver({ resultId, check }: { resultId: string; check: Line }) {
  const confirm = useApiMutation({
    request: () =>
      apiRequest('POST /api/pre-qc/results/{result_id}/checks/{check_id}/waive/confirm', {
        params: { result_id: resultId, check_id: check.check_id },
      }),
    success: `${check.label} waived`,
  })
  return (
    <Button size="sm" className="self-start" loading={confirm.isPending} onClick={() => confirm.mutate()}>
      Confirm the waiver
    </Button>
  )
}

/** What is said of a waiver: its reason, of which kind it is, and perhaps its last day. */
export function useWaiverForm() {
  const [reason, setReason] = useState('')
  const [code, setCode] = useState<WaiverReason>('other')
  const [lastDay, setLastDay] = useState('')
  const fields = (
    <>
      <Field label="Reason" name="reason">
        <Textarea
          value={reason}
          onChange={(event) => setReason(event.target.value)}
          required
          maxLength={1000}
          rows={3}
        />
      </Field>
      <Field label="Kind of reason" name="reason_code">
        <Select options={REASONS} value={code} onValueChange={setCode} />
      </Field>
      <Field label="Last day" name="expires_at" optional hint="After it the finding counts again (UTC).">
        <Input type="date" value={lastDay} onValueChange={setLastDay} className="max-w-48" />
      </Field>
    </>
  )
  return {
    fields,
    isComplete: reason.trim() !== '',
    said: { reason, reason_code: code, expires_at: lastDay ? `${lastDay}T23:59:59Z` : null },
  }
}

export function WaiveButton({ resultId, check }: { resultId: string; check: Line }) {
  const [isOpen, setOpen] = useState(false)
  const { fields, isComplete, said } = useWaiverForm()
  const waive = useApiMutation({
    request: () =>
      apiRequest('POST /api/pre-qc/results/{result_id}/checks/{check_id}/waive', {
        params: { result_id: resultId, check_id: check.check_id },
        body: said,
      }),
    success: ({ checks }) =>
      checks.some(({ check_id, waiver_proposal }) => check_id === check.check_id && waiver_proposal)
        ? `A second person has to confirm the waiver of ${check.label}`
        : `${check.label} waived`,
    onSuccess: () => setOpen(false),
  })
  return (
    <div>
      <Dialog
        open={isOpen}
        onOpenChange={setOpen}
        title={`Waive “${check.label}”`}
        description="The finding stays visible with your reason. A new version of the file is not covered."
        trigger={
          <Button variant="ghost" size="sm" className="-ml-2">
            Waive
          </Button>
        }
      >
        <form
          className="contents"
          onSubmit={(event) => {
            event.preventDefault()
            waive.mutate()
          }}
        >
          <DialogBody className="flex flex-col gap-4">{fields}</DialogBody>
          <DialogFooter>
            <DialogClose>
              <Button variant="ghost">Cancel</Button>
            </DialogClose>
            <Button type="submit" variant="primary" disabled={!isComplete} loading={waive.isPending}>
              Waive
            </Button>
          </DialogFooter>
        </form>
      </Dialog>
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
    <ConfirmDialog
      trigger={
        <Button variant="ghost" size="sm" className="-ml-2 self-start">
          Withdraw the waiver
        </Button>
      }
      title={`Withdraw the waiver of “${check.label}”?`}
      confirmLabel="Withdraw"
      onConfirm={() => withdraw.mutateAsync()}
    >
      The finding counts again, in the verdict of the file and of its batch. That it was waived stays on the audit
      trail.
    </ConfirmDialog>
  )
}
