import { createHmac, randomBytes } from 'node:crypto'

/** Standard Webhooks 1.0 (standardwebhooks.com): who signs how, what counts as delivered, and when to try again. */

const SECOND = 1_000
const MINUTE = 60 * SECOND
export const HOUR = 60 * MINUTE

/** Waits before each attempt, milliseconds: the schedule the specification suggests. */
export const SCHEDULE = [
  0,
  5 * SECOND,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
]
/** How long the secret before still signs after a rotation. */
export const ROTATION_MS = 24 * HOUR
/** An endpoint where nothing got through for so long is disabled. */
const GIVE_UP_MS = 5 * 24 * HOUR
/** An attempt is over by then, or its process died. The request itself may take 20 s. */
export const LEASE_MS = 45 * SECOND
const LONGEST_PAUSE_MS = 24 * HOUR

export const newSecret = () => `whsec_${randomBytes(32).toString('base64')}`

/** The headers of one attempt: a signature by each secret over id, time and body. `now`: of the attempt. */
export function signedHeaders(id: string, now: Date, body: string, secrets: string[]): Record<string, string> {
  const timestamp = String(Math.floor(now.getTime() / 1000))
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
    return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`
  })
  return {
    'content-type': 'application/json; charset=utf-8',
    'user-agent': 'Greenroom-Webhooks/1.0',
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures.join(' '),
  }
}

/** The same over all attempts of a delivery, so that a receiver can recognise a repetition. */
export const messageId = (deliveryId: string) => `msg_${deliveryId.replaceAll('-', '')}`

/** Seconds or an HTTP date (RFC 9110 section 10.2.3), as a time; null when it says nothing that makes sense. */
export function parseRetryAfter(text: string | null, now: Date): Date | null {
  if (!text) return null
  const ms = /^\d{1,9}$/.test(text.trim()) ? Number(text) * SECOND : Date.parse(text) - now.getTime()
  if (!Number.isFinite(ms) || ms <= 0) return null
  return new Date(now.getTime() + Math.min(ms, LONGEST_PAUSE_MS))
}

export type Outcome =
  | { kind: 'delivered' }
  | { kind: 'gone' }
  | { kind: 'retry'; at: Date; pausesAll: boolean }
  | { kind: 'exhausted' }

/**
 * What follows from a response. `step` counts the attempts of this series, this one included; `chance` from 0 to 1 spreads
 * deliveries that failed together over a tenth of their wait.
 */
export function classifyResponse(
  response: { status: number | null; retryAfter: string | null },
  step: number,
  now: Date,
  chance: number,
): Outcome {
  const { status } = response
  if (status !== null && status >= 200 && status < 300) return { kind: 'delivered' }
  if (status === 410) return { kind: 'gone' }
  const wait = SCHEDULE[step]
  if (wait === undefined) return { kind: 'exhausted' }
  const planned = now.getTime() + wait * (1 + chance / 10)
  const asked = status === 429 || status === 503 ? parseRetryAfter(response.retryAfter, now) : null
  const at = new Date(Math.max(planned, asked?.getTime() ?? 0))
  return { kind: 'retry', at, pausesAll: status === 429 || asked !== null }
}

export const hasFailedTooLong = (failingSince: Date | null, now: Date) =>
  failingSince !== null && now.getTime() - failingSince.getTime() >= GIVE_UP_MS
