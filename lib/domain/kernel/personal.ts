import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { inArray } from 'drizzle-orm'
import type { Executor } from '@/db/client'
import { personKeys } from '@/db/schema/events'
import { ERASED_PERSON, type EventType } from '@/lib/vocabulary'
import type { Actor, UserActor } from './permissions'

/**
 * What an event says of a person is stored sealed under a key of that person's own (AES-256-GCM), and the chain over the audit
 * trail hashes the sealed text. Without the key it cannot be read, and the chain still verifies.
 */

/** Begins what is sealed; events of earlier versions hold clear text. */
const SEALED = 'sealed:1:'

/** Whom a text is about: who did it, what it happened to, or the person whose id another field of the data holds. */
type Owner = 'actor' | 'subject' | { field: string }

/** The fields of an event's data that name a person; who has no account is known by the estimate or the link. */
const PERSONAL: Partial<Record<EventType, Record<string, Owner>>> = {
  'user.created': { name: 'subject', email: 'subject' },
  'user.updated': {
    name: 'subject',
    'before.name': 'subject',
    'before.email': 'subject',
    'after.name': 'subject',
    'after.email': 'subject',
  },
  'user.reset_link_created': { name: 'subject' },
  'member.added': { name: 'subject' },
  'member.removed': { name: 'subject' },
  'mail.sent': { to: 'subject' },
  'token.created': { user: { field: 'user_id' } },
  'comment.deleted': { author: { field: 'author_id' } },
  'review_link.created': { name: 'subject' },
  'review_link.updated': { name: 'subject' },
  'review_link.deactivated': { name: 'subject' },
  'share_link.created': { to: 'subject' },
  'share_link.updated': { to: 'subject' },
  'share_link.deactivated': { to: 'subject' },
  'estimate.submitted': { 'next.user.name': { field: 'next.user.id' } },
  'estimate.step_approved': { 'next.user.name': { field: 'next.user.id' } },
  'estimate.revision_discarded': { 'next.user.name': { field: 'next.user.id' } },
  'estimate.approved': { client: 'subject', recorded_by: 'actor' },
  'estimate.rejected': { client: 'subject', rejected_by: 'actor' },
}

/** What of an event is sealed, and what says whom it is about. */
export type Sealable = {
  type: EventType
  actorType: string
  actorId: string | null
  subjectId: string | null
  actorName: string
  address: string | null
  data: Record<string, unknown>
}

/** The keys of persons: null for one who was erased. */
export type PersonKeys = ReadonlyMap<string, Buffer | null>

function ownerOf(event: Omit<Sealable, 'actorName' | 'address'>, owner: Owner): string | null {
  // An upload link is no person, and its sender is not known.
  if (owner === 'actor') return ['user', 'client', 'guest'].includes(event.actorType) ? event.actorId : null
  if (owner === 'subject') return event.subjectId
  const id = read(event.data, owner.field)
  return typeof id === 'string' ? id : null
}

const fieldsOf = (type: EventType) => Object.entries(PERSONAL[type] ?? {})

function read(data: Record<string, unknown>, path: string): unknown {
  return path.split('.').reduce<unknown>((at, key) => (isObject(at) ? at[key] : undefined), data)
}

/** A copy with the text at the path replaced. */
function written(data: Record<string, unknown>, path: string, text: string): Record<string, unknown> {
  const [key = '', ...rest] = path.split('.')
  const inner = data[key]
  return { ...data, [key]: rest.length > 0 && isObject(inner) ? written(inner, rest.join('.'), text) : text }
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

/** The persons whom something of the event is about. */
export function personsIn(event: Omit<Sealable, 'actorName' | 'address'>): string[] {
  const owners = fieldsOf(event.type).flatMap(([path, owner]) =>
    typeof read(event.data, path) === 'string' ? (ownerOf(event, owner) ?? []) : [],
  )
  return [...new Set([ownerOf(event, 'actor') ?? [], owners].flat())]
}

/** The event with each personal text run through `turn`, which gets the key of its person. */
function turned<E extends Sealable>(
  event: E,
  keys: PersonKeys,
  turn: (key: Buffer | null, text: string) => string | null,
): E {
  const actorKey = keyOf(keys, ownerOf(event, 'actor'))
  const of = (text: string) => (actorKey === undefined ? text : turn(actorKey, text))
  const data = fieldsOf(event.type).reduce((so, [path, owner]) => {
    const text = read(so, path)
    const key = keyOf(keys, ownerOf(event, owner))
    return typeof text === 'string' && key !== undefined ? written(so, path, turn(key, text) ?? ERASED_PERSON) : so
  }, event.data)
  return {
    ...event,
    actorName: of(event.actorName) ?? ERASED_PERSON,
    address: event.address === null ? null : of(event.address),
    data,
  }
}

const keyOf = (keys: PersonKeys, person: string | null) => (person === null ? undefined : keys.get(person))

export const sealEvent = <E extends Sealable>(event: E, keys: PersonKeys): E =>
  turned(event, keys, (key, text) => (key ? seal(key, text) : ERASED_PERSON))

/** The event as it is read: an erased person's texts are gone, also those an earlier version stored in clear. */
export const openEvent = <E extends Sealable>(event: E, keys: PersonKeys): E =>
  turned(event, keys, (key, text) => (key ? open(key, text) : null))

function seal(key: Buffer, text: string): string {
  const iv = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', key, iv)
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return SEALED + Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64url')
}

/** Null for what the key does not open: it was sealed under one that is gone. */
function open(key: Buffer, text: string): string | null {
  if (!text.startsWith(SEALED)) return text
  const bytes = Buffer.from(text.slice(SEALED.length), 'base64url')
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, 12))
    decipher.setAuthTag(bytes.subarray(12, 28))
    return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString('utf8')
  } catch {
    return null
  }
}

async function findKeys(db: Executor, persons: readonly string[]): Promise<Map<string, Buffer | null>> {
  if (persons.length === 0) return new Map()
  const rows = await db
    .select()
    .from(personKeys)
    .where(inArray(personKeys.personId, [...persons]))
  return new Map(rows.map(({ personId, key }) => [personId, key]))
}

/** Keys that were read when it was found out who acts. Held apart from the actor, which is shown and logged. */
const keysOfActors = new WeakMap<Actor, PersonKeys>()

/** For the rest of a request: the key of who acts, so that it is not asked for again. */
export function rememberKey(actor: UserActor, key: Buffer | null) {
  if (key) keysOfActors.set(actor, new Map([[actor.id, key]]))
}

export const knownKeyOf = (actor: Actor): PersonKeys => keysOfActors.get(actor) ?? new Map()

/** The same; who has no key yet gets one. `known`: need not be read. */
export async function ensureKeys(
  db: Executor,
  persons: readonly string[],
  known: PersonKeys = new Map(),
): Promise<PersonKeys> {
  if (persons.every((id) => known.has(id))) return known
  const found = await findKeys(db, persons)
  const without = persons.filter((id) => !found.has(id)).sort()
  if (without.length === 0) return found
  const made = await db
    .insert(personKeys)
    .values(without.map((personId) => ({ personId, key: randomBytes(32) })))
    .onConflictDoNothing()
    .returning()
  for (const { personId, key } of made) found.set(personId, key)
  // One that another transaction made first.
  return made.length === without.length ? found : findKeys(db, persons)
}

/** Events as they are read. */
export async function openEvents<E extends Sealable>(db: Executor, events: readonly E[]): Promise<E[]> {
  const keys = await findKeys(db, [...new Set(events.flatMap(personsIn))])
  return events.map((event) => openEvent(event, keys))
}
