import { expect, test } from 'vitest'
import { ClickMeter } from './clicks'
import { SampleWindow } from './sample-window'

const RATE = 48_000
const BLOCK = 1024

function measured(wave: (at: number) => number, seconds = 6, channels = 1) {
  const meter = new ClickMeter(RATE)
  const window = new SampleWindow(RATE, channels, (stretch) => meter.take(stretch))
  const samples = Float32Array.from({ length: seconds * RATE }, (_, at) => wave(at))
  for (let at = 0; at < samples.length; at += BLOCK) {
    const block = samples.subarray(at, at + BLOCK)
    window.take(Array.from({ length: channels }, () => block))
  }
  window.finish()
  return meter.finish()
}
const wave = (at: number) => 0.3 * Math.sin(at * 0.03)

test.each([5000, 95_999, 96_000, 96_001, 200_000])('a click is found once, wherever it is: sample %i', (place) => {
  const time = Math.round((1000 * place) / RATE) / 1000
  const clicked = (at: number) => wave(at) + (at === place ? 0.1 : 0)
  expect(measured(clicked)).toEqual({ count: 1, at: [{ start: time, end: time }] })
  expect(measured(clicked, 6, 2).count).toBe(1)
})

test('one to three samples are a click, four are none', () => {
  const raised = (width: number) => measured((at) => wave(at) + (at >= 70_000 && at < 70_000 + width ? 0.2 : 0)).count
  expect([1, 2, 3, 4].map(raised)).toEqual([1, 1, 1, 0])
})

test('those within a tenth of a second are one place', () => {
  const at = [50_000, 53_000, 90_000]
  const { count, at: spans } = measured((place) => wave(place) + (at.includes(place) ? 0.2 : 0))
  expect(count).toBe(3)
  expect(spans).toEqual([
    { start: 1.042, end: 1.104 },
    { start: 1.875, end: 1.875 },
  ])
})

test('a step, a corner, and a wave that bends as sharply elsewhere nearby are none', () => {
  expect(measured((at) => wave(at) + (at > 70_000 ? 0.3 : 0)).count).toBe(0)
  expect(measured((at) => wave(at) + Math.max(0, at - 70_000) * 1e-5).count).toBe(0)
  expect(measured((at) => wave(at) + (at % 1000 === 0 ? 0.2 : 0)).count).toBe(0)
})
