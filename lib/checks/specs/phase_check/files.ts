import { sine, wav } from '../audio-files'
import { bad, good, label } from '../files'

const turned = (degrees: number) => {
  const shift = (degrees * Math.PI) / 180
  return wav(5, (time, channel) => 0.3 * sine(time, 440, channel === 1 ? shift : 0))
}

// The correlation of two sines is the cosine of what lies between them: -0.3 at 107.5°.
export const FILES = [
  ...[0, 60, 90, 106, 109, 150, 180].map((degrees) => label(degrees > 107.5)(`phase${degrees}.wav`, turned(degrees))),
  good(
    'effect.wav',
    wav(8, (time, channel) => 0.3 * sine(time, 440) * (channel === 1 && time >= 3 && time < 4 ? -1 : 1)),
  ),
  bad(
    'against-for-three.wav',
    wav(12, (time, channel) => 0.3 * sine(time, 440) * (channel === 1 && time >= 3 && time < 6 ? -1 : 1)),
  ),
]
