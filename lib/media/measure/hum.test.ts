import { expect, test } from 'vitest'
import { HumMeter } from './hum'

const RATE = 48_000
const BLOCK = 1024
const sine = (time: number, hertz: number) => Math.sin(2 * Math.PI * hertz * time)
/** Bursts of a tone that is far above the mains. */
const programme = (time: number) => (time % 1.5 < 1 ? 0.3 * sine(time, 1400) : 0.01 * sine(time, 1400))

function measured(seconds: number, sample: (time: number) => number) {
  const meter = new HumMeter(RATE)
  const samples = Float32Array.from({ length: seconds * RATE }, (_, at) => sample(at / RATE))
  for (let at = 0; at < samples.length; at += BLOCK) meter.take(samples.subarray(at, at + BLOCK))
  return meter.finish()
}

test.each([
  [50, 50],
  [100, 50],
  [60, 60],
  [120, 60],
])('a line at %i Hz below a programme is hum of mains of %i Hz, at its level', (hertz, mains) => {
  const [hum, ...more] = measured(12, (time) => programme(time) + 0.01 * Math.SQRT2 * sine(time, hertz))
  expect(hum).toMatchObject({ start: 0, mains })
  expect(hum?.end).toBeGreaterThan(10)
  expect(hum?.levelDb).toBeCloseTo(-40, 0)
  expect(more).toEqual([])
})

test('stretches of it are found where they are', () => {
  const found = measured(40, (time) => {
    const isOn = (time > 5 && time < 15) || time > 27
    return programme(time) + (isOn ? 0.01 * sine(time, 50) : 0)
  })
  expect(found).toHaveLength(2)
  const [first, second] = found
  expect(first?.start).toBeGreaterThanOrEqual(5)
  expect(first?.end).toBeLessThanOrEqual(15)
  expect(second?.start).toBeGreaterThanOrEqual(27)
})

test.each([49, 51, 55, 98, 150, 180])('a line at %i Hz alone is none', (hertz) => {
  expect(measured(12, (time) => programme(time) + 0.01 * sine(time, hertz))).toEqual([])
})

test('a line without a programme, with one that never changes, or that moves or goes is none', () => {
  expect(measured(12, (time) => 0.01 * sine(time, 50))).toEqual([])
  expect(measured(12, (time) => 0.3 * sine(time, 1400) + 0.01 * sine(time, 50))).toEqual([])
  expect(measured(12, (time) => programme(time) + 0.01 * (1 + 0.4 * sine(time, 0.2)) * sine(time, 50))).toEqual([])
  expect(measured(12, (time) => programme(time) + (time % 3 < 2 ? 0.01 * sine(time, 50) : 0))).toEqual([])
})
