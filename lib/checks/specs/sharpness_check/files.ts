import { writeFileSync } from 'node:fs'
import sharp from 'sharp'
import { type Paint, png } from '@/fixtures/images'
import { drawLettering } from '@/fixtures/lettering'
import { normalFrom } from '@/fixtures/random'
import { bad, good } from '../files'
import { bytes, drawn } from '../image-files'

/** Convolution with a Gaussian, in floating point, edges repeated. */
function blurred(width: number, height: number, paint: Paint, sigma: number | ((x: number, y: number) => number)) {
  const widest = typeof sigma === 'number' ? sigma : 6
  const cached = new Map<number, readonly number[]>()
  const scene = (x: number, y: number) => {
    const [column, row] = [Math.min(width - 1, Math.max(0, x)), Math.min(height - 1, Math.max(0, y))]
    const key = row * width + column
    const found = cached.get(key) ?? paint(column, row)
    cached.set(key, found)
    return found
  }
  const radius = Math.ceil(widest * 3)
  const pass =
    (from: (x: number, y: number) => readonly number[], dx: number, dy: number): Paint =>
    (x, y) => {
      const spread = typeof sigma === 'number' ? sigma : sigma(x, y)
      if (spread < 0.1) return from(x, y)
      const sum = [0, 0, 0]
      let weights = 0
      for (let step = -radius; step <= radius; step++) {
        const weight = Math.exp((-step * step) / (2 * spread * spread))
        const pixel = from(x + step * dx, y + step * dy)
        for (let channel = 0; channel < 3; channel++)
          sum[channel] = (sum[channel] ?? 0) + weight * (pixel[channel] ?? 0)
        weights += weight
      }
      return sum.map((value) => value / weights)
    }
  const across = pass(scene, 1, 0)
  const rows = Array.from({ length: height }, (_, y) => Array.from({ length: width }, (_, x) => across(x, y)))
  return pass((x, y) => rows[Math.min(height - 1, Math.max(0, y))]?.[Math.min(width - 1, Math.max(0, x))] ?? [], 0, 1)
}

/** Hard edges of every direction: what a blur takes away. */
const contours: Paint = (x, y) => {
  const spoke = Math.floor(((Math.atan2(y - 80, x - 120) + Math.PI) / Math.PI) * 12) % 2
  const ring = Math.floor(Math.hypot(x - 60, y - 60) / 14) % 2
  return spoke === ring ? [30, 50, 70] : [220, 200, 180]
}

const soft = (sigma: number | ((x: number, y: number) => number)) =>
  bytes(() => png(240, 160, blurred(240, 160, contours, sigma)))

const enlarged = (times: number) =>
  bytes(() =>
    drawn(240, 160, contours)
      .resize(240 * times, 160 * times, { kernel: 'cubic' })
      .png()
      .toBuffer(),
  )
/** A photograph of sorts, much of it in soft steps, each of its pixels repeated so many times. */
const scene: Paint = (x, y) => {
  const shade = 120 + 40 * Math.sin(x / 3.1 + y / 7) + 30 * Math.sin(y / 2.3 - x / 11) + 15 * Math.sin((x * y) / 97)
  return [shade, shade * 0.9, 200 - shade / 2]
}
const repeated = (times: number, quality?: number) => async (file: string) => {
  const large = drawn(320, 240, scene).resize(320 * times, 240 * times, { kernel: 'nearest', fit: 'fill' })
  // Its size is taken before it is coded.
  const pixels = sharp(await large.png().toBuffer())
  await (quality ? pixels.jpeg({ quality }) : pixels.png()).toFile(file)
}

/** The same grain in every run, of this standard deviation; over all of an image, as that of film and sensors. */
const grained = (paint: Paint, deviation: number): Paint => {
  const normal = normalFrom(3)
  return (x, y) => {
    const grain = deviation * normal()
    return paint(x, y).map((value) => Math.min(255, Math.max(0, value + grain)))
  }
}
const grainy = (sigma: number, deviation: number) =>
  bytes(() => png(240, 160, grained(blurred(240, 160, contours, sigma), deviation)))

const face = (x: number, y: number) => (Math.hypot(x - 120, y - 80) < 34 ? 0 : 5)

const lettering =
  (times = 1, kernel: 'cubic' | 'linear' | 'lanczos3' = 'cubic') =>
  async (file: string) => {
    const set = await drawLettering(320, 120, [{ text: 'Summer sale', x: 20, y: 30, size: 30 }], '#ffffff')
    await sharp(set)
      .resize(320 * times, 120 * times, { kernel })
      .png()
      .toFile(file)
  }

export const FILES = [
  good('crisp.png', soft(0)),
  good('blur-0.6.png', soft(0.6)),
  good('blur-1.png', soft(1)),
  good('face.png', soft(face)),
  good(
    'photo.jpg',
    bytes(() =>
      drawn(240, 160, blurred(240, 160, contours, 0.6))
        .jpeg({ quality: 90 })
        .toBuffer(),
    ),
  ),
  good('lettering.png', lettering()),
  good('lettering-twice.png', lettering(2)),
  good('large-lettering.png', async (file) =>
    writeFileSync(file, await drawLettering(1280, 480, [{ text: 'Summer sale', x: 80, y: 120, size: 120 }], '#ffffff')),
  ),
  good('pale-lettering.png', async (file) =>
    writeFileSync(
      file,
      await drawLettering(640, 240, [{ text: 'Summer sale', x: 40, y: 60, size: 60, colour: '#999999' }], '#ffffff'),
    ),
  ),
  good('scene.png', repeated(1)),
  good('scene.jpg', repeated(1, 40)),
  good('scene-coarse.jpg', repeated(1, 20)),
  good('grain.png', grainy(0.6, 6)),
  bad('lettering-4.png', lettering(4), { onceWrong: true }),
  bad('lettering-4-linear.png', lettering(4, 'linear')),
  bad('lettering-5.png', lettering(5, 'lanczos3')),
  bad('repeated-2.png', repeated(2)),
  bad('repeated-2.5.png', repeated(2.5)),
  bad('repeated-3.jpg', repeated(3, 90)),
  bad('repeated-2.jpg', repeated(2, 80)),
  bad('repeated-4.jpg', repeated(4, 80)),
  bad('blur-2.png', soft(2)),
  bad('blur-3.png', soft(3)),
  bad('blur-6.png', soft(6)),
  bad('blur-4-faint-grain.png', grainy(4, 1)),
  bad('enlarged-6.png', enlarged(6)),
  bad(
    'photo-soft.jpg',
    bytes(() =>
      drawn(240, 160, blurred(240, 160, contours, 2.5))
        .jpeg({ quality: 90 })
        .toBuffer(),
    ),
  ),
]
