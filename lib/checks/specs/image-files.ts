import { writeFileSync } from 'node:fs'
import sharp, { type Sharp } from 'sharp'
import { encode } from 'uqr'
import { type Paint, png } from '@/fixtures/images'
import { normalFrom, randomFrom } from '@/fixtures/random'

export const bytes = (make: () => Buffer | Promise<Buffer>) => async (file: string) => writeFileSync(file, await make())

/** A motif: soft discs on a gradient, other ones for every seed; as much of a photo as the checks need. */
export function motif(seed: number, width: number, height: number): Paint {
  const random = randomFrom(seed)
  const discs = Array.from({ length: 9 }, () => ({
    x: random() * width,
    y: random() * height,
    radius: (0.08 + 0.2 * random()) * Math.min(width, height),
    colour: [random() * 255, random() * 255, random() * 255],
  }))
  return (x, y) => {
    let pixel = [60 + (120 * x) / width, 90 + (90 * y) / height, 140 - (60 * x) / width]
    for (const disc of discs) {
      const edge = disc.radius - Math.hypot(x - disc.x, y - disc.y)
      const share = Math.min(1, Math.max(0, edge + 0.5))
      if (share > 0) pixel = pixel.map((value, channel) => value + share * ((disc.colour[channel] ?? 0) - value))
    }
    return pixel
  }
}

export const samples = (width: number, height: number, paint: Paint): Buffer => {
  const channels = paint(0, 0).length
  const data = Buffer.alloc(width * height * channels)
  for (let y = 0, at = 0; y < height; y++) {
    for (let x = 0; x < width; x++) for (const value of paint(x, y)) data[at++] = Math.round(value)
  }
  return data
}

/** For encoders of other libraries. */
export function drawn(width: number, height: number, paint: Paint): Sharp {
  return sharp(samples(width, height, paint), { raw: { width, height, channels: paint(0, 0).length as 1 | 3 | 4 } })
}

/** A photo with grain, of the same samples every time. */
export function photo(seed: number, width: number, height: number, grain = 6): Paint {
  const scene = motif(seed, width, height)
  const normal = normalFrom(seed)
  const noise = Float32Array.from({ length: width * height }, () => normal() * grain)
  return (x, y) => scene(x, y).map((value) => Math.min(255, Math.max(0, value + (noise[y * width + x] ?? 0))))
}

/** A photo as a JPEG that other files can hold. */
export const photoJpeg = (width: number, height: number) =>
  drawn(width, height, photo(6, width, height))
    .jpeg({ quality: 85 })
    .toBuffer()

export const plain = (width: number, height: number) => bytes(() => png(width, height, motif(1, width, height)))

export const jpeg = (width: number, height: number) =>
  drawn(width, height, motif(2, width, height)).jpeg({ quality: 90 })

/** A code as vector paths, by another library than the one that reads it. */
export function codeDrawing(text: string, side: number): Buffer {
  const { data, size } = encode(text, { border: 4 })
  const modules = data
    .flatMap((row, y) => row.map((dark, x) => (dark ? `<path d="M${x} ${y}h1v1h-1z"/>` : '')))
    .join('')
  return Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${side}" height="${side}" viewBox="0 0 ${size} ${size}"><rect width="${size}" height="${size}" fill="#fff"/>${modules}</svg>`,
  )
}
