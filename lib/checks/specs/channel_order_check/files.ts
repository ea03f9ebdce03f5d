import type { Sample } from '@/fixtures/audio'
import { coded, decibels, music, noise, sine, wav } from '../audio-files'
import { bad, good } from '../files'

type Part = Sample

const scored: Part = (time, channel) => music(time, channel % 2)
/** Vowels, and a hiss at the end of each. */
const voice: Part = (time) => {
  const vowel = [1, 2, 3, 4, 5, 8, 13].reduce((sum, n) => sum + sine(time, 120 * n) / n ** 0.8, 0)
  return Math.max(0, sine(time, 1.5)) * 0.1 * vowel + (sine(time, 1.5) < -0.8 ? 0.02 * noise(time) : 0)
}
const room: Part = (time, channel) => 0.02 * noise(time, channel % 2) + 0.2 * music(time + 0.3, channel % 2)
const rumble: Part = (time) => 0.2 * (sine(time, 40) + 0.5 * sine(time, 67 + sine(time, 0.2)))
const still: Part = () => 0

const mix =
  (...parts: readonly Part[]): Sample =>
  (time, channel) =>
    (parts[channel] as Part)(time, channel)
const MASK = { 6: 0x3f, 8: 0x63f } as const
const surround = (...parts: readonly Part[]) =>
  wav(4, mix(...parts), { channels: parts.length, mask: MASK[parts.length as 6 | 8] })

/** Its fourth channel keeps low frequencies only, whatever was in it. */
const aac = (...parts: readonly [Part, Part, Part, Part, Part, Part]) =>
  coded({ codec: 'aac', seconds: 4, channels: 6, bitRate: 384_000, sample: mix(...parts) })

export const FILES = [
  good('order.wav', surround(scored, scored, voice, rumble, room, room)),
  good('order-side.wav', wav(4, mix(scored, scored, voice, rumble, room, room), { channels: 6, mask: 0x60f })),
  good('order-71.wav', surround(scored, scored, voice, rumble, room, room, room, room)),
  good('order-unstated.wav', wav(4, mix(scored, scored, voice, rumble, room, room), { channels: 6 })),
  good('silent-surrounds.wav', surround(scored, scored, voice, rumble, still, still)),
  good(
    'faint-noise.wav',
    surround(scored, scored, voice, (time) => 0.05 * rumble(time, 3) + decibels(-90) * noise(time), room, room),
  ),
  good(
    'upper-end.wav',
    surround(scored, scored, voice, (time) => 0.2 * sine(time, 120), room, room),
  ),
  // A bass in the surrounds, while the effects are where they belong.
  good(
    'low-surround.wav',
    surround(scored, scored, voice, rumble, (time) => 0.1 * sine(time, 110), room),
  ),
  // Tones by which channels are identified (EBU Tech 3304, BLITS): a low one where the effects are.
  good(
    'blits.wav',
    surround(
      ...[880, 880, 1320, 82.5, 660, 660].map(
        (hertz): Part =>
          (time) =>
            0.1 * sine(time, hertz),
      ),
    ),
  ),
  bad('film-order.wav', surround(scored, voice, scored, room, room, rumble)),
  bad('film-order-unstated.wav', wav(4, mix(scored, voice, scored, room, room, rumble), { channels: 6 })),
  bad('voice-in-effects.wav', surround(scored, scored, rumble, voice, room, room)),
  bad('music-in-effects.wav', surround(scored, scored, voice, scored, room, room)),
  bad('last-of-71.wav', surround(scored, scored, voice, room, room, room, room, rumble)),
  good('order.m4a', aac(scored, scored, voice, rumble, room, room)),
  bad('film-order.m4a', aac(scored, voice, scored, room, room, rumble)),
  bad('swapped.m4a', aac(scored, scored, rumble, voice, room, room)),
  bad('first.wav', surround(rumble, scored, scored, voice, room, room)),
]
