import { createHash } from 'node:crypto'
import { hash } from '@node-rs/argon2'
import { beforeEach, describe, expect, it } from 'vitest'
import { database } from '@/db/client'
import { emptyTables } from '@/db/testing'
import { makeUser } from '@/fixtures/factories'
import { authOptions } from './auth'
import { LIMITS, takeShared } from './domain/kernel/rate-limit'
// Gives this file a database, a secret and an address.
import './http/testing'

process.env.RATE_LIMITS = 'on'
beforeEach(emptyTables)

/** What the sign-in form asks for: the account when the password is right. */
async function signIn(email: string, password: string, address: string | null = null) {
  const [byPassword] = authOptions(address).providers as unknown as {
    options: { authorize(credentials: object): Promise<{ id: string; sessionVersion: number } | null> }
  }[]
  if (!byPassword) throw new Error('There is no sign-in by password.')
  return byPassword.options.authorize({ email, password })
}

describe('signing in with a password', () => {
  it('needs the right one, whatever the case of the address', async () => {
    const user = await makeUser({
      email: 'Ann@example.test',
      passwordHash: await hash('her password'),
      sessionVersion: 4,
    })
    expect(await signIn(' ann@EXAMPLE.test ', 'her password')).toEqual({ id: user.id, sessionVersion: 4 })
    expect(await signIn('ann@example.test', 'Her password')).toBeNull()
    expect(await signIn('ann@example.test', '')).toBeNull()
  })

  it('is not for people who are disabled, have no password or do not exist', async () => {
    const passwordHash = await hash('her password')
    await makeUser({ email: 'gone@example.test', passwordHash, disabledAt: new Date() })
    await makeUser({ email: 'sso@example.test', passwordHash: null })
    for (const email of ['gone@example.test', 'sso@example.test', 'unknown@example.test']) {
      expect(await signIn(email, 'her password')).toBeNull()
      expect(await signIn(email, '')).toBeNull()
    }
  })

  it('is slowed down for an account that is guessed at, from wherever', async () => {
    await makeUser({ email: 'ann@example.test', passwordHash: await hash('her password') })
    expect(await signIn('ann@example.test', 'a guess', '203.0.113.1')).toBeNull()
    // As if all had come a little later, so that no time passes in between.
    const later = { pool: database().db, now: new Date(Date.now() + 5_000), ports: { limitsRates: true } }
    const account = createHash('sha256').update('ann@example.test').digest('hex')
    for (let i = 0; i < LIMITS.signInAccount.burst; i++) {
      await takeShared(later, LIMITS.signInAccount, account)
    }
    await expect(signIn('ANN@example.test', 'her password', '203.0.113.99')).rejects.toThrow('rate_limited')
  })

  it('is slowed down where an account is guessed at, and for its owner elsewhere it is not', async () => {
    await makeUser({ email: 'ann@example.test', passwordHash: await hash('her password') })
    for (let i = 0; i < 10; i++) expect(await signIn('ann@example.test', 'a guess', '203.0.113.1')).toBeNull()
    await expect(signIn('ann@example.test', 'her password', '203.0.113.1')).rejects.toThrow('rate_limited')
    for (let i = 0; i < 12; i++) expect(await signIn('ann@example.test', 'her password', '203.0.113.2')).not.toBeNull()
  })

  it('takes no address that no database can hold', async () => {
    expect(await signIn('ann\0@example.test', 'her password')).toBeNull()
    expect(await signIn('ann\ud800@example.test', 'her password')).toBeNull()
  })

  it('is slowed down for an address that guesses at many accounts', async () => {
    expect(await signIn('one@example.test', 'a guess', '203.0.113.7')).toBeNull()
    // As if all had come a little later, so that no time passes in between.
    const later = { pool: database().db, now: new Date(Date.now() + 5_000), ports: { limitsRates: true } }
    for (let i = 0; i < LIMITS.signInAddress.burst; i++) {
      await takeShared(later, LIMITS.signInAddress, '203.0.113.7')
    }
    await expect(signIn('another@example.test', 'a guess', '203.0.113.7')).rejects.toThrow('rate_limited')
    expect(await signIn('another-one@example.test', 'a guess', '203.0.113.8')).toBeNull()
  })
})

describe('signing in through an identity provider', () => {
  const { signIn: mayEnter, jwt } = authOptions().callbacks ?? {}
  const enter = (profile: object) =>
    mayEnter?.({ account: { provider: 'oidc' }, profile, user: {} } as Parameters<typeof mayEnter>[0])

  it('needs an account here, and an address the provider has verified', async () => {
    await makeUser({ email: 'ann@example.test' })
    await makeUser({ email: 'gone@example.test', disabledAt: new Date() })
    expect(await enter({ email: 'Ann@example.test', email_verified: true })).toBe(true)
    for (const profile of [
      { email: 'ann@example.test' },
      { email: 'ann@example.test', email_verified: false },
      { email: 'ann@example.test', email_verified: 'true' },
      { email: 'gone@example.test', email_verified: true },
      { email: 'unknown@example.test', email_verified: true },
      { email_verified: true },
    ]) {
      expect(await enter(profile)).toBe(false)
    }
  })

  it('leads to the account of that address, with the session it has now', async () => {
    const user = await makeUser({ email: 'ann@example.test', sessionVersion: 3 })
    const token = await jwt?.({
      token: {},
      account: { provider: 'oidc' },
      profile: { email: 'ann@example.test' },
    } as Parameters<typeof jwt>[0])
    expect(token).toEqual({ sub: user.id, sessionVersion: 3, sid: expect.any(String) })
  })
})
