import { describe, expect, test } from 'vitest'
import type { Span } from '../measurements'
import { LeaderMeter, linesOf } from './leader'
import { COLUMNS, ROWS } from './video-meter'

/** What a point shows, by seconds from the first frame of its part. */
type Paint = (seconds: number, x: number, y: number) => number
type Part = readonly [seconds: number, paint: Paint]

const dark: Paint = () => 16
const moving: Paint = (seconds, x, y) => 60 + ((x * 3 + y * 5 + Math.floor(seconds * 400)) % 120)
/** Strokes of letters in lines of 6 rows. */
const lettering =
  (lines: number): Paint =>
  (_, x, y) =>
    y >= 8 && y < 8 + lines * 12 && (y - 8) % 12 < 6 && x > 20 && x < 130 && x % 4 < 2 ? 220 : 20
/** A block of its own for every number, once a second. */
const counting: Paint = (seconds, x, y) =>
  Math.abs(x - 80) < 12 && Math.abs(y - 45) < 20 && ((x + y * 2) >> 2) % 5 === Math.floor(seconds) % 5 ? 220 : 40
/** The ground is wiped by a hand, once a second, under numbers. */
const wiping: Paint = (seconds, x, y) => {
  const turn = (Math.atan2(x - 80, 45 - y) / (2 * Math.PI) + 1) % 1
  const number = counting(seconds, x, y)
  return number > 200 ? number : turn < seconds % 1 ? 130 : 40
}
const beside =
  (one: Paint, other: Paint): Paint =>
  (seconds, x, y) =>
    x < 120 ? one(seconds, x, y) : other(seconds, x - 60, y)

function leaderOf(parts: readonly Part[], { rate = 25, bars = [] as Span[] } = {}) {
  const meter = new LeaderMeter()
  let [from, frame] = [0, 0]
  for (const [seconds, paint] of parts) {
    for (; frame / rate < from + seconds - 1e-9; frame++) {
      const luma = new Uint8Array(COLUMNS * ROWS)
      for (let at = 0; at < luma.length; at++)
        luma[at] = paint(frame / rate - from, at % COLUMNS, Math.floor(at / COLUMNS))
      const time = frame / rate
      const hasBars = bars.some(({ start, end }) => start <= time && time <= end)
      meter.take(luma, time, () => ({ data: luma, columns: COLUMNS, rows: ROWS }), hasBars)
    }
    from += seconds
  }
  return meter.finish(bars, from)
}

describe('a slate', () => {
  const slate = lettering(4)
  test('stands from its first frame to the black behind it', () => {
    const { slates, countdowns } = leaderOf([
      [3, slate],
      [2, dark],
      [2, moving],
    ])
    expect(slates).toEqual([{ start: 0, end: 3, lines: 4 }])
    expect(countdowns).toEqual([])
  })

  test('comes after bars and black, which may be seen a second late', () => {
    const parts = [
      [5, moving],
      [1, dark],
      [3, slate],
      [1, dark],
      [2, moving],
    ] as const
    expect(leaderOf(parts, { bars: [{ start: 0, end: 5 }] }).slates).toMatchObject([{ start: 6, end: 9 }])
    expect(leaderOf(parts).slates, 'without bars it stands in the programme').toEqual([])
  })

  test.each<[string, Part[]]>([
    [
      'with fewer lines, as a title card has',
      [
        [3, lettering(2)],
        [2, dark],
        [2, moving],
      ],
    ],
    [
      'without black behind it',
      [
        [3, slate],
        [3, moving],
      ],
    ],
    [
      'with black that is a fade',
      [
        [3, slate],
        [0.8, dark],
        [2, moving],
      ],
    ],
    [
      'that stands for a moment',
      [
        [1.8, slate],
        [2, dark],
        [2, moving],
      ],
    ],
    [
      'after the programme',
      [
        [3, moving],
        [3, slate],
        [2, dark],
      ],
    ],
    [
      'with nothing behind its black',
      [
        [3, slate],
        [2, dark],
      ],
    ],
  ])('is none %s', (_name, parts) => {
    expect(leaderOf(parts).slates).toEqual([])
  })
})

describe('a countdown', () => {
  test.each([24, 25, 30_000 / 1001, 50, 60])('changes once a second, at %f frames a second', (rate) => {
    const { countdowns } = leaderOf(
      [
        [5, counting],
        [1.5, dark],
        [2, moving],
      ],
      { rate },
    )
    expect(countdowns).toHaveLength(1)
    expect(countdowns[0]?.start).toBe(0)
    expect(countdowns[0]?.end).toBeCloseTo(5, 1)
  })

  test('may have a hand that goes round in each second', () => {
    const [countdown, ...more] = leaderOf([
      [6, wiping],
      [1.5, dark],
      [2, moving],
    ]).countdowns
    expect(more).toEqual([])
    expect(countdown?.start).toBe(0)
    expect(countdown?.end).toBeGreaterThan(4.9)
  })

  test('goes with a slate, beside it or behind it', () => {
    const both = leaderOf([
      [5, beside(lettering(4), counting)],
      [3, dark],
      [2, moving],
    ])
    expect(both.slates).toHaveLength(1)
    expect(both.countdowns).toHaveLength(1)
    const behind = leaderOf([
      [4, lettering(4)],
      [5, counting],
      [2, dark],
      [2, moving],
    ])
    expect(behind.slates).toHaveLength(1)
    expect(behind.countdowns).toHaveLength(1)
  })

  test.each<[string, Part[]]>([
    [
      'over a moving image',
      [
        [5, beside(moving, counting)],
        [2, dark],
        [2, moving],
      ],
    ],
    [
      'in the programme',
      [
        [2, moving],
        [5, counting],
        [2, dark],
        [2, moving],
      ],
    ],
    [
      'of two seconds',
      [
        [2.5, counting],
        [2, dark],
        [2, moving],
      ],
    ],
    [
      'twice as fast',
      [
        [5, (seconds, x, y) => counting(seconds * 2, x, y)],
        [2, dark],
        [2, moving],
      ],
    ],
    [
      'of what comes back every second',
      [
        [5, (seconds, x, y) => wiping(seconds % 1, x, y)],
        [2, dark],
        [2, moving],
      ],
    ],
    [
      'without black behind it',
      [
        [5, counting],
        [3, moving],
      ],
    ],
  ])('is none %s', (_name, parts) => {
    expect(leaderOf(parts).countdowns).toEqual([])
  })
})

test('lines of text are counted by rows with the edges of several letters', () => {
  const frame = (paint: Paint) => ({
    data: Uint8Array.from({ length: COLUMNS * ROWS }, (_, at) => paint(0, at % COLUMNS, Math.floor(at / COLUMNS))),
    columns: COLUMNS,
    rows: ROWS,
  })
  expect([0, 1, 3, 6].map((lines) => linesOf(frame(lettering(lines))))).toEqual([0, 1, 3, 6])
  expect(linesOf(frame(moving))).toBe(0)
  expect(linesOf(frame(counting))).toBe(0)
})
