import { RATE, sine, wav } from '../audio-files'
import { bad, good, label } from '../files'

export const FILES = [
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
