import { z } from 'zod'
import { CHECK_SEVERITIES, CHECK_STATUSES, RESULT_STATUSES, RESULT_SUMMARIES } from '@/lib/vocabulary'
import { listOf, paging, prose, ref, timestamp, uuid } from '../kernel/shapes'

const quantity = z.union([z.number(), z.string(), z.boolean()])

export const CheckLine = z
  .object({
    check_id: z.string(),
    label: z.string(),
    status: z.enum(CHECK_STATUSES),
    confidence: z.number().min(0).max(1),
    details: z.string(),
    severity: z.enum(CHECK_SEVERITIES),
    measured: quantity.optional(),
    expected: quantity.optional(),
    unit: z.string().optional(),
    standard: z.string().optional(),
    fix: z.string().optional(),
    occurrences: z
      .array(
        z.object({
          start: z.number().optional(),
          end: z.number().optional(),
          page: z.int().optional(),
          region: z.object({ x: z.number(), y: z.number(), width: z.number(), height: z.number() }).optional(),
          stream: z.int().optional(),
        }),
      )
      .optional(),
    evidence: z.array(z.object({ kind: z.enum(['image', 'chart']), url: z.string() })).optional(),
    waiver: z.object({ reason: z.string(), by: ref, at: timestamp }).optional(),
  })
  .meta({ id: 'Check' })
export type CheckLine = z.infer<typeof CheckLine>

const CheckChange = z.object({
  check_id: z.string(),
  label: z.string(),
  before: z.enum(CHECK_STATUSES).nullable().describe('Null: the check did not run then'),
  after: z.enum(CHECK_STATUSES),
})

export const VersionDelta = z
  .object({
    result_id: uuid.describe('The result of the version before'),
    file_version: z.int(),
    fixed: z.array(CheckChange),
    still_failing: z.array(CheckChange),
    newly_broken: z.array(CheckChange),
  })
  .meta({ id: 'VersionDelta' })
export type VersionDelta = z.infer<typeof VersionDelta>

export const PreQcResult = z
  .object({
    id: uuid,
    file_id: uuid,
    file_name: z.string(),
    status: z.enum(RESULT_STATUSES),
    summary: z.enum(RESULT_SUMMARIES).nullable(),
    checks: z.array(CheckLine),
    batch_id: uuid,
    file_version: z.int(),
    file_sha256: z.string(),
    profile: z.object({ id: uuid, version: z.int() }),
    attempt: z.int(),
    delta: VersionDelta.nullable().describe(
      'A resupplied file against the one it replaces; null for a first version, and until both are checked',
    ),
    progress: z.int().min(0).max(100),
    failure: z.string().nullable().describe('Why the checks could not be run, when status is failed'),
    engine_version: z.string().nullable(),
    started_at: timestamp.nullable(),
    completed_at: timestamp.nullable(),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'PreQcResult' })
export type PreQcResult = z.infer<typeof PreQcResult>

export const PreQcResultList = listOf('results', PreQcResult).meta({ id: 'PreQcResultList' })
export const ListResults = z.strictObject({ ...paging, batchId: uuid, fileId: uuid.optional() })
export const WaiveCheck = z.strictObject({ reason: prose(1000).min(1) })

export const RerunBatch = z.strictObject({
  file_ids: z
    .array(uuid)
    .min(1)
    .max(500)
    .optional()
    .describe('Without them: every current file whose checks, or some of them, could not run'),
})
export const RerunBatchResult = z
  .object({
    results: z.array(PreQcResult).describe('The attempts that were queued'),
    left: z.array(z.object({ file: ref, reason: z.string() })).describe('Files that are not checked again, and why'),
  })
  .meta({ id: 'RerunBatchAnswer' })
export type RerunBatchResult = z.infer<typeof RerunBatchResult>
