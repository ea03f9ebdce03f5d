import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import sharp, { type Sharp } from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hashDistance } from '@/lib/checks/hash-distance'
import { decodeImage } from '../decode/image'
import type { PixelFacts } from '../measurements'
import { inspectPixels } from './measure-image'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'pixels-'))
})
afterAll(() => rm(folder, { recursive: true }))

/** An image with edges, tones and text-like detail, the same on every run. */
function scene(width = 640, height = 480, seed = 1): Buffer {
  let state = seed
  const random = () => {
    state = (state * 1_103_515_245 + 12_345) & 0x7fffffff
    return state / 0x7fffffff
  }
  const shapes = Array.from({ length: 120 }, () => {
    const fill = `hsl(${random() * 360} ${30 + random() * 60}% ${20 + random() * 60}%)`
    return `<circle cx="${random() * width}" cy="${random() * height}" r="${(random() * width) / 12}" fill="${fill}"/>`
  })
  return Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="100%" height="100%" fill="#468"/>${shapes.join('')}</svg>`,
  )
}

let written = 0
async function measured(image: Sharp, format: 'png' | 'jpeg' = 'png', quality = 95): Promise<PixelFacts> {
  const file = path.join(folder, `${written++}.${format}`)
  await (format === 'png' ? image.png() : image.jpeg({ quality })).toFile(file)
  const facts = (await inspectPixels(file, 'image', `image/${format}`)).pixels ?? { failed: 'not inspected' }
  if ('failed' in facts) throw new Error(facts.failed)
  return facts
}

const plain = (background: string, width = 200, height = 100) =>
  sharp({ create: { width, height, channels: 4, background } })

describe('sharpness', () => {
  test('falls with every step of blur, across the threshold of the check', async () => {
    const base = await sharp(scene()).png().toBuffer()
    const values: number[] = []
    for (const sigma of [0, 1, 2, 4]) {
      const image = sigma === 0 ? sharp(base) : sharp(base).blur(sigma)
      values.push((await measured(image)).sharpness ?? 0)
    }
    expect(values).toEqual([...values].sort((a, b) => b - a))
    expect(values[1]).toBeGreaterThan(100)
    expect(values[2]).toBeLessThan(100)
  })

  test('is known from grain, which lies over all parts alike', async () => {
    const grey = { width: 256, height: 256, channels: 3 as const }
    const grain = sharp({
      create: { ...grey, background: '#808080', noise: { type: 'gaussian', mean: 128, sigma: 8 } },
    })
    const [noisy, sharpened] = [await measured(grain), await measured(sharp(scene()))]
    expect((noisy.grain ?? 0) / (noisy.sharpness ?? 0)).toBeGreaterThan(0.6)
    expect((sharpened.grain ?? 0) / (sharpened.sharpness ?? 0)).toBeLessThan(0.2)
  })

  test('is found in one sharp corner of a flat image', async () => {
    const logo = await sharp(scene(64, 64)).png().toBuffer()
    const facts = await measured(plain('#ffffff', 800, 600).composite([{ input: logo, left: 700, top: 500 }]))
    expect(facts.sharpness).toBeGreaterThan(100)
  })

  test('is not claimed of an image without a contour', async () => {
    expect((await measured(plain('#808080'))).sharpness).toBeNull()
  })
})

describe('the coding grid', () => {
  test('shows more the lower the JPEG quality, and survives being saved as PNG', async () => {
    const poor = await sharp(scene()).jpeg({ quality: 15 }).toBuffer()
    const clean = (await measured(sharp(scene()))).blockiness ?? 0
    const good = (await measured(sharp(scene()), 'jpeg', 90)).blockiness ?? 0
    const disguised = (await measured(sharp(poor))).blockiness ?? 0
    expect(clean).toBeLessThan(1.1)
    expect(good).toBeLessThan(1.6)
    expect(disguised).toBeGreaterThan(1.6)
  })

  test('is not searched for in a tiny image', async () => {
    expect((await measured(sharp(scene(48, 48)))).blockiness).toBeNull()
  })
})

describe('how far the samples spread', () => {
  test('is nothing in one tone, much in a scene', async () => {
    expect((await measured(plain('#123456'))).deviation).toBe(0)
    expect((await measured(sharp(scene()))).deviation).toBeGreaterThan(0.1)
  })

  test('counts what alpha alone shows', async () => {
    const mask = sharp(
      Buffer.from(
        '<svg xmlns="http://www.w3.org/2000/svg" width="100" height="100"><rect width="50" height="100" fill="#fff"/></svg>',
      ),
    )
    const facts = await measured(mask)
    expect(facts.transparentShare).toBe(0.5)
    expect(facts.deviation).toBeCloseTo(0.5, 2)
  })

  test('does not count invisible colours', async () => {
    const facts = await measured(sharp(scene()).removeAlpha().ensureAlpha(0))
    expect(facts).toMatchObject({ transparentShare: 1, deviation: 0 })
  })
})

describe('the edge', () => {
  test('vanishes on white when it is white or transparent', async () => {
    expect((await measured(plain('#ffffff'))).paleEdgeShare).toBe(1)
    expect((await measured(plain('#00000000'))).paleEdgeShare).toBe(1)
  })

  test('stands out with a border of one grey pixel', async () => {
    const bordered = plain('#ffffff').extend({ top: 1, bottom: 1, left: 1, right: 1, background: '#cccccc' })
    expect((await measured(bordered)).paleEdgeShare).toBe(0)
  })
})

describe('the perceptual hash', () => {
  test('survives scaling and re-saving, and distinguishes other images', async () => {
    const hashOf = async (image: Sharp, format: 'png' | 'jpeg' = 'png', quality = 95) =>
      (await measured(image, format, quality)).perceptualHash ?? ''
    const original = await hashOf(sharp(scene()))
    expect(hashDistance(original, await hashOf(sharp(scene()).resize(320), 'jpeg', 60))).toBeLessThanOrEqual(6)
    expect(hashDistance(original, await hashOf(sharp(scene(640, 480, 99))))).toBeGreaterThan(12)
  })

  test('is not made of a flat image', async () => {
    expect((await measured(plain('#336699'))).perceptualHash).toBeNull()
  })

  test('differs in as many bits as it differs', () => {
    expect(hashDistance('0000000000000000', 'ffffffffffffffff')).toBe(64)
    expect(hashDistance('00000000000000ff', '0000000000000000')).toBe(8)
    expect(hashDistance('8000000000000001', '8000000000000001')).toBe(0)
  })
})

describe('a decoded image', () => {
  test('lies as people see it', async () => {
    const file = path.join(folder, 'turned.jpg')
    await sharp(scene(64, 32)).jpeg().withMetadata({ orientation: 6 }).toFile(file)
    expect(await decodeImage(file, 'image/jpeg')).toMatchObject({ width: 32, height: 64 })
  })

  test.each([
    ['CMYK', () => sharp(scene()).toColourspace('cmyk').jpeg(), 'image/jpeg', 3],
    ['grey', () => sharp(scene()).removeAlpha().greyscale().toColourspace('b-w').png(), 'image/png', 3],
    ['16 bit', () => sharp(scene()).toColourspace('rgb16').png(), 'image/png', 4],
    ['a palette', () => sharp(scene()).gif(), 'image/gif', 4],
    ['WebP', () => sharp(scene()).webp(), 'image/webp', 4],
    ['AVIF', () => sharp(scene()).avif({ effort: 0 }), 'image/avif', 4],
    ['TIFF', () => sharp(scene()).removeAlpha().tiff(), 'image/tiff', 3],
  ] as const)('from %s comes as 8-bit sRGB', async (name, make, mediaType, channels) => {
    const file = path.join(folder, `${name}.bin`)
    await writeFile(file, await make().toBuffer())
    const raster = await decodeImage(file, mediaType)
    expect([3, 4]).toContain(raster.channels)
    expect(raster.channels).toBeLessThanOrEqual(channels)
    expect(raster.data).toHaveLength(640 * 480 * raster.channels)
  })

  test('does not reach outside of an SVG', async () => {
    const secret = path.join(folder, 'secret.png')
    await plain('#ff0000', 50, 50).png().toFile(secret)
    const file = path.join(folder, 'reach.svg')
    await writeFile(
      file,
      `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="50" height="50"><image width="50" height="50" xlink:href="secret.png"/><image width="50" height="50" xlink:href="file://${secret}"/></svg>`,
    )
    const { data } = await decodeImage(file, 'image/svg+xml')
    expect(Math.max(...data)).toBe(0)
  })

  test('that does not decode is a reason, without the place the file lies at', async () => {
    const file = path.join(folder, 'junk.png')
    await writeFile(file, 'not an image')
    const facts = (await inspectPixels(file, 'image', 'image/png')).pixels
    expect(facts).toHaveProperty('failed')
    expect(JSON.stringify(facts)).not.toContain(folder)
  })
})
