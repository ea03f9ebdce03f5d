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
