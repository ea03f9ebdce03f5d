import type { Marker } from '@/lib/domain/review/markers'
import { COLOURS } from '@/lib/domain/review/rules'
import type { Shape } from '@/lib/domain/review/schema'
import type { PageFacts } from '@/lib/media/facts'
import {
  inUserSpace,
  LABEL,
  LINE,
  labelCorners,
  noteRect,
  type Rect,
  rectAround,
  type SeenPage,
  turnOf,
} from '@/lib/media/page-space'
import { xml } from './xml'

const POINTS_PER_MM = 72 / 25.4
/** Of a letter of a sans serif, by its size: readers set the words anew. */
const LETTER = 0.55

type Common = (id: string, author: string, at: Date) => string

/**
 * XFDF (ISO 19444-1): each thread a note or a square of its page, its replies under it, what is drawn under the same
 * subject; what has no place is on page 1.
 */
export function toXfdf(name: string, pages: readonly PageFacts[], markers: readonly Marker[]): string {
  const annotations = markers.flatMap((marker) => {
    const { anchor, shapes } = marker
    const number = anchor && 'page' in anchor ? (anchor.page ?? 1) : 1
    const page = seenPageOf(pages[number - 1])
    const common: Common = (id, author, at) =>
      `page="${number - 1}" name="${id}" title="${xml(author)}" subject="Comment ${marker.number}" date="${pdfDate(at)}" flags="print"`
    // Shapes say themselves where they are: no square around them.
    const isSquare = anchor?.kind === 'region' && shapes.length === 0
    const at = anchor?.kind === 'region' || anchor?.kind === 'point' ? anchor : { x: 0.02, y: 0.02 }
    const rect = corners(isSquare ? rectOf(page, anchor) : noteRect(page, [at.x, at.y]))
    const status = marker.isResolved
      ? [
          `    <text ${common(`${marker.id}-state`, marker.author, marker.at)} rect="${rect}" inreplyto="${marker.id}" state="Completed" statemodel="Review"/>`,
        ]
      : []
    const element = isSquare ? 'square' : 'text'
    return [
      `    <${element} ${common(marker.id, marker.author, marker.at)} rect="${rect}" color="#E5252A"${isSquare ? ' width="2"' : ' icon="Comment"'}><contents>${xml(marker.body)}</contents></${element}>`,
      ...shapes.map((shape, index) => `    ${drawn(page, shape, marker, index, common)}`),
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

/** A shape as an annotation. Not grouped with its note: in a group all have the words and the colour of the first. */
function drawn(page: SeenPage, shape: Shape, { id, author, at }: Marker, index: number, common: Common): string {
  const { paint, ink } = COLOURS[shape.colour]
  const shared = `${common(`${id}-${index + 1}`, author, at)} color="${paint.toUpperCase()}"`
  const line = `${shared} width="${LINE}"`
  switch (shape.kind) {
    case 'stroke': {
      const way = shape.points.map((point) => pair(inUserSpace(page, point))).join(';')
      const rect = corners(rectAround(page, shape.points, LINE))
      return `<ink ${line} rect="${rect}"><inklist><gesture>${way}</gesture></inklist></ink>`
    }
    case 'arrow': {
      const [start, end] = [pair(inUserSpace(page, shape.from)), pair(inUserSpace(page, shape.to))]
      const rect = corners(rectAround(page, [shape.from, shape.to], 5 * LINE))
      return `<line ${line} rect="${rect}" start="${start}" end="${end}" head="None" tail="OpenArrow"/>`
    }
    case 'box':
      return `<square ${line} rect="${corners(rectOf(page, shape))}"/>`
    case 'text': {
      const around = labelCorners(page, [shape.x, shape.y], shape.text.length * LABEL.size * LETTER)
      const turned = turnOf(page)
      const rotation = turned === 0 ? '' : ` rotation="${turned}"`
      const look = `${[1, 3, 5].map((from) => (Number.parseInt(ink.slice(from, from + 2), 16) / 255).toFixed(3)).join(' ')} rg /Helv ${LABEL.size} Tf`
      return `<freetext ${shared} rect="${corners(rectAround(page, around))}"${rotation}><contents>${xml(shape.text)}</contents><defaultappearance>${look}</defaultappearance></freetext>`
    }
  }
}

/** What is seen of a page; of one that was not measured, an A4 page. */
function seenPageOf(page: PageFacts | undefined): SeenPage {
  const box = page?.cropBox ?? page?.mediaBox ?? { xMm: 0, yMm: 0, widthMm: 210, heightMm: 297 }
  return {
    x: box.xMm * POINTS_PER_MM,
    y: box.yMm * POINTS_PER_MM,
    width: box.widthMm * POINTS_PER_MM,
    height: box.heightMm * POINTS_PER_MM,
    rotation: page?.rotation ?? 0,
  }
}

type Region = { x: number; y: number; width: number; height: number }

const rectOf = (page: SeenPage, { x, y, width, height }: Region): Rect =>
  rectAround(page, [
    [x, y],
    [x + width, y + height],
  ])

const pair = ([x, y]: readonly [number, number]) => `${x.toFixed(2)},${y.toFixed(2)}`
const corners = (rect: Rect) => rect.map((value) => value.toFixed(2)).join(',')
