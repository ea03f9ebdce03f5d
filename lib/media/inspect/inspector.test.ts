import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { PDFDocument } from '@cantoo/pdf-lib'
import sharp from 'sharp'
import { afterAll, describe, expect, test } from 'vitest'
import { advertisement, clip, tune } from '@/fixtures/deliveries'
import { writeMedia } from '@/fixtures/video'
import { zip } from '@/fixtures/zip'
import type { Measures } from '../measurements'
import { closeInspector, inspectFile } from './inspect'

const folder = mkdtempSync(path.join(tmpdir(), 'greenroom-inspector-'))
afterAll(() => {
  closeInspector()
  rmSync(folder, { recursive: true })
})

let serial = 0
async function inspect(bytes: Buffer, extension: string, options: { timeoutMs?: number } = {}) {
  serial += 1
  const file = path.join(folder, `${serial}.${extension}`)
  writeFileSync(file, bytes)
  return inspectFile(file, { extension, ...options })
}
const codesOf = async (bytes: Buffer, extension: string) =>
  (await inspect(bytes, extension)).violations.map(({ code }) => code)

const design = { brand: 'Test', headline: 'Test', colours: ['#123456', '#abcdef', '#ffffff'], shape: 'rings' } as const
const art = (width = 96, height = 64) =>
  sharp({
    create: { width, height, channels: 3, background: '#888', noise: { type: 'gaussian', mean: 128, sigma: 50 } },
  })

const SAMPLES: Record<string, { make: () => Promise<Buffer>; mediaType: string }> = {
  png: { make: () => art().png().toBuffer(), mediaType: 'image/png' },
  jpg: { make: () => art().jpeg().toBuffer(), mediaType: 'image/jpeg' },
  gif: { make: () => art().gif().toBuffer(), mediaType: 'image/gif' },
  webp: { make: () => art().webp().toBuffer(), mediaType: 'image/webp' },
  tif: { make: () => art().tiff({ compression: 'lzw' }).toBuffer(), mediaType: 'image/tiff' },
  avif: { make: () => art().avif({ effort: 1 }).toBuffer(), mediaType: 'image/avif' },
  svg: {
    make: async () =>
      Buffer.from(
        '<svg xmlns="http://www.w3.org/2000/svg" width="20" height="10"><rect width="20" height="10" fill="#0a0"/></svg>',
      ),
    mediaType: 'image/svg+xml',
  },
  pdf: { make: () => advertisement(design, 2, true), mediaType: 'application/pdf' },
  mp4: { make: () => clip(design, 160, 90, 1, 25), mediaType: 'video/mp4' },
  wav: { make: async () => tune([440, 550], 0.2), mediaType: 'audio/wav' },
  zip: {
    make: async () => zip([['index.html', '<!doctype html><title>x</title>']]),
    mediaType: 'application/zip',
  },
}

describe.each(Object.entries(SAMPLES))('%s', (extension, { make, mediaType }) => {
  test('an intact file passes and is recognised by its content', async () => {
    const found = await inspect(await make(), extension)
    expect(found).toMatchObject({ mediaType, violations: [], complete: true })
    expect(found.media).not.toBeNull()
  })

  test('cut to its first 60 per cent it is refused', async () => {
    const whole = await make()
    expect((await codesOf(whole.subarray(0, Math.floor(whole.length * 0.6)), extension)).length).toBeGreaterThan(0)
  })

  test('under a foreign extension it is refused by that', async () => {
    const other = extension === 'png' ? 'jpg' : 'png'
    expect(await codesOf(await make(), other)).toContain('type_mismatch')
  })
})

test('an empty file is empty, whatever it is called', async () => {
  for (const extension of ['png', 'mp4', 'zip', 'pdf'])
    expect(await codesOf(Buffer.alloc(0), extension)).toEqual(['empty'])
})

test('a flipped byte in the compressed data of a PNG, a ZIP or an LZW TIFF does not pass', async () => {
  for (const extension of ['png', 'zip']) {
    const bytes = Buffer.from(await (SAMPLES[extension] as (typeof SAMPLES)[string]).make())
    const at = extension === 'zip' ? 44 : Math.floor(bytes.length / 2)
    bytes[at] = (bytes[at] ?? 0) ^ 0xff
    expect((await codesOf(bytes, extension)).length).toBeGreaterThan(0)
  }
})

test('a drawing with a script, a handler or an image from elsewhere is refused', async () => {
  for (const inner of [
    '<script>alert(1)</script>',
    '<rect onload="alert(1)"/>',
    '<image href="http://127.0.0.1:1/x.png"/>',
  ]) {
    expect(
      (await codesOf(Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9">${inner}</svg>`), 'svg'))
        .length,
    ).toBeGreaterThan(0)
  }
})

test('an archive whose entry climbs out of its folder is refused', async () => {
  for (const name of ['../evil.html', '/etc/evil', 'a/../../evil', 'C:\\evil.exe']) {
    expect((await codesOf(zip([[name, 'x']]), 'zip')).length).toBeGreaterThan(0)
  }
})

test('an encrypted document is reported as such', async () => {
  const document = await PDFDocument.create()
  document.addPage([200, 200])
  document.encrypt({ userPassword: 'secret', ownerPassword: 'owner', permissions: {} })
  expect(await codesOf(Buffer.from(await document.save()), 'pdf')).toContain('encrypted')
})

test('an image that unpacks to more than the service can hold is refused in time', async () => {
  // One grey level, so that 40,000 × 40,000 pixels take a few kilobytes.
  const bomb = await sharp({
    create: { width: 16_000, height: 16_000, channels: 3, background: '#fff' },
    limitInputPixels: false,
  })
    .png({ compressionLevel: 9 })
    .toBuffer()
  const header = Buffer.from(bomb)
  header.writeUInt32BE(60_000, 16)
  header.writeUInt32BE(60_000, 20)
  expect((await codesOf(header, 'png')).length).toBeGreaterThan(0)
})

test('a picture of 300 megapixels is taken where its bytes hold one', async () => {
  const background = '#89a'
  const grain = { type: 'gaussian', mean: 128, sigma: 40 } as const
  const tile = await sharp({ create: { width: 500, height: 500, channels: 3, background, noise: grain } })
    .png()
    .toBuffer()
  const picture = sharp({ create: { width: 20_000, height: 15_000, channels: 3, background }, limitInputPixels: false })
  const bytes = await picture
    .composite([{ input: tile, tile: true }])
    .jpeg()
    .toBuffer()
  const { media, violations } = await inspect(bytes, 'jpg')
  expect(violations).toEqual([])
  expect(media).toMatchObject({ width: 20_000, height: 15_000 })
  // One of a few bytes, and one of several scans, which would be held as a whole: by their headers, before they are decoded
  const declaring = async (progressive: boolean) => {
    const bytes = await sharp(tile).jpeg({ progressive }).toBuffer()
    const frame = bytes.indexOf(Buffer.from([0xff, progressive ? 0xc2 : 0xc0]))
    bytes.writeUInt16BE(15_000, frame + 5)
    bytes.writeUInt16BE(20_000, frame + 7)
    return bytes
  }
  expect(await codesOf(await declaring(false), 'jpg')).toEqual(['decompression_bomb'])
  const padded = Buffer.concat([await declaring(true), Buffer.alloc(4_000_000)])
  expect(await codesOf(padded, 'jpg')).toEqual(['decompression_bomb'])
})

test('facts are measured: a video is as long as it is, a tune has its rate', async () => {
  const video = await inspect(await clip(design, 160, 90, 2, 25), 'mp4')
  expect(video.media).toMatchObject({ kind: 'video', width: 160, height: 90 })
  expect((video.media as { durationSeconds: number }).durationSeconds).toBeCloseTo(2, 1)
  const audio = await inspect(tune([440], 0.5), 'wav')
  expect(audio.media).toMatchObject({ kind: 'audio' })
  expect((audio.media as { durationSeconds: number }).durationSeconds).toBeCloseTo(0.5, 2)
})

test('what is measured of two tracks is said of each of them, in the order of the file', async () => {
  const file = path.join(folder, 'tracks.mp4')
  const level = (peak: number) => (seconds: number) => peak * Math.sin(2 * Math.PI * 440 * seconds)
  writeMedia(file, {
    video: { frames: 12 },
    audio: [
      { seconds: 0.5, sample: level(0.5) },
      { seconds: 0.5, sample: level(0.1), rate: 44_100 },
    ],
  })
  for (let time = 1; time <= 10; time += 1) {
    const { measures } = await inspectFile(file, { extension: 'mp4', deep: true })
    const audio = measures?.audio as Measures['audio'] | undefined
    expect(audio?.tracks.map(({ loudness }) => Math.round(loudness.truePeak ?? 0))).toEqual([-6, -20])
  }
})
