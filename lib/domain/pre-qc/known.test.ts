import { createHash } from 'node:crypto'
import { eq, inArray } from 'drizzle-orm'
import sharp from 'sharp'
import { afterAll, describe, expect, it } from 'vitest'
import { database } from '@/db/client'
import { type PreQcSettings, preQcProfiles } from '@/db/schema/directory'
import { events } from '@/db/schema/events'
import { contentMeasurements, preQcMeasurements, preQcResults, preQcWaivers } from '@/db/schema/pre-qc'
import { testSql } from '@/db/testing'
import { wav } from '@/fixtures/audio'
import { makeBatch, makeFile, makeResult, makeUser } from '@/fixtures/factories'
import { drawLettering } from '@/fixtures/lettering'
import { storeBytes } from '@/lib/adapters/blob-store/testing/conformance'
import '@/lib/http/testing'
import { closeInspector } from '@/lib/media/inspect/inspect'
import { closeMeasurer } from '@/lib/media/measurer/measurer'
import { newContext } from '@/lib/service'
import type { BlobKey } from '../kernel/blob-store'
import type { Context } from '../kernel/operation'
import { inTransaction } from '../kernel/operation'
import { as } from '../testing'
import { checkKnown } from './known'
import { MOST_BYTES_OF_MANY } from './measure-once'
import { queueAttempts } from './queue'
import { runPreQc } from './run'
import type { CheckLine } from './schema'
import { waiveCheck } from './waivers'
import { claimResult } from './work'

afterAll(() => {
  closeInspector()
  closeMeasurer()
})

const system = (): Context => newContext({ actor: { type: 'system', name: 'A test' } })

let shade = 0
/** An image that no other test has. `side`: of its square. */
const image = async (side = 40) => ({
  bytes: await sharp({ create: { width: side, height: side, channels: 3, background: { r: 9, g: ++shade, b: 80 } } })
    .png()
    .toBuffer(),
})

type Batch = Awaited<ReturnType<typeof makeBatch>>
type Result = typeof preQcResults.$inferSelect

async function fileOf(batch: Batch, bytes: Buffer, given: Partial<Parameters<typeof makeFile>[1]> = {}) {
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  const file = await makeFile(batch, { kind: 'image', mediaType: 'image/png', size: bytes.length, sha256, ...given })
  await storeBytes(system().ports.blobs, bytes, file.objectKey as BlobKey)
  return file
}

const queued = (file: Awaited<ReturnType<typeof fileOf>>, profileId?: string) =>
  makeResult(file, { status: 'queued', summary: null, completedAt: null, ...(profileId && { profileId }) })

type Source = { bytes: Buffer } & Partial<Parameters<typeof makeFile>[1]>

/** Files of a batch with one profile, all measured before; with the jobs that check them. */
async function measuredBatch(sources: readonly Source[], checks: PreQcSettings['checks'] = {}) {
  const [elsewhere, batch] = [await makeBatch(), await makeBatch()]
  for (const { bytes, ...given } of sources)
    await runPreQc(system(), { result_id: (await queued(await fileOf(elsewhere, bytes, given))).id })
  const { profileId } = await queued(await fileOf(await makeBatch(), (await image()).bytes))
  const settings = { enabled: true, checks }
  await database().db.update(preQcProfiles).set({ settings }).where(eq(preQcProfiles.id, profileId))
  const files: StoredFile[] = []
  for (const [at, { bytes, ...given }] of sources.entries())
    files.push(await fileOf(batch, bytes, { name: `file-${at}.png`, ...given }))
  return { batch, files, profileId, ids: await queueAll(files, profileId) }
}

type StoredFile = Awaited<ReturnType<typeof fileOf>>

/** Queues the checks of these files; gives the ids of the results in the order of the files. */
async function queueAll(files: readonly StoredFile[], profileId: string): Promise<string[]> {
  const ids = await inTransaction(system(), (tx) => queueAttempts(tx, [...files], profileId))
  const rows = await database().db.select().from(preQcResults).where(inArray(preQcResults.id, ids))
  return files.map(({ id }) => rows.find(({ fileId }) => fileId === id)?.id ?? '')
}

/** In the order of these ids. */
async function resultsOf(ids: readonly string[]) {
  const rows = await database()
    .db.select()
    .from(preQcResults)
    .where(inArray(preQcResults.id, [...ids]))
  return ids.flatMap((id) => rows.filter((row) => row.id === id))
}

const statusesOf = async (ids: readonly string[]) => (await resultsOf(ids)).map(({ status }) => status)

/** The keys of their jobs of this task. */
async function jobsOf(ids: readonly string[], task = 'check_file') {
  const jobs = await testSql<{ key: string }[]>`select key from graphile_worker.jobs where task_identifier = ${task}`
  return ids.filter((id) => jobs.some(({ key }) => key === `${task}:${id}`))
}

const group = (ids: readonly string[]) => ({ results: ids.map((result_id) => ({ result_id })) })

/** A context in which no byte of a file can be read. */
function withoutFiles(): Context {
  const ctx = system()
  const localPath = () => Promise.reject(new Error('no file is to be read'))
  const blobs = Object.create(ctx.ports.blobs, { localPath: { value: localPath } })
  return { ...ctx, ports: { ...ctx.ports, blobs } }
}

const completedEvents = async ({ id }: Batch) =>
  (await database().db.select().from(events).where(eq(events.batchId, id))).filter(
    ({ type }) => type === 'pre_qc.completed',
  )

describe('files of a batch that were measured before', () => {
  it('are checked together, without reading one, as they are each by itself', async () => {
    const { batch, files, ids, profileId } = await measuredBatch([await image(), await image(50), await image(60)])
    expect(await jobsOf(ids, 'check_known')).toHaveLength(1)
    expect(await jobsOf(ids)).toEqual(ids)
    await checkKnown(withoutFiles(), group(ids))
    const together = await resultsOf(ids)
    for (const { status, startedAt, completedAt, measuredAt, progress, failure } of together) {
      expect({ status, progress, failure }).toEqual({ status: 'completed', progress: 100, failure: null })
      expect(startedAt && completedAt && startedAt <= completedAt).toBe(true)
      expect(measuredAt).not.toBeNull()
    }
    expect(await jobsOf(ids)).toEqual([])
    expect(await completedEvents(batch)).toHaveLength(1)

    const again = await queueAll(files, profileId)
    for (const id of again) await runPreQc(withoutFiles(), { result_id: id })
    const said = ({ fileId, summary, checks, couldNotRun, needsEyes, engineVersion, measuredAt }: Result) => ({
      ...{ fileId, summary, checks, couldNotRun, needsEyes, engineVersion, measuredAt },
    })
    expect((await resultsOf(again)).map(said)).toEqual(together.map(said))
    const stored = (await database().db.select().from(preQcMeasurements)).map(({ resultId }) => resultId)
    expect(stored).toEqual(expect.arrayContaining(again))
    expect(ids.some((id) => stored.includes(id))).toBe(false)
  })

  it('are compared with one another', async () => {
    const drawing = await drawLettering(300, 200, [{ text: 'Summer sale', x: 20, y: 60, size: 40, face: 'bold' }])
    const encoded = (quality: number) => sharp(drawing).jpeg({ quality }).toBuffer()
    const jpeg = { kind: 'image', mediaType: 'image/jpeg' } as const
    const { ids } = await measuredBatch([
      { bytes: await encoded(90), name: 'one.jpg', ...jpeg },
      { bytes: await encoded(80), name: 'two.jpg', ...jpeg },
    ])
    await checkKnown(system(), group(ids))
    const said = (await resultsOf(ids)).map(({ checks }) =>
      (checks as CheckLine[]).find(({ check_id }) => check_id === 'near_duplicate_check'),
    )
    expect(said.filter((line) => line?.status === 'warning')).toEqual([
      expect.objectContaining({ details: expect.stringMatching(/looks like “(one|two)\.jpg”/) }),
    ])
  })

  it('leave those to their own jobs that are not measured, run or compared by more, or were claimed', async () => {
    const { batch, ids, profileId } = await measuredBatch([await image(), await image(50)])
    const others = [
      await fileOf(batch, (await image()).bytes),
      await fileOf(batch, (await image()).bytes, { name: 'ad.zip', kind: 'archive', mediaType: 'application/zip' }),
      await fileOf(batch, (await image()).bytes, { name: 'spot.mp4', kind: 'video', mediaType: 'video/mp4' }),
    ]
    const left = await queueAll(others, profileId)
    const [claimed = '', free = ''] = ids
    expect(await claimResult(system(), claimed)).not.toBeNull()
    await checkKnown(system(), group([...ids, ...left]))
    expect(await statusesOf([claimed, free, ...left])).toEqual(['running', 'completed', 'queued', 'queued', 'queued'])
    expect(await jobsOf([...ids, ...left])).toEqual([claimed, ...left])
    expect(await completedEvents(batch)).toEqual([])
  })

  it('leave one of which an image shows what was found', async () => {
    const loud = wav(6, (time) => 0.98 * Math.sin(2 * Math.PI * 997 * time))
    const audio = { bytes: loud, name: 'loud.wav', kind: 'audio', mediaType: 'audio/wav' } as const
    const { ids } = await measuredBatch([await image(), audio])
    await checkKnown(system(), group(ids))
    expect(await statusesOf(ids)).toEqual(['completed', 'queued'])
    await runPreQc(system(), { result_id: ids[1] ?? '' })
    const [, drawn] = await resultsOf(ids)
    expect(((drawn?.checks ?? []) as CheckLine[]).some(({ evidence }) => evidence?.length)).toBe(true)
  })

  it('leave one of which much was measured', async () => {
    const { files, ids } = await measuredBatch([await image(), await image(50)])
    const ofFirst = eq(contentMeasurements.sha256, files[0]?.sha256 ?? '')
    await database()
      .db.update(contentMeasurements)
      .set({ bytes: MOST_BYTES_OF_MANY + 1 })
      .where(ofFirst)
    await checkKnown(system(), group(ids))
    expect(await statusesOf(ids)).toEqual(['queued', 'completed'])
  })

  it('are left to their own jobs where the database does not respond', async () => {
    const { ids } = await measuredBatch([await image(), await image(50)])
    const ctx = system()
    const transaction = () => Promise.reject(new Error('broken'))
    await checkKnown({ ...ctx, db: Object.create(ctx.db, { transaction: { value: transaction } }) }, group(ids))
    expect(await statusesOf(ids)).toEqual(['queued', 'queued'])
    expect(await jobsOf(ids)).toEqual(ids)
  })

  it('are measured anew where what was stored cannot be read', async () => {
    const { files, ids } = await measuredBatch([await image(), await image(50)])
    const ofFirst = eq(contentMeasurements.sha256, files[0]?.sha256 ?? '')
    await database()
      .db.update(contentMeasurements)
      .set({ document: Buffer.from('nothing') })
      .where(ofFirst)
    await checkKnown(system(), group(ids))
    expect(await statusesOf(ids)).toEqual(['queued', 'completed'])
    await runPreQc(system(), { result_id: ids[0] ?? '' })
    expect(await statusesOf(ids)).toEqual(['completed', 'completed'])
  })

  it('keep what was waived of them, and take what is waived for the batch', async () => {
    const wide = { dimension_check: { thresholds: { min_width: 1080 } } }
    const { files, ids, profileId } = await measuredBatch([await image(), await image(50)], wide)
    await checkKnown(system(), group(ids))
    const administrator = as(await makeUser({ role: 'administrator' }))
    const why = { reason: 'As agreed with the client.', reason_code: 'other' as const }
    const waive = (check_id: string, scope: 'file' | 'batch') =>
      waiveCheck.execute(administrator, { result_id: ids[0] ?? '', check_id }, { ...why, scope })
    await waive('blank_check', 'file')
    await waive('dimension_check', 'batch')
    const again = await queueAll(files, profileId)
    await checkKnown(system(), group(again))
    const waived = await database().db.select().from(preQcWaivers).where(inArray(preQcWaivers.resultId, again))
    const ofFile = (at: number) =>
      waived.flatMap(({ resultId, checkId, scope }) => (resultId === again[at] ? [`${checkId}: ${scope}`] : [])).sort()
    expect(ofFile(0)).toEqual(['blank_check: file', 'dimension_check: batch'])
    expect(ofFile(1)).toEqual(['dimension_check: batch'])
    expect((await resultsOf(again)).map(({ summary }) => summary)).toEqual(['pass', 'warning'])
  })
})
