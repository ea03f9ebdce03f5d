import { type AudioTrack, type Painter, type VideoTrack, writeMedia } from '@/fixtures/video'

export const VIDEO = { width: 320, height: 180, framesPerSecond: 25 }

/** Small videos for checks that do not inspect the frames. */
const SMALL = { width: 96, height: 64 }

export const video = (seconds: number, paint: Painter) => (file: string) =>
  writeMedia(file, { video: { frames: Math.round(seconds * VIDEO.framesPerSecond), paint } })

export const clip =
  (video: Partial<VideoTrack> = {}, audio: readonly AudioTrack[] = [], options?: Record<string, string>) =>
  (file: string) =>
    writeMedia(file, { video: { ...SMALL, frames: 50, ...video }, audio, ...(options && { options }) })

export const during = (frame: number, from: number, seconds: number) =>
  frame >= Math.round(from * 25) && frame < Math.round((from + seconds) * 25)

type Colour = readonly [luma: number, u: number, v: number]
/** 75 % bars of BT.601 in codes of 8 bits, from white to black (EBU). */
export const EBU: readonly Colour[] = [
  [180, 128, 128],
  [162, 44, 142],
  [131, 156, 44],
  [112, 72, 58],
  [84, 184, 198],
  [65, 100, 212],
  [35, 212, 114],
  [16, 128, 128],
]
export const stripes =
  (colours: readonly Colour[], lower?: Colour): Painter =>
  (_, x, y) =>
    lower && y > 120 ? lower : (colours[Math.floor((x * colours.length) / 320)] ?? [16, 128, 128])
