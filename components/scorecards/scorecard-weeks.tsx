import { share, shortDay } from '@/components/analytics/wording'
import { cn } from '@/components/ui/cn'
import type { Scorecard } from '@/lib/domain/scorecards/schema'
import { formatCount, formatPercent } from '@/lib/format'

/** First-time pass rate week by week, with the median of the others as a line across. Every number stands in the table. */
export function ScorecardWeeks({ weeks, median }: { weeks: Scorecard['weeks']; median: number | null }) {
  const last = weeks.length - 1
  return (
    <figure className="flex flex-col gap-3">
      <div
        role="img"
        aria-label={`First-time pass rate of the last ${weeks.length} weeks. The table below holds every number.`}
        className="grid grid-cols-[2.5rem_minmax(0,1fr)] gap-x-2"
      >
        <div className="flex flex-col justify-between text-right text-xs text-ink-subtle tabular-nums">
          <span className="-mt-2">100%</span>
          <span>50%</span>
          <span className="-mb-2">0%</span>
        </div>
        <div className="relative h-48">
          {[0, 50, 100].map((at) => (
            <span key={at} className="absolute inset-x-0 border-t border-line" style={{ top: `${at}%` }} />
          ))}
          <div className="absolute inset-0 flex items-end">
            {weeks.map(({ start, files_checked, first_time_pass_rate: rate }) => (
              <span key={start} className="flex h-full flex-1 items-end justify-center px-0.5 sm:px-1">
                {files_checked > 0 && rate !== null && (
                  <span
                    className={cn(
                      'min-h-0.5 w-full max-w-8 rounded-t-sm',
                      start === weeks[last]?.start ? 'bg-pass/55' : 'bg-pass',
                    )}
                    style={{ height: `${rate * 100}%` }}
                    title={`${shortDay(start, 'week')}: ${share(rate)} of ${formatCount(files_checked, 'file')}`}
                  />
                )}
              </span>
            ))}
          </div>
          {median !== null && (
            <span
              className="absolute inset-x-0 border-t-2 border-dashed border-info"
              style={{ top: `${(1 - median) * 100}%` }}
            />
          )}
        </div>
        <span />
        <div className="mt-1.5 flex justify-between text-xs text-ink-subtle tabular-nums">
          {[weeks[0], weeks[last >> 1], weeks[last]].map(
            (week) => week && <span key={week.start}>{shortDay(week.start, 'week')}</span>,
          )}
        </div>
      </div>
      <figcaption className="flex flex-wrap gap-x-5 gap-y-1 text-xs text-ink-muted" aria-hidden="true">
        <span className="inline-flex items-center gap-1.5">
          <span className="size-2.5 rounded-sm bg-pass" />
          Passed the first time, by week
        </span>
        {median !== null && (
          <span className="inline-flex items-center gap-1.5">
            <span className="w-4 border-t-2 border-dashed border-info" />
            Median of other agencies, {formatPercent(median)}
          </span>
        )}
      </figcaption>
      <details className="text-sm">
        <summary className="w-fit cursor-pointer rounded-sm text-ink-muted hover:text-ink">The same as a table</summary>
        <table className="mt-2 w-full">
          <caption className="sr-only">First-time pass rate by week</caption>
          <thead>
            <tr className="text-xs text-ink-subtle">
              <th scope="col" className="py-1 text-left font-medium">
                Week from
              </th>
              <th scope="col" className="py-1 pl-3 text-right font-medium">
                Files
              </th>
              <th scope="col" className="py-1 pl-3 text-right font-medium">
                First-time
              </th>
            </tr>
          </thead>
          <tbody>
            {weeks.map((week) => (
              <tr key={week.start} className="border-t border-line tabular-nums">
                <th scope="row" className="py-1 text-left font-normal">
                  {shortDay(week.start, 'week')}
                </th>
                <td className="py-1 pl-3 text-right text-ink-muted">{week.files_checked}</td>
                <td className="py-1 pl-3 text-right text-ink-muted">{share(week.first_time_pass_rate)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </figure>
  )
}
