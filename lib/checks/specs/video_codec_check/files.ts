import type { VideoTrack } from '@/fixtures/video'
import { bad, good } from '../files'
import { clip } from '../video-files'

const codec = (name: NonNullable<VideoTrack['codec']>, more: Partial<VideoTrack> = {}) =>
  clip({ frames: 12, codec: name, ...more })
const web = { thresholds: { codecs: ['h264'] } }
const high = { thresholds: { profiles: ['High'] } }
const shared = { thresholds: { pixel_formats: ['yuv420p'] } }
const master = { thresholds: { codecs: ['prores'], profiles: ['HQ'] } }
const prores = (profile: string) => codec('prores', { pixels: 'yuv422p10', options: { profile } })

export const FILES = [
  good('h264.mp4', codec('h264'), web),
  good('h264.mkv', codec('h264'), web),
  good('high.mp4', codec('h264', { options: { profile: 'high' } }), high),
  good('full-range.mp4', codec('h264'), shared),
  good('master.mov', prores('hq'), master),
  bad('hevc.mp4', codec('hevc'), web),
  bad('vp9.webm', codec('vp9'), web),
  bad('mpeg4.mp4', codec('mpeg4'), web),
  bad('baseline.mp4', codec('h264', { options: { profile: 'baseline' } }), high),
  bad('full-colour.mp4', codec('h264', { pixels: 'yuv444p' }), shared),
  bad('ten-bits.mp4', codec('h264', { pixels: 'yuv422p10' }), shared),
  bad('proxy.mov', prores('proxy'), master),
]
