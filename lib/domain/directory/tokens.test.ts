import { createHash } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { database } from '@/db/client'
import { apiTokens } from '@/db/schema/directory'
import { makeToken, makeUser } from '@/fixtures/factories'
import { as, eventsAbout, expectRefusal } from '../testing'
import { isWellFormedToken } from './token-format'
import { createToken, listTokens, revokeToken } from './tokens'

const nowhere = '01890000-0000-7000-8000-000000000000'

describe('making a token', () => {
  it('is for every user, and shows the token once while only its hash is stored', async () => {
    const viewer = await makeUser({ role: 'viewer' })
    const made = await createToken.execute(as(viewer), {}, { name: 'Export script' })
    expect(isWellFormedToken(made.token)).toBe(true)
    expect(made).toMatchObject({ user: { id: viewer.id }, scope: 'write', status: 'active', expires_at: null })
    const [row] = await database().db.select().from(apiTokens).where(eq(apiTokens.id, made.id))
    expect(row?.tokenHash).toBe(createHash('sha256').update(made.token).digest('hex'))
    expect(JSON.stringify(row)).not.toContain(made.token)
    const listed = await listTokens.execute(as(viewer), {})
    expect(JSON.stringify(listed)).not.toContain(made.token)
    const { token: _, ...shown } = made
    expect(listed.tokens).toEqual([shown])
    const events = await eventsAbout(made.id)
    expect(events).toMatchObject([{ type: 'token.created', actorId: viewer.id }])
    expect(JSON.stringify(events)).not.toContain(made.token)
  })

  it('takes a scope and an end in the future', async () => {
    const user = await makeUser()
    const now = new Date('2026-05-01T12:00:00.000Z')
    const input = { name: 'T', scope: 'read', expires_at: '2026-05-02T14:00:00+02:00' }
    const made = await createToken.execute(as(user, { now }), {}, input)
    expect(made).toMatchObject({ scope: 'read', expires_at: '2026-05-02T12:00:00.000Z', status: 'active' })
    for (const expires_at of ['2026-05-01T12:00:00.000Z', 'tomorrow', '']) {
      await expectRefusal(createToken.execute(as(user, { now }), {}, { name: 'T', expires_at }), 'validation_failed', [
        'expires_at',
      ])
    }
    await expectRefusal(createToken.execute(as(user), {}, { name: '', scope: 'admin' }), 'validation_failed', [
      'name',
      'scope',
    ])
    const later = as(user, { now: new Date('2026-05-02T12:00:00.000Z') })
    expect((await listTokens.execute(later, {})).tokens[0]?.status).toBe('expired')
  })

  it('for another user is for administrators, and only for people who may sign in', async () => {
    const [admin, other] = [await makeUser({ role: 'administrator' }), await makeUser()]
    const made = await createToken.execute(as(admin), {}, { name: 'For you', user_id: other.id })
    expect(made.user.id).toBe(other.id)
    const coordinator = as(await makeUser({ role: 'coordinator' }))
    await expectRefusal(createToken.execute(coordinator, {}, { name: 'T', user_id: admin.id }), 'forbidden')
    const gone = await makeUser({ disabledAt: new Date() })
    for (const user_id of [gone.id, nowhere]) {
      await expectRefusal(createToken.execute(as(admin), {}, { name: 'T', user_id }), 'validation_failed', ['user_id'])
    }
  })

  it('is not for tokens: one that leaked cannot make itself a successor', async () => {
    const user = await makeUser({ role: 'administrator' })
    const context = as(user)
    const actor = { ...context.actor, via: 'token' } as typeof context.actor
    await expectRefusal(createToken.execute({ ...context, actor }, {}, { name: 'T' }), 'forbidden')
    await expectRefusal(createToken.execute(as('anonymous'), {}, { name: 'T' }), 'unauthenticated')
  })
})

describe('the tokens', () => {
  it('of others are listed for administrators: of one person, or of all', async () => {
    const [admin, ann, bob] = [await makeUser({ role: 'administrator' }), await makeUser(), await makeUser()]
    const [first, second] = [await makeToken(ann), await makeToken(bob)]
    const ids = async (by: typeof ann, input = {}) =>
      (await listTokens.execute(as(by), {}, input)).tokens.map(({ id }) => id)
    expect(await ids(ann)).toEqual([first.id])
    expect(await ids(ann, { user_id: ann.id })).toEqual([first.id])
    expect(await ids(admin)).toEqual([])
    expect(await ids(admin, { user_id: bob.id })).toEqual([second.id])
    expect(await ids(admin, { user_id: 'all' })).toEqual(expect.arrayContaining([first.id, second.id]))
    await expectRefusal(listTokens.execute(as(ann), {}, { user_id: bob.id }), 'forbidden')
    await expectRefusal(listTokens.execute(as(ann), {}, { user_id: 'all' }), 'forbidden')
  })

  it('are revoked by their owner or an administrator; for anybody else they do not exist', async () => {
    const [admin, ann, bob] = [await makeUser({ role: 'administrator' }), await makeUser(), await makeUser()]
    const [first, second] = [await makeToken(ann), await makeToken(ann)]
    await expectRefusal(revokeToken.execute(as(bob), { token_id: first.id }), 'not_found')
    expect(await revokeToken.execute(as(ann), { token_id: first.id })).toMatchObject({ status: 'revoked' })
    expect(await revokeToken.execute(as(admin), { token_id: second.id })).toMatchObject({ status: 'revoked' })
    for (const token_id of [nowhere, 'x']) {
      await expectRefusal(revokeToken.execute(as(admin), { token_id }), 'not_found')
    }
  })

  it('are revoked once, however often it is asked', async () => {
    const ann = await makeUser()
    const token = await makeToken(ann)
    const [one, two] = await Promise.all([1, 2].map(() => revokeToken.execute(as(ann), { token_id: token.id })))
    expect(two).toEqual(one)
    const later = as(ann, { now: new Date(Date.now() + 60_000) })
    expect(await revokeToken.execute(later, { token_id: token.id })).toEqual(one)
    expect(await eventsAbout(token.id)).toMatchObject([{ type: 'token.revoked' }])
  })
})
