'use client'

import { useState } from 'react'
import { cn } from '@/components/ui/cn'
import type { Trend, TrendPoint } from '@/lib/domain/analytics/schema'
import { formatNumber } from '@/lib/format'
import { share, shortDay, stretch } from './wording'

const LEGEND = [
  { key: 'pass', label: 'Pass', swatch: 'bg-pass' },
  { key: 'warning', label: 'Warning', swatch: 'bg-warn' },
  { key: 'fail', label: 'Fail', swatch: 'bg-fail' },
] as const

const total = ({ pass, warning, fail }: TrendPoint) => pass + warning + fail

/**
 * Rates as lines and files as columns, over one axis of time. What the pointer is over stands in the legend; everything
 * stands in the table below, for users who do not see it or want to copy it.
 */
export function TrendChart({ trend }: { trend: Pick<Trend, 'points' | 'bucket' | 'metrics'> }) {
  const [at, setAt] = useState<number | null>(null)
  const { points, bucket, metrics } = trend
  const shown = at === null ? null : points[at]
  const most = Math.max(1, ...points.map(total))
  const middle = (index: number) => ((index + 0.5) / points.length) * 100
  const line = (key: 'pass_rate' | 'first_time_pass_rate') =>
    points.flatMap((point, index) => (point[key] === null ? [] : [{ x: middle(index), y: 100 - point[key] * 100 }]))
  const lines = [
    { key: 'first', points: line('first_time_pass_rate'), className: 'text-info', dash: '5 4' },
    { key: 'pass', points: line('pass_rate'), className: 'text-ink', dash: undefined },
  ]
  const numbers = shown ?? metrics
  return (
    <figure className="flex flex-col gap-4">
      <figcaption className="flex flex-wrap items-center gap-x-5 gap-y-1 text-sm" aria-hidden="true">
        <span className="min-w-36 font-medium max-sm:w-full">
          {shown ? stretch(shown.start, bucket) : 'The whole range'}
        </span>
        <Key swatch="h-0.5 bg-ink" label="Pass rate" value={share(numbers.pass_rate)} />
        <Key
          swatch="h-0 border-t-2 border-dashed border-info"
          label="First-time"
          value={share(numbers.first_time_pass_rate)}
        />
        {LEGEND.map(({ key, label, swatch }) => (
          <Key key={key} swatch={cn('size-2.5 rounded-sm', swatch)} label={label} value={formatNumber(numbers[key])} />
        ))}
      </figcaption>
      <div
        role="img"
        aria-label={`Pass rate over time, by ${bucket}: ${share(metrics.pass_rate)} over the whole range. The table below holds every number.`}
        className="grid grid-cols-[2.5rem_minmax(0,1fr)] gap-x-2"
        onPointerLeave={() => setAt(null)}
      >
        <Axis marks={['100%', '50%', '0%']} />
        <div className="relative h-44">
          <Grid />
          <svg
            aria-hidden="true"
            viewBox="0 0 100 100"
            preserveAspectRatio="none"
            className="absolute inset-0 size-full overflow-visible"
          >
            {lines.map(({ key, points, className, dash }) => (
              <polyline
                key={key}
                points={points.map(({ x, y }) => `${x},${y}`).join(' ')}
                fill="none"
                stroke="currentColor"
                strokeWidth={2}
                strokeDasharray={dash}
                strokeLinejoin="round"
                vectorEffect="non-scaling-stroke"
                className={className}
              />
            ))}
          </svg>
          {lines.flatMap(({ key, points, className }) =>
            points.map(({ x, y }) => (
              <span
                key={`${key} ${x}`}
                className={cn('absolute size-1.5 -translate-1/2 rounded-full bg-current', className)}
                style={{ left: `${x}%`, top: `${y}%` }}
              />
            )),
          )}
          <Columns points={points} at={at} setAt={setAt} />
        </div>
        <Axis marks={[formatNumber(most), '0']} className="mt-6" />
        <div className="relative mt-6 h-20">
          <Columns points={points} at={at} setAt={setAt}>
            {(point) => (
              <span
                className="flex w-full max-w-6 flex-col-reverse gap-px"
                style={{ height: `${(total(point) / most) * 100}%` }}
              >
                {LEGEND.map(({ key, swatch }) =>
                  point[key] > 0 ? (
                    <span key={key} className={cn('min-h-0.5 rounded-xs', swatch)} style={{ flexGrow: point[key] }} />
                  ) : null,
                )}
              </span>
            )}
          </Columns>
          <span className="absolute inset-x-0 bottom-0 border-t border-line-strong" />
        </div>
        <span />
        <div className="mt-1.5 flex justify-between text-xs text-ink-subtle tabular-nums">
          {axisDays(points).map((start) => (
            <span key={start}>{shortDay(start, bucket)}</span>
          ))}
        </div>
      </div>
      <NumbersTable points={points} bucket={bucket} />
    </figure>
  )
}

function Key({ swatch, label, value }: { swatch: string; label: string; value: string }) {
  return (
    <span className="inline-flex items-center gap-1.5 text-ink-muted">
      <span className={cn('inline-block w-3.5 shrink-0', swatch)} />
      {label} <span className="min-w-6 font-medium text-ink tabular-nums">{value}</span>
    </span>
  )
}

function Axis({ marks, className }: { marks: readonly string[]; className?: string }) {
  return (
    <div className={cn('flex flex-col justify-between text-right text-xs text-ink-subtle tabular-nums', className)}>
      {marks.map((mark) => (
        <span key={mark} className="first:-mt-2 last:-mb-2">
          {mark}
        </span>
      ))}
    </div>
  )
}

function Grid() {
  return [0, 50, 100].map((at) => (
    <span key={at} className="absolute inset-x-0 border-t border-line" style={{ top: `${at}%` }} />
  ))
}

/** One column a stretch: takes the pointer, and marks the one it is over. */
function Columns({
  points,
  at,
  setAt,
  children,
}: {
  points: readonly TrendPoint[]
  at: number | null
  setAt: (index: number) => void
  children?: (point: TrendPoint) => React.ReactNode
}) {
  return (
    <div className="absolute inset-0 flex">
      {points.map((point, index) => (
        <span
          key={point.start}
          onPointerEnter={() => setAt(index)}
          className={cn('flex h-full flex-1 items-end justify-center px-px', at === index && 'bg-ink/5')}
        >
          {children?.(point)}
        </span>
      ))}
    </div>
  )
}

/** First, middle and last: enough to read the axis by at any width. */
function axisDays(points: readonly TrendPoint[]): string[] {
  const middle = points.length > 6 ? [points[Math.floor((points.length - 1) / 2)]] : []
  const days = [points[0], ...middle, points.length > 1 ? points.at(-1) : undefined]
  return days.flatMap((point) => (point ? [point.start] : []))
}

function NumbersTable({ points, bucket }: Pick<Trend, 'points' | 'bucket'>) {
  const heads = ['Pass rate', 'First-time', 'Pass', 'Warning', 'Fail']
  return (
    <details className="text-sm">
      <summary className="w-fit cursor-pointer rounded-sm text-ink-muted hover:text-ink">The same as a table</summary>
      <div className="mt-2 max-h-80 overflow-auto">
        <table className="w-full">
          <caption className="sr-only">Files checked and their pass rate, by {bucket}</caption>
          <thead>
            <tr className="text-xs text-ink-subtle">
              <th scope="col" className="py-1 text-left font-medium capitalize">
                {bucket}
              </th>
              {heads.map((head) => (
                <th key={head} scope="col" className="py-1 pl-3 text-right font-medium">
                  {head}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {points.map((point) => (
              <tr key={point.start} className="border-t border-line tabular-nums">
                <th scope="row" className="py-1 text-left font-normal whitespace-nowrap">
                  {stretch(point.start, bucket)}
                </th>
                {[
                  share(point.pass_rate),
                  share(point.first_time_pass_rate),
                  formatNumber(point.pass),
                  formatNumber(point.warning),
                  formatNumber(point.fail),
                ].map((text, index) => (
                  <td key={heads[index]} className="py-1 pl-3 text-right text-ink-muted">
                    {text}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  )
}
