import { eq, sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { database } from '@/db/client'
import { files } from '@/db/schema/files'
import { preQcResults, preQcWaivers, verdicts } from '@/db/schema/pre-qc'
import { testSql } from '@/db/testing'
import { makeBatch, makeFile, makeResult, makeUser } from '@/fixtures/factories'
import { inTransaction } from '../kernel/operation'
import { as } from '../testing'
import { findWrongVerdicts, rewriteVerdicts } from './verdicts'

const db = () => database().db
const at = (day: number) => new Date(Date.UTC(2026, 5, day, 10))
const line = (check_id: string) => ({ check_id, label: `Label of ${check_id}`, status: 'fail' })

/** What is noted of a batch, the oldest first; it has to be what its rows say. */
async function noted(batchId: string) {
  expect([...(await findWrongVerdicts(db()))].filter(({ batch_id }) => batch_id === batchId)).toEqual([])
  const rows = await db().select().from(verdicts).where(eq(verdicts.batchId, batchId)).orderBy(verdicts.completedAt)
  return rows.map(({ summary, firstSummary, replacedAt, failing }) => ({
    summary,
    first: firstSummary,
    until: replacedAt?.getUTCDate() ?? null,
    failing: failing?.map(({ check_id }) => check_id) ?? null,
  }))
}

test('are those of the results after every kind of change', async () => {
  const batch = await makeBatch()
  const user = await makeUser()
  const first = await makeFile(batch, { name: 'hero_v1.png', isCurrent: false })
  const checks = [line('a_check'), line('b_check')]
  const failed = await makeResult(first, { summary: 'fail', checks, completedAt: at(1), isCurrent: false })
  await makeResult(await makeFile(batch), { status: 'queued', summary: null, completedAt: null })
  const failing = ['a_check', 'b_check']
  expect(await noted(batch.id)).toEqual([{ summary: 'fail', first: 'fail', until: null, failing }])

  const second = await makeFile(batch, { name: 'hero_v2.png', version: 2, seriesKey: 'hero_v1.png' })
  const running = await makeResult(second, { status: 'running', summary: null, completedAt: null })
  const complete = { status: 'completed' as const, summary: 'pass' as const, completedAt: at(3) }
  await db().update(preQcResults).set(complete).where(eq(preQcResults.id, running.id))
  const passed = { summary: 'pass', first: 'fail', until: null, failing: null }
  expect(await noted(batch.id)).toEqual([{ summary: 'fail', first: 'fail', until: 3, failing }, passed])

  // Another attempt at the first version ended between the two.
  const again = await makeResult(first, { summary: 'warning', attempt: 2, completedAt: at(2) })
  expect((await noted(batch.id)).map(({ until }) => until)).toEqual([2, 3, null])
  await db()
    .insert(preQcWaivers)
    .values({ resultId: failed.id, checkId: 'a_check', reason: 'Agreed', createdBy: user.id })
  expect((await noted(batch.id))[0]?.failing).toEqual(['b_check'])
  await db().delete(preQcWaivers).where(eq(preQcWaivers.resultId, failed.id))
  expect((await noted(batch.id))[0]?.failing).toEqual(failing)

  await db().update(preQcResults).set({ status: 'queued', summary: null }).where(eq(preQcResults.id, failed.id))
  expect(await noted(batch.id)).toEqual([
    { summary: 'warning', first: 'warning', until: 3, failing: null },
    { ...passed, first: 'warning' },
  ])
  await db().delete(preQcResults).where(eq(preQcResults.id, again.id))
  expect(await noted(batch.id)).toEqual([{ ...passed, first: 'pass' }])
  await db().delete(files).where(eq(files.id, second.id))
  expect(await noted(batch.id)).toEqual([])
})

test('hold when two results of one file end at once, in either order of commits', async () => {
  for (const order of [0, 1]) {
    const batch = await makeBatch()
    const before = await makeFile(batch, { name: 'a.png', isCurrent: false })
    const after = await makeFile(batch, { name: 'a.png', version: 2 })
    const running = { status: 'running' as const, summary: null, completedAt: null }
    const results = [await makeResult(before, running), await makeResult(after, running)]
    const finish = (n: number) =>
      `update pre_qc_results set status = 'completed', summary = 'pass', completed_at = '2026-06-0${n + 1}' where id = '${results[n]?.id}'`
    let second: Promise<unknown> = Promise.resolve()
    await testSql.begin(async (tx) => {
      await tx.unsafe(finish(order))
      second = testSql.unsafe(finish(1 - order)).execute()
      // It waits for this transaction, and has read nothing it notes.
      for (;;) {
        const [waiting] = await tx.unsafe(`select 1 from pg_locks where not granted`)
        if (waiting) break
      }
    })
    await second
    expect((await noted(batch.id)).map(({ until }) => until)).toEqual([2, null])
  }
})

test('are written anew where they are wrong', async () => {
  const [batch, other] = [await makeBatch(), await makeBatch()]
  await makeResult(await makeFile(batch), { summary: 'fail', checks: [line('a_check')], completedAt: at(1) })
  await makeResult(await makeFile(batch), { summary: 'pass', completedAt: at(2) })
  await makeResult(await makeFile(other), { summary: 'pass', completedAt: at(2) })
  const right = await noted(batch.id)
  await db().execute(sql`update verdicts set summary = 'pass', failing = null where batch_id = ${batch.id}`)
  await db().execute(sql`delete from verdicts where batch_id = ${batch.id} and completed_at > ${at(1).toISOString()}`)
  expect([...(await findWrongVerdicts(db()))]).toEqual([{ batch_id: batch.id, differ: 2 }])
  await inTransaction(as(await makeUser()), (tx) => rewriteVerdicts(tx, batch.id))
  expect(await noted(batch.id)).toEqual(right)
})
