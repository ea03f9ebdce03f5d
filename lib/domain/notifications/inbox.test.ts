import { describe, expect, it } from 'vitest'
import { projectMembers } from '@/db/schema/projects'
import { testDb } from '@/db/testing'
import { makeBatch, makeNotification, makeProject, makeUser } from '@/fixtures/factories'
import { insertEvent } from '../kernel/events'
import { as, expectRefusal } from '../testing'
import {
  listNotifications,
  newestNotifications,
  readAllNotifications,
  readNotification,
  updateNotification,
} from './inbox'

describe('the inbox', () => {
  it('holds what its owner was notified of, newest first, with the count of all that is unread', async () => {
    const [ann, bob] = [await makeUser({ role: 'viewer' }), await makeUser({ role: 'administrator' })]
    const first = await makeNotification(ann)
    const second = await makeNotification(ann, { readAt: new Date() })
    const third = await makeNotification(ann)
    await makeNotification(bob)
    const ids = async (input = {}) => {
      const { notifications, unread_count, next_cursor } = await listNotifications.execute(as(ann), {}, input)
      return { ids: notifications.map(({ id }) => id), unread_count, next_cursor }
    }
    expect(await ids()).toEqual({ ids: [third.id, second.id, first.id], unread_count: 2, next_cursor: null })
    expect(await ids({ unread: 'true' })).toMatchObject({ ids: [third.id, first.id] })
    const bell = await newestNotifications.execute(as(ann), {})
    expect(bell).toMatchObject({
      notifications: [{ id: third.id }, { id: second.id }, { id: first.id }],
      unread_count: 2,
    })
    expect(await ids({ unread: 'false' })).toMatchObject({ ids: [third.id, second.id, first.id] })
    const page = await ids({ limit: '1', unread: 'true' })
    expect(page).toMatchObject({ ids: [third.id], unread_count: 2 })
    expect(await ids({ limit: '1', unread: 'true', cursor: page.next_cursor })).toMatchObject({
      ids: [first.id],
      next_cursor: null,
    })
    await expectRefusal(listNotifications.execute(as(ann), {}, { unread: 'yes' }), 'invalid_query', ['unread'])
    await expectRefusal(listNotifications.execute(as('anonymous'), {}), 'unauthenticated')
  })

  it('keeps when a notification was first read, however often it is read', async () => {
    const ann = await makeUser()
    const { id } = await makeNotification(ann)
    const at = (now: string) => as(ann, { now: new Date(now) })
    const read = await readNotification.execute(at('2026-05-01T08:00:00.000Z'), { notification_id: id })
    expect(read.read_at).toBe('2026-05-01T08:00:00.000Z')
    expect(await readNotification.execute(at('2026-05-02T08:00:00.000Z'), { notification_id: id })).toEqual(read)
  })

  it('lets go of what is archived, and until a time of what is snoozed; a snoozed one comes back unread', async () => {
    const [ann, bob] = [await makeUser(), await makeUser({ role: 'administrator' })]
    const [one, two, three] = [await makeNotification(ann), await makeNotification(ann), await makeNotification(ann)]
    const at = (now: string) => as(ann, { now: new Date(now) })
    const noon = '2026-11-25T12:00:00.000Z'
    const change = (id: string, input: object, now = noon) =>
      updateNotification.execute(at(now), { notification_id: id }, input)
    const boxes = async (now: string) => {
      const of = async (box: string) =>
        (await listNotifications.execute(at(now), {}, { box })).notifications.map(({ id }) => id)
      const { unread_count } = await listNotifications.execute(at(now), {})
      const bell = (await newestNotifications.execute(at(now), {})).notifications.map(({ id }) => id)
      expect(bell).toEqual(await of('inbox'))
      return [await of('inbox'), await of('returned'), await of('snoozed'), await of('archived'), unread_count]
    }
    expect(await change(one.id, { archived: true })).toMatchObject({ archived_at: noon, read_at: noon })
    await change(two.id, { read: true })
    const later = '2026-11-25T15:00:00.000Z'
    expect(await change(two.id, { snoozed_until: later })).toMatchObject({ read_at: null, snoozed_until: later })
    expect(await boxes(noon)).toEqual([[three.id], [], [two.id], [one.id], 1])
    await readAllNotifications.execute(at(noon), {})
    expect(await boxes(later)).toEqual([[three.id, two.id], [two.id], [], [one.id], 1])
    await change(two.id, { read: true }, later)
    expect(await boxes(later)).toEqual([[three.id, two.id], [], [], [one.id], 0])
    await change(one.id, { archived: false })
    await change(three.id, { snoozed_until: later })
    expect(await change(three.id, { snoozed_until: null })).toMatchObject({ snoozed_until: null })
    expect(await boxes(noon)).toEqual([[three.id, one.id], [], [two.id], [], 1])
    for (const snoozed_until of [noon, '2026-11-25T11:59:59.000Z', '2027-12-25T12:00:00.000Z', 'tomorrow'])
      await expectRefusal(change(one.id, { snoozed_until }), 'validation_failed', ['snoozed_until'])
    await expectRefusal(
      updateNotification.execute(as(bob), { notification_id: one.id }, { archived: true }),
      'not_found',
    )
    await expectRefusal(
      updateNotification.execute(as(ann, { scope: 'read' }), { notification_id: one.id }, { archived: true }),
      'forbidden',
    )
  })

  it('names the batch it is about to who still sees it', async () => {
    const ann = await makeUser({ role: 'operator' })
    const project = await makeProject({ name: 'Spring', members: [ann] })
    const batch = await makeBatch({ projectId: project.id, name: 'Banners' })
    const fact = { type: 'batch.submitted', projectId: project.id, batchId: batch.id } as const
    const { id: eventId } = await insertEvent({ ...as(ann), db: testDb }, fact)
    await makeNotification(ann, { eventId })
    const about = async () => (await listNotifications.execute(as(ann), {})).notifications[0]?.batch
    expect(await about()).toEqual({ id: batch.id, name: 'Banners', project: { id: project.id, name: 'Spring' } })
    await testDb.delete(projectMembers)
    expect(await about()).toBeNull()
  })

  it('is closed to all other users, administrators included', async () => {
    const { id } = await makeNotification(await makeUser())
    const admin = as(await makeUser({ role: 'administrator' }))
    for (const notification_id of [id, '01890000-0000-7000-8000-000000000000', 'x']) {
      await expectRefusal(readNotification.execute(admin, { notification_id }), 'not_found')
    }
  })

  it('is read at once, and only one’s own', async () => {
    const [ann, bob] = [await makeUser(), await makeUser()]
    await makeNotification(ann)
    await makeNotification(ann)
    await makeNotification(bob)
    expect(await readAllNotifications.execute(as(ann), {})).toEqual({ unread_count: 0 })
    expect((await listNotifications.execute(as(bob), {})).unread_count).toBe(1)
    await expectRefusal(readAllNotifications.execute(as(bob, { scope: 'read' }), {}), 'forbidden')
  })
})
