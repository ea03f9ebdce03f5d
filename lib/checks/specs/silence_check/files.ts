import { scene, writeMedia } from '@/fixtures/video'
import { decibels, sine, wav } from '../audio-files'
import { bad, good, label } from '../files'
import { during } from '../video-files'

const gap = (seconds: number) => wav(8, (time) => (time >= 1 && time < 1 + seconds ? 0 : 0.2 * sine(time)))

export const FILES = [
  good('under-black.mp4', (file) =>
    writeMedia(file, {
      video: { frames: 125, paint: (frame, x, y) => (during(frame, 1, 3) ? 16 : scene(frame, x, y)) },
      audio: [{ seconds: 5, sample: (time) => (time >= 1 && time < 4 ? 0 : 0.2 * sine(time)) }],
    }),
  ),
  bad('under-video.mp4', (file) =>
    writeMedia(file, {
      video: { frames: 125 },
      audio: [{ seconds: 5, sample: (time) => (time >= 1 && time < 4 ? 0 : 0.2 * sine(time)) }],
    }),
  ),
  ...[0, 1, 1.9, 2.1, 3, 6].map((seconds) => label(seconds > 2)(`gap${seconds}.wav`, gap(seconds))),
  good(
    'quiet-58.wav',
    wav(6, (time) => decibels(-58) * sine(time)),
  ),
  bad(
    'quiet-62.wav',
    wav(6, (time) => decibels(-62) * sine(time)),
  ),
  // One channel goes on: the track is not silent.
  good(
    'one-side.wav',
    wav(6, (time, channel) => (channel === 0 ? 0.2 * sine(time) : 0)),
  ),
  bad(
    'tail.wav',
    wav(6, (time) => (time > 3.5 ? 0 : 0.2 * sine(time))),
  ),
]
