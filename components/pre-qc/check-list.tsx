'use client'

import { useState } from 'react'
import { StatusText } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { CopyButton } from '@/components/ui/copy-button'
import { RelativeTime } from '@/components/ui/relative-time'
import { isProblem } from '@/lib/domain/pre-qc/rules'
import type { CheckLine, PreQcResult } from '@/lib/domain/pre-qc/schema'
import { type CheckStatus, LABELS } from '@/lib/vocabulary'
import { CheckPlaces } from './check-places'
import type { Focus } from './occurrences'
import { CHECK_TONES } from './result-badge'
import { ConfirmWaiver, ProposalWords, WaiveButton, WaiverWords, WithdrawWaiver } from './waive'

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
            {check.waiver && <WaiverWords waiver={check.waiver} />}
            {check.waiver_proposal && <ProposalWords proposal={check.waiver_proposal} />}
            {mayWaive && (check.severity !== 'blocking' || mayWaiveBlocking) && (
              <WaiverActions resultId={result.id} check={check} mayScope={mayWaiveBlocking} />
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
      {result.measured_at && (
        <p className="mt-2 text-xs text-ink-subtle">
          Measured <RelativeTime value={result.measured_at} />. The content is the same, so it was not decoded again.
        </p>
      )}
    </div>
  )
}

function WaiverActions({ resultId, check, mayScope }: { resultId: string; check: CheckLine; mayScope: boolean }) {
  // It is withdrawn for all of its files at once, on the page of what is waived.
  if (check.waiver && check.waiver.scope !== 'file') return null
  if (check.waiver_proposal) {
    return (
      <div className="flex flex-wrap gap-1">
        {check.waiver_proposal.may_confirm && <ConfirmWaiver resultId={resultId} check={check} />}
        <WithdrawWaiver resultId={resultId} check={check} />
      </div>
    )
  }
  if (check.status === 'waived') return <WithdrawWaiver resultId={resultId} check={check} />
  return isProblem(check.status) ? <WaiveButton resultId={resultId} check={check} mayScope={mayScope} /> : null
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
