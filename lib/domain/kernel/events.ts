import { isDeepStrictEqual } from 'node:util'
import { getTableColumns, type SQL, sql, type WithSubquery } from 'drizzle-orm'
import type { Executor } from '@/db/client'
import { newId } from '@/db/schema/columns'
import { events } from '@/db/schema/events'
import { webhooks } from '@/db/schema/webhooks'
import type { EventType, MediaKind } from '@/lib/vocabulary'
import type { Actor } from './permissions'
import { ensureKeys, knownKeyOf, personsIn, sealEvent } from './personal'

/** What happened, in the words of the operation that did it. `data` must be readable by itself, years later. */
export type EventFact = {
  type: EventType
  projectId?: string | null
  batchId?: string | null
  subjectId?: string | null
  data?: Record<string, unknown>
  /** Of its batch, where the operation has it: then it is not read again. */
  inCharge?: InCharge
  /** Of its file: for what follows from it, not stored. */
  kind?: MediaKind
}

type InCharge = { operatorId: string | null; coordinatorId: string | null }

/** What a change changed, for the event: the fields that differ, as they were and as they are; null when none does. */
export function changesBetween<T extends object>(before: T, after: Partial<T>) {
  const fields = (Object.keys(after) as (keyof T & string)[]).filter(
    (field) => !isDeepStrictEqual(before[field], after[field]),
  )
  if (fields.length === 0) return null
  const of = (row: Partial<T>) => Object.fromEntries(fields.map((field) => [snakeCase(field), row[field]]))
  return { before: of(before), after: of(after) }
}

const snakeCase = (field: string) => field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

export type RecordedEvent = typeof events.$inferSelect & {
  /** Webhooks that take events of its type. */
  webhookIds: readonly string[]
  inCharge?: InCharge
  kind?: MediaKind
}

/** A part of the statement that writes an event. `orElse`: what is thrown where it gives no row. */
export type Beside = { part: WithSubquery; orElse?: () => Error }

/** The channel on which live screens hear that something happened. */
export const EVENT_CHANNEL = 'greenroom_events'

/**
 * Says after the commit, to live screens, what is no event of the history: a step on the way, an image that was drawn. It
 * names its transaction, so that a page which was read before it hears it too.
 */
export const giveHint = (
  { db }: { db: Executor },
  type: 'file.previewed' | 'pre_qc.progress',
  { projectId, batchId }: { projectId: string; batchId: string },
) =>
  db.execute(sql`select pg_notify(${EVENT_CHANNEL}, json_build_object('type', ${type}::text,
    'projectId', ${projectId}::text, 'batchId', ${batchId}::text, 'xid', pg_current_xact_id()::text)::text)`)

/** Heard only after the commit, and never heard for a rolled-back change. */
const heard = sql`pg_notify(${EVENT_CHANNEL}, json_build_object('type', ${events.type}, 'projectId', ${events.projectId},
  'batchId', ${events.batchId}, 'sequence', ${events.sequence})::text)`

const listening = sql<string[]>`(select coalesce(json_agg(w.id order by w.id), '[]') from ${webhooks} w
  where w.status = 'active' and (cardinality(w.event_types) = 0 or w.event_types @> array[${events.type}]))`

/** Runs the parts, in this order, and gives the places of those that gave no row. */
const emptyOf = (parts: readonly Beside[]): SQL<number[]> =>
  parts.length === 0
    ? sql`'{}'::int[]`
    : sql`array_remove(array[${sql.join(
        parts.map(
          ({ part }, place) => sql`case when not exists (select from ${part}) then ${sql.raw(String(place))} end`,
        ),
        sql`, `,
      )}]::int[], null)`

/** Who did it, when, by which request, and the transaction in which it is written. */
type Recorder = { actor: Actor; now: Date; requestId: string; address: string | null; db: Executor }

export async function insertEvent(
  tx: Recorder,
  fact: EventFact,
  beside: readonly Beside[] = [],
): Promise<RecordedEvent> {
  const { actor } = tx
  const said = {
    id: newId(tx.now),
    type: fact.type,
    projectId: fact.projectId ?? null,
    batchId: fact.batchId ?? null,
    subjectId: fact.subjectId ?? null,
    actorType: actor.type,
    actorId: 'id' in actor ? actor.id : null,
    actorName: actor.type === 'anonymous' ? 'A person without an account' : actor.name,
    address: tx.address,
    requestId: tx.requestId,
    data: fact.data ?? {},
    createdAt: tx.now,
  }
  const keys = await ensureKeys(tx.db, personsIn(said), knownKeyOf(actor))
  // One statement writes it, notifies live screens, and says which webhooks hear of it.
  const [stored] = await tx.db
    .with(...beside.map(({ part }) => part))
    .insert(events)
    .values(sealEvent(said, keys))
    .returning({ ...getTableColumns(events), webhookIds: listening, heard, empty: emptyOf(beside) })
  if (!stored) throw new Error('An inserted event did not come back.')
  const { heard: _, empty, ...row } = stored
  for (const place of empty) {
    const lost = beside[place]?.orElse
    if (lost) throw lost()
  }
  // What follows from it reads it as it was said.
  return {
    ...row,
    actorName: said.actorName,
    address: said.address,
    data: said.data,
    inCharge: fact.inCharge,
    kind: fact.kind,
  }
}
