import { z } from 'zod'
import { BATCH_PRE_QC_STATUSES, BATCH_STATUSES } from '@/lib/vocabulary'
import { line, listOf, paging, prose, ref, timestamp, uuid } from '../kernel/shapes'

const count = z.int().min(0)

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
    round: count.describe('0 before the first submit'),
    counts: z.object({
      files: count,
      total_size: count.describe('Bytes'),
      approved: count,
      rejected: count,
      pending: count,
    }),
    pre_qc: z.object({ status: z.enum(BATCH_PRE_QC_STATUSES), pass: count, warning: count, fail: count }),
    submitted_at: timestamp.nullable(),
    reviewed_at: timestamp.nullable(),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'Batch' })
export type Batch = z.infer<typeof Batch>

export const BatchList = listOf('batches', Batch).meta({ id: 'BatchList' })
export const ListBatches = z.strictObject({ ...paging, status: z.enum(BATCH_STATUSES).optional() })

const template = z.string().trim().min(1).max(200)

export const CreateBatch = z.strictObject({
  name: line(200),
  media_category_id: uuid.nullish(),
  operator_id: uuid.nullish(),
  coordinator_id: uuid.nullish(),
  naming_template: template.nullish(),
})

export const UpdateBatch = z.strictObject({
  name: line(200).optional(),
  operator_id: uuid.nullable().optional(),
  coordinator_id: uuid.nullable().optional(),
  naming_template: template.nullable().optional(),
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
