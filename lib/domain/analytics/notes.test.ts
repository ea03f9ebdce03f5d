import { eq, sql } from 'drizzle-orm'
import { beforeEach, expect, test } from 'vitest'
import { database } from '@/db/client'
import { newId } from '@/db/schema/columns'
import { events } from '@/db/schema/events'
import { files } from '@/db/schema/files'
import { preQcResults, preQcWaivers } from '@/db/schema/pre-qc'
import { batches, projectMembers, projects } from '@/db/schema/projects'
import { uploadLinks } from '@/db/schema/upload-links'
import { emptyTables, testSql } from '@/db/testing'
import {
  makeAgency,
  makeBatch,
  makeFile,
  makeProject,
  makeResult,
  makeUploadLink,
  makeUser,
  type UserRow,
} from '@/fixtures/factories'
import type { EventType, ResultSummary } from '@/lib/vocabulary'
import { inTransaction, type Tx } from '../kernel/operation'
import { as } from '../testing'
import * as measure from './measure'
import { findWrongMonths, sumMonths } from './months'
import { findWrongAnalytics, foldAnalytics, noteBatch, rebuildAnalytics } from './notes'
import * as fromRows from './testing'

const db = () => database().db
const DAYS = 100
/** When all of that has passed. */
const later = { now: new Date('2026-09-15T12:00:00Z') }
const start = Date.UTC(2026, 4, 20)
const day = (n: number) => new Date(start + n * 86_400_000)

beforeEach(emptyTables)

/** Numbers from 0 up to one that is not among them, the same in every run of a seed. */
function chances(seed: number) {
  let state = seed
  const below = (limit: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * limit)
  }
  return { below, of: <T>(list: readonly T[]): T => list[below(list.length)] as T }
}

type Answers = Record<string, unknown>

/** Every figure of a span, in an order that says nothing. */
async function answers(tx: Tx, from: typeof measure | typeof fromRows, scope: measure.Scope): Promise<Answers> {
  const inOrder = (rows: Iterable<unknown>) => Array.from(rows, (row) => JSON.stringify(row)).sort()
  return {
    tallies: inOrder(await from.tallies(tx, scope)),
    days: inOrder(await from.tallyByTime(tx, scope, 'day')),
    weeks: inOrder(await from.tallyByTime(tx, scope, 'week')),
    months: inOrder(await from.tallyByTime(tx, scope, 'month')),
    rounds: inOrder(await from.resupplyRounds(tx, scope)),
    failing: inOrder(await from.failingChecks(tx, scope)),
    overruled: inOrder(await from.overruledChecks(tx, scope, 500)),
    first: inOrder(await from.firstFailures(tx, scope)),
    rejected: inOrder(await from.rejectedUploads(tx, scope)),
    turnaround: inOrder(await from.turnaround(tx, scope)),
  }
}

async function expectEqual(who: UserRow, scope: measure.Scope, zone: string) {
  await inTransaction(as(who), async (tx) => {
    await tx.db.execute(sql.raw(`set local time zone '${zone}'`))
    expect(await answers(tx, measure, scope)).toEqual(await answers(tx, fromRows, scope))
    expect(await findWrongAnalytics(tx.db)).toEqual([])
    expect((await findWrongMonths(tx.db)).wrong).toEqual([])
  })
}

/** A workspace in which anything may happen that changes what is counted. */
async function workspace(seed: number) {
  const { below, of } = chances(seed)
  let steps = 0
  // Each moment once: what comes last at the same time is not defined.
  const moment = () => new Date(day(below(DAYS)).getTime() + below(86_000) * 1000 + (steps++ % 1000))
  const coordinator = await makeUser({ role: 'coordinator' })
  const administrator = await makeUser({ role: 'administrator' })
  const agencies = [await makeAgency(), await makeAgency()]
  const some = [0, 1, 2].map((n) =>
    makeProject({ agencyId: agencies[n % 2]?.id, members: n === 1 ? [] : [coordinator] }),
  )
  const inProjects = await Promise.all(some)
  const inBatches = await Promise.all(
    [0, 1, 2, 3, 4].map((n) =>
      makeBatch({ projectId: inProjects[n % 3]?.id as string, round: 1, submittedAt: day(1) }),
    ),
  )
  const happened = (type: EventType, where: { projectId: string; batchId?: string }, data = {}, at = moment()) =>
    db()
      .insert(events)
      .values({ id: newId(at), type, ...where, actorType: 'system', actorName: 'A test', data, createdAt: at })
  for (const { id, projectId } of inBatches)
    await happened('batch.created', { projectId, batchId: id }, {}, new Date(start - 1000 - steps++))
  const { profileId } = await makeResult(await makeFile(inBatches[0] as (typeof inBatches)[number]), {
    completedAt: moment(),
  })
  const line = () => ({
    check_id: of(['a_check', 'b_check', 'c_check']),
    label: of(['Older', 'Newer']),
    status: of(['fail', 'fail', 'warning', 'pass']),
    details: `Details ${below(1000)}`,
    ...(below(2) && { fix: `Fix ${below(1000)}` }),
  })
  const summary = (): ResultSummary => of(['pass', 'warning', 'fail', 'fail', 'fail', 'not_applicable'])
  /** Of each check one line: which of two labels would be the newer is not defined. */
  const lines = () => {
    const [first, second] = [line(), line()]
    return first.check_id === second.check_id ? [first] : [first, second]
  }
  const check = (file: typeof files.$inferSelect, attempt = 1) =>
    makeResult(file, { summary: summary(), checks: lines(), completedAt: moment(), profileId, attempt })
  const aFile = async () => of(await db().select().from(files).orderBy(files.id))
  const aResult = async () => of(await db().select().from(preQcResults).orderBy(preQcResults.id))
  const aBatch = () => of(inBatches)

  const changes = {
    async upload() {
      await check(await makeFile(aBatch(), { decision: of(['pending', 'approved', 'rejected']) }))
    },
    async resupply() {
      const file = await aFile()
      const key = file.seriesKey ?? file.nameKey
      const [newest] = await db().execute<{ version: number }>(
        sql`select max(version)::int as version from files where batch_id = ${file.batchId} and coalesce(series_key, name_key) = ${key}`,
      )
      await db().update(files).set({ isCurrent: false }).where(eq(files.id, file.id))
      const version = (newest?.version ?? 1) + 1
      const batch = { id: file.batchId, projectId: file.projectId }
      await check(
        await makeFile(batch, { name: `${key}-${version}`, version, seriesKey: key, isCurrent: version % 3 > 0 }),
      )
    },
    async checkAgain() {
      const result = await aResult()
      await db().update(preQcResults).set({ isCurrent: false }).where(eq(preQcResults.fileId, result.fileId))
      const [file] = await db().select().from(files).where(eq(files.id, result.fileId))
      const [last] = await db().execute<{ attempt: number }>(
        sql`select max(attempt)::int as attempt from pre_qc_results where file_id = ${result.fileId}`,
      )
      if (file) await check(file, (last?.attempt ?? 0) + 1)
    },
    async runAgain() {
      const { id } = await aResult()
      await db()
        .update(preQcResults)
        .set({ status: 'running', summary: null, completedAt: null })
        .where(eq(preQcResults.id, id))
    },
    async complete() {
      const { id } = await aResult()
      const set = { status: 'completed' as const, summary: summary(), completedAt: moment() }
      await db().update(preQcResults).set(set).where(eq(preQcResults.id, id))
    },
    async waive() {
      const { id } = await aResult()
      const checkId = of(['a_check', 'b_check'])
      const waiver = { resultId: id, checkId, reason: 'Agreed', createdBy: administrator.id }
      await db().insert(preQcWaivers).values(waiver).onConflictDoNothing()
    },
    async withdraw() {
      const all = await db().select().from(preQcWaivers).orderBy(preQcWaivers.id)
      if (all.length > 0)
        await db()
          .delete(preQcWaivers)
          .where(eq(preQcWaivers.id, of(all).id))
    },
    async decide() {
      const { id } = await aFile()
      await db()
        .update(files)
        .set({ decision: of(['pending', 'approved', 'rejected']) })
        .where(eq(files.id, id))
    },
    async remove() {
      const all = await db().select().from(files)
      if (all.length > 5)
        await db()
          .delete(files)
          .where(eq(files.id, (await aFile()).id))
    },
    async turn() {
      const { id, projectId } = aBatch()
      const type = of([
        'batch.submitted',
        'batch.submitted',
        'batch.review_completed',
        'batch.resupplied',
        'batch.cancelled',
      ] as const)
      await happened(
        type,
        { projectId, batchId: id },
        { round: 1 + below(4), outcome: of(['approved', 'awaiting_resupply']) },
      )
    },
    async submit() {
      const { id } = aBatch()
      const set = { round: 1 + below(5), submittedAt: below(4) ? moment() : null }
      await db().update(batches).set(set).where(eq(batches.id, id))
    },
    async hold() {
      const { id } = of(inProjects)
      await happened('project.updated', { projectId: id }, { after: { status: of(['active', 'on_hold']) } })
    },
    async rename() {
      await happened('project.updated', { projectId: of(inProjects).id }, { after: { name: 'Another' } })
    },
    async link() {
      await makeUploadLink(aBatch(), { createdAt: moment() })
    },
    async unlink() {
      const all = await db().select().from(uploadLinks).orderBy(uploadLinks.id)
      if (all.length > 0)
        await db()
          .delete(uploadLinks)
          .where(eq(uploadLinks.id, of(all).id))
    },
    async move() {
      const agencyId = of(agencies).id
      await db()
        .update(projects)
        .set({ agencyId })
        .where(eq(projects.id, of(inProjects).id))
    },
    async refuse() {
      const { id, projectId } = aBatch()
      await happened('upload.rejected', { projectId, batchId: id })
    },
    async join() {
      const projectId = of(inProjects).id
      if (below(2)) await db().delete(projectMembers).where(eq(projectMembers.projectId, projectId))
      else await db().insert(projectMembers).values({ projectId, userId: coordinator.id }).onConflictDoNothing()
    },
  }
  return { below, of, changes, coordinator, administrator, agencies }
}

test.each([1, 2, 3, 4])('are what results, files and events say, whatever happened (seed %i)', async (seed) => {
  const { below, of, changes, coordinator, administrator, agencies } = await workspace(seed)
  for (let n = 0; n < 24; n++) {
    for (let k = 0; k < 5; k++) await of([changes.upload, changes.turn, ...Object.values(changes)])()
    if (below(2)) await foldAnalytics(as('system'))
    if (below(2)) await sumMonths(as('system', later))
    // From May 20 on: 12 and 42 are the first of June and of July, 73 is that of August.
    const from = of([below(DAYS), 12, 42])
    const to = of([from + 1 + below(DAYS - from), 73, DAYS])
    const scope = {
      start: day(from),
      end: day(Math.max(to, from + 1)),
      ...(below(2) && { agencyId: of(agencies).id }),
    }
    await expectEqual(of([coordinator, administrator]), scope, of(['UTC', 'Pacific/Kiritimati', 'America/St_Johns']))
  }
  await foldAnalytics(as('system'))
  await sumMonths(as('system', later))
  const [summed] = await db().execute<{ months: number }>(
    sql`select count(*)::int as months from analytics_months where month >= '2026-06-01' and month < '2026-09-01'`,
  )
  expect(summed?.months).toBe(3)
  for (const who of [coordinator, administrator])
    for (const end of [DAYS + 5, 73, 60]) await expectEqual(who, { start: day(-5), end: day(end) }, 'Asia/Kolkata')
})

test('are read from the sums of whole months, where these hold for all that is asked', async () => {
  const [administrator, coordinator] = [
    await makeUser({ role: 'administrator' }),
    await makeUser({ role: 'coordinator' }),
  ]
  const [agency, another] = [await makeAgency(), await makeAgency()]
  const seen = await makeProject({ agencyId: agency.id, members: [coordinator] })
  const unseen = await makeProject({ agencyId: agency.id, members: [] })
  const batch = await makeBatch({ projectId: seen.id })
  for (const at of [day(14), day(15)]) await makeResult(await makeFile(batch), { summary: 'pass', completedAt: at })
  await foldAnalytics(as('system'))
  const june = { start: new Date('2026-06-01'), end: new Date('2026-07-01') }
  const passed = async (who: UserRow, scope: measure.Scope = june) =>
    Array.from(await inTransaction(as(who), (tx) => measure.tallies(tx, scope)), (row) => row.pass)
  const wrong = async () => (await findWrongMonths(db())).wrong
  /** What is not in the rows shows where sums are read. */
  const spoil = () => db().execute(sql`update analytics_month_results set pass = 70`)

  // Not before it has passed.
  expect(await sumMonths(as('system', { now: new Date('2026-06-30T23:00:00Z') }))).toBe(0)
  expect(await sumMonths(as('system', { now: new Date('2026-07-01T01:00:00Z') }))).toBe(1)
  expect(await sumMonths(as('system', { now: new Date('2026-07-01T01:00:00Z') }))).toBe(0)
  expect([await passed(administrator), await wrong()]).toEqual([[2, 2], []])
  await spoil()
  expect([await passed(administrator), await wrong()]).toEqual([[70, 70], ['2026-06-01']])
  expect(await passed(administrator, { ...june, start: new Date('2026-06-02') })).toEqual([2, 2])
  expect(await passed(administrator, { ...june, end: new Date('2026-06-30') })).toEqual([2, 2])
  // Who sees a part of an agency reads rows; who sees all of it, and nothing of the others, sums.
  expect(await passed(coordinator)).toEqual([2, 2])
  await db().update(projects).set({ agencyId: another.id }).where(eq(projects.id, unseen.id))
  await foldAnalytics(as('system'))
  expect(await passed(coordinator)).toEqual([70, 70])
  // A batch that changed is computed, and its month read from rows, until it is summed anew.
  await inTransaction(as('system'), (tx) => noteBatch(tx, batch.id))
  expect([await passed(administrator), await wrong()]).toEqual([[2, 2], []])
  await foldAnalytics(as('system'))
  expect(await passed(administrator)).toEqual([2, 2])
  expect(await sumMonths(as('system', later))).toBe(3)
  await spoil()
  // A project that moves takes its figures along at once.
  await db().update(projects).set({ agencyId: another.id }).where(eq(projects.id, seen.id))
  expect(await passed(administrator, { ...june, agencyId: agency.id })).toEqual([0])
  expect(await passed(administrator, { ...june, agencyId: another.id })).toEqual([2, 2])
  expect(await wrong()).toEqual([])
  await foldAnalytics(as('system'))
  await sumMonths(as('system', later))
  expect(await passed(administrator, { ...june, agencyId: another.id })).toEqual([2, 2])
  await spoil()
  expect(await passed(administrator)).toEqual([70, 70])
  await rebuildAnalytics(as('system'))
  expect(await passed(administrator)).toEqual([2, 2])
})

test('lose nothing when two transactions change one day at once and a third computes it, and none waits', async () => {
  const { id: projectId } = await makeProject()
  const user = await makeUser({ role: 'administrator' })
  const running = { status: 'running' as const, summary: null, completedAt: null }
  const results = await Promise.all(
    [0, 1, 2].map(async () => makeResult(await makeFile(await makeBatch({ projectId })), running)),
  )
  const whole = { start: day(0), end: day(DAYS) }
  const finish = (n: number) =>
    `update pre_qc_results set status = 'completed', summary = 'pass', completed_at = '2026-05-21' where id = '${results[n]?.id}'`
  const fold = () => foldAnalytics(as('system'))
  const counted = async () =>
    Array.from(await inTransaction(as(user), (tx) => measure.tallies(tx, whole)), ({ pass }) => pass)
  await testSql.unsafe(finish(0))
  await testSql.begin(async (first) => {
    await first.unsafe(finish(1))
    await testSql.begin(async (second) => {
      await second.unsafe(finish(2))
      expect(await fold()).toBe(1)
      expect(await counted()).toEqual([1, 1])
    })
    expect(await counted()).toEqual([2, 2])
    expect(await fold()).toBe(1)
    expect(await counted()).toEqual([2, 2])
  })
  expect(await counted()).toEqual([3, 3])
  expect(await fold()).toBe(1)
  expect(await counted()).toEqual([3, 3])
  expect([...(await db().execute(sql`select from analytics_changes`))]).toEqual([])
  await expectEqual(user, whole, 'UTC')
})

test('are computed anew where they are wrong, and all of them when that is asked for', async () => {
  const [batch, other] = [await makeBatch(), await makeBatch()]
  for (const each of [batch, other]) await makeResult(await makeFile(each), { summary: 'pass', completedAt: day(2) })
  await foldAnalytics(as('system'))
  await db().execute(sql`update analytics_results set pass = 7 where batch_id = ${batch.id}`)
  await db().execute(sql`delete from analytics_rounds where batch_id = ${batch.id}`)
  expect(await findWrongAnalytics(db())).toEqual([batch.id])
  await inTransaction(as('system'), (tx) => noteBatch(tx, batch.id))
  expect(await findWrongAnalytics(db())).toEqual([])
  expect(await foldAnalytics(as('system'))).toBe(1)
  expect(await findWrongAnalytics(db())).toEqual([])
  await db().execute(sql`update analytics_results set pass = 7`)
  await db().execute(
    sql`insert into analytics_turns (batch_id, project_id, holder, day, hours) values (gen_random_uuid(), gen_random_uuid(), 'review', '2026-05-20', 1)`,
  )
  expect(await rebuildAnalytics(as('system'))).toBe(2)
  expect([...(await db().execute(sql`select from analytics_turns`))]).toEqual([])
  expect(await findWrongAnalytics(db())).toEqual([])
})

test('are computed a part at a time, however many batches wait', async () => {
  const { id: projectId } = await makeProject()
  const many = await Promise.all(Array.from({ length: 410 }, () => makeBatch({ projectId })))
  const large = many.slice(0, 3)
  for (const batch of large) await makeResult(await makeFile(batch), { summary: 'pass', completedAt: day(2) })
  await db().execute(sql`update batch_counts set files = 30000`)
  await db().execute(sql`delete from analytics_changes`)
  // All of the project, and one of its batches a second time.
  await db().execute(sql`insert into analytics_changes (project_id) values (${projectId}::uuid)`)
  await inTransaction(as('system'), (tx) => noteBatch(tx, large[0]?.id as string))
  const parts: number[] = []
  await testSql.unsafe(`
    create table parts (of int);
    create function part_done() returns trigger language plpgsql as $$
    begin insert into parts select count(distinct batch_id) from gone; return null; end $$;
    create trigger part_done after delete on analytics_changes referencing old table as gone for each statement execute function part_done()`)
  try {
    expect(await foldAnalytics(as('system'))).toBe(410)
    for (const { of } of await testSql<{ of: number }[]>`select of from parts`) parts.push(of)
  } finally {
    await testSql.unsafe(`drop trigger part_done on analytics_changes; drop function part_done; drop table parts`)
  }
  // The statement that takes up the project itself takes no batch.
  const taken = parts.filter((part) => part > 0)
  expect(Math.max(...taken)).toBeLessThanOrEqual(200)
  expect(taken.length).toBeGreaterThanOrEqual(3)
  expect(await findWrongAnalytics(db())).toEqual([])
})

test('are computed once where their batch goes on changing, and the rest the next time', async () => {
  const batch = await makeBatch()
  await makeResult(await makeFile(batch), { summary: 'pass', completedAt: day(2) })
  await db().execute(sql`delete from analytics_changes`)
  await inTransaction(as('system'), (tx) => noteBatch(tx, batch.id))
  // Another file is checked whenever its rows were computed.
  await testSql.unsafe(`
    create function changed_again() returns trigger language plpgsql as $$
    begin insert into analytics_changes (batch_id) values ('${batch.id}'); return null; end $$;
    create trigger changed_again after insert on analytics_results for each statement execute function changed_again()`)
  try {
    expect(await foldAnalytics(as('system'))).toBe(1)
    const left = async () => (await db().execute(sql`select from analytics_changes`)).length
    expect(await left()).toBe(1)
    expect(await foldAnalytics(as('system'))).toBe(1)
    expect(await left()).toBe(1)
  } finally {
    await testSql.unsafe(`drop trigger changed_again on analytics_results; drop function changed_again`)
  }
})
