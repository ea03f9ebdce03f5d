import { describe, expect, it } from 'vitest'
import { database } from '@/db/client'
import { expectRefusal } from '../testing'
import { assertNotExhausted, type Limit, takeLocal, takeShared } from './rate-limit'

const limit: Limit = { name: 'test', burst: 5, perSeconds: 10 }
const start = new Date('2026-05-01T12:00:00.000Z')
const later = (seconds: number) => new Date(start.getTime() + seconds * 1000)
const local = async (subject: string, now: Date) => takeLocal(limit, subject, now)
const shared = (subject: string, now: Date) => takeShared(database().db, limit, subject, now)

describe.each([
  ['in the memory of the process', local],
  ['over all processes', shared],
])('a limit %s', (where, take) => {
  it('lets a burst through, then one at its pace, and says how long to wait', async () => {
    const subject = `${where} pace`
    for (let i = 0; i < 5; i++) await take(subject, start)
    const refused = await expectRefusal(take(subject, start), 'rate_limited')
    expect(refused.facts.retryAfter).toBe(2)
    expect(refused.facts.headers).toMatchObject({ 'RateLimit-Policy': '"test";q=5;w=10' })
    await expectRefusal(take(subject, later(1.9)), 'rate_limited')
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

describe('looking without taking', () => {
  it('refuses only when nothing is left, and uses nothing up', async () => {
    const look = () => assertNotExhausted(database().db, limit, 'looked at', start)
    for (let i = 0; i < 5; i++) {
      await look()
      await look()
      await shared('looked at', start)
    }
    await expectRefusal(look(), 'rate_limited')
  })
})
