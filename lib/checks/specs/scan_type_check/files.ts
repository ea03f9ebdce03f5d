import type { VideoTrack } from '@/fixtures/video'
import { bad, good } from '../files'
import { clip } from '../video-files'

const coded = (fields?: VideoTrack['fields']) =>
  clip({
    frames: 12,
    ...(fields && { fields, options: { 'x264-params': fields === 'top first' ? 'tff=1' : 'bff=1' } }),
  })
const wants = (wanted: string, field_order = 'any') => ({ thresholds: { wanted, field_order } })

export const FILES = [
  good('progressive.mp4', coded()),
  good('progressive.webm', clip({ frames: 12, codec: 'vp9' })),
  good('master.mov', clip({ frames: 12, codec: 'prores', pixels: 'yuv422p10' })),
  good('top-first.mp4', coded('top first'), wants('interlaced', 'tff')),
  good('bottom-first.mp4', coded('bottom first'), wants('any', 'bff')),
  good('either.mp4', coded(), wants('any', 'tff')),
  bad('interlaced.mp4', coded('top first')),
  bad('interlaced-bottom.mp4', coded('bottom first')),
  bad('wrong-order.mp4', coded('bottom first'), wants('interlaced', 'tff')),
  bad('not-interlaced.mp4', coded(), wants('interlaced')),
]
