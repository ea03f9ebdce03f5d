import { createHash } from 'node:crypto'
import { eq } from 'drizzle-orm'
import sharp from 'sharp'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { database } from '@/db/client'
import { preQcProfiles } from '@/db/schema/directory'
import { files } from '@/db/schema/files'
import { contentMeasurements, preQcResults } from '@/db/schema/pre-qc'
import { testSql } from '@/db/testing'
import { wav } from '@/fixtures/audio'
import { makeBatch, makeFile, makeMediaCategory, makeResult } from '@/fixtures/factories'
import { storeBytes } from '@/lib/adapters/blob-store/testing/conformance'
import '@/lib/http/testing'
import { tasks } from '@/lib/jobs/tasks'
import { closeInspector } from '@/lib/media/inspect/inspect'
import { closeMeasurer } from '@/lib/media/measurer/measurer'
import { newContext } from '@/lib/service'
import type { BlobKey } from '../kernel/blob-store'
import { enqueueJobs } from '../kernel/jobs'
import type { Context } from '../kernel/operation'
import { measureAhead, queueMeasuring } from './ahead'
import { unpackMeasured } from './measure-once'
import { runPreQc } from './run'

afterAll(() => {
  closeInspector()
  closeMeasurer()
})
beforeEach(() => testSql`delete from graphile_worker._private_jobs`)

/** A context that counts what is measured, and how. */
function counting({ measuresAhead = true } = {}) {
  const ctx = newContext({ actor: { type: 'system', name: 'A test' } })
  const measured: { isAhead?: boolean; isDrawn?: boolean }[] = []
  const preQc: Context['ports']['preQc'] = {
    ...ctx.ports.preQc,
    measuresAhead,
    measure(path, file, how) {
      measured.push({ isAhead: how?.isAhead ?? false })
      return ctx.ports.preQc.measure(path, file, how)
    },
    measureAndDraw(path, file) {
      measured.push({ isDrawn: true })
      return ctx.ports.preQc.measureAndDraw(path, file)
    },
  }
  return { ctx: { ...ctx, ports: { ...ctx.ports, preQc } }, measured }
}

async function batchOf(preQc: { enabled: boolean; checks: object } = { enabled: true, checks: {} }) {
  const category = await makeMediaCategory({ preQc: preQc as never, namingTemplate: null })
  const [known] = await database().db.select().from(preQcProfiles).where(eq(preQcProfiles.mediaCategoryId, category.id))
  if (!known)
    await database()
      .db.insert(preQcProfiles)
      .values({ mediaCategoryId: category.id, version: category.profileVersion, settings: preQc as never })
  return makeBatch({ mediaCategoryId: category.id })
}

let shade = 0
/** An image that no other test has, in the store. */
async function store(
  given: Partial<typeof files.$inferInsert> = {},
  batch?: Awaited<ReturnType<typeof batchOf>>,
  other?: Buffer,
) {
  const colour = { r: 2, g: ++shade, b: 77 }
  const bytes =
    other ??
    (await sharp({ create: { width: 40, height: 30, channels: 3, background: colour } })
      .png()
      .toBuffer())
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  const named = { name: 'a.png', kind: 'image', mediaType: 'image/png', size: bytes.length, sha256 } as const
  const file = await makeFile(batch ?? (await batchOf()), { ...named, ...given })
  await storeBytes(counting().ctx.ports.blobs, bytes, file.objectKey as BlobKey)
  return file
}

/** Bytes of an image that is drawn first and measured later. */
const LARGE = 5 * 1024 * 1024

const waiting = () => testSql<
  { task: string; key: string; payload: Record<string, string>; priority: number; wait: number }[]
>`select t.identifier as task, j.key, j.payload, j.priority, extract(epoch from j.run_at - now())::float8 as wait
  from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id order by j.id`

const rowsOf = ({ sha256 }: { sha256: string }) =>
  database().db.select().from(contentMeasurements).where(eq(contentMeasurements.sha256, sha256))

async function submitted(ctx: Context, file: Awaited<ReturnType<typeof store>>) {
  const { id } = await makeResult(file, { status: 'queued', summary: null, completedAt: null })
  await runPreQc(ctx, { result_id: id })
  const [result] = await database().db.select().from(preQcResults).where(eq(preQcResults.id, id))
  return result
}

describe('a file that has come in', () => {
  it('is measured before its batch is submitted, which then finds it known', async () => {
    const { ctx, measured } = counting()
    const file = await store({ size: LARGE })
    await tasks.make_pictures(ctx, { file_id: file.id })
    expect(await waiting()).toMatchObject([
      { task: 'measure_ahead', key: `measure_ahead:${file.id}`, payload: { file_id: file.id } },
    ])
    await measureAhead(ctx, { file_id: file.id })
    expect(measured).toEqual([{ isAhead: true }])
    const [row] = await rowsOf(file)
    expect(row?.document).not.toBeNull()
    expect(await submitted(ctx, file)).toMatchObject({ status: 'completed', measuredAt: row?.madeAt })
    expect(measured).toHaveLength(1)
    await measureAhead(ctx, { file_id: file.id })
    expect(measured).toHaveLength(1)
  })

  it('is left while checks wait for a worker, and looked at again', async () => {
    const { ctx, measured } = counting()
    const file = await store()
    await testSql`select graphile_worker.add_job('check_file', '{}')`
    await measureAhead(ctx, { file_id: file.id })
    expect(measured).toEqual([])
    const again = (await waiting()).find(({ task }) => task === 'measure_ahead')
    expect(again?.wait).toBeGreaterThan(5)
    await testSql`update graphile_worker._private_jobs set locked_at = now(), locked_by = 'a worker' where key is null`
    await measureAhead(ctx, { file_id: file.id })
    expect(measured).toHaveLength(1)
  })

  it('is not measured twice where a submit came first', async () => {
    const { ctx, measured } = counting()
    const file = await store()
    const [result] = await Promise.all([
      submitted(ctx, file),
      expect
        .poll(() => rowsOf(file))
        .toHaveLength(1)
        .then(() => measureAhead(ctx, { file_id: file.id })),
    ])
    expect(result?.status).toBe('completed')
    expect(measured).toEqual([{ isAhead: false }])
  })

  it('is not measured where that is switched off, nor where it would not be checked', async () => {
    const off = counting({ measuresAhead: false })
    const file = await store()
    await queueMeasuring(off.ctx, { file_id: file.id })
    await measureAhead(off.ctx, { file_id: file.id })
    expect(await waiting()).toEqual([])
    expect(off.measured).toEqual([])
    const on = counting()
    const unchecked = await store({}, await batchOf({ enabled: false, checks: {} }))
    const quarantined = await store({ integrity: 'quarantined' })
    const removed = await store({ removedAt: new Date() })
    for (const { id } of [unchecked, quarantined, removed]) await measureAhead(on.ctx, { file_id: id })
    const ad = await store({ kind: 'archive', mediaType: 'application/zip', name: 'a.zip' })
    await queueMeasuring(on.ctx, { file_id: ad.id })
    await queueMeasuring(on.ctx, { file_id: removed.id })
    expect(await waiting()).toEqual([])
    expect(on.measured).toEqual([])
  })

  it('is no error where its bytes went meanwhile', async () => {
    const { ctx, measured } = counting()
    const file = await store()
    await ctx.ports.blobs.delete(file.objectKey as BlobKey)
    await measureAhead(ctx, { file_id: file.id })
    expect(measured).toEqual([])
  })

  it('is measured by what its category asks for', async () => {
    const { ctx } = counting()
    const batch = await batchOf()
    await testSql`update batches set required_copy = '{Summer sale}' where id = ${batch.id}`
    const file = await store({}, batch)
    await measureAhead(ctx, { file_id: file.id })
    expect((await rowsOf(file))[0]?.way).toMatch(/^image image\/png png full [0-9a-f]{64}$/)
  })
})

describe('a small image', () => {
  const drawn = async (ctx: Context, file: Awaited<ReturnType<typeof store>>) => {
    await tasks.make_pictures(ctx, { file_id: file.id })
    const [row] = await database().db.select().from(files).where(eq(files.id, file.id))
    return row?.previews
  }
  const both = { thumbnail: true, preview: true }

  it.each(['png', 'jpeg', 'webp', 'gif', 'tiff', 'svg'])('is drawn and measured by one decode: %s', async (format) => {
    const { ctx, measured } = counting()
    const vector = `<svg xmlns="http://www.w3.org/2000/svg" width="20" height="10"><rect width="9" height="9"/></svg>`
    const noise = { type: 'gaussian', mean: 128, sigma: 30 } as const
    const image = sharp({ create: { width: 60, height: 30, channels: 3, background: '#333', noise } })
    const bytes = format === 'svg' ? Buffer.from(vector) : await image.toFormat(format as 'png').toBuffer()
    const mediaType = format === 'svg' ? 'image/svg+xml' : `image/${format}`
    const file = await store({ name: `a.${format}`, mediaType }, undefined, bytes)
    expect(await drawn(ctx, file)).toEqual(both)
    expect(measured).toEqual([{ isDrawn: true }])
    expect(await waiting()).toEqual([])
    const [row] = await rowsOf(file)
    expect(row?.document).not.toBeNull()
    expect(await submitted(ctx, file)).toMatchObject({ status: 'completed', measuredAt: row?.madeAt })
    expect(measured).toHaveLength(1)
    // As it would have been measured for its verdict alone.
    const alone = await ctx.ports.blobs.localPath(file.objectKey as BlobKey, (path) =>
      ctx.ports.preQc.measure(path, file),
    )
    expect(await unpackMeasured(row?.document as Buffer)).toEqual(JSON.parse(JSON.stringify(alone)))
  })

  it('is only drawn where it is not to be checked, was measured, or has other bytes than came', async () => {
    const { ctx, measured } = counting()
    const off = counting({ measuresAhead: false })
    expect(await drawn(off.ctx, await store())).toEqual(both)
    expect(await drawn(ctx, await store({}, await batchOf({ enabled: false, checks: {} })))).toEqual(both)
    expect(await drawn(ctx, await store({ sha256: 'f'.repeat(64) }))).toEqual(both)
    expect([...measured, ...off.measured]).toEqual([])
    const known = await store()
    await submitted(ctx, known)
    expect(await drawn(ctx, known)).toEqual(both)
    expect(measured).toEqual([{ isAhead: false }])
  })

  it('whose text is to be read is measured later, with it', async () => {
    const { ctx, measured } = counting()
    const batch = await batchOf()
    await testSql`update batches set required_copy = '{Summer sale}' where id = ${batch.id}`
    const file = await store({}, batch)
    expect(await drawn(ctx, file)).toEqual(both)
    expect(measured).toEqual([])
    expect(await waiting()).toMatchObject([{ task: 'measure_ahead', payload: { file_id: file.id } }])
  })

  it('is drawn by itself where the decode for both failed, and is left to be measured for its verdict', async () => {
    const { ctx } = counting()
    const failed = { failed: 'the decoder was ended', again: true } as const
    ctx.ports.preQc.measureAndDraw = async () => ({
      measured: { media: failed, integrity: failed, measures: {} },
      drawn: null,
    })
    const file = await store()
    expect(await drawn(ctx, file)).toEqual(both)
    expect(await rowsOf(file)).toEqual([])
  })
})

describe('a long file whose integrity is settled after its upload', () => {
  const pending = async (bytes?: Buffer) =>
    store({ name: 'a.wav', kind: 'audio', mediaType: 'audio/wav', integrity: 'pending' }, undefined, bytes)
  const integrityOf = async (id: string) =>
    (await database().db.select().from(files).where(eq(files.id, id)))[0]?.integrity

  it('is decoded once for that and for its checks', async () => {
    const { ctx, measured } = counting()
    const file = await pending(wav(1, (time) => 0.3 * Math.sin(time * 2000)))
    await measureAhead(ctx, { file_id: file.id })
    expect(measured).toEqual([])
    await tasks.finish_integrity(ctx, { file_id: file.id })
    expect(await integrityOf(file.id)).toBe('sound')
    expect((await submitted(ctx, file))?.measuredAt).toBeInstanceOf(Date)
    expect(measured).toEqual([{ isAhead: false }])
  })

  it('goes into quarantine where it is damaged, and is not stored as measured', async () => {
    const { ctx } = counting()
    const whole = wav(1, (time) => 0.3 * Math.sin(time * 1500))
    const file = await pending(whole.subarray(0, whole.length / 2))
    await tasks.finish_integrity(ctx, { file_id: file.id })
    expect(await integrityOf(file.id)).toBe('quarantined')
    expect(await rowsOf(file)).toEqual([])
  })

  it('stays pending, for another try, where the machine could not decode it', async () => {
    const { ctx } = counting()
    const failed = { failed: 'it took too long', again: true } as const
    ctx.ports.preQc.measure = async () => ({ media: failed, integrity: failed, measures: {} })
    const file = await pending(wav(1, (time) => 0.3 * Math.sin(time * 1700)))
    await expect(tasks.finish_integrity(ctx, { file_id: file.id })).rejects.toThrow('it took too long')
    expect(await integrityOf(file.id)).toBe('pending')
  })
})

it('agencies take turns, and what people wait for is not moved by it', async () => {
  const { ctx } = counting()
  const [many, few] = [await batchOf(), await batchOf()]
  for (let index = 0; index < 5; index += 1)
    await queueMeasuring(ctx, { file_id: (await store({ name: `${index}.png`, size: LARGE }, many)).id })
  await queueMeasuring(ctx, { file_id: (await store({ size: LARGE }, few)).id })
  expect((await waiting()).map(({ priority }) => priority)).toEqual([0, 1, 2, 3, 4, 0])
  await enqueueJobs(database().db, 'check_file', [{ payload: {} }], new Date(), { inTurnFor: many.projectId })
  expect((await waiting()).at(-1)).toMatchObject({ task: 'check_file', priority: 0 })
  await queueMeasuring(ctx, { file_id: (await store({ name: 'last.png', size: LARGE }, few)).id })
  expect((await waiting()).at(-1)).toMatchObject({ task: 'measure_ahead', priority: 1 })
})
