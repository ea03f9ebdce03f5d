import { SaxesParser } from 'saxes'
import { describe, expect, it } from 'vitest'
import { makeBatch, makeComment, makeFile, makeToken, makeUser } from '@/fixtures/factories'
import type { Marker } from '@/lib/domain/review/markers'
import { startFrame } from '@/lib/timecode'
import { send } from '../testing'
import { toEdl } from './edl'
import { toFcpxml } from './fcpxml'
import { toAvid, toMarkerCsv } from './tables'
import { frameDurationOf, timelineOf } from './timeline'
import { toXfdf } from './xfdf'

const marker = (number: number, anchor: Marker['anchor'], more: Partial<Marker> = {}): Marker => ({
  id: `00000000-0000-7000-8000-00000000000${number}`,
  number,
  body: 'Logo too small',
  author: 'Ada <ada>',
  at: new Date('2026-11-25T10:00:00Z'),
  anchor,
  shapes: [],
  isInternal: false,
  isResolved: false,
  replies: [],
  ...more,
})
const video = (average: number, timecode: string | null) => ({
  name: 'Spot "A" & B.mov',
  kind: 'video',
  media: { frameRate: { average }, timecode, durationSeconds: 60, displayWidth: 1920, displayHeight: 1080 },
})
const hostile = 'x|D:9 |C:\r\n002  001 V\t</marker>\u0000]]>'

type Element = { name: string; attributes: Record<string, string>; text: string }
/** Throws where it is not well-formed. */
function elementsOf(document: string): Element[] {
  const found: Element[] = []
  const open: Element[] = []
  const parser = new SaxesParser()
  parser.on('error', (error) => {
    throw error
  })
  parser.on('opentag', ({ name, attributes }) => {
    const element = { name, attributes: attributes as Record<string, string>, text: '' }
    found.push(element)
    open.push(element)
  })
  parser.on('text', (text) => {
    const last = open.at(-1)
    if (last) last.text += text
  })
  parser.on('closetag', () => void open.pop())
  parser.write(document).close()
  return found
}

describe('frames', () => {
  it.each([
    [25, [1, 25]],
    [29.97, [1001, 30_000]],
    [23.976, [1001, 24_000]],
    [59.94, [1001, 60_000]],
    [24, [1, 24]],
    [12.5, [1000, 12_500]],
  ])('last at %d a second a fraction of whole numbers', (rate, fraction) => {
    expect(frameDurationOf(rate)).toEqual(fraction)
  })
  it('are those of the file, from its own timecode, and never behind its end', () => {
    const line = timelineOf(video(25, '10:00:00:00'), [
      marker(1, { kind: 'time', time: 2.02, end: 4 }),
      marker(2, { kind: 'point', x: 0.5, y: 0.5, time: 1 }),
      marker(3, { kind: 'time', time: 99 }),
      marker(4, null),
    ])
    expect(line.markers.map(({ number, frame, frames }) => [number, frame, frames])).toEqual([
      [4, 0, 1],
      [2, 25, 1],
      [1, 50, 50],
      [3, 1499, 1],
    ])
  })
})

describe('an EDL', () => {
  it('has an event for each marker, at the timecode of its frame', () => {
    const edl = toEdl(
      timelineOf(video(29.97, '01:00:00;00'), [
        marker(1, { kind: 'time', time: 60.07, end: 60.07 }, { isResolved: true }),
        marker(
          2,
          { kind: 'time', time: 1.01, end: 2 },
          { replies: [{ id: 'r', body: 'Done', author: 'Bo', at: new Date() }] },
        ),
      ]),
    )
    expect(edl.split('\r\n').slice(0, 8)).toEqual([
      'TITLE: Spot "A" & B.mov',
      'FCM: DROP FRAME',
      '',
      '001  001      V     C        01:00:01;00 01:00:01;01 01:00:01;00 01:00:01;01',
      ' |C:ResolveColorRed |M:Logo too small / Bo: Done |D:29',
      '* LOC: 01:00:01;00 RED     Logo too small / Bo: Done',
      '* FROM CLIP NAME: Spot "A" & B.mov',
      '',
    ])
    expect(edl).toContain('ResolveColorGreen')
  })
  it('lets no text out of its field', () => {
    const lines = toEdl(timelineOf(video(25, null), [marker(1, { kind: 'time', time: 1 }, { body: hostile })])).split(
      '\r\n',
    )
    expect(lines).toHaveLength(8)
    expect(lines[4]?.split('|')).toHaveLength(4)
  })
})

describe('FCPXML', () => {
  it('has each marker in time of the file, in whole frames', () => {
    const line = timelineOf(video(29.97, '01:00:00;00'), [
      marker(1, { kind: 'time', time: 1.01, end: 2 }, { body: hostile }),
    ])
    const elements = elementsOf(toFcpxml(line))
    const found = elements.filter(({ name }) => name === 'marker')
    expect(found).toHaveLength(1)
    const [numerator = 0, denominator = 1] = (found[0]?.attributes.start ?? '').split(/[/s]/).map(Number)
    expect(numerator % 1001).toBe(0)
    expect(numerator / 1001).toBe(startFrame('01:00:00;00', 30_000 / 1001) + 30)
    expect(denominator).toBe(30_000)
    const clip = elements.find(({ name }) => name === 'asset-clip')?.attributes
    expect(clip).toMatchObject({ tcFormat: 'DF', name: 'Spot "A" & B.mov', start: `${107_892 * 1001}/30000s` })
  })
})

describe('tables', () => {
  it('for Premiere have its columns, and run no formula', () => {
    const csv = toMarkerCsv(
      timelineOf(video(25, '10:00:00:00'), [marker(1, { kind: 'time', time: 1, end: 3 }, { body: '=1+1' })]),
    )
    expect(csv.replace('\ufeff', '').split('\r\n').slice(0, 2)).toEqual([
      'Marker Name,Description,In,Out,Duration,Marker Type',
      "1 Ada <ada>,'=1+1,10:00:01:00,10:00:03:00,00:00:02:00,Comment",
    ])
  })
  it('for Avid have five fields a line, whatever was written', () => {
    const lines = toAvid(
      timelineOf(video(25, null), [marker(1, { kind: 'time', time: 1 }, { body: hostile, author: 'A\tB' })]),
    )
    expect(lines.trimEnd().split('\r\n')).toHaveLength(1)
    expect(lines.trimEnd().split('\t')).toEqual(['A B', '00:00:01:00', 'V1', 'red', expect.any(String)])
  })
})

describe('XFDF', () => {
  const page = (rotation: number, more = {}) => ({
    widthMm: 254,
    heightMm: 508,
    rotation,
    mediaBox: { xMm: 0, yMm: 0, widthMm: 254, heightMm: 508 },
    cropBox: null,
    trimBox: null,
    bleedBox: null,
    artBox: null,
    ...more,
  })
  // 254 mm are 720 points.
  const place = { x: 0.1, y: 0.2, width: 0.5, height: 0.3 }
  const rectIn = (facts: ReturnType<typeof page>, region: typeof place) =>
    elementsOf(toXfdf('a.pdf', [facts], [marker(1, { kind: 'region', ...region, page: 1 })])).find(
      ({ name }) => name === 'square',
    )?.attributes.rect
  it.each([
    [0, '72.00,720.00,432.00,1152.00'],
    [90, '144.00,144.00,360.00,864.00'],
    [180, '288.00,288.00,648.00,720.00'],
    [270, '360.00,576.00,576.00,1296.00'],
  ])('places a region of a page turned by %d degrees in its user space', (rotation, rect) => {
    expect(rectIn(page(rotation), place)).toBe(rect)
  })
  it('counts from the crop box', () => {
    const cropBox = { xMm: 25.4, yMm: 25.4, widthMm: 127, heightMm: 127 }
    expect(rectIn(page(0, { cropBox }), { x: 0, y: 0, width: 1, height: 1 })).toBe('72.00,72.00,432.00,432.00')
  })
  it('is well-formed whatever was written, and a reply names what it replies to', () => {
    const document = toXfdf(
      'a&b.pdf',
      [page(0)],
      [
        marker(
          1,
          { kind: 'region', ...place, page: 1 },
          {
            body: hostile,
            isResolved: true,
            replies: [{ id: 'reply', body: 'ok', author: 'Bo', at: new Date('2026-11-25T11:00:00Z') }],
          },
        ),
        marker(2, { kind: 'point', x: 0.5, y: 0.5, page: 1 }),
      ],
    )
    const elements = elementsOf(document)
    expect(elements.filter(({ name }) => name === 'square')).toHaveLength(1)
    expect(elements.find(({ attributes }) => attributes.name === 'reply')?.attributes).toMatchObject({
      inreplyto: marker(1, null).id,
      page: '0',
      date: 'D:20261125110000Z',
    })
    expect(elements.find(({ name }) => name === 'contents')?.text).toBe(
      hostile.replace('\u0000', '').replace('\r\n', '\n'),
    )
  })
})

describe('what is drawn, in XFDF', () => {
  const facts = {
    widthMm: 254,
    heightMm: 508,
    rotation: 0,
    mediaBox: { xMm: 0, yMm: 0, widthMm: 254, heightMm: 508 },
    cropBox: null,
    trimBox: null,
    bleedBox: null,
    artBox: null,
  }
  const drawn = marker(
    1,
    { kind: 'region', x: 0.1, y: 0.1, width: 0.5, height: 0.5, page: 1 },
    {
      shapes: [
        {
          kind: 'stroke',
          colour: 'red',
          points: [
            [0.1, 0.1],
            [0.2, 0.15],
            [0.6, 0.6],
          ],
        },
        { kind: 'arrow', colour: 'blue', from: [0.5, 0.5], to: [0.25, 0.5] },
        { kind: 'box', colour: 'green', x: 0.1, y: 0.2, width: 0.5, height: 0.3 },
        { kind: 'text', colour: 'yellow', x: 0.2, y: 0.2, text: 'A & <b>' },
      ],
    },
  )
  const elements = elementsOf(toXfdf('a.pdf', [facts], [drawn]))
  const found = (name: string) => elements.find((element) => element.name === name)

  it('is ink, a line, a square and free text, under the subject of the note that has the words', () => {
    expect(found('text')?.attributes).toMatchObject({
      name: drawn.id,
      subject: 'Comment 1',
      rect: '72.00,1276.00,92.00,1296.00',
    })
    expect(found('gesture')?.text).toBe('72.00,1296.00;144.00,1224.00;432.00,576.00')
    expect(found('line')?.attributes).toMatchObject({
      start: '360.00,720.00',
      end: '180.00,720.00',
      head: 'None',
      tail: 'OpenArrow',
      color: '#1257D6',
    })
    expect(found('square')?.attributes).toMatchObject({ rect: '72.00,720.00,432.00,1152.00', width: '2' })
    expect(elements.findLast(({ name }) => name === 'contents')?.text).toBe('A & <b>')
    for (const name of ['ink', 'line', 'square', 'freetext'])
      expect(found(name)?.attributes, name).toMatchObject({ subject: 'Comment 1', page: '0' })
    expect(elements.filter(({ name }) => name === 'square')).toHaveLength(1)
  })
  it('keeps a label on the page, however close to its edge it is', () => {
    const shapes: Marker['shapes'] = [{ kind: 'text', colour: 'black', x: 1, y: 1, text: 'At the very edge' }]
    const edge = marker(1, { kind: 'point', x: 1, y: 1, page: 1 }, { shapes })
    for (const rotation of [0, 90, 180, 270]) {
      const rect = elementsOf(toXfdf('a.pdf', [{ ...facts, rotation }], [edge])).find(({ name }) => name === 'freetext')
      const [left = -1, bottom = -1, right = 999, top = 9999] = (rect?.attributes.rect ?? '').split(',').map(Number)
      expect(Math.min(left, bottom, 720 - right, 1440 - top)).toBeGreaterThanOrEqual(0)
      expect(rect?.attributes.rotation).toBe(rotation === 0 ? undefined : String(rotation))
    }
  })
})

describe('the export of a file', () => {
  async function scene() {
    const batch = await makeBatch()
    const { name: _name, ...facts } = video(25, '10:00:00:00')
    const file = await makeFile(batch, { name: 'Spot.mov', ...facts, kind: 'video', mediaType: 'video/quicktime' })
    await makeComment(file, { body: 'For all', anchor: { kind: 'time', time: 1 } })
    await makeComment(file, {
      body: 'Drawn',
      anchor: { kind: 'region', x: 0.1, y: 0.1, width: 0.2, height: 0.2, time: 3 },
      shapes: [{ kind: 'box', colour: 'red', x: 0.1, y: 0.1, width: 0.2, height: 0.2 }],
    })
    await makeComment(file, { body: 'For the team', anchor: { kind: 'time', time: 2 }, isInternal: true })
    const { token } = await makeToken(await makeUser({ role: 'administrator' }))
    return { token, params: { project_id: batch.projectId, batch_id: batch.id, file_id: file.id } }
  }
  const ask = async (search: string, { token, params }: Awaited<ReturnType<typeof scene>>) => {
    const route = await import(
      '@/app/api/projects/[project_id]/batches/[batch_id]/files/[file_id]/comments/export/route'
    )
    return send(route.GET, 'GET', `/export${search}`, { token, params })
  }
  it('leaves out what is for the team only, unless it is asked for', async () => {
    const given = await scene()
    const edl = await ask('?format=edl', given)
    expect(edl.headers.get('content-disposition')).toContain('Spot.mov, comments.edl')
    const text = await edl.text()
    expect(text).toContain('10:00:01:00')
    expect(text).not.toContain('For the team')
    expect(await (await ask('?format=edl&internal=include', given)).text()).toContain('For the team')
    const { comments } = await (await ask('', given)).json()
    expect(comments).toMatchObject([
      { shapes: [] },
      { body: 'Drawn', shapes: [{ kind: 'box', colour: 'red', x: 0.1 }] },
    ])
  })
  it('says which formats there are for the file', async () => {
    const given = await scene()
    const refused = await ask('?format=xfdf', given)
    expect(refused.status).toBe(406)
    expect((await refused.json()).detail).toContain('format=json or format=edl or format=fcpxml')
    expect((await ask('?format=doc', given)).status).toBe(406)
    expect((await ask('?format=edl&internal=maybe', given)).status).toBe(400)
    const { token } = await makeToken(await makeUser({ role: 'coordinator' }))
    expect((await ask('?format=edl', { ...given, token })).status).toBe(404)
  })
})
