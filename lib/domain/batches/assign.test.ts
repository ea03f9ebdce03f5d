import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { makeBatch, makeProject, makeUser } from '@/fixtures/factories'
import { as, eventsAbout, expectRefusal } from '../testing'
import { assignBatches } from './assign'
import { updateBatch } from './commands'
import { getBatch } from './queries'

async function scene() {
  const coordinator = await makeUser({ role: 'coordinator' })
  const [before, after] = [await makeUser({ role: 'operator' }), await makeUser({ role: 'operator' })]
  const project = await makeProject({ members: [coordinator] })
  const make = () => makeBatch({ projectId: project.id, operatorId: before.id, dueOn: '2026-12-01' })
  const [first, second] = [await make(), await make()]
  const now = (batch: { id: string }) =>
    getBatch.execute(as(coordinator), { project_id: project.id, batch_id: batch.id })
  return { coordinator, before, after, project, first, second, now }
}

describe('assigning several batches', () => {
  it('sets what is asked for and leaves the rest, with an event each; the other way round takes it back', async () => {
    const { coordinator, before, after, first, second, now } = await scene()
    const both = (seen: string, to: string) => ({
      batches: [first, second].map(({ id }) => ({ id, seen: { operator_id: seen }, to: { operator_id: to } })),
    })
    const outcome = await assignBatches.execute(as(coordinator), {}, both(before.id, after.id))
    expect(outcome.left).toEqual([])
    expect(outcome.changed.map(({ id }) => id).toSorted()).toEqual([first.id, second.id].toSorted())
    for (const batch of [first, second]) {
      expect(await now(batch)).toMatchObject({ operator: { id: after.id }, due: { on: '2026-12-01' } })
      expect((await eventsAbout(batch.id)).map(({ type }) => type)).toContain('batch.updated')
    }
    await assignBatches.execute(as(coordinator), {}, both(after.id, before.id))
    expect(await now(first)).toMatchObject({ operator: { id: before.id } })
  })

  it('leaves what another user changed meanwhile, and says what it is now', async () => {
    const { coordinator, before, after, project, first, second, now } = await scene()
    const path = { project_id: project.id, batch_id: first.id }
    await updateBatch.execute(as(coordinator), path, { due_on: '2027-01-01' })
    const outcome = await assignBatches.execute(
      as(coordinator),
      {},
      {
        batches: [first, second].map(({ id }) => ({ id, seen: { due_on: '2026-12-01' }, to: { due_on: null } })),
      },
    )
    expect(outcome).toMatchObject({
      changed: [{ id: second.id }],
      left: [{ batch: { id: first.id, name: first.name }, reason: expect.stringContaining('is 2027-01-01 by now') }],
    })
    expect(await now(first)).toMatchObject({ due: { on: '2027-01-01' } })
    expect(await now(second)).toMatchObject({ due: null })
    // Of what is not set, the state does not matter
    const other = { batches: [{ id: first.id, seen: { operator_id: before.id }, to: { operator_id: after.id } }] }
    expect((await assignBatches.execute(as(coordinator), {}, other)).left).toEqual([])
  })

  it('leaves each that cannot be changed, with the reason, and changes the others', async () => {
    const { coordinator, first, second } = await scene()
    const viewer = await makeUser({ role: 'viewer' })
    const closed = await makeProject({ members: [coordinator], status: 'completed' })
    const done = await makeBatch({ projectId: closed.id })
    const foreign = await makeBatch()
    const ids = [done.id, foreign.id, randomUUID()]
    const { changed, left } = await assignBatches.execute(
      as(coordinator),
      {},
      {
        batches: [
          { id: first.id, to: { operator_id: viewer.id } },
          { id: second.id, to: { operator_id: null } },
          ...ids.map((id) => ({ id, to: { due_on: null } })),
        ],
      },
    )
    expect(changed).toEqual([{ id: second.id, name: second.name }])
    const why = new Map(left.map(({ batch, reason }) => [batch.id, reason]))
    expect(why.get(first.id)).toContain('needs the role')
    expect(why.get(done.id)).toBeTruthy()
    expect(why.get(foreign.id)).toContain('There is no batch')
    expect(why.size).toBe(4)
  })

  it('is for those who may change batches, and needs at least one', async () => {
    const { coordinator, first } = await scene()
    const operator = await makeUser({ role: 'operator' })
    const asked = { batches: [{ id: first.id, to: { due_on: null } }] }
    await expectRefusal(assignBatches.execute(as(operator), {}, asked), 'forbidden')
    await expectRefusal(assignBatches.execute(as(coordinator), {}, { batches: [] }), 'validation_failed')
    const odd = { batches: [{ id: first.id, to: { due_on: 'soon' } }] }
    await expectRefusal(assignBatches.execute(as(coordinator), {}, odd), 'validation_failed')
  })

  it('two at once: the second finds what the first made of it', async () => {
    const { coordinator, before, after, first, second } = await scene()
    const third = await makeUser({ role: 'operator' })
    const to = (operator_id: string) => ({
      batches: [first, second].map(({ id }) => ({ id, seen: { operator_id: before.id }, to: { operator_id } })),
    })
    const both = await Promise.all([after.id, third.id].map((id) => assignBatches.execute(as(coordinator), {}, to(id))))
    expect(both.map(({ changed }) => changed.length).toSorted()).toEqual([0, 2])
  })
})
