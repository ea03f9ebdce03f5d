import { and, eq, ne } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { database } from '@/db/client'
import { preQcProfiles } from '@/db/schema/directory'
import { preQcResults } from '@/db/schema/pre-qc'
import { testSql } from '@/db/testing'
import { makeBatch, makeFile, makeMediaCategory, makeProject, makeResult, makeUser } from '@/fixtures/factories'
import type { CheckStatus } from '@/lib/vocabulary'
import { submitBatch } from '../batches/commands'
import { as, expectRefusal } from '../testing'
import { rerunBatch, rerunResult } from './commands'
import { getResult, listResults } from './queries'
import { BatchReport, getBatchReport } from './report'
import { compareChecks } from './rules'
import { PreQcResult } from './schema'
import { waiveCheck } from './waivers'
import { claimResult, finishResult } from './work'

const line = (check_id: string, status: CheckStatus) => ({
  check_id,
  label: check_id,
  status,
  severity: 'advisory' as const,
  confidence: 1,
  details: 'Measured.',
})

async function scene() {
  const user = await makeUser({ role: 'coordinator' })
  const project = await makeProject({ members: [user] })
  const batch = await makeBatch({ projectId: project.id })
  return { user, batch }
}

describe('a resupplied file against the one it replaces', () => {
  it('says what is fixed, what still fails, and what broke', async () => {
    const { user, batch } = await scene()
    const first = await makeFile(batch, { name: 'a.png', version: 1, isCurrent: false, decision: 'rejected' })
    const before = await makeResult(first, {
      summary: 'fail',
      checks: [
        line('fixed_check', 'fail'),
        line('same_check', 'fail'),
        line('lighter_check', 'fail'),
        line('waived_check', 'warning'),
        line('good_check', 'pass'),
        line('broken_check', 'pass'),
      ],
    })
    await waiveCheck.execute(as(user), { result_id: before.id, check_id: 'waived_check' }, { reason: 'Agreed once' })
    const second = await makeFile(batch, { name: 'a.png', version: 2, supersedesId: first.id })
    const after = await makeResult(second, {
      summary: 'fail',
      checks: [
        line('fixed_check', 'pass'),
        line('same_check', 'fail'),
        line('lighter_check', 'warning'),
        line('waived_check', 'warning'),
        line('good_check', 'pass'),
        line('broken_check', 'fail'),
        line('added_check', 'warning'),
      ],
    })
    const delta = {
      result_id: before.id,
      file_version: 1,
      fixed: [{ check_id: 'fixed_check', label: 'fixed_check', before: 'fail', after: 'pass' }],
      still_failing: [
        { check_id: 'same_check', label: 'same_check', before: 'fail', after: 'fail' },
        { check_id: 'lighter_check', label: 'lighter_check', before: 'fail', after: 'warning' },
        { check_id: 'waived_check', label: 'waived_check', before: 'waived', after: 'warning' },
      ],
      newly_broken: [
        { check_id: 'broken_check', label: 'broken_check', before: 'pass', after: 'fail' },
        { check_id: 'added_check', label: 'added_check', before: null, after: 'warning' },
      ],
    }
    const shown = PreQcResult.parse(await getResult.execute(as(user), { result_id: after.id }))
    expect(shown.delta).toEqual(delta)
    const { results } = await listResults.execute(as(user), {}, { batchId: batch.id })
    expect(results.find(({ id }) => id === after.id)?.delta).toEqual(delta)
    expect(results.find(({ id }) => id === before.id)?.delta).toBeNull()
  })

  it('waits until both are checked', async () => {
    const { user, batch } = await scene()
    const first = await makeFile(batch, { name: 'b.png', version: 1, isCurrent: false })
    const second = await makeFile(batch, { name: 'b.png', version: 2, supersedesId: first.id })
    const running = await makeResult(second, { status: 'running', summary: null, completedAt: null })
    await makeResult(first, { status: 'failed', summary: null, failure: 'No decoder' })
    const shown = await getResult.execute(as(user), { result_id: running.id })
    expect(shown.delta).toBeNull()
  })

  it('calls fixed only what was inspected again and passes', () => {
    const before = [line('a_check', 'fail'), line('b_check', 'fail'), line('c_check', 'error'), line('d_check', 'fail')]
    const after = [line('a_check', 'skipped'), line('b_check', 'error'), line('c_check', 'pass')]
    expect(compareChecks(before, after)).toEqual({
      fixed: [{ check_id: 'c_check', label: 'c_check', before: 'error', after: 'pass' }],
      still_failing: [{ check_id: 'b_check', label: 'b_check', before: 'fail', after: 'error' }],
      newly_broken: [],
    })
  })
})

describe('the report of a batch', () => {
  it('holds every current file by name, its result, and the sum', async () => {
    const { user, batch } = await scene()
    const failing = await makeFile(batch, { name: 'b.png' })
    const checks = [line('one_check', 'fail'), line('two_check', 'warning')]
    const result = await makeResult(failing, { summary: 'fail', checks })
    await waiveCheck.execute(as(user), { result_id: result.id, check_id: 'two_check' }, { reason: 'Agreed' })
    const unchecked = await makeFile(batch, { name: 'A.png' })
    await makeFile(batch, { name: 'c.png', isCurrent: false })
    const path = { project_id: batch.projectId, batch_id: batch.id }
    const report = BatchReport.parse(await getBatchReport.execute(as(user), path))
    expect(report.files.map(({ id }) => id)).toEqual([unchecked.id, failing.id])
    expect(report.files.map(({ result }) => result?.summary ?? null)).toEqual([null, 'fail'])
    expect(report.counts).toEqual({ pass: 0, warning: 0, fail: 1, not_applicable: 0, not_checked: 1, waivers: 1 })
    await expectRefusal(getBatchReport.execute(as(await makeUser()), path), 'not_found')
  })
})

describe('an announced rule that has begun to hold', () => {
  it('has the files evaluated again at the next submit, once', async () => {
    const user = await makeUser({ role: 'coordinator' })
    const checks = { dimension_check: { fails_from: '2026-12-01' } }
    const category = await makeMediaCategory({ preQc: { enabled: true, checks } })
    const [profile] = await database()
      .db.select()
      .from(preQcProfiles)
      .where(eq(preQcProfiles.mediaCategoryId, category.id))
    const project = await makeProject({ members: [user] })
    const batch = await makeBatch({ projectId: project.id, mediaCategoryId: category.id, operatorId: user.id })
    const file = await makeFile(batch)
    const evaluated = (day: string, attempt: number) =>
      makeResult(file, { profileId: profile?.id, completedAt: new Date(`${day}T12:00:00Z`), attempt })
    const submitOn = (day: string) =>
      submitBatch.execute(as(user, { now: new Date(`${day}T08:00:00Z`) }), {
        project_id: project.id,
        batch_id: batch.id,
      })
    const queued = () =>
      database().db.$count(preQcResults, and(eq(preQcResults.fileId, file.id), eq(preQcResults.status, 'queued')))
    const first = await evaluated('2026-11-20', 1)
    await submitOn('2026-11-30')
    expect(await queued()).toBe(0)
    await submitOn('2026-12-01')
    expect(await queued()).toBe(1)
    await database().db.delete(preQcResults).where(ne(preQcResults.id, first.id))
    await evaluated('2026-12-01', 2)
    await submitOn('2026-12-20')
    expect(await queued()).toBe(0)
  })
})

describe('a result', () => {
  it('holds what a hostile file wrote into a finding so that queries can read it', async () => {
    const { batch } = await scene()
    const file = await makeFile(batch)
    const queued = await makeResult(file, { status: 'queued', summary: null, completedAt: null })
    const context = as('system')
    const taken = await claimResult(context, queued.id)
    if (!taken) throw new Error('A queued result could not be taken.')
    const checks = [{ ...line('font_check', 'fail'), details: 'The font “\u0000 \ud800 𝒜” is missing.' }]
    const outcome = {
      status: 'completed' as const,
      summary: 'fail' as const,
      checks,
      engineVersion: '1',
      measurements: {},
    }
    expect(await finishResult(context, taken, outcome)).toBe(true)
    const [read] =
      await testSql`select checks -> 0 ->> 'details' as details from pre_qc_results where id = ${queued.id}`
    expect(read?.details).toBe('The font “\ufffd \ufffd 𝒜” is missing.')
  })
})

describe('a file that is checked again', () => {
  const again = async (resultId: string, userRow: Parameters<typeof as>[0], checks: ReturnType<typeof line>[]) => {
    const queued = await rerunResult.execute(as(userRow), { result_id: resultId })
    const taken = await claimResult(as('system'), queued.id)
    if (!taken) throw new Error('The result could not be taken.')
    const outcome = { status: 'completed', summary: 'warning', checks, engineVersion: '1', measurements: {} } as const
    expect(await finishResult(as('system'), taken, outcome)).toBe(true)
    return getResult.execute(as(userRow), { result_id: queued.id })
  }

  it('keeps what was waived where the same is found, and asks anew where anything else is', async () => {
    const { user, batch } = await scene()
    const file = await makeFile(batch)
    const checks = [line('same_check', 'warning'), line('other_check', 'warning')]
    const first = await makeResult(file, { summary: 'warning', checks })
    for (const { check_id } of checks)
      await waiveCheck.execute(as(user), { result_id: first.id, check_id }, { reason: 'Agreed with the client' })
    const second = await again(first.id, user, [
      line('same_check', 'warning'),
      { ...line('other_check', 'warning'), details: 'Measured more.' },
    ])
    expect(second.checks.map(({ status }) => status)).toEqual(['waived', 'warning'])
    expect(second.checks[0]?.waiver).toMatchObject({ reason: 'Agreed with the client', by: { id: user.id } })
    expect(second.summary).toBe('warning')

    const third = await again(second.id, user, [line('same_check', 'warning'), line('other_check', 'pass')])
    expect(third.checks.map(({ status }) => status)).toEqual(['waived', 'pass'])
    expect(third.summary).toBe('pass')
    const fourth = await again(third.id, user, [{ ...line('same_check', 'fail'), severity: 'blocking' as never }])
    expect(fourth.checks[0]?.status).toBe('fail')
  })
})

describe('many files that are checked again', () => {
  async function mixed() {
    const { user, batch } = await scene()
    const files = {
      failed: await makeFile(batch),
      stopped: await makeFile(batch),
      good: await makeFile(batch),
      running: await makeFile(batch),
      unchecked: await makeFile(batch),
    }
    await makeResult(files.failed, { status: 'failed', summary: null, failure: 'busy' })
    await makeResult(files.stopped, { summary: 'warning', checks: [line('sharp_check', 'error')] })
    await makeResult(files.good, { checks: [line('sharp_check', 'pass')] })
    await makeResult(files.running, { status: 'running', summary: null, completedAt: null })
    return { user, files, path: { project_id: batch.projectId, batch_id: batch.id } }
  }

  it('are, unless named, those that could not be checked', async () => {
    const { user, files, path } = await mixed()
    const { results, left } = await rerunBatch.execute(as(user), path, {})
    expect(results.map(({ file_id }) => file_id).sort()).toEqual([files.failed.id, files.stopped.id].sort())
    expect(results.every(({ status, attempt }) => status === 'queued' && attempt === 2)).toBe(true)
    expect(left).toEqual([])
    const jobs = await testSql`select key from graphile_worker._private_jobs
      where key in ${testSql(results.map(({ id }) => `check_file:${id}`))}`
    expect(jobs).toHaveLength(2)
    // Twice is once.
    expect((await rerunBatch.execute(as(user), path, {})).results).toEqual([])
  })

  it('are those named, and each that is left says why', async () => {
    const { user, files, path } = await mixed()
    const file_ids = [files.good.id, files.running.id, files.unchecked.id]
    const { results, left } = await rerunBatch.execute(as(user), path, { file_ids })
    expect(results.map(({ file_id }) => file_id)).toEqual([files.good.id])
    expect(Object.fromEntries(left.map(({ file, reason }) => [file.id, reason]))).toEqual({
      [files.running.id]: 'Its checks are running already.',
      [files.unchecked.id]: 'It has not been checked yet: its checks run when the batch is submitted.',
    })
  })

  it('are all of this batch, or refused together', async () => {
    const { user, path } = await mixed()
    const elsewhere = await makeFile(await makeBatch())
    await expectRefusal(rerunBatch.execute(as(user), path, { file_ids: [elsewhere.id] }), 'not_found')
    const viewer = await makeUser({ role: 'viewer' })
    await expectRefusal(rerunBatch.execute(as(viewer), path, {}), 'not_found')
  })
})
