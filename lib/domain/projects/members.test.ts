import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { projectMembers } from '@/db/schema/projects'
import { testDb } from '@/db/testing'
import { makeAgency, makeMediaCategory, makeUser } from '@/fixtures/factories'
import { createBatch, updateBatch } from '../batches/commands'
import { as, eventsAbout, expectRefusal } from '../testing'
import { createProject } from './commands'
import { addMember, listMembers, removeMember } from './members'
import { getProject } from './queries'

const nowhere = '01890000-0000-7000-8000-000000000000'

/** A project as people make it: who created it is its only member. */
async function scene() {
  const coordinator = await makeUser({ role: 'coordinator', name: 'Cleo' })
  const [agency, category] = [await makeAgency(), await makeMediaCategory()]
  const project = await createProject.execute(as(coordinator), {}, { name: 'Spring', agency_id: agency.id })
  const at = { project_id: project.id }
  const names = async () =>
    (await listMembers.execute(as(coordinator), at)).members.map(({ user, reasons }) => [user.name, ...reasons])
  const batch = (people: object) =>
    createBatch.execute(as(coordinator), at, { name: 'Batch', media_category_id: category.id, ...people })
  return { coordinator, project, at, names, batch }
}

describe('members', () => {
  it('are the user who created the project, works on a batch of it or was added, with the reasons', async () => {
    const { coordinator, at, names, batch, project } = await scene()
    const operator = await makeUser({ role: 'operator', name: 'Olaf' })
    const viewer = await makeUser({ role: 'viewer', name: 'Vera' })
    await batch({ operator_id: operator.id, coordinator_id: coordinator.id })
    await expectRefusal(getProject.execute(as(viewer), at), 'not_found')
    const added = await addMember.execute(as(coordinator), { ...at, user_id: viewer.id })
    expect(added).toMatchObject({ user: { id: viewer.id, name: 'Vera' }, role: 'viewer', reasons: ['added'] })
    expect(await addMember.execute(as(coordinator), { ...at, user_id: viewer.id.toUpperCase() })).toEqual(added)
    expect(await getProject.execute(as(viewer), at)).toMatchObject({ id: project.id })
    expect(await names()).toEqual([
      ['Cleo', 'creator', 'coordinator'],
      ['Olaf', 'operator'],
      ['Vera', 'added'],
    ])
    expect((await eventsAbout(viewer.id)).map(({ type }) => type)).toEqual(['member.added'])
  })

  it('are no longer who was replaced, unless added for himself', async () => {
    const { coordinator, at, names, batch } = await scene()
    const [first, second, third] = [
      await makeUser({ role: 'operator', name: 'First' }),
      await makeUser({ role: 'operator', name: 'Second' }),
      await makeUser({ role: 'operator', name: 'Third' }),
    ]
    const { id } = await batch({ operator_id: first.id })
    const assign = (operator_id: string | null) =>
      updateBatch.execute(as(coordinator), { ...at, batch_id: id }, { operator_id })
    await assign(second.id)
    expect(await names()).toEqual([
      ['Cleo', 'creator'],
      ['Second', 'operator'],
    ])
    await expectRefusal(getProject.execute(as(first), at), 'not_found')
    expect(await eventsAbout(first.id)).toMatchObject([
      { type: 'member.removed', data: { name: 'First', because: 'replaced' } },
    ])
    await addMember.execute(as(coordinator), { ...at, user_id: second.id })
    await assign(third.id)
    const other = await batch({ operator_id: third.id })
    await assign(null)
    expect(await names()).toEqual([
      ['Cleo', 'creator'],
      ['Second', 'added'],
      ['Third', 'operator'],
    ])
    await updateBatch.execute(as(coordinator), { ...at, batch_id: other.id }, { operator_id: null })
    expect(await names()).toEqual([
      ['Cleo', 'creator'],
      ['Second', 'added'],
    ])
  })

  it('cannot be removed while a running batch needs them, nor as the last coordinator', async () => {
    const { coordinator, at, batch, names } = await scene()
    const operator = await makeUser({ role: 'operator', name: 'Olaf' })
    const second = await makeUser({ role: 'coordinator', name: 'Zoe' })
    const { id } = await batch({ operator_id: operator.id })
    const remove = (user_id: string, by = coordinator) => removeMember.execute(as(by), { ...at, user_id })
    expect((await expectRefusal(remove(operator.id), 'member_needed')).detail).toContain('“Batch”')
    expect((await expectRefusal(remove(coordinator.id), 'member_needed')).detail).toContain('last coordinator')
    await addMember.execute(as(coordinator), { ...at, user_id: second.id })
    await remove(coordinator.id)
    await expectRefusal(getProject.execute(as(coordinator), at), 'not_found')
    await updateBatch.execute(as(second), { ...at, batch_id: id }, { operator_id: null })
    await expectRefusal(remove(operator.id, second), 'not_found')
    await expectRefusal(remove(nowhere, second), 'not_found')
    await expectRefusal(remove('x', second), 'not_found')
    await expectRefusal(names(), 'not_found')
  })

  it('are changed by coordinators of the project and by administrators, and seen by all of it', async () => {
    const { coordinator, at } = await scene()
    const [viewer, operator, stranger, admin] = [
      await makeUser({ role: 'viewer' }),
      await makeUser({ role: 'operator' }),
      await makeUser({ role: 'coordinator' }),
      await makeUser({ role: 'administrator' }),
    ]
    for (const { id } of [viewer, operator]) await addMember.execute(as(coordinator), { ...at, user_id: id })
    for (const by of [viewer, operator]) {
      expect((await listMembers.execute(as(by), at)).members).toHaveLength(3)
      await expectRefusal(addMember.execute(as(by), { ...at, user_id: stranger.id }), 'forbidden')
      await expectRefusal(removeMember.execute(as(by), { ...at, user_id: viewer.id }), 'forbidden')
    }
    await expectRefusal(addMember.execute(as(stranger), { ...at, user_id: stranger.id }), 'not_found')
    await expectRefusal(listMembers.execute(as(stranger), at), 'not_found')
    await addMember.execute(as(admin), { ...at, user_id: stranger.id })
    await removeMember.execute(as(admin), { ...at, user_id: stranger.id })
    const gone = await makeUser({ role: 'viewer', disabledAt: new Date() })
    await expectRefusal(addMember.execute(as(admin), { ...at, user_id: gone.id }), 'validation_failed', ['user_id'])
  })

  it('stay members when two batches change hands at the same moment', async () => {
    const { coordinator, at, batch, project } = await scene()
    for (let round = 0; round < 5; round++) {
      const operator = await makeUser({ role: 'operator' })
      const [from, to] = [await batch({ operator_id: operator.id }), await batch({})]
      const assign = (batch_id: string, operator_id: string | null) =>
        updateBatch.execute(as(coordinator), { ...at, batch_id }, { operator_id })
      await Promise.all([assign(from.id, null), assign(to.id, operator.id)])
      expect(await getProject.execute(as(operator), at)).toMatchObject({ id: project.id })
    }
  })

  it('who coordinate are never all removed at once', async () => {
    const { coordinator, at, project } = await scene()
    const second = await makeUser({ role: 'coordinator' })
    await addMember.execute(as(coordinator), { ...at, user_id: second.id })
    const outcomes = await Promise.allSettled(
      [coordinator, second].map(({ id }) => removeMember.execute(as(coordinator), { ...at, user_id: id })),
    )
    expect(outcomes.filter(({ status }) => status === 'rejected')).toHaveLength(1)
    expect(await testDb.$count(projectMembers, eq(projectMembers.projectId, project.id))).toBe(1)
  })
})
