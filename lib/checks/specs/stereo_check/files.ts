import { coded, decibels, music, sine, tone, wav } from '../audio-files'
import { bad, good } from '../files'
import { clip } from '../video-files'

const wide = (time: number, channel: number) => 0.2 * sine(time, channel === 0 ? 440 : 660)
const leaning = (db: number) => (time: number, channel: number) =>
  wide(time, channel) * (channel === 0 ? 1 : decibels(-db))
/** A mix on both channels alike, which coding makes differ by about -32 dB. */
const dual = (time: number) => music(time, 0)
/** A mix whose sides lie 14 dB below its middle. */
const narrow = (time: number, channel: number) => dual(time) + (channel === 0 ? 0.2 : -0.2) * music(time + 7, 0)
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
  good('dual-mix.mp4', clip({}, [{ seconds: 4, sample: dual }]), mono),
  good('narrow.mp4', clip({}, [{ seconds: 4, sample: narrow }]), mix),
  good('wide.mp4', clip({}, [{ seconds: 2, sample: wide }]), mix),
  bad('left.wav', wav(2, left)),
  bad('right.wav', wav(2, right)),
  bad('left.mp4', clip({}, [{ seconds: 2, sample: left }])),
  bad('leaning-far.wav', wav(2, leaning(20.5))),
  bad('dual-where-mix.wav', wav(2, tone), mix),
  bad('dual-where-mix.mp3', coded({ codec: 'mp3', seconds: 2, sample: tone }), mix),
  bad('dual-mix-where-mix.mp4', clip({}, [{ seconds: 4, sample: dual }]), mix),
  bad('narrow-where-dual.mp4', clip({}, [{ seconds: 4, sample: narrow }]), mono),
  bad('mix-where-dual.wav', wav(2, wide), mono),
]
