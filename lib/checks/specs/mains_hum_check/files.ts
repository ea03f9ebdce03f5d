import type { Sample } from '@/fixtures/audio'
import { coded, decibels, drum, music, noise, pulses, sine, square, wav } from '../audio-files'
import { bad, good } from '../files'

/** Syllables on a gliding pitch with pauses between them, in a room that is not quite still. */
const voice: Sample = (time, channel) => {
  const since = time % 0.32
  const isPause = time % 3.2 > 1.9
  const loud = isPause ? 0 : Math.sin((Math.PI * since) / 0.32) ** 2
  const turns = 165 * time + 3 * Math.sin(2 * Math.PI * 0.7 * time)
  const tones = [1, 2, 3, 4, 5, 6, 9].reduce((sum, n) => sum + Math.sin(2 * Math.PI * turns * n) / n, 0)
  return 0.15 * loud * tones + 0.0005 * noise(time, channel)
}

const KINDS: Record<'sine' | 'second' | 'buzz', readonly number[]> = {
  sine: [1],
  second: [0, 1],
  buzz: [0.8, 0.5, 0.33],
}

/** Hum of this level, root mean square, dBFS. */
const hum = (mains: number, level: number, kind: keyof typeof KINDS): Sample => {
  const parts = KINDS[kind]
  const whole = Math.sqrt(parts.reduce((sum, part) => sum + part ** 2, 0))
  return (time) =>
    (decibels(level) * Math.SQRT2 * parts.reduce((sum, part, n) => sum + part * sine(time, mains * (n + 1), n), 0)) /
    whole
}
const plus =
  (...samples: readonly Sample[]): Sample =>
  (time, channel) =>
    samples.reduce((sum, sample) => sum + sample(time, channel), 0)
const during =
  (sample: Sample, from: number, to: number): Sample =>
  (time, channel) =>
    time >= from && time < to ? sample(time, channel) : 0

/** Notes of a bass, each struck and dying away. */
const bass = (hertz: number, length: number): Sample => {
  return (time) => {
    const since = time % length
    return (
      0.3 * Math.exp((-1.5 * since) / length) * [1, 2, 3].reduce((sum, n) => sum + sine(time, hertz * n) / n ** 2, 0)
    )
  }
}
const held =
  (hertz: number): Sample =>
  (time) =>
    0.05 * [1, 2, 3].reduce((sum, n) => sum + sine(time, hertz * n) / n, 0)

export const FILES = [
  good('voice.wav', wav(12, voice)),
  good('music.wav', wav(12, music)),
  good('music-bass.wav', wav(12, plus(music, bass(50, 0.5)))),
  // The notes G1, B1, G2 and B2, struck, and held under a voice for the whole of it.
  ...[49, 61.74, 98, 123.47].map((hertz) => good(`bass-${hertz}.wav`, wav(12, plus(voice, bass(hertz, 0.5))))),
  ...[49, 61.74, 98, 123.47].map((hertz) => good(`held-${hertz}.wav`, wav(12, plus(voice, held(hertz))))),
  ...[50, 60, 100].map((hertz) => good(`struck-${hertz}.wav`, wav(12, plus(voice, bass(hertz, 1))))),
  ...[0.25, 0.5, 0.67].map((length) => good(`struck-every-${length}.wav`, wav(12, plus(voice, bass(50, length))))),
  // Tones by themselves.
  ...[50, 60, 100, 120].map((hertz) =>
    good(
      `tone-${hertz}.wav`,
      wav(12, (time) => 0.1 * sine(time, hertz)),
    ),
  ),
  ...[50, 60, 100].map((hertz) => good(`square-${hertz}.wav`, wav(12, square(hertz, 0.1)))),
  ...[50, 60].map((hertz) => good(`pulses-${hertz}.wav`, wav(12, pulses(hertz, 0.02)))),
  good(
    'tone-before.wav',
    wav(
      20,
      plus(
        during((time) => 0.1 * sine(time, 100), 0, 8),
        during(voice, 9, 20),
      ),
    ),
  ),
  good('drums.wav', wav(12, plus(drum, voice))),
  good(
    'kick-50.wav',
    wav(
      12,
      (time) =>
        0.6 * Math.exp(-6 * (time % 0.5)) * sine(time % 0.5, 50) +
        0.1 * noise(time) * Math.exp(-40 * ((time + 0.25) % 0.5)),
    ),
  ),
  good('below.wav', wav(12, plus(voice, hum(50, -66, 'buzz')))),
  good('short.wav', wav(12, plus(voice, during(hum(50, -40, 'buzz'), 3, 6)))),
  good('allowed.wav', wav(12, plus(voice, hum(50, -45, 'buzz'))), { thresholds: { max_level_dbfs: -40 } }),
  ...([50, 60] as const).flatMap((mains) =>
    (['sine', 'second', 'buzz'] as const).map((kind) =>
      bad(`hum-${mains}-${kind}.wav`, wav(12, plus(voice, hum(mains, -45, kind)))),
    ),
  ),
  ...[49.95, 60.08].map((mains) => bad(`off-${mains}.wav`, wav(12, plus(voice, hum(mains, -45, 'sine'))))),
  ...[-30, -55].map((level) => bad(`level${level}.wav`, wav(12, plus(voice, hum(50, level, 'buzz'))))),
  bad(
    'right-only.wav',
    wav(12, (time, channel) => voice(time, channel) + (channel === 1 ? hum(50, -45, 'buzz')(time, channel) : 0)),
  ),
  bad('part.wav', wav(24, plus(voice, during(hum(50, -45, 'buzz'), 6, 15)))),
  bad('coded.m4a', coded({ seconds: 12, bitRate: 128_000, sample: plus(voice, hum(50, -45, 'buzz')) })),
  bad('rate-44100.wav', wav(12, plus(voice, hum(50, -45, 'buzz')), { rate: 44_100 })),
]
