import { bad, good } from '../files'
import { clip } from '../video-files'

/** Encoders place key frames where they are told to: x264 and x265 with every other decision switched off. */
const h264 = (every: number, isOpen = false) =>
  clip({
    frames: 60,
    options: {
      'x264-params': `keyint=${every}:min-keyint=${every}:scenecut=0:bframes=2:b-adapt=0:open-gop=${isOpen ? 1 : 0}`,
    },
  })
const hevc = (every: number, isOpen = false) =>
  clip({
    codec: 'hevc',
    frames: 60,
    options: {
      'x265-params': `log-level=none:keyint=${every}:min-keyint=${every}:scenecut=0:bframes=2:b-adapt=0:open-gop=${isOpen ? 1 : 0}`,
    },
  })
const prores = clip({ codec: 'prores', pixels: 'yuv422p10', frames: 12 })
const closed = { thresholds: { structure: 'closed' } }
const intra = { thresholds: { structure: 'intra' } }

export const FILES = [
  good('closed.mp4', h264(12), closed),
  good('closed.mov', hevc(12), closed),
  good('one-group.mp4', h264(250), closed),
  good('as-long-as-allowed.mp4', h264(25), { thresholds: { max_seconds: 1, max_frames: 25 } }),
  good('by-itself.mov', prores, intra),
  good(
    'by-itself.mxf',
    clip({ codec: 'prores', pixels: 'yuv422p10', frames: 12, metadata: { timecode: '10:00:00:00' } }),
    intra,
  ),
  good('by-itself.mp4', h264(1), intra),
  bad('open.mp4', h264(12, true), closed),
  bad('open-hevc.mp4', hevc(12, true), closed),
  bad('a-frame-too-long.mp4', h264(26), { thresholds: { max_seconds: 1 } }),
  bad('a-frame-too-many.mp4', h264(26), { thresholds: { max_frames: 25 } }),
  bad('one-long-group.mp4', h264(250), { thresholds: { max_seconds: 2 } }),
  bad('leaning.mp4', h264(12), intra),
]
