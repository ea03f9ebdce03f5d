import { hash, verify } from '@node-rs/argon2'
import { eq } from 'drizzle-orm'
import { beforeEach, describe, expect, it } from 'vitest'
import { database } from '@/db/client'
import { users } from '@/db/schema/directory'
import { emptyTables } from '@/db/testing'
import { makeNotification, makeUser, type UserRow } from '@/fixtures/factories'
import { as, eventsAbout, expectRefusal } from '../testing'
import { getMe, getUser, listUsers } from './queries'
import { changeOwnPassword, createUser, updateUser } from './users'

beforeEach(emptyTables)

const row = async (id: string) => {
  const [user] = await database().db.select().from(users).where(eq(users.id, id))
  if (!user) throw new Error('no such user')
  return user
}
const change = (by: UserRow, whom: { id: string }, input: unknown) =>
  updateUser.execute(as(by), { user_id: whom.id }, input)

describe('the people', () => {
  it('are listed for anyone signed in, by role when asked, and never with a password', async () => {
    const viewer = await makeUser({ role: 'viewer' })
    const operator = await makeUser({ role: 'operator', passwordHash: 'secret-hash' })
    const all = await listUsers.execute(as(viewer), {})
    expect(all.users.map(({ id }) => id)).toEqual([operator.id, viewer.id])
    expect(JSON.stringify(all)).not.toContain('secret-hash')
    const operators = await listUsers.execute(as(viewer), {}, { role: 'operator' })
    expect(operators.users.map(({ id }) => id)).toEqual([operator.id])
    await expectRefusal(listUsers.execute(as(viewer), {}, { role: 'boss' }), 'invalid_query', ['role'])
    expect(await getUser.execute(as(viewer), { user_id: operator.id })).toEqual(operators.users[0])
  })

  it('are added by administrators, with a password stored as argon2id only, or with none', async () => {
    const admin = await makeUser({ role: 'administrator' })
    const input = { email: ' Ada@Example.Test ', name: 'Ada', role: 'operator' }
    const ada = await createUser.execute(as(admin), {}, { ...input, password: 'correct horse' })
    expect(ada).toMatchObject({ email: 'Ada@Example.Test', role: 'operator', disabled_at: null })
    const stored = await row(ada.id)
    expect(stored.passwordHash).toMatch(/^\$argon2id\$/)
    expect(await verify(stored.passwordHash ?? '', 'correct horse')).toBe(true)
    const grace = await createUser.execute(
      as(admin),
      {},
      { email: 'grace@example.test', name: 'Grace', role: 'viewer' },
    )
    expect((await row(grace.id)).passwordHash).toBeNull()
    const events = await eventsAbout(ada.id)
    expect(events).toMatchObject([{ type: 'user.created', actorId: admin.id }])
    expect(JSON.stringify(events)).not.toMatch(/correct horse|argon2/)
  })

  it('are not added, changed or disabled by anybody below administrator', async () => {
    const target = await makeUser({ role: 'viewer' })
    for (const role of ['viewer', 'operator', 'coordinator'] as const) {
      const by = await makeUser({ role })
      const input = { email: `${role}-new@example.test`, name: 'New', role: 'administrator' }
      await expectRefusal(createUser.execute(as(by), {}, input), 'forbidden')
      await expectRefusal(change(by, target, { role: 'administrator' }), 'forbidden')
      await expectRefusal(change(by, by, { role: 'administrator' }), 'forbidden')
    }
    expect((await row(target.id)).role).toBe('viewer')
  })

  it.each([
    [{}, ['email', 'name', 'role']],
    [{ email: 'not an address', name: 'N', role: 'viewer' }, ['email']],
    [{ email: 'a@b.test', name: 'N', role: 'root' }, ['role']],
    [{ email: 'a@b.test', name: 'N', role: 'viewer', password: 'short' }, ['password']],
    [{ email: 'a@b.test', name: 'N', role: 'viewer', session_version: 9 }, ['session_version']],
  ])('are not added from %j', async (input, fields) => {
    const admin = await makeUser({ role: 'administrator' })
    await expectRefusal(createUser.execute(as(admin), {}, input), 'validation_failed', fields)
  })

  it('have an e-mail address of their own, whatever its case, also when two are added at once', async () => {
    const admin = await makeUser({ role: 'administrator', email: 'ann@example.test' })
    const input = { email: 'ANN@example.test', name: 'Ann', role: 'viewer' }
    await expectRefusal(createUser.execute(as(admin), {}, input), 'validation_failed', ['email'])
    const other = await makeUser()
    await expectRefusal(change(admin, other, { email: 'Ann@example.test' }), 'validation_failed', ['email'])
    const twin = { email: 'twin@example.test', name: 'Twin', role: 'viewer' }
    const both = await Promise.allSettled([1, 2].map(() => createUser.execute(as(admin), {}, twin)))
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  })

  it('keep their sessions when renamed, and lose them when disabled, enabled or given a new password', async () => {
    const admin = await makeUser({ role: 'administrator' })
    const user = await makeUser({ role: 'operator' })
    const version = async () => (await row(user.id)).sessionVersion
    await change(admin, user, { name: 'Renamed', role: 'coordinator' })
    expect(await version()).toBe(1)
    const disabled = await change(admin, user, { disabled: true })
    expect(disabled.disabled_at).not.toBeNull()
    expect(await version()).toBe(2)
    await change(admin, user, { disabled: true })
    expect(await version()).toBe(2)
    expect((await change(admin, user, { disabled: false })).disabled_at).toBeNull()
    expect(await version()).toBe(3)
    await change(admin, user, { password: 'a new password' })
    expect(await version()).toBe(4)
    expect(await verify((await row(user.id)).passwordHash ?? '', 'a new password')).toBe(true)
    const events = await eventsAbout(user.id)
    expect(events.map(({ type }) => type)).toEqual(Array(4).fill('user.updated'))
    expect(JSON.stringify(events)).not.toContain('a new password')
  })

  it('that do not exist are not found', async () => {
    const admin = await makeUser({ role: 'administrator' })
    for (const id of ['01890000-0000-7000-8000-000000000000', 'unknown']) {
      await expectRefusal(change(admin, { id }, { name: 'x' }), 'not_found')
      await expectRefusal(getUser.execute(as(admin), { user_id: id }), 'not_found')
    }
  })
})

describe('the last active administrator', () => {
  it('can be neither disabled nor demoted', async () => {
    const admin = await makeUser({ role: 'administrator' })
    await makeUser({ role: 'administrator', disabledAt: new Date() })
    for (const input of [{ disabled: true }, { role: 'coordinator' }]) {
      const refused = await expectRefusal(change(admin, admin, input), 'invalid_state')
      expect(refused.detail).toContain('last active administrator')
    }
    expect(await change(admin, admin, { name: 'Still here' })).toMatchObject({ role: 'administrator' })
  })

  it('may go once there is another', async () => {
    const [admin, other] = [await makeUser({ role: 'administrator' }), await makeUser({ role: 'administrator' })]
    expect((await change(admin, other, { disabled: true })).disabled_at).not.toBeNull()
    expect((await change(admin, other, { disabled: false })).disabled_at).toBeNull()
    expect((await change(other, admin, { role: 'viewer' })).role).toBe('viewer')
  })

  it('remains when two administrators disable each other at the same moment', async () => {
    for (let round = 0; round < 5; round++) {
      await emptyTables()
      const [a, b] = [await makeUser({ role: 'administrator' }), await makeUser({ role: 'administrator' })]
      const both = await Promise.allSettled([change(a, b, { disabled: true }), change(b, a, { role: 'viewer' })])
      expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
      const standing = [await row(a.id), await row(b.id)].filter((u) => u.role === 'administrator' && !u.disabledAt)
      expect(standing).toHaveLength(1)
    }
  })
})

describe('oneself', () => {
  it('is returned with role, scope and unread notifications', async () => {
    const user = await makeUser({ role: 'operator', name: 'Me' })
    await makeNotification(user)
    await makeNotification(user, { readAt: new Date() })
    await makeNotification(await makeUser())
    expect(await getMe.execute(as(user, { scope: 'read' }), {})).toMatchObject({
      id: user.id,
      name: 'Me',
      role: 'operator',
      scope: 'read',
      unread_notifications: 1,
    })
    await expectRefusal(getMe.execute(as('anonymous'), {}), 'unauthenticated')
  })

  it('changes the password by knowing the old one, and every session ends', async () => {
    const user = await makeUser({ role: 'viewer', passwordHash: await hash('the old password') })
    const attempt = (current_password: string, new_password: string) =>
      changeOwnPassword.execute(as(user), {}, { current_password, new_password })
    await expectRefusal(attempt('a wrong password', 'the new password'), 'validation_failed', ['current_password'])
    await expectRefusal(attempt('the old password', 'short'), 'validation_failed', ['new_password'])
    await attempt('the old password', 'the new password')
    const stored = await row(user.id)
    expect(stored.sessionVersion).toBe(2)
    expect(await verify(stored.passwordHash ?? '', 'the new password')).toBe(true)
    await expectRefusal(attempt('the old password', 'another password'), 'validation_failed', ['current_password'])
    expect(await eventsAbout(user.id)).toMatchObject([{ type: 'user.updated', data: { password: 'changed' } }])
  })

  it('cannot be guessed at: after ten tries the password is asked for more slowly', async () => {
    const user = await makeUser({ passwordHash: await hash('the old password') })
    const now = new Date()
    const guess = () =>
      changeOwnPassword.execute(as(user, { now }), {}, { current_password: 'guess', new_password: 'long enough' })
    for (let i = 0; i < 10; i++) await expectRefusal(guess(), 'validation_failed')
    await expectRefusal(guess(), 'rate_limited')
  })

  it('changes the password once when two changes arrive at the same moment', async () => {
    const user = await makeUser({ passwordHash: await hash('the old password') })
    const both = await Promise.allSettled(
      ['first new one', 'second new one'].map((new_password) =>
        changeOwnPassword.execute(as(user), {}, { current_password: 'the old password', new_password }),
      ),
    )
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  })

  it('has no password to change when signing in through the identity provider', async () => {
    const user = await makeUser({ passwordHash: null })
    const input = { current_password: '', new_password: 'long enough' }
    await expectRefusal(changeOwnPassword.execute(as(user), {}, input), 'invalid_state')
  })
})
