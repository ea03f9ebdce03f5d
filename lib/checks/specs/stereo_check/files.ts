import { coded, decibels, sine, tone, wav } from '../audio-files'
import { bad, good } from '../files'
import { clip } from '../video-files'

const wide = (time: number, channel: number) => 0.2 * sine(time, channel === 0 ? 440 : 660)
const leaning = (db: number) => (time: number, channel: number) =>
  wide(time, channel) * (channel === 0 ? 1 : decibels(-db))
const left = (time: number, channel: number) => (channel === 0 ? tone(time, 0) : 0)
const right = (time: number, channel: number) => (channel === 1 ? tone(time, 0) : 0)
const mono = { thresholds: { dual_mono: 'required' } }
const mix = { thresholds: { dual_mono: 'forbidden' } }

export const FILES = [
  good('wide.wav', wav(2, wide), mix),
  good('leaning.wav', wav(2, leaning(19.5))),
  good('voice.wav', wav(2, tone)),
  good('dual.wav', wav(2, tone), mono),
  good('dual.mp3', coded({ codec: 'mp3', seconds: 2, sample: tone }), mono),
  good('dual.mp4', clip({}, [{ seconds: 2, sample: tone }]), mono),
  good('wide.mp4', clip({}, [{ seconds: 2, sample: wide }]), mix),
  bad('left.wav', wav(2, left)),
  bad('right.wav', wav(2, right)),
  bad('left.mp4', clip({}, [{ seconds: 2, sample: left }])),
  bad('leaning-far.wav', wav(2, leaning(20.5))),
  bad('dual-where-mix.wav', wav(2, tone), mix),
  bad('dual-where-mix.mp3', coded({ codec: 'mp3', seconds: 2, sample: tone }), mix),
  bad('mix-where-dual.wav', wav(2, wide), mono),
]
