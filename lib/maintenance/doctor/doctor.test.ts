import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { readFile, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { deflateSync } from 'node:zlib'
import { eq } from 'drizzle-orm'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { createDatabase, database } from '@/db/client'
import { migrateDatabase } from '@/db/migrate'
import { analyticsMonthResults, analyticsResults } from '@/db/schema/analytics'
import { costEstimateNumbers } from '@/db/schema/cost-estimates'
import { agencyStorage, mediaCategories, preQcProfiles } from '@/db/schema/directory'
import { events } from '@/db/schema/events'
import { files } from '@/db/schema/files'
import { imageTiles } from '@/db/schema/image-tiles'
import { workers } from '@/db/schema/operations'
import { contentMeasurements } from '@/db/schema/pre-qc'
import { batchCounts } from '@/db/schema/projects'
import { uploadLinks, uploadSessions } from '@/db/schema/upload-links'
import { emptyTables, testDatabaseUrl, testSql, withTestDatabase } from '@/db/testing'
import {
  makeAttachment,
  makeBatch,
  makeComment,
  makeEstimate,
  makeFile,
  makeImageTiles,
  makePlaybackProxy,
  makeResult,
  makeUploadLink,
} from '@/fixtures/factories'
import { DiskBlobStore } from '@/lib/adapters/blob-store/disk'
import { S3BlobStore } from '@/lib/adapters/blob-store/s3'
import { StagingFolder } from '@/lib/adapters/blob-store/staging-folder'
import { newKey, storeBytes } from '@/lib/adapters/blob-store/testing/conformance'
import { startS3Server } from '@/lib/adapters/blob-store/testing/s3-server'
import { sumMonths } from '@/lib/domain/analytics/months'
import { foldAnalytics } from '@/lib/domain/analytics/notes'
import { sealEvents } from '@/lib/domain/audit/chain'
import { attachmentKey, attachmentPictureKey } from '@/lib/domain/files/attachments'
import { type BlobKey, type BlobStore, StorageUnavailable } from '@/lib/domain/kernel/blob-store'
import { proxyKey } from '@/lib/domain/playback/find'
import { as } from '@/lib/domain/testing'
import { tilesKey } from '@/lib/domain/tiles/find'
import { parseEnvironment } from '@/lib/env'
import { sealAudit } from '@/lib/jobs/seal-audit'
import { examine } from './doctor'
import { evaluateSkew } from './machine'
import { asJson, asText } from './report'

const dataDir = mkdtempSync(path.join(tmpdir(), 'greenroom-doctor-'))
Object.assign(process.env, { DATA_DIR: dataDir, BASE_URL: 'http://localhost:3000' })
afterAll(() => rmSync(dataDir, { recursive: true, force: true }))

const HOUR = 3_600_000
let root: string
let blobs: BlobStore

type Options = { isQuick?: boolean; repairs?: boolean; env?: Record<string, string>; given?: Parameters<typeof as>[1] }

/** The findings, without what depends on the machine the tests run on. */
async function doctor({ isQuick = false, repairs = false, env = {}, given = {} }: Options = {}) {
  const ctx = as('system', { ports: { blobs }, ...given })
  const subject = { ctx, env: parseEnvironment({ DATA_DIR: dataDir, ...env }), isQuick, onProgress: () => {} }
  const findings = await examine(subject, { repairs })
  return findings.filter(({ check }) => !['sandbox', 'disk'].includes(check))
}

/** Expects exactly this check to be a problem, and gives its finding. */
async function problemOf(check: string, options?: Options) {
  const findings = await doctor(options)
  expect(findings.filter(({ status }) => status !== 'ok').map((finding) => finding.check)).toEqual([check])
  const finding = findings.find((each) => each.check === check)
  if (!finding) throw new Error(`There is no check ${check}.`)
  expect(finding.fix).toBeTruthy()
  return finding
}

const isWell = async (options?: Options) =>
  expect((await doctor(options)).filter(({ status }) => status !== 'ok')).toEqual([])

/** A file with its bytes, drawn or not. */
async function storeFile(given: Partial<typeof files.$inferInsert> & { bytes?: Buffer } = {}) {
  const { bytes = randomBytes(70_000), ...columns } = given
  const objectKey = await storeBytes(blobs, bytes)
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  return makeFile(await makeBatch(), {
    objectKey,
    sha256,
    size: bytes.length,
    previews: { thumbnail: false, preview: false },
    ...columns,
  })
}

const beat = () =>
  database()
    .db.insert(workers)
    .values({ id: 'worker-alive', pool: 'pool-alive', heartbeatAt: new Date(), startedAt: new Date() })
const pathOf = (key: string) => {
  const [prefix = '', id = '', part] = key.split('/')
  return path.join(root, prefix, id.slice(-2), part ? `${id}.${part}` : id)
}
const repairEvents = () => database().db.select().from(events).where(eq(events.type, 'service.repaired'))

beforeEach(async () => {
  await emptyTables()
  root = mkdtempSync(path.join(dataDir, 'blobs-'))
  blobs = new DiskBlobStore(root)
  await beat()
})

it('finds nothing wrong with a service that is well', async () => {
  const file = await storeFile({ previews: { thumbnail: true, preview: true, pages: 3 } })
  for (const name of ['thumbnail', 'preview', 'page-2', 'page-3'])
    await storeBytes(blobs, randomBytes(900), `derived/${file.id}/${name}.webp`)
  await sealEvents(as('system'))
  const findings = await doctor()
  expect(findings.map(({ check, status }) => [check, status])).toEqual(
    [
      ...['settings', 'database', 'migrations', 'clock', 'storage', 'mail', 'secrets', 'workers', 'jobs'],
      ...['unfinished', 'counters', 'measured', 'audit', 'unclaimed', 'objects', 'copies'],
    ].map((check) => [check, 'ok']),
  )
  expect(findings.find(({ check }) => check === 'objects')?.value).toMatch(
    /^5 objects compared by hash, 0\.00 GB read$/,
  )
  expect(asJson(findings).ok).toBe(true)
  expect(asText(findings)).toMatch(/^ok {7}settings {4}valid\n[\s\S]*\n\nAll is well\.$/)
})

describe('objects', () => {
  it('names an object that is missing, and its file', async () => {
    await storeFile()
    const file = await storeFile({ name: 'lost.png' })
    await blobs.delete(file.objectKey as BlobKey)
    const { value, details } = await problemOf('objects')
    expect(value).toContain('1 missing or damaged')
    expect(details).toEqual([`${file.objectKey} is missing (“lost.png”, file ${file.id})`])
    expect((await problemOf('objects', { isQuick: true })).details).toEqual(details)
  })

  it('finds a flipped bit by the hash, and only by reading', async () => {
    const file = await storeFile()
    const at = pathOf(file.objectKey)
    const bytes = await readFile(at)
    bytes[4711] = (bytes[4711] ?? 0) ^ 1
    await writeFile(at, bytes)
    const { details } = await problemOf('objects')
    expect(details).toHaveLength(1)
    expect(details[0]).toContain(`${file.objectKey} is damaged: its SHA-256 is`)
    await isWell({ isQuick: true })
  })

  it('finds a cut object by its size', async () => {
    const file = await storeFile()
    await writeFile(pathOf(file.objectKey), randomBytes(100))
    const { details } = await problemOf('objects', { isQuick: true })
    expect(details[0]).toContain('has 100 bytes instead of 70000')
  })

  it('finds a missing image, and has it drawn again', async () => {
    const file = await storeFile({ previews: { thumbnail: true, preview: false } })
    expect((await problemOf('objects')).details[0]).toContain(`derived/${file.id}/thumbnail.webp is missing (image of`)
    await isWell({ repairs: true })
    const [row] = await database().db.select().from(files).where(eq(files.id, file.id))
    expect(row?.previews).toBeNull()
    const jobs = await testSql`select payload from graphile_worker._private_jobs`
    expect(jobs.map(({ payload }) => payload)).toEqual([{ file_id: file.id }])
    expect((await repairEvents()).map(({ data }) => data)).toEqual([
      { check: 'objects', count: 1, repaired: [`Images of the file ${file.id} are drawn again.`] },
    ])
  })

  it('finds what comments carry and no store has, and shows the file without its image after a repair', async () => {
    const file = await storeFile()
    const comment = await makeComment(file)
    const bytes = randomBytes(40)
    const sha256 = createHash('sha256').update(bytes).digest('hex')
    const row = await makeAttachment(comment, { size: 40, sha256 })
    await storeBytes(blobs, bytes, attachmentKey(row))
    await storeBytes(blobs, randomBytes(30), attachmentPictureKey(row))
    await isWell()
    await blobs.delete(attachmentPictureKey(row))
    const { details } = await problemOf('objects')
    expect(details).toEqual([expect.stringContaining(`is missing (attachment ${row.id} of a comment on`)])
    await isWell({ repairs: true })
    await isWell()
    await blobs.delete(attachmentKey(row))
    expect((await problemOf('objects')).fix).toContain('backup')
  })

  it('finds playback copies and tiles that a restore brought no object of, and has them made again', async () => {
    const [tiled, played] = [await storeFile({ kind: 'image' }), await storeFile({ kind: 'video' })]
    const tiles = await makeImageTiles(tiled, { size: 50 })
    const proxy = await makePlaybackProxy(played, { size: 60 })
    const [ofTiles, ofProxy] = [tilesKey(tiles.id), proxyKey(proxy.id)]
    await storeBytes(blobs, randomBytes(50), ofTiles)
    await storeBytes(blobs, randomBytes(60), ofProxy)
    await isWell()
    await blobs.delete(ofTiles)
    await blobs.delete(ofProxy)
    await storeBytes(blobs, randomBytes(59), ofProxy)
    const { value, details } = await problemOf('copies', { isQuick: true })
    expect(value).toBe('2 of 2 playback copies and sets of tiles missing or damaged')
    expect(details).toEqual([
      expect.stringContaining('has 59 bytes instead of 60'),
      expect.stringContaining('is not in the store'),
    ])
    await isWell({ repairs: true })
    const [row] = await database().db.select().from(imageTiles).where(eq(imageTiles.id, tiles.id))
    expect(row?.status).toBe('queued')
    const jobs = await testSql`select payload from graphile_worker._private_jobs order by id`
    expect(jobs.map(({ payload }) => payload)).toEqual([{ proxy_id: proxy.id }, { tiles_id: tiles.id }])
  })

  it('finds evidence that a result shows and no store has', async () => {
    const file = await storeFile()
    const id = randomUUID()
    const category = (await database().db.select().from(preQcProfiles))[0]
    const shown = (number: number) => ({ kind: 'image', url: `/api/pre-qc/results/${id}/evidence/${number}` })
    await makeResult(file, {
      id,
      profileId: category?.id,
      checks: [
        { check_id: 'blank_check', evidence: [shown(1)] },
        { check_id: 'border_check', evidence: [shown(2)] },
      ],
    })
    const key = (number: number) => `derived/${file.id}/e-${id.replaceAll('-', '')}-${number}.webp` as BlobKey
    await storeBytes(blobs, randomBytes(50), key(1))
    const { details } = await problemOf('objects')
    expect(details).toEqual([expect.stringContaining(`${key(2)} is missing (evidence of the result ${id}`)])
  })

  it('says the same of a bucket', async () => {
    const credentials = { accessKeyId: 'DOCTOR', secretAccessKey: 'secret' }
    const server = await startS3Server({ bucket: 'files', ...credentials })
    blobs = new S3BlobStore(new StagingFolder(path.join(root, 'staged')), {
      bucket: 'files',
      region: 'us-east-1',
      endpoint: server.endpoint,
      credentials,
    })
    try {
      const [lost, whole] = [await storeFile(), await storeFile()]
      await isWell()
      await blobs.delete(lost.objectKey as BlobKey)
      expect((await problemOf('objects')).details[0]).toContain(`${lost.objectKey} is missing`)
      server.objects.set(lost.objectKey, server.objects.get(whole.objectKey) as never)
      expect((await problemOf('objects')).details[0]).toContain(`${lost.objectKey} is damaged`)
    } finally {
      await server.stop()
    }
  })

  it('names objects without a row, once the sweeper should have had them, and removes them', async () => {
    const file = await storeFile()
    const old = new Date(Date.now() - 2 * HOUR)
    await utimes(pathOf(file.objectKey), old, old)
    const [orphan, image, fresh] = [newKey(), `derived/${randomUUID()}/thumbnail.webp` as BlobKey, newKey()]
    for (const key of [orphan, image, fresh]) await storeBytes(blobs, randomBytes(10), key)
    for (const key of [orphan, image]) await utimes(pathOf(key), old, old)
    const { details } = await problemOf('unclaimed')
    expect([...details].sort()).toEqual([image, orphan].map((key) => `${key} is named by no row`).sort())

    const [fixed] = (await doctor({ repairs: true })).filter(({ check }) => check === 'unclaimed')
    expect(fixed).toMatchObject({ status: 'ok', details: [] })
    expect(fixed?.repaired).toHaveLength(2)
    const left: string[] = []
    for await (const { key } of blobs.list()) left.push(key)
    expect(left.sort()).toEqual([file.objectKey, fresh].sort())
    expect((await repairEvents())[0]?.data).toMatchObject({ check: 'unclaimed', count: 2 })
  })

  it('does not name the object of a file that was deleted a moment ago', async () => {
    const key = await storeBytes(blobs, randomBytes(10))
    const old = new Date(Date.now() - 2 * HOUR)
    await utimes(pathOf(key), old, old)
    await testSql.unsafe(
      `select graphile_worker.add_job('remove_objects', '{"file_id":"${randomUUID()}","object_key":"${key}"}')`,
    )
    await isWell()
  })
})

describe('counters', () => {
  const received = (link: { id: string }) =>
    database()
      .db.insert(events)
      .values({ type: 'file.received', actorType: 'upload_link', actorId: link.id, actorName: 'Link' })

  it('finds uses of a link that its rows do not explain, and counts them again', async () => {
    const link = await makeUploadLink(await makeBatch(), { useCount: 2, label: 'Spring', tokenEncrypted: 'sealed x' })
    const visit = { linkId: link.id, key: randomUUID(), fileCount: 2 }
    await database().db.insert(uploadSessions).values(visit)
    for (let file = 0; file < 3; file += 1) await received(link)
    await isWell()
    await database().db.update(uploadLinks).set({ useCount: 7 }).where(eq(uploadLinks.id, link.id))
    const { details } = await problemOf('counters')
    expect(details).toEqual([`Upload link ${link.id} (“Spring”) counts 7 uses, its rows say 2`])
    await isWell({ repairs: true })
    const [row] = await database().db.select().from(uploadLinks)
    expect(row?.useCount).toBe(2)
    expect(await repairEvents()).toHaveLength(1)
    await database().db.update(uploadLinks).set({ useCount: 1 }).where(eq(uploadLinks.id, link.id))
    expect((await problemOf('counters')).details[0]).toContain('counts 1 use, its rows say 2')
  })

  it('finds a visit that counts more files than came', async () => {
    const link = await makeUploadLink(await makeBatch(), { useCount: 1 })
    await database().db.insert(uploadSessions).values({ linkId: link.id, key: randomUUID(), fileCount: 5 })
    await received({ id: link.id })
    const [session] = await database().db.select().from(uploadSessions)
    expect((await problemOf('counters')).details).toEqual([
      `Upload session ${session?.id} counts 5 files, its link brought 1 since it began`,
    ])
    await isWell({ repairs: true })
  })

  it('finds an estimate number that would be given twice', async () => {
    await makeEstimate({ number: 'EST-2026-0007' })
    await database()
      .db.insert(costEstimateNumbers)
      .values({ year: 2026, last: 7, freed: [3] })
    await isWell()
    await database()
      .db.update(costEstimateNumbers)
      .set({ last: 6, freed: [3, 7] })
    expect((await problemOf('counters')).details).toEqual([
      'Estimates of 2026: the last number given is 6, the highest in use 7, and would give 7 again',
    ])
    await isWell({ repairs: true })
    expect(await database().db.select().from(costEstimateNumbers)).toEqual([{ year: 2026, last: 7, freed: [3] }])
  })

  it('finds an agency whose stored bytes are not those of its files, and counts them again', async () => {
    const file = await storeFile({ bytes: randomBytes(700) })
    await database().db.update(agencyStorage).set({ bytes: 650 })
    expect((await problemOf('counters')).details[0]).toContain('counts 650 bytes stored, its files take 700')
    await isWell({ repairs: true })
    expect((await database().db.select().from(agencyStorage))[0]?.bytes).toBe(700)

    // An attachment that two comments carry is counted once.
    const bytes = randomBytes(40)
    const sha256 = createHash('sha256').update(bytes).digest('hex')
    const carried = { objectId: randomUUID(), sha256, size: 40, hasPicture: false }
    await storeBytes(blobs, bytes, attachmentKey(carried))
    for (const comment of [await makeComment(file), await makeComment(file)]) await makeAttachment(comment, carried)
    expect((await problemOf('counters')).details[0]).toContain('counts 780 bytes stored, its files take 740')
    await isWell({ repairs: true })
    expect((await database().db.select().from(agencyStorage))[0]?.bytes).toBe(740)
  })

  it('finds a batch whose counts are not those of its files and results, and counts them again', async () => {
    const file = await storeFile({ bytes: randomBytes(700) })
    await makeResult(file, { summary: 'pass' })
    await database().db.update(batchCounts).set({ files: 4, pass: 0 })
    expect((await problemOf('counters')).details.join()).toContain('counts 4 files and their states, its rows say 1')
    await isWell({ repairs: true })
    expect((await database().db.select().from(batchCounts))[0]).toMatchObject({ files: 1, pending: 1, pass: 1 })
    await database().db.delete(batchCounts)
    expect((await problemOf('counters')).details[0]).toContain('counts 0 files')
    await isWell({ repairs: true })
  })

  it('finds sums of the service that are not those of its rows, and corrects them', async () => {
    await storeFile()
    await isWell()
    await testSql`insert into service_counts (stored_by_users, pass) values (4, -1)`
    expect((await problemOf('counters')).details).toEqual([
      'The sums of the service are not those of its rows: stored_by_users 5 instead of 1, pass -1 instead of 0',
    ])
    await isWell({ repairs: true })
  })

  it('finds sums of analytics that are not what the results say, and computes them again', async () => {
    const file = await storeFile({ bytes: randomBytes(700) })
    await makeResult(file, { summary: 'pass' })
    await foldAnalytics(as('system'))
    await isWell({ repairs: true })
    await database().db.update(analyticsResults).set({ pass: 7 })
    expect((await problemOf('counters')).details[0]).toContain(`other sums of the batch ${file.batchId}`)
    await isWell({ repairs: true })
    expect((await database().db.select().from(analyticsResults))[0]).toMatchObject({ pass: 1 })
  })

  it('finds sums of a month that are not those of its rows, and makes them again', async () => {
    const file = await storeFile({ bytes: randomBytes(700) })
    await makeResult(file, { summary: 'pass', completedAt: new Date('2026-06-10') })
    await foldAnalytics(as('system'))
    await sumMonths(as('system', { now: new Date('2026-07-10') }))
    await isWell({ repairs: true })
    await database().db.update(analyticsMonthResults).set({ pass: 7 })
    expect((await problemOf('counters')).details[0]).toContain('other sums of the month 2026-06')
    await isWell({ repairs: true })
    expect((await database().db.select().from(analyticsMonthResults))[0]).toMatchObject({ pass: 1 })
  })

  it('finds a media category that is not at the version of its settings', async () => {
    await makeBatch()
    await database().db.update(mediaCategories).set({ profileVersion: 4 })
    expect((await problemOf('counters')).details[0]).toContain(
      'is at version 4 of its settings, its newest profile is 1',
    )
    await isWell({ repairs: true })
  })
})

describe('jobs', () => {
  it('names the job of a dead worker, and unlocks it', async () => {
    await testSql`select graphile_worker.add_job('sweep', '{}')`
    await testSql`update graphile_worker._private_jobs set locked_at = now() - interval '10 minutes', locked_by = 'pool-gone', attempts = 1`
    const { details } = await problemOf('jobs')
    expect(details[0]).toMatch(
      /^Job \d+ \(sweep\): locked since .* by the worker pool-gone, which gives no sign of life$/,
    )
    await testSql`update graphile_worker._private_jobs set locked_by = 'pool-alive'`
    await isWell()
    await testSql`update graphile_worker._private_jobs set locked_by = 'pool-gone'`
    await isWell({ repairs: true })
    const [job] = await testSql`select locked_by from graphile_worker._private_jobs`
    expect(job?.locked_by).toBeNull()
    expect((await repairEvents())[0]?.data).toMatchObject({ check: 'jobs', count: 1 })
  })

  it('names the job of a living worker that takes longer than any job', async () => {
    await testSql`select graphile_worker.add_job('sweep', '{}')`
    await testSql`update graphile_worker._private_jobs set locked_at = now() - interval '4 hours', locked_by = 'pool-alive'`
    expect((await problemOf('jobs')).details[0]).toContain('longer than any job takes')
  })

  it('names a job that failed for good with its reason, and tries it again', async () => {
    await testSql`select graphile_worker.add_job('check_file', '{}', job_key => 'check_file:1')`
    await testSql`update graphile_worker._private_jobs set attempts = max_attempts, last_error = 'disk on fire'`
    expect((await problemOf('jobs')).details[0]).toContain('(check_file): failed for good: disk on fire')
    await isWell({ repairs: true })
    const [job] = await testSql`select attempts from graphile_worker._private_jobs`
    expect(job?.attempts).toBe(0)
  })

  it('leaves alone a job that was put back while it ran, and whose worker died then', async () => {
    await testSql`select graphile_worker.add_job('check_file', '{}')`
    await testSql`update graphile_worker._private_jobs set attempts = max_attempts`
    await isWell()
  })

  it('names a job that no worker takes, as a warning', async () => {
    await testSql`select graphile_worker.add_job('sweep', '{}', run_at => now() - interval '1 hour')`
    const finding = await problemOf('jobs')
    expect(finding.status).toBe('warning')
    expect(finding.details[0]).toContain('no worker takes it')
  })

  it('warns when no worker is alive', async () => {
    await testSql`delete from workers`
    expect((await problemOf('workers')).status).toBe('warning')
  })

  it('finds checks, decodes and images that wait for a job that is not there, and queues them', async () => {
    const file = await storeFile({ previews: null, integrity: 'pending' })
    const [profile] = await database().db.select().from(preQcProfiles)
    const result = await makeResult(file, {
      status: 'queued',
      summary: null,
      completedAt: null,
      profileId: profile?.id,
    })
    const { details } = await problemOf('unfinished')
    expect(details).toHaveLength(3)
    expect(details.join('\n')).toContain(`result ${result.id}, queued`)
    await isWell({ repairs: true })
    const jobs = await testSql`select key from graphile_worker._private_jobs order by key`
    expect(jobs.map(({ key }) => key)).toEqual([
      `check_file:${result.id}`,
      `finish_integrity:${file.id}`,
      `make_pictures:${file.id}`,
    ])
  })
})

describe('measured contents', () => {
  it('are removed where they cannot be read, have no file, or were given up', async () => {
    const file = await storeFile()
    const document = deflateSync(JSON.stringify({ media: {}, integrity: {}, measures: {} }))
    const measured = (way: string, given: Partial<typeof contentMeasurements.$inferInsert> = {}) => ({
      ...{ sha256: file.sha256, version: 'a', way, document, bytes: 1, madeAt: new Date(), usedAt: new Date(0) },
      ...given,
    })
    const given = { document: null, claim: randomUUID(), claimedUntil: new Date(0), usedAt: new Date() }
    await database()
      .db.insert(contentMeasurements)
      .values([
        measured('good'),
        measured('unreadable', { document: Buffer.from('x') }),
        measured('without a file', { sha256: 'f'.repeat(64) }),
        measured('given up', given),
      ])
    const { details } = await problemOf('measured')
    expect(details.map((line) => line.split(': ')[1])).toEqual([
      'it cannot be read',
      'no file keeps this content any more',
      'who was measuring it has given it up',
    ])
    expect((await problemOf('measured', { isQuick: true })).details).toHaveLength(2)
    await isWell({ repairs: true })
    expect(await testSql`select way from content_measurements`).toEqual([{ way: 'good' }])
  })
})

describe('the audit chain', () => {
  /** Goes past the triggers that refuse it. */
  const tamper = (statement: string) =>
    testSql.unsafe(`set session_replication_role = replica; ${statement}; set session_replication_role = origin`)
  beforeEach(async () => {
    for (let index = 0; index < 5; index += 1)
      await database().db.insert(events).values({ type: 'settings.updated', actorType: 'system', actorName: 'A test' })
    await sealAudit(as('system', { ports: { blobs } }))
    await isWell()
  })

  it('names the seal whose event was changed', async () => {
    const [seal] = await testSql`select event_id from audit_seals where position = 3`
    await tamper(`update events set actor_name = 'Someone else' where id = '${seal?.event_id}'`)
    const { details } = await problemOf('audit')
    expect(details[0]).toContain(`seal 3, event ${seal?.event_id}`)
  })

  it('finds that its end was cut off, by the head in the store', async () => {
    await tamper('delete from audit_seals where position > 3')
    expect((await problemOf('audit')).details[0]).toContain('its end was cut off')
  })

  it('is not repaired by --fix', async () => {
    await tamper('delete from audit_seals where position = 2')
    expect((await problemOf('audit', { repairs: true })).repaired).toEqual([])
  })
})

describe('what it stands on', () => {
  it('says that the database is behind, and ahead', async () => {
    await withTestDatabase(async ({ url, sql }) => {
      const opened = createDatabase(url, { max: 1 })
      const given = { db: opened.db }
      await sql`delete from drizzle.__drizzle_migrations where id = (select max(id) from drizzle.__drizzle_migrations)`
      const find = async () => (await doctor({ given })).filter(({ status }) => status === 'problem')
      const behind = await find()
      expect(behind[0]).toMatchObject({ check: 'migrations', value: expect.stringMatching(/^1 of \d+ not applied$/) })
      expect(behind.slice(1).every(({ value }) => value.startsWith('not run'))).toBe(true)
      await sql`insert into drizzle.__drizzle_migrations (hash, created_at) values ('x', 9999999999999)`
      expect((await find())[0]).toMatchObject({ check: 'migrations', value: '1 migration of a newer version' })
      await opened.sql.end()
    })
    await migrateDatabase(testDatabaseUrl)
    await isWell()
  })

  it('says that the database does not respond, and what that keeps it from', async () => {
    const opened = createDatabase('postgresql://unknown:nothing@127.0.0.1:1/none', { max: 1 })
    const findings = await doctor({ given: { db: opened.db } })
    await opened.sql.end({ timeout: 1 })
    expect(findings.find(({ check }) => check === 'database')).toMatchObject({
      status: 'problem',
      fix: expect.stringContaining('npm start'),
    })
    expect(findings.find(({ check }) => check === 'objects')?.value).toContain('not run')
    expect(findings.find(({ check }) => check === 'settings')?.status).toBe('ok')
  })

  it('says how far the clocks are apart, from 2 s on', () => {
    expect(evaluateSkew(900).status).toBe('ok')
    expect(evaluateSkew(-4_000)).toMatchObject({ status: 'warning', value: 'the database is 4.0 s behind' })
    expect(evaluateSkew(61_000)).toMatchObject({ status: 'problem', value: 'the database is 61.0 s ahead' })
  })

  it('says why the storage cannot be used', async () => {
    const full = Object.assign(Object.create(blobs), {
      prove: () => Promise.reject(new StorageUnavailable('full', 'The disk is full.')),
    })
    expect((await problemOf('storage', { given: { ports: { blobs: full } } })).details).toEqual(['The disk is full.'])
  })

  it('says that the mail server cannot be reached', async () => {
    const { details } = await problemOf('mail', { env: { SMTP_URL: 'smtp://127.0.0.1:1' } })
    expect(details[0]).toContain('ECONNREFUSED')
  })

  it('finds links that were sealed under another secret', async () => {
    const link = await makeUploadLink(await makeBatch())
    const secrets = {
      encrypt: String,
      decrypt: () => {
        throw new Error('Unsupported state or unable to authenticate data')
      },
    }
    const { details } = await problemOf('secrets', { given: { ports: { blobs, secrets } } })
    expect(details).toEqual([`Upload link ${link.id}: sealed under another AUTH_SECRET`])
  })

  it('ends with a problem, in text and for scripts', async () => {
    const file = await storeFile()
    await blobs.delete(file.objectKey as BlobKey)
    const findings = await doctor()
    expect(asJson(findings)).toMatchObject({ ok: false })
    expect(asText(findings)).toMatch(/problem {2}objects .*1 missing or damaged\n +- files\/\S+ is missing .*\n +Fix: /)
  })
})
