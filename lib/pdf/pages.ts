import type { Pen } from './pen'
import type { Tag } from './tags'

/** A piece of a page whose height is known before anything is drawn, in points. */
export type Block = {
  height: number
  draw: (pen: Pen) => void
  /** What it is, in the order it is read; blocks that are parts of one thing have one tag, which then stands once. */
  tags: readonly Tag[]
  /** Drawn along its lower edge. */
  rule?: { color: string; weight: number }
  /** Stands at the head of a page that begins with this block: the columns of a table that goes on. */
  repeats?: Block
  /** What is left free between what is repeated and this block, where it goes on from the page before. */
  gapWhenRepeated?: number
  /** Never the last of its page while something follows. */
  keepsWithNext?: boolean
  /** Entry in the outline of the document. */
  bookmark?: string
  /** Number of the line item it shows, from 1. */
  line?: number
}

/** `isRepeated`: it stood on an earlier page, too. */
export type Placed = { top: number; block: Block; isRepeated?: true }

/** A last page that holds less than this, in points, is not worth turning to. */
const LEAST_ON_LAST = 110

/**
 * Cuts blocks into pages; the cost grows with the number of blocks. A block is never divided; one that is higher than a
 * page must have been made smaller by the code that measured it. A last page that would hold a few lines only takes over what
 * stands at the end of the page before, as long as that stays half full.
 */
export function cutIntoPages(blocks: readonly Block[], heightOfPage: (index: number) => number): Placed[][] {
  const together = groups(blocks)
  const pages = cut(together, heightOfPage)
  const from = startOfLast(together, pages, heightOfPage)
  if (from === null) return pages
  const balanced = cut(together, heightOfPage, from)
  return balanced.length === pages.length ? balanced : pages
}

/** The number of the group that a thin last page had better begin with; null when it is well filled, or nothing helps. */
function startOfLast(together: readonly Block[][], pages: Placed[][], heightOfPage: (index: number) => number) {
  const last = pages.at(-1)
  const before = pages.at(-2)
  if (!last || !before) return null
  let height = bottomOf(last)
  if (height >= LEAST_ON_LAST) return null
  const own = new Set(last.map(({ block }) => block))
  let from = together.findIndex(([first]) => first !== undefined && own.has(first))
  // It goes on with a group that is higher than a page.
  if (from === -1) return null
  let left = bottomOf(before)
  while (height < LEAST_ON_LAST && from > 0) {
    from -= 1
    const moved = heightOf(together[from] ?? [])
    height += moved
    left -= moved
  }
  return from > 0 && left >= heightOfPage(pages.length - 2) / 2 ? from : null
}

const bottomOf = (page: readonly Placed[]) => page.reduce((_, { top, block }) => top + block.height, 0)

/** `breakBefore`: the number of a group that begins a page whatever room there is. */
function cut(together: readonly Block[][], heightOfPage: (index: number) => number, breakBefore?: number): Placed[][] {
  const pages: Placed[][] = []
  let page: Placed[] = []
  let top = 0
  const isFull = (height: number) => page.length > 0 && top + height > heightOfPage(pages.length)
  const turn = () => {
    pages.push(page)
    page = []
    top = 0
  }
  for (const [number, group] of together.entries()) {
    if (isFull(heightOf(group)) || (number === breakBefore && page.length > 0)) turn()
    for (const block of group) {
      // A group higher than a page goes on where it must.
      if (isFull(block.height)) turn()
      if (page.length === 0 && block.repeats) {
        page.push({ top, block: block.repeats, isRepeated: true })
        top += block.repeats.height + (block.gapWhenRepeated ?? 0)
      }
      page.push({ top, block })
      top += block.height
    }
  }
  pages.push(page)
  return pages
}

function groups(blocks: readonly Block[]): Block[][] {
  const all: Block[][] = []
  let isOpen = false
  for (const block of blocks) {
    const last = all.at(-1)
    if (isOpen && last) last.push(block)
    else all.push([block])
    isOpen = block.keepsWithNext ?? false
  }
  return all
}

const heightOf = (blocks: readonly Block[]) => blocks.reduce((sum, { height }) => sum + height, 0)
