import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { heic, heicGrid, type Shown } from '@/fixtures/heic'
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
  expect(image).toMatchObject({ width: WIDTH, height: HEIGHT, orientation: 1, profile: null })
  let sum = 0
  for (let y = 0; y < HEIGHT; y++)
    for (let x = 0; x < WIDTH; x++) sum += Math.abs((image?.data[(y * WIDTH + x) * 3] ?? 0) - seen(x, y))
  expect(sum / (WIDTH * HEIGHT)).toBeLessThan(3)
})

/** Where a pixel that is seen lies in what is stored, by the orientation of EXIF; sides of what is stored. */
const STORED: Readonly<Record<number, (x: number, y: number, width: number, height: number) => [number, number]>> = {
  1: (x, y) => [x, y],
  2: (x, y, width) => [width - 1 - x, y],
  3: (x, y, width, height) => [width - 1 - x, height - 1 - y],
  4: (x, y, _width, height) => [x, height - 1 - y],
  5: (x, y) => [y, x],
  6: (x, y, _width, height) => [y, height - 1 - x],
  7: (x, y, width, height) => [width - 1 - y, height - 1 - x],
  8: (x, y, width) => [width - 1 - y, x],
}
const SHOWN: [shown: Shown[], orientation: number][] = [
  [[{ turn: 1 }], 8],
  [[{ turn: 2 }], 3],
  // Three quarters against the clock: the left edge stands above.
  [[{ turn: 3 }], 6],
  [[{ mirror: 'sides' }], 2],
  [[{ mirror: 'top and bottom' }], 4],
  // The order counts.
  [[{ turn: 1 }, { mirror: 'sides' }], 7],
  [[{ mirror: 'sides' }, { turn: 1 }], 5],
  [[{ turn: 3 }, { mirror: 'top and bottom' }], 7],
  [[{ mirror: 'sides' }, { mirror: 'top and bottom' }], 3],
]

async function expectSeen(file: string, orientation: number, width: number, height: number) {
  const { media } = await examined(file)
  expect(media).toMatchObject({ width, height, orientation, frames: 1 })
  const raster = await decodeImage(file, HEIC)
  const isTurned = orientation >= 5
  const [across, down] = isTurned ? [height, width] : [width, height]
  expect(raster).toMatchObject({ width: across, height: down, channels: 3, scale: 1 })
  for (const [x, y] of [
    [25, 25],
    [25, down - 25],
    [across - 25, 25],
    [across - 75, down - 75],
  ] as const) {
    const [at, line] = STORED[orientation]?.(x, y, width, height) ?? [0, 0]
    expect(
      Math.abs((raster.data[(y * across + x) * 3] ?? 0) - seen(at, line)),
      `${orientation}: ${x}, ${y}`,
    ).toBeLessThan(12)
  }
}

test.each(SHOWN)('is seen upright, and measured and drawn as that: %j', async (shown, orientation) => {
  await expectSeen(grid(`turned-${orientation}.heic`, { shown }), orientation, WIDTH, HEIGHT)
})

test.each(SHOWN)('so is one that is coded as a whole: %j', async (shown, orientation) => {
  const name = `whole-${orientation}.heic`
  const bytes = heic(path.join(folder, name), 300, 200, (_frame, x, y) => luma(x, y), { shown })
  await expectSeen(stored(name, bytes), orientation, 300, 200)
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
