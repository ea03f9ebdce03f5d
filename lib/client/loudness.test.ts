import { describe, expect, test } from 'vitest'
import { FLOOR_LUFS, momentaryLoudness, peaksOf } from './loudness'

const sine = (frequency: number, amplitude: number, rate: number, seconds: number) =>
  Float32Array.from({ length: rate * seconds }, (_, n) => amplitude * Math.sin((2 * Math.PI * frequency * n) / rate))

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

  test('peaks are the loudest sample of each stretch, whichever channel it is on', () => {
    expect(peaksOf([Float32Array.of(0, 0.5, 0, 0), Float32Array.of(0, 0, -0.25, 1.5)], 2)).toEqual([0.5, 1])
  })
})
