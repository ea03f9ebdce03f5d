import { z } from 'zod'
import { AUDIT_TYPES, EVENT_TYPES } from '@/lib/vocabulary'
import { listOf, paging, timestamp, uuid } from '../kernel/shapes'

const type = z.enum([...EVENT_TYPES, ...AUDIT_TYPES])
const day = z.iso.date().describe('YYYY-MM-DD, UTC, included')

export const AuditEvent = z
  .object({
    id: uuid,
    type: z.string(),
    project_id: uuid.nullable(),
    batch_id: uuid.nullable(),
    subject_id: uuid.nullable().describe('What it happened to'),
    actor: z.object({
      type: z.enum(['user', 'upload_link', 'client', 'guest', 'system', 'anonymous']),
      id: uuid.nullable(),
      name: z.string(),
    }),
    address: z.string().nullable().describe('Network address it came from'),
    request_id: z.string().nullable(),
    data: z.record(z.string(), z.unknown()).describe('What changed: `before` and `after` where there are both'),
    seal: z
      .object({ position: z.int(), hash: z.string() })
      .nullable()
      .describe('Its place in the chain; null for a few seconds'),
    created_at: timestamp,
  })
  .meta({ id: 'AuditEvent' })
export type AuditEvent = z.infer<typeof AuditEvent>

export const AuditEventList = listOf('events', AuditEvent).meta({ id: 'AuditEventList' })

export const ListAuditEvents = z.strictObject({
  ...paging,
  type: type.optional(),
  actor_id: uuid.optional().describe('A user, an upload link or a review link'),
  project_id: uuid.optional(),
  batch_id: uuid.optional(),
  subject_id: uuid.optional(),
  from: day.optional(),
  to: day.optional(),
})

export const ChainVerification = z
  .object({
    sealed: z.int().describe('Events in the chain'),
    unsealed: z.int().describe('Events too new to have a seal'),
    head: z.object({ position: z.int(), hash: z.string() }).nullable(),
    fault: z
      .object({ position: z.int().nullable(), event_id: uuid.nullable(), reason: z.string() })
      .nullable()
      .describe('The first thing that is wrong; null when nothing is'),
  })
  .meta({ id: 'ChainVerdict' })
