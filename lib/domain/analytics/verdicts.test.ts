import { eq, sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { database } from '@/db/client'
import { files } from '@/db/schema/files'
import { preQcResults, preQcWaivers, verdicts } from '@/db/schema/pre-qc'
import { testSql } from '@/db/testing'
import { makeBatch, makeFile, makeResult, makeUser } from '@/fixtures/factories'
import { CHECK_IDS } from '@/lib/checks/catalogue'
import { inTransaction } from '../kernel/operation'
import { as } from '../testing'
import { fillFindings, findWrongVerdicts, rewriteVerdicts } from './verdicts'

const db = () => database().db
const at = (day: number) => new Date(Date.UTC(2026, 5, day, 10))
const line = (check_id: string, status = 'fail') => ({ check_id, label: `Label of ${check_id}`, status })

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

const findingsOf = async (resultId: string) => {
  const [row] = await db().select().from(verdicts).where(eq(verdicts.resultId, resultId))
  return row?.findings
}

test('note what was found and is not waived, in the order of the checks, whatever it came to', async () => {
  const batch = await makeBatch()
  const user = await makeUser()
  const checks = [
    ...[line('b_check', 'warning'), line('passed', 'pass'), line('a_check'), line('broken', 'error')],
    ...[line('left_out', 'skipped'), line('c_check', 'warning')],
  ]
  const failed = await makeResult(await makeFile(batch), { summary: 'fail', checks })
  expect(await findingsOf(failed.id)).toEqual(['b_check', 'a_check', 'broken', 'c_check'])
  // Neither summary nor failing checks change by that.
  await db()
    .insert(preQcWaivers)
    .values({ resultId: failed.id, checkId: 'b_check', reason: 'Agreed', createdBy: user.id })
  expect(await findingsOf(failed.id)).toEqual(['a_check', 'broken', 'c_check'])
  await db().update(preQcWaivers).set({ checkId: 'c_check' }).where(eq(preQcWaivers.resultId, failed.id))
  expect(await findingsOf(failed.id)).toEqual(['b_check', 'a_check', 'broken'])
  await db().delete(preQcWaivers).where(eq(preQcWaivers.resultId, failed.id))
  expect(await findingsOf(failed.id)).toEqual(['b_check', 'a_check', 'broken', 'c_check'])
  const passed = await makeResult(await makeFile(batch), { summary: 'pass', checks: [line('a_check', 'pass')] })
  expect(await findingsOf(passed.id)).toEqual([])
  await noted(batch.id)
})

test('fit their index where every check there is found something', async () => {
  const checks = CHECK_IDS.map((id) => line(id))
  const result = await makeResult(await makeFile(await makeBatch()), { summary: 'fail', checks })
  expect(await findingsOf(result.id)).toEqual(CHECK_IDS)
})

test('wrong findings are found, and written anew; those that are not filled in are not wrong', async () => {
  const batch = await makeBatch()
  const result = await makeResult(await makeFile(batch), { summary: 'fail', checks: [line('a_check')] })
  const put = (findings: string[] | null) =>
    db().update(verdicts).set({ findings }).where(eq(verdicts.resultId, result.id))
  await put(['b_check'])
  expect([...(await findWrongVerdicts(db()))]).toEqual([{ batch_id: batch.id, differ: 1 }])
  await inTransaction(as('system'), (tx) => rewriteVerdicts(tx, batch.id))
  expect(await findingsOf(result.id)).toEqual(['a_check'])
  await put(null)
  expect([...(await findWrongVerdicts(db()))]).toEqual([])
})

test('what an upgrade left is filled in a part at a time, and gone on with', async () => {
  const batch = await makeBatch()
  const file = await makeFile(batch)
  const first = await makeResult(file, { summary: 'fail', checks: [line('a_check')] })
  await testSql`
    insert into pre_qc_results (id, project_id, batch_id, file_id, file_sha256, profile_id, attempt, is_current, status, summary, checks, completed_at)
    select uuidv7(), project_id, batch_id, file_id, file_sha256, profile_id, n, false, status,
      case n % 2 when 0 then 'fail' else 'pass' end, checks, completed_at
    from pre_qc_results, generate_series(2, 1200) n where id = ${first.id}`
  await testSql`update verdicts set findings = null`
  const [{ left } = { left: 0 }] = await testSql<{ left: number }[]>`select count(*)::int as left from verdicts`
  await testSql.begin(async (tx) => {
    // As one does that waives a finding just then.
    await tx`select from verdicts where result_id = ${first.id} for update`
    expect(await fillFindings(as('system'))).toBe(left - 1)
  })
  expect(await findingsOf(first.id)).toBeNull()
  expect(await fillFindings(as('system'))).toBe(1)
  expect(await findingsOf(first.id)).toEqual(['a_check'])
  expect(await fillFindings(as('system'))).toBe(0)
  await noted(batch.id)
  const [row] =
    await testSql`select count(*) filter (where findings is null)::int as null, count(*) filter (where findings <> '{}')::int as found
    from verdicts where batch_id = ${batch.id}`
  expect(row).toEqual({ null: 0, found: 601 })
})
