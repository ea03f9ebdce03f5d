import { describe, expect, test } from 'vitest'
import { AudioCurve, FLOOR_LUFS } from './loudness'

const sine = (frequency: number, amplitude: number, rate: number, seconds: number) =>
  Float32Array.from({ length: rate * seconds }, (_, n) => amplitude * Math.sin((2 * Math.PI * frequency * n) / rate))

/** All of it, given in parts of odd lengths. */
function curveOf(channels: readonly Float32Array[], rate: number): AudioCurve {
  const curve = new AudioCurve(rate, channels.length)
  const length = channels[0]?.length ?? 0
  for (let at = 0; at < length; at += 1021) curve.add(channels.map((samples) => samples.subarray(at, at + 1021)))
  return curve
}
const momentaryLoudness = (channels: readonly Float32Array[], rate: number) => curveOf(channels, rate).loudness()

describe('loudness over time', () => {
  test.each([44_100, 48_000, 96_000])('a full-scale sine of 997 Hz in one channel is -3.01 LUFS at %i Hz', (rate) => {
    // ITU-R BS.1770-5: the constant -0.691 is chosen so.
    const curve = momentaryLoudness([sine(997, 1, rate, 2), new Float32Array(rate * 2)], rate)
    expect(curve).toHaveLength(20)
    for (const value of curve.slice(6)) expect(value).toBeCloseTo(-3.01, 1)
  })

  test('the same at -23 dBFS in both channels of a stereo pair is -23 LUFS (EBU Tech 3341, case 1)', () => {
    const tone = sine(1000, 10 ** (-23 / 20), 48_000, 2)
    expect(momentaryLoudness([tone, tone], 48_000).at(-1)).toBeCloseTo(-23, 1)
  })

  test('a rumble below hearing hardly counts, the low-frequency channel not at all, silence is the floor', () => {
    const rate = 48_000
    expect(momentaryLoudness([sine(10, 1, rate, 2)], rate).at(-1)).toBeLessThan(-20)
    const silent = new Float32Array(rate)
    const loud = sine(997, 1, rate, 1)
    expect(momentaryLoudness([silent, silent, silent, loud, silent, silent], rate).at(-1)).toBe(FLOOR_LUFS)
    expect(momentaryLoudness([], rate)).toEqual([])
  })

  test('of a long time, each point is the loudest of its stretch', () => {
    const rate = 48_000
    const samples = new Float32Array(rate * 10)
    samples.set(sine(997, 1, rate, 1), rate * 6)
    const points = curveOf([samples], rate).loudness(5)
    expect(points).toHaveLength(5)
    expect(points.map((lufs) => lufs > -10)).toEqual([false, false, false, true, false])
  })

  test('peaks are the loudest sample of each stretch, whichever channel it is on', () => {
    const [left, right] = [new Float32Array(4_000), new Float32Array(4_000)]
    left[1_000] = 0.5
    right[2_500] = -0.25
    right[3_999] = 1.5
    expect(curveOf([left, right], 1_000).peaks(2)).toEqual([0.5, 1])
    expect(curveOf([left], 1_000).peaks(1_000)).toHaveLength(200)
  })
})
