import { clicking, coded, drum, music, noise, pulses, RATE, sine, square, torn, wav } from '../audio-files'
import { bad, good } from '../files'

const PLACES = [1.13, 2.41]
const clamp = (value: number) => Math.max(-0.7, Math.min(0.7, value))

export const FILES = [
  good('music.wav', wav(4, music)),
  good('music.m4a', coded({ seconds: 4, sample: music, bitRate: 128_000 })),
  // Silence before, between and after, with fades and cut hard.
  good(
    'silence-around.wav',
    wav(4, (time, channel) => (time > 1 && time < 3 ? music(time, channel) : 0)),
  ),
  good(
    'fades.wav',
    wav(4, (time, channel) => music(time, channel) * Math.min(1, Math.max(0, (Math.abs(time - 2) - 0.02) / 0.05))),
  ),
  good(
    'short-fades.wav',
    wav(4, (time, channel) => music(time, channel) * Math.min(1, Math.max(0, (Math.abs(time - 2) - 0.01) / 0.008))),
  ),
  good('pause.wav', wav(4, torn(music, PLACES, 0.08))),
  good('pause-long.wav', wav(4, torn(music, PLACES, 0.4))),
  good('drums.wav', wav(4, drum)),
  good(
    'drums-gated.wav',
    wav(4, (time, channel) => (time % 0.4 < 0.37 ? drum(time, channel) : 0)),
  ),
  good(
    'hits.wav',
    wav(4, (time, channel) => (time % 0.05 < 0.03 ? noise(time, channel) * 0.5 * Math.exp(-300 * (time % 0.05)) : 0)),
  ),
  ...[30, 50, 60, 200, 440].map((hertz) => good(`square-${hertz}.wav`, wav(3, square(hertz)))),
  ...[20, 50, 100, 440].map((hertz) => good(`pulses-${hertz}.wav`, wav(3, pulses(hertz, 0.2)))),
  // Sliced in a rhythm, open and shut by turns.
  ...[0.021, 0.031, 0.043].map((length) =>
    good(
      `sliced-${length * 1000}.wav`,
      wav(4, (time, channel) => (time % (2 * length) < length ? music(time, channel) : 0)),
    ),
  ),
  good(
    'clipped.wav',
    wav(3, (time, channel) => clamp(6 * music(time, channel))),
  ),
  good(
    'clipped-one-side.wav',
    wav(3, (time) => Math.min(0.2, 0.8 * sine(time, 80))),
  ),
  // A dead zone at zero, as some distortion has.
  good(
    'crossover.wav',
    wav(3, (time) => {
      const value = 0.5 * sine(time, 80)
      return Math.abs(value) < 0.1 ? 0 : value - 0.1 * Math.sign(value)
    }),
  ),
  good(
    'quiet.wav',
    wav(
      3,
      torn((time, channel) => 0.01 * music(time, channel), PLACES, 0.01),
    ),
  ),
  good(
    'eight-bits.wav',
    wav(3, (time, channel) => Math.round(128 * music(time, channel)) / 128),
  ),
  good(
    'digital-silence.wav',
    wav(3, () => 0),
  ),
  good('click.wav', wav(3, clicking(music, [1.2], 0.4))),
  good(
    'slow.wav',
    wav(3, (time) => 0.5 * sine(time, 20)),
  ),
  ...[48 / RATE, 0.005, 1024 / RATE, 0.04].map((length) =>
    bad(`zero-${Math.round(length * RATE)}.wav`, wav(4, torn(music, PLACES, length))),
  ),
  ...[0.002, 0.01, 1024 / RATE].map((length) =>
    bad(`held-${Math.round(length * RATE)}.wav`, wav(4, torn(music, PLACES, length, { held: true }))),
  ),
  bad('right-only.wav', wav(4, torn(music, PLACES, 0.01, { channel: 1 }))),
  bad('once.wav', wav(4, torn(music, [2.41], 0.01))),
  bad('many.wav', wav(4, torn(music, [0.21, 0.73, 1.13, 1.77, 2.41, 2.93, 3.61], 0.006))),
  bad(
    'tone.wav',
    wav(
      4,
      torn((time) => 0.25 * sine(time, 1000), [1.00031], 0.01),
    ),
  ),
  bad(
    'drums-and-music.wav',
    wav(
      4,
      torn((time, channel) => 0.5 * drum(time, channel) + music(time, channel), PLACES, 0.01),
    ),
  ),
  bad('lossless.flac', coded({ codec: 'flac', seconds: 4, sample: torn(music, PLACES, 0.01) })),
  bad('frame-of-24.wav', wav(4, torn(music, PLACES, 1 / 24))),
  bad('longer-pauses.wav', wav(4, torn(music, PLACES, 0.08)), { thresholds: { pause_seconds: 0.1 } }),
]
