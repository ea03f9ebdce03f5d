import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { degrees, PDFDocument, rgb } from '@cantoo/pdf-lib'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { wav } from '@/fixtures/audio'
import { vast } from '@/fixtures/vast'
import { writeMedia } from '@/fixtures/video'
import { frameAt } from '../decode/video'
import { makePreviews } from './preview'
import { measurePeaks } from './waveform'

let folder: string
const at = (name: string) => path.join(folder, name)
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'preview-'))
})
afterAll(() => rm(folder, { recursive: true }))

/** The colour in the middle of an image. */
async function middle(image: Buffer | undefined): Promise<number[]> {
  const { data, info } = await sharp(image).removeAlpha().raw().toBuffer({ resolveWithObject: true })
  const start = (Math.floor(info.height / 2) * info.width + Math.floor(info.width / 2)) * info.channels
  return [...data.subarray(start, start + 3)]
}

const near = (seen: number[], wanted: number[]) =>
  seen.every((value, channel) => Math.abs(value - (wanted[channel] ?? 0)) <= 12)

describe('the images of a file', () => {
  test('of an image are two WebP files within 320 and 1600 px', async () => {
    await sharp({ create: { width: 2400, height: 1200, channels: 3, background: '#20a060' } })
      .png()
      .toFile(at('a.png'))
    const previews = await makePreviews(at('a.png'), 'image', 'image/png')
    expect(await sharp(previews?.thumbnail).metadata()).toMatchObject({ format: 'webp', width: 320, height: 160 })
    expect(await sharp(previews?.preview).metadata()).toMatchObject({ format: 'webp', width: 1600, height: 800 })
    expect(near(await middle(previews?.preview), [0x20, 0xa0, 0x60])).toBe(true)
  })

  test('are never larger than the image', async () => {
    await sharp({ create: { width: 120, height: 60, channels: 3, background: 'red' } })
      .png()
      .toFile(at('b.png'))
    const previews = await makePreviews(at('b.png'), 'image', 'image/png')
    expect(await sharp(previews?.preview).metadata()).toMatchObject({ width: 120, height: 60 })
  })

  test('of a VAST tag show its text, dark on white', async () => {
    await writeFile(at('tag.xml'), vast())
    const previews = await makePreviews(at('tag.xml'), 'other', 'application/vast+xml')
    const { channels } = await sharp(previews?.preview).stats()
    expect(await sharp(previews?.preview).metadata()).toMatchObject({ width: 1600, height: 1200 })
    expect(channels[0]).toMatchObject({ max: 255 })
    expect(channels[0]?.min).toBeLessThan(80)
    // More than a line or two: a page of text.
    expect(channels[0]?.stdev).toBeGreaterThan(15)
    expect(await makePreviews(at('tag.xml'), 'other', 'application/x-subrip')).toBeNull()
  })

  test('of a video show a frame that says something, not its black beginning', async () => {
    const paint = (frame: number, x: number) => (frame < 25 ? 16 : x < 160 ? 40 : 220)
    writeMedia(at('video.mp4'), { video: { frames: 100, paint } })
    const previews = await makePreviews(at('video.mp4'), 'video', 'video/mp4')
    const { data, info } = await sharp(previews?.thumbnail).raw().toBuffer({ resolveWithObject: true })
    expect(info).toMatchObject({ width: 320, height: 180 })
    expect(data[(90 * 320 + 300) * 3]).toBeGreaterThan(200)
  })

  test('of a document show its first page on white, in its colours and the right way up', async () => {
    const pdf = await PDFDocument.create()
    const page = pdf.addPage([400, 200])
    page.drawRectangle({ x: 150, y: 50, width: 100, height: 100, color: rgb(0.9, 0.3, 0.1) })
    page.setRotation(degrees(90))
    pdf.addPage()
    await writeFile(at('page.pdf'), await pdf.save())
    const previews = await makePreviews(at('page.pdf'), 'document', 'application/pdf')
    const size = await sharp(previews?.preview).metadata()
    expect(size.height).toBeGreaterThan(size.width ?? 0)
    expect(near(await middle(previews?.preview), [230, 77, 26])).toBe(true)
  })

  test('of audio are its waveform', async () => {
    const tone = wav(2, (time) => (time < 1 ? 0 : 0.8 * Math.sin(time * 1600)), { channels: 1, rate: 8000 })
    await writeFile(at('tone.wav'), tone)
    const previews = await makePreviews(at('tone.wav'), 'audio', 'audio/wav')
    expect(await sharp(previews?.preview).metadata()).toMatchObject({ format: 'webp', width: 1600, height: 400 })
    const peaks = measurePeaks(at('tone.wav'), 'audio/wav', 10)
    expect(peaks.slice(0, 4).every((peak) => peak === 0)).toBe(true)
    expect(peaks.slice(6).every((peak) => Math.abs(peak - 0.8) < 0.01)).toBe(true)
  })

  test('of an archive, a font and an EPS are none', async () => {
    expect(await makePreviews(at('x.zip'), 'archive', 'application/zip')).toBeNull()
    expect(await makePreviews(at('x.ttf'), 'other', 'font/ttf')).toBeNull()
    expect(await makePreviews(at('x.eps'), 'image', 'application/postscript')).toBeNull()
  })
})

describe('a frame of a video', () => {
  test('is the one shown at that time', () => {
    const paint = (frame: number) => (frame < 25 ? 60 : 200)
    writeMedia(at('steps.mp4'), { video: { width: 64, height: 64, frames: 50, paint } })
    const level = (second: number) => frameAt(at('steps.mp4'), 'video/mp4', second).raster.data[0] ?? 0
    expect(level(0.5)).toBeLessThan(100)
    expect(level(1.5)).toBeGreaterThan(180)
    expect(level(99), 'the last one where the video ends before').toBeGreaterThan(180)
  })

  test('is taken from nothing but the file itself', () => {
    expect(() => frameAt('http://127.0.0.1:9/video.mp4', 'video/mp4', 0)).toThrow(/cannot be opened/)
  })
})
