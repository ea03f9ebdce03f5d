import { decibels, RATE, sine, wav } from '../audio-files'
import { bad, good, label } from '../files'

/** Clipped at full scale, then made quieter by so many decibels. */
const quieter = (gain: number, by: number, hertz = 440) =>
  wav(2, (time) => decibels(-by) * Math.max(-1, Math.min(1, gain * sine(time, hertz))))

/** A limiter lets no sample pass its level, and rounds the tops. */
const limited = (level: number) => wav(2, (time) => level * Math.tanh(1.5 * sine(time, 440) + 0.4 * sine(time, 1310)))

export const FILES = [
  ...[0.5, 0.97, 1.1, 1.5, 4].map((gain) => label(gain > 1)(`quieter-gain${gain}.wav`, quieter(gain, 6))),
  ...[1, 3, 12, 20].map((by) => bad(`quieter-by-${by}.wav`, quieter(1.5, by))),
  bad('quieter-voice.wav', quieter(2, 4, 180)),
  bad(
    'quieter-passage.wav',
    wav(2, (time) =>
      time > 1 && time < 1.1 ? decibels(-4) * Math.max(-1, Math.min(1, 2 * sine(time, 440))) : 0.3 * sine(time, 440),
    ),
  ),
  // The tops of slow waves are flat without having been cut.
  ...[20, 50, 100, 1000, 12_000].map((hertz) =>
    good(
      `slow-${hertz}.wav`,
      wav(2, (time) => 0.5 * sine(time, hertz)),
    ),
  ),
  good('limited.wav', limited(0.5)),
  good(
    'quiet.wav',
    wav(2, (time) => 0.001 * sine(time, 440)),
  ),
  ...[0.5, 0.9, 0.99, 1.1, 1.5, 3].map((gain) =>
    label(gain > 1)(
      `gain${gain}.wav`,
      wav(2, (time) => gain * sine(time, 440)),
    ),
  ),
  // One sample at full scale is a peak, not a clipped top.
  good(
    'peak.wav',
    wav(2, (time) => (Math.round(time * RATE) % 9600 === 100 ? 1 : 0.3 * sine(time, 440))),
  ),
  bad(
    'once.wav',
    wav(2, (time) => (time > 1 && time < 1.002 ? 1 : 0.3 * sine(time, 440))),
  ),
]
