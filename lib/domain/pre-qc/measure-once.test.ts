import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { eq } from 'drizzle-orm'
import sharp from 'sharp'
import { afterAll, describe, expect, it } from 'vitest'
import { database } from '@/db/client'
import { files } from '@/db/schema/files'
import { contentMeasurements, preQcMeasurements, preQcResults } from '@/db/schema/pre-qc'
import { testSql } from '@/db/testing'
import { wav } from '@/fixtures/audio'
import { writeCaptions } from '@/fixtures/captions'
import { advertisement } from '@/fixtures/deliveries'
import { eps } from '@/fixtures/eps'
import { makeBatch, makeFile, makeResult } from '@/fixtures/factories'
import { heic } from '@/fixtures/heic'
import { drawLettering } from '@/fixtures/lettering'
import { writeMedia } from '@/fixtures/video'
import { zip } from '@/fixtures/zip'
import { storeBytes } from '@/lib/adapters/blob-store/testing/conformance'
import { extensionOf, findTypeByExtension } from '@/lib/domain/files/media-types'
import '@/lib/http/testing'
import { removeObjects, sweep } from '@/lib/jobs/sweep'
import { closeInspector } from '@/lib/media/inspect/inspect'
import { closeMeasurer } from '@/lib/media/measurer/measurer'
import { newContext } from '@/lib/service'
import type { BlobKey } from '../kernel/blob-store'
import type { Context } from '../kernel/operation'
import type { Measured } from './port'
import { runPreQc } from './run'

const require = createRequire(import.meta.url)
const folder = mkdtempSync(path.join(tmpdir(), 'measure-once-'))
afterAll(() => {
  closeInspector()
  closeMeasurer()
  rmSync(folder, { recursive: true })
})

const system = (): Context => newContext({ actor: { type: 'system', name: 'A test' } })

/** A context that counts what is measured; `measure` in place of what measures. */
function counting(measure?: Context['ports']['preQc']['measure']) {
  const ctx = system()
  const counted = { times: 0 }
  const preQc: Context['ports']['preQc'] = {
    ...ctx.ports.preQc,
    measure(...given) {
      counted.times += 1
      return (measure ?? ctx.ports.preQc.measure)(...given)
    },
  }
  return { ctx: { ...ctx, ports: { ...ctx.ports, preQc } }, counted }
}

const sha256Of = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

type FileSetup = { batch?: Parameters<typeof makeBatch>[0]; stored?: Buffer }

/** A file of these bytes in a project of its own, as it lies in the store. `stored`: what lies there in their place. */
async function fileOf(name: string, bytes: Buffer, { batch = {}, stored = bytes }: FileSetup = {}) {
  const type = findTypeByExtension(extensionOf(name))
  if (!type) throw new Error(`${name} has no type.`)
  const given = { name, kind: type.kind, mediaType: type.mediaType, size: bytes.length, sha256: sha256Of(bytes) }
  const file = await makeFile(await makeBatch(batch), given)
  await storeBytes(system().ports.blobs, stored, file.objectKey as BlobKey)
  return file
}

/** The result of a run of its checks, and what it evaluated. */
async function run(ctx: Context, file: Awaited<ReturnType<typeof fileOf>>) {
  const { id } = await makeResult(file, { status: 'queued', summary: null, completedAt: null })
  await runPreQc(ctx, { result_id: id })
  const [result] = await database().db.select().from(preQcResults).where(eq(preQcResults.id, id))
  const [stored] = await database().db.select().from(preQcMeasurements).where(eq(preQcMeasurements.resultId, id))
  if (!result) throw new Error('The result is gone.')
  return { result, subject: stored?.subject }
}

const rowsOf = ({ sha256 }: { sha256: string }) =>
  database().db.select().from(contentMeasurements).where(eq(contentMeasurements.sha256, sha256))

let shade = 0
/** An image that no other test has. */
const image = () =>
  sharp({ create: { width: 40, height: 30, channels: 3, background: { r: 9, g: ++shade, b: 4 } } })
    .png()
    .toBuffer()

const drawing =
  '<svg xmlns="http://www.w3.org/2000/svg" width="320" height="240"><rect width="320" height="240" fill="#eee"/><path d="M20 20h120v90H20zM160 40l100 160H60z" fill="#024"/></svg>'
const drawn = () => sharp(Buffer.from(drawing)).removeAlpha()
const paint = (frame: number, x: number, y: number) => 60 + ((x * 3 + frame * 7 + y) % 97)
const tone = (time: number) => 0.4 * Math.sin(2 * Math.PI * 440 * time)

function media(name: string, what: Parameters<typeof writeMedia>[1]): Buffer {
  writeMedia(path.join(folder, name), what)
  return readFileSync(path.join(folder, name))
}

/** A file of every kind, and of every decoder where a kind has several. */
const KINDS: readonly [name: string, bytes: () => Buffer | Promise<Buffer>][] = [
  ['photo.png', () => drawn().png().toBuffer()],
  ['photo.jpg', () => drawn().jpeg().toBuffer()],
  ['photo.webp', () => drawn().webp().toBuffer()],
  ['photo.tif', () => drawn().tiff().toBuffer()],
  ['drawing.svg', () => Buffer.from(drawing)],
  ['photo.heic', () => heic(path.join(folder, 'photo'), 64, 48, (_, x, y) => 16 + x + y)],
  ['drawing.eps', () => eps({})],
  ['spot.mp4', () => media('spot.mp4', { video: { frames: 60, paint }, audio: [{ seconds: 2.4, sample: tone }] })],
  ['spot.mov', () => media('spot.mov', { video: { frames: 30, paint } })],
  ['jingle.wav', () => wav(2, tone)],
  [
    'leaflet.pdf',
    () =>
      advertisement(
        { brand: 'Luma', headline: 'Light', colours: ['#f6e7df', '#d98f77', '#5a2a1e'], shape: 'bottle' },
        2,
        true,
      ),
  ],
  [
    'captions.srt',
    () => {
      const file = path.join(folder, 'captions.srt')
      writeCaptions(file, [
        [1, 3, 'One line'],
        [4, 6, 'and another'],
      ])
      return readFileSync(file)
    },
  ],
  ['text.woff2', () => readFileSync(require.resolve('@fontsource-variable/inter/files/inter-latin-wght-normal.woff2'))],
]

describe('the same content in another project', () => {
  it.each(KINDS)('is not decoded again, and evaluated by exactly the same: %s', async (name, make) => {
    const bytes = await make()
    const { ctx, counted } = counting()
    const first = await run(ctx, await fileOf(name, bytes))
    expect(first.result).toMatchObject({ status: 'completed', measuredAt: null })
    const other = await fileOf(name, bytes)
    const again = await run(ctx, other)
    expect(counted.times).toBe(1)
    const [row] = await rowsOf(other)
    expect(row).toMatchObject({ version: ctx.ports.preQc.version, claim: null })
    expect(again.result.measuredAt).toEqual(row?.madeAt)
    expect(again.subject).toEqual(first.subject)
    await database().db.delete(contentMeasurements).where(eq(contentMeasurements.sha256, other.sha256))
    const fresh = await run(ctx, await fileOf(name, bytes))
    expect(counted.times).toBe(2)
    expect(again.subject).toEqual(fresh.subject)
    const lines = ({ result }: typeof fresh) => JSON.stringify(result.checks).replaceAll(result.id, '')
    expect(lines(again)).toBe(lines(fresh))
  })

  it('is read for the copy once, too, and anew for other copy', async () => {
    const bytes = await drawLettering(600, 300, [{ text: 'Summer Sale', x: 30, y: 30, size: 48, face: 'bold' }])
    const { ctx, counted } = counting()
    const requiring = async (...requiredCopy: string[]) =>
      run(ctx, await fileOf('banner.png', bytes, { batch: { requiredCopy } }))
    const first = await requiring('Summer sale')
    const again = await requiring('Summer sale')
    expect(counted.times).toBe(1)
    expect(again.subject).toEqual(first.subject)
    expect(again.subject).toHaveProperty('measures.text.isComplete', true)
    expect((await requiring('Winter sale')).result.measuredAt).toBeNull()
    expect((await requiring()).result.measuredAt).toBeNull()
    expect(counted.times).toBe(3)
  })

  it('is measured anew as another type, and by another version of the code', async () => {
    const bytes = await image()
    const { ctx, counted } = counting()
    await run(ctx, await fileOf('a.png', bytes))
    expect((await run(ctx, await fileOf('a.jpg', bytes))).result.measuredAt).toBeNull()
    const other = { ...ctx, ports: { ...ctx.ports, preQc: { ...ctx.ports.preQc, version: 'another' } } }
    expect((await run(other, await fileOf('a.png', bytes))).result.measuredAt).toBeNull()
    expect(counted.times).toBe(3)
  })

  it('of which nothing but what the bytes say is stored', async () => {
    const file = await fileOf('a-name-of-the-file.png', await image())
    await run(system(), file)
    const [row] = await rowsOf(file)
    expect(row?.way).toBe('image image/png png full')
    expect(JSON.stringify(row)).not.toContain('a-name-of-the-file')
    expect(row?.bytes).toBeGreaterThan(row?.document?.length ?? 0)
  })

  it('of an HTML5 ad is unpacked by the quick profile once, and run by the full one each time', async () => {
    const bytes = zip([['index.txt', 'nothing to run']])
    const { ctx, counted } = counting()
    await run(ctx, await fileOf('files.zip', bytes))
    await run(ctx, await fileOf('files.zip', bytes))
    expect(counted.times).toBe(2)
    expect(await testSql`select from content_measurements where sha256 = ${sha256Of(bytes)}`).toHaveLength(0)
  })
})

describe('what is not stored as if it were whole', () => {
  const integrity = { violations: [], complete: true }
  const facts = { kind: 'image', format: 'png' } as unknown as Measured['media']
  const pixels = { failed: 'the file took more than 90 s of processor time to decode', again: true } as const
  const text = {
    readings: [],
    languages: [],
    words: 0,
    confidence: null,
    places: { read: 1, of: 1 },
    isComplete: false,
  }
  const cases: [string, Measured][] = [
    ['a limit of the machine', { media: facts, integrity, measures: { pixels } }],
    ['a decoder that failed', { media: facts, integrity, measures: { pixels: { failed: 'no' } } }],
    [
      'a part that failed',
      { media: facts, integrity, measures: { placed: { images: [], pages: 1, edges: { failed: 'no' } } } },
    ],
    [
      'a decode that did not come to its end',
      { media: facts, integrity: { violations: [], complete: false }, measures: {} },
    ],
    ['text whose reading was cut', { media: facts, integrity, measures: { text } }],
    [
      'a file that is damaged',
      {
        media: facts,
        integrity: { violations: [{ code: 'corrupt', message: 'It is.' }], complete: true },
        measures: {},
      },
    ],
    ['a file that could not be read', { media: { failed: 'no' }, integrity, measures: {} }],
  ]
  it.each(cases)('%s', async (_, measured) => {
    const file = await fileOf('a.png', await image())
    const { ctx, counted } = counting(async () => measured)
    await run(ctx, file)
    expect(counted.times).toBe(1)
    expect(await rowsOf(file)).toEqual([])
  })

  it('a run that ended by an exception, after which the next measures', async () => {
    const bytes = await image()
    const file = await fileOf('a.png', bytes)
    const { result } = await run(counting(() => Promise.reject(new Error('The decoder is gone.'))).ctx, file)
    expect(result.status).toBe('failed')
    expect(await rowsOf(file)).toEqual([])
    expect((await run(system(), await fileOf('a.png', bytes))).result.status).toBe('completed')
    expect(await rowsOf(file)).toHaveLength(1)
  })

  it('bytes that are no longer those that came', async () => {
    const bytes = await image()
    const damaged = bytes.subarray(0, bytes.length - 20)
    const first = await run(system(), await fileOf('a.png', bytes, { stored: damaged }))
    expect(first.result.summary).toBe('fail')
    const sound = await fileOf('a.png', bytes)
    expect(await rowsOf(sound)).toEqual([])
    expect((await run(system(), sound)).result).toMatchObject({ status: 'completed', measuredAt: null })
  })

  it('what can no longer be read: it is measured anew', async () => {
    const bytes = await image()
    const file = await fileOf('a.png', bytes)
    await run(system(), file)
    await database()
      .db.update(contentMeasurements)
      .set({ document: Buffer.from('not compressed') })
      .where(eq(contentMeasurements.sha256, file.sha256))
    const { result } = await run(system(), await fileOf('a.png', bytes))
    expect(result).toMatchObject({ status: 'completed', measuredAt: null })
    expect((await rowsOf(file))[0]?.document?.toString()).not.toBe('not compressed')
  })
})

it('a content that is known is not read again', async () => {
  const bytes = await image()
  await run(system(), await fileOf('a.png', bytes))
  const ctx = system()
  const blobs = { ...ctx.ports.blobs, localPath: () => Promise.reject(new Error('It was read.')) }
  const { result } = await run({ ...ctx, ports: { ...ctx.ports, blobs } }, await fileOf('a.png', bytes))
  expect(result).toMatchObject({ status: 'completed', measuredAt: expect.any(Date) })
})

describe('several runs of one content at once', () => {
  it('measure it once', async () => {
    const bytes = await image()
    const copies = await Promise.all([1, 2, 3, 4].map(() => fileOf('a.png', bytes)))
    const { ctx, counted } = counting()
    const all = await Promise.all(copies.map((file) => run(ctx, file)))
    expect(counted.times).toBe(1)
    expect(all.filter(({ result }) => result.measuredAt === null)).toHaveLength(1)
    for (const { subject } of all) expect(subject).toEqual(all[0]?.subject)
  })

  it('measure it although the first of them has died', async () => {
    const bytes = await image()
    const file = await fileOf('a.png', bytes)
    await testSql`insert into content_measurements (id, sha256, version, way, claim, claimed_until)
      values (gen_random_uuid(), ${file.sha256}, ${system().ports.preQc.version}, 'image image/png png full', gen_random_uuid(),
        now() + interval '700 milliseconds')`
    const { result } = await run(system(), file)
    expect(result).toMatchObject({ status: 'completed', measuredAt: null })
    expect(await rowsOf(file)).toMatchObject([{ claim: null }])
  })

  it('go on when the first of them could not measure it', async () => {
    const bytes = await image()
    let open = () => {}
    const gate = new Promise<void>((resolve) => {
      open = resolve
    })
    const failing = counting(async () => {
      await gate
      throw new Error('The decoder is gone.')
    })
    const first = run(failing.ctx, await fileOf('a.png', bytes))
    await expect.poll(() => failing.counted.times).toBe(1)
    const second = run(system(), await fileOf('a.png', bytes))
    open()
    expect((await first).result.status).toBe('failed')
    expect((await second).result).toMatchObject({ status: 'completed', measuredAt: null })
  })
})

describe('what was measured goes', () => {
  const age = (sha256: string, interval: string) =>
    testSql`update content_measurements set used_at = now() - ${interval}::interval where sha256 = ${sha256}`

  it('with the last file that keeps the content', async () => {
    const bytes = await image()
    const [one, other] = [await fileOf('a.png', bytes), await fileOf('a.png', bytes)]
    await run(system(), one)
    await age(one.sha256, '2 minutes')
    const remove = async (file: typeof one) => {
      await testSql`delete from pre_qc_results where file_id = ${file.id}`
      await testSql`delete from files where id = ${file.id}`
      await removeObjects(system(), { file_id: file.id, object_key: file.objectKey, sha256: file.sha256 })
    }
    await remove(one)
    expect(await rowsOf(one)).toHaveLength(1)
    await remove(other)
    expect(await rowsOf(one)).toEqual([])
  })

  it('in a sweep, where a retention rule has removed the bytes, or the code is long out of use', async () => {
    const [removed, outdated, current] = [
      await fileOf('a.png', await image()),
      await fileOf('a.png', await image()),
      await fileOf('a.png', await image()),
    ]
    for (const file of [removed, outdated, current]) await run(system(), file)
    await database().db.update(files).set({ removedAt: new Date() }).where(eq(files.id, removed.id))
    await age(removed.sha256, '2 minutes')
    await testSql`update content_measurements set version = 'before' where sha256 = ${outdated.sha256}`
    await age(outdated.sha256, '8 days')
    await age(current.sha256, '8 days')
    await sweep(system())
    expect(await rowsOf(removed)).toEqual([])
    expect(await rowsOf(outdated)).toEqual([])
    expect(await rowsOf(current)).toHaveLength(1)
  })
})
