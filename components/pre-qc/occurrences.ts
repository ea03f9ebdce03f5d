import type { CheckLine } from '@/lib/domain/pre-qc/schema'
import { formatNumber } from '@/lib/format'

export type Occurrence = NonNullable<CheckLine['occurrences']>[number]

/** What the viewer shows: a place in the file, of a check, or the image a check gives as evidence. */
export type Focus = { checkId: string; label: string; occurrence?: Occurrence; evidence?: string }

/** A time as `0:03.2`, `1:02:07.5`: tenths, because a frame is shorter than a second. */
export function timecode(seconds: number): string {
  const tenths = Math.round(seconds * 10)
  const [hours, minutes] = [Math.floor(tenths / 36_000), Math.floor(tenths / 600) % 60]
  const rest = `${String(Math.floor(tenths / 10) % 60).padStart(2, '0')}.${tenths % 10}`
  return hours > 0 ? `${hours}:${String(minutes).padStart(2, '0')}:${rest}` : `${minutes}:${rest}`
}

/** Where it is, in words: `0:03.2 to 0:05.0`, `Page 2, 12 × 40 mm at 10, 20`. */
export function placeOf({ start, end, page, region, stream }: Occurrence): string {
  const unit = page === undefined ? 'px' : 'mm'
  const number = (value: number) => formatNumber(value, unit === 'mm' ? 1 : 0)
  const parts = [
    start !== undefined && end !== undefined && end > start
      ? `${timecode(start)} to ${timecode(end)}`
      : start !== undefined && timecode(start),
    page !== undefined && `page ${page}`,
    region && `${number(region.width)} × ${number(region.height)} ${unit} at ${number(region.x)}, ${number(region.y)}`,
    stream !== undefined && `stream ${stream}`,
  ].filter((part) => part !== false && part !== undefined)
  const text = parts.join(', ')
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** Whether there is something in the viewer to jump to. */
export const isPlace = ({ start, page, region }: Occurrence) =>
  start !== undefined || page !== undefined || region !== undefined

/** A box in per cent of the image it lies in, so that it holds at any size; cut off at the edges. */
export function boxIn(region: NonNullable<Occurrence['region']>, size: { width: number; height: number }) {
  const clamp = (value: number) => Math.min(100, Math.max(0, value))
  const left = clamp((region.x / size.width) * 100)
  const top = clamp((region.y / size.height) * 100)
  return {
    left,
    top,
    width: clamp(((region.x + region.width) / size.width) * 100) - left,
    height: clamp(((region.y + region.height) / size.height) * 100) - top,
  }
}
