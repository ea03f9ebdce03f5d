import { and, desc, eq, inArray, sql } from 'drizzle-orm'
import type { z } from 'zod'
import type { Database, Executor } from '@/db/client'
import { events } from '@/db/schema/events'
import { span } from '@/lib/tracing'
import { AUDIT_TYPES, EVENT_TYPES } from '@/lib/vocabulary'
import { isRetryable } from './database-errors'
import { DomainError } from './errors'
import type { Beside, EventFact, RecordedEvent } from './events'
import { insertEvent } from './events'
import { enqueueing, enqueueJobs, type Job, type JobOptions, type QueuedJob } from './jobs'
import { type Actor, allow, assertMayWrite, type Permission, unauthenticated } from './permissions'
import { openEvents } from './personal'
import type { InstantPorts, Ports } from './ports'
import { parseInput } from './shapes'

/** Who asks, when, and what the operation may use. Entry points make it; operations never read a clock or a global. */
export type Context = {
  actor: Actor
  now: Date
  requestId: string
  address: string | null
  /** What the caller demands of the resource as it is now, such as that it is still what they read. */
  precondition: ((resource: unknown) => boolean) | null
  /** What the caller presents besides who it is. */
  credentials: Credentials
  db: Database
  ports: Ports
  /** The job that every event of its type enqueues: written with the event, by one statement. */
  jobOf: (fact: EventFact) => QueuedJob | null
  /** What else follows from an event, inside the same transaction. */
  react: (tx: Tx, event: RecordedEvent) => Promise<void>
}

export type Credentials = {
  /** Names the upload session a file through a link belongs to. */
  uploadSession: string | null
  /** The password of a link, or the key a browser got for having typed it. */
  linkPassword: string | null
  linkKey: string | null
}

/**
 * A context inside its transaction (queries: on the pool). While it is open, locks are held: what takes long is done before
 * (`prepare`) or after (a job), and cannot be reached from here.
 */
export type Tx = Omit<Context, 'db' | 'jobOf' | 'react' | 'precondition' | 'ports'> & {
  ports: InstantPorts
  db: Executor
  /** Outside any transaction: for counters, which hold even when the command is refused. */
  pool: Database
  /** Which attempt at the transaction this is; from the second on, nothing that was read before it is relied on. */
  attempt: number
  /** Others write beside it in the same transaction: what depends on the order of statements ends with `ReadAgain`. */
  isShared: boolean
  /** Writes the event and everything that follows from it. `beside`: written by the same statement. */
  record(fact: EventFact, beside?: readonly Beside[]): Promise<RecordedEvent>
  /** Enqueues a job that runs if, and only if, the transaction commits. */
  enqueue(task: string, payload: Record<string, unknown>, options?: JobOptions & { key?: string }): Promise<void>
  /** Many of one task in one statement. */
  enqueueAll(task: string, jobs: Job[], options?: JobOptions): Promise<void>
}

/** Finds what the path names, as the actor may see it; throws `not_found` otherwise. `lock` holds it for a command. */
export type Finder<P extends string, S> = {
  params: readonly P[]
  find(tx: Tx, params: Record<P, string>, lock: boolean): Promise<S>
}

type Spec<P extends string, S, I extends z.ZodType, A> = {
  name: string
  /** One line for the API reference. */
  summary: string
  /** The permission, or `anyone` when the path itself carries the right (public links) or nothing is secret. */
  permission: Permission | 'anyone'
  /** Asked by `run` itself, once what the body or query names is found; the API reference shows this one. */
  laterPermission?: Permission
  resource?: Finder<P, S>
  /** For paths that carry their own right: who acts, read from the path. The entry point asks before it runs the operation. */
  authenticateAs?: (ctx: Context, params: Record<P, string>) => Promise<Actor>
  /** One strict object: the query of a query, the body of a command. */
  input?: I
  /** The shape of the response, for the API description and the tests. */
  output?: z.ZodType<A>
}

type QuerySpec<P extends string, S, I extends z.ZodType, A> = Spec<P, S, I, A> & {
  /** A single resource, of which a caller may demand later that it is still what they read. */
  isVersioned?: boolean
  /** Its input comes as a body (a dry run, POST), not in the query string. */
  inputInBody?: boolean
  run(tx: Tx, found: { resource: S; input: z.output<I> }): Promise<A>
}

type CommandSpec<P extends string, S, I extends z.ZodType, A, R> = Spec<P, S, I, A> & {
  /** The path of what was created. */
  created?: (result: A, params: Record<P, string>) => string
  /** The resource as its query shows it, read under the lock for the caller's precondition. */
  conditional?: (tx: Tx, resource: S) => Promise<unknown>
  /** What changed it since the caller read it, as a sentence, where that is known better than "it was changed". */
  whyStale?: (tx: Tx, resource: S) => Promise<string | null>
  /** Slow work outside the transaction: bytes, decoding. What it returns reaches `run`. */
  prepare?: (ctx: Context, found: { resource: S; input: z.output<I> }) => Promise<R>
  run(tx: Tx, found: { resource: S; input: z.output<I>; prepared: R }): Promise<A>
}

export type Hooks = {
  /** Of an intake: what is written with its event, by one statement, when the response is known. */
  beside?: (tx: Tx, result: unknown) => Beside[]
  /** Last words inside the transaction, when the response is known. */
  beforeCommit?: (tx: Tx, result: unknown) => Promise<void>
}

/** What was read before the transaction holds no longer: it is tried again, and reads it under its locks. */
export class ReadAgain extends Error {}

/** An operation on what `P` names: takes what the shape `I` reads, returns `A`. */
export type Operation<P extends string = string, A = unknown, I extends z.ZodType = z.ZodType> = {
  kind: 'query' | 'command'
  name: string
  summary: string
  permission: Permission | 'anyone'
  laterPermission?: Permission
  params: readonly P[]
  authenticateAs?: (ctx: Context, params: Record<P, string>) => Promise<Actor>
  input?: I
  output?: z.ZodType<A>
  isVersioned: boolean
  inputInBody: boolean
  conditional: boolean
  created?: (result: A, params: Record<P, string>) => string
  execute(ctx: Context, params: Record<P, string>, input?: unknown, hooks?: Hooks): Promise<A>
}

// biome-ignore lint/suspicious/noExplicitAny: entry points handle operations of every shape alike
export type AnyOperation = Operation<any, any>

/** Defines an operation that changes nothing. */
export function query<A, P extends string = never, S = undefined, I extends z.ZodType = z.ZodUndefined>(
  spec: QuerySpec<P, S, I, A>,
): Operation<P, A, I> {
  async function read(ctx: Context, params: Record<P, string>, input: unknown) {
    authenticate(ctx.actor, spec.permission)
    const tx = reading(ctx)
    const resource = await find(tx, spec, params, false)
    permit(ctx.actor, spec.permission)
    const parsed = parseInput(spec.input, input, spec.inputInBody ? 'validation_failed' : 'invalid_query')
    try {
      return await spec.run(tx, { resource, input: parsed })
    } catch (error) {
      // Deleted while it was read, it is not there; searching for it once more says so.
      if (!(error instanceof DomainError)) await find(tx, spec, params, false)
      throw error
    }
  }

  return {
    ...outline(spec, 'query'),
    isVersioned: spec.isVersioned ?? false,
    inputInBody: spec.inputInBody ?? false,
    conditional: false,
    execute: (ctx, params, input) => span(spec.name, () => read(ctx, params, input)),
  }
}

/** Defines an operation that changes something: one transaction, in which everything happens or nothing. */
export function command<
  A,
  P extends string = never,
  S = undefined,
  I extends z.ZodType = z.ZodUndefined,
  R = undefined,
>(spec: CommandSpec<P, S, I, A, R>): Operation<P, A, I> {
  async function write(ctx: Context, params: Record<P, string>, input: unknown, prepared: R, hooks?: Hooks) {
    return transact(ctx, async (tx) => {
      const resource = await find(tx, spec, params, true)
      permit(ctx.actor, spec.permission)
      const parsed = parseInput(spec.input, input, 'validation_failed')
      const now = spec.conditional && ctx.precondition ? await spec.conditional(tx, resource) : undefined
      if (now !== undefined && !ctx.precondition?.(now))
        throw new DomainError('stale', (await spec.whyStale?.(tx, resource)) ?? STALE, {
          changedBy: await lastEditor(tx, now),
        })
      const result = await spec.run(tx, { resource, input: parsed, prepared })
      await hooks?.beforeCommit?.(tx, result)
      return result
    })
  }

  async function execute(ctx: Context, params: Record<P, string>, input: unknown, hooks?: Hooks) {
    authenticate(ctx.actor, spec.permission)
    assertMayWrite(ctx.actor)
    let prepared = undefined as R
    if (spec.prepare) {
      const resource = await find(reading(ctx), spec, params, false)
      permit(ctx.actor, spec.permission)
      prepared = await spec.prepare(ctx, { resource, input: parseInput(spec.input, input, 'validation_failed') })
    }
    return write(ctx, params, input, prepared, hooks)
  }

  return {
    ...outline(spec, 'command'),
    isVersioned: false,
    inputInBody: true,
    conditional: spec.conditional !== undefined,
    created: spec.created,
    execute: (ctx, params, input, hooks) => span(spec.name, () => execute(ctx, params, input, hooks)),
  }
}

function outline<P extends string, S, I extends z.ZodType, A>(spec: Spec<P, S, I, A>, kind: 'query' | 'command') {
  return {
    kind,
    name: spec.name,
    summary: spec.summary,
    permission: spec.permission,
    laterPermission: spec.laterPermission,
    params: spec.resource?.params ?? [],
    authenticateAs: spec.authenticateAs,
    input: spec.input,
    output: spec.output,
  }
}

/** @throws `unauthenticated` for an actor who is not signed in, where a permission is needed */
export function authenticate(actor: Actor, permission: Permission | 'anyone') {
  if (permission !== 'anyone' && actor.type !== 'user' && actor.type !== 'system') throw unauthenticated()
}

/** @throws `forbidden` for who has not the permission, where one is needed */
export function permit(actor: Actor, permission: Permission | 'anyone') {
  if (permission !== 'anyone') allow(actor, permission)
}

async function find<P extends string, S>(
  tx: Tx,
  spec: { resource?: Finder<P, S> },
  params: Record<P, string>,
  lock: boolean,
) {
  return spec.resource ? spec.resource.find(tx, params, lock) : (undefined as S)
}

/** A context for reading on the pool. Recording from it is a mistake of the programmer. */
export function reading(ctx: Context): Tx {
  const refuse = () => Promise.reject(new Error('A query cannot record events or enqueue jobs.'))
  return {
    ...ctx,
    db: ctx.db,
    pool: ctx.db,
    attempt: 1,
    isShared: false,
    record: refuse,
    enqueue: refuse,
    enqueueAll: refuse,
  }
}

/** A context for writing in the open transaction of another. */
export const writingIn = (tx: Tx, ctx: Context): Tx => writing(ctx, tx.db, tx.attempt, true)

/** A context for writing in an open transaction. */
function writing(ctx: Context, executor: Executor, attempt: number, isShared = false): Tx {
  const tx: Tx = {
    ...ctx,
    db: executor,
    pool: ctx.db,
    attempt,
    isShared,
    async record(fact, beside = []) {
      const queued = ctx.jobOf(fact)
      const event = await insertEvent(tx, fact, queued ? [...beside, besideEvent(executor, queued, ctx.now)] : beside)
      await ctx.react(tx, event)
      return event
    },
    enqueue: (task, payload, { key, ...options } = {}) =>
      enqueueJobs(executor, task, [key ? { payload, key } : { payload }], ctx.now, options),
    enqueueAll: (task, jobs, options) => enqueueJobs(executor, task, jobs, ctx.now, options),
  }
  return tx
}

function besideEvent(executor: Executor, { task, job, options }: QueuedJob, now: Date): Beside {
  const part = executor.$with('job', { count: sql<number>`count` }).as(enqueueing(task, [job], now, options))
  return { part }
}

const TRANSACTION = { kind: 'client', facts: { 'db.system.name': 'postgresql' } } as const

/** Runs a piece of writing that is no operation of its own (a refusal on the audit trail, a job's bookkeeping). */
export function inTransaction<A>(ctx: Context, run: (tx: Tx) => Promise<A>, attempt = 1): Promise<A> {
  return span('transaction', () => ctx.db.transaction((executor) => run(writing(ctx, executor, attempt))), TRANSACTION)
}

/** The same, tried again when the database could not put it in order with what ran beside it. */
export async function transact<A>(ctx: Context, run: (tx: Tx) => Promise<A>): Promise<A> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await inTransaction(ctx, run, attempt)
    } catch (error) {
      if (!(isRetryable(error) || error instanceof ReadAgain) || attempt === 4) throw error
    }
  }
}

/** Waits for all of them, also where one fails: none then writes on in a transaction that has ended. @throws what the first threw */
export async function allSettled<A>(writes: readonly Promise<A>[]): Promise<A[]> {
  await Promise.allSettled(writes)
  return Promise.all(writes)
}

/** So many statements are under way at once. */
const AT_ONCE = 50

/** Writes each of many in one transaction without waiting for one another: their statements go out one behind the other. */
export async function writeEach<T>(items: readonly T[], write: (item: T) => Promise<unknown>): Promise<void> {
  for (let at = 0; at < items.length; at += AT_ONCE) await allSettled(items.slice(at, at + AT_ONCE).map(write))
}

/** For work that takes long: gives the context with `now` moved on by the time that has passed since this call. */
export function advancing(ctx: Context): () => Context {
  const began = performance.now()
  return () => ({ ...ctx, now: new Date(ctx.now.getTime() + performance.now() - began) })
}

/** Who last changed what the resource says, by hand: counts change without anybody. */
async function lastEditor({ db, actor }: Tx, resource: unknown) {
  if (resource === null || typeof resource !== 'object' || !('id' in resource) || typeof resource.id !== 'string')
    return
  const [found] = await db
    .select()
    .from(events)
    .where(and(eq(events.subjectId, resource.id), inArray(events.type, UPDATES)))
    .orderBy(desc(events.id))
    .limit(1)
  const [event] = await openEvents(db, found ? [found] : [])
  if (!event) return
  const isYou = actor.type === event.actorType && 'id' in actor && actor.id === event.actorId
  return { name: event.actorName, is_you: isYou }
}

const UPDATES = [...EVENT_TYPES, ...AUDIT_TYPES].filter((type) => type.endsWith('.updated'))

const STALE =
  'This was changed since you read it, by another user or in another window of yours. Read it again, then repeat your change on what it is now.'
