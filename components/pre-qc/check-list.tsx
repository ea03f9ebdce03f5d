'use client'

import { useState } from 'react'
import { StatusText } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { CopyButton } from '@/components/ui/copy-button'
import { Dialog, DialogBody, DialogClose, DialogFooter } from '@/components/ui/dialog'
import { Field } from '@/components/ui/field'
import { Textarea } from '@/components/ui/textarea'
import { apiRequest } from '@/lib/client/api'
import { useApiMutation } from '@/lib/client/use-api-mutation'
import { isProblem } from '@/lib/domain/pre-qc/rules'
import type { CheckLine, PreQcResult } from '@/lib/domain/pre-qc/schema'
import { type CheckStatus, LABELS } from '@/lib/vocabulary'
import { CheckPlaces } from './check-places'
import type { Focus } from './occurrences'
import { CHECK_TONES } from './result-badge'

const WORST_FIRST: CheckStatus[] = ['fail', 'error', 'warning', 'waived', 'pass', 'skipped']

/** Confidence in words; exact measurements need none. */
const sureness = (confidence: number) =>
  confidence >= 1
    ? 'Measured exactly'
    : `${confidence >= 0.8 ? 'Quite sure' : confidence >= 0.5 ? 'Fairly sure' : 'Unsure'} (${Math.round(confidence * 100)} %)`

/** Every check of a result, the worst first; what did not apply is folded away. */
export function CheckList({
  result,
  mayWaive,
  mayWaiveBlocking,
  focus,
  setFocus,
}: {
  result: PreQcResult
  mayWaive: boolean
  mayWaiveBlocking: boolean
  /** What the viewer beside the list shows, and how to show something else. */
  focus: Focus | null
  setFocus: (focus: Focus) => void
}) {
  const [showsSkipped, setShowsSkipped] = useState(false)
  const sorted = [...result.checks].sort((a, b) => WORST_FIRST.indexOf(a.status) - WORST_FIRST.indexOf(b.status))
  const skipped = sorted.filter((check) => check.status === 'skipped')
  const shown = showsSkipped ? sorted : sorted.filter((check) => check.status !== 'skipped')
  return (
    <div>
      <ul className="divide-y divide-line border-y border-line">
        {shown.map((check) => (
          <li key={check.check_id} className="flex flex-col gap-1 py-3">
            <div className="flex items-center justify-between gap-3">
              <h4 className="text-sm font-medium">{check.label}</h4>
              <StatusText tone={CHECK_TONES[check.status]}>{LABELS.checkStatus[check.status]}</StatusText>
            </div>
            <p className="text-sm text-ink-muted wrap-anywhere">{check.details}</p>
            {isProblem(check.status) && <Finding check={check} />}
            <CheckPlaces check={check} focus={focus} setFocus={setFocus} />
            {check.waiver && (
              <p className="text-sm text-info-ink">
                Waived by {check.waiver.by.name}: {check.waiver.reason}
              </p>
            )}
            {isProblem(check.status) && mayWaive && (check.severity !== 'blocking' || mayWaiveBlocking) && (
              <WaiveButton resultId={result.id} check={check} />
            )}
          </li>
        ))}
      </ul>
      {skipped.length > 0 && (
        <Button
          variant="ghost"
          size="sm"
          className="mt-2"
          onClick={() => setShowsSkipped(!showsSkipped)}
          aria-expanded={showsSkipped}
        >
          {showsSkipped ? 'Hide' : 'Show'} {skipped.length} that did not apply
        </Button>
      )}
    </div>
  )
}

function Finding({ check }: { check: CheckLine }) {
  return (
    <>
      <p className="text-xs text-ink-subtle">
        {[
          check.severity === 'blocking' ? 'Blocking' : 'Advisory',
          check.status !== 'error' && sureness(check.confidence),
          check.standard,
        ]
          .filter(Boolean)
          .join(' · ')}
      </p>
      {check.fix && (
        <div className="mt-1 flex items-start gap-2 rounded-md bg-sunken px-3 py-2">
          <p className="min-w-0 flex-1 text-sm wrap-anywhere">
            <span className="font-medium">How to fix it: </span>
            {check.fix}
          </p>
          <CopyButton text={check.fix} label={`Copy how to fix ${check.label}`} />
        </div>
      )}
    </>
  )
}

function WaiveButton({ resultId, check }: { resultId: string; check: CheckLine }) {
  const [isOpen, setOpen] = useState(false)
  const [reason, setReason] = useState('')
  const waive = useApiMutation({
    request: () =>
      apiRequest('POST /api/pre-qc/results/{result_id}/checks/{check_id}/waive', {
        params: { result_id: resultId, check_id: check.check_id },
        body: { reason },
      }),
    success: `${check.label} waived`,
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
          <DialogBody>
            <Field label="Reason" name="reason">
              <Textarea
                value={reason}
                onChange={(event) => setReason(event.target.value)}
                required
                maxLength={1000}
                rows={3}
              />
            </Field>
          </DialogBody>
          <DialogFooter>
            <DialogClose>
              <Button variant="ghost">Cancel</Button>
            </DialogClose>
            <Button type="submit" variant="primary" disabled={reason.trim() === ''} loading={waive.isPending}>
              Waive
            </Button>
          </DialogFooter>
        </form>
      </Dialog>
    </div>
  )
}
