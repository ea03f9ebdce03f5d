'use client'

import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { announce } from '@/components/ui/announcer'
import type { ClientEstimate } from '@/lib/domain/cost-estimates/schema'
import { decimalOf, totalsOf } from '@/lib/domain/kernel/money'
import { DecisionForm } from './decision-form'
import { Lines } from './lines'
import { Outcome, recordedAs } from './outcome'
import { TotalsBlock } from './totals'

/**
 * Lines, options, totals and the decision. What is left out is reckoned with the server's own function; the server
 * reckons again, and refuses a decision about another total than the one that was seen.
 */
export function EstimatePanel({ estimate, token, now }: { estimate: ClientEstimate; token: string; now: number }) {
  const isOpen = estimate.status === 'awaiting_client_approval' && estimate.decision === null
  const [leftOut, setLeftOut] = useState<ReadonlySet<string>>(new Set())
  const declined = useMemo(
    () => (isOpen ? leftOut : new Set(estimate.line_items.filter((line) => line.declined).map(({ id }) => id))),
    [isOpen, leftOut, estimate.line_items],
  )
  const choose = useCallback((id: string, isIncluded: boolean) => {
    setLeftOut((before) => {
      const next = new Set(before)
      if (isIncluded) next.delete(id)
      else next.add(id)
      return next
    })
  }, [])
  const totals = useMemo(() => reckon(estimate, declined), [estimate, declined])
  const hasOptions = estimate.line_items.some((line) => line.optional)
  const decision = useRef<HTMLElement>(null)
  const said = isOpen ? 'Taken back. You can decide again.' : recordedAs(estimate)
  useWhenChanged(isOpen, () => {
    decision.current?.focus({ preventScroll: true })
    decision.current?.scrollIntoView({ block: 'start' })
    announce(said)
  })
  return (
    <>
      {!isOpen && (
        <section
          ref={decision}
          tabIndex={-1}
          aria-label="Your decision"
          className="mb-8 scroll-mt-6 rounded-lg outline-none focus-visible:ring-2 focus-visible:ring-focus empty:hidden"
        >
          <Outcome token={token} estimate={estimate} now={now} />
        </section>
      )}
      {isOpen && hasOptions && (
        <p className="mb-4 text-base text-ink-muted">
          Lines marked as option can be left out: take the tick away, and the total follows.
        </p>
      )}
      <Lines estimate={estimate} declined={declined} choose={isOpen ? choose : undefined} />
      <TotalsBlock estimate={estimate} totals={totals} />
      {estimate.notes && <Prose title="Notes" text={estimate.notes} />}
      {estimate.terms !== '' && <Prose title="Terms" text={estimate.terms} />}
      {isOpen && (
        <section
          ref={decision}
          tabIndex={-1}
          aria-labelledby="decision"
          className="mt-10 scroll-mt-6 border-t border-line pt-8 outline-none print:hidden"
        >
          <h2 id="decision" className="mb-5 text-xl font-semibold">
            Your decision
          </h2>
          <DecisionForm token={token} estimate={estimate} declinedIds={[...declined]} total={totals.total} />
        </section>
      )}
    </>
  )
}

/**
 * Runs after the page shows another state than before, not when it is first shown. A frame later: a dialog that closes
 * gives the focus back first.
 */
function useWhenChanged(state: boolean, run: () => void) {
  const shown = useRef(state)
  const latest = useRef(run)
  latest.current = run
  useEffect(() => {
    if (shown.current === state) return
    shown.current = state
    const frame = requestAnimationFrame(() => latest.current())
    return () => cancelAnimationFrame(frame)
  }, [state])
}

function Prose({ title, text }: { title: string; text: string }) {
  return (
    <section className="mt-9">
      <h2 className="mb-1.5 text-base font-semibold">{title}</h2>
      <p dir="auto" className="max-w-prose text-sm leading-6 whitespace-pre-line text-ink-muted wrap-anywhere">
        {text}
      </p>
    </section>
  )
}

function reckon(estimate: ClientEstimate, declined: ReadonlySet<string>) {
  const exact = (value: number) => decimalOf(value) ?? '0'
  return totalsOf(
    estimate.line_items.map((line) => ({
      quantity: exact(line.quantity),
      unitPrice: exact(line.unit_price),
      isDeclined: declined.has(line.id),
    })),
    {
      currency: estimate.currency,
      discount: estimate.discount && { type: estimate.discount.type, value: exact(estimate.discount.value) },
      taxRate: exact(estimate.tax_rate),
    },
  )
}
