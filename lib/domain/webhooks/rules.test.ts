import { createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { classifyResponse, HOUR, hasFailedTooLong, parseRetryAfter, SCHEDULE, signedHeaders } from './rules'

const now = new Date('2026-11-21T12:00:00Z')

describe('a signature', () => {
  it('is the one the specification gives as its example', () => {
    // Standard Webhooks, test vector of the reference libraries.
    const headers = signedHeaders('msg_p5jXN8AQM9LWM0D4loKWxJek', new Date(1614265330_000), '{"test": 2432232314}', [
      'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
    ])
    expect(headers['webhook-signature']).toBe('v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=')
    expect(headers['webhook-timestamp']).toBe('1614265330')
  })

  it('is made by both secrets while one replaces the other', () => {
    const secrets = ['whsec_bmV3', 'whsec_b2xk']
    const { 'webhook-signature': both = '' } = signedHeaders('msg_1', now, '{}', secrets)
    const expected = ['new', 'old'].map(
      (key) =>
        `v1,${createHmac('sha256', key)
          .update(`msg_1.${now.getTime() / 1000}.{}`)
          .digest('base64')}`,
    )
    expect(both.split(' ')).toEqual(expected)
  })
})

describe('a response', () => {
  const classify = (status: number | null, { step = 1, retryAfter = null as string | null, chance = 0 } = {}) =>
    classifyResponse({ status, retryAfter }, step, now, chance)

  it('is success from 200 to 299 and nowhere else', () => {
    for (const status of [200, 201, 204, 299]) expect(classify(status)).toEqual({ kind: 'delivered' })
    for (const status of [null, 100, 199, 300, 301, 302, 304, 307, 400, 401, 404, 500, 502])
      expect(classify(status).kind).toBe('retry')
  })

  it('of 410 ends it at once', () => expect(classify(410)).toEqual({ kind: 'gone' }))

  it('is waited for by the schedule, spread over a tenth, until it ends', () => {
    for (const [step, wait] of SCHEDULE.entries()) {
      if (step === 0) continue
      for (const chance of [0, 0.5, 1]) {
        const outcome = classify(500, { step, chance })
        expect(outcome).toMatchObject({ kind: 'retry', at: new Date(now.getTime() + wait * (1 + chance / 10)) })
      }
    }
    expect(classify(500, { step: SCHEDULE.length })).toEqual({ kind: 'exhausted' })
  })

  it('may ask for a pause, in seconds or by date, of a day at most', () => {
    const at = (ms: number) => new Date(now.getTime() + ms)
    expect(classify(429, { retryAfter: '120' })).toEqual({ kind: 'retry', at: at(120_000), pausesAll: true })
    expect(classify(503, { retryAfter: '120' })).toEqual({ kind: 'retry', at: at(120_000), pausesAll: true })
    expect(classify(503)).toEqual({ kind: 'retry', at: at(5_000), pausesAll: false })
    // Not what a failure says, and never sooner than the schedule.
    expect(classify(500, { retryAfter: '120' })).toMatchObject({ at: at(5_000), pausesAll: false })
    expect(classify(429, { retryAfter: '1' })).toMatchObject({ at: at(5_000) })
    expect(parseRetryAfter('Sat, 21 Nov 2026 12:10:00 GMT', now)).toEqual(at(600_000))
    expect(parseRetryAfter('999999999', now)).toEqual(at(24 * HOUR))
    for (const nonsense of ['', '-5', 'soon', '0', '1e9', 'Sat, 21 Nov 2020 12:10:00 GMT'])
      expect(parseRetryAfter(nonsense, now)).toBeNull()
  })
})

it('an endpoint is given up after five days without success', () => {
  const before = (hours: number) => new Date(now.getTime() - hours * HOUR)
  expect(hasFailedTooLong(null, now)).toBe(false)
  expect(hasFailedTooLong(before(119), now)).toBe(false)
  expect(hasFailedTooLong(before(120), now)).toBe(true)
})
