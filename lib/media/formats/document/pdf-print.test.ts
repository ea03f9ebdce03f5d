import { writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type PdfParts, pdf, stream } from '@/fixtures/pdf'
import type { DocumentFacts, PrintFacts } from '../../facts'
import { ByteSource } from '../byte-source'
import { examine } from '../examine'
import { PdfDocument } from './pdf-document'
import { PdfPainting } from './pdf-painting'
import { PdfPrint } from './pdf-print'
import { PdfReference } from './pdf-syntax'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'print-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

async function factsOf(parts: PdfParts): Promise<DocumentFacts> {
  const path = join(folder, 'page.pdf')
  writeFileSync(path, pdf(parts))
  const { media } = await examine(path, { extension: 'pdf', decodeUntil: Number.POSITIVE_INFINITY })
  if (media?.kind !== 'document') throw new Error('It was not read as a document.')
  return media
}

async function printOf(parts: PdfParts): Promise<PrintFacts> {
  const { print } = await factsOf(parts)
  if (!print) throw new Error('Its painting was not followed.')
  return print
}

const form = (entries: string, content: string) =>
  stream(`/Type /XObject /Subtype /Form /BBox [0 0 1000 1000] ${entries}`, content)
const LINE = '1 w 100 100 m 200 100 l S'

test('a form is followed wherever it is placed, at the size it is placed', async () => {
  const print = await printOf({
    pages: [
      {
        content: 'q /Fm Do Q q 0.5 0 0 0.5 0 0 cm /Fm Do Q',
        resources: '/XObject << /Fm 10 0 R >>',
      },
    ],
    objects: { 10: form('', LINE) },
  })
  expect(print.thinnestLines.marks.map(({ value }) => value)).toEqual([0.5, 1])
  expect(print.thinnestLines.marks[1]?.region).toEqual({ x: 35.1, y: 261.55, width: 35.63, height: 0.35 })
})

test('the place of what a turned page paints is that of the page as it is seen', async () => {
  const at = async (turn: number) => {
    const print = await printOf({
      pages: [{ size: [100, 200], entries: `/Rotate ${turn}`, content: '0 0 0 1 k 0 0 28.3465 1 re f' }],
    })
    return print.thinnestLines.marks[0]?.region
  }
  expect(await at(0)).toMatchObject({ x: 0, y: 199.65, width: 10, height: 0.35 })
  expect(await at(90)).toMatchObject({ x: 0, y: 0, width: 0.35, height: 10 })
  expect(await at(180)).toMatchObject({ x: 90, y: 0, width: 10, height: 0.35 })
  expect(await at(270)).toMatchObject({ x: 199.65, y: 90, width: 0.35, height: 10 })
})

test('text stands on ink for sure where a rectangle of it reaches all around', async () => {
  const text = 'BT 0 0 0 0 k /F1 6 Tf 60 80 Td (White) Tj ET'
  const font = '/Font << /F1 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >>'
  const isSurely = async (ground: string) => {
    const print = await printOf({ pages: [{ content: `q 1 0.5 0 0 k ${ground} Q ${text}`, resources: font }] })
    return print.smallestReversedTexts.marks.map(({ isSurelyOn = false }) => isSurelyOn)
  }
  expect(await isSurely('20 20 200 200 re f')).toEqual([true])
  expect(await isSurely('62 20 200 200 re f'), 'it reaches out').toEqual([false])
  expect(await isSurely('20 20 m 220 20 l 120 220 l f'), 'a triangle').toEqual([false])
  expect(await isSurely('0.7 0.7 -0.7 0.7 60 20 cm 0 0 90 90 re f'), 'a rectangle on its corner').toEqual([false])
  expect(await isSurely('20 20 m 220 20 l 120 220 l W n 20 20 200 200 re f'), 'cut to a triangle').toEqual([false])
  expect(await isSurely('0 0 900 900 re W n 20 20 200 200 re f'), 'cut to a rectangle').toEqual([true])
})

test('what a layer hides, what is cut off and what is fully transparent is not painted', async () => {
  const print = await printOf({
    catalogue: '/OCProperties << /OCGs [10 0 R] /D << /OFF [10 0 R] >> >>',
    pages: [
      {
        content: `/OC /L BDC ${LINE} EMC q 0 0 50 50 re W n ${LINE} Q q /G gs ${LINE} Q`,
        resources: '/Properties << /L 10 0 R >> /ExtGState << /G << /CA 0 >> >>',
      },
    ],
    objects: { 10: '<< /Type /OCG /Name (Notes) >>' },
  })
  expect(print).toMatchObject({ unread: null, thinnestLines: { count: 0 } })
})

test('drawings that place one another without end are not followed to their end, and it is said', async () => {
  const places = (next: number) => Array.from({ length: 10 }, () => `/F${next} Do`).join(' ')
  const forms = Object.fromEntries(
    Array.from({ length: 10 }, (_, index) => [
      10 + index,
      form(`/Resources << /XObject << /F${index + 1} ${11 + index} 0 R >> >>`, places(index + 1)),
    ]),
  )
  const path = join(folder, 'endless.pdf')
  const objects = { ...forms, 20: form('', LINE) }
  writeFileSync(path, pdf({ pages: [{ content: '/F0 Do', resources: '/XObject << /F0 10 0 R >>' }], objects }))
  const source = new ByteSource(path)
  try {
    // Without PDFium, which runs out of memory on such a page.
    const document = await PdfDocument.open(source)
    const dictionary = (await document.dictionary(new PdfReference(100, 0))) ?? new Map()
    const print = new PdfPrint(document, new Map())
    await new PdfPainting(document, print).walk([{ dictionary, inherited: new Map() }])
    expect(print.facts.unread).toBe('its pages hold more than 2.5 million operators')
  } finally {
    source.close()
  }
})

test.each([
  ['a form that draws itself', '/Fm Do', '/Fm Do', /more than 12 deep/],
  ['content that breaks off', `${LINE} (never closed`, LINE, /content of page 1 is too long or breaks off/],
  ['a stream of numbers', '1 '.repeat(2000), LINE, /content of page 1/],
])('%s is said not to have been followed', async (_, content, drawing, says) => {
  const print = await printOf({
    pages: [{ content, resources: '/XObject << /Fm 10 0 R >>' }],
    objects: { 10: form('/Resources << /XObject << /Fm 10 0 R >> >>', drawing) },
  })
  expect(print.unread).toMatch(says)
})

test('2,000 pages are followed, and no more than 10 marks of each are listed', async () => {
  const content = Array.from({ length: 30 }, (_, index) => `50 ${50 + index} m 60 ${50 + index} l S`).join(' ')
  const print = await printOf({ pages: Array.from({ length: 2000 }, () => ({ content: `0.1 w ${content}` })) })
  expect(print).toMatchObject({ pages: 2000, unread: null, thinnestLines: { count: 60_000 } })
  expect(print.thinnestLines.marks).toHaveLength(100)
  expect(new Set(print.thinnestLines.marks.map(({ page }) => page)).size).toBe(10)
})
