import type { ReactElement } from 'react'
import type { Pen } from './pen'

/** A piece of a page whose height is known before anything is drawn, in points. */
export type Block = {
  height: number
  draw: (pen: Pen) => void
  /** What no pen draws: a logo, a code. */
  picture?: ReactElement
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

export type Placed = { top: number; block: Block }

/**
 * Cuts blocks into pages, in one pass: the cost grows with the number of blocks. A block is never divided; one that is
 * higher than a page must have been made smaller by whoever measured it.
 */
export function cutIntoPages(blocks: readonly Block[], heightOfPage: (index: number) => number): Placed[][] {
  const pages: Placed[][] = []
  let page: Placed[] = []
  let top = 0
  const isFull = (height: number) => page.length > 0 && top + height > heightOfPage(pages.length)
  const turn = () => {
    pages.push(page)
    page = []
    top = 0
  }
  for (const together of groups(blocks)) {
    if (isFull(heightOf(together))) turn()
    for (const block of together) {
      // A group higher than a page goes on where it must.
      if (isFull(block.height)) turn()
      if (page.length === 0 && block.repeats) {
        page.push({ top, block: block.repeats })
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
