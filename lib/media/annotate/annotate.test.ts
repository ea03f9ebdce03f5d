import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { finished } from 'node:stream/promises'
import { degrees, PDFArray, PDFDict, PDFDocument, PDFName, PDFString } from '@cantoo/pdf-lib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeBatch, makeComment, makeFile, makeToken, makeUser } from '@/fixtures/factories'
import { send } from '@/lib/http/testing'
import { service } from '@/lib/service'
import { withPdf } from '../decode/pdf-document'
import { annotatePdf } from './annotate-pdf'
import { closeAnnotator } from './annotator'
import type { Remark } from './protocol'

/** Comments in a PDF as annotations, read again by another reader (PDF.js) than the one that wrote them. */

afterAll(closeAnnotator)

let folder: string
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'greenroom-annotate-test-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Two pages: one plain, one turned by 90 degrees whose crop box begins at 50, 100. */
async function original({ useObjectStreams = true } = {}): Promise<Buffer> {
  const document = await PDFDocument.create()
  const first = document.addPage([600, 800])
  first.drawText('First', { x: 50, y: 700 })
  const link = document.context.register(
    document.context.obj({
      Type: 'Annot',
      Subtype: 'Link',
      Rect: [10, 10, 60, 30],
      Border: [0, 0, 0],
      A: { S: 'URI', URI: PDFString.of('https://example.com/') },
    }),
  )
  first.node.set(PDFName.of('Annots'), document.context.obj([link]))
  const second = document.addPage([500, 700])
  second.setCropBox(50, 100, 400, 500)
  second.setRotation(degrees(90))
  return Buffer.from(await document.save({ useObjectStreams }))
}

const at = '2026-11-25T10:00:00.000Z'
const remark = (number: number, more: Partial<Remark> = {}): Remark => ({
  id: `0190a000-0000-7000-8000-00000000000${number}`,
  number,
  body: 'Too dark, 太暗 (\\)',
  author: 'Ada 艾达',
  at,
  page: 1,
  place: { x: 0.5, y: 0.25, width: 0, height: 0 },
  shapes: [],
  isResolved: false,
  replies: [],
  ...more,
})

async function written(bytes: Buffer, remarks: Remark[]) {
  const [from, into] = [path.join(folder, 'from.pdf'), path.join(folder, 'into.pdf')]
  writeFileSync(from, bytes)
  const result = await annotatePdf({ path: from, into, remarks })
  return { result, copy: readFileSync(into), annotations: await read(into) }
}

type Read = Record<string, unknown> & { subtype: string; rect: number[] }
const read = (file: string) =>
  withPdf(file, async (document) => {
    const pages: Read[][] = []
    for (let number = 1; number <= document.numPages; number++)
      pages.push((await (await document.getPage(number)).getAnnotations()) as Read[])
    return pages
  })

/** The ends of its lines, as they are written. */
async function linesIn(bytes: Buffer) {
  const document = await PDFDocument.load(bytes)
  return document.context.enumerateIndirectObjects().flatMap(([, object]) => {
    const ends = object instanceof PDFDict ? object.lookup(PDFName.of('L')) : null
    return ends instanceof PDFArray ? [ends.asArray().map((end) => Number(String(end)))] : []
  })
}

const closeTo = (values: readonly number[]) => values.map((value) => expect.closeTo(value, 1))

describe('a PDF with comments in it', () => {
  test.each([true, false])(
    'begins with the original, byte for byte, and keeps its annotations (%j)',
    async (useObjectStreams) => {
      const bytes = await original({ useObjectStreams })
      const { copy, annotations, result } = await written(bytes, [remark(1)])
      expect(copy.subarray(0, bytes.length).equals(bytes)).toBe(true)
      expect(result).toEqual({ annotations: 1 })
      expect(annotations[0]?.map(({ subtype }) => subtype)).toEqual(['Link', 'Text'])
      expect((await written(bytes, [])).copy.equals(bytes)).toBe(true)
    },
  )

  test('says who said what, when, in any script, with replies and whether it is done', async () => {
    const reply = { id: '0190a000-0000-7000-8000-0000000000aa', body: 'Lighter now', author: 'Bo', at }
    const { annotations } = await written(await original(), [remark(7, { replies: [reply], isResolved: true })])
    const [note, answer, state] = annotations[0]?.slice(1) ?? []
    expect(note).toMatchObject({
      subtype: 'Text',
      titleObj: { str: 'Ada 艾达' },
      contentsObj: { str: 'Too dark, 太暗 (\\)' },
      rect: closeTo([300, 580, 320, 600]),
      hasAppearance: true,
    })
    expect(answer).toMatchObject({ contentsObj: { str: 'Lighter now' }, inReplyTo: note?.id, replyType: 'R' })
    expect(state).toMatchObject({ state: 'Completed', stateModel: 'Review', inReplyTo: note?.id })
  })

  test('draws every shape as an annotation of its kind, where it was drawn, in its colour', async () => {
    const drawn = remark(1, {
      shapes: [
        {
          kind: 'stroke',
          colour: 'red',
          points: [
            [0.1, 0.1],
            [0.2, 0.3],
          ],
        },
        { kind: 'arrow', colour: 'blue', from: [0.5, 0.5], to: [0.25, 0.5] },
        { kind: 'box', colour: 'green', x: 0.1, y: 0.2, width: 0.5, height: 0.25 },
        { kind: 'text', colour: 'yellow', x: 0.2, y: 0.2, text: 'Crop (here)' },
        { kind: 'text', colour: 'white', x: 0.2, y: 0.9, text: '太暗' },
      ],
    })
    const { annotations, copy } = await written(await original(), [drawn])
    const [ink, line, square, label, other] = annotations[0]?.slice(2) ?? []
    expect(ink).toMatchObject({ subtype: 'Ink', hasAppearance: true })
    const [way] = (ink?.inkLists ?? []) as Float32Array[]
    expect(Array.from(way ?? [])).toEqual(closeTo([60, 720, 120, 560]))
    // From its tail to its head; PDF.js puts the smaller coordinate first.
    expect(line).toMatchObject({ subtype: 'Line', lineCoordinates: closeTo([150, 400, 300, 400]) })
    expect(await linesIn(copy)).toEqual([[300, 400, 150, 400]])
    expect(line).toMatchObject({ lineEndings: ['None', 'OpenArrow'], hasAppearance: true })
    expect(square).toMatchObject({
      subtype: 'Square',
      rect: closeTo([58.25, 438.25, 361.75, 641.75]),
      hasAppearance: true,
    })
    expect(label).toMatchObject({ subtype: 'FreeText', contentsObj: { str: 'Crop (here)' }, hasAppearance: true })
    expect(other).toMatchObject({ subtype: 'FreeText', contentsObj: { str: '太暗' }, hasAppearance: true })
    expect(Array.from(ink?.color as Uint8ClampedArray)).toEqual([217, 45, 32])
  })

  test('has a region without shapes as a square, on a page that is cropped and turned', async () => {
    const place = { x: 0.1, y: 0.2, width: 0.5, height: 0.25 }
    const { annotations } = await written(await original(), [remark(1, { page: 2, place })])
    const square = annotations[1]?.find(({ subtype }) => subtype === 'Square')
    // Seen, the page is 500 wide and 400 high: 0.2 from its top is 0.2 from the left of the crop box.
    expect(square?.rect).toEqual(closeTo([50 + 80 - 1.75, 100 + 50 - 1.75, 50 + 180 + 1.75, 100 + 300 + 1.75]))
  })

  test('puts what stands on no page that there is on the last', async () => {
    const { annotations } = await written(await original(), [remark(1, { page: 9 }), remark(2, { place: null })])
    expect(annotations.map((page) => page.length)).toEqual([2, 1])
  })

  test('is refused for an encrypted one', async () => {
    const document = await PDFDocument.create()
    document.addPage()
    document.encrypt({ userPassword: 'open', ownerPassword: 'own' })
    const from = path.join(folder, 'encrypted.pdf')
    writeFileSync(from, await document.save())
    const result = await annotatePdf({ path: from, into: path.join(folder, 'no.pdf'), remarks: [remark(1)] })
    expect(result).toEqual({ refused: expect.stringContaining('encrypted') })
  })
})

describe('the export of a PDF', () => {
  async function stored(bytes: Buffer, given: Parameters<typeof makeFile>[1] = {}) {
    const batch = await makeBatch()
    const objectKey = `files/${crypto.randomUUID()}` as const
    const staged = await service().ports.blobs.stage()
    const writable = await staged.writable()
    writable.end(bytes)
    await finished(writable)
    await service().ports.blobs.commit(staged, objectKey)
    const file = await makeFile(batch, {
      name: 'Poster.pdf',
      kind: 'document',
      mediaType: 'application/pdf',
      size: bytes.length,
      objectKey,
      media: { pages: 2 },
      ...given,
    })
    const { token } = await makeToken(await makeUser({ role: 'administrator' }))
    const route = await import(
      '@/app/api/projects/[project_id]/batches/[batch_id]/files/[file_id]/comments/export/route'
    )
    const params = { project_id: batch.projectId, batch_id: batch.id, file_id: file.id }
    const ask = (search = '') => send(route.GET, 'GET', `/export?format=pdf${search}`, { token, params })
    return { file, ask }
  }

  test('is the file with its comments, written in a process of its own; what is for the team only is left out', async () => {
    const { file, ask } = await stored(await original())
    const shapes = [{ kind: 'box' as const, colour: 'red', x: 0.1, y: 0.1, width: 0.2, height: 0.2 }]
    const anchor = { kind: 'region' as const, x: 0.1, y: 0.1, width: 0.2, height: 0.2, page: 2 }
    await makeComment(file, { body: 'For all', anchor, shapes })
    await makeComment(file, { body: 'For the team', isInternal: true })
    const response = await ask()
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('application/pdf')
    expect(response.headers.get('content-disposition')).toContain('Poster, with comments.pdf')
    const bytes = Buffer.from(await response.arrayBuffer())
    expect(response.headers.get('content-length')).toBe(String(bytes.length))
    const into = path.join(folder, 'exported.pdf')
    writeFileSync(into, bytes)
    const said = (await read(into)).flat().map((each) => (each.contentsObj as { str: string }).str)
    expect(said).toEqual(['', 'For all', ''])
    writeFileSync(into, Buffer.from(await (await ask('&internal=include')).arrayBuffer()))
    expect((await read(into)).flat()).toHaveLength(4)
  })

  test('says why there is none: of a file that is no PDF, is no more, or cannot be written into', async () => {
    const damaged = await (await stored(Buffer.from('%PDF-1.7\nnothing'))).ask()
    expect(damaged.status).toBe(406)
    expect((await damaged.json()).detail).toContain('format=xfdf')
    const image = await stored(Buffer.from('x'), { kind: 'image', mediaType: 'image/png', media: {} })
    expect((await image.ask()).status).toBe(406)
    const large = await stored(await original(), { size: 300_000_000 })
    expect((await (await large.ask()).json()).detail).toContain('200 MB')
  })
})
