import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { database } from '@/db/client'
import { preQcResults, preQcScopedWaivers, preQcWaivers } from '@/db/schema/pre-qc'
import { projects } from '@/db/schema/projects'
import { testSql } from '@/db/testing'
import { makeBatch, makeFile, makeProject, makeResult, makeUser } from '@/fixtures/factories'
import { updateServiceSettings } from '../settings/commands'
import { as, eventsAbout, expectRefusal } from '../testing'
import { getResult } from './queries'
import { applyScopedWaiver, confirmScopedWaiver, listScopedWaivers, withdrawScopedWaiver } from './scoped-waivers'
import { checkAgain, findings, finishChecks, inDays } from './testing'
import { expireWaivers, listWaivers, waiveCheck, withdrawWaiver } from './waivers'

type Batch = Awaited<ReturnType<typeof makeBatch>>

/** Two batches of a project, the first with three checked files, the second with one. */
async function scene() {
  const coordinator = await makeUser({ role: 'coordinator' })
  const second = await makeUser({ role: 'coordinator' })
  const operator = await makeUser({ role: 'operator' })
  const project = await makeProject({ members: [coordinator, second, operator] })
  const [one, two] = [await makeBatch({ projectId: project.id }), await makeBatch({ projectId: project.id })]
  const checked = async (batch: Batch) => {
    const file = await makeFile(batch)
    return { file, result: await makeResult(file, { summary: 'fail', checks: findings() }) }
  }
  const [a, b, c] = [await checked(one), await checked(one), await checked(one)]
  const d = await checked(two)
  const waive = (scope: string, input: object = {}, who = coordinator, check_id = 'hard_check') =>
    waiveCheck.execute(as(who), { result_id: a.result.id, check_id }, { reason: 'Agreed', scope, ...input })
  const list = async (who = coordinator) =>
    (await listScopedWaivers.execute(as(who), { project_id: project.id }, {})).waivers
  /** What the queue does with each waiver of the project. */
  const work = async () => {
    const rows = await database()
      .db.select()
      .from(preQcScopedWaivers)
      .where(eq(preQcScopedWaivers.projectId, project.id))
    for (const { id } of rows) await applyScopedWaiver(as('system'), { waiver_id: id })
  }
  const jobs = async () => {
    const rows = await testSql`
      select j.payload ->> 'waiver_id' as id from graphile_worker._private_jobs j
      where j.payload ->> 'waiver_id' in (select id::text from pre_qc_scoped_waivers where project_id = ${project.id})`
    return rows.length
  }
  const summaries = async () => {
    const all = [a, b, c, d].map(({ result }) =>
      database().db.select({ summary: preQcResults.summary }).from(preQcResults).where(eq(preQcResults.id, result.id)),
    )
    return (await Promise.all(all)).map(([row]) => row?.summary)
  }
  const withdraw = async (who = coordinator) => {
    const [waiver] = await list()
    return withdrawScopedWaiver.execute(as(who), { project_id: project.id, waiver_id: waiver?.id ?? '' })
  }
  return { coordinator, second, operator, project, one, two, a, b, c, d, waive, list, work, jobs, summaries, withdraw }
}

/** A file that arrives and is checked, and what became of it. */
async function arrives(user: Parameters<typeof as>[0], batch: Batch, now = new Date()) {
  const file = await makeFile(batch)
  const { id } = await makeResult(file, { status: 'queued', summary: null, completedAt: null, checks: [] })
  return finishChecks(user, id, now)
}

describe('a waiver of a batch', () => {
  it('covers the file at once, the others of the batch a moment later, and no other batch', async () => {
    const { waive, work, jobs, summaries, list, coordinator, one, a, b } = await scene()
    const shown = await waive('batch', { reason_code: 'intended' })
    expect(shown.summary).toBe('warning')
    expect(shown.checks[1]?.waiver).toMatchObject({ scope: 'batch', reason: 'Agreed', by: { id: coordinator.id } })
    expect(await summaries()).toEqual(['warning', 'fail', 'fail', 'fail'])
    expect(await jobs()).toBe(1)
    await work()
    expect(await summaries()).toEqual(['warning', 'warning', 'warning', 'fail'])
    expect(await list()).toMatchObject([
      { check_id: 'hard_check', label: 'Label of hard_check', batch: { id: one.id }, state: 'holds', files: 3 },
    ])
    const other = await getResult.execute(as(coordinator), { result_id: b.result.id })
    expect(other.checks[1]).toMatchObject({ status: 'waived', waiver: { scope: 'batch', reason_code: 'intended' } })
    const { waivers } = await listWaivers.execute(as(coordinator), { project_id: one.projectId }, {})
    expect(waivers.map(({ scope }) => scope)).toEqual(['batch', 'batch', 'batch'])
    expect((await eventsAbout((await list())[0]?.id ?? '')).map(({ type, data }) => [type, data])).toEqual([
      ['pre_qc.check_waived', expect.objectContaining({ scope: 'batch', check_id: 'hard_check', reason: 'Agreed' })],
    ])
    expect(await eventsAbout(a.result.id)).toEqual([])
  })

  it('covers files that are checked later, and no other finding of them', async () => {
    const { waive, coordinator, one, two } = await scene()
    await waive('batch')
    const later = await arrives(coordinator, one)
    expect([later.summary, later.checks.map(({ status }) => status)]).toEqual(['warning', ['warning', 'waived']])
    expect((await arrives(coordinator, two)).summary).toBe('fail')
  })

  it('of a large batch reaches every file', async () => {
    const { waive, work, list, one } = await scene()
    await Promise.all(
      Array.from({ length: 230 }, async () => makeResult(await makeFile(one), { summary: 'fail', checks: findings() })),
    )
    await waive('batch')
    await work()
    expect((await list())[0]?.files).toBe(233)
  })

  it('is kept when a file is checked again, and by an older attempt once it is withdrawn', async () => {
    const { waive, work, withdraw, coordinator, a } = await scene()
    await waive('batch')
    expect((await checkAgain(coordinator, a.result)).summary).toBe('warning')
    await withdraw()
    await work()
    // What an older attempt says is history.
    expect((await getResult.execute(as(coordinator), { result_id: a.result.id })).summary).toBe('warning')
  })

  it('is made once', async () => {
    const { waive } = await scene()
    await waive('batch')
    await expectRefusal(waive('batch', {}, undefined, 'hard_check'), 'invalid_state')
  })

  it('leaves a finding to the waiver it has of its own, and takes its place', async () => {
    const { waive, work, coordinator, b } = await scene()
    const params = { result_id: b.result.id, check_id: 'hard_check' }
    await waiveCheck.execute(as(coordinator), params, { reason: 'For this one' })
    await waive('batch')
    await work()
    const { checks } = await getResult.execute(as(coordinator), { result_id: b.result.id })
    expect(checks[1]?.waiver).toMatchObject({ scope: 'file', reason: 'For this one' })
    const after = await withdrawWaiver.execute(as(coordinator), params)
    expect(after.summary).toBe('warning')
    expect(after.checks[1]).toMatchObject({ status: 'waived', waiver: { scope: 'batch', reason: 'Agreed' } })
  })

  it('is not withdrawn for one file, but for all of them', async () => {
    const { waive, work, withdraw, summaries, list, coordinator, a, project, one } = await scene()
    await waive('batch')
    await work()
    await expectRefusal(
      withdrawWaiver.execute(as(coordinator), { result_id: a.result.id, check_id: 'hard_check' }),
      'invalid_state',
    )
    expect(await withdraw()).toMatchObject({ files: 3 })
    expect(await list()).toEqual([])
    expect((await arrives(coordinator, one)).summary).toBe('fail')
    await work()
    expect(await summaries()).toEqual(['fail', 'fail', 'fail', 'fail'])
    const rows = await database()
      .db.select()
      .from(preQcScopedWaivers)
      .where(eq(preQcScopedWaivers.projectId, project.id))
    expect(rows).toEqual([])
    // It may be waived again.
    expect((await waive('batch')).summary).toBe('warning')
  })

  it('ends when its time is over', async () => {
    const { waive, work, summaries, list, coordinator, one } = await scene()
    await waive('batch', { expires_at: inDays(2).toISOString() })
    await work()
    const later = { ...as('system'), now: inDays(3) }
    expect((await arrives(coordinator, one, inDays(3))).summary).toBe('fail')
    expect(await expireWaivers(later)).toBe(3)
    expect(await summaries()).toEqual(['fail', 'fail', 'fail', 'fail'])
    expect(await list()).toEqual([])
  })

  it('is made anew once its time is over, before the next sweep as well', async () => {
    const { waive, work, summaries, list, coordinator, a } = await scene()
    await waive('batch', { expires_at: inDays(2).toISOString() })
    await work()
    const later = { ...as(coordinator), now: inDays(3) }
    const params = { result_id: a.result.id, check_id: 'hard_check' }
    await waiveCheck.execute(later, params, { reason: 'Agreed once more', scope: 'batch' })
    expect(await expireWaivers({ ...as('system'), now: inDays(3) })).toBe(3)
    expect(await summaries()).toEqual(['warning', 'warning', 'warning', 'fail'])
    expect(await list()).toMatchObject([{ reason: 'Agreed once more', expires_at: null, files: 3 }])
  })
})

describe('a waiver of a project', () => {
  it('covers its batches, those that are made later as well', async () => {
    const { waive, work, summaries, list, coordinator, project } = await scene()
    await waive('project')
    await work()
    expect(await summaries()).toEqual(['warning', 'warning', 'warning', 'warning'])
    expect(await list()).toMatchObject([{ batch: null, files: 4 }])
    const batch = await makeBatch({ projectId: project.id })
    expect((await arrives(coordinator, batch)).checks[1]).toMatchObject({ waiver: { scope: 'project' } })
    const elsewhere = await makeBatch()
    const admin = await makeUser({ role: 'administrator' })
    expect((await arrives(admin, elsewhere)).summary).toBe('fail')
  })

  it('covers what one of a batch leaves, withdrawn or over', async () => {
    const { waive, work, list, summaries, coordinator, project, one } = await scene()
    await waive('batch', { expires_at: inDays(2).toISOString() })
    await work()
    await waive('project', { reason: 'For all' })
    await work()
    const scopes = async () =>
      (await listWaivers.execute(as(coordinator), { project_id: project.id }, {})).waivers
        .map(({ scope }) => scope)
        .sort()
    expect(await scopes()).toEqual(['batch', 'batch', 'batch', 'project'])
    const waiver_id = (await list()).find(({ batch }) => batch?.id === one.id)?.id ?? ''
    await withdrawScopedWaiver.execute(as(coordinator), { project_id: project.id, waiver_id })
    await work()
    expect(await scopes()).toEqual(['project', 'project', 'project', 'project'])
    expect(await summaries()).toEqual(['warning', 'warning', 'warning', 'warning'])
    expect(await list()).toMatchObject([{ reason: 'For all', files: 4 }])
  })

  it('takes the place of one for a file whose time is over', async () => {
    const { waive, work, coordinator, b, two, d } = await scene()
    const params = { result_id: b.result.id, check_id: 'hard_check' }
    await waiveCheck.execute(as(coordinator), params, { reason: 'For now', expires_at: inDays(2).toISOString() })
    await waiveCheck.execute(
      as(coordinator),
      { result_id: d.result.id, check_id: 'hard_check' },
      { reason: 'For now', expires_at: inDays(2).toISOString() },
    )
    await waive('batch')
    await work()
    await expireWaivers({ ...as('system'), now: inDays(3) })
    const { checks, summary } = await getResult.execute(as(coordinator), { result_id: b.result.id })
    expect([summary, checks[1]?.waiver?.scope]).toEqual(['warning', 'batch'])
    expect((await getResult.execute(as(coordinator), { result_id: d.result.id })).summary).toBe('fail')
    expect((await arrives(coordinator, two)).summary).toBe('fail')
  })

  it('is for coordinators, whatever the finding, and for who sees the project', async () => {
    const { waive, withdraw, operator, project } = await scene()
    await expectRefusal(waive('project', {}, operator, 'soft_check'), 'forbidden')
    await expectRefusal(waive('batch', {}, operator, 'soft_check'), 'forbidden')
    await waive('project', {}, undefined, 'soft_check')
    await expectRefusal(withdraw(operator), 'forbidden')
    const stranger = await makeUser({ role: 'operator' })
    await expectRefusal(listScopedWaivers.execute(as(stranger), { project_id: project.id }, {}), 'not_found')
    const other = await makeProject({ members: [operator] })
    const [waiver] = (await listScopedWaivers.execute(as(operator), { project_id: project.id }, {})).waivers
    const admin = await makeUser({ role: 'administrator' })
    const params = { project_id: other.id, waiver_id: waiver?.id ?? '' }
    await expectRefusal(withdrawScopedWaiver.execute(as(admin), params), 'not_found')
  })

  it('changes nothing in a closed project', async () => {
    const { waive, work, summaries, withdraw, project } = await scene()
    await waive('project')
    await database().db.update(projects).set({ status: 'completed' }).where(eq(projects.id, project.id))
    await work()
    expect(await summaries()).toEqual(['warning', 'fail', 'fail', 'fail'])
    await expectRefusal(withdraw(), 'project_closed')
    await expectRefusal(waive('batch'), 'project_closed')
  })

  it('reaches a file whose check ends meanwhile, whichever is first', async () => {
    const { waive, work, coordinator, one } = await scene()
    await waive('project')
    const [, ...results] = await Promise.all([work(), ...Array.from({ length: 5 }, () => arrives(coordinator, one))])
    for (const { id } of results as { id: string }[])
      expect((await getResult.execute(as(coordinator), { result_id: id })).summary).toBe('warning')
  })
})

describe('where a second person is wanted', () => {
  beforeAll(async () => {
    const admin = await makeUser({ role: 'administrator' })
    await updateServiceSettings.execute(as(admin), {}, { waivers_need_second: true })
  })
  afterAll(async () => {
    const admin = await makeUser({ role: 'administrator' })
    await updateServiceSettings.execute(as(admin), {}, { waivers_need_second: false })
  })

  it('it holds once another has confirmed it', async () => {
    const { waive, work, summaries, list, coordinator, second, project, one } = await scene()
    expect((await waive('project')).summary).toBe('fail')
    const [waiver] = await list(second)
    expect(waiver).toMatchObject({ state: 'proposed', may_confirm: true, confirmed_by: null })
    await work()
    expect((await arrives(coordinator, one)).summary).toBe('fail')
    const params = { project_id: project.id, waiver_id: waiver?.id ?? '' }
    await expectRefusal(confirmScopedWaiver.execute(as(coordinator), params), 'forbidden')
    const confirmed = await confirmScopedWaiver.execute(as(second), params)
    expect(confirmed).toMatchObject({ state: 'holds', may_confirm: false, confirmed_by: { id: second.id } })
    await work()
    expect(await summaries()).toEqual(['warning', 'warning', 'warning', 'warning'])
    expect((await eventsAbout(waiver?.id ?? '')).map(({ type }) => type)).toEqual([
      'pre_qc.waiver_proposed',
      'pre_qc.check_waived',
    ])
    await expectRefusal(confirmScopedWaiver.execute(as(second), params), 'invalid_state')
    const [stored] = await database()
      .db.select()
      .from(preQcWaivers)
      .where(eq(preQcWaivers.scopedWaiverId, params.waiver_id))
    expect(stored?.confirmedBy).toBe(second.id)
  })

  it('a proposal for one file is over once it is waived for all', async () => {
    const { waive, list, coordinator, second, project, a } = await scene()
    await waive('file')
    await waive('batch')
    const params = { project_id: project.id, waiver_id: (await list())[0]?.id ?? '' }
    await confirmScopedWaiver.execute(as(second), params)
    // Before the job comes to it, the file is checked again, and its proposal goes along.
    const { checks } = await checkAgain(coordinator, a.result)
    expect(checks[1]).toMatchObject({ status: 'waived', waiver: { scope: 'batch' } })
    const proposed = await listWaivers.execute(as(second), { project_id: project.id }, { state: 'proposed' })
    expect(proposed.waivers).toEqual([])
  })
})
