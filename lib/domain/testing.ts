import '@/db/testing'
import { asc, eq } from 'drizzle-orm'
import { afterAll, expect } from 'vitest'
import { closeDatabase, database } from '@/db/client'
import type { UserRow } from '@/db/factories'
import { events } from '@/db/schema/events'
import { explainChecks } from '@/lib/checks/settings'
import { DomainError, type ErrorCode } from './kernel/errors'
import type { Context } from './kernel/operation'
import type { Actor } from './kernel/permissions'
import type { Ports } from './kernel/ports'
import { react } from './reactions'

/** What tests of operations stand on: somebody who acts, on the real database of this test file. */

afterAll(closeDatabase)

/** The world ports, as far as a test says; touching anything else fails the test with its name. */
export function portsOf(given: Partial<Ports> = {}): Ports {
  const known: Partial<Ports> = {
    secrets: { encrypt: (text) => `sealed ${text}`, decrypt: (sealed) => sealed.replace(/^sealed /, '') },
    explainChecks,
    explainWebhookUrl: () => null,
    sendMail: null,
    baseUrl: 'http://localhost:3000',
    maxFileSize: 10 * 1024 ** 3,
    ...given,
  }
  return new Proxy(known as Ports, {
    get(target, name) {
      if (Reflect.has(target, name)) return Reflect.get(target, name)
      throw new Error(`The test used the port ${String(name)} and gave none.`)
    },
  })
}

/** A context in which this user, the system or nobody in particular acts. */
export function as(
  who: UserRow | 'system' | 'anonymous',
  given: Partial<Omit<Context, 'ports'>> & { scope?: 'read' | 'write'; ports?: Partial<Ports> } = {},
): Context {
  const { scope = 'write', ports, ...rest } = given
  return {
    actor: actorOf(who, scope),
    now: new Date(),
    requestId: 'test',
    address: null,
    ifMatch: null,
    credentials: { uploadSession: null, linkPassword: null, linkKey: null },
    db: database().db,
    ports: portsOf(ports),
    react,
    ...rest,
  }
}

function actorOf(who: UserRow | 'system' | 'anonymous', scope: 'read' | 'write'): Actor {
  if (who === 'anonymous') return { type: 'anonymous' }
  if (who === 'system') return { type: 'system', name: 'A test' }
  const { id, name, email, role } = who
  return { type: 'user', id, name, email, role, scope, via: scope === 'read' ? 'token' : 'session' }
}

/** The refusal a promise ends in; the test fails when it is fulfilled, or fails in any other way. */
export async function refusal(promise: Promise<unknown>): Promise<DomainError> {
  const outcome = await promise.then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  )
  if ('value' in outcome) throw new Error(`Expected a refusal, got ${JSON.stringify(outcome.value)}.`)
  if (!(outcome.error instanceof DomainError)) throw outcome.error
  return outcome.error
}

/** Expects the promise to be refused with this code, and with exactly these wrong fields when they are given. */
export async function expectRefusal(promise: Promise<unknown>, code: ErrorCode, fields?: string[]) {
  const refused = await refusal(promise)
  expect(refused.code).toBe(code)
  if (fields) expect(refused.facts.errors?.map(({ path }) => path).sort()).toEqual([...fields].sort())
  return refused
}

/** The events recorded about something, in their order. */
export const eventsAbout = (subjectId: string) =>
  database().db.select().from(events).where(eq(events.subjectId, subjectId)).orderBy(asc(events.sequence))
