import type { ReactNode } from 'react'
import { share } from '@/components/analytics/wording'
import type { Scorecard } from '@/lib/domain/scorecards/schema'
import { formatCount, formatNumber } from '@/lib/format'

/** What an agency asks first: how well, whether better than before, and how others do. */
export function ScorecardMetrics({ card }: { card: Scorecard }) {
  const { first_time_pass_rate: rate, others_median: median } = card
  return (
    <dl className="grid gap-px overflow-hidden rounded-xl border border-line bg-line shadow-xs sm:grid-cols-3">
      <Metric label="Passed the first time" value={share(rate)} isLarge>
        {against(rate, card.previous.first_time_pass_rate)}
      </Metric>
      <Metric label="Other agencies" value={share(median)}>
        {median === null ? 'shown once three others delivered' : standing(rate, median)}
      </Metric>
      <Metric label="Files checked" value={formatNumber(card.files_checked)}>
        each with its versions counts once
      </Metric>
    </dl>
  )
}

const points = (difference: number) => formatCount(Math.abs(Math.round(difference * 100)), 'point')

function against(now: number | null, before: number | null) {
  if (now === null || before === null) return 'nothing before to compare with'
  const change = Math.round((now - before) * 100)
  return change === 0
    ? 'as in the weeks before'
    : `${points(now - before)} ${change > 0 ? 'up' : 'down'}, was ${share(before)}`
}

function standing(own: number | null, median: number) {
  if (own === null) return 'the median'
  const difference = Math.round((own - median) * 100)
  if (difference === 0) return 'the median; so are you'
  return `the median; you are ${points(own - median)} ${difference > 0 ? 'above' : 'below'}`
}

function Metric({
  label,
  value,
  isLarge,
  children,
}: {
  label: string
  value: string
  isLarge?: boolean
  children: ReactNode
}) {
  return (
    <div className="flex flex-col gap-0.5 bg-surface px-4 py-4">
      <dt className="text-xs font-medium text-ink-subtle">{label}</dt>
      <dd
        className={
          isLarge ? 'text-3xl font-semibold tabular-nums' : 'text-3xl font-semibold text-ink-muted tabular-nums'
        }
      >
        {value}
      </dd>
      <dd className="text-xs text-ink-muted">{children}</dd>
    </div>
  )
}
