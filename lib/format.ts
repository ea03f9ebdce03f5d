/**
 * How numbers, sizes and times are written: English, day before month. The same text on every runtime: nothing
 * takes words, signs or digits from Intl, whose data changes with its version.
 */

const BYTE_UNITS = ['bytes', 'kB', 'MB', 'GB', 'TB', 'PB'] as const

/** Bytes in decimal units (1 MB = 1,000,000 bytes), as file managers and ad specifications count: `4.2 MB`. */
export function formatBytes(bytes: number): string {
  let value = bytes
  let unit = 0
  // 999.95 kB would be written "1000 kB": it is 1 MB.
  while (value >= (unit === 0 ? 1000 : 999.5) && unit < BYTE_UNITS.length - 1) {
    value /= 1000
    unit++
  }
  if (unit === 0) return formatCount(value, 'byte', 'bytes')
  return `${formatNumber(value, value < 99.95 ? 1 : 0)} ${BYTE_UNITS[unit]}`
}

/** `12,345.6`, with at most `decimals` digits after the point. */
export const formatNumber = (value: number, decimals = 0): string => formatDecimal(value, 0, decimals)

/**
 * A decimal, exactly: groups of three, from `least` to `most` digits after the point, rounded half away from zero, the
 * sign of minus for what is below zero: `−1,234.50`. Takes decimal text (`"1234.5"`) too, so that nothing is lost to
 * floats. Written here and not by the runtime: server and browser would differ, and a page that differs does not start.
 */
export function formatDecimal(value: number | string, least: number, most = least): string {
  const found = /^(-?)(\d+)(?:\.(\d+))?$/.exec(typeof value === 'number' ? plain(value) : value)
  if (!found) return String(value)
  const [, sign, whole = '', fraction = ''] = found
  const rounded = BigInt(whole + fraction.slice(0, most).padEnd(most, '0'))
  const digits = (Number(fraction[most] ?? 0) >= 5 ? rounded + 1n : rounded).toString().padStart(most + 1, '0')
  const point = digits.length - most
  const after = digits.slice(point).replace(/0+$/, '').padEnd(least, '0')
  const isZero = /^0+$/.test(digits)
  const before = digits.slice(0, point).replace(/\B(?=(\d{3})+$)/g, ',')
  return `${sign && !isZero ? '−' : ''}${before}${after === '' ? '' : `.${after}`}`
}

/** A number without an exponent: `1e-7` as `0.0000001`. */
function plain(value: number): string {
  const written = String(value)
  if (!written.includes('e')) return written
  return Math.abs(value) < 1 ? value.toFixed(20) : BigInt(value).toString()
}

/** A share between 0 and 1 as `94.1%`; never rounds up to 100% or down to 0% what is not. */
export function formatPercent(share: number, decimals = 0): string {
  const step = 10 ** -decimals
  let percent = share * 100
  if (share < 1) percent = Math.min(percent, 100 - step)
  if (share > 0) percent = Math.max(percent, step)
  return `${formatNumber(percent, decimals)}%`
}

/** `1 file`, `12 files`. */
export function formatCount(count: number, one: string, many = `${one}s`): string {
  return `${formatNumber(count)} ${count === 1 ? one : many}`
}

/** A playing time in seconds as `0:30`, `1:02:07`. */
export function formatDuration(seconds: number): string {
  const total = Math.round(seconds)
  const parts = [Math.floor(total / 3600), Math.floor(total / 60) % 60, total % 60]
  if (parts[0] === 0) parts.shift()
  return parts.map((part, index) => (index === 0 ? String(part) : String(part).padStart(2, '0'))).join(':')
}

/** How long something will still take, rounded as a person would say it: `about 2 min left`. */
export function formatTimeLeft(seconds: number): string {
  if (!Number.isFinite(seconds)) return 'time left unknown'
  if (seconds < 10) return 'a few seconds left'
  if (seconds < 55) return `about ${Math.round(seconds / 5) * 5} s left`
  if (seconds < 3570) return `about ${Math.max(1, Math.round(seconds / 60))} min left`
  return `about ${formatNumber(seconds / 3600, 1)} h left`
}

const RELATIVE_STEPS: readonly (readonly [limitSeconds: number, unitSeconds: number, unit: string])[] = [
  [45 * 60, 60, 'minute'],
  [22 * 3600, 3600, 'hour'],
  [6.5 * 86_400, 86_400, 'day'],
  [25 * 86_400, 7 * 86_400, 'week'],
  [320 * 86_400, 30.44 * 86_400, 'month'],
  [Number.POSITIVE_INFINITY, 365.25 * 86_400, 'year'],
]

/** `just now`, `3 minutes ago`, `in 2 days`, `last week`, seen from `now` (both in milliseconds). */
export function formatRelative(time: number, now: number): string {
  const seconds = (time - now) / 1000
  const distance = Math.abs(seconds)
  if (distance < 45) return seconds > 5 ? 'in a moment' : 'just now'
  const step = RELATIVE_STEPS.find(([limit]) => distance < limit)
  const [, unitSeconds, unit] = step ?? [0, 365.25 * 86_400, 'year']
  const amount = Math.max(1, Math.round(distance / unitSeconds))
  if (amount === 1 && unit === 'day') return seconds > 0 ? 'tomorrow' : 'yesterday'
  if (amount === 1 && unit !== 'minute' && unit !== 'hour') return `${seconds > 0 ? 'next' : 'last'} ${unit}`
  const words = formatCount(amount, unit)
  return seconds > 0 ? `in ${words}` : `${words} ago`
}

const MONTHS = [
  ...['January', 'February', 'March', 'April', 'May', 'June'],
  ...['July', 'August', 'September', 'October', 'November', 'December'],
]
/** As British English shortens them. */
const shortMonth = (month: number) => (month === 9 ? 'Sept' : MONTHS[month - 1]?.slice(0, 3))

/** What a clock on the wall shows in the zone (IANA name), and how many minutes it is ahead of UTC. */
function wallClock(time: Date | string | number, timeZone = 'UTC') {
  const date = new Date(time)
  const shown = timeZone === 'UTC' ? date : inZone(date, timeZone)
  return {
    year: shown.getUTCFullYear(),
    month: shown.getUTCMonth() + 1,
    day: shown.getUTCDate(),
    hour: shown.getUTCHours(),
    minute: shown.getUTCMinutes(),
    ahead: Math.round((shown.getTime() - date.getTime()) / 60_000),
  }
}

/** The instant at which a clock in UTC shows what one in the zone shows now. Takes only numbers from the runtime. */
function inZone(date: Date, timeZone: string): Date {
  const parts = new Intl.DateTimeFormat('en-US-u-ca-gregory-nu-latn-hc-h23', {
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
    timeZone,
  }).formatToParts(date)
  const part = (type: Intl.DateTimeFormatPartTypes) => Number(parts.find((each) => each.type === type)?.value)
  return new Date(Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'), part('second')))
}

const two = (value: number) => String(value).padStart(2, '0')

/** `12 May 2026, 14:03 UTC+2` in the zone given (IANA name); the zone is always named. */
export function formatDateTime(time: Date | string | number, timeZone = 'UTC'): string {
  const { year, month, day, hour, minute, ahead } = wallClock(time, timeZone)
  const [hours, minutes] = [Math.floor(Math.abs(ahead) / 60), Math.abs(ahead) % 60]
  const offset = ahead === 0 ? '' : `${ahead < 0 ? '−' : '+'}${hours}${minutes === 0 ? '' : `:${two(minutes)}`}`
  return `${day} ${shortMonth(month)} ${year}, ${two(hour)}:${two(minute)} UTC${offset}`
}

/** `12 May 2026` in the zone given. A plain date (`2026-05-12`) is that day everywhere: leave the zone at UTC. */
export function formatDate(time: Date | string | number, timeZone = 'UTC'): string {
  const { year, month, day } = wallClock(time, timeZone)
  return `${day} ${shortMonth(month)} ${year}`
}

/** `12 May`, where the year is known; a plain date or an instant, then its day in UTC. */
export function formatDayMonth(time: Date | string | number): string {
  const { month, day } = wallClock(time)
  return `${day} ${shortMonth(month)}`
}

/** `May 2026`; a plain date or an instant, then its month in UTC. */
export function formatMonth(time: Date | string | number): string {
  const { year, month } = wallClock(time)
  return `${shortMonth(month)} ${year}`
}

/** `12 September 2026`, as letters and documents have it; a plain date or an instant, then its day in UTC. */
export function formatLongDate(time: Date | string | number): string {
  const { year, month, day } = wallClock(time)
  return `${day} ${MONTHS[month - 1]} ${year}`
}

/** Up to two letters for an avatar, counted in whole characters, so that `Žofie Ó` is `ŽÓ` and an emoji is not cut. */
export function initials(name: string): string {
  const words = name.trim().split(/\s+/u).filter(Boolean)
  const first = words[0] ?? '?'
  const last = words.length > 1 ? (words.at(-1) ?? '') : ''
  return [first, last]
    .map((word) => firstCharacter(word))
    .join('')
    .toUpperCase()
}

/** A letter of Europe that no mark follows is a whole character. A segmenter takes a browser 15 ms to make. */
const ALONE = /^[!-~\u00a1-\u024f](?!\p{M}|\u200d|\ufe0f)/u

function firstCharacter(word: string): string {
  const [alone] = ALONE.exec(word) ?? []
  if (alone) return alone
  for (const { segment } of new Intl.Segmenter('en', { granularity: 'grapheme' }).segment(word)) return segment
  return ''
}
