import { DomainError, quote } from '../kernel/errors'
import type { Bucket } from './schema'

const DAY = 86_400_000
const DEFAULT_DAYS = 30

/** Days of UTC, both included. */
export type Range = { from: string; to: string }
/** Times: from the first included to the first that is not. */
export type Span = { start: Date; end: Date }

const dayOf = (at: number) => new Date(at).toISOString().slice(0, 10)
const startOf = (day: string) => Date.parse(`${day}T00:00:00.000Z`)

/** Moves a day by whole days. */
export const addDays = (day: string, days: number) => dayOf(startOf(day) + days * DAY)
const daysIn = ({ from, to }: Range) => (startOf(to) - startOf(from)) / DAY + 1

/**
 * The days asked for; what is not said is the last 30 days, today among them.
 * @throws `invalid_query` when the first day comes after the last
 */
export function rangeOf(asked: Partial<Range>, now: Date): Range {
  const to = asked.to ?? dayOf(now.getTime())
  const from = asked.from ?? addDays(to, 1 - DEFAULT_DAYS)
  if (from <= to) return { from, to }
  const message = `from (${quote(from)}) comes after to (${quote(to)}${asked.to ? '' : ', today'}). Give the earlier day as from.`
  throw new DomainError('invalid_query', message, { errors: [{ path: 'from', code: 'after_to', message }] })
}

export const spanOf = ({ from, to }: Range): Span => ({
  start: new Date(startOf(from)),
  end: new Date(startOf(to) + DAY),
})

/** As many days, just before. */
export const before = (range: Range): Range => ({
  from: addDays(range.from, -daysIn(range)),
  to: addDays(range.from, -1),
})

/** How a chart of the range is divided, so that it has neither three points nor three hundred. */
export function bucketOf(range: Range): Bucket {
  const days = daysIn(range)
  return days <= 45 ? 'day' : days <= 200 ? 'week' : 'month'
}

/** First day of the stretch a day belongs to: itself, its Monday (ISO 8601), or the first of its month. */
export function bucketStart(day: string, bucket: Bucket): string {
  if (bucket === 'month') return `${day.slice(0, 7)}-01`
  if (bucket === 'day') return day
  return addDays(day, -((new Date(startOf(day)).getUTCDay() + 6) % 7))
}

/** First days of every stretch of the range, those without a file among them. */
export function bucketStarts(range: Range, bucket: Bucket): string[] {
  const starts = new Set<string>()
  for (let day = range.from; day <= range.to; day = addDays(day, 1)) starts.add(bucketStart(day, bucket))
  return [...starts]
}

/** (pass + warning) / (pass + warning + fail); null when nothing was checked. */
export function passRate({ pass, warning, fail }: { pass: number; warning: number; fail: number }): number | null {
  const checked = pass + warning + fail
  return checked === 0 ? null : (pass + warning) / checked
}
