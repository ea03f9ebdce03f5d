import { describe, expect, it } from 'vitest'
import { scene } from '@/fixtures/video'
import { blockEdges } from './blocks'
import type { LumaPlane } from './luma-plane'

const [WIDTH, HEIGHT] = [320, 180]

function plane(paint: (x: number, y: number) => number, bits: 8 | 10 = 8): LumaPlane {
  const bytesPerSample = bits === 8 ? 1 : 2
  const stride = WIDTH * bytesPerSample + 12
  const data = new Uint8Array(stride * HEIGHT)
  for (let y = 0; y < HEIGHT; y++) {
    for (let x = 0; x < WIDTH; x++) {
      const value = Math.round(paint(x, y) * 2 ** (bits - 8))
      data[y * stride + x * bytesPerSample] = value & 255
      if (bits === 10) data[y * stride + x * 2 + 1] = value >> 8
    }
  }
  return { data, stride, bytesPerSample, shift: bits - 8, width: WIDTH, height: HEIGHT, isFullRange: false }
}
const smooth = (x: number, y: number) => 60 + x / 4 + y / 3
/** The mean of each block, in place of what is in it. */
const blocks =
  (size: number, from = 0) =>
  (x: number, y: number) => {
    const [column, row] = [Math.floor((x - from) / size), Math.floor((y - from) / size)]
    return smooth(column * size, row * size) + 20 * ((column + row) % 2)
  }

describe('edges of blocks', () => {
  it.each([8, 10] as const)('are seen where blocks do not meet, at %i bits', (bits) => {
    expect(blockEdges(plane(blocks(8), bits))).toBeGreaterThan(0.7)
  })

  it('are half as many where blocks are twice as wide', () => {
    const share = blockEdges(plane(blocks(16)))
    expect(share).toBeGreaterThan(0.3)
    expect(share).toBeLessThanOrEqual(0.5)
  })

  it('are counted by the part of the frame they are in', () => {
    const part = (x: number, y: number) => (x < WIDTH / 2 ? blocks(8)(x, y) : smooth(x, y))
    const share = blockEdges(plane(part))
    expect(share).toBeGreaterThan(0.3)
    expect(share).toBeLessThan(0.52)
  })

  it.each<[string, (x: number, y: number) => number]>([
    ['a smooth picture', smooth],
    ['a scene with a grain', (x, y) => scene(3, x, y)],
    ['blocks at other places', blocks(8, 3)],
    ['blocks of another size', blocks(10)],
    ['stripes in one direction', (x) => ((x >> 3) % 2 ? 60 : 160)],
    ['steps that are not seen', (x, y) => 100 + ((x >> 3) % 2) + ((y >> 3) % 2)],
    ['one colour', () => 90],
  ])('are none in %s', (_, paint) => {
    expect(blockEdges(plane(paint))).toBeLessThan(0.01)
  })

  it('are not looked for in what is too small', () => {
    expect(blockEdges({ ...plane(blocks(8)), width: 60, height: 60 })).toBe(0)
  })
})
