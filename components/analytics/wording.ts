import { addDays } from '@/lib/domain/analytics/rules'
import type { Bucket } from '@/lib/domain/analytics/schema'
import { formatDate, formatDayMonth, formatMonth, formatNumber, formatPercent } from '@/lib/format'

export const share = (value: number | null) => (value === null ? '–' : formatPercent(value))

/** Hours as people say them: minutes below one, days from three on. */
export function duration(hours: number | null): string {
  if (hours === null) return '–'
  if (hours < 1) return `${Math.round(hours * 60)} min`
  return hours < 72 ? `${formatNumber(hours, hours < 10 ? 1 : 0)} h` : `${formatNumber(hours / 24, 1)} days`
}

/** `12 Jun`, `Jun 2026`. */
export const shortDay = (day: string, bucket: Bucket): string =>
  bucket === 'month' ? formatMonth(day) : formatDayMonth(day)

/** The whole stretch in words: `12 Jun 2026`, `8 to 14 Jun 2026`, `Jun 2026`. */
export function stretch(start: string, bucket: Bucket): string {
  if (bucket === 'day') return formatDate(start)
  return bucket === 'month' ? shortDay(start, 'month') : `${shortDay(start, 'day')} to ${formatDate(addDays(start, 6))}`
}
