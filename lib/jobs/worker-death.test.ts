import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { eq, inArray } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { database } from '@/db/client'
import { preQcResults } from '@/db/schema/pre-qc'
import { testDatabaseUrl, testSql } from '@/db/testing'
import { makeBatch, makeFile, makeProject, makeResult, makeUser } from '@/fixtures/factories'
import { writeMedia } from '@/fixtures/video'
import { storeBytes } from '@/lib/adapters/blob-store/testing/conformance'
import type { BlobKey } from '@/lib/domain/kernel/blob-store'
import { inTransaction } from '@/lib/domain/kernel/operation'
import { getRetentionRun, previewRetention, startRetention } from '@/lib/domain/retention/runs'
import { updateProjectRetention } from '@/lib/domain/retention/settings'
import { as } from '@/lib/domain/testing'
import '@/lib/http/testing'
import { newContext } from '@/lib/service'
import { freePort } from '@/server/embedded-database/port'

/** Real processes on a real queue: a worker is killed while it measures, another takes over. */
let folder: string
const workers: ChildProcess[] = []

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'worker-death-'))
})
afterEach(async () => {
  for (const worker of workers.splice(0)) {
    if (worker.exitCode !== null || worker.signalCode !== null) continue
    const left = once(worker, 'exit')
    worker.kill('SIGKILL')
    await left
  }
})
afterAll(() => rm(folder, { recursive: true }))

const context = () => newContext({ actor: { type: 'system', name: 'A test' } })

function startWorker(): ChildProcess {
  const worker = spawn(process.execPath, ['--import', 'tsx', 'server/worker.ts'], {
    env: { ...process.env, DATABASE_URL: testDatabaseUrl },
    stdio: 'ignore',
  })
  workers.push(worker)
  return worker
}

async function queued(bytes: Buffer, count: number): Promise<string[]> {
  const batch = await makeBatch()
  const ids: string[] = []
  for (let index = 0; index < count; index++) {
    const name = `video-${index}.mp4`
    const file = await makeFile(batch, { name, kind: 'video', mediaType: 'video/mp4', size: bytes.length })
    await storeBytes(context().ports.blobs, bytes, file.objectKey as BlobKey)
    const { id } = await makeResult(file, { status: 'queued', summary: null, completedAt: null })
    await inTransaction(context(), (tx) => tx.enqueue('check_file', { result_id: id }, { key: `check_file:${id}` }))
    ids.push(id)
  }
  return ids
}

const resultsOf = (ids: string[]) => database().db.select().from(preQcResults).where(inArray(preQcResults.id, ids))

it('a worker killed while it measures loses nothing: another takes it up and finishes it', async () => {
  const video = path.join(folder, 'video.mp4')
  const paint = (frame: number, x: number, y: number) => 40 + ((x + y + frame * 5) & 127)
  writeMedia(video, { video: { width: 960, height: 540, frames: 250, paint } })
  const ids = await queued(await readFile(video), 6)
  const doomed = startWorker()
  await expect
    .poll(async () => (await resultsOf(ids)).filter(({ status }) => status === 'running').length)
    .toBeGreaterThan(0)
  // The living know by this that its jobs are those of a living worker, however long they take.
  const known = () => testSql`select 1 from graphile_worker._private_jobs j join workers w on w.pool = j.locked_by`
  await expect.poll(async () => (await known()).length).toBeGreaterThan(0)
  doomed.kill('SIGKILL')
  const held = await testSql`select locked_by from graphile_worker._private_jobs where locked_by is not null`
  expect(held.length).toBeGreaterThan(0)
  startWorker()
  await expect
    .poll(async () => (await resultsOf(ids)).every(({ status }) => status === 'completed'), {
      interval: 250,
    })
    .toBe(true)
  const results = await resultsOf(ids)
  const takenUp = results.filter(({ fence }) => fence > 1)
  expect(takenUp.length).toBeGreaterThan(0)
  const verdicts = new Set(
    results.map(({ checks }) =>
      JSON.stringify(
        checks.flatMap(({ check_id, status }) => (check_id === 'near_duplicate_check' ? [] : [[check_id, status]])),
      ),
    ),
  )
  // One video, six times: those that were begun twice say the same as the others, but for which files they resemble.
  expect(verdicts.size).toBe(1)
  const [left] =
    await testSql`select count(*)::int as jobs from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id where t.identifier = 'check_file'`
  expect(left?.jobs).toBe(0)
})

it('a result that a later worker has taken is not overwritten by one that comes back', async () => {
  const [id] = await queued(Buffer.from('no video'), 1)
  const { finishResult, claimResult } = await import('@/lib/domain/pre-qc/work')
  const first = await claimResult(context(), id ?? '')
  const second = await claimResult(context(), id ?? '')
  if (!first || !second) throw new Error('The result could not be taken.')
  expect(await finishResult(context(), first, { status: 'failed', failure: 'late' })).toBe(false)
  expect(await finishResult(context(), second, { status: 'failed', failure: 'in time' })).toBe(true)
  const [result] = await database()
    .db.select()
    .from(preQcResults)
    .where(eq(preQcResults.id, id ?? ''))
  expect(result?.failure).toBe('in time')
})

it('a worker killed in the middle of a retention run: another ends it, and every file is removed and counted once', async () => {
  const count = 3000
  const admin = await makeUser({ role: 'administrator' })
  const project = await makeProject({ status: 'completed', updatedAt: new Date(Date.now() - 40 * 86_400_000) })
  const batch = await makeBatch({ projectId: project.id })
  await testSql`
    insert into files (id, project_id, batch_id, name, name_key, size, media_type, kind, sha256, media, object_key, source_type, source_user_id, previews)
    select gen_random_uuid(), ${project.id}, ${batch.id}, g || '.png', g || '.png', 10, 'image/png', 'image',
      encode(sha256(g::text::bytea), 'hex'), '{}', 'files/' || gen_random_uuid(), 'user', ${admin.id}, '{"thumbnail": false, "preview": false}'
    from generate_series(1, ${count}::int) g`
  await testSql`insert into agency_storage (agency_id, bytes) values (${project.agencyId}, ${count * 10 + 7})`
  const never = { completed: null, cancelled: null, archived: null, rejected: null, replaced: null }
  const rules = { files: { ...never, completed: 30 }, previews: never, activity: null }
  await updateProjectRetention.execute(as(admin), { project_id: project.id }, { rules })
  const run = await previewRetention.execute(as(admin), {})
  const params = { run_id: run.id }
  const progress = async () => {
    const { status, removed } = await getRetentionRun.execute(as(admin), params)
    return { status, files: removed?.files ?? 0 }
  }
  const doomed = startWorker()
  await startRetention.execute(as(admin), params)
  await expect.poll(async () => (await progress()).files, { interval: 10 }).toBeGreaterThan(0)
  doomed.kill('SIGKILL')
  expect(await progress()).toMatchObject({ status: 'running' })
  startWorker()
  await expect.poll(async () => (await progress()).status, { interval: 250 }).toBe('completed')
  expect(await progress()).toEqual({ status: 'completed', files: count })
  const [left] = await testSql<{ files: number; bytes: number; ends: number }[]>`
    select (select count(*)::int from files where batch_id = ${batch.id} and removed_at is null) as files,
      (select bytes::int from agency_storage where agency_id = ${project.agencyId}) as bytes,
      (select count(*)::int from events where type = 'retention.run_completed' and subject_id = ${run.id}) as ends`
  expect(left).toEqual({ files: 0, bytes: 7, ends: 1 })
})

it('a worker that does not reach PostgreSQL ends with one sentence', async () => {
  const nowhere = new URL(testDatabaseUrl)
  nowhere.port = String(await freePort())
  const worker = spawn(process.execPath, ['--import', 'tsx', 'server/worker.ts'], {
    env: { ...process.env, DATABASE_URL: nowhere.href },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  workers.push(worker)
  const said = await text(worker.stderr as Readable)
  expect(said).toMatch(/^The worker ends: PostgreSQL cannot be reached \(.*ECONNREFUSED.*\)\. Start it again; .*\n$/)
})
