import { expect, test } from 'vitest'
import { GapMeter } from './gaps'
import { SampleWindow } from './sample-window'

const RATE = 48_000
const BLOCK = 1024

/** Of audio with gaps, each a first sample and a length, in one channel or two. */
function measured(seconds: number, places: readonly (readonly [at: number, length: number])[], channels = 1) {
  const meter = new GapMeter(RATE)
  const window = new SampleWindow(RATE, channels, (stretch) => meter.take(stretch))
  const samples = Float32Array.from({ length: seconds * RATE }, (_, at) =>
    places.some(([start, length]) => at >= start && at < start + length) ? 0 : 0.4 * Math.cos(at * 0.05),
  )
  for (let at = 0; at < samples.length; at += BLOCK) {
    const block = samples.subarray(at, at + BLOCK)
    window.take(Array.from({ length: channels }, () => block))
  }
  window.finish()
  return meter.finish()
}

test.each([10_000, 95_990, 96_000, 2 * 96_000 - 1, 5 * 96_000 + 7])(
  'a gap is found once, wherever it begins: %i',
  (at) => {
    const [gap, ...more] = measured(12, [[at, 480]])
    expect(gap?.start).toBeCloseTo(at / RATE, 3)
    expect(gap?.end).toBeCloseTo((at + 480) / RATE, 3)
    expect(gap?.channels).toEqual([1])
    expect(more).toEqual([])
  },
)

test('a gap on two channels is one, with both', () => {
  expect(measured(3, [[50_000, 480]], 2)).toMatchObject([{ channels: [1, 2] }])
})

test('gaps of one length at one distance are a rhythm from 20 ms on, others are none', () => {
  const every = (distance: number, length: number) => [1, 2, 3, 4].map((index) => [index * distance, length] as const)
  expect(measured(4, every(12_000, 1200))).toEqual([])
  expect(measured(4, every(12_000, 480))).toHaveLength(4)
  expect(
    measured(4, [
      [12_000, 1200],
      [24_000, 1200],
      [40_000, 1200],
    ]),
  ).toHaveLength(3)
})

test('what is shorter than 24 samples, longer than 0.15 s, or at the start or end is none', () => {
  expect(measured(3, [[50_000, 20]])).toEqual([])
  expect(measured(3, [[50_000, 7300]])).toEqual([])
  expect(measured(3, [[0, 480]])).toEqual([])
  expect(measured(3, [[3 * RATE - 480, 480]])).toEqual([])
})
