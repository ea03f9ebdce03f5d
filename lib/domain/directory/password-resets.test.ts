import { verify } from '@node-rs/argon2'
import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { passwordResets, rateLimits, users } from '@/db/schema'
import { testDb, testSql } from '@/db/testing'
import { makeUser, type UserRow } from '@/fixtures/factories'
import { sendResetLink } from '@/lib/jobs/send-reset-link'
import type { OutgoingMail } from '../notifications/port'
import { as, eventsAbout, expectRefusal } from '../testing'
import { createResetLink, requestPasswordReset, resetPassword } from './password-resets'

/** A visitor, on a service that sends mail; `box` is what was sent. */
function outsider(more: { address?: string } = {}) {
  const box: OutgoingMail[] = []
  const send = async (mail: OutgoingMail) => {
    box.push(mail)
    return { kind: 'sent' } as const
  }
  return { ctx: as('anonymous', { ...more, ports: { mail: { send } } }), box }
}
const jobs = () => testSql<{ payload: { email: string } }[]>`
  select payload from graphile_worker._private_jobs order by id`
const tokenOf = (text = '') => /new-password#(\w+)/.exec(text)?.[1] ?? ''
const row = async ({ id }: UserRow) => (await testDb.select().from(users).where(eq(users.id, id)))[0]
const choose = (token: string, ctx = as('anonymous')) =>
  resetPassword.execute(ctx, {}, { token, new_password: 'a new long password' })

describe('a forgotten password', () => {
  it('is chosen anew by a mailed link, once, and ends every session', async () => {
    const user = await makeUser({ email: 'ann@example.test', passwordHash: 'old', sessionVersion: 3 })
    const { ctx, box } = outsider()
    expect(await requestPasswordReset.execute(ctx, {}, { email: 'Ann@Example.test' })).toEqual({ mail: true })
    for (const { payload } of await jobs()) await sendResetLink(ctx, payload)
    expect(box).toMatchObject([{ to: { email: 'ann@example.test' }, subject: 'Choose a new password' }])
    const token = tokenOf(box[0]?.text)
    expect((await testDb.select().from(passwordResets)).map(({ tokenHash }) => tokenHash)).not.toContain(token)

    expect(await choose(token)).toEqual({ email: 'ann@example.test' })
    const changed = await row(user)
    expect(await verify(changed?.passwordHash ?? '', 'a new long password')).toBe(true)
    expect(changed?.sessionVersion).toBe(4)
    await expectRefusal(choose(token), 'link_expired')
    expect((await eventsAbout(user.id)).map(({ type }) => type)).toEqual(['user.reset_link_created', 'user.updated'])
  })

  it('responds the same for an unknown address, and mails no user without a password of theirs', async () => {
    await makeUser({ email: 'gone@example.test', passwordHash: 'x', disabledAt: new Date() })
    await makeUser({ email: 'provider@example.test', passwordHash: null })
    const { ctx, box } = outsider()
    await testSql`delete from graphile_worker._private_jobs`
    for (const email of ['unknown@example.test', 'gone@example.test', 'provider@example.test']) {
      expect(await requestPasswordReset.execute(ctx, {}, { email })).toEqual({ mail: true })
    }
    const asked = await jobs()
    expect(asked).toHaveLength(3)
    for (const { payload } of asked) await sendResetLink(ctx, payload)
    expect(box).toEqual([])
    await expectRefusal(requestPasswordReset.execute(ctx, {}, { email: 'no address' }), 'validation_failed', ['email'])
  })

  it('is asked for a few times an hour only, known or not, and guesses stay counted', async () => {
    await testDb.delete(rateLimits)
    const { ctx } = outsider({ address: '192.0.2.1' })
    for (let i = 0; i < 5; i++) await requestPasswordReset.execute(ctx, {}, { email: 'x@example.test' })
    await expectRefusal(requestPasswordReset.execute(ctx, {}, { email: 'X@example.test' }), 'rate_limited')
    const guess = () => choose('guess', as('anonymous', { address: '192.0.2.2' }))
    for (let i = 0; i < 60; i++) await expectRefusal(guess(), 'link_expired')
    await expectRefusal(guess(), 'rate_limited')
  })
})

describe('a link from an administrator', () => {
  it('lets a user choose a password, for a day; a newer one ends it', async () => {
    const admin = as(await makeUser({ role: 'administrator' }))
    const user = await makeUser({ passwordHash: null })
    const make = () => createResetLink.execute(admin, { user_id: user.id }, {})
    const [older, newer] = [await make(), await make()]
    await expectRefusal(choose(tokenOf(older.url)), 'link_expired')
    const late = as('anonymous', { now: new Date(Date.now() + 25 * 3_600_000) })
    await expectRefusal(choose(tokenOf(newer.url), late), 'link_expired')
    expect(await choose(tokenOf(newer.url))).toEqual({ email: user.email })
  })

  it('works once when it is used twice at the same moment', async () => {
    const admin = as(await makeUser({ role: 'administrator' }))
    const user = await makeUser()
    const token = tokenOf((await createResetLink.execute(admin, { user_id: user.id }, {})).url)
    const outcomes = await Promise.allSettled([choose(token), choose(token)])
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  })

  it('is not for disabled accounts', async () => {
    const admin = as(await makeUser({ role: 'administrator' }))
    const user = await makeUser({ disabledAt: new Date() })
    await expectRefusal(createResetLink.execute(admin, { user_id: user.id }, {}), 'invalid_state')
  })
})
