import { readFileSync, writeFileSync } from 'node:fs'
import {
  EncryptedPDFError,
  PDFArray,
  type PDFContext,
  PDFDocument,
  type PDFFont,
  PDFHexString,
  PDFName,
  type PDFObject,
  type PDFPage,
  type PDFRef,
  PDFString,
  StandardFonts,
} from '@cantoo/pdf-lib'
import { COLOURS } from '@/lib/domain/review/rules'
import type { Shape } from '@/lib/domain/review/schema'
import { Typesetter } from '@/lib/pdf/typesetter'
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
} from '../page-space'
import { outline } from './outlines'
import type { PdfToAnnotate, Remark } from './protocol'

/** Flags of an annotation (ISO 32000-1, 12.5.3). */
const PRINT = 4
const NOTE = PRINT | 8 | 16
const HIDDEN_NOTE = NOTE | 2
const CASING = LINE + 1.5
const HEAD = 5 * LINE

/** What all annotations of a document are written with. */
type Writer = { context: PDFContext; set: Typesetter; font: PDFFont; fontRef: PDFRef }

/**
 * Writes comments into a copy of a PDF as annotations (ISO 32000-1, 12.5): a note for each thread, replies in reply to it, and
 * what is drawn, under the same subject. As an incremental update (7.5.6): the original stands before it, byte for byte, and
 * signatures in it stay valid. Runs in the sandboxed child.
 */
export async function annotatePdf({
  path,
  into,
  remarks,
}: PdfToAnnotate): Promise<{ annotations: number } | { refused: string }> {
  const bytes = readFileSync(path)
  const document = await open(bytes)
  if (!document) return { refused: 'It is encrypted, and nothing can be written into it.' }
  const snapshot = document.takeSnapshot()
  const { context } = document
  const labels = remarks.flatMap(({ shapes }) => shapes.flatMap((shape) => (shape.kind === 'text' ? [shape.text] : [])))
  const writer: Writer = {
    context,
    set: await Typesetter.for(labels),
    // Of another document: it measures the numbers of threads, and nothing of it is embedded.
    font: await (await PDFDocument.create()).embedFont(StandardFonts.HelveticaBold),
    fontRef: context.register(
      context.obj({ Type: 'Font', Subtype: 'Type1', BaseFont: 'Helvetica-Bold', Encoding: 'WinAnsiEncoding' }),
    ),
  }
  const pages = document.getPages()
  let annotations = 0
  for (const [index, page] of pages.entries()) {
    const here = remarks.filter((remark) => Math.min(remark.page, pages.length) === index + 1)
    if (here.length === 0) continue
    const seen = seenPageOf(page)
    const added = here.flatMap((remark, nth) => annotationsOf(writer, page, seen, remark, nth))
    const before = page.node.lookup(PDFName.of('Annots'))
    const kept = before instanceof PDFArray ? before.asArray() : []
    snapshot.markRefForSave(page.ref)
    page.node.set(PDFName.of('Annots'), context.obj([...kept, ...added]))
    annotations += added.length
  }
  const update = annotations === 0 ? new Uint8Array() : await document.saveIncremental(snapshot)
  writeFileSync(into, Buffer.concat([bytes, update]))
  return { annotations }
}

/** Null when it is encrypted. */
async function open(bytes: Buffer): Promise<PDFDocument | null> {
  try {
    return await PDFDocument.load(bytes, { forIncrementalUpdate: true, updateMetadata: false })
  } catch (error) {
    if (error instanceof EncryptedPDFError) return null
    throw error
  }
}

/** What is shown of a page: its crop box, as far as it lies in its media box (14.11.2). */
function seenPageOf(page: PDFPage): SeenPage {
  const [crop, media] = [page.getCropBox(), page.getMediaBox()]
  const [left, bottom] = [Math.max(crop.x, media.x), Math.max(crop.y, media.y)]
  const right = Math.min(crop.x + crop.width, media.x + media.width)
  const top = Math.min(crop.y + crop.height, media.y + media.height)
  const isInside = right > left && top > bottom
  const shown = isInside ? { x: left, y: bottom, width: right - left, height: top - bottom } : media
  return { ...shown, rotation: page.getRotation().angle }
}

/** A thread: its note, what is drawn with it, its replies, and whether it is done. */
function annotationsOf(writer: Writer, page: PDFPage, seen: SeenPage, remark: Remark, nth: number): PDFRef[] {
  const { context } = writer
  const { place, shapes } = remark
  // What has no place stands at the edge, one below the other.
  const at = place ?? { x: 0.01, y: 0.01 + (nth % 24) * 0.04, width: 0, height: 0 }
  const said = ({ id, body, author, at: time }: { id: string; body: string; author: string; at: string }) => ({
    Type: 'Annot',
    P: page.ref,
    NM: PDFString.of(id),
    // Shapes are not grouped with the note (RT): in a group all have the words and the colour of the first (12.5.6.2).
    Subj: PDFString.of(`Comment ${remark.number}`),
    T: PDFHexString.fromText(author),
    Contents: PDFHexString.fromText(body),
    M: PDFString.fromDate(new Date(time)),
    CreationDate: PDFString.fromDate(new Date(time)),
  })
  const put = (dictionary: object) => context.register(context.obj(dictionary as Record<string, PDFObject>))
  const rect = noteRect(seen, [at.x, at.y])
  const note = put({
    ...said(remark),
    Subtype: 'Text',
    Name: 'Comment',
    Rect: [...rect],
    C: colourOf('#e5252a'),
    F: NOTE,
    AP: { N: badge(writer, rect, String(remark.number)) },
  })
  const square: Shape[] =
    place && shapes.length === 0 && place.width > 0 && place.height > 0
      ? [{ kind: 'box', colour: 'red', ...place }]
      : []
  const drawn = [...shapes, ...square].map((shape, index) =>
    put({
      ...said({ ...remark, id: `${remark.id}-${index + 1}`, body: shape.kind === 'text' ? shape.text : '' }),
      F: PRINT,
      C: colourOf(COLOURS[shape.colour].paint),
      BS: { W: shape.kind === 'text' ? 0 : LINE },
      ...drawing(writer, seen, shape),
    }),
  )
  const answer = { Subtype: 'Text', Name: 'Comment', Rect: [...rect], IRT: note, RT: 'R' }
  const replies = remark.replies.map((reply) => put({ ...said(reply), ...answer, F: HIDDEN_NOTE }))
  const state = remark.isResolved
    ? [
        put({
          ...said({ ...remark, id: `${remark.id}-state`, body: 'Completed' }),
          ...answer,
          F: HIDDEN_NOTE,
          State: PDFString.of('Completed'),
          StateModel: PDFString.of('Review'),
        }),
      ]
    : []
  return [note, ...drawn, ...replies, ...state]
}

/** What makes a shape an annotation of its kind, with its appearance. */
function drawing(writer: Writer, page: SeenPage, shape: Shape): object {
  const flat = (points: readonly (readonly number[])[]) => points.flat().map(round)
  switch (shape.kind) {
    case 'stroke': {
      const rect = rectAround(page, shape.points, CASING)
      const way = shape.points.map((point) => inUserSpace(page, point))
      return {
        Subtype: 'Ink',
        Rect: [...rect],
        InkList: [flat(way)],
        AP: { N: lines(writer, rect, shape, [pathThrough(way)]) },
      }
    }
    case 'arrow': {
      const rect = rectAround(page, [shape.from, shape.to], HEAD + CASING)
      const [from, to] = [inUserSpace(page, shape.from), inUserSpace(page, shape.to)]
      const angle = Math.atan2(to[1] - from[1], to[0] - from[0])
      const wing = (turn: number): [number, number] => [
        to[0] - HEAD * Math.cos(angle + turn),
        to[1] - HEAD * Math.sin(angle + turn),
      ]
      const head = pathThrough([wing(0.5), to, wing(-0.5)])
      return {
        Subtype: 'Line',
        Rect: [...rect],
        L: flat([from, to]),
        LE: ['None', 'OpenArrow'],
        AP: { N: lines(writer, rect, shape, [pathThrough([from, to]), head]) },
      }
    }
    case 'box': {
      const corners = [
        [shape.x, shape.y],
        [shape.x + shape.width, shape.y + shape.height],
      ] as const
      const [left, bottom, right, top] = rectAround(page, corners)
      const rect = rectAround(page, corners, CASING / 2)
      const path = `${round(left)} ${round(bottom)} ${round(right - left)} ${round(top - bottom)} re`
      return { Subtype: 'Square', Rect: [...rect], AP: { N: lines(writer, rect, shape, [path]) } }
    }
    case 'text':
      return label(writer, page, shape)
  }
}

/** Words on a ground of their colour, upright on the page as it is seen. */
function label(writer: Writer, page: SeenPage, shape: Extract<Shape, { kind: 'text' }>): object {
  const { paint, ink } = COLOURS[shape.colour]
  const words = outline(writer.set, shape.text, LABEL.size)
  const rect = rectAround(page, labelCorners(page, [shape.x, shape.y], words.width))
  const turned = turnOf(page)
  const [across, high] =
    turned % 180 === 0 ? [rect[2] - rect[0], rect[3] - rect[1]] : [rect[3] - rect[1], rect[2] - rect[0]]
  const content = [
    `${painted(paint)} rg ${painted(ink)} RG 0.5 w 0.25 0.25 ${round(across - 0.5)} ${round(high - 0.5)} re B`,
    `q 1 0 0 1 ${LABEL.padding} ${round(LABEL.padding + LABEL.size * 0.3)} cm ${painted(ink)} rg ${words.paths} Q`,
  ].join('\n')
  const upright = {
    0: [1, 0, 0, 1, 0, 0],
    90: [0, 1, -1, 0, 0, 0],
    180: [-1, 0, 0, -1, 0, 0],
    270: [0, -1, 1, 0, 0, 0],
  }
  const matrix = upright[turned as keyof typeof upright] ?? upright[0]
  return {
    Subtype: 'FreeText',
    Rect: [...rect],
    DA: PDFString.of(`${painted(ink)} rg /Helv ${LABEL.size} Tf`),
    ...(turned !== 0 && { Rotate: turned }),
    AP: { N: form(writer, [0, 0, across, high], content, matrix) },
  }
}

/** The number of a thread in a round ground, as in the room. */
function badge(writer: Writer, rect: Rect, number: string): PDFRef {
  const [left, bottom, right, top] = rect
  const [x, y, radius] = [(left + right) / 2, (bottom + top) / 2, (right - left) / 2 - 1]
  const arm = radius * 0.5523
  const circle = [
    `${round(x + radius)} ${round(y)} m`,
    ...[
      [radius, arm, arm, radius, 0, radius],
      [-arm, radius, -radius, arm, -radius, 0],
      [-radius, -arm, -arm, -radius, 0, -radius],
      [arm, -radius, radius, -arm, radius, 0],
    ].map(
      ([ax = 0, ay = 0, bx = 0, by = 0, cx = 0, cy = 0]) =>
        `${[x + ax, y + ay, x + bx, y + by, x + cx, y + cy].map(round).join(' ')} c`,
    ),
  ].join(' ')
  const size = number.length > 2 ? 7 : 10
  const width = writer.font.widthOfTextAtSize(number, size)
  const words = `BT 1 1 1 rg /F1 ${size} Tf ${round(x - width / 2)} ${round(y - size * 0.36)} Td (${number}) Tj ET`
  return form(writer, rect, `${painted('#1c2322')} rg 1 1 1 RG 1.5 w ${circle} b\n${words}`)
}

/** Lines in their colour, cased so that they are seen on any ground. */
function lines(writer: Writer, rect: Rect, { colour }: Shape, paths: readonly string[]): PDFRef {
  const { paint, ink } = COLOURS[colour]
  const all = paths.join(' ')
  return form(writer, rect, `1 J 1 j ${painted(ink)} RG ${CASING} w ${all} S\n${painted(paint)} RG ${LINE} w ${all} S`)
}

function form({ context, fontRef }: Writer, box: Rect, content: string, matrix?: readonly number[]): PDFRef {
  return context.register(
    context.stream(content, {
      Type: 'XObject',
      Subtype: 'Form',
      BBox: box.map(round),
      ...(matrix && { Matrix: [...matrix] }),
      Resources: { Font: { F1: fontRef } },
    }),
  )
}

const pathThrough = (points: readonly (readonly [number, number])[]) =>
  points.map(([x, y], index) => `${round(x)} ${round(y)} ${index === 0 ? 'm' : 'l'}`).join(' ')

const round = (value: number) => Math.round(value * 100) / 100
const colourOf = (hex: string) =>
  [1, 3, 5].map((at) => Math.round((Number.parseInt(hex.slice(at, at + 2), 16) / 255) * 1000) / 1000)
const painted = (hex: string) => colourOf(hex).join(' ')
