import { buffer } from 'node:stream/consumers'
import layoutDocument from '@react-pdf/layout'
import renderPdf from '@react-pdf/render'
import { Canvas, Document, Page, pdf } from '@react-pdf/renderer'
import PDFDocument from 'pdfkit'
import { type Block, cutIntoPages, type Placed } from './pages'
import { BODY_WIDTH, bodyHeight, bodyTop, COLOR, MARGIN, PAPER } from './paper'
import { Pen } from './pen'
import { Tag } from './tags'
import { tidy } from './tidy'
import type { Typesetter } from './typesetter'

/** `madeAt` is the document's own date, so that the same content gives the same bytes. `language`: BCP 47. */
export type Facts = {
  title: string
  subject: string
  author?: string
  keywords?: string
  language: string
  madeAt: Date
}

/** What stands around the content: at the head of every page but the first, and at the foot of all. */
export type Frame = { running: string; owner: string; foot: string }

const SIZE = 7.5

/**
 * A document as tagged PDF 1.7: blocks whose heights are known are cut into pages and painted at known places; what
 * each of them is goes into the structure tree, and what stands around them is an artifact.
 *
 * react-pdf's own `renderToBuffer` makes the pdfkit document itself, without tags, and hands `paint` a part of it that
 * cannot mark content. So its three steps (elements, layout, drawing) are called one by one, on a document made here.
 */
export async function drawDocument(set: Typesetter, facts: Facts, frame: Frame, blocks: Block[]): Promise<Buffer> {
  const { title, subject, author, keywords, language, madeAt } = facts
  const named = { Title: title, Subject: subject, Author: author, Keywords: keywords }
  const info = Object.entries(named).flatMap(([key, text]) => (text ? [[key, tidy(text)] as const] : []))
  const document = new PDFDocument({
    pdfVersion: '1.7',
    tagged: true,
    lang: language,
    displayTitle: true,
    autoFirstPage: false,
    font: null,
    info: {
      ...Object.fromEntries(info),
      Creator: 'Greenroom',
      Producer: 'Greenroom',
      CreationDate: madeAt,
      ModDate: madeAt,
    },
  })
  const bytes = buffer(document)
  const pages = cutIntoPages(blocks, bodyHeight)
  const paint = (placed: readonly Placed[], index: number) => {
    const pen = Pen.on(document, MARGIN.left)
    drawSheet(pen, set, frame, placed, { index, count: pages.length })
    pen.finish()
    for (const bookmark of bookmarksOf(placed)) document.outline.addItem(bookmark, { fit: true })
    // react-pdf ends the document after its last page.
    if (index === pages.length - 1) {
      new Tag('Document').hold(...new Set(blocks.flatMap(({ tags }) => tags))).finish(document)
    }
    return null
  }
  const { container } = pdf(
    <Document>
      {pages.map((placed, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: pages are drawn once
        <Page key={index} size={[PAPER.width, PAPER.height]} wrap={false}>
          <Canvas style={{ width: PAPER.width, height: PAPER.height }} paint={() => paint(placed, index)} />
        </Page>
      ))}
    </Document>,
  )
  // Its types name pdfkit's class where they mean a document.
  renderPdf(document as unknown as Parameters<typeof renderPdf>[0], await layoutDocument(container.document))
  return bytes
}

/** What the outline names; the first line item of a page stands for all on it. */
function bookmarksOf(placed: readonly Placed[]): string[] {
  const lines = placed.filter(({ block }) => block.line !== undefined)
  return placed.flatMap(({ block }) => {
    if (block === lines[0]?.block) return [`Lines ${block.line}–${lines.at(-1)?.block.line}`]
    return block.bookmark === undefined ? [] : [block.bookmark]
  })
}

/** Running head, what is placed on the sheet, and which page of how many it is. */
function drawSheet(
  pen: Pen,
  set: Typesetter,
  frame: Frame,
  placed: readonly Placed[],
  { index, count }: { index: number; count: number },
): void {
  const muted = { size: SIZE, color: COLOR.muted, width: BODY_WIDTH } as const
  if (index > 0) {
    const head = pen.at(0, MARGIN.top - 8)
    head.words(set.oneLine(frame.running, BODY_WIDTH * 0.62, SIZE), muted)
    head.words(set.oneLine(frame.owner, BODY_WIDTH * 0.34, SIZE), { ...muted, align: 'right' })
    head.rule({ top: 16, width: BODY_WIDTH })
  }
  for (const { top, block, isRepeated } of placed) {
    const here = pen.at(0, bodyTop(index) + top)
    block.draw(isRepeated ? here.untagged() : here)
    if (block.rule) here.rule({ top: block.height - block.rule.weight, width: BODY_WIDTH, ...block.rule })
  }
  const foot = pen.at(0, PAPER.height - 40)
  foot.words(set.oneLine(frame.foot, BODY_WIDTH * 0.8, SIZE), muted)
  foot.words(set.oneLine(`Page ${index + 1} of ${count}`, BODY_WIDTH, SIZE), { ...muted, align: 'right' })
}
