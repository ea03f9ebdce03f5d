import { z } from 'zod'
import { RETENTION_RUN_STATUSES, type RetentionStatus } from '@/lib/vocabulary'
import { listOf, paging, prose, ref, timestamp, uuid } from '../kernel/shapes'

const reason = prose(2000).min(1, 'must not be empty')

export const LegalHold = z
  .object({
    id: uuid,
    project: ref.nullable().describe('The project it is on; null: an agency, with all its projects'),
    agency: ref.nullable(),
    reason: z.string(),
    set_by: ref,
    set_at: timestamp,
    lifted: z.object({ at: timestamp, by: ref, reason: z.string() }).nullable().describe('Null while it is on'),
  })
  .meta({ id: 'LegalHold' })
export type LegalHold = z.infer<typeof LegalHold>

export const LegalHoldList = listOf('legal_holds', LegalHold).meta({ id: 'LegalHoldList' })

export const ListLegalHolds = z.strictObject({
  ...paging,
  state: z.enum(['active', 'lifted']).optional(),
  project_id: uuid.optional().describe('Those on this project or on its agency'),
})

export const SetLegalHold = z.strictObject({
  project_id: uuid.optional().describe('Either a project'),
  agency_id: uuid.optional().describe('or an agency, with all its projects'),
  reason: reason.describe('Shown to administrators only'),
})

export const LiftLegalHold = z.strictObject({ reason })

const days = z.int().min(1).max(36_500).nullable().describe('Null: kept for ever')
const byStatus = z.strictObject({
  completed: days,
  cancelled: days,
  archived: days,
  rejected: days,
  replaced: days,
} satisfies Record<RetentionStatus, z.ZodType>)

export const RetentionRules = z
  .strictObject({
    files: byStatus.describe('Days after the status for which the bytes of a file are kept, of every version'),
    previews: byStatus.describe('The same for its previews and the evidence of its checks'),
    activity: days.describe('Days after which notifications about a project go; the audit trail stays'),
  })
  .meta({ id: 'RetentionRules' })
export type RetentionRules = z.infer<typeof RetentionRules>

export const ServiceRetention = z
  .object({ rules: RetentionRules, updated_at: timestamp.nullable() })
  .meta({ id: 'ServiceRetention' })
export type ServiceRetention = z.infer<typeof ServiceRetention>

export const ProjectRetention = z
  .object({
    rules: RetentionRules.describe('Those that hold for the project'),
    of: z.enum(['service', 'project']).describe('Whose rules they are'),
    files_go_at: timestamp
      .nullable()
      .describe('When the bytes of all its files are due, by its status; null: no rule says so'),
    previews_go_at: timestamp.nullable(),
    legal_hold: z
      .object({ on: z.enum(['project', 'agency']), since: timestamp })
      .nullable()
      .describe('While there is one, nothing of the project is deleted'),
  })
  .meta({ id: 'ProjectRetention' })
export type ProjectRetention = z.infer<typeof ProjectRetention>

export const UpdateServiceRetention = z.strictObject({ rules: RetentionRules })

export const UpdateProjectRetention = z.strictObject({
  rules: RetentionRules.nullable().describe('Null: those of the service'),
})

const counts = z.object({
  files: z.int().describe('Files whose bytes go'),
  bytes: z.int(),
  previews: z.int().describe('Files whose previews and evidence go'),
  activity: z.int().describe('Notifications'),
})

export const ListedRetentionRun = z
  .object({
    id: uuid,
    status: z.enum(RETENTION_RUN_STATUSES),
    as_of: timestamp.describe('The rules are applied as of this moment'),
    totals: counts.extend({ projects: z.int(), batches: z.int() }),
    removed: counts
      .extend({ kept: z.int().describe('Items that stayed, because a hold or a rule came in between') })
      .nullable()
      .describe('What went so far; null before it was started'),
    created_by: ref,
    created_at: timestamp,
    started_by: ref.nullable(),
    started_at: timestamp.nullable(),
    completed_at: timestamp.nullable(),
  })
  .meta({ id: 'ListedRetentionRun' })
export type ListedRetentionRun = z.infer<typeof ListedRetentionRun>

export const RetentionRun = ListedRetentionRun.extend({
  projects: z.array(counts.extend({ id: uuid, name: z.string(), batches: z.int() })),
}).meta({ id: 'RetentionRun' })
export type RetentionRun = z.infer<typeof RetentionRun>

export const RetentionRunList = listOf('retention_runs', ListedRetentionRun).meta({ id: 'RetentionRunList' })
export const ListRetentionRuns = z.strictObject({ ...paging })
