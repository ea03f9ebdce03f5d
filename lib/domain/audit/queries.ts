import { desc, eq, gte, lt } from 'drizzle-orm'
import { auditSeals } from '@/db/schema/audit'
import { firstIdAt } from '@/db/schema/columns'
import { events } from '@/db/schema/events'
import { query } from '../kernel/operation'
import { openEvents } from '../kernel/personal'
import { isOnPage } from '../kernel/rows'
import { iso, page } from '../kernel/shapes'
import { verifyChain } from './chain'
import { type AuditEvent, AuditEventList, ChainVerification, ListAuditEvents } from './schema'

const DAY_MS = 86_400_000

export const listAuditEvents = query({
  name: 'listAuditEvents',
  summary: 'Everything that happened, newest first: who, from where, before and after',
  permission: 'audit.read',
  input: ListAuditEvents,
  output: AuditEventList,
  async run(tx, { input }) {
    const found = await tx.db
      .select({ event: events, seal: { position: auditSeals.position, hash: auditSeals.hash } })
      .from(events)
      .leftJoin(auditSeals, eq(auditSeals.eventId, events.id))
      .where(
        isOnPage(
          tx,
          events,
          input,
          input.type ? eq(events.type, input.type) : undefined,
          input.actor_id ? eq(events.actorId, input.actor_id) : undefined,
          input.project_id ? eq(events.projectId, input.project_id) : undefined,
          input.batch_id ? eq(events.batchId, input.batch_id) : undefined,
          input.subject_id ? eq(events.subjectId, input.subject_id) : undefined,
          // An event's id begins with the time it says: what is outside of the days is not even looked at.
          input.from ? gte(events.id, firstIdAt(new Date(input.from))) : undefined,
          input.to ? lt(events.id, firstIdAt(new Date(Date.parse(input.to) + DAY_MS))) : undefined,
        ),
      )
      .orderBy(desc(events.id))
    const { rows, next_cursor } = page(
      found.map((row) => ({ ...row, id: row.event.id })),
      input.limit,
    )
    const opened = await openEvents(
      tx.db,
      rows.map(({ event }) => event),
    )
    return { events: opened.map((event, index) => present(event, rows[index]?.seal ?? null)), next_cursor }
  },
})

function present(event: typeof events.$inferSelect, seal: AuditEvent['seal']): AuditEvent {
  return {
    id: event.id,
    type: event.type,
    project_id: event.projectId,
    batch_id: event.batchId,
    subject_id: event.subjectId,
    actor: { type: event.actorType, id: event.actorId, name: event.actorName },
    address: event.address,
    request_id: event.requestId,
    data: event.data,
    seal,
    created_at: iso(event.createdAt),
  }
}

export const verifyAuditTrail = query({
  name: 'verifyAuditTrail',
  summary: 'Recompute the chain over the audit trail; names the first event that was altered',
  permission: 'audit.read',
  output: ChainVerification,
  run: (tx) => verifyChain(tx.db, tx.now),
})
