import { describe, expect, test } from 'vitest'
import { type ColourPoints, LevelMeter } from './levels'
import { TestBarsMeter } from './test-bars'
import { ToneMeter } from './tones'

const [COLUMNS, ROWS] = [100, 50]
type Colour = readonly [luma: number, u: number, v: number]
/** A frame painted point by point. */
function frame(paint: (x: number, y: number) => Colour, changes: Partial<ColourPoints> = {}): ColourPoints {
  const codes = Array.from({ length: COLUMNS * ROWS }, (_, at) => paint(at % COLUMNS, Math.floor(at / COLUMNS)))
  const plane = (index: 0 | 1 | 2) => Uint8Array.from(codes, (colour) => colour[index])
  return {
    luma: plane(0),
    u: plane(1),
    v: plane(2),
    columns: COLUMNS,
    isFullRange: false,
    matrix: 'bt709',
    isPq: false,
    ...changes,
  }
}
const GREY: Colour = [126, 128, 128]
function measured(...frames: ColourPoints[]) {
  const meter = new LevelMeter()
  for (const [index, each] of frames.entries()) meter.take(each, index)
  return meter.finish()
}

describe('levels', () => {
  test('are percent from black to white, of the worst frame', () => {
    const [dark, light] = [frame(() => [5, 128, 128]), frame(() => [246, 128, 128])]
    expect(
      measured(
        dark,
        frame(() => GREY),
        light,
      ),
    ).toEqual({
      high: { percent: 105, at: 2, spread: 0 },
      low: { percent: -5, at: 0, spread: 0 },
    })
    expect(measured(frame(() => [235, 128, 128], { isFullRange: true }))?.high.percent).toBe(92.2)
  })

  test('count where more than one per cent of a frame reaches them', () => {
    const lit = (points: number) => frame((x, y) => (y === 0 && x < points ? [254, 128, 128] : GREY))
    expect(measured(lit(50))?.high.percent).toBe(50.2)
    expect(measured(lit(51))?.high.percent).toBe(108.7)
  })

  test('say how far they depend on how large an area counts', () => {
    const ramp = measured(frame((x) => [100 + x, 128, 128]))
    expect(ramp?.high.spread).toBeGreaterThan(0)
    expect(ramp?.high.spread).toBeLessThan(1)
    const sparks = measured(frame((x, y) => (y === 0 && x < 60 ? [254, 128, 128] : GREY)))
    expect(sparks?.high).toMatchObject({ percent: 108.7, spread: 29.3 })
    expect(sparks?.low.spread).toBe(0)
  })

  test('of colours are those of the brightest and darkest of R, G and B', () => {
    // Red of BT.709 is 63, 102, 240 in codes of 8 bits.
    const red = measured(frame(() => [63, 102, 240]))
    expect(red?.high.percent).toBeCloseTo(100.2, 0)
    expect(red?.low.percent).toBeCloseTo(0, 0)
    expect(measured(frame(() => [100, 102, 240]))?.high.percent).toBeGreaterThan(115)
  })

  test('of PQ are light as well', () => {
    // Codes of 10 bits: 1,000 cd/m² are 0.752 of the range.
    const light = measured(frame(() => [181, 128, 128], { matrix: 'bt2020', isPq: true }))?.light
    expect(light?.peak.nits).toBeGreaterThan(950)
    expect(light?.peak.nits).toBeLessThan(1060)
    expect(light?.average.nits).toBeCloseTo(light?.peak.nits ?? 0, -2)
  })
})

test('bars are stripes in the order of the standards, and nothing else', () => {
  const W: Colour = [180, 128, 128]
  const stripes: Colour[] = [
    W,
    [168, 44, 136],
    [145, 147, 44],
    [134, 63, 52],
    [63, 193, 204],
    [51, 109, 212],
    [28, 212, 120],
  ]
  const found = (colours: readonly Colour[], bend = 0) => {
    const meter = new TestBarsMeter()
    const at = (x: number, y: number) => colours[Math.floor(((x + bend * y) * colours.length) / 100)] ?? GREY
    meter.take(frame(at), 3, 4)
    return meter.finish()
  }
  expect(found(stripes)).toEqual([{ start: 3, end: 4 }])
  expect(found([...stripes].reverse())).toEqual([])
  expect(found(stripes.slice(0, 6))).toEqual([])
  expect(found(stripes, 1)).toEqual([])
})

describe('a tone', () => {
  const tones = (sample: (time: number) => number, seconds = 3, rate = 48_000) => {
    const meter = new ToneMeter(rate)
    const samples = Float32Array.from({ length: seconds * rate }, (_, at) => sample(at / rate))
    for (let from = 0; from < samples.length; from += 1000) meter.take(samples.subarray(from, from + 1000))
    return meter.finish()
  }
  const sine =
    (hertz: number, level = 0.125) =>
    (time: number) =>
      level * Math.sin(2 * Math.PI * hertz * time)

  test.each([440, 1000, 1200, 2000])('of %d Hz is found with its level', (hertz) => {
    const [tone] = tones(sine(hertz))
    expect(tone).toMatchObject({ start: 0, end: 3 })
    expect(tone?.levelDb).toBeCloseTo(-18.06, 0)
    expect(Math.abs((tone?.hertz ?? 0) - hertz)).toBeLessThan(5)
  })

  test('is none for two at once, for noise, silence, and what is shorter than a second', () => {
    expect(tones((time) => sine(1000)(time) + sine(1500)(time))).toEqual([])
    expect(tones((time) => 0.1 * Math.sin(time * 1e9))).toEqual([])
    expect(tones(() => 0)).toEqual([])
    expect(tones((time) => (time < 0.9 ? sine(1000)(time) : 0))).toEqual([])
    expect(tones(sine(5000))).toEqual([])
  })
})
