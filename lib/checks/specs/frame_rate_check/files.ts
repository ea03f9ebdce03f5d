import type { VideoTrack } from '@/fixtures/video'
import { bad, good, sharing } from '../files'
import { clip } from '../video-files'

const rate = (numerator: number, denominator = 1, more: Partial<VideoTrack> = {}) =>
  clip({ rate: [numerator, denominator], ...more })

// Every tenth frame stays twice as long.
const uneven = Array.from({ length: 50 }, (_, index) => (index + Math.floor(index / 10)) * 3600)
const named = { template: '{title}_{fps}.{ext}', thresholds: {} }

export const FILES = sharing({ thresholds: { rates: [25, 29.97] } }, [
  good('25.mp4', rate(25)),
  good('29.97.mp4', rate(30_000, 1001)),
  good('29.97.mov', rate(30_000, 1001, { codec: 'prores', pixels: 'yuv422p10' })),
  // Matroska counts in milliseconds: frames come after 33 or 34 of them.
  good('29.97.webm', rate(30_000, 1001, { codec: 'vp9', frames: 40 }), { onceWrong: true }),
  good('reordered.mp4', rate(25, 1, { options: { 'x264-params': 'bframes=3:b-adapt=0' } })),
  good('spot_30.mp4', rate(30_000, 1001), named),
  bad('30.mp4', rate(30)),
  bad('24.mp4', rate(24)),
  bad('30.webm', rate(30, 1, { codec: 'vp9' })),
  bad('uneven.mp4', rate(25, 1, { times: uneven }), { thresholds: {} }),
  bad('spot_25.mp4', rate(24), named),
])
