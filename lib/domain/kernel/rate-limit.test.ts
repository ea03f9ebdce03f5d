import { describe, expect, it } from 'vitest'
import { database } from '@/db/client'
import { as, expectRefusal, portsOf } from '../testing'
import { notFound } from './errors'
import { findByLink, giveBack, LIMITS, type Limit, takeLocal, takeShared } from './rate-limit'

const limit: Limit = { name: 'test', burst: 5, perSeconds: 10 }
const start = new Date('2026-05-01T12:00:00.000Z')
const later = (seconds: number) => new Date(start.getTime() + seconds * 1000)
const at = (now: Date) => ({ pool: database().db, now, ports: portsOf() })
const local = async (subject: string, now: Date) => takeLocal(at(now), limit, subject)
const shared = (subject: string, now: Date) => takeShared(at(now), limit, subject)

describe.each([
  ['in the memory of the process', local],
  ['over all processes', shared],
])('a limit %s', (where, take) => {
  it('lets a burst through, then one at its pace, and says how long to wait', async () => {
    const subject = `${where} pace`
    for (let i = 0; i < 5; i++) await take(subject, start)
    const refused = await expectRefusal(take(subject, start), 'rate_limited')
    expect(refused.facts.retryAfter).toBe(2)
    expect(refused.facts.limit).toEqual(limit)
    expect((await expectRefusal(take(subject, later(0.5)), 'rate_limited')).facts.retryAfter).toBe(2)
    expect((await expectRefusal(take(subject, later(1.9)), 'rate_limited')).facts.retryAfter).toBe(1)
    await take(subject, later(2))
    await expectRefusal(take(subject, later(2)), 'rate_limited')
    for (let i = 0; i < 5; i++) await take(subject, later(60))
  })

  it('holds for one, not for another', async () => {
    for (let i = 0; i < 5; i++) await take(`${where} one`, start)
    await take(`${where} other`, start)
    await expectRefusal(take(`${where} one`, start), 'rate_limited')
  })

  it('lets exactly the burst through when all come at once', async () => {
    const all = await Promise.allSettled(Array.from({ length: 20 }, () => take(`${where} at once`, start)))
    expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(5)
  })
})

describe('what counts only its failures', () => {
  it('is counted first, so that many at once are no way around, and given back when it was none', async () => {
    const guess = () => shared('guessed at', start)
    for (let i = 0; i < 20; i++) {
      await guess()
      await giveBack(at(start), limit, 'guessed at')
    }
    for (let i = 0; i < 5; i++) await guess()
    await expectRefusal(guess(), 'rate_limited')
  })
})

describe('links', () => {
  const asker = as('anonymous', { address: '203.0.113.9', now: start })
  const open = (token: string) =>
    findByLink(
      asker,
      async () => {
        if (token !== 'good') throw notFound('link')
        return { id: 'the link' }
      },
      ({ id }) => id,
    )

  it('of a good token open although unknown ones of the same address are refused', async () => {
    for (let i = 0; i < LIMITS.unknownLink.burst; i++) await expectRefusal(open('bad'), 'not_found')
    await expectRefusal(open('bad'), 'rate_limited')
    expect(await open('good')).toEqual({ id: 'the link' })
  })

  it('have a budget of their own, for each address', async () => {
    const another = { ...asker, address: '203.0.113.10' }
    const openAs = (ctx: typeof asker) =>
      findByLink(
        ctx,
        async () => ({ id: 'busy' }),
        ({ id }) => id,
      )
    for (let i = 0; i < LIMITS.knownLink.burst; i++) await openAs(asker)
    await expectRefusal(openAs(asker), 'rate_limited')
    await openAs(another)
  })
})
