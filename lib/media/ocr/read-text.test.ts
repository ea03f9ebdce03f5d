import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { PDFDocument, StandardFonts } from '@cantoo/pdf-lib'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { drawLettering, type Lettering } from '@/fixtures/lettering'
import { writeMedia } from '@/fixtures/video'
import { isFailure, type Subject } from '@/lib/checks/check'
import { runChecks } from '@/lib/checks/engine'
import { imageFacts, subject } from '@/lib/checks/testing'
import { requiredTextCheck } from '@/lib/checks/visual/required-text-check'
import { closeInspector, inspectFile } from '../inspect/inspect'
import { measureFile } from '../measurer/measure-file'
import { closeMeasurer, examineImage } from '../measurer/measurer'
import { evenContrast } from './even-contrast'

/** What is drawn is read by the program that reads for the service; each image is labelled by how it was made. */
const LEGAL = 'Terms and conditions apply. 18+ only.'
const CLAIM = 'Summer sale'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'read-text-'))
})
afterAll(async () => {
  closeMeasurer()
  closeInspector()
  await rm(folder, { recursive: true })
})

/** The finding about an image, by the check alone. */
async function evaluated(image: Buffer, requiredCopy: string[]) {
  const file = path.join(folder, 'image.png')
  await writeFile(file, image)
  const { text } = await examineImage(file, { mediaType: 'image/png', extension: 'png' }, requiredCopy)
  const expectations = { mediaTypes: [], maxFileBytes: null, requiredCopy }
  const [line] = runChecks(subject(imageFacts(), { measures: { text }, expectations }), { checks: {} }, [
    requiredTextCheck,
  ]).checks
  if (!line) throw new Error('The check did not run.')
  return line
}

/** From a file on disk to its finding, by inspector, measurer and engine as they are. */
async function checked(name: string, file: Pick<Subject, 'kind' | 'mediaType'>, requiredCopy: string[]) {
  const described = { name, ...file }
  const measured = await measureFile(inspectFile, path.join(folder, name), described, { copy: requiredCopy })
  const expectations = { mediaTypes: [], maxFileBytes: null, requiredCopy }
  const { checks } = runChecks({ ...described, ...measured, bytes: 1000, claims: {}, expectations }, { checks: {} }, [
    requiredTextCheck,
  ])
  return checks[0]
}

describe('copy that is in the image is found', () => {
  const legal = (x: number, y: number, size: number, colour: string, more: Partial<Lettering> = {}): Lettering => ({
    text: LEGAL,
    x,
    y,
    size,
    colour,
    ...more,
  })
  const claim = (x: number, y: number, size: number, colour: string, more: Partial<Lettering> = {}): Lettering => ({
    text: 'Summer Sale',
    x,
    y,
    size,
    colour,
    face: 'bold',
    ...more,
  })
  test.each<[string, () => Promise<Buffer>, string[]]>([
    [
      'dark on white, small print of 10 px in a banner',
      () => drawLettering(300, 250, [claim(20, 30, 28, '#111'), legal(20, 225, 10, '#444')]),
      [CLAIM, LEGAL],
    ],
    [
      'white on a dark ground',
      () => drawLettering(728, 90, [claim(20, 15, 40, '#fff'), legal(340, 60, 12, '#ddd')], '#102a5c'),
      [CLAIM, LEGAL],
    ],
    [
      'on several grounds at once',
      () =>
        drawLettering(
          600,
          500,
          [
            claim(40, 60, 54, '#ffd400'),
            { text: 'Shop now', x: 60, y: 166, size: 24, colour: '#fff' },
            legal(40, 460, 13, '#777'),
          ],
          '#fff',
          '<rect width="600" height="250" fill="#0b3d2e"/><rect x="40" y="160" width="180" height="50" fill="#e4002b" rx="8"/>',
        ),
      [CLAIM, 'Shop now', LEGAL],
    ],
    [
      'pale on white',
      () => drawLettering(600, 300, [claim(40, 60, 40, '#ccc'), legal(40, 260, 13, '#ddd')]),
      [CLAIM, LEGAL],
    ],
    [
      'in a colour as light as its ground',
      () => drawLettering(600, 300, [claim(60, 80, 40, '#d11'), legal(40, 260, 14, '#eee')], '#3c7a3c'),
      [CLAIM, LEGAL],
    ],
    [
      'slanted, in italics and in another typeface',
      () =>
        drawLettering(600, 300, [
          claim(40, 100, 40, '#222', { face: 'italic', degrees: -15 }),
          legal(40, 260, 14, '#222', { face: 'gothic' }),
        ]),
      [CLAIM, LEGAL],
    ],
    [
      'with a letter on another ground than the rest',
      () =>
        drawLettering(
          600,
          300,
          [{ text: 'Summer Sale', x: 40, y: 60, size: 60, face: 'bold', colour: '#ffd400' }],
          '#0b3d2e',
          '<circle cx="470" cy="150" r="90" fill="#e4002b"/>',
        ),
      [CLAIM],
    ],
    [
      'over two lines',
      () =>
        drawLettering(300, 600, [
          { text: 'Summer', x: 20, y: 60, size: 44 },
          { text: 'Sale', x: 20, y: 120, size: 44 },
        ]),
      [CLAIM],
    ],
    [
      'in the letters of its language',
      () =>
        drawLettering(600, 300, [
          { text: 'Größe zählt: übermäßig', x: 40, y: 60, size: 40 },
          { text: 'C’est l’été à Paris', x: 40, y: 160, size: 28 },
        ]),
      ['Größe zählt', 'c’est l’été'],
    ],
    [
      'in a photograph’s size',
      () =>
        drawLettering(
          4000,
          3000,
          [claim(300, 700, 240, '#111', { face: 'sans' }), legal(300, 2850, 64, '#444')],
          '#f4efe6',
        ),
      [CLAIM, LEGAL],
    ],
  ])('%s', async (name, draw, copy) => {
    const line = await evaluated(await draw(), copy)
    expect(line, line.details).toMatchObject({ status: 'pass', measured: copy.length, expected: copy.length })
    // Of what has the light of its ground the reader says that it is sure of nothing.
    if (name === 'in a colour as light as its ground') expect(line.confidence).toBe(0.5)
    else expect(line.confidence).toBeGreaterThan(0.5)
    expect(line.occurrences).toHaveLength(copy.length)
  })

  test('and the region is where it stands, in pixels of the image', async () => {
    const line = await evaluated(await drawLettering(1200, 800, [{ text: 'Summer Sale', x: 700, y: 600, size: 60 }]), [
      CLAIM,
    ])
    const region = line.occurrences?.[0]?.region ?? { x: 0, y: 0, width: 0, height: 0 }
    expect(region.x).toBeGreaterThan(690)
    expect(region.x).toBeLessThan(715)
    expect(region.y).toBeGreaterThan(595)
    expect(region.y + region.height).toBeLessThan(690)
    expect(region.width).toBeGreaterThan(280)
    expect(region.width).toBeLessThan(380)
  })
})

describe('copy that is not in the image', () => {
  const banner = (...texts: string[]) =>
    drawLettering(
      600,
      300,
      texts.map((text, index) => ({ text, x: 30, y: 30 + index * 60, size: 32 })),
    )
  test('fails when all else was read well, and the fix says what to add', async () => {
    const line = await evaluated(await banner('Summer Sale', 'Up to 50 % off'), [CLAIM, LEGAL])
    expect(line).toMatchObject({ status: 'fail', measured: 1, expected: 2 })
    expect(line.details).toContain(`“${LEGAL}” not found`)
    expect(line.fix).toContain(`add “${LEGAL}”`)
  })

  test.each([
    ['misspelt', 'Sumer Sale', CLAIM],
    ['with another number', 'Up to 30 % off', 'Up to 50 % off'],
    ['with another word', 'Terms and conditions applied', 'Terms and conditions apply'],
  ])('fails when it is %s, with what was read and where', async (_name, drawn, wanted) => {
    const line = await evaluated(await banner('Fresh every day', drawn), [wanted])
    expect(line.status).toBe('fail')
    expect(line.details).toContain(`expected “${wanted}”, read “${drawn}`)
    expect(line.fix).toContain(`to “${wanted}”`)
    expect(line.occurrences?.[0]?.region?.y).toBeGreaterThan(85)
  })

  test('is a warning that needs eyes where nothing could be read', async () => {
    const line = await evaluated(
      await drawLettering(300, 250, [], '#fff', '<circle cx="150" cy="120" r="80" fill="#c33"/>'),
      [LEGAL],
    )
    expect(line).toMatchObject({ status: 'warning', confidence: 0.6 })
    expect(line.details).toContain('No text could be read.')
  })

  test('is a warning that needs eyes where the letters are hardly there', async () => {
    const faint = await sharp(await drawLettering(300, 250, [{ text: LEGAL, x: 10, y: 200, size: 7, colour: '#999' }]))
      .blur(1.2)
      .png()
      .toBuffer()
    expect(await evaluated(faint, [LEGAL])).toMatchObject({ status: 'warning' })
  })

  test('is a warning where only accents differ, which readers lose', async () => {
    expect(await evaluated(await banner('Fresh every day', 'Le cafe est la'), ['Le café est là'])).toMatchObject({
      status: 'warning',
    })
  })

  test('is an error in a script that cannot be read, and no pass', async () => {
    const line = await evaluated(await banner('Summer Sale'), ['Летняя распродажа'])
    expect(line).toMatchObject({ status: 'error' })
    expect(line.details).toContain('not in Latin script')
  })
})

describe('a document', () => {
  const pdf = { kind: 'document', mediaType: 'application/pdf' } as const
  async function write(name: string, ...pages: { text?: string; image?: Buffer; turned?: number }[]) {
    const document = await PDFDocument.create()
    const font = await document.embedFont(StandardFonts.Helvetica)
    for (const { text, image, turned } of pages) {
      const page = document.addPage([595.28, 841.89])
      if (image) page.drawImage(await document.embedPng(image), { x: 0, y: 400, width: 595.28, height: 297.64 })
      if (text) page.drawText(text, { x: 72, y: 72, size: 12, font })
      if (turned) page.setRotation({ type: 'degrees', angle: turned } as never)
    }
    await writeFile(path.join(folder, name), await document.save())
  }

  test('is searched in its text layer, page by page, with the place in millimetres', async () => {
    await write('layer.pdf', { text: 'Nothing of the kind' }, { text: `${LEGAL} And more.` })
    const line = await checked('layer.pdf', pdf, [LEGAL])
    expect(line).toMatchObject({
      status: 'pass',
      confidence: 0.95,
      details: expect.stringContaining('in the text layer'),
    })
    const [{ page, region } = {}] = line?.occurrences ?? []
    expect(page).toBe(2)
    expect(region?.x).toBeCloseTo(25.4, 0)
    expect((region?.y ?? 0) + (region?.height ?? 0)).toBeGreaterThan(270)
    expect((region?.y ?? 0) + (region?.height ?? 0)).toBeLessThan(275)
  })

  test('is read from its pixels where the layer does not have it', async () => {
    const image = await drawLettering(1200, 600, [{ text: 'Summer Sale', x: 100, y: 100, size: 120 }])
    await write('outlined.pdf', { text: LEGAL, image })
    const line = await checked('outlined.pdf', pdf, [CLAIM, LEGAL])
    expect(line, line?.details).toMatchObject({ status: 'pass', measured: 2 })
    const region = line?.occurrences?.[0]?.region
    expect(region?.x).toBeGreaterThan(15)
    expect(region?.x).toBeLessThan(25)
  })

  test('that lacks it fails with the page count it was searched for on', async () => {
    await write('lacking.pdf', { text: 'Fresh coffee every morning, all the year round' })
    const line = await checked('lacking.pdf', pdf, [LEGAL])
    expect(line?.status).toBe('fail')
    expect(line?.details).toContain('not found')
  })
})

test('a video shows its copy at some time, and the time is reported', async () => {
  const image = await drawLettering(640, 360, [{ text: 'Summer Sale', x: 40, y: 120, size: 72 }])
  const { data } = await sharp(image).greyscale().raw().toBuffer({ resolveWithObject: true })
  const paint = (frame: number, x: number, y: number) =>
    frame < 75 ? 40 + ((x + y + frame) % 90) : 16 + ((data[y * 640 + x] ?? 0) * 219) / 255
  writeMedia(path.join(folder, 'video.mp4'), { video: { width: 640, height: 360, frames: 100, paint } })
  const video = { kind: 'video', mediaType: 'video/mp4' } as const
  const line = await checked('video.mp4', video, [CLAIM])
  expect(line, line?.details).toMatchObject({ status: 'pass' })
  expect(line?.occurrences?.[0]?.start).toBeGreaterThan(3)
})

describe('reading', () => {
  test('is left out where no copy is required, and the check says so', async () => {
    await writeFile(path.join(folder, 'plain.png'), await drawLettering(300, 250, []))
    const image = { kind: 'image', mediaType: 'image/png' } as const
    expect(await checked('plain.png', image, [])).toMatchObject({
      status: 'skipped',
      details: 'The batch requires no copy.',
    })
    const measured = await measureFile(inspectFile, path.join(folder, 'plain.png'), { name: 'plain.png', ...image })
    expect(measured.measures).not.toHaveProperty('text')
  })

  test('that was not possible is an error with the reason, and leaves the other measures standing', async () => {
    const failed = { failed: 'its text could not be read (the models of eng do not load)' }
    const given = subject(imageFacts(), {
      measures: { text: failed },
      expectations: { mediaTypes: [], maxFileBytes: null, requiredCopy: [LEGAL] },
    })
    const [line] = runChecks(given, { checks: {} }, [requiredTextCheck]).checks
    expect(line).toMatchObject({
      status: 'error',
      details: 'Not checked: its text could not be read (the models of eng do not load).',
    })
  })

  test('of a damaged image is an error, and the next image is read', async () => {
    const whole = await drawLettering(300, 250, [{ text: 'Summer Sale', x: 20, y: 30, size: 28 }])
    await writeFile(path.join(folder, 'cut.png'), whole.subarray(0, 600))
    const { text } = await examineImage(path.join(folder, 'cut.png'), { mediaType: 'image/png', extension: 'png' }, [
      CLAIM,
    ])
    expect(text && isFailure(text) && text.failed).toMatch(/^its text could not be read \(/)
    expect(JSON.stringify(text)).not.toContain(folder)
    expect(await evaluated(whole, [CLAIM])).toMatchObject({ status: 'pass' })
  })
})

test('contrast is evened out locally, and an image that shows nothing stays as it is', () => {
  const flat = new Uint8Array(200 * 100).fill(120)
  expect(evenContrast(flat, 200, 100)).toEqual(flat)
  const pale = Uint8Array.from({ length: 200 * 100 }, (_, at) => (at % 200 > 90 && at % 200 < 110 ? 225 : 255))
  const even = evenContrast(pale, 200, 100)
  expect(even[50 * 200 + 100]).toBeLessThan(10)
  expect(even[50 * 200 + 20]).toBe(255)
})
