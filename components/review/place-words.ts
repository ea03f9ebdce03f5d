import { timecode } from '@/components/pre-qc/occurrences'
import type { Anchor } from '@/lib/domain/review/schema'

/** Where a comment is pinned, in few words; `isDrawn`: shapes stand there; `clock`: how a time is written, of seconds. */
export function placeWords(anchor: Anchor, isDrawn = false, clock: (seconds: number) => string = timecode): string {
  const percent = (share: number) => `${Math.round(share * 100)} %`
  const page = 'page' in anchor && anchor.page !== undefined ? `page ${anchor.page}` : null
  const start = 'time' in anchor && anchor.time !== undefined ? clock(anchor.time) : null
  const end = 'end' in anchor && anchor.end !== undefined ? clock(anchor.end) : start
  const time = end === start ? start : `${start} to ${end}`
  const spot =
    anchor.kind === 'region'
      ? `${isDrawn ? 'drawing' : 'area'} at ${percent(anchor.x)}, ${percent(anchor.y)}`
      : anchor.kind === 'point'
        ? `${isDrawn ? 'drawing' : 'point'} at ${percent(anchor.x)}, ${percent(anchor.y)}`
        : null
  const text = [time, page, spot].filter(Boolean).join(', ')
  return text.charAt(0).toUpperCase() + text.slice(1)
}
