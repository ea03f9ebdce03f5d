import sharp from 'sharp'
import { expect, test } from 'vitest'
import { TILE_SIZE } from '@/lib/domain/tiles/rules'
import { markTile } from './watermark'

const tile = (width: number, height: number, background = { r: 120, g: 120, b: 120 }) =>
  sharp({ create: { width, height, channels: 3, background } })
    .png()
    .toBuffer()
const pixels = (image: Buffer) => sharp(image).removeAlpha().raw().toBuffer()
const changed = async (before: Buffer, after: Buffer) => {
  const [was, is] = [await pixels(before), await pixels(after)]
  let count = 0
  for (let at = 0; at < was.length; at += 3) if (was[at] !== is[at]) count += 1
  return count / (was.length / 3)
}

test('a name is in the pixels of a tile, lighter and darker than what lies below', async () => {
  for (const background of [
    { r: 0, g: 0, b: 0 },
    { r: 255, g: 255, b: 255 },
  ]) {
    const plain = await tile(TILE_SIZE, TILE_SIZE, background)
    const marked = await markTile(plain, 'Ines Duarte · ines@client.test')
    expect(await sharp(marked).metadata()).toMatchObject({ format: 'png', width: TILE_SIZE, height: TILE_SIZE })
    const share = await changed(plain, marked)
    expect(share).toBeGreaterThan(0.01)
    expect(share).toBeLessThan(0.3)
  }
})

test('names of any script and length are drawn, and differ', async () => {
  const plain = await tile(TILE_SIZE, TILE_SIZE)
  const names = ['Ева Петрова', 'مريم', '田中 花子', 'x'.repeat(300), 'a']
  const marked = await Promise.all(names.map((name) => markTile(plain, name)))
  for (const [at, image] of marked.entries()) expect(await changed(plain, image), names[at]).toBeGreaterThan(0)
  expect(new Set(marked.map((image) => image.toString('base64'))).size).toBe(names.length)
})

test('a tile at the edge keeps its size, and the drawing goes on from tile to tile', async () => {
  const [width, height] = [300, 40]
  const marked = await markTile(await tile(width, height), 'Ines Duarte')
  expect(await sharp(marked).metadata()).toMatchObject({ width, height })
  const whole = await markTile(await tile(TILE_SIZE, TILE_SIZE), 'Ines Duarte')
  const part = await sharp(whole).extract({ left: 0, top: 0, width, height }).toBuffer()
  expect((await pixels(marked)).equals(await pixels(part))).toBe(true)
})

test('what is transparent is marked as well', async () => {
  const clear = { r: 0, g: 0, b: 0, alpha: 0 }
  const plain = await sharp({ create: { width: TILE_SIZE, height: TILE_SIZE, channels: 4, background: clear } })
    .png()
    .toBuffer()
  const marked = await markTile(plain, 'Ines Duarte')
  const { channels } = await sharp(marked).stats()
  expect(channels[3]?.max).toBeGreaterThan(100)
})
