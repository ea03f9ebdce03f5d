import { sql } from 'drizzle-orm'
import { beforeEach, expect, test } from 'vitest'
import { type Plan, rowsInPlan, testSql } from '@/db/testing'
import { makeAgency, makeProject } from '@/fixtures/factories'
import { as } from '../testing'
import { enqueueing, type Job, type JobOptions } from './jobs'
import { inTransaction } from './operation'

beforeEach(async () => {
  await testSql`delete from graphile_worker._private_jobs`
})

const enqueue = (jobs: Job[], options: JobOptions) =>
  inTransaction(as('system'), (tx) => tx.enqueueAll('check_file', jobs, options))
const named = (name: string, count: number) =>
  Array.from({ length: count }, (_, i) => ({ payload: { marker: `${name} ${i}` } }))
/** The waiting jobs, in the order in which a worker takes them. */
const line = async () =>
  (
    await testSql`select payload ->> 'marker' as marker from graphile_worker._private_jobs order by priority, run_at, id`
  ).map(({ marker }) => marker as string)
/** A worker takes the next so many and finishes them. */
const work = (count: number) =>
  testSql`delete from graphile_worker._private_jobs where id in (select id from graphile_worker._private_jobs order by priority, run_at, id limit ${count})`

async function twoProjects() {
  const [one, other] = [await makeAgency(), await makeAgency()]
  const ofOne = [await makeProject({ agencyId: one.id }), await makeProject({ agencyId: one.id })] as const
  return { ofOne, ofOther: await makeProject({ agencyId: other.id }) }
}

test('beside two thousand files of one agency the single file of another goes next', async () => {
  const { ofOne, ofOther } = await twoProjects()
  await enqueue(named('a', 2000), { inTurnFor: ofOne[0].id })
  await work(700)
  await enqueue(named('b', 1), { inTurnFor: ofOther.id })
  expect((await line()).indexOf('b 0')).toBeLessThanOrEqual(1)
})

test('agencies take turns, from then on and not from the beginning', async () => {
  const { ofOne, ofOther } = await twoProjects()
  await enqueue(named('a', 10), { inTurnFor: ofOne[0].id })
  await work(6)
  await enqueue(named('b', 4), { inTurnFor: ofOther.id })
  expect(await line()).toEqual(['a 6', 'b 0', 'a 7', 'b 1', 'a 8', 'b 2', 'a 9', 'b 3'])
})

test('two projects of one agency share its turns', async () => {
  const { ofOne, ofOther } = await twoProjects()
  await enqueue(named('a', 2), { inTurnFor: ofOne[0].id })
  await enqueue(named('c', 2), { inTurnFor: ofOne[1].id })
  await enqueue(named('b', 2), { inTurnFor: ofOther.id })
  expect(await line()).toEqual(['a 0', 'b 0', 'a 1', 'b 1', 'c 0', 'c 1'])
})

test('what a person waits for goes before all turns', async () => {
  const { ofOne } = await twoProjects()
  await enqueue(named('a', 3), { inTurnFor: ofOne[0].id })
  await enqueue(named('now', 1), { isUrgent: true, inTurnFor: ofOne[0].id })
  expect((await line())[0]).toBe('now 0')
})

test('more jobs than there are turns stay in the order they came', async () => {
  const { ofOne } = await twoProjects()
  await enqueue(named('a', 33_000), { inTurnFor: ofOne[0].id })
  const waiting = await line()
  expect(waiting).toHaveLength(33_000)
  expect([waiting[0], waiting.at(-1)]).toEqual(['a 0', 'a 32999'])
})

test('one waiting job per key: a second one replaces it, and gets no turn later than the agency has', async () => {
  const { ofOne } = await twoProjects()
  for (const marker of ['first', 'second']) {
    await enqueue([{ payload: { marker }, key: 'the key' }], { inTurnFor: ofOne[0].id })
  }
  expect(await line()).toEqual(['second'])
})

test.each([false, true])(
  'whose turn is next is found without reading the jobs that wait (ahead: %s)',
  async (isAhead) => {
    const { ofOne, ofOther } = await twoProjects()
    for (const ahead of [false, true]) await enqueue(named('a', 2000), { inTurnFor: ofOne[0].id, isAhead: ahead })
    await testSql`analyze graphile_worker._private_jobs`
    for (const project of [ofOne[0], ofOther]) {
      await inTransaction(as('system'), async (tx) => {
        const statement = enqueueing('check_file', named('b', 1), tx.now, { inTurnFor: project.id, isAhead })
        const [row] = await tx.db.execute(sql`explain (analyze, timing off, format json) ${statement}`)
        const plans = row?.['QUERY PLAN'] as { Plan: Plan }[] | undefined
        expect(rowsInPlan(plans?.[0]?.Plan as Plan, '_private_jobs')).toBeLessThanOrEqual(2)
      })
    }
  },
)

test('no job is no statement', async () => {
  await enqueue([], {})
  expect(await line()).toEqual([])
})

test('a job carries the trace of what enqueues it, unless it goes on with another', async () => {
  const key = Symbol.for('greenroom.telemetry')
  const shared = globalThis as { [key]?: unknown }
  const [current, other] = ['00-11111111111111111111111111111111-2222222222222222-01', 'another']
  shared[key] = { span: (_: string, __: object, run: () => unknown) => run(), traceparent: () => current }
  try {
    await enqueue([{ payload: { marker: 'a' } }, { payload: { marker: 'b', traceparent: other } }], {})
  } finally {
    delete shared[key]
  }
  await enqueue([{ payload: { marker: 'c' } }], {})
  const jobs = await testSql`select payload from graphile_worker._private_jobs order by id`
  expect(jobs.map(({ payload }) => payload)).toEqual([
    { marker: 'a', traceparent: current },
    { marker: 'b', traceparent: other },
    { marker: 'c' },
  ])
})

test('a machine whose clock is wrong puts nothing off', async () => {
  const anHourAhead = new Date(Date.now() + 3_600_000)
  const ctx = { ...as('system'), now: anHourAhead }
  await inTransaction(ctx, (tx) => tx.enqueueAll('check_file', named('at once', 1), {}))
  const inAMinute = new Date(anHourAhead.getTime() + 60_000)
  await inTransaction(ctx, (tx) => tx.enqueueAll('check_file', named('later', 1), { runAt: inAMinute }))
  const waits =
    await testSql`select extract(epoch from run_at - now()) as wait from graphile_worker._private_jobs order by id`
  expect(waits.map(({ wait }) => Math.abs(Math.round(Number(wait) / 10)))).toEqual([0, 6])
})
