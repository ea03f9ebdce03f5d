import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { heic, heicGrid } from '@/fixtures/heic'
import { ByteSource } from '../formats/byte-source'
import { Defect } from '../formats/defect'
import { examineHeif } from '../formats/image/heif'
import { decodeGrid } from './heif-grid'
import { decodeImage } from './image'

/** HEIC whose image is put together of others, as telephones write it. */

const folder = mkdtempSync(path.join(tmpdir(), 'greenroom-grid-'))
afterAll(() => rmSync(folder, { recursive: true }))

const HEIC = 'image/heic'
const WIDTH = 700
const HEIGHT = 450
/** Luma of video, 16 to 235; wide steps, which a lossy coder keeps, and no two corners alike. */
const luma = (x: number, y: number) => 40 + ((Math.floor(x / 50) * 17 + Math.floor(y / 50) * 29) % 180)
const seen = (x: number, y: number) => ((luma(x, y) - 16) * 255) / 219

function stored(name: string, bytes: Buffer): string {
  const file = path.join(folder, name)
  writeFileSync(file, bytes)
  return file
}
const grid = (name: string, given: Partial<Parameters<typeof heicGrid>[1]> = {}) =>
  stored(
    name,
    heicGrid(path.join(folder, name), { width: WIDTH, height: HEIGHT, side: 256, ...given }, (_frame, x, y) =>
      luma(x, y),
    ),
  )
async function examined(file: string) {
  const source = new ByteSource(file)
  try {
    return await examineHeif(source, { decodeUntil: performance.now() + 8000 } as Parameters<typeof examineHeif>[1])
  } finally {
    source.close()
  }
}

test('is decoded as a whole, each image at its place and nothing beyond the edge', () => {
  const image = decodeGrid(grid('whole.heic'), HEIC)
  expect(image).toMatchObject({ width: WIDTH, height: HEIGHT, turnedBy: 0, profile: null })
  let sum = 0
  for (let y = 0; y < HEIGHT; y++)
    for (let x = 0; x < WIDTH; x++) sum += Math.abs((image?.data[(y * WIDTH + x) * 3] ?? 0) - seen(x, y))
  expect(sum / (WIDTH * HEIGHT)).toBeLessThan(3)
})

test('is seen upright, and measured and drawn as that', async () => {
  // Three quarters against the clock: the left edge stands above.
  const file = grid('turned.heic', { turn: 3 })
  const { media } = await examined(file)
  expect(media).toMatchObject({ width: WIDTH, height: HEIGHT, orientation: 6, frames: 1 })
  const raster = await decodeImage(file, HEIC)
  expect(raster).toMatchObject({ width: HEIGHT, height: WIDTH, channels: 3, scale: 1 })
  for (const [x, y] of [
    [25, 425],
    [425, 25],
    [25, 675],
  ] as const)
    expect(Math.abs((raster.data[(y * HEIGHT + x) * 3] ?? 0) - seen(y, HEIGHT - 1 - x)), `${x}, ${y}`).toBeLessThan(12)
})

test('may have as many images as a telephone of 48 megapixels writes', async () => {
  const file = grid('many.heic', { width: 16 * 64, height: 12 * 64, side: 64, copies: true })
  expect((await examined(file)).media).toMatchObject({ width: 1024, height: 768 })
  expect(decodeGrid(file, HEIC)).toMatchObject({ width: 1024, height: 768 })
})

test('is refused where it names fewer images than it has places', async () => {
  const bytes = heicGrid(path.join(folder, 'few'), { width: WIDTH, height: HEIGHT, side: 256 }, (_f, x, y) =>
    luma(x, y),
  )
  const at = bytes.indexOf('idat') + 4
  bytes.writeUInt8(5, at + 2)
  const refused = examined(stored('few.heic', bytes))
  await expect(refused).rejects.toThrow(Defect)
  await expect(refused).rejects.toThrow('18 places in a grid, and names 6 images')
})

test('any other HEIC is none', () => {
  const file = stored(
    'single.heic',
    heic(path.join(folder, 'single'), 128, 96, (_frame, x, y) => luma(x, y)),
  )
  expect(decodeGrid(file, HEIC)).toBeNull()
  expect(decodeGrid(file, 'image/png')).toBeNull()
})
