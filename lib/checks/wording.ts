import { formatCount } from '@/lib/format'

/** How checks write quantities, so that all of them read alike. */

/** At most `digits` decimals, no trailing zeros: `29.97`, `25`. */
export function decimal(value: number, digits = 2): string {
  return String(Number(value.toFixed(digits)))
}

/** `300 × 250 px` */
export function pixelSize(width: number, height: number): string {
  return `${decimal(width, 1)} × ${decimal(height, 1)} px`
}

/** `210 × 297 mm` */
export function millimetreSize(width: number, height: number): string {
  return `${decimal(width, 1)} × ${decimal(height, 1)} mm`
}

/** `15 s`, `15.04 s` */
export function seconds(value: number): string {
  return `${decimal(value, 3)} s`
}

/** Decimal units, as ad specifications use them: 150 kB = 150,000 bytes. */
export function fileSize(bytes: number): string {
  if (bytes < 1000) return `${bytes} bytes`
  if (bytes < 1_000_000) return `${decimal(bytes / 1000, 1)} kB`
  if (bytes < 1_000_000_000) return `${decimal(bytes / 1_000_000, 2)} MB`
  return `${decimal(bytes / 1_000_000_000, 2)} GB`
}

/** `5.2 Mbit/s`, `128 kbit/s` */
export function bitRate(bitsPerSecond: number): string {
  return bitsPerSecond >= 1_000_000
    ? `${decimal(bitsPerSecond / 1_000_000, 2)} Mbit/s`
    : `${decimal(bitsPerSecond / 1000, 0)} kbit/s`
}

/** `a`, `a or b`, `a, b or c` */
export function anyOf(items: readonly (string | number)[]): string {
  return join(items, 'or')
}

/** `a`, `a and b`, `a, b and c` */
export function allOf(items: readonly (string | number)[]): string {
  return join(items, 'and')
}

function join(items: readonly (string | number)[], word: string): string {
  if (items.length < 2) return items.join('')
  return `${items.slice(0, -1).join(', ')} ${word} ${items.at(-1)}`
}

/** `1 page`, `3 pages` */
export function count(amount: number, singular: string, plural = `${singular}s`): string {
  return formatCount(amount, singular, plural)
}

/** The verb that goes with an amount: `is` for one, `are` for any other. */
export function verb(amount: number, one: string, many: string): string {
  return amount === 1 ? one : many
}

/** The bounds of a range as words: `at least 1`, `at most 4`, `1 to 4`; null when neither is set. */
export function bounds(least: number | null, most: number | null, write: (value: number) => string): string | null {
  if (least !== null && most !== null) return least === most ? write(least) : `${write(least)} to ${write(most)}`
  if (least !== null) return `at least ${write(least)}`
  if (most !== null) return `at most ${write(most)}`
  return null
}

/** A time in a video, as editors find it: `00:01:02.345` */
export function clock(value: number): string {
  const whole = Math.round(Math.abs(value) * 1000)
  const part = (number: number, digits = 2) => String(number).padStart(digits, '0')
  const [hours, minutes, rest] = [Math.floor(whole / 3_600_000), Math.floor(whole / 60_000) % 60, whole % 60_000]
  return `${value < 0 ? '-' : ''}${part(hours)}:${part(minutes)}:${part(Math.floor(rest / 1000))}.${part(rest % 1000, 3)}`
}
