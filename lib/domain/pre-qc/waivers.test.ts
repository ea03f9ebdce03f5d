import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { database } from '@/db/client'
import { preQcResults, preQcWaivers } from '@/db/schema/pre-qc'
import { projects } from '@/db/schema/projects'
import { makeBatch, makeFile, makeProject, makeResult, makeUser } from '@/fixtures/factories'
import { updateServiceSettings } from '../settings/commands'
import { as, eventsAbout, expectRefusal } from '../testing'
import { rerunResult } from './commands'
import { getResult } from './queries'
import { checkAgain, checkLine, findings, inDays } from './testing'
import { confirmWaiver, expireWaivers, listWaivers, waiveCheck, withdrawWaiver } from './waivers'

/** A file with a finding that warns and one that fails. */
async function scene() {
  const coordinator = await makeUser({ role: 'coordinator' })
  const operator = await makeUser({ role: 'operator' })
  const second = await makeUser({ role: 'coordinator' })
  const project = await makeProject({ members: [coordinator, operator, second] })
  const batch = await makeBatch({ projectId: project.id })
  const file = await makeFile(batch)
  const result = await makeResult(file, { summary: 'fail', checks: findings() })
  const on = (check_id: string) => ({ result_id: result.id, check_id })
  const waive = (check_id: string, input: object = {}, who = coordinator) =>
    waiveCheck.execute(as(who), on(check_id), { reason: 'Agreed', ...input })
  const withdraw = (check_id: string, who = coordinator) => withdrawWaiver.execute(as(who), on(check_id))
  const list = (input: object = {}, who = coordinator) =>
    listWaivers.execute(as(who), { project_id: project.id }, input)
  const stored = async () => {
    const [row] = await database().db.select().from(preQcResults).where(eq(preQcResults.id, result.id))
    return row?.summary
  }
  return { coordinator, operator, second, project, batch, file, result, waive, withdraw, list, stored }
}

describe('a waiver', () => {
  it('has a kind of reason and a time at which it ends', async () => {
    const { waive, coordinator, result } = await scene()
    const expires_at = inDays(3).toISOString()
    const { checks } = await waive('soft_check', { reason_code: 'intended', expires_at })
    expect(checks[0]).toMatchObject({
      status: 'waived',
      waiver: { reason_code: 'intended', reason: 'Agreed', by: { id: coordinator.id }, expires_at },
    })
    expect((await eventsAbout(result.id)).map(({ type, data }) => [type, data])).toEqual([
      ['pre_qc.check_waived', expect.objectContaining({ reason_code: 'intended', expires_at, before: 'warning' })],
    ])
  })

  it('is of no kind and has no end unless it is said', async () => {
    const { waive } = await scene()
    const { checks } = await waive('soft_check')
    expect(checks[0]?.waiver).toMatchObject({ reason_code: 'other', expires_at: null })
  })

  it('ends in the future, for a reason there is', async () => {
    const { waive } = await scene()
    await expectRefusal(waive('soft_check', { expires_at: inDays(-1).toISOString() }), 'validation_failed', [
      'expires_at',
    ])
    await expectRefusal(waive('soft_check', { expires_at: 'tomorrow' }), 'validation_failed', ['expires_at'])
    await expectRefusal(waive('soft_check', { reason_code: 'mood' }), 'validation_failed', ['reason_code'])
    await expectRefusal(waive('soft_check', { reason: ' ' }), 'validation_failed', ['reason'])
  })
})

describe('withdrawing a waiver', () => {
  it('lets the finding count again, and says who did it', async () => {
    const { waive, withdraw, coordinator, result, stored } = await scene()
    await waive('soft_check')
    expect((await waive('hard_check')).summary).toBe('pass')
    const after = await withdraw('hard_check')
    expect([after.summary, await stored()]).toEqual(['fail', 'fail'])
    expect(after.checks.map(({ status }) => status)).toEqual(['waived', 'fail'])
    const event = (await eventsAbout(result.id)).at(-1)
    expect(event).toMatchObject({
      type: 'pre_qc.waiver_withdrawn',
      actorId: coordinator.id,
      data: { check_id: 'hard_check', reason: 'Agreed' },
    })
    expect((await waive('hard_check')).summary).toBe('pass')
  })

  it('needs a waiver, and the right to have made it', async () => {
    const { waive, withdraw, operator } = await scene()
    await expectRefusal(withdraw('soft_check'), 'invalid_state')
    await expectRefusal(withdraw('no_check'), 'not_found')
    await waive('hard_check')
    await waive('soft_check')
    await expectRefusal(withdraw('hard_check', operator), 'forbidden')
    expect((await withdraw('soft_check', operator)).checks[0]?.status).toBe('warning')
    await expectRefusal(withdraw('hard_check', await makeUser({ role: 'coordinator' })), 'not_found')
  })

  it('is refused on an older attempt, which stays as it was', async () => {
    const { waive, withdraw, result, coordinator } = await scene()
    await waive('soft_check')
    await rerunResult.execute(as(coordinator), { result_id: result.id })
    await expectRefusal(withdraw('soft_check'), 'invalid_state')
  })

  it('is refused in a closed project', async () => {
    const { waive, withdraw, project } = await scene()
    await waive('soft_check')
    await database().db.update(projects).set({ status: 'completed' }).where(eq(projects.id, project.id))
    await expectRefusal(withdraw('soft_check'), 'project_closed')
  })

  it('happens once, of two at once', async () => {
    const { waive, withdraw } = await scene()
    await waive('soft_check')
    const both = await Promise.allSettled([withdraw('soft_check'), withdraw('soft_check')])
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  })
})

describe('a waiver that needs a second person', () => {
  const need = async (waivers_need_second: boolean) =>
    updateServiceSettings.execute(as(await makeUser({ role: 'administrator' })), {}, { waivers_need_second })
  beforeAll(() => need(true))
  afterAll(() => need(false))

  async function proposed(input: object = {}) {
    const it = await scene()
    const confirm = (who = it.second) =>
      confirmWaiver.execute(as(who), { result_id: it.result.id, check_id: 'hard_check' })
    const after = await it.waive('hard_check', { reason_code: 'agreed', ...input })
    return { ...it, confirm, after }
  }

  it('is proposed by one and confirmed by another; until then the finding counts', async () => {
    const { after, confirm, coordinator, second, result, stored } = await proposed()
    expect(after.summary).toBe('fail')
    expect(after.checks[1]).toMatchObject({
      status: 'fail',
      waiver_proposal: { reason: 'Agreed', reason_code: 'agreed', by: { id: coordinator.id }, may_confirm: false },
    })
    const seen = await getResult.execute(as(second), { result_id: result.id })
    expect(seen.checks[1]?.waiver_proposal?.may_confirm).toBe(true)
    const confirmed = await confirm()
    expect(confirmed.checks[1]).toMatchObject({
      status: 'waived',
      waiver: { reason: 'Agreed', by: { id: coordinator.id }, confirmed_by: { id: second.id } },
    })
    expect([confirmed.summary, await stored()]).toEqual(['warning', 'warning'])
    expect((await eventsAbout(result.id)).map(({ type, actorId }) => [type, actorId])).toEqual([
      ['pre_qc.waiver_proposed', coordinator.id],
      ['pre_qc.check_waived', second.id],
    ])
  })

  it('is never confirmed by who proposed it, nor by who may not waive it', async () => {
    const { confirm, coordinator, operator } = await proposed()
    await expectRefusal(confirm(coordinator), 'forbidden')
    await expectRefusal(confirm(operator), 'forbidden')
    await expectRefusal(confirm(await makeUser({ role: 'coordinator' })), 'not_found')
  })

  it('is proposed once, confirmed once, and can be withdrawn before', async () => {
    const { waive, confirm, withdraw } = await proposed()
    await expectRefusal(waive('hard_check'), 'invalid_state')
    const both = await Promise.allSettled([confirm(), confirm()])
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    await withdraw('hard_check')
    await waive('hard_check')
    const back = await withdraw('hard_check')
    expect(back.checks[1]?.waiver_proposal).toBeUndefined()
    await expectRefusal(confirm(), 'invalid_state')
  })

  it('goes on to the next attempt, and is gone once its time is over', async () => {
    const { after, coordinator, list } = await proposed({ expires_at: inDays(3).toISOString() })
    const next = await checkAgain(coordinator, after)
    expect(next.checks[1]).toMatchObject({ status: 'fail', waiver_proposal: { reason: 'Agreed' } })
    expect((await list({ state: 'proposed' })).waivers).toMatchObject([{ result_id: next.id }])
    await expireWaivers({ ...as('system'), now: inDays(4) })
    expect((await list({ state: 'proposed' })).waivers).toEqual([])
  })

  it('concerns blocking findings only', async () => {
    const { waive } = await scene()
    expect((await waive('soft_check')).checks[0]?.status).toBe('waived')
  })

  it('is listed apart from what is waived', async () => {
    const { list, second } = await proposed()
    expect((await list()).waivers).toEqual([])
    expect((await list({ state: 'proposed' })).waivers).toMatchObject([
      { check_id: 'hard_check', may_confirm: false, confirmed_by: null },
    ])
    expect((await list({ state: 'proposed' }, second)).waivers).toMatchObject([{ may_confirm: true }])
  })

  it('cannot be confirmed once its last day is over', async () => {
    const { result, second } = await proposed({ expires_at: inDays(3).toISOString() })
    const later = { ...as(second), now: inDays(4) }
    const about = { result_id: result.id, check_id: 'hard_check' }
    await expectRefusal(confirmWaiver.execute(later, about), 'invalid_state')
  })
})

describe('a waiver whose time is over', () => {
  const later = (days: number) => ({ ...as('system'), now: inDays(days) })

  it('is taken away by the sweep, and the finding counts again', async () => {
    const { waive, result, stored, coordinator } = await scene()
    await waive('hard_check', { expires_at: inDays(3).toISOString() })
    await waive('soft_check')
    await expireWaivers(later(2))
    expect(await stored()).toBe('pass')
    await expireWaivers(later(4))
    expect(await stored()).toBe('fail')
    const { checks } = await getResult.execute(as(coordinator), { result_id: result.id })
    expect(checks.map(({ status }) => status)).toEqual(['waived', 'fail'])
    expect((await eventsAbout(result.id)).at(-1)).toMatchObject({
      type: 'pre_qc.waiver_expired',
      data: { check_id: 'hard_check', reason: 'Agreed' },
    })
  })

  it('gives way to a new one before the next sweep', async () => {
    const { waive, result, stored, coordinator } = await scene()
    await waive('hard_check', { expires_at: inDays(3).toISOString() })
    const params = { result_id: result.id, check_id: 'hard_check' }
    await expectRefusal(waiveCheck.execute(as(coordinator), params, { reason: 'Again' }), 'invalid_state')
    await waiveCheck.execute({ ...as(coordinator), now: inDays(4) }, params, { reason: 'Again' })
    expect((await eventsAbout(result.id)).slice(-2).map(({ type }) => type)).toEqual([
      'pre_qc.waiver_expired',
      'pre_qc.check_waived',
    ])
    await expireWaivers(later(4))
    expect(await stored()).toBe('warning')
  })

  it('is not carried to the next attempt, and stays readable on the attempt it was made for', async () => {
    const { waive, coordinator, result, stored } = await scene()
    await waive('hard_check', { expires_at: inDays(3).toISOString() })
    await waive('soft_check')
    const next = await checkAgain(coordinator, result, inDays(4))
    expect([next.summary, next.checks.map(({ status }) => status)]).toEqual(['fail', ['waived', 'fail']])
    await expireWaivers(later(5))
    expect(await stored()).toBe('pass')
  })

  it('stays in a closed project, where nothing changes', async () => {
    const { waive, stored, project, result } = await scene()
    await waive('hard_check', { expires_at: inDays(3).toISOString() })
    await database().db.update(projects).set({ status: 'archived' }).where(eq(projects.id, project.id))
    await expireWaivers(later(4))
    expect(await stored()).toBe('warning')
    const left = await database().db.select().from(preQcWaivers).where(eq(preQcWaivers.resultId, result.id))
    expect(left).toHaveLength(1)
  })
})

describe('what is waived now in a project', () => {
  it('names the finding, its file and batch, who waived it, why and until when', async () => {
    const { waive, list, file, batch, result, coordinator } = await scene()
    const expires_at = inDays(3).toISOString()
    await waive('soft_check')
    await waive('hard_check', { reason_code: 'agreed', expires_at })
    const { waivers } = await list()
    expect(waivers.map(({ check_id }) => check_id)).toEqual(['hard_check', 'soft_check'])
    expect(waivers[0]).toEqual({
      result_id: result.id,
      check_id: 'hard_check',
      label: 'Label of hard_check',
      details: 'Measured.',
      severity: 'blocking',
      file: { id: file.id, name: file.name },
      batch: { id: batch.id, name: batch.name },
      reason_code: 'agreed',
      reason: 'Agreed',
      by: { id: coordinator.id, name: coordinator.name },
      at: expect.any(String),
      expires_at,
      scope: 'file',
      confirmed_by: null,
      may_confirm: false,
    })
  })

  it('leaves out what was withdrawn, replaced versions, and other batches where one is named', async () => {
    const { waive, withdraw, list, batch, coordinator } = await scene()
    await waive('soft_check')
    await waive('hard_check')
    await withdraw('hard_check')
    const old = await makeFile(batch, { name: 'old.png', isCurrent: false })
    const replaced = await makeResult(old, { summary: 'warning', checks: [checkLine('soft_check', 'warning')] })
    await waiveCheck.execute(as(coordinator), { result_id: replaced.id, check_id: 'soft_check' }, { reason: 'Once' })
    expect((await list()).waivers.map(({ check_id }) => check_id)).toEqual(['soft_check'])
    expect((await list({ batch_id: batch.id })).waivers).toHaveLength(1)
    const other = await makeBatch({ projectId: batch.projectId })
    expect((await list({ batch_id: other.id })).waivers).toEqual([])
  })

  it('comes page by page', async () => {
    const { waive, list } = await scene()
    await waive('soft_check')
    await waive('hard_check')
    const first = await list({ limit: 1 })
    const second = await list({ limit: 1, cursor: first.next_cursor })
    expect([first, second].map(({ waivers }) => waivers[0]?.check_id)).toEqual(['hard_check', 'soft_check'])
    expect(second.next_cursor).toBeNull()
    await expectRefusal(list({ cursor: 'x' }), 'invalid_query')
  })

  it('is for those who see the project', async () => {
    const { list } = await scene()
    await expectRefusal(list({}, await makeUser()), 'not_found')
  })
})
