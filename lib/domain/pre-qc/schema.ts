import { z } from 'zod'
import {
  CHECK_SEVERITIES,
  CHECK_STATUSES,
  RESULT_STATUSES,
  RESULT_SUMMARIES,
  WAIVER_REASONS,
  WAIVER_SCOPES,
} from '@/lib/vocabulary'
import { fileIds } from '../files/schema'
import { listOf, paging, prose, ref, text, timestamp, uuid } from '../kernel/shapes'

const quantity = z.union([z.number(), z.string(), z.boolean()])

const waiver = {
  reason_code: z.enum(WAIVER_REASONS),
  reason: z.string(),
  by: ref,
  at: timestamp,
  expires_at: timestamp.nullable(),
}
const waiverScope = z
  .enum(WAIVER_SCOPES)
  .describe('file: this version of this file only. batch, project: every file of it, later ones included')

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
    needs_eyes: z
      .literal(true)
      .optional()
      .describe('It would fail, were the engine as sure of it as the profile asks: a person decides'),
    waiver: z
      .object({
        ...waiver,
        scope: waiverScope,
        confirmed_by: ref.nullable().describe('The second person, where one was needed'),
      })
      .optional(),
    waiver_proposal: z
      .object({ ...waiver, may_confirm: z.boolean().describe('Whether it is for you to confirm') })
      .optional()
      .describe('A waiver that waits for a second person; until then the finding counts'),
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
    measured_at: timestamp
      .nullable()
      .describe(
        'When the same content was measured, where that was before this attempt, which did not decode it again',
      ),
    started_at: timestamp.nullable(),
    completed_at: timestamp.nullable(),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'PreQcResult' })
export type PreQcResult = z.infer<typeof PreQcResult>

export const PreQcResultList = listOf('results', PreQcResult).meta({ id: 'PreQcResultList' })
export const ListResults = z.strictObject({ ...paging, batchId: uuid, fileId: uuid.optional() })
export const WaiveCheck = z.strictObject({
  reason: prose(1000).min(1),
  reason_code: z.enum(WAIVER_REASONS).default('other'),
  expires_at: z.iso
    .datetime({ offset: true })
    .nullish()
    .describe('In the future; from then on the finding counts again. Null: it holds until it is withdrawn'),
})

export const WaiveFinding = WaiveCheck.extend({ scope: waiverScope.default('file') })

export const ScopedWaiver = z
  .object({
    id: uuid,
    check_id: z.string(),
    label: z.string(),
    batch: ref.nullable().describe('Null: it covers the project'),
    ...waiver,
    state: z.enum(['holds', 'proposed']).describe('proposed: it waits for a second person'),
    confirmed_by: ref.nullable(),
    may_confirm: z.boolean().describe('Whether it waits for you to confirm it'),
    files: z.int().describe('Current files in which a finding is waived by it'),
  })
  .meta({ id: 'ScopedWaiver' })
export const ScopedWaiverList = listOf('waivers', ScopedWaiver).meta({ id: 'ScopedWaiverList' })
export const ListScopedWaivers = z.strictObject({ ...paging })

export const WaiveChecks = WaiveCheck.extend({
  check_id: text(100).describe('The check whose finding is waived'),
  file_ids: fileIds,
})
/** What became of each file: waived, proposed to a second person, or left as it was. */
export const WaivedChecks = z
  .object({ waived: z.array(ref), proposed: z.array(ref), left: z.array(z.object({ file: ref, reason: z.string() })) })
  .meta({ id: 'WaivedChecks' })

/** What could be waived of some files. */
export const WaivableFindings = z
  .object({
    findings: z.array(
      z.object({
        check_id: z.string(),
        label: z.string(),
        severity: z.enum(CHECK_SEVERITIES),
        files: z.int().min(1).describe('How many of the files have this finding, and it is not waived'),
      }),
    ),
    needs_second: z.boolean().describe('Whether a second person has to confirm a waiver of a blocking finding'),
  })
  .meta({ id: 'WaivableFindings' })
export type WaivableFindings = z.infer<typeof WaivableFindings>

const Waiver = z
  .object({
    result_id: uuid,
    check_id: z.string(),
    label: z.string(),
    details: z.string().describe('What the check found'),
    severity: z.enum(CHECK_SEVERITIES),
    file: ref,
    batch: ref,
    ...waiver,
    scope: waiverScope,
    confirmed_by: ref.nullable(),
    may_confirm: z.boolean().describe('Whether it waits for you to confirm it'),
  })
  .meta({ id: 'Waiver' })
export const WaiverList = listOf('waivers', Waiver).meta({ id: 'WaiverList' })
export const ListWaivers = z.strictObject({
  ...paging,
  batch_id: uuid.optional(),
  state: z.enum(['holds', 'proposed']).default('holds').describe('proposed: those that wait for a second person'),
})

export const RerunResult = z.strictObject({
  profile_of: uuid
    .optional()
    .describe('An attempt of the same file: its version of the profile is used. Without it the profile as it is now'),
})

const Attempt = z
  .object({
    result_id: uuid,
    attempt: z.int(),
    is_current: z.boolean(),
    status: z.enum(RESULT_STATUSES),
    summary: z.enum(RESULT_SUMMARIES).nullable(),
    findings: z.int().describe('Checks that failed, warned or could not run, and were not waived'),
    profile: z.object({ id: uuid, version: z.int() }),
    engine_version: z.string().nullable(),
    created_at: timestamp,
    completed_at: timestamp.nullable(),
  })
  .meta({ id: 'Attempt' })
export type Attempt = z.infer<typeof Attempt>
export const AttemptList = listOf('attempts', Attempt).meta({ id: 'AttemptList' })
export const ListAttempts = z.strictObject({ ...paging })

const said = z.object({ status: z.enum(CHECK_STATUSES), details: z.string() }).nullable()
export const CompareAttempts = z.strictObject({ with: uuid.describe('Another attempt of the same file') })
export const AttemptComparison = z
  .object({
    before: Attempt.describe('The earlier of the two'),
    after: Attempt,
    checks: z
      .array(
        z.object({
          check_id: z.string(),
          label: z.string(),
          before: said.describe('Null: the check did not run'),
          after: said.describe('Null: the check did not run'),
        }),
      )
      .describe('Checks whose status or words differ'),
    same: z.int().describe('Checks that say the same in both'),
  })
  .meta({ id: 'AttemptComparison' })
export type AttemptComparison = z.infer<typeof AttemptComparison>

export const ListNeedsEyes = z.strictObject({ ...paging, project_id: uuid.optional() })
export const NeedsEyesList = listOf(
  'files',
  z.object({
    id: uuid,
    name: z.string(),
    project: ref,
    batch: ref,
    result_id: uuid,
    checked_at: timestamp.nullable(),
    checks: z
      .array(z.object({ check_id: z.string(), label: z.string(), confidence: z.number(), details: z.string() }))
      .describe('Findings the engine is not sure of'),
  }),
).meta({ id: 'NeedsEyesList' })

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
  .meta({ id: 'RerunBatchResult' })
export type RerunBatchResult = z.infer<typeof RerunBatchResult>
