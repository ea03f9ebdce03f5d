import { Canvas, Page, View } from '@react-pdf/renderer'
import type { Block, Placed } from '../pages'
import { BODY_WIDTH, bodyTop, COLOR, MARGIN, PAPER } from '../paper'
import { type Painter, Pen } from '../pen'
import type { Typesetter } from '../typesetter'

const SIZE = 7.5

/** What stands around the content: at the head of every page but the first, and at the foot of all. */
export type Frame = { running: string; owner: string; foot: string }

type SheetProps = { set: Typesetter; frame: Frame; placed: readonly Placed[]; index: number; count: number }

/**
 * One sheet, painted in one go: an element for each of some hundred pieces of text would cost several times as much, most
 * of it to find out where they stand, which is known.
 */
export function Sheet(sheet: SheetProps) {
  const { placed, index } = sheet
  const bookmarks = bookmarksOf(placed)
  const paint = (painter: Painter) => {
    paintSheet(new Pen(painter, MARGIN.left), sheet)
    return null
  }
  return (
    <Page size={PAPER.size} wrap={false}>
      <Canvas style={{ width: PAPER.width, height: PAPER.height }} paint={paint} />
      {placed.map(({ top, block }) => {
        const bookmark = bookmarks.get(block)
        if (!block.picture && bookmark === undefined) return null
        return (
          <View
            key={top}
            style={{
              position: 'absolute',
              left: MARGIN.left,
              top: bodyTop(index) + top,
              width: BODY_WIDTH,
              height: block.height,
            }}
            {...(bookmark !== undefined && { bookmark: { title: bookmark, fit: true } })}
          >
            {block.picture}
          </View>
        )
      })}
    </Page>
  )
}

/** The blocks that the outline names; the first line item of a page stands for all on it. */
function bookmarksOf(placed: readonly Placed[]): Map<Block, string> {
  const lines = placed.filter(({ block }) => block.line !== undefined)
  const named = placed.flatMap(({ block }) => (block.bookmark === undefined ? [] : [[block, block.bookmark] as const]))
  const [first] = lines
  return new Map(first ? [...named, [first.block, `Lines ${first.block.line}–${lines.at(-1)?.block.line}`]] : named)
}

/** Running head, what is placed on the sheet, and which page of how many it is: in the order it is read. */
function paintSheet(pen: Pen, { set, frame, placed, index, count }: SheetProps): void {
  const muted = { size: SIZE, color: COLOR.muted, width: BODY_WIDTH } as const
  if (index > 0) {
    const head = pen.at(0, MARGIN.top - 8)
    head.words(set.oneLine(frame.running, BODY_WIDTH * 0.62, SIZE), muted)
    head.words(set.oneLine(frame.owner, BODY_WIDTH * 0.34, SIZE), { ...muted, align: 'right' })
    head.rule({ top: 16, width: BODY_WIDTH })
  }
  for (const { top, block } of placed) {
    const here = pen.at(0, bodyTop(index) + top)
    block.draw(here)
    if (block.rule) here.rule({ top: block.height - block.rule.weight, width: BODY_WIDTH, ...block.rule })
  }
  const foot = pen.at(0, PAPER.height - 40)
  foot.words(set.oneLine(frame.foot, BODY_WIDTH * 0.8, SIZE), muted)
  foot.words(set.oneLine(`Page ${index + 1} of ${count}`, BODY_WIDTH, SIZE), { ...muted, align: 'right' })
}
