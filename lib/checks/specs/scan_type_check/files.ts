import type { VideoTrack } from '@/fixtures/video'
import { bad, good } from '../files'
import { clip } from '../video-files'

const coded = (fields?: VideoTrack['fields']) =>
  clip({
    frames: 12,
    ...(fields && { fields, options: { 'x264-params': fields === 'top first' ? 'tff=1' : 'bff=1' } }),
  })
/** A scene that moves evenly, half a frame further in every second line: what a camera of two fields sees. */
const fields =
  (first: 'top' | 'bottom' | null, speed = 3) =>
  (frame: number, x: number, y: number) => {
    const time = first === null ? frame : frame + ((y % 2 === 0) === (first === 'top') ? 0 : 0.5)
    return 120 + 50 * Math.sin((x + speed * time) / 5) + 40 * Math.sin((x - 2 * speed * time + 2 * y) / 11)
  }
const filmed = (first: 'top' | 'bottom' | null, stated: VideoTrack['fields'] | null, more: Partial<VideoTrack> = {}) =>
  clip({
    width: 320,
    height: 180,
    frames: 30,
    paint: fields(first),
    ...(stated && { fields: stated, options: { 'x264-params': stated === 'top first' ? 'tff=1' : 'bff=1' } }),
    ...more,
  })
const master = (first: 'top' | 'bottom', stated: NonNullable<VideoTrack['fields']>) =>
  filmed(first, stated, { codec: 'prores', pixels: 'yuv422p10', options: { flags: '+ildct' } })
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
  good('filmed.mp4', filmed(null, null)),
  good('still.mp4', clip({ frames: 12, paint: (_frame, x, y) => (x * 3 + y * 5) % 200 })),
  good('fields-top.mp4', filmed('top', 'top first'), wants('interlaced', 'tff')),
  good('fields-bottom.mp4', filmed('bottom', 'bottom first'), wants('interlaced', 'bff')),
  good('fields-slow.mp4', filmed('top', 'top first', { paint: fields('top', 1) }), wants('interlaced', 'tff')),
  good('master-top.mov', master('top', 'top first'), wants('interlaced', 'tff')),
  good('master-bottom.mov', master('bottom', 'bottom first'), { ...wants('interlaced', 'bff'), onceWrong: true }),
  bad('fields-unmarked.mp4', filmed('top', null), { onceWrong: true }),
  bad('fields-unmarked-bottom.mp4', filmed('bottom', null)),
  bad('fields-unmarked-slow.mp4', filmed('top', null, { paint: fields('top', 1) })),
  bad('fields-unmarked.webm', filmed('top', null, { codec: 'vp9' })),
  bad('fields-turned-round.mp4', filmed('bottom', 'top first'), wants('interlaced', 'tff')),
  bad('master-bottom-unwanted.mov', master('bottom', 'bottom first'), wants('interlaced', 'tff')),
  bad('unmarked-for-broadcast.mp4', filmed('top', null), wants('interlaced', 'tff')),
]
