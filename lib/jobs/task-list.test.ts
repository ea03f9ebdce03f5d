import { Logger, runOnce } from 'graphile-worker'
import { beforeEach, expect, it, vi } from 'vitest'
import { emptyTables, testDatabaseUrl, testSql } from '@/db/testing'
import { inTransaction } from '@/lib/domain/kernel/operation'
import '@/lib/http/testing'
import { system, taskListOf } from './task-list'

beforeEach(async () => {
  await emptyTables()
  await testSql`delete from graphile_worker._private_jobs`
})

const KEY = 'check_file:one'
const enqueue = (payload: Record<string, unknown>, runAt?: Date) =>
  inTransaction(system(), (tx) => tx.enqueue('check_file', payload, { key: KEY, ...(runAt && { runAt }) }))
const inAnHour = () => new Date(Date.now() + 3_600_000)
const jobs = () => testSql<{ payload: { tries?: number }; locked_by: string | null }[]>`
  select payload, locked_by from graphile_worker._private_jobs where key = ${KEY}`

/** Runs what is in the queue with this handler. */
const work = (handler: () => Promise<void>) =>
  runOnce({
    connectionString: testDatabaseUrl,
    noHandleSignals: true,
    logger: new Logger(() => () => {}),
    taskList: taskListOf({ check_file: handler }),
  })

it('deletes a job that is done', async () => {
  await enqueue({})
  await work(async () => {})
  expect(await jobs()).toHaveLength(0)
})

it('keeps what a job enqueued again under its own key', async () => {
  await enqueue({})
  await work(() => enqueue({ tries: 1 }, inAnHour()))
  expect((await jobs()).map(({ payload }) => payload.tries)).toEqual([1])
})

it('keeps what a worker that was thought dead enqueues again under the key of its job', async () => {
  await enqueue({})
  await work(async () => {
    // What a worker does with the jobs of another that gave no sign of life.
    await testSql`update graphile_worker._private_jobs set locked_by = null, locked_at = null`
    await enqueue({ tries: 1 }, inAnHour())
  })
  expect((await jobs()).map(({ payload }) => payload.tries)).toEqual([1])
})

it('leaves a job to the worker that has taken it over', async () => {
  await enqueue({})
  await work(async () => {
    await testSql`update graphile_worker._private_jobs set locked_by = 'another worker'`
  })
  expect((await jobs()).map((job) => job.locked_by)).toEqual(['another worker'])
})

it('ends a job that is done once the database is there again', async () => {
  await enqueue({})
  let isCutOff: Promise<void> | undefined
  await work(async () => {
    let release = () => {}
    const isOver = new Promise<void>((resolve) => (release = resolve))
    await new Promise<void>((isHeld) => {
      void testSql.begin(async (tx) => {
        await tx`select 1 from graphile_worker._private_jobs for update`
        isHeld()
        await isOver
      })
    })
    // The statement that ends the job waits for the row, and is cut off there.
    isCutOff = vi
      .waitFor(async () => {
        const cut = await testSql`select pg_terminate_backend(pid) from pg_stat_activity where wait_event_type = 'Lock'
          and query like 'delete from graphile_worker._private_jobs%' and datname = current_database()`
        if (cut.length === 0) throw new Error('Nothing waits yet.')
      }, 30_000)
      .finally(release)
  })
  await isCutOff
  expect(await jobs()).toHaveLength(0)
})
