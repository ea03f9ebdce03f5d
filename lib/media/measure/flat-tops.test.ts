import { expect, test } from 'vitest'
import { FlatTops } from './flat-tops'

const RATE = 48_000
const BLOCK = 1024
const FULL_SCALE = 32_766 / 32_768
const sixteenBits = (value: number) => Math.round(value * 32_767) / 32_768

const measured = (sample: (time: number) => number, seconds = 1) => {
  const tops = new FlatTops(1, FULL_SCALE)
  const samples = Float32Array.from({ length: seconds * RATE }, (_, at) => sixteenBits(sample(at / RATE)))
  for (let at = 0; at < samples.length; at += BLOCK) tops.take([samples.subarray(at, at + BLOCK)], at, RATE)
  return tops.finish()
}
const sine = (time: number, hertz: number) => Math.sin(2 * Math.PI * hertz * time)
const clipped = (value: number) => Math.max(-1, Math.min(1, value))

test.each([0.9, 0.5, 0.1])('tops cut off at full scale are found after the level was lowered to %s', (level) => {
  const found = measured((time) => level * clipped(1.5 * sine(time, 440)))
  expect(found?.runs).toBeGreaterThan(600)
  expect(found?.levelDb).toBeCloseTo(20 * Math.log10(level), 0)
  expect(found?.at[0]?.start).toBeLessThan(0.01)
})

test.each([20, 50, 440, 5_000])('the round tops of a wave of %s Hz are none', (hertz) => {
  expect(measured((time) => 0.5 * sine(time, hertz))).toBeNull()
})

test('neither silence, nor one flat top, nor what lies at full scale counts', () => {
  expect(measured(() => 0)).toBeNull()
  expect(measured((time) => (time > 0.5 && time < 0.501 ? 0.6 : 0.2 * sine(time, 440)))).toBeNull()
  expect(measured((time) => clipped(1.5 * sine(time, 440)))).toBeNull()
})

test('a level beyond which no sample lies is the highest', () => {
  const quieter = (time: number) => 0.5 * clipped(1.5 * sine(time, 440))
  expect(measured(quieter)?.isHighest).toBe(true)
  expect(measured((time) => (time < 0.8 ? quieter(time) : 0.7 * sine(time, 440)))?.isHighest).toBe(false)
})
