import { randomUUID } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newId } from '@/db/schema/columns'
import { resumableUploads } from '@/db/schema/operations'
import { webhookAttempts, webhookDeliveries } from '@/db/schema/webhooks'
import { testDb, testSql } from '@/db/testing'
import { makeWebhook } from '@/fixtures/factories'
import { DiskBlobStore } from '@/lib/adapters/blob-store/disk'
import { exists } from '@/lib/adapters/blob-store/staging-folder'
import { as } from '@/lib/domain/testing'
import { ROWS_A_SWEEP, removeObjects, sweep } from './sweep'

let root: string
let blobs: DiskBlobStore
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'sweep-'))
  blobs = new DiskBlobStore(root)
})
afterAll(() => rm(root, { recursive: true }))

const HOUR = 3_600_000
type Upload = Partial<typeof resumableUploads.$inferInsert>

async function upload(given: Upload = {}): Promise<string> {
  const id = randomUUID()
  const expiresAt = new Date(Date.now() + HOUR)
  await testDb.insert(resumableUploads).values({ id, owner: 'a', size: 10, metadata: '', expiresAt, ...given })
  await writeFile((await blobs.resume(id)).path, 'bytes')
  return id
}

test('resumable uploads are swept when they have expired or have their verdict, and never in the hands of a request', async () => {
  const past = new Date(Date.now() - HOUR)
  const verdict = { accepted: true, status: 201, body: {} }
  const stored = [
    await upload(),
    await upload({ expiresAt: past, lockedBy: randomUUID(), lockedUntil: new Date(Date.now() + HOUR) }),
  ]
  const [decided, expired, abandoned] = [
    await upload({ verdict }),
    await upload({ expiresAt: past }),
    await upload({ expiresAt: past, lockedBy: randomUUID(), lockedUntil: past }),
  ]
  const unknown = randomUUID()
  await writeFile((await blobs.resume(unknown)).path, 'bytes')

  await sweep(as('system', { ports: { blobs } }))

  const there = async (id: string) => exists(join(root, 'staged', id))
  for (const id of stored) expect(await there(id)).toBe(true)
  for (const id of [decided, expired, abandoned, unknown]) expect(await there(id)).toBe(false)
  const rows = (await testDb.select().from(resumableUploads)).map(({ id }) => id)
  expect(rows.sort()).toEqual([...stored, decided].sort())
})

test('the log of webhooks goes back 30 days, however much has gathered; what is under way stays', async () => {
  const webhook = await makeWebhook()
  const days = 86_400_000
  const made = (age: number, status: 'pending' | 'delivered' | 'failed') => {
    const createdAt = new Date(Date.now() - age)
    return { id: newId(createdAt), webhookId: webhook.id, type: 'webhook.ping', payload: '{}', status, createdAt }
  }
  const [stuck, recent] = [made(40 * days, 'pending'), made(29 * days, 'failed')]
  // More than one step, with one between them that stays.
  const old = Array.from({ length: 2_500 }, (_, index) => made(50 * days - index, index % 2 ? 'delivered' : 'failed'))
  await testDb.insert(webhookDeliveries).values([...old.slice(0, 1_500), stuck, recent, ...old.slice(1_500)])
  await testDb
    .insert(webhookAttempts)
    .values([old[0], recent].map((row) => ({ deliveryId: row?.id ?? '', number: 1, durationMs: 1 })))

  await sweep(as('system', { ports: { blobs } }))

  const left = await testDb.select({ id: webhookDeliveries.id }).from(webhookDeliveries).orderBy(webhookDeliveries.id)
  expect(left.map(({ id }) => id)).toEqual([stuck.id, recent.id])
  expect(await testDb.select({ of: webhookAttempts.deliveryId }).from(webhookAttempts)).toEqual([{ of: recent.id }])
})

test('a sweep that failed for good is done with the next one; jobs of other kinds stay', async () => {
  for (const task of ['sweep', 'send_mail'])
    await testSql`select graphile_worker.add_job(${task}, max_attempts => 1, job_key => ${task})`
  await testSql`update graphile_worker._private_jobs set attempts = max_attempts, last_error = 'killed'`
  await sweep(as('system', { ports: { blobs } }))
  const left = await testSql`select task_identifier from graphile_worker.jobs where attempts >= max_attempts`
  expect(left.map(({ task_identifier }) => task_identifier)).toEqual(['send_mail'])
})

test('a job that was put back while it ran, and whose worker died or failed then, is done; the one it was replaced by stays', async () => {
  await testSql`delete from graphile_worker._private_jobs`
  const add = () =>
    testSql`select graphile_worker.add_job('check_file', '{"result_id":"1"}', job_key => 'check_file:1')`
  await add()
  const [taken] =
    await testSql`update graphile_worker._private_jobs set locked_at = now(), locked_by = 'a worker', attempts = 1 returning id`
  await add()
  await testSql`select graphile_worker.force_unlock_workers(array['a worker'])`
  await testSql`update graphile_worker._private_jobs set last_error = 'The database was away.' where id = ${taken?.id}`
  const dead = () => testSql`select id from graphile_worker.jobs where attempts >= max_attempts`
  expect(await dead()).toMatchObject([{ id: taken?.id }])

  await sweep(as('system', { ports: { blobs } }))

  expect(await dead()).toEqual([])
  const left = await testSql`select key from graphile_worker.jobs where task_identifier = 'check_file'`
  expect(left).toMatchObject([{ key: 'check_file:1' }])
})

test('a job to remove objects that names no file removes nothing', async () => {
  const kept = await blobs.stage()
  const key = `files/${randomUUID()}` as const
  await blobs.commit(kept, key)
  const ctx = as('system', { ports: { blobs } })
  for (const file_id of [undefined, '', 'all'])
    await expect(removeObjects(ctx, { file_id: file_id as string, object_key: '' })).rejects.toThrow('names the file')
  expect(await blobs.size(key)).toBe(0)
})

test('what older code measured goes some rows at a time, however much there is', async () => {
  const ofOlderCode = (count: number) => testSql`
    insert into content_measurements (id, sha256, version, way, document, bytes, made_at, used_at)
    select gen_random_uuid(), 'content ' || n, 'before', 'a way', '', 0, now() - interval '8 days', now() - interval '8 days'
    from generate_series(1, ${count}::int) n`
  const left = async () => (await testSql`select count(*)::int as count from content_measurements`)[0]?.count
  await ofOlderCode(ROWS_A_SWEEP + 10)
  await sweep(as('system', { ports: { blobs } }))
  expect(await left()).toBe(10)
  // The next goes on behind, and those after it begin again.
  await sweep(as('system', { ports: { blobs } }))
  expect(await left()).toBe(0)
  await ofOlderCode(3)
  await sweep(as('system', { ports: { blobs } }))
  expect(await left()).toBe(0)
})
