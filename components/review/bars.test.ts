import { expect, it } from 'vitest'
import { AudioCurve } from '@/lib/loudness'
import { barsOf } from './bars'

it('a waveform fills its box, of two seconds as of twenty', () => {
  for (const seconds of [0.5, 2, 20]) {
    const curve = new AudioCurve(48_000, 1)
    curve.add([new Float32Array(48_000 * seconds).fill(0.5)])
    const bars = barsOf(curve.peaks(480))
    const last = bars.at(-1)
    const step = 1000 / bars.length
    expect(last?.x).toBeCloseTo(1000 - step, 6)
    expect(bars.every(({ width }) => width < step)).toBe(true)
    expect(bars[0]).toMatchObject({ x: 0, y: 26, height: 48 })
  }
})

it('silence is a thin line, and no audio is nothing', () => {
  expect(barsOf([0])).toEqual([{ x: 0, y: 49.7, width: 700, height: 0.6 }])
  expect(barsOf([])).toEqual([])
})
