'use client'

import { useState } from 'react'
import { Button } from '@/components/ui/button'
import { Dialog, DialogBody, DialogClose, DialogFooter } from '@/components/ui/dialog'
import { Field } from '@/components/ui/field'
import { Select } from '@/components/ui/select'
import { Textarea } from '@/components/ui/textarea'
import type { CheckLine } from '@/lib/domain/pre-qc/schema'
import { LABELS, REJECTION_REASONS, type RejectionReason } from '@/lib/vocabulary'

export type Rejection = { comment: string; reason?: RejectionReason }

const REASONS = REJECTION_REASONS.map((value) => ({ value, label: LABELS.rejectionReason[value] }))

/** Why files are rejected: a reason that can be counted, and the sentence by which the agency fixes it. */
export function RejectionForm({
  what,
  findings = [],
  isPending = false,
  reject,
  close,
}: {
  /** Which: `“banner.png”`, `3 files`. */
  what: string
  /** What the checks found: can be taken over word by word. */
  findings?: readonly CheckLine[]
  isPending?: boolean
  reject: (rejection: Rejection) => void
  close: () => void
}) {
  const [comment, setComment] = useState('')
  const [reason, setReason] = useState<RejectionReason | null>(null)
  const takeOver = () =>
    setComment(
      [comment.trim(), ...findings.map(({ label, details, fix }) => `${label}: ${details}${fix ? ` ${fix}` : ''}`)]
        .filter(Boolean)
        .join('\n')
        .slice(0, 2000),
    )
  return (
    <Dialog
      open
      onOpenChange={(isOpen) => !isOpen && close()}
      title={`Reject ${what}`}
      description="The agency sees the reason, your comment and the marks, and sends a new version of what is rejected only."
    >
      <form
        className="contents"
        onSubmit={(event) => {
          event.preventDefault()
          if (comment.trim()) reject({ comment, ...(reason && { reason }) })
        }}
      >
        <DialogBody>
          <Field label="What must be fixed" name="comment">
            <Textarea
              value={comment}
              onChange={(event) => setComment(event.target.value)}
              onKeyDown={(event) => {
                if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) event.currentTarget.form?.requestSubmit()
              }}
              required
              maxLength={2000}
              rows={4}
            />
          </Field>
          {findings.length > 0 && (
            <Button size="sm" className="self-start" onClick={takeOver}>
              Add what the checks found ({findings.length})
            </Button>
          )}
          <Field label="Reason" name="reason" optional hint="Counted in the metrics of the agency.">
            <Select options={REASONS} value={reason} onValueChange={setReason} placeholder="Choose a reason" />
          </Field>
        </DialogBody>
        <DialogFooter>
          <DialogClose>
            <Button variant="ghost">Cancel</Button>
          </DialogClose>
          <Button type="submit" variant="danger" disabled={comment.trim() === ''} loading={isPending}>
            Reject
          </Button>
        </DialogFooter>
      </form>
    </Dialog>
  )
}
