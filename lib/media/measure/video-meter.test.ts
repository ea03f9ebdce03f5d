import { describe, expect, test } from 'vitest'
import { COLUMNS, ROWS, VideoMeter } from './video-meter'

type Paint = (frame: number, x: number, y: number) => number

/** What is measured of frames painted in the points that a video is measured in, 25 a second. */
function measured(frames: number, paint: Paint, isKey: (frame: number) => boolean = (frame) => frame === 0) {
  const meter = new VideoMeter()
  const chroma = new Uint8Array((COLUMNS * ROWS) / 4).fill(128)
  for (let frame = 0; frame < frames; frame++) {
    const luma = Uint8Array.from({ length: COLUMNS * ROWS }, (_, at) =>
      paint(frame, at % COLUMNS, Math.floor(at / COLUMNS)),
    )
    const points = { luma, u: chroma, v: chroma, isFullRange: false }
    meter.take(points, frame / 25, () => {}, undefined, isKey(frame))
  }
  return meter.finish()
}
const ground = (x: number, y: number) => 110 + 40 * Math.sin(x / 30) + 30 * Math.sin(y / 22)

describe('standing still', () => {
  test('is measured from the first to the last frame that is the same', () => {
    const held = (frame: number) => Math.min(Math.max(0, frame - 25), 38)
    const { frozen } = measured(125, (frame, x, y) => ground(x + 2 * (frame - held(frame)), y))
    expect(frozen).toEqual([{ start: 1, end: 2.56 }])
  })

  test.each([0.1, 0.2, 1])('a ground that drifts by %s points a frame does not stand', (speed) => {
    const longest = Math.max(
      0,
      ...measured(100, (frame, x, y) => ground(x + speed * frame, y)).frozen.map(({ start, end }) => end - start),
    )
    expect(longest).toBeLessThan(1)
  })

  test('a small part that moves is motion', () => {
    const { frozen } = measured(100, (frame, x, y) =>
      Math.abs(x - 20 - frame) < 2 && Math.abs(y - 45) < 2 ? 210 : ground(x, y),
    )
    expect(frozen).toEqual([])
  })

  test('a still image that is coded anew at a key frame stands on', () => {
    const paint: Paint = (frame, x, y) => ground(x, y) + (Math.floor(frame / 25) % 2) * ((x * 7 + y * 3) % 5)
    expect(measured(100, paint, (frame) => frame % 25 === 0).frozen).toEqual([{ start: 0, end: 4 }])
    expect(measured(100, paint).frozen).toHaveLength(4)
  })
})

describe('flashes', () => {
  /** Every so many frames the left part of the screen changes. */
  const part =
    (columns: number, every: number): Paint =>
    (frame, x) =>
      x < columns && Math.floor(frame / every) % 2 === 1 ? 210 : 40

  test.each([1, 2, 3])('count from more than a quarter of the screen, every %s frames', (every) => {
    expect(measured(75, part(38, every)).flashes.mostPerSecond).toBe(0)
    expect(measured(75, part(40, every)).flashes.mostPerSecond).toBe(0)
    expect(measured(75, part(43, every)).flashes.mostPerSecond).toBeGreaterThan(3)
  })

  test('the longest sequence has two and more in every second', () => {
    const perSecond =
      (count: number, until: number): Paint =>
      (frame) =>
        frame < until * 25 && Math.floor((frame / 25) * count * 2) % 2 === 1 ? 210 : 40
    const lasts = (count: number) => {
      const { longest } = measured(250, perSecond(count, 8)).flashes
      return longest ? longest.end - longest.start : 0
    }
    expect(lasts(1)).toBe(0)
    expect(lasts(2)).toBeGreaterThan(7)
    expect(lasts(3)).toBeGreaterThan(7)
    expect(lasts(3)).toBeLessThan(8)
  })
})

test('flashes are counted on the right side of the limit, wherever and however large they are', () => {
  let seed = 3
  const between = (from: number, to: number) => {
    seed = (seed * 16_807) % 2_147_483_647
    return from + ((to - from) * seed) / 2_147_483_647
  }
  for (let index = 0; index < 60; index++) {
    const perSecond = Math.round(between(0, 8))
    // A quarter of the screen is the limit.
    const share = index % 2 === 0 ? between(0.05, 0.23) : between(0.27, 1)
    const [width, height] = [Math.round(COLUMNS * Math.sqrt(share)), Math.round(ROWS * Math.sqrt(share))]
    const [left, top] = [Math.floor(between(0, COLUMNS - width)), Math.floor(between(0, ROWS - height))]
    const [dark, light, noise] = [between(20, 80), between(150, 220), between(0, 6)]
    const { flashes } = measured(75, (frame, x, y) => {
      const isLit = Math.floor((frame / 25) * perSecond * 2) % 2 === 1
      const isInside = x >= left && x < left + width && y >= top && y < top + height
      return (isLit && isInside ? light : dark) + noise * (((x * 7 + y * 13 + frame * 29) % 17) / 17)
    })
    const isOver = (width * height) / (COLUMNS * ROWS) > 0.25 && perSecond > 3
    expect(flashes.mostPerSecond > 3, `${perSecond} a second over ${width} × ${height} points`).toBe(isOver)
  }
})

describe('edges of blocks', () => {
  /** Two frames a second; whether blocks are seen in each. */
  function blocksOf(frames: number, isSeen: (frame: number) => boolean) {
    const meter = new VideoMeter()
    const u = new Uint8Array((COLUMNS * ROWS) / 4).fill(128)
    const paint = (isBroken: boolean) =>
      Uint8Array.from({ length: COLUMNS * ROWS }, (_, at) => {
        const [x, y] = [at % COLUMNS, Math.floor(at / COLUMNS)]
        return ground(x, y) + (isBroken ? 20 * (((x >> 3) + (y >> 3)) % 2) : 0)
      })
    const [whole, broken] = [paint(false), paint(true)]
    for (let frame = 0; frame < frames; frame++) {
      const data = isSeen(frame) ? broken : whole
      const plane = { data, stride: COLUMNS, bytesPerSample: 1, shift: 0, width: COLUMNS, height: ROWS } as const
      meter.take({ luma: data, u, v: u, isFullRange: false }, frame / 2, (inspect) =>
        inspect({ ...plane, isFullRange: false }),
      )
    }
    return meter.finish().blocks ?? []
  }

  test('are kept with their times, twice a second', () => {
    const blocks = blocksOf(10, (frame) => frame === 3 || frame === 4)
    expect(blocks.map(({ at }) => at)).toEqual([1.5, 2])
    expect(Math.min(...blocks.map(({ percent }) => percent))).toBeGreaterThan(50)
    expect(blocksOf(10, () => false)).toEqual([])
  })

  test('are kept of 500 frames at most, in the order of time', () => {
    const times = blocksOf(1200, () => true).map(({ at }) => at)
    expect(times).toHaveLength(500)
    expect(times).toEqual([...times].sort((a, b) => a - b))
  })
})
