'use client'

import { useRouter } from 'next/navigation'
import { useEffect, useState } from 'react'
import { Button } from '@/components/ui/button'
import { Callout } from '@/components/ui/callout'
import { DateTime } from '@/components/ui/relative-time'
import { apiRequest } from '@/lib/client/api'
import { refreshSoon } from '@/lib/client/refresh'
import { useApiMutation } from '@/lib/client/use-api-mutation'
import { formatMoney } from '@/lib/currencies'
import type { ClientEstimate } from '@/lib/domain/cost-estimates/schema'
import { formatCount, formatDate } from '@/lib/format'

/** What came of the estimate, in a sentence. */
function outcomeTitle({ decision, status, total, currency }: ClientEstimate): string {
  if (decision?.decision === 'approved') return `Approved for ${formatMoney(total, currency)}. Thank you`
  if (decision) return 'You rejected this estimate'
  if (status === 'expired') return 'This estimate has expired'
  return status === 'approved' ? 'This estimate is approved' : 'This estimate was rejected'
}

/** The same as a sentence that is said when it happens. */
export const recordedAs = (estimate: ClientEstimate): string =>
  estimate.decision
    ? `Your ${estimate.decision.decision === 'approved' ? `approval of ${formatMoney(estimate.total, estimate.currency)}` : 'rejection'} is recorded.`
    : `${outcomeTitle(estimate)}.`

/** What was decided, and for how long it can still be taken back. */
export function Outcome({ token, estimate, now }: { token: string; estimate: ClientEstimate; now: number }) {
  const { decision } = estimate
  const undo = useApiMutation({
    request: () => apiRequest('POST /api/public/cost-estimates/{token}/undo', { params: { token } }),
  })
  const secondsLeft = useSecondsUntil(estimate.undo_until, now)
  if (!decision) return <Closed estimate={estimate} />
  const isApproved = decision.decision === 'approved'
  return (
    <Callout
      tone={isApproved ? 'pass' : 'neutral'}
      title={outcomeTitle(estimate)}
      actions={
        secondsLeft > 0 && (
          <Button size="sm" loading={undo.isPending} onClick={() => undo.mutate()}>
            Take it back
          </Button>
        )
      }
    >
      <p>
        {decision.name}, <DateTime value={decision.at} />
      </p>
      {decision.comment !== '' && (
        <p dir="auto" className="mt-1 whitespace-pre-line">
          “{decision.comment}”
        </p>
      )}
      {secondsLeft > 0 && (
        <p className="mt-1">A misclick? You can take it back for {timeLeft(secondsLeft)}, then it is final.</p>
      )}
    </Callout>
  )
}

/** No decision, and none possible. */
function Closed({ estimate }: { estimate: ClientEstimate }) {
  const who = estimate.contact.name || 'the sender'
  if (estimate.status === 'expired') {
    return (
      <Callout tone="warn" title={outcomeTitle(estimate)}>
        It was valid until {estimate.valid_until && formatDate(estimate.valid_until)}. Ask {who} for a new one.
      </Callout>
    )
  }
  if (estimate.status === 'approved' || estimate.status === 'rejected') {
    return (
      <Callout tone="neutral" title={outcomeTitle(estimate)}>
        The decision was recorded by {who}. Nothing more is needed here.
      </Callout>
    )
  }
  return null
}

/** Counts down from the server's clock, not this machine's; the page is read anew when nothing is left. */
function useSecondsUntil(until: string | null, now: number): number {
  const router = useRouter()
  const left = until === null ? 0 : Math.max(0, Math.ceil((Date.parse(until) - now) / 1000))
  const [seconds, setSeconds] = useState(left)
  useEffect(() => {
    setSeconds(left)
    if (left === 0) return
    const start = performance.now()
    const timer = setInterval(() => {
      const rest = Math.max(0, left - Math.floor((performance.now() - start) / 1000))
      setSeconds(rest)
      if (rest > 0) return
      clearInterval(timer)
      refreshSoon(router)
    }, 1000)
    return () => clearInterval(timer)
  }, [left, router])
  return seconds
}

const timeLeft = (seconds: number) =>
  seconds >= 60 ? formatCount(Math.ceil(seconds / 60), 'minute') : formatCount(seconds, 'second')
