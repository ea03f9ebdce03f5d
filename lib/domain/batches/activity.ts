import { and, desc, eq, inArray, lt } from 'drizzle-orm'
import { fileComments } from '@/db/schema/comments'
import { events } from '@/db/schema/events'
import { ACTIVITY_KINDS, ACTIVITY_TYPES, type ActivityKind } from '@/lib/vocabulary'
import { query, type Tx } from '../kernel/operation'
import { openEvents } from '../kernel/personal'
import { decodeCursor, iso, page, upTo } from '../kernel/shapes'
import { onBatch } from './find'
import { type Activity, ActivityList, ListActivity } from './schema'

/** What happened to a batch, for everybody who sees it. Network addresses and requests are for the audit trail alone. */

type Event = typeof events.$inferSelect

export const listActivity = query({
  name: 'listActivity',
  summary:
    'What happened to a batch, newest first: uploads, refusals, checks, decisions, comments, links opened, mails sent',
  permission: 'projects.read',
  resource: onBatch,
  input: ListActivity,
  output: ActivityList,
  async run(tx, { resource: { batch }, input }) {
    const types = input.kind ? ACTIVITY_TYPES[input.kind] : Object.values(ACTIVITY_TYPES).flat()
    const found = await tx.db
      .select()
      .from(events)
      .where(
        and(
          eq(events.batchId, batch.id),
          inArray(events.type, types),
          input.cursor ? lt(events.id, decodeCursor(input.cursor)) : undefined,
        ),
      )
      .orderBy(desc(events.id))
      .limit(upTo(input.limit))
    const { rows, next_cursor } = page(found, input.limit)
    const opened = await openEvents(tx.db, rows)
    const bodies = await bodiesOf(tx, opened)
    return { activities: opened.map((event) => present(event, bodies)), next_cursor }
  },
})

/** Comments as they are now: what was deleted, or changed, is on the audit trail alone. */
async function bodiesOf(tx: Tx, rows: Event[]): Promise<Map<string, string>> {
  const ids = rows.flatMap(({ type, subjectId }) => (type.startsWith('comment.') && subjectId ? [subjectId] : []))
  if (ids.length === 0) return new Map()
  const found = await tx.db
    .select({ id: fileComments.id, body: fileComments.body })
    .from(fileComments)
    .where(inArray(fileComments.id, ids))
  return new Map(found.map(({ id, body }) => [id, body]))
}

const KIND_OF = new Map(
  ACTIVITY_KINDS.flatMap((kind) => ACTIVITY_TYPES[kind].map((type): [string, ActivityKind] => [type, kind])),
)

/** Of the data of an event what anybody who sees the batch may read; never keys of objects, hashes or traces. */
const SHOWN = [
  'version',
  'after',
  'outcome',
  'round',
  'next_round',
  'files',
  'pass',
  'warning',
  'fail',
  'approved',
  'rejected',
  'expected',
  'label',
  'from',
  'to',
  'check_id',
] as const
const LONGEST = 500

function present(event: Event, bodies: ReadonlyMap<string, string>): Activity {
  const { data } = event
  const file = text(data.file)
  const details = SHOWN.flatMap((field): [string, string | number][] => {
    const value = data[field]
    return typeof value === 'number' || (typeof value === 'string' && value) ? [[field, value]] : []
  })
  return {
    id: event.id,
    type: event.type,
    kind: KIND_OF.get(event.type) ?? 'batch',
    actor: { type: event.actorType, id: event.actorId, name: event.actorName },
    file:
      file === null ? null : { id: event.type.startsWith('file.') ? event.subjectId : text(data.file_id), name: file },
    note: shorten(event.type.startsWith('comment.') ? (bodies.get(event.subjectId ?? '') ?? null) : noteOf(data)),
    details: Object.fromEntries(details),
    created_at: iso(event.createdAt),
  }
}

const text = (value: unknown) => (typeof value === 'string' && value !== '' ? value : null)

function noteOf({ comment, reason, violations }: Record<string, unknown>): string | null {
  const refused = Array.isArray(violations)
    ? violations.map((each: { message?: unknown }) => text(each?.message) ?? '').join(' ')
    : null
  return text(comment) ?? text(reason) ?? text(refused)
}

const shorten = (said: string | null) => (said && said.length > LONGEST ? `${said.slice(0, LONGEST - 1)}…` : said)
