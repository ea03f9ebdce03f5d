import sharp from 'sharp'
import { afterAll, expect, test } from 'vitest'
import { closeMeasurer } from '@/lib/media/measurer/measurer'
import { drawLogo } from './draw-logo'

afterAll(closeMeasurer)

const svg = (body: string) =>
  Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="900" height="300">${body}</svg>`)

test('an image becomes a small PNG of its own, without the empty edges and without what else was in the file', async () => {
  const sent = await sharp(svg('<rect x="300" y="100" width="300" height="100" fill="#0f5c41"/>'))
    .png()
    .withExif({ IFD0: { Copyright: 'hidden words' } })
    .toBuffer()
  const logo = await drawLogo(sent, 'png')
  if ('refused' in logo) throw new Error(logo.refused)
  expect(logo.png.subarray(1, 4).toString()).toBe('PNG')
  expect(logo.png.includes('hidden words')).toBe(false)
  expect(logo.width / logo.height).toBeCloseTo(3, 1)
})

test.each([
  ['what only has the name of an image', Buffer.from('<html><script>alert(1)</script></html>'), 'png'],
  ['an image that ends in the middle', Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'), 'png'],
  ['nothing', Buffer.alloc(0), 'png'],
])('%s is refused with a sentence', async (_what, bytes, extension) => {
  expect(await drawLogo(bytes, extension)).toEqual({ refused: expect.stringMatching(/\w.*\.$/s) })
})
