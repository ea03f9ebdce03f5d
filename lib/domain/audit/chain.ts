import { hash } from 'node:crypto'
import { desc, eq, sql } from 'drizzle-orm'
import type { Executor } from '@/db/client'
import { auditSeals } from '@/db/schema/audit'
import { type Context, inTransaction } from '../kernel/operation'

/**
 * The chain over the audit trail. Events are written by many transactions at once; one sealer at a time then goes over
 * what was committed and adds to each the hash of all before it. The database refuses to change or remove either
 * (triggers); the chain shows it when a database user goes past that.
 */

/** What comes before the first event. */
const GENESIS = '0'.repeat(64)
/** Events that are sealed by one transaction. Each looks again at as many that were sealed before, or more. */
const CHUNK = 5_000
/** Seals that are verified by one statement. */
const VERIFIED = 5_000
/** Statements under way while the rows of one are hashed: reading costs twice what hashing does. */
const AHEAD = 2
/** Events that are counted by one statement. */
const COUNTED = 200_000
/** Events that are looked for their seal by one statement. */
const LOOKED_AT = 20_000
/** Transactions commit out of order: an event may become visible after so many later ones were sealed. */
const OUT_OF_ORDER = 5_000
/** By then every event has its seal, if a worker runs. */
const SEALED_WITHIN_MS = 60_000

type Row = { id: string; line: string }

/**
 * The fields of an event as a JSON array in a fixed order, each as text, null where there is none: what is hashed. The database
 * writes it, in the letters of `JSON.stringify`, so that what is hashed is what is stored, whatever reads it.
 */
const FIELDS = [
  ...['id', 'sequence', 'type', 'project_id', 'batch_id', 'subject_id', 'actor_type', 'actor_id', 'actor_name'],
  ...['address', 'request_id', 'data'],
].map((name) => `e.${name}::text`)
const CREATED_AT = `to_char(e.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
const LINE = sql.raw(`array_to_json(array[${[...FIELDS, CREATED_AT].join(', ')}])::text`)

/** SHA-256 over the hash before, a line break, and the event. */
const hashOf = (previous: string, line: string) => hash('sha256', `${previous}\n${line}`)

export type Head = { position: number; hash: string }

async function findHead(db: Executor): Promise<Head | null> {
  const [head] = await db
    .select({ position: auditSeals.position, hash: auditSeals.hash })
    .from(auditSeals)
    .orderBy(desc(auditSeals.position))
    .limit(1)
  return head ?? null
}

/**
 * The highest sequence among the last that were sealed; 0 where nothing is. They are looked up by their ids, in their order: a join goes
 * through the index from its root for each, every five seconds.
 */
async function newestSealed(db: Executor, position: number): Promise<number> {
  const [found] = await db.execute<{ sequence: string | null }>(sql`
    select max(sequence)::text as sequence from events
    where id = any(array(select event_id from audit_seals where position > ${position - OUT_OF_ORDER}))`)
  return Number(found?.sequence ?? 0)
}

/** Seals what has no seal yet, a chunk at a time. Returns the head when anything was sealed, else null. */
export async function sealEvents(ctx: Context): Promise<Head | null> {
  let sealed: Head | null = null
  for (;;) {
    const head = await sealChunk(ctx)
    if (!head) return sealed
    sealed = head
  }
}

function sealChunk(ctx: Context): Promise<Head | null> {
  return inTransaction(ctx, async (tx) => {
    const [lock] = await tx.db.execute<{ taken: boolean }>(
      sql`select pg_try_advisory_xact_lock(hashtext('greenroom audit chain')) as taken`,
    )
    // Another process is at it.
    if (!lock?.taken) return null
    const head = await findHead(tx.db)
    const from = (head ? await newestSealed(tx.db, head.position) : 0) - OUT_OF_ORDER
    const rows = await tx.db.execute<Row>(sql`
      select e.id, ${LINE} as line from events e
      where e.sequence > ${from} and not exists (select 1 from audit_seals s where s.event_id = e.id)
      order by e.sequence limit ${CHUNK}`)
    if (rows.length === 0) return null
    let at: Head = head ?? { position: 0, hash: GENESIS }
    const seals = rows.map((row) => {
      at = { position: at.position + 1, hash: hashOf(at.hash, row.line) }
      return { ...at, event_id: row.id }
    })
    await tx.db.execute(sql`
      insert into audit_seals (position, event_id, hash, sealed_at)
      select position, event_id, hash, ${tx.now.toISOString()}::timestamptz
      from json_to_recordset(${JSON.stringify(seals)}::json) as s (position bigint, event_id uuid, hash text)`)
    return at
  })
}

/** The first thing that is wrong: where in the chain, which event, and what it means. */
type Fault = { position: number | null; event_id: string | null; reason: string }
export type ChainVerification = { sealed: number; unsealed: number; head: Head | null; fault: Fault | null }

type Verifying = {
  /** A head an administrator stored elsewhere: it must still be part of the chain, or its end was cut off and begun anew. */
  known?: Head | null
  /** A head up to which the chain was verified before: only what was sealed after it is recomputed. */
  from?: Head | null
  /** Called with how far it is, some thousands of events apart: from there it can go on. */
  onPart?: (at: Head) => void | Promise<void>
}

/** Recomputes the chain, a part at a time: memory and statements are bounded, however many events there are. */
export async function verifyChain(
  db: Executor,
  now: Date,
  { known = null, from = null, onPart }: Verifying = {},
): Promise<ChainVerification> {
  let at: Head = from ?? { position: 0, hash: GENESIS }
  let isKnown = known === null || (known.position <= at.position && (await holds(db, known)))
  const verdict = (fault: Fault | null, unsealed = 0): ChainVerification => ({
    sealed: at.position,
    unsealed,
    head: at.position > 0 ? at : null,
    fault,
  })
  if (from && !(await holds(db, from)))
    return {
      ...verdict({
        position: from.position,
        event_id: null,
        reason: `Its hash is not ${from.hash}, up to which the chain was verified before: it was cut off or written anew.`,
      }),
      sealed: 0,
      head: null,
    }
  const read = async (position: number) =>
    // The events of all seals by one look into their index: one look each reads fifty times the blocks.
    db.execute<Record<'position' | 'hash' | 'event_id', string> & { line: string | null }>(sql`
      with part as materialized (
        select position, hash, event_id from audit_seals where position > ${position} order by position limit ${VERIFIED})
      select p.position::text, p.hash, p.event_id, case when e.id is not null then ${LINE} end as line
      from part p left join events e on e.id = any(array(select event_id from part)) and e.id = p.event_id
      order by p.position`)
  const partAfter = (position: number) => {
    const part = read(position)
    // Should it fail while another is hashed, that is said when it is its turn.
    part.catch(() => {})
    return part
  }
  const parts = [partAfter(at.position)]
  for (;;) {
    // The database reads the next parts while this one is hashed; none is begun before there is one to hash.
    const rows = (await parts.shift()) ?? []
    while (rows.length === VERIFIED && parts.length < AHEAD)
      parts.push(partAfter(at.position + VERIFIED * (parts.length + 1)))
    for (const row of rows) {
      const position = Number(row.position)
      const fault = (reason: string) => verdict({ position, event_id: row.event_id, reason })
      if (position !== at.position + 1) return fault(`The seal ${at.position + 1} before it was removed.`)
      if (row.line === null) return fault('Its event was removed.')
      if (hashOf(at.hash, row.line) !== row.hash)
        return fault('The event, or its seal, is not what it was when it was sealed.')
      at = { position, hash: row.hash }
      if (known && position === known.position) isKnown = row.hash === known.hash
    }
    if (rows.length < VERIFIED) break
    await onPart?.(at)
  }
  if (known && !isKnown) {
    const reason = `The chain does not hold the head that was kept elsewhere (${known.position}, ${known.hash}): its end was cut off or written anew.`
    return verdict({ position: null, event_id: null, reason })
  }
  const unsealed = await findUnsealed(db, now, at.position)
  return verdict(
    unsealed.late && at.position > 0 && (await isBehind(db, unsealed.late))
      ? {
          position: null,
          event_id: unsealed.late,
          reason:
            'The event stands among sealed ones and has no seal: it was added behind their back, or its seal was removed.',
        }
      : null,
    unsealed.count,
  )
}

/** Whether the chain has this hash at this position. */
async function holds(db: Executor, { position, hash }: Head): Promise<boolean> {
  const [seal] = await db.select({ hash: auditSeals.hash }).from(auditSeals).where(eq(auditSeals.position, position))
  return seal?.hash === hash
}

/**
 * How many events have no seal, and the first of them that should have one by now. Each seal has an event of its own: as
 * many events are without as there are more. They are the newest, but for those that were inserted by hand;
 * all are looked at only when the newest are not enough. In parts: no statement reads all.
 */
async function findUnsealed(db: Executor, now: Date, sealed: number): Promise<{ count: number; late: string | null }> {
  const [ends] = await db.execute<Record<'first' | 'last' | 'seals', string | null>>(sql`
    select min(sequence)::text as first, max(sequence)::text as last, (select max(position)::text from audit_seals) as seals from events`)
  const [first, last] = [Number(ends?.first ?? 1), Number(ends?.last ?? 0)]
  let events = 0
  for (let from = first; from <= last; from += COUNTED) {
    const [part] = await db.execute<{ count: number }>(
      sql`select count(*)::int as count from events where sequence >= ${from} and sequence < ${from + COUNTED}`,
    )
    events += part?.count ?? 0
  }
  const lateBefore = new Date(now.getTime() - SEALED_WITHIN_MS).toISOString()
  const look = async (begin: number) => {
    let count = 0
    let late: string | null = null
    for (let from = begin; from <= last; from += LOOKED_AT) {
      // Seal by seal: the planner would read all seals for each part.
      const [part] = await db.execute<{ count: number; late: string | null }>(sql`
        select count(*)::int as count,
          (array_agg(e.id order by e.sequence) filter (where e.created_at < ${lateBefore}::timestamptz))[1] as late
        from events e left join lateral (select true as is_there from audit_seals s where s.event_id = e.id limit 1) s on true
        where e.sequence >= ${from} and e.sequence < ${from + LOOKED_AT} and s.is_there is null`)
      count += part?.count ?? 0
      late ??= part?.late ?? null
    }
    return { count, late }
  }
  const without = events - Number(ends?.seals ?? 0)
  if (without === 0) return { count: 0, late: null }
  const newest = await look(Math.max(first, (await newestSealed(db, sealed)) - OUT_OF_ORDER))
  return newest.count === without ? newest : look(first)
}

/** Whether an unsealed event is older than sealed ones by more than commits out of order explain. */
async function isBehind(db: Executor, eventId: string): Promise<boolean> {
  const [found] = await db.execute<{ is_behind: boolean }>(sql`
    select exists (
      select 1 from audit_seals s join events o on o.id = s.event_id, events e
      where e.id = ${eventId} and o.sequence > e.sequence and s.sealed_at > e.created_at + interval '60 seconds') as is_behind`)
  return found?.is_behind ?? false
}
