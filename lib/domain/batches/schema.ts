import { z } from 'zod'
import { BATCH_PRE_QC_STATUSES, BATCH_STATUSES, DUE_STATES, HOLDERS, WORK_TASKS } from '@/lib/vocabulary'
import { line, listOf, paging, prose, ref, text, timestamp, uuid } from '../kernel/shapes'

const count = z.int().min(0)
const day = z.iso.date().describe('YYYY-MM-DD')

export const Turn = z
  .object({
    holder: z.enum(HOLDERS).nullable().describe('Who has to act next; null when no side has'),
    since: timestamp.nullable(),
    paused_since: timestamp.nullable().describe('Both clocks stand since then: the project is not active'),
    agency_seconds: count.describe('How long the agency held the batch, up to as_of'),
    service_seconds: count.describe('How long we held it, up to as_of'),
    as_of: timestamp.nullable().describe("From then on the holder's clock runs, unless it is paused"),
  })
  .meta({ id: 'Turn' })
export type Turn = z.infer<typeof Turn>

export const Batch = z
  .object({
    id: uuid,
    project_id: uuid,
    name: z.string(),
    status: z.enum(BATCH_STATUSES),
    media_category: ref,
    operator: ref.nullable(),
    coordinator: ref.nullable(),
    naming_template: z.string().nullable().describe("Null: the media category's"),
    required_copy: z
      .array(z.string())
      .describe('Phrases that every image, video and document has to show; read and compared by required_text_check'),
    round: count.describe('0 before the first submit'),
    counts: z.object({
      files: count,
      total_size: count.describe('Bytes'),
      approved: count,
      rejected: count,
      pending: count,
    }),
    pre_qc: z.object({ status: z.enum(BATCH_PRE_QC_STATUSES), pass: count, warning: count, fail: count }),
    turn: Turn,
    due: z
      .object({ on: day, state: z.enum(DUE_STATES) })
      .nullable()
      .describe('By the end of which day, UTC, it should be approved'),
    submitted_at: timestamp.nullable(),
    reviewed_at: timestamp.nullable(),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'Batch' })
export type Batch = z.infer<typeof Batch>

export const BatchList = listOf('batches', Batch).meta({ id: 'BatchList' })
export const ListBatches = z.strictObject({ ...paging, status: z.enum(BATCH_STATUSES).optional() })

const template = text(200).trim().min(1)
const requiredCopy = z.array(line(300)).max(50)

export const CreateBatch = z.strictObject({
  name: line(200),
  media_category_id: uuid.nullish(),
  operator_id: uuid.nullish(),
  coordinator_id: uuid.nullish(),
  naming_template: template.nullish(),
  required_copy: requiredCopy.optional(),
  due_on: day.nullish(),
})

export const UpdateBatch = z.strictObject({
  name: line(200).optional(),
  operator_id: uuid.nullable().optional(),
  coordinator_id: uuid.nullable().optional(),
  naming_template: template.nullable().optional(),
  required_copy: requiredCopy.optional(),
  due_on: day.nullable().optional(),
})

export const CompleteReview = z.strictObject({ comment: prose(2000).optional() })

export const Manifest = z
  .object({
    files: z.array(
      z.object({ name: z.string(), note: z.string().nullable(), status: z.enum(['received', 'missing', 'rejected']) }),
    ),
    unexpected: z.array(z.object({ name: z.string() })),
    counts: z.object({ expected: count, received: count, missing: count, unexpected: count }),
  })
  .meta({ id: 'Manifest' })
export type Manifest = z.infer<typeof Manifest>

export const ReplaceManifest = z.strictObject({
  files: z.array(z.strictObject({ name: line(200), note: prose(500).nullish() })).max(5000),
})

/** A batch that concerns a user, with what they have to do about it. */
export const WorkItem = Batch.extend({ project: ref, agency: ref, task: z.enum(WORK_TASKS) }).meta({ id: 'WorkItem' })
export type WorkItem = z.infer<typeof WorkItem>
export const MyWork = z.object({ batches: z.array(WorkItem), next_cursor: z.null() }).meta({ id: 'MyWork' })
