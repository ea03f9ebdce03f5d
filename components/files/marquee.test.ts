import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { boxBetween, isDrag, meets, scrollStep, touched } from './marquee'

/** Three columns of cards of 100 by 80, 10 apart, seven in all; the first at 20, 50. */
const grid = { x: 20, y: 50, columns: 3, cardWidth: 100, cardHeight: 80, gap: 10, count: 7 }
const from = (left: number, top: number, right: number, bottom: number) => touched({ left, top, right, bottom }, grid)

describe('the cards a box touches', () => {
  it('are those it overlaps, in order', () => {
    expect(from(0, 0, 30, 60)).toEqual([0])
    expect(from(100, 100, 150, 150)).toEqual([0, 1, 3, 4])
    expect(from(0, 0, 1000, 1000)).toEqual([0, 1, 2, 3, 4, 5, 6])
  })

  it('are none between the cards, before them and behind the last', () => {
    expect(from(121, 60, 129, 120)).toEqual([])
    expect(from(30, 131, 100, 139)).toEqual([])
    expect(from(0, 0, 19, 49)).toEqual([])
    expect(from(140, 240, 300, 300)).toEqual([])
    expect(from(400, 60, 500, 120)).toEqual([])
  })

  it('are those that a look at each of them finds', () => {
    const number = fc.integer({ min: -50, max: 500 })
    fc.assert(
      fc.property(number, number, number, number, (x1, y1, x2, y2) => {
        const box = boxBetween({ x: x1, y: y1 }, { x: x2, y: y2 })
        const cards = Array.from({ length: grid.count }, (_, place) => {
          const left = grid.x + (place % 3) * 110
          const top = grid.y + Math.floor(place / 3) * 90
          return { left, top, right: left + 100, bottom: top + 80 }
        })
        const found = cards.flatMap((card, place) => (meets(box, card) ? [place] : []))
        expect(touched(box, grid)).toEqual(found)
      }),
    )
  })
})

it('is drawn whichever way the pointer goes', () => {
  expect(boxBetween({ x: 9, y: 2 }, { x: 3, y: 8 })).toEqual({ left: 3, top: 2, right: 9, bottom: 8 })
})

it('begins once the pointer has moved a little', () => {
  expect([isDrag({ x: 1, y: 1 }, { x: 3, y: 3 }), isDrag({ x: 1, y: 1 }, { x: 7, y: 1 })]).toEqual([false, true])
})

it('scrolls at the edges of the window, faster the nearer', () => {
  expect(scrollStep(400, 800)).toBe(0)
  expect(scrollStep(40, 800)).toBeLessThan(0)
  expect(scrollStep(0, 800)).toBe(-24)
  expect(scrollStep(-90, 800)).toBe(-24)
  expect(scrollStep(799, 800)).toBe(24)
  expect(scrollStep(760, 800)).toBeLessThan(scrollStep(790, 800))
})
