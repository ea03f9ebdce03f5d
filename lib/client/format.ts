/** How numbers, sizes and times are written. Pure, so server and browser write the same. English, day before month. */

const LOCALE = 'en-GB'
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
export function formatNumber(value: number, decimals = 0): string {
  return new Intl.NumberFormat(LOCALE, { maximumFractionDigits: decimals }).format(value)
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

/** An exact amount with its currency: `€1,234.50`, a credit with the sign of minus: `−€20.00`. Takes the decimal as text too, so that nothing is lost to floats. */
export function formatMoney(amount: number | string, currency: string): string {
  // Intl accepts decimal strings of any length (ECMA-402, 2023); TypeScript types them as `${number}`.
  return new Intl.NumberFormat(LOCALE, { style: 'currency', currency }).format(amount as number).replace('-', '−')
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

const RELATIVE_STEPS: readonly (readonly [
  limitSeconds: number,
  unitSeconds: number,
  unit: Intl.RelativeTimeFormatUnit,
])[] = [
  [45 * 60, 60, 'minute'],
  [22 * 3600, 3600, 'hour'],
  [6.5 * 86_400, 86_400, 'day'],
  [25 * 86_400, 7 * 86_400, 'week'],
  [320 * 86_400, 30.44 * 86_400, 'month'],
  [Number.POSITIVE_INFINITY, 365.25 * 86_400, 'year'],
]

/** `just now`, `3 minutes ago`, `in 2 days`, seen from `now` (both in milliseconds). */
export function formatRelative(time: number, now: number): string {
  const seconds = (time - now) / 1000
  const distance = Math.abs(seconds)
  if (distance < 45) return seconds > 5 ? 'in a moment' : 'just now'
  const step = RELATIVE_STEPS.find(([limit]) => distance < limit)
  const [, unitSeconds, unit] = step ?? [0, 365.25 * 86_400, 'year' as const]
  const amount = Math.max(1, Math.round(distance / unitSeconds)) * Math.sign(seconds)
  return new Intl.RelativeTimeFormat(LOCALE, { numeric: 'auto' }).format(amount, unit)
}

/** `12 May 2026, 14:03 CEST` in the zone given (IANA name); the zone is always named. */
export function formatDateTime(time: Date | string | number, timeZone = 'UTC'): string {
  return new Intl.DateTimeFormat(LOCALE, {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZone,
    timeZoneName: 'short',
  }).format(new Date(time))
}

/** `12 May 2026` in the zone given. A plain date (`2026-05-12`) is that day everywhere: leave the zone at UTC. */
export function formatDate(time: Date | string | number, timeZone = 'UTC'): string {
  return new Intl.DateTimeFormat(LOCALE, { day: 'numeric', month: 'short', year: 'numeric', timeZone }).format(
    new Date(time),
  )
}

/** Up to two letters for an avatar, counted in whole characters, so that `Žofie Ó` is `ŽÓ` and an emoji is not cut. */
export function initials(name: string): string {
  const words = name.trim().split(/\s+/u).filter(Boolean)
  const first = words[0] ?? '?'
  const last = words.length > 1 ? (words.at(-1) ?? '') : ''
  return [first, last]
    .map((word) => firstCharacter(word))
    .join('')
    .toLocaleUpperCase('en')
}

function firstCharacter(word: string): string {
  for (const { segment } of new Intl.Segmenter('en', { granularity: 'grapheme' }).segment(word)) return segment
  return ''
}
