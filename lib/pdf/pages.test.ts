import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Block, cutIntoPages } from './pages'

const PAGE = 100
const tags: never[] = []
const draw = () => {
  throw new Error('Cutting draws nothing.')
}
const head: Block = { height: 10, draw, tags }
const blocks = fc.array(
  fc.record({
    height: fc.integer({ min: 1, max: 90 }),
    keepsWithNext: fc.boolean(),
    repeats: fc.constantFrom(head, undefined),
  }),
  { maxLength: 60 },
)

test('every block is placed once, in order, and none hangs over the end of its page', () => {
  fc.assert(
    fc.property(blocks, (given) => {
      const all: Block[] = given.map((block) => ({ ...block, draw, tags }))
      const pages = cutIntoPages(all, () => PAGE)
      expect(pages.flat().flatMap(({ block }) => (block === head ? [] : [block]))).toEqual(all)
      for (const { top, block } of pages.flat()) expect(top + block.height).toBeLessThanOrEqual(PAGE)
    }),
  )
})

test('what belongs together is not parted while it fits on one page', () => {
  fc.assert(
    fc.property(blocks, (given) => {
      const all: Block[] = given.map((block) => ({ ...block, repeats: undefined, draw, tags }))
      const pages = cutIntoPages(all, () => PAGE)
      for (const page of pages.slice(0, -1)) {
        const last = page.at(-1)?.block
        const next = last && all[all.indexOf(last) + 1]
        if (!last?.keepsWithNext || !next) continue
        const start = all.findLastIndex((block, index) => index < all.indexOf(last) && !block.keepsWithNext) + 1
        const end = all.findIndex((block, index) => index >= start && !block.keepsWithNext)
        const group = all.slice(start, end === -1 ? all.length : end + 1)
        expect(group.reduce((sum, { height }) => sum + height, 0)).toBeGreaterThan(PAGE)
      }
    }),
  )
})

test('a last page that would hold a few lines takes over what stands before them', () => {
  const block = (height: number, keepsWithNext = false): Block => ({ height, keepsWithNext, draw, tags })
  const heights = (all: Block[]) => cutIntoPages(all, () => 700).map((page) => page.map(({ block }) => block.height))
  const terms = [block(36, true), block(12)]
  expect(heights([block(400), block(150), block(120), ...terms])).toEqual([
    [400, 150],
    [120, 36, 12],
  ])
  // Not at the price of a page that is half empty, and not where the last page is well filled.
  expect(heights([block(300), block(380), ...terms])).toEqual([
    [300, 380],
    [36, 12],
  ])
  expect(heights([block(400), block(290), block(200)])).toEqual([[400, 290], [200]])
})
