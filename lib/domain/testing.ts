import '@/db/testing'
import { asc, eq } from 'drizzle-orm'
import { afterAll, expect } from 'vitest'
import { closeDatabase, database } from '@/db/client'
import { events } from '@/db/schema/events'
import type { UserRow } from '@/fixtures/factories'
import { Refusal } from './kernel/errors'
import type { Context } from './kernel/operation'
import type { Actor } from './kernel/permissions'
import { openEvents } from './kernel/personal'
import type { Ports } from './kernel/ports'
import { jobOf, react } from './reactions'

/** What tests of operations stand on: a user who acts, on the real database of this test file. */

afterAll(closeDatabase)

/** Ports as far as a test gives them: of each noun some, or none. */
export type PartialPorts = { [K in keyof Ports]?: Partial<Ports[K]> }

/** The given ports, and what is the same for every test. */
export function portsOf(given: PartialPorts = {}): Ports {
  const known: PartialPorts = {
    secrets: { encrypt: (text) => `sealed ${text}`, decrypt: (sealed) => sealed.replace(/^sealed /, '') },
    baseUrl: 'http://localhost:3000',
    limitsRates: true,
    ...given,
    files: { maxFileSize: 10 * 1024 ** 3, takesDirectUploads: true, ...given.files },
    mail: { isSetUp: given.mail?.send !== undefined, ...given.mail },
    webhooks: { explainUrl: () => null, ...given.webhooks },
  }
  return onlyGiven(known, 'ports') as Ports
}

/** Fails the test that uses anything else, with its name. */
function onlyGiven<T extends object>(given: T, path: string): T {
  return new Proxy(given, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name)
      if (value === undefined) throw new Error(`The test used ${path}.${String(name)} and gave none.`)
      const isNoun = value !== null && typeof value === 'object' && Object.getPrototypeOf(value) === Object.prototype
      return isNoun ? onlyGiven(value, `${path}.${String(name)}`) : value
    },
  })
}

/** A context in which this user, the system or an anonymous visitor acts. */
export function as(
  who: UserRow | 'system' | 'anonymous',
  given: Partial<Omit<Context, 'ports'>> & { scope?: 'read' | 'write'; ports?: PartialPorts } = {},
): Context {
  const { scope = 'write', ports, ...rest } = given
  return {
    actor: actorOf(who, scope),
    now: new Date(),
    requestId: 'test',
    address: null,
    precondition: null,
    credentials: { uploadSession: null, linkPassword: null, linkKey: null },
    db: database().db,
    ports: portsOf(ports),
    jobOf,
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

/** A precondition: that the resource is still what was read. */
export const unchangedSince = (read: unknown) => (now: unknown) => JSON.stringify(now) === JSON.stringify(read)

/** The refusal a promise ends in; the test fails when it is fulfilled, or fails in any other way. */
export async function refusal(promise: Promise<unknown>): Promise<Refusal> {
  const outcome = await promise.then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  )
  if ('value' in outcome) throw new Error(`Expected a refusal, got ${JSON.stringify(outcome.value)}.`)
  if (!(outcome.error instanceof Refusal)) throw outcome.error
  return outcome.error
}

/** Expects the promise to be refused with this code, and with exactly these wrong fields when they are given. */
export async function expectRefusal(promise: Promise<unknown>, code: string, fields?: string[]) {
  const refused = await refusal(promise)
  expect(refused.code).toBe(code)
  if (fields) expect(refused.facts.errors?.map(({ path }) => path).sort()).toEqual([...fields].sort())
  return refused
}

/** The events recorded about something, as they are read, in their order. */
export const eventsAbout = async (subjectId: string) =>
  openEvents(
    database().db,
    await database().db.select().from(events).where(eq(events.subjectId, subjectId)).orderBy(asc(events.sequence)),
  )
