import { bad, good } from '../files'
import { clip } from '../video-files'

const tracks = (count: number) =>
  clip(
    { frames: 12 },
    Array.from({ length: count }, () => ({ seconds: 0.5 })),
  )
const rule = (rule: string, streams: number | null = null) => ({ thresholds: { rule, streams } })

export const FILES = [
  good('one.mp4', tracks(1), rule('required')),
  good('two.mp4', tracks(2), rule('required', 2)),
  good('none.mp4', tracks(0), rule('forbidden')),
  good('none-or-two.mp4', tracks(0), rule('any', 2)),
  bad('missing.mp4', tracks(0), rule('required')),
  bad('unwanted.mp4', tracks(1), rule('forbidden')),
  bad('one-of-two.mp4', tracks(1), rule('any', 2)),
  bad('three-of-two.mp4', tracks(3), rule('required', 2)),
]
