import { writeFileSync } from 'node:fs'
import { writeMedia } from '@/fixtures/video'
import { bad, good } from '../files'
import { image, WRITE } from '../whole-files'

const sized = { template: '{title}_{width}x{height}.{ext}' }
const timed = { template: '{title}_{duration}_{fps}.{ext}' }
const shaped = { template: '{title}_{ratio}.{ext}' }

const video = (frames: number, rate: readonly [number, number]) => (file: string) =>
  writeMedia(file, { video: { width: 96, height: 64, frames, rate } })
const drawing = (width: number, height: number) => (file: string) => writeFileSync(file, image(width, height))

export const FILES = [
  good('hero_300x250.png', drawing(300, 250), sized),
  good('spot_2s_25.mp4', video(50, [25, 1]), timed),
  good('spot-rounded_2s_29.97.mp4', video(72, [30_000, 1001]), timed),
  good('poster_4x5.png', drawing(400, 498), shaped),
  good('page_210x297.pdf', (file) => WRITE.pdf?.(file), { template: '{title}_{ratio}.{ext}' }),
  bad('hero_300x251.png', drawing(300, 250), sized),
  bad('hero_250x300.png', drawing(300, 250), sized),
  bad('spot_3s_25.mp4', video(50, [25, 1]), timed),
  bad('spot_2s_24.mp4', video(50, [25, 1]), timed),
  bad('spot-long_2s_25.mp4', video(64, [25, 1]), timed),
  bad('poster_5x4.png', drawing(400, 500), shaped),
  bad('poster-nearly_4x5.png', drawing(400, 494), shaped),
]
