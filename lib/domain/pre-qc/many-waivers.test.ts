import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { afterAll, describe, expect, it } from 'vitest'
import { files } from '@/db/schema/files'
import { batchCounts, projects } from '@/db/schema/projects'
import { testDb } from '@/db/testing'
import { makeBatch, makeFile, makeProject, makeResult, makeUser } from '@/fixtures/factories'
import { updateServiceSettings } from '../settings/commands'
import { as, eventsAbout, expectRefusal } from '../testing'
import { previewWaivers, waiveChecks } from './many-waivers'
import { checkLine } from './testing'
import { confirmWaiver } from './waivers'

/** Files by what their checks found: a soft finding, a soft and a hard one, none, never checked. */
async function scene() {
  const coordinator = await makeUser({ role: 'coordinator' })
  const operator = await makeUser({ role: 'operator' })
  const second = await makeUser({ role: 'coordinator' })
  const project = await makeProject({ members: [coordinator, operator, second] })
  const batch = await makeBatch({ projectId: project.id, status: 'in_review' })
  const checked = async (name: string, ...checks: ReturnType<typeof checkLine>[]) => {
    const file = await makeFile(batch, { name })
    const fails = checks.some(({ status }) => status === 'fail')
    const warns = checks.some(({ status }) => status === 'warning')
    const result = await makeResult(file, { summary: fails ? 'fail' : warns ? 'warning' : 'pass', checks })
    return { ...file, result }
  }
  const soft = await checked(
    'soft.png',
    checkLine('soft_check', 'warning'),
    checkLine('hard_check', 'pass', 'blocking'),
  )
  const both = await checked(
    'both.png',
    checkLine('soft_check', 'warning'),
    checkLine('hard_check', 'fail', 'blocking'),
  )
  const none = await checked('none.png', checkLine('soft_check', 'pass'))
  const unchecked = await makeFile(batch, { name: 'unchecked.png' })
  const place = { project_id: project.id, batch_id: batch.id }
  const all = [soft, both, none, unchecked].map(({ id }) => id)
  const waive = (check_id: string, input: object = {}, who = coordinator) =>
    waiveChecks.execute(as(who), place, { check_id, file_ids: all, reason: 'Agreed', ...input })
  const counts = async () => {
    const [row] = await testDb.select().from(batchCounts).where(eq(batchCounts.batchId, batch.id))
    return [row?.pass, row?.warning, row?.fail]
  }
  return { coordinator, operator, second, batch, soft, both, none, unchecked, place, all, waive, counts }
}

const reasons = ({ left }: { left: { file: { name: string }; reason: string }[] }) =>
  Object.fromEntries(left.map(({ file, reason }) => [file.name, reason]))

describe('waiving one finding of many files', () => {
  it('waives it where it is, and says of each other file why not', async () => {
    const { waive, soft, both, coordinator, counts } = await scene()
    expect(await counts()).toEqual([1, 1, 1])
    const outcome = await waive('soft_check', { reason_code: 'intended' })
    expect(outcome.waived).toEqual([soft, both].map(({ id, name }) => ({ id, name })))
    expect(outcome.proposed).toEqual([])
    expect(reasons(outcome)).toEqual({
      'none.png': '“Label of soft_check” is pass; there is nothing to waive.',
      'unchecked.png': 'It has not been checked yet.',
    })
    // What else fails, fails still.
    expect(await counts()).toEqual([2, 0, 1])
    expect(await eventsAbout(soft.result.id)).toMatchObject([
      {
        type: 'pre_qc.check_waived',
        actorId: coordinator.id,
        data: { check_id: 'soft_check', reason: 'Agreed', reason_code: 'intended', before: 'warning' },
      },
    ])
  })

  it('leaves what was waived before, and files without the check', async () => {
    const { waive, counts } = await scene()
    await waive('hard_check')
    expect(await counts()).toEqual([1, 2, 0])
    const outcome = await waive('hard_check')
    expect(outcome.waived).toEqual([])
    expect(reasons(outcome)).toEqual({
      'soft.png': '“Label of hard_check” is pass; there is nothing to waive.',
      'both.png': '“Label of hard_check” is waived already.',
      'none.png': 'It has no such finding.',
      'unchecked.png': 'It has not been checked yet.',
    })
  })

  it('lets an operator waive what is advisory only', async () => {
    const { waive, operator, both } = await scene()
    const outcome = await waive('hard_check', { file_ids: [both.id] }, operator)
    expect(outcome.left).toEqual([
      { file: { id: both.id, name: 'both.png' }, reason: expect.stringContaining('coordinator') },
    ])
    expect((await waive('soft_check', {}, operator)).waived).toHaveLength(2)
  })

  it('leaves versions that were replaced', async () => {
    const { waive, soft } = await scene()
    await testDb.update(files).set({ isCurrent: false }).where(eq(files.id, soft.id))
    expect(reasons(await waive('soft_check'))).toMatchObject({ 'soft.png': 'A newer version has replaced it.' })
  })

  it('is refused as a whole for a wrong end, an unknown file, a closed project and a viewer', async () => {
    const { waive, soft, batch } = await scene()
    const past = new Date(Date.now() - 1000).toISOString()
    await expectRefusal(waive('soft_check', { expires_at: past }), 'validation_failed', ['expires_at'])
    await expectRefusal(waive('soft_check', { reason: '' }), 'validation_failed', ['reason'])
    await expectRefusal(waive('soft_check', { file_ids: [soft.id, randomUUID()] }), 'not_found')
    const viewer = await makeUser()
    await expectRefusal(waive('soft_check', {}, viewer), 'not_found')
    await testDb.update(projects).set({ status: 'completed' }).where(eq(projects.id, batch.projectId))
    await expectRefusal(waive('soft_check'), 'project_closed')
  })

  it('is done once when two do it at once', async () => {
    const { waive, second } = await scene()
    const outcomes = await Promise.all([waive('soft_check'), waive('soft_check', {}, second)])
    expect(outcomes.map(({ waived }) => waived.length).sort()).toEqual([0, 2])
    expect(outcomes.map(({ left }) => left.length).sort()).toEqual([2, 4])
  })
})

describe('what of many files can be waived', () => {
  it('is each finding with its number of files, without what is waived', async () => {
    const { waive, place, all, operator, soft } = await scene()
    const preview = () => previewWaivers.execute(as(operator), place, { file_ids: all })
    expect((await preview()).findings).toEqual([
      { check_id: 'soft_check', label: 'Label of soft_check', severity: 'advisory', files: 2 },
      { check_id: 'hard_check', label: 'Label of hard_check', severity: 'blocking', files: 1 },
    ])
    await waive('soft_check', { file_ids: [soft.id] })
    expect((await preview()).findings.map(({ files }) => files)).toEqual([1, 1])
  })
})

describe('where a second person is needed', () => {
  afterAll(async () => {
    await updateServiceSettings.execute(
      as(await makeUser({ role: 'administrator' })),
      {},
      { waivers_need_second: false },
    )
  })

  it('proposes what blocks, and another coordinator confirms it', async () => {
    const administrator = await makeUser({ role: 'administrator' })
    await updateServiceSettings.execute(as(administrator), {}, { waivers_need_second: true })
    const { waive, second, both, counts, soft } = await scene()
    const outcome = await waive('hard_check')
    expect([outcome.waived, outcome.proposed]).toEqual([[], [{ id: both.id, name: 'both.png' }]])
    expect(await counts()).toEqual([1, 1, 1])
    expect(reasons(await waive('hard_check'))['both.png']).toContain('waits for a second person already')
    expect((await waive('soft_check', { file_ids: [soft.id] })).waived).toHaveLength(1)
    await confirmWaiver.execute(as(second), { result_id: both.result.id, check_id: 'hard_check' })
    expect(await counts()).toEqual([2, 1, 0])
  })
})
