import { clicking, coded, drum, music, noise, pulses, RATE, sine, square, torn, wav } from '../audio-files'
import { bad, good } from '../files'

const PLACES = [0.93, 1.71, 2.29]

export const FILES = [
  good('music.wav', wav(4, music)),
  good('music.m4a', coded({ seconds: 4, sample: music, bitRate: 128_000 })),
  good('drums.wav', wav(4, drum)),
  good(
    'drums-in-music.wav',
    wav(4, (time, channel) => 0.5 * drum(time, channel) + music(time, channel)),
  ),
  good(
    'sticks.wav',
    wav(4, (time, channel) => 0.3 * music(time, channel) + 0.6 * noise(time, channel) * Math.exp(-400 * (time % 0.5))),
  ),
  good('cut-hard.wav', wav(4, torn(music, [1.13], 0.4))),
  good(
    'starts-at-once.wav',
    wav(4, (time) => (time > 1 && time < 3 ? 0.5 * Math.cos(2 * Math.PI * 300 * time) : 0)),
  ),
  good(
    'phase-turned.wav',
    wav(4, (time) => (time < 2 ? 0.4 : -0.4) * sine(time + 0.0003, 440)),
  ),
  ...[30, 50, 100, 440].map((hertz) => good(`square-${hertz}.wav`, wav(3, square(hertz)))),
  ...[40, 100, 440].map((hertz) => good(`pulses-${hertz}.wav`, wav(3, pulses(hertz, hertz / RATE)))),
  good(
    'impulses-in-silence.wav',
    wav(
      4,
      clicking(() => 0, PLACES, 0.9),
    ),
  ),
  good(
    'noise.wav',
    wav(4, (time, channel) => 0.3 * noise(time, channel)),
  ),
  // A gust of loud noise above a tone.
  good(
    'gust.wav',
    wav(4, (time, channel) => 0.3 * sine(time, 200) + (time > 2 && time < 2.3 ? 0.4 * noise(time, channel) : 0)),
  ),
  good(
    'eight-bits.wav',
    wav(3, (time, channel) => Math.round(128 * music(time, channel)) / 128),
  ),
  good(
    'clipped.wav',
    wav(3, (time) => Math.max(-1, Math.min(1, 4 * sine(time, 440)))),
  ),
  good(
    'slow.wav',
    wav(3, (time) => 0.5 * sine(time, 20)),
  ),
  good(
    'faint.wav',
    wav(
      4,
      clicking((time) => 0.2 * sine(time, 200), PLACES, 0.015),
    ),
  ),
  ...[1, 2, 3].map((width) => bad(`click-${width}.wav`, wav(4, clicking(music, PLACES, 0.4, width)))),
  bad('click-down.wav', wav(4, clicking(music, PLACES, -0.4))),
  bad('once.wav', wav(4, clicking(music, [2.29], 0.4))),
  bad('every-second.wav', wav(6, clicking(music, [0.73, 1.73, 2.73, 3.73, 4.73], 0.4))),
  bad(
    'in-tone.wav',
    wav(
      4,
      clicking((time) => 0.2 * sine(time, 200), PLACES, 0.05),
    ),
  ),
  bad(
    'lost-sample.wav',
    wav(4, (time) => (Math.round(time * RATE) % 30_030 === 0 ? 0 : 0.5 * Math.cos(2 * Math.PI * 200 * time))),
  ),
  bad(
    'left-only.wav',
    wav(4, (time, channel) => (channel === 0 ? clicking(music, PLACES, 0.4)(time, channel) : music(time, channel))),
  ),
  bad('lossless.flac', coded({ codec: 'flac', seconds: 4, sample: clicking(music, PLACES, 0.4) })),
  bad(
    'full-scale.wav',
    wav(4, (time) => (Math.round(time * RATE) % 9600 === 100 ? 1 : 0.3 * sine(time, 440))),
  ),
]
