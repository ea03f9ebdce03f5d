import { coded, decibels, RATE, sine, wav } from '../audio-files'
import { bad, good } from '../files'
import { clip } from '../video-files'

/** As a session of so many bits renders it, whatever it is saved with. */
const rendered = (bits: number) => (time: number) => {
  const steps = 2 ** (bits - 1)
  return Math.round((0.3 * sine(time) + 0.1 * sine(time, 1311)) * steps) / steps
}
const quiet = (time: number) => decibels(-40) * sine(time, 440)
const in24 = { bits: 24 } as const

export const FILES = [
  good('master.wav', wav(2, rendered(24), in24)),
  good('quiet.wav', wav(2, quiet, in24)),
  good('cd.wav', wav(2, rendered(16))),
  good(
    'late.wav',
    wav(2, (time) => (time < 1.9 ? rendered(16)(time) : rendered(24)(time)), in24),
  ),
  good('coded.flac', coded({ codec: 'flac', seconds: 2 })),
  good('spot.mov', clip({}, [{ codec: 'pcm', seconds: 2 }])),
  bad('padded.wav', wav(2, rendered(16), in24)),
  bad('padded-20.wav', wav(2, rendered(20), in24)),
  bad('telephone.wav', wav(2, rendered(8), { rate: RATE })),
  bad('cd-where-24.wav', wav(2, rendered(16)), { thresholds: { min_bits: 24 } }),
  bad('spot-where-24.mov', clip({}, [{ codec: 'pcm', seconds: 2 }]), { thresholds: { min_bits: 24 } }),
]
