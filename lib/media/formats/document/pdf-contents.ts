import type { AnnotationMark, DocumentContents, PageFacts } from '../../facts'
import type { PdfDocument, PdfPage } from './pdf-document'
import { type PdfDictionary, type PdfValue, textOf } from './pdf-syntax'

const MOST_LISTED = 100
const MOST_NAMES = 1000
const MM_PER_POINT = 25.4 / 72
/** Annotation flags (table 165). */
const HIDDEN = 2
const PRINT = 4
/** Marks of the print house, which belong on a sheet (14.11.3, 14.11.6), and what only belongs to another. */
const NO_ANNOTATION: ReadonlySet<string> = new Set(['PrinterMark', 'TrapNet', 'Popup'])

/** What lies in a document beside the content of its pages: annotations and attached files. */
export async function readContents(
  document: PdfDocument,
  root: PdfDictionary,
  pages: readonly PdfPage[],
  sizes: readonly PageFacts[],
): Promise<Pick<DocumentContents, 'annotations' | 'attachments'>> {
  const annotations: DocumentContents['annotations'] = { count: 0, marks: [] }
  const attachments: DocumentContents['attachments'] = { count: 0, names: [] }
  for (const [index, { dictionary }] of pages.entries()) {
    const unit = (await document.number(dictionary.get('UserUnit') ?? null)) ?? 1
    for (const each of (await document.array(dictionary.get('Annots'))) ?? []) {
      const annotation = await document.dictionary(each)
      const kind = await document.name(annotation?.get('Subtype'))
      if (!annotation || kind === undefined || NO_ANNOTATION.has(kind)) continue
      if (kind === 'FileAttachment') attachments.count += 1
      annotations.count += 1
      const size = sizes[index]
      if (!size || annotations.marks.length >= MOST_LISTED) continue
      const flags = (await document.number(annotation.get('F'))) ?? 0
      const box = await boxOf(document, annotation, unit)
      annotations.marks.push({
        page: index + 1,
        kind,
        prints: (flags & HIDDEN) === 0 && (flags & PRINT) !== 0 && annotation.has('AP'),
        isInside: box !== null && touches(box, size),
        region: box && regionOf(box, size),
      })
    }
  }
  const names = await document.dictionary(root.get('Names'))
  const listed = await namesIn(document, names?.get('EmbeddedFiles') ?? null)
  attachments.count += listed.length
  attachments.names = listed.slice(0, 20)
  return { annotations, attachments }
}

type Rectangle = { left: number; bottom: number; right: number; top: number }

/** Millimetres in the space of the page. */
async function boxOf(document: PdfDocument, annotation: PdfDictionary, unit: number): Promise<Rectangle | null> {
  const numbers: number[] = []
  for (const value of (await document.array(annotation.get('Rect'))) ?? [])
    numbers.push(((await document.number(value)) ?? 0) * unit * MM_PER_POINT)
  const [a, b, c, d] = numbers
  if (a === undefined || b === undefined || c === undefined || d === undefined) return null
  return { left: Math.min(a, c), right: Math.max(a, c), bottom: Math.min(b, d), top: Math.max(b, d) }
}

/** Whether it reaches into what is printed: the bleed box, where there is none the trim or art box, or all of the page. */
function touches(box: Rectangle, { bleedBox, trimBox, artBox, cropBox, mediaBox }: PageFacts): boolean {
  const page = bleedBox ?? trimBox ?? artBox ?? cropBox ?? mediaBox
  return (
    box.left < page.xMm + page.widthMm &&
    box.right > page.xMm &&
    box.bottom < page.yMm + page.heightMm &&
    box.top > page.yMm
  )
}

/** Null on a turned page, whose places are others. */
function regionOf(box: Rectangle, { cropBox, mediaBox, rotation }: PageFacts): AnnotationMark['region'] {
  if (rotation !== 0) return null
  const page = cropBox ?? mediaBox
  const mm = (value: number) => Math.round(value * 100) / 100
  return {
    x: mm(box.left - page.xMm),
    y: mm(page.yMm + page.heightMm - box.top),
    width: mm(box.right - box.left),
    height: mm(box.top - box.bottom),
  }
}

/** The names of a name tree (7.9.6). */
async function namesIn(document: PdfDocument, root: PdfValue): Promise<string[]> {
  const names: string[] = []
  const seen = new Set<PdfDictionary>()
  const pending = [root]
  while (pending.length > 0 && names.length < MOST_NAMES) {
    const node = await document.dictionary(pending.pop())
    if (!node || seen.has(node)) continue
    seen.add(node)
    const pairs = (await document.array(node.get('Names'))) ?? []
    for (let at = 0; at + 1 < pairs.length; at += 2) {
      const file = await document.dictionary(pairs[at + 1])
      const name = textOf(await document.resolve(file?.get('UF') ?? file?.get('F') ?? pairs[at]))
      names.push((name ?? 'unnamed').slice(0, 100))
    }
    pending.push(...((await document.array(node.get('Kids'))) ?? []))
  }
  return names
}
