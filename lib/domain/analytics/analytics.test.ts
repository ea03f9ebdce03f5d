import { describe, expect, it } from 'vitest'
import { database } from '@/db/client'
import { newId } from '@/db/schema/columns'
import { events } from '@/db/schema/events'
import { preQcWaivers } from '@/db/schema/pre-qc'
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
import { as, expectRefusal } from '../testing'
import { getAgencyAnalytics, getTrend } from './queries'
import { bucketStarts, passRate } from './rules'
import { AgencyAnalytics, Trend } from './schema'

const NOON = new Date('2026-06-30T12:00:00.000Z')
const on = (day: string, time = '10:00:00.000') => new Date(`${day}T${time}Z`)

const asking = (who: UserRow, input: object = {}) => getAgencyAnalytics.execute(as(who, { now: NOON }), {}, input)
async function metricsOf(who: UserRow, agencyId: string, input: object = {}) {
  const { agencies } = await asking(who, input)
  const found = agencies.find(({ agency }) => agency.id === agencyId)
  if (!found) throw new Error('The agency is not listed.')
  return found
}

async function scene() {
  const user = await makeUser({ role: 'coordinator' })
  const agency = await makeAgency()
  const project = await makeProject({ agencyId: agency.id, members: [user] })
  const batch = await makeBatch({ projectId: project.id })
  await linkedFrom(batch, '2026-01-01')
  return { user, agency, project, batch }
}

/** The day from which on the agency can send by a link. */
const linkedFrom = (batch: { id: string }, day: string) => makeUploadLink(batch, { createdAt: on(day) })

type Place = { id: string; projectId: string }

/** A file and its result, or several attempts at one. */
async function checked(
  batch: Place,
  summary: ResultSummary,
  completedAt: Date,
  given: Parameters<typeof makeFile>[1] = {},
) {
  const file = await makeFile(batch, given)
  const result = await makeResult(file, { summary, completedAt })
  return { file, result }
}

async function happened(
  type: EventType,
  where: { projectId: string; batchId?: string },
  at: Date,
  data: Record<string, unknown> = {},
) {
  await database()
    .db.insert(events)
    .values({ id: newId(at), type, ...where, actorType: 'system', actorName: 'A test', data, createdAt: at })
}

describe('who may ask, and for what', () => {
  it('is for coordinators and administrators', async () => {
    for (const role of ['viewer', 'operator'] as const) {
      await expectRefusal(asking(await makeUser({ role })), 'forbidden')
    }
    expect(await asking(await makeUser({ role: 'administrator' }))).toMatchObject({ agencies: expect.any(Array) })
  })

  it('covers the last 30 days when no days are named', async () => {
    const { user } = await scene()
    expect(await asking(user)).toMatchObject({ from: '2026-06-01', to: '2026-06-30' })
    expect(await asking(user, { to: '2026-02-10' })).toMatchObject({ from: '2026-01-12', to: '2026-02-10' })
    expect(await asking(user, { from: '2026-06-30' })).toMatchObject({ from: '2026-06-30', to: '2026-06-30' })
  })

  it.each([
    [{ from: '2026-06-02', to: '2026-06-01' }, ['from']],
    [{ from: '2026-07-01' }, ['from']],
    [{ from: '2026-02-30' }, ['from']],
    [{ from: '01.06.2026', to: '2026-06-31' }, ['from', 'to']],
    [{ from: '2026-06-01T00:00:00Z' }, ['from']],
    [{ to: '' }, ['to']],
    [{ agency: 'x' }, ['agency']],
  ])('refuses %j as a query that cannot be', async (input, fields) => {
    const { user } = await scene()
    await expectRefusal(asking(user, input), 'invalid_query', fields)
  })
})

describe('the metrics of an agency', () => {
  it('count a file with its versions once, by its latest completed result in the range', async () => {
    const { user, agency, batch } = await scene()
    const name = 'hero.png'
    await checked(batch, 'fail', on('2026-06-10'), { name, version: 1, isCurrent: false })
    await checked(batch, 'fail', on('2026-06-12'), { name, version: 2, isCurrent: false })
    await checked(batch, 'warning', on('2026-06-14'), { name, version: 3 })
    await checked(batch, 'pass', on('2026-06-15'))
    await checked(batch, 'fail', on('2026-06-16'))
    await checked(batch, 'not_applicable', on('2026-06-16'))
    const waiting = await makeFile(batch)
    await makeResult(waiting, { status: 'queued', summary: null, completedAt: null })
    const broken = await makeFile(batch)
    await makeResult(broken, { status: 'failed', summary: null, completedAt: on('2026-06-16') })
    expect(await metricsOf(user, agency.id)).toMatchObject({
      files_checked: 3,
      pass: 1,
      warning: 1,
      fail: 1,
      not_applicable: 1,
      pass_rate: 2 / 3,
      first_time_pass_rate: 1 / 3,
    })
    // Before its third version came, the file failed.
    expect(await metricsOf(user, agency.id, { from: '2026-06-10', to: '2026-06-13' })).toMatchObject({
      files_checked: 1,
      fail: 1,
      pass_rate: 0,
    })
  })

  it('take the newest attempt at the same version', async () => {
    const { user, agency, batch } = await scene()
    const file = await makeFile(batch)
    await makeResult(file, { summary: 'fail', completedAt: on('2026-06-10'), attempt: 1, isCurrent: false })
    await makeResult(file, { summary: 'pass', completedAt: on('2026-06-11'), attempt: 2 })
    expect(await metricsOf(user, agency.id)).toMatchObject({ files_checked: 1, pass: 1, first_time_pass_rate: 0 })
  })

  it('begin with the first millisecond of the first day and end with the last of the last, in UTC', async () => {
    const { user, agency, batch } = await scene()
    const range = { from: '2026-06-10', to: '2026-06-11' }
    for (const [day, time] of [
      ['2026-06-09', '23:59:59.999'],
      ['2026-06-10', '00:00:00.000'],
      ['2026-06-11', '23:59:59.999'],
      ['2026-06-12', '00:00:00.000'],
    ] as const) {
      await checked(batch, 'pass', on(day, time))
    }
    expect(await metricsOf(user, agency.id, range)).toMatchObject({ files_checked: 2 })
  })

  it('are zeros, and null where there is nothing to divide by, for an agency without files', async () => {
    const user = await makeUser({ role: 'coordinator' })
    const agency = await makeAgency()
    expect(await metricsOf(user, agency.id)).toEqual({
      agency: { id: agency.id, name: agency.name },
      files_checked: 0,
      pass: 0,
      warning: 0,
      fail: 0,
      pass_rate: null,
      not_applicable: 0,
      first_time_pass_rate: null,
      resupply_rounds_average: 0,
      uploads_rejected: 0,
      median_hours: { agency: null, review: null },
      top_failing_checks: [],
      previous: { pass_rate: null },
    })
  })

  it('count versions of one file once, whatever each is called', async () => {
    const { user, agency, batch } = await scene()
    await checked(batch, 'fail', on('2026-06-10'), { name: 'hero_v1.png', isCurrent: false })
    await checked(batch, 'pass', on('2026-06-12'), { name: 'hero_v2.png', version: 2, seriesKey: 'hero_v1.png' })
    expect(await metricsOf(user, agency.id)).toMatchObject({ files_checked: 1, pass: 1, first_time_pass_rate: 0 })
  })

  it('leave out what the caller cannot see', async () => {
    const { user, agency, batch } = await scene()
    await checked(batch, 'pass', on('2026-06-10'))
    const hidden = await makeBatch({ projectId: (await makeProject({ agencyId: agency.id })).id })
    await linkedFrom(hidden, '2026-06-01')
    await checked(hidden, 'fail', on('2026-06-10'))
    await happened('upload.rejected', { projectId: hidden.projectId }, on('2026-06-10'))
    await happened('batch.created', { projectId: hidden.projectId, batchId: hidden.id }, on('2026-06-10'))
    await happened('batch.submitted', { projectId: hidden.projectId, batchId: hidden.id }, on('2026-06-11'))
    expect(await metricsOf(user, agency.id)).toMatchObject({
      files_checked: 1,
      fail: 0,
      uploads_rejected: 0,
      median_hours: { agency: null },
    })
    const administrator = await makeUser({ role: 'administrator' })
    expect(await metricsOf(administrator, agency.id)).toMatchObject({
      files_checked: 2,
      fail: 1,
      uploads_rejected: 1,
      median_hours: { agency: 24 },
    })
  })

  it('name the checks that fail most, without those that were waived', async () => {
    const { user, agency, batch } = await scene()
    const line = (check_id: string, status: string) => ({ check_id, label: `Label of ${check_id}`, status })
    const failing = async (...checks: object[]) => {
      const file = await makeFile(batch)
      const given = {
        summary: 'fail' as const,
        completedAt: on('2026-06-10'),
        checks: checks as Record<string, unknown>[],
      }
      return makeResult(file, given)
    }
    await failing(line('a_check', 'fail'), line('b_check', 'fail'), line('c_check', 'warning'))
    await failing(line('b_check', 'fail'), line('a_check', 'pass'))
    const waived = await failing(line('a_check', 'fail'), line('d_check', 'fail'))
    await database()
      .db.insert(preQcWaivers)
      .values({ resultId: waived.id, checkId: 'a_check', reason: 'Agreed', createdBy: user.id })
    expect((await metricsOf(user, agency.id)).top_failing_checks).toEqual([
      { check_id: 'b_check', label: 'Label of b_check', count: 2 },
      { check_id: 'a_check', label: 'Label of a_check', count: 1 },
      { check_id: 'd_check', label: 'Label of d_check', count: 1 },
    ])
  })

  it('compare with as many days just before', async () => {
    const { user, agency, batch } = await scene()
    await checked(batch, 'pass', on('2026-06-12'))
    await checked(batch, 'pass', on('2026-06-09'))
    await checked(batch, 'fail', on('2026-06-08'))
    await checked(batch, 'fail', on('2026-06-07', '23:59:59.999'))
    const { previous } = await metricsOf(user, agency.id, { from: '2026-06-10', to: '2026-06-12' })
    expect(previous).toEqual({ pass_rate: 1 / 3 })
  })
})

describe('turnaround', () => {
  it('runs for the side that holds the batch, and stands while the project is not active', async () => {
    const { user, agency, project, batch } = await scene()
    const where = { projectId: project.id, batchId: batch.id }
    const outcome = (to: string) => ({ outcome: to })
    const status = (from: string, to: string) => ({ before: { status: from }, after: { status: to } })
    await happened('batch.created', where, on('2026-06-01', '00:00:00.000'))
    await happened('batch.submitted', where, on('2026-06-01', '10:00:00.000'), { round: 1 })
    // Submitted once more while it is with us: the clock goes on.
    await happened('batch.submitted', where, on('2026-06-01', '11:00:00.000'), { round: 1 })
    await happened('batch.review_completed', where, on('2026-06-01', '14:00:00.000'), outcome('awaiting_resupply'))
    await happened('project.updated', where, on('2026-06-02', '00:00:00.000'), status('active', 'on_hold'))
    await happened('project.updated', where, on('2026-06-04', '00:00:00.000'), status('on_hold', 'active'))
    await happened('batch.submitted', where, on('2026-06-04', '20:00:00.000'), { round: 2 })
    await happened('batch.review_completed', where, on('2026-06-04', '22:00:00.000'), outcome('approved'))
    // Taken up again much later: what lay between counts for neither side.
    await happened('batch.submitted', where, on('2026-06-20', '10:00:00.000'), { round: 3 })
    await happened('batch.review_completed', where, on('2026-06-20', '11:00:00.000'), outcome('approved'))
    await checked(batch, 'pass', on('2026-06-20'))
    const metrics = await metricsOf(user, agency.id)
    // The agency: 10 h, then 10 h + 20 h around the hold. We: 4 h, 2 h, 1 h.
    expect(metrics.median_hours).toEqual({ agency: 20, review: 2 })
    expect(metrics.resupply_rounds_average).toBe(2)
    // What began before the range but ended in it counts whole; what ended after it does not count.
    expect((await metricsOf(user, agency.id, { from: '2026-06-04', to: '2026-06-04' })).median_hours).toEqual({
      agency: 30,
      review: 2,
    })
  })

  it('runs for the agency from its first link on, until all of a resupply has arrived', async () => {
    const { user, agency, project } = await scene()
    const [late, never] = [await makeBatch({ projectId: project.id }), await makeBatch({ projectId: project.id })]
    await linkedFrom(late, '2026-06-02')
    for (const batch of [late, never]) {
      const where = { projectId: project.id, batchId: batch.id }
      await happened('batch.created', where, on('2026-06-01'))
      await happened('batch.submitted', where, on('2026-06-04'), { round: 1 })
    }
    expect((await metricsOf(user, agency.id)).median_hours).toEqual({ agency: 48, review: null })
    const where = { projectId: project.id, batchId: late.id }
    await happened('batch.review_completed', where, on('2026-06-05'), { outcome: 'awaiting_resupply' })
    await happened('batch.resupplied', where, on('2026-06-06'))
    await happened('batch.submitted', where, on('2026-06-20'), { round: 2 })
    expect((await metricsOf(user, agency.id)).median_hours).toEqual({ agency: 36, review: 24 })
  })

  it('leaves out the turn in which a batch was cancelled', async () => {
    const { user, agency, project, batch } = await scene()
    const where = { projectId: project.id, batchId: batch.id }
    await happened('batch.created', where, on('2026-06-01'))
    await happened('batch.submitted', where, on('2026-06-02'))
    await happened('batch.cancelled', where, on('2026-06-05'))
    expect((await metricsOf(user, agency.id)).median_hours).toEqual({ agency: 24, review: null })
  })
})

describe('over time', () => {
  it('has a point for every day, week or month of the range, and all agencies together', async () => {
    const { user, agency, batch } = await scene()
    await checked(batch, 'pass', on('2026-06-10'))
    await checked(batch, 'fail', on('2026-06-10'))
    await checked(batch, 'warning', on('2026-06-12', '23:59:59.999'))
    const other = await makeBatch({ projectId: (await makeProject({ members: [user] })).id })
    await checked(other, 'fail', on('2026-06-12'))
    const ask = (input: object) => getTrend.execute(as(user, { now: NOON }), {}, input)
    const range = { from: '2026-06-10', to: '2026-06-12' }
    const all = Trend.parse(await ask(range))
    expect(all.points).toEqual([
      { start: '2026-06-10', pass: 1, warning: 0, fail: 1, pass_rate: 0.5, first_time_pass_rate: 0.5 },
      { start: '2026-06-11', pass: 0, warning: 0, fail: 0, pass_rate: null, first_time_pass_rate: null },
      { start: '2026-06-12', pass: 0, warning: 1, fail: 1, pass_rate: 0.5, first_time_pass_rate: 0.5 },
    ])
    expect(all.metrics).toMatchObject({ files_checked: 4, pass_rate: 0.5 })
    expect((await ask({ ...range, agency_id: agency.id })).metrics).toMatchObject({
      files_checked: 3,
      pass_rate: 2 / 3,
    })
    expect(bucketStarts({ from: '2026-04-01', to: '2026-06-30' }, 'week')[0]).toBe('2026-03-30')
    expect(await ask({ from: '2026-04-01', to: '2026-06-30' })).toMatchObject({ bucket: 'week' })
    expect((await ask({ from: '2026-01-01', to: '2026-12-31' })).points).toHaveLength(12)
  })
})

describe('truth', () => {
  it('equals a plain recount of the same rows, for every agency', async () => {
    await emptyTables()
    const user = await makeUser({ role: 'coordinator' })
    const random = seeded(20260630)
    const pick = <T>(from: readonly T[]) => from[Math.floor(random() * from.length)] as T
    const SUMMARIES = ['pass', 'warning', 'fail', 'not_applicable'] as const
    for (let a = 0; a < 4; a++) {
      const agency = await makeAgency()
      for (let p = 0; p < 2; p++) {
        const project = await makeProject({ agencyId: agency.id, members: p === 0 || a === 0 ? [user] : [] })
        const batch = await makeBatch({ projectId: project.id })
        for (let f = 0; f < 8; f++) {
          const versions = 1 + Math.floor(random() * 3)
          for (let version = 1; version <= versions; version++) {
            const isCurrent = version === versions
            const file = await makeFile(batch, { name: `f-${f}.png`, version, isCurrent })
            const attempts = 1 + Math.floor(random() * 2)
            for (let attempt = 1; attempt <= attempts; attempt++) {
              const day = new Date(Date.UTC(2026, 4, 1 + Math.floor(random() * 60), 12, version, attempt))
              await makeResult(file, {
                attempt,
                isCurrent: attempt === attempts,
                summary: pick(SUMMARIES),
                completedAt: day,
              })
            }
          }
        }
      }
    }
    const range = { from: '2026-05-20', to: '2026-06-20' }
    const response = AgencyAnalytics.parse(await asking(user, range))
    const rows = await testSql<Row[]>`
      select p.agency_id as agency, f.batch_id as batch, f.name_key as name, f.version, r.attempt, r.summary,
        to_char(r.completed_at, 'YYYY-MM-DD HH24:MI:SS.MS') as "completedAt",
        exists (select 1 from project_members m where m.project_id = p.id and m.user_id = ${user.id}) as visible
      from pre_qc_results r join files f on f.id = r.file_id join projects p on p.id = f.project_id`
    expect(response.agencies).toHaveLength(4)
    for (const metrics of response.agencies) {
      const own = rows.filter((row) => row.visible && row.agency === metrics.agency.id)
      expect(metrics).toMatchObject(recount(own, range))
    }
    expect(response.agencies.some(({ files_checked }) => files_checked > 5)).toBe(true)
  })
})

type Row = {
  agency: string
  batch: string
  name: string
  version: number
  attempt: number
  summary: ResultSummary
  completedAt: string
  visible: boolean
}

/** The definition, read aloud. */
function recount(rows: Row[], { from, to }: { from: string; to: string }) {
  const tally = { pass: 0, warning: 0, fail: 0, not_applicable: 0 }
  const first = { good: 0, all: 0 }
  for (const key of new Set(rows.map((row) => row.batch + row.name))) {
    const own = rows.filter((row) => row.batch + row.name === key)
    const inRange = own.filter(({ completedAt }) => {
      const day = completedAt.slice(0, 10)
      return day >= from && day <= to
    })
    const latest = inRange.sort((a, b) => b.completedAt.localeCompare(a.completedAt))[0]
    if (!latest) continue
    tally[latest.summary]++
    const earliest = own.sort((a, b) => a.version - b.version || a.attempt - b.attempt)[0]
    if (latest.summary === 'not_applicable' || !earliest || earliest.summary === 'not_applicable') continue
    first.all++
    if (earliest.summary !== 'fail') first.good++
  }
  return {
    ...tally,
    files_checked: tally.pass + tally.warning + tally.fail,
    pass_rate: passRate(tally),
    first_time_pass_rate: first.all === 0 ? null : first.good / first.all,
  }
}

/** Mulberry32: the same numbers at every run. */
function seeded(state: number) {
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
}
