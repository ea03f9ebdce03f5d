import { ArrowDownRight, ArrowRight, ArrowUpRight } from 'lucide-react'
import type { ReactNode } from 'react'
import { cn } from '@/components/ui/cn'
import type { Metrics } from '@/lib/domain/analytics/schema'
import { formatCount, formatNumber } from '@/lib/format'
import { duration, share } from './wording'

/** The metrics of a range. */
export function MetricTiles({ metrics }: { metrics: Metrics }) {
  const { files_checked, fail, median_hours } = metrics
  return (
    <dl className="grid grid-cols-2 gap-px overflow-hidden rounded-xl border border-line bg-line shadow-xs md:grid-cols-3 xl:grid-cols-6">
      <Tile label="Pass rate" value={share(metrics.pass_rate)}>
        <Change now={metrics.pass_rate} before={metrics.previous.pass_rate} />
      </Tile>
      <Tile label="First-time pass rate" value={share(metrics.first_time_pass_rate)}>
        at their first check
      </Tile>
      <Tile label="Files checked" value={formatNumber(files_checked)}>
        {formatNumber(fail)} failing, {formatCount(metrics.uploads_rejected, 'upload')} refused
      </Tile>
      <Tile
        label="Resupply rounds"
        value={files_checked === 0 ? '–' : formatNumber(metrics.resupply_rounds_average, 1)}
      >
        on average a batch
      </Tile>
      <Tile label="Agency’s turn" value={duration(median_hours.agency)}>
        median, to deliver
      </Tile>
      <Tile label="Our turn" value={duration(median_hours.review)}>
        median, to review
      </Tile>
    </dl>
  )
}

function Tile({ label, value, children }: { label: string; value: string; children: ReactNode }) {
  return (
    <div className="flex flex-col gap-0.5 bg-surface px-4 py-3.5">
      <dt className="text-xs font-medium text-ink-subtle">{label}</dt>
      <dd className="text-2xl font-semibold tabular-nums">{value}</dd>
      <dd className="text-xs text-ink-muted">{children}</dd>
    </div>
  )
}

/** Against the days before, in percentage points. */
function Change({ now, before }: { now: number | null; before: number | null }) {
  if (now === null || before === null) return <>nothing to compare with</>
  const points = Math.round((now - before) * 100)
  const Icon = points > 0 ? ArrowUpRight : points < 0 ? ArrowDownRight : ArrowRight
  const words =
    points === 0 ? 'as before' : `${points > 0 ? 'up' : 'down'} ${Math.abs(points)} points from ${share(before)}`
  return (
    <span
      className={cn(
        'inline-flex items-center gap-1 [&_svg]:size-3.5',
        points > 0 && 'text-pass-ink',
        points < 0 && 'text-fail-ink',
      )}
    >
      <Icon aria-hidden="true" />
      {words}
    </span>
  )
}
