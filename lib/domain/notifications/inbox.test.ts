import { describe, expect, it } from 'vitest'
import { makeNotification, makeUser } from '@/fixtures/factories'
import { as, expectRefusal } from '../testing'
import { listNotifications, readAllNotifications, readNotification } from './inbox'

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
