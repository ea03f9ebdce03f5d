import { eq } from 'drizzle-orm'
import { beforeEach, describe, expect, test } from 'vitest'
import { events } from '@/db/schema/events'
import { files } from '@/db/schema/files'
import { workers } from '@/db/schema/operations'
import { preQcResults } from '@/db/schema/pre-qc'
import { batches } from '@/db/schema/projects'
import { emptyTables, testDb, testSql } from '@/db/testing'
import { makeBatch, makeFile, makeProject, makeResult, makeUser } from '@/fixtures/factories'
import { transact } from '../kernel/operation'
import { as, expectRefusal } from '../testing'
import { retryJob } from './commands'
import { compareServiceCounts, correctServiceCounts } from './counts'
import { getServiceStatus } from './queries'
import { SHOWN_JOBS } from './schema'

beforeEach(async () => {
  await testSql`delete from graphile_worker._private_jobs`
  await testDb.delete(workers)
})

const administrator = async () => as(await makeUser({ role: 'administrator' }), { ports: { mail: { isSetUp: true } } })
const status = async () => getServiceStatus.execute(await administrator(), {})

async function addJob(
  task: string,
  payload: object,
  state: { attempts?: number; error?: string; lockedBy?: string } = {},
) {
  const [job] = await testSql<
    { id: string }[]
  >`select id from graphile_worker.add_job(${task}, ${JSON.stringify(payload)}::json, max_attempts => 3)`
  const id = job?.id ?? ''
  await testSql`update graphile_worker._private_jobs set attempts = ${state.attempts ?? 0}, last_error = ${state.error ?? null},
    locked_by = ${state.lockedBy ?? null}, locked_at = ${state.lockedBy ? new Date().toISOString() : null},
    run_at = now() - interval '90 seconds' where id = ${id}`
  return String(id)
}

async function aFile() {
  const project = await makeProject({})
  const batch = await makeBatch({ projectId: project.id, name: 'Spring' })
  const file = await makeFile(batch, { name: 'banner.png' })
  const result = await makeResult(file, {})
  return {
    file,
    result,
    about: { file_name: 'banner.png', batch: 'Spring', url: `/projects/${project.id}/batches/${batch.id}` },
  }
}

test('an idle service has nothing in its lists', async () => {
  const { queue, workers: processes, troubled_jobs, mail, versions } = await status()
  expect(queue).toEqual({ waiting: 0, running: 0, scheduled: 0, failed: 0, oldest_waiting_seconds: null, tasks: [] })
  expect([processes, troubled_jobs]).toEqual([[], []])
  expect(mail.is_set_up).toBe(true)
  expect(versions.node).toBe(process.versions.node)
})

test('the queue is counted by task and by what becomes of its jobs', async () => {
  await addJob('check_file', {})
  await addJob('check_file', {}, { attempts: 1, lockedBy: 'w' })
  await addJob('send_mail', {}, { attempts: 3, error: 'no' })
  await testSql`select graphile_worker.add_job('sweep', '{}', run_at => now() + interval '1 hour')`
  const { queue } = await status()
  expect(queue).toMatchObject({ waiting: 1, running: 1, scheduled: 1, failed: 1 })
  expect(queue.oldest_waiting_seconds).toBeGreaterThanOrEqual(90)
  expect(queue.tasks.map(({ task }) => task)).toEqual(['check_file', 'send_mail', 'sweep'])
})

test('a worker process shows its slots and the files it is at, and whether it is alive', async () => {
  const { result, file, about } = await aFile()
  const [now, longAgo] = [new Date(), new Date(Date.now() - 60_000)]
  const slot = (id: string, pool: string, pid: number, heartbeatAt: Date, isBackground = false) => ({
    id,
    pool,
    host: 'machine',
    pid,
    isBackground,
    startedAt: longAgo,
    heartbeatAt,
  })
  await testDb
    .insert(workers)
    .values([
      slot('a', 'files', 1, now),
      slot('b', 'files', 1, now),
      slot('c', 'mail', 1, now, true),
      slot('d', 'old', 2, longAgo),
    ])
  await addJob('check_file', { result_id: result.id }, { lockedBy: 'files' })
  await addJob('make_pictures', { file_id: file.id }, { lockedBy: 'files' })
  const { workers: processes } = await status()
  expect(processes).toMatchObject([
    {
      pid: 1,
      is_alive: true,
      file_slots: 2,
      background_slots: 1,
      jobs: [
        { task: 'check_file', about },
        { task: 'make_pictures', about },
      ],
    },
    { pid: 2, is_alive: false, jobs: [] },
  ])
})

test('failed jobs are listed with the first line of their error, those that were given up first', async () => {
  const { file, about } = await aFile()
  const again = await addJob(
    'make_pictures',
    { file_id: file.id },
    { attempts: 1, error: 'Error: it broke\n    at somewhere' },
  )
  const givenUp = await addJob('send_mail', { user_id: file.id }, { attempts: 3, error: 'Error: no server' })
  const { troubled_jobs } = await status()
  expect(troubled_jobs).toMatchObject([
    { id: givenUp, error: 'Error: no server', next_attempt_at: null, about: null },
    { id: again, error: 'Error: it broke', attempts: 1, about },
  ])
})

test('of ten thousand failed jobs the first hundred are listed and all are counted, those that were given up first', async () => {
  await testSql`select graphile_worker.add_job('send_mail', '{}')`
  await testSql`
    insert into graphile_worker._private_jobs (task_id, payload, attempts, max_attempts, last_error, run_at)
    select t.id, '{}', case when n <= 60 then 3 else 1 end, 3, 'Error: no server', now() - make_interval(secs => n)
    from generate_series(1, 10000) n, graphile_worker._private_tasks t where t.identifier = 'send_mail'`
  const { troubled_jobs, queue } = await status()
  expect(troubled_jobs.length).toBe(SHOWN_JOBS)
  expect(troubled_jobs.map(({ next_attempt_at }) => next_attempt_at === null)).toEqual([
    ...Array(60).fill(true),
    ...Array(40).fill(false),
  ])
  expect(queue).toMatchObject({ waiting: 9_941, failed: 60 })
})

test('a failed job is tried again with all its tries, and the audit trail says by whom', async () => {
  const id = await addJob('send_mail', {}, { attempts: 3, error: 'no' })
  const ctx = await administrator()
  expect(await retryJob.execute(ctx, { job_id: id })).toEqual({ id, task: 'send_mail' })
  const [job] =
    await testSql`select attempts, run_at <= now() as is_due from graphile_worker._private_jobs where id = ${id}`
  expect(job).toEqual({ attempts: 0, is_due: true })
  const recorded = await testSql`select data from events where type = 'job.retried' and data ->> 'job' = ${id}`
  expect(recorded).toMatchObject([{ data: { task: 'send_mail', attempts: 3 } }])
})

test.each([
  ['runs', { attempts: 1, lockedBy: 'w' }],
  ['waits for its first try', {}],
])('a job that %s is not tried again', async (_, state) => {
  const id = await addJob('send_mail', {}, state)
  await expectRefusal(retryJob.execute(await administrator(), { job_id: id }), 'invalid_state')
})

test.each(['0', '999999999', 'abc', '99999999999999999999', "1'"])('there is no job %s', async (id) => {
  await expectRefusal(retryJob.execute(await administrator(), { job_id: id }), 'not_found')
})

test('it is for administrators alone', async () => {
  for (const role of ['viewer', 'operator', 'coordinator'] as const) {
    const user = as(await makeUser({ role }))
    await expectRefusal(getServiceStatus.execute(user, {}), 'forbidden')
    await expectRefusal(retryJob.execute(user, { job_id: await addJob('sweep', {}, { attempts: 1 }) }), 'forbidden')
  }
})

describe('the sums of the service', () => {
  beforeEach(emptyTables)
  const sums = async () => {
    const all = await compareServiceCounts(testDb)
    expect(all.filter(({ stored, counted }) => stored !== counted)).toEqual([])
    return Object.fromEntries(all.filter(({ counted }) => counted !== 0).map(({ name, counted }) => [name, counted]))
  }
  const refuse = () =>
    testDb.insert(events).values({ type: 'upload.rejected', actorType: 'system', actorName: 'A test', data: {} })

  test('are those of the rows after every kind of change', async () => {
    const [one, other] = [await makeBatch(), await makeBatch()]
    const [a, b] = [await makeFile(one), await makeFile(other)]
    const { id } = await makeResult(a, { status: 'running', summary: null, completedAt: null })
    await makeResult(b, { summary: 'warning' })
    expect(await sums()).toEqual({ stored_by_users: 2, running: 1, warning: 1 })
    await testDb.update(preQcResults).set({ status: 'completed', summary: 'fail' }).where(eq(preQcResults.id, id))
    expect(await sums()).toEqual({ stored_by_users: 2, fail: 1, warning: 1 })
    await refuse()
    await testDb.insert(events).values({ type: 'settings.updated', actorType: 'system', actorName: 'A test' })
    expect(await sums()).toEqual({ stored_by_users: 2, fail: 1, warning: 1, rejected_uploads: 1 })
    await testDb.update(files).set({ isCurrent: false }).where(eq(files.id, b.id))
    expect(await sums()).toEqual({ stored_by_users: 2, fail: 1, rejected_uploads: 1 })
    await testDb.delete(files).where(eq(files.id, a.id))
    await testDb.delete(batches).where(eq(batches.id, one.id))
    expect(await sums()).toEqual({ stored_by_users: 1, rejected_uploads: 1 })
  })

  test('let no transaction wait for another, and leave out what is taken back', async () => {
    const [one, other] = [await makeBatch(), await makeBatch()]
    await refuse()
    const undone = testSql.begin(async (tx) => {
      await tx`insert into events (id, type, actor_type, actor_name) values (uuidv7(), 'upload.rejected', 'system', 'A test')`
      await tx`insert into batch_counts (batch_id, pass) values (${one.id}, 3)`
      // While this one holds what it added to.
      await Promise.all([makeFile(other), refuse(), refuse()])
      expect(await sums()).toEqual({ stored_by_users: 1, rejected_uploads: 3 })
      throw new Error('taken back')
    })
    await expect(undone).rejects.toThrow('taken back')
    expect(await sums()).toEqual({ stored_by_users: 1, rejected_uploads: 3 })
  })

  test('are corrected, while others add to them', async () => {
    await makeResult(await makeFile(await makeBatch()), { summary: 'pass' })
    await testSql`insert into service_counts (pass, stored_by_links) values (7, 2)`
    await testSql.begin(async (tx) => {
      await tx`insert into events (id, type, actor_type, actor_name) values (uuidv7(), 'upload.rejected', 'system', 'A test')`
      const corrected = await transact(await administrator(), correctServiceCounts)
      expect(corrected.map(({ name, stored, counted }) => [name, stored, counted])).toEqual([
        ['stored_by_links', 2, 0],
        ['pass', 8, 1],
      ])
    })
    expect(await sums()).toEqual({ stored_by_users: 1, pass: 1, rejected_uploads: 1 })
  })

  test('are what the status says, without reading the counts of batches', async () => {
    await makeFile(await makeBatch())
    await testSql`insert into service_counts (stored_by_links) values (7000)`
    expect((await status()).files.count).toBe(7001)
  })
})
