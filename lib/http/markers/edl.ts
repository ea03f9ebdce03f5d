import { codeOf, lineOf, type Timeline } from './timeline'

/** Readers keep this many characters of a comment line. */
const LONGEST_TEXT = 400

/**
 * An edit decision list (CMX 3600): one event for each marker, with its text for DaVinci Resolve (`|C: |M: |D:`) and as a locator
 * (`* LOC:`) for Avid and Premiere, and the file it is of. Characters that would begin another field are replaced.
 */
export function toEdl(timeline: Timeline): string {
  const isDropped = timeline.start?.includes(';') === true
  const name = timeline.name.replace(/[\r\n]+/g, ' ')
  const events = timeline.markers.flatMap((marker, index) => {
    const from = codeOf(timeline, marker.frame)
    const to = codeOf(timeline, marker.frame + 1)
    const text = lineOf(marker).replaceAll('|', '/').slice(0, LONGEST_TEXT)
    const colour = marker.isResolved ? 'Green' : 'Red'
    return [
      `${String(index + 1).padStart(3, '0')}  001      V     C        ${from} ${to} ${from} ${to}`,
      ` |C:ResolveColor${colour} |M:${text} |D:${marker.frames}`,
      `* LOC: ${from} ${colour.toUpperCase().padEnd(7)} ${text}`,
      `* FROM CLIP NAME: ${name}`,
      '',
    ]
  })
  return [`TITLE: ${name.slice(0, 70)}`, `FCM: ${isDropped ? 'DROP FRAME' : 'NON-DROP FRAME'}`, '', ...events].join(
    '\r\n',
  )
}
