import type { AudioTrack } from '@/fixtures/video'
import { bad, good, label } from '../files'
import { clip } from '../video-files'

const pcm = (seconds: number): AudioTrack => ({ codec: 'pcm', seconds })

export const FILES = [
  ...[2, 1.91, 2.09, 1.88, 2.12, 1, 3].map((seconds) =>
    label(Math.abs(seconds - 2) > 0.1)(`audio-${seconds}.mov`, clip({}, [pcm(seconds)])),
  ),
  good('padding.mp4', clip({}, [{ seconds: 2 }])),
  bad('second-track.mov', clip({}, [pcm(2), pcm(1.5)])),
]
