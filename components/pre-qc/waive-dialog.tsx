'use client'

import { type ReactElement, useState } from 'react'
import { Button } from '@/components/ui/button'
import { DialogBody, DialogClose, DialogFooter } from '@/components/ui/dialog'
import { Field } from '@/components/ui/field'
import { Input } from '@/components/ui/input'
import { OpenableDialog } from '@/components/ui/openable-dialog'
import { Select } from '@/components/ui/select'
import { Textarea } from '@/components/ui/textarea'
import type { Press } from '@/components/ui/when-used'
import { apiRequest } from '@/lib/client/api'
import { useApiMutation } from '@/lib/client/use-api-mutation'
import type { CheckLine } from '@/lib/domain/pre-qc/schema'
import { LABELS, WAIVER_REASONS, type WaiverReason, type WaiverScope } from '@/lib/vocabulary'

const SCOPES: { value: WaiverScope; label: string }[] = [
  { value: 'file', label: 'This file, as it is now' },
  { value: 'batch', label: 'Every file of this batch' },
  { value: 'project', label: 'Every file of this project' },
]
const REASONS = WAIVER_REASONS.map((value) => ({ value, label: LABELS.waiverReason[value] }))

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

/** The dialog of “Waive”, with its button. */
export function WaiveDialog({
  resultId,
  check,
  mayScope,
  trigger,
  press,
}: {
  resultId: string
  check: Pick<CheckLine, 'check_id' | 'label'>
  mayScope: boolean
  trigger: ReactElement
  press: Press | null
}) {
  const [isOpen, setOpen] = useState(false)
  const [scope, setScope] = useState<WaiverScope>('file')
  const { fields, isComplete, said } = useWaiverForm()
  const waive = useApiMutation({
    request: () =>
      apiRequest('POST /api/pre-qc/results/{result_id}/checks/{check_id}/waive', {
        params: { result_id: resultId, check_id: check.check_id },
        body: { ...said, scope },
      }),
    success: ({ checks }) =>
      checks.every(({ check_id, waiver }) => check_id !== check.check_id || !waiver)
        ? `A second person has to confirm the waiver of ${check.label}`
        : `${check.label} waived`,
    onSuccess: () => setOpen(false),
  })
  return (
    <OpenableDialog
      open={isOpen}
      onOpenChange={setOpen}
      title={`Waive “${check.label}”`}
      description={
        scope === 'file'
          ? 'The finding stays visible with your reason. A new version of the file is not covered.'
          : `What this check finds stays visible with your reason, and does not count in any file of this ${scope}: those that are there, new versions, and files that arrive later.`
      }
      trigger={trigger}
      press={press}
    >
      <form
        className="contents"
        onSubmit={(event) => {
          event.preventDefault()
          waive.mutate()
        }}
      >
        <DialogBody className="flex flex-col gap-4">
          {mayScope && (
            <Field label="For" name="scope">
              <Select options={SCOPES} value={scope} onValueChange={setScope} />
            </Field>
          )}
          {fields}
        </DialogBody>
        <DialogFooter>
          <DialogClose>
            <Button variant="ghost">Cancel</Button>
          </DialogClose>
          <Button type="submit" variant="primary" disabled={!isComplete} loading={waive.isPending}>
            Waive
          </Button>
        </DialogFooter>
      </form>
    </OpenableDialog>
  )
}
