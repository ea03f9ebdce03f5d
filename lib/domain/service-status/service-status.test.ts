import { beforeEach, expect, test } from 'vitest'
import { workers } from '@/db/schema/operations'
import { testDb, testSql } from '@/db/testing'
import { makeBatch, makeFile, makeProject, makeResult, makeUser } from '@/fixtures/factories'
import { as, expectRefusal } from '../testing'
import { retryJob } from './commands'
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
