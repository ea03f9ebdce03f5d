import { ChevronLeft, ChevronRight } from 'lucide-react'
import { cn } from '@/components/ui/cn'
import { LinkButton } from '@/components/ui/link-button'
import { NearLink } from '@/components/ui/near-link'
import type { BrowsedBatch } from '@/lib/domain/batches/schema'
import { formatDayMonth, formatMonth } from '@/lib/format'
import type { DueState } from '@/lib/vocabulary'
import { daysOf, monthAfter } from './calendar-days'
import { Covers } from './covers'
import { DueWord } from './turn'

const WEEKDAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']
const EDGES: Record<DueState, string> = {
  late: 'border-l-fail',
  at_risk: 'border-l-warn',
  on_track: 'border-l-line-strong',
  met: 'border-l-pass',
}

/** Batches by the day they are due, a month at a time; on narrow screens only days with batches. */
export function BatchCalendar({
  month,
  today,
  batches,
  hrefOf,
}: {
  /** YYYY-MM */
  month: string
  /** YYYY-MM-DD, UTC as due days are. */
  today: string
  batches: readonly BrowsedBatch[]
  hrefOf: (month: string) => string
}) {
  const byDay = new Map<string, BrowsedBatch[]>()
  for (const batch of batches) {
    if (batch.due) byDay.set(batch.due.on, [...(byDay.get(batch.due.on) ?? []), batch])
  }
  const days = daysOf(month)
  return (
    <div className="flex flex-col gap-3">
      <div className="flex items-center gap-2">
        <LinkButton href={hrefOf(monthAfter(month, -1))} size="sm" aria-label="Month before">
          <ChevronLeft />
        </LinkButton>
        <h2 className="min-w-36 text-center text-base font-semibold">{formatMonth(`${month}-01`)}</h2>
        <LinkButton href={hrefOf(monthAfter(month, 1))} size="sm" aria-label="Month after">
          <ChevronRight />
        </LinkButton>
        {!today.startsWith(month) && (
          <LinkButton href={hrefOf(today.slice(0, 7))} size="sm" variant="ghost">
            This month
          </LinkButton>
        )}
      </div>
      <div className="overflow-hidden rounded-xl border border-line bg-surface shadow-xs max-md:hidden">
        <div aria-hidden="true" className="grid grid-cols-7 border-b border-line text-xs text-ink-subtle">
          {WEEKDAYS.map((day) => (
            <span key={day} className="px-2 py-1.5">
              {day}
            </span>
          ))}
        </div>
        <ol className="grid grid-cols-7 gap-px bg-line">
          {days.map((day) => (
            <li
              key={day}
              className={cn(
                'flex min-h-28 min-w-0 flex-col gap-1 p-1.5',
                day.startsWith(month) ? 'bg-surface' : 'bg-sunken',
              )}
            >
              <time
                dateTime={day}
                className={cn(
                  'w-fit rounded-full px-1.5 text-xs tabular-nums',
                  day === today ? 'bg-accent font-semibold text-on-accent' : 'text-ink-muted',
                )}
              >
                <span className="sr-only">{formatDayMonth(day)}</span>
                <span aria-hidden="true">{Number(day.slice(8))}</span>
                {day === today && <span className="sr-only">, today</span>}
              </time>
              <Day batches={byDay.get(day) ?? []} />
            </li>
          ))}
        </ol>
      </div>
      <ol className="flex flex-col gap-4 md:hidden">
        {days
          .filter((day) => byDay.has(day))
          .map((day) => (
            <li key={day} className="flex flex-col gap-1.5">
              <time dateTime={day} className="text-sm font-medium">
                {formatDayMonth(day)}
                {day === today && ', today'}
              </time>
              <Day batches={byDay.get(day) ?? []} />
            </li>
          ))}
      </ol>
      {byDay.size === 0 && <p className="text-sm text-ink-muted">No batch is due in this month.</p>}
    </div>
  )
}

function Day({ batches }: { batches: readonly BrowsedBatch[] }) {
  return batches.map((batch) => (
    <NearLink
      key={batch.id}
      href={`/projects/${batch.project_id}/batches/${batch.id}`}
      title={`${batch.name}, ${batch.project.name}`}
      className={cn(
        'flex min-w-0 items-center gap-2 rounded-md border border-l-3 border-line bg-surface p-1 text-xs hover:bg-hover',
        batch.due && EDGES[batch.due.state],
      )}
    >
      <Covers urls={batch.covers.slice(0, 1)} className="h-7 w-9 max-lg:hidden" />
      <span className="min-w-0">
        <span className="block truncate font-medium">{batch.name}</span>
        {batch.due && batch.due.state !== 'on_track' ? (
          <DueWord state={batch.due.state} />
        ) : (
          <span className="block truncate text-ink-muted">{batch.project.name}</span>
        )}
      </span>
    </NearLink>
  ))
}
