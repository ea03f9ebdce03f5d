import type { Marker } from '@/lib/domain/review/markers'
import type { PageFacts } from '@/lib/media/facts'
import { xml } from './xml'

const POINTS_PER_MM = 72 / 25.4
/** The side of a note's icon, points. */
const ICON = 20

type Rect = { x: number; y: number; width: number; height: number }

/** XFDF (ISO 19444-1): each thread a note or a square of its page, its replies under it; what has no place is on page 1. */
export function toXfdf(name: string, pages: readonly PageFacts[], markers: readonly Marker[]): string {
  const annotations = markers.flatMap((marker) => {
    const { anchor } = marker
    const page = anchor && 'page' in anchor ? (anchor.page ?? 1) : 1
    const facts = pages[page - 1]
    const isRegion = anchor?.kind === 'region'
    const place: Rect =
      anchor?.kind === 'region'
        ? anchor
        : {
            x: anchor?.kind === 'point' ? anchor.x : 0.02,
            y: anchor?.kind === 'point' ? anchor.y : 0.02,
            width: 0,
            height: 0,
          }
    const common = (id: string, author: string, at: Date) =>
      `page="${page - 1}" name="${id}" title="${xml(author)}" date="${pdfDate(at)}" flags="print"`
    const rect = rectOf(facts, place, isRegion)
    const status = marker.isResolved
      ? [
          `    <text ${common(`${marker.id}-state`, marker.author, marker.at)} rect="${rect}" inreplyto="${marker.id}" state="Completed" statemodel="Review"/>`,
        ]
      : []
    const element = isRegion ? 'square' : 'text'
    return [
      `    <${element} ${common(marker.id, marker.author, marker.at)} rect="${rect}" color="#E5252A"${isRegion ? ' width="2"' : ' icon="Comment"'}><contents>${xml(marker.body)}</contents></${element}>`,
      ...marker.replies.map(
        (reply) =>
          `    <text ${common(reply.id, reply.author, reply.at)} rect="${rect}" inreplyto="${marker.id}"><contents>${xml(reply.body)}</contents></text>`,
      ),
      ...status,
    ]
  })
  return `<?xml version="1.0" encoding="UTF-8"?>
<xfdf xmlns="http://ns.adobe.com/xfdf/" xml:space="preserve">
  <f href="${xml(encodeURIComponent(name))}"/>
  <annots>
${annotations.join('\n')}
  </annots>
</xfdf>
`
}

/** `D:20261125103000Z` (ISO 32000-1, 7.9.4). */
const pdfDate = (at: Date) => `D:${at.toISOString().replace(/\D/g, '').slice(0, 14)}Z`

/**
 * Left, bottom, right and top in points of the page's user space, of shares of the page as it is seen. A page that is turned
 * for viewing is turned back.
 */
export function rectOf(page: PageFacts | undefined, place: Rect, isRegion: boolean): string {
  const box = page?.cropBox ?? page?.mediaBox ?? { xMm: 0, yMm: 0, widthMm: 210, heightMm: 297 }
  const turned = (((page?.rotation ?? 0) % 360) + 360) % 360
  const back = (x: number, y: number): [number, number] => {
    // Seen shares from the upper left, to shares of the unturned box from its lower left.
    if (turned === 90) return [y, x]
    if (turned === 180) return [1 - x, y]
    if (turned === 270) return [1 - y, 1 - x]
    return [x, 1 - y]
  }
  const [ax, ay] = back(place.x, place.y)
  const [bx, by] = back(place.x + place.width, place.y + place.height)
  const left = (box.xMm + Math.min(ax, bx) * box.widthMm) * POINTS_PER_MM
  const right = (box.xMm + Math.max(ax, bx) * box.widthMm) * POINTS_PER_MM
  const bottom = (box.yMm + Math.min(ay, by) * box.heightMm) * POINTS_PER_MM
  const top = (box.yMm + Math.max(ay, by) * box.heightMm) * POINTS_PER_MM
  const corners = isRegion ? [left, bottom, right, top] : [left, bottom - ICON, left + ICON, bottom]
  return corners.map((value) => value.toFixed(2)).join(',')
}
