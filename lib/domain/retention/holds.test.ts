import { describe, expect, test } from 'vitest'
import { testSql } from '@/db/testing'
import {
  makeAgency,
  makeBatch,
  makeComment,
  makeEstimate,
  makeFile,
  makeLegalHold,
  makeProject,
  makeUser,
  type UserRow,
} from '@/fixtures/factories'
import { deleteEstimate } from '../cost-estimates/commands'
import { deleteFile } from '../files/commands'
import { updateProject } from '../projects/commands'
import { deleteComment } from '../review/comments'
import { as, eventsAbout, expectRefusal } from '../testing'
import { getLegalHold, liftLegalHold, listLegalHolds, setLegalHold } from './holds'
import { getProjectRetention } from './settings'

const administrator = () => makeUser({ role: 'administrator' })

let made = 0

/** A project with one of everything that can be deleted. */
async function workspace() {
  const coordinator = await makeUser({ role: 'coordinator' })
  const agency = await makeAgency()
  const project = await makeProject({ agencyId: agency.id, members: [coordinator] })
  const batch = await makeBatch({ projectId: project.id })
  const file = await makeFile(batch)
  const comment = await makeComment(await makeFile(batch))
  made += 1
  const number = `EST-2031-${String(made).padStart(4, '0')}`
  const estimate = await makeEstimate({ projectId: project.id, createdBy: coordinator.id, number })
  const at = { project_id: project.id, batch_id: batch.id }
  const deletions = [
    () => deleteFile.execute(as(coordinator), { ...at, file_id: file.id }),
    () => deleteComment.execute(as(coordinator), { ...at, file_id: comment.fileId, comment_id: comment.id }),
    () => deleteEstimate.execute(as(coordinator), { estimate_id: estimate.id }),
  ]
  return { coordinator, agency, project, file, deletions, params: { project_id: project.id } }
}

const hold = async (input: object, by?: UserRow) => setLegalHold.execute(as(by ?? (await administrator())), {}, input)

describe.each(['project', 'agency'] as const)('a legal hold on the %s', (on) => {
  test('keeps files, comments and estimates from being deleted until it is lifted', async () => {
    const place = await workspace()
    const admin = await administrator()
    const set = await hold({ [`${on}_id`]: place[on].id, reason: 'A case is pending.' }, admin)
    expect(set).toMatchObject({
      [on]: { id: place[on].id, name: place[on].name },
      reason: 'A case is pending.',
      set_by: { id: admin.id },
      lifted: null,
    })
    for (const remove of place.deletions) {
      const { detail } = await expectRefusal(remove(), 'legal_hold')
      expect(detail).toContain(`“${place.project.name}”`)
      expect(detail).not.toContain('A case is pending')
    }
    expect((await getProjectRetention.execute(as(place.coordinator), place.params)).legal_hold).toEqual({
      on,
      since: set.set_at,
    })
    const lifted = await liftLegalHold.execute(as(admin), { hold_id: set.id }, { reason: 'The case is closed.' })
    expect(lifted.lifted).toMatchObject({ by: { id: admin.id }, reason: 'The case is closed.' })
    for (const remove of place.deletions) await remove()
    expect((await getProjectRetention.execute(as(place.coordinator), place.params)).legal_hold).toBeNull()
    expect((await eventsAbout(place[on].id)).map(({ type, data }) => [type, data.reason])).toEqual([
      ['legal_hold.set', 'A case is pending.'],
      ['legal_hold.lifted', 'The case is closed.'],
    ])
  })
})

test('with two of them the project stays held until both are lifted', async () => {
  const { project, agency, deletions } = await workspace()
  const admin = as(await administrator())
  const ofAgency = await hold({ agency_id: agency.id, reason: 'All of it.' })
  const ofProject = await hold({ project_id: project.id, reason: 'This one.' })
  await liftLegalHold.execute(admin, { hold_id: ofAgency.id }, { reason: 'Narrowed.' })
  for (const remove of deletions) await expectRefusal(remove(), 'legal_hold')
  await liftLegalHold.execute(admin, { hold_id: ofProject.id }, { reason: 'Over.' })
  for (const remove of deletions) await remove()
})

test('a project does not escape the hold on its agency by going to another', async () => {
  const { coordinator, agency, params, project } = await workspace()
  const other = await makeAgency()
  await hold({ agency_id: agency.id, reason: 'All of it.' })
  const { detail } = await expectRefusal(
    updateProject.execute(as(coordinator), params, { agency_id: other.id }),
    'legal_hold',
  )
  expect(detail).toContain('stays with its agency')
  expect(await updateProject.execute(as(coordinator), params, { name: 'Renamed' })).toMatchObject({ name: 'Renamed' })
  expect(project.agencyId).toBe(agency.id)
})

test('there is one at a time on a project, and it is lifted once', async () => {
  const { project } = await workspace()
  const admin = as(await administrator())
  const input = { project_id: project.id, reason: 'A case.' }
  const outcomes = await Promise.allSettled(Array.from({ length: 4 }, () => setLegalHold.execute(admin, {}, input)))
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  await expectRefusal(setLegalHold.execute(admin, {}, input), 'invalid_state')
  const { legal_holds } = await listLegalHolds.execute(admin, {}, { project_id: project.id, state: 'active' })
  expect(legal_holds).toHaveLength(1)
  const params = { hold_id: legal_holds[0]?.id ?? '' }
  const lifts = await Promise.allSettled(
    Array.from({ length: 4 }, () => liftLegalHold.execute(admin, params, { reason: 'Over.' })),
  )
  expect(lifts.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  await expectRefusal(liftLegalHold.execute(admin, params, { reason: 'Over.' }), 'invalid_state')
  expect((await getLegalHold.execute(admin, params)).lifted?.reason).toBe('Over.')
})

test('it is for administrators, on one thing that exists, with a reason', async () => {
  const { project, agency, coordinator } = await workspace()
  const nowhere = '01890000-0000-7000-8000-000000000000'
  await expectRefusal(hold({ project_id: project.id, reason: 'x' }, coordinator), 'forbidden')
  await expectRefusal(hold({ reason: 'x' }), 'validation_failed', ['project_id'])
  await expectRefusal(hold({ project_id: project.id, agency_id: agency.id, reason: 'x' }), 'validation_failed', [
    'project_id',
  ])
  for (const reason of ['', '  ', undefined])
    await expectRefusal(hold({ project_id: project.id, reason }), 'validation_failed', ['reason'])
  await expectRefusal(hold({ project_id: nowhere, reason: 'x' }), 'not_found')
  await expectRefusal(hold({ agency_id: nowhere, reason: 'x' }), 'not_found')
  const other = await makeLegalHold()
  await expectRefusal(liftLegalHold.execute(as(coordinator), { hold_id: other.id }, { reason: 'x' }), 'forbidden')
  await expectRefusal(listLegalHolds.execute(as(coordinator), {}), 'forbidden')
  await expectRefusal(getProjectRetention.execute(as(await makeUser()), { project_id: project.id }), 'not_found')
})

test('set while files are being deleted, it is seen by those that have not ended', async () => {
  const coordinator = await makeUser({ role: 'coordinator' })
  const project = await makeProject({ members: [coordinator] })
  const batch = await makeBatch({ projectId: project.id })
  const made = await Promise.all(Array.from({ length: 12 }, () => makeFile(batch)))
  const admin = await administrator()
  const remove = (file_id: string) =>
    deleteFile.execute(as(coordinator), { project_id: project.id, batch_id: batch.id, file_id })
  const [set, ...removed] = await Promise.allSettled([
    hold({ agency_id: project.agencyId, reason: 'A case.' }, admin),
    ...made.map(({ id }) => remove(id)),
  ])
  expect(set?.status).toBe('fulfilled')
  for (const outcome of removed) if (outcome.status === 'rejected') expect(outcome.reason.code).toBe('legal_hold')
  const kept = removed.filter(({ status }) => status === 'rejected').length
  const [rows] = await testSql<{ files: number; after: number }[]>`
    select (select count(*)::int from files where batch_id = ${batch.id}) as files, (
      select count(*)::int from events d where d.type = 'file.deleted' and d.batch_id = ${batch.id} and d.sequence > (
        select sequence from events where type = 'legal_hold.set' and subject_id = ${project.agencyId})) as after`
  expect(rows).toEqual({ files: kept, after: 0 })
})
