import { z } from 'zod'
import {
  INTEGRITY_STATES,
  MEDIA_KINDS,
  REJECTION_REASONS,
  RESULT_STATUSES,
  RESULT_SUMMARIES,
  REVIEW_DECISIONS,
  SOURCE_TYPES,
  VIOLATION_RULES,
} from '@/lib/vocabulary'
import { listOf, paging, prose, ref, timestamp, uuid } from '../kernel/shapes'

export const Violation = z
  .object({
    rule: z.enum(VIOLATION_RULES),
    code: z.string(),
    message: z.string(),
    token: z.string().optional(),
    expected: z.string().optional(),
    suggestion: z.string().optional(),
    existing_file: z
      .object({ id: uuid.optional(), name: z.string(), version: z.int(), batch: ref.optional() })
      .optional(),
  })
  .meta({ id: 'Violation' })

export const File = z
  .object({
    id: uuid,
    batch_id: uuid,
    name: z.string(),
    version: z.int().min(1),
    size: z.int().describe('Bytes'),
    media_type: z.string().describe("By content, never the client's word"),
    sha256: z.string(),
    media: z
      .looseObject({
        kind: z.enum(MEDIA_KINDS),
        width: z.number().optional(),
        height: z.number().optional(),
        duration_seconds: z.number().optional(),
        pages: z.number().optional(),
      })
      .describe('What was measured; pixels, seconds, pages'),
    integrity: z.enum(INTEGRITY_STATES),
    review: z.object({
      decision: z.enum(REVIEW_DECISIONS),
      reason: z.enum(REJECTION_REASONS).nullable(),
      comment: z.string().nullable(),
      reviewed_by: ref.nullable(),
      reviewed_at: timestamp.nullable(),
    }),
    supersedes_id: uuid.nullable(),
    is_current: z.boolean(),
    source: z.object({ type: z.enum(SOURCE_TYPES), id: uuid, name: z.string() }),
    pre_qc: z.object({ status: z.enum(RESULT_STATUSES), summary: z.enum(RESULT_SUMMARIES).nullable() }).nullable(),
    download_url: z.string(),
    preview_url: z.string().nullable().describe('An image to view; of a document its first page, others with ?page=n'),
    preview_pages: z.int().min(0).describe('Of a document: how many of its first pages have an image'),
    thumbnail_url: z.string().nullable(),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'File' })
export type File = z.infer<typeof File>

export const FileList = listOf('files', File).meta({ id: 'FileList' })
export const ListFiles = z.strictObject({ ...paging, versions: z.enum(['all', 'current']).optional() })

const decision = {
  decision: z.enum(['approve', 'reject']),
  comment: prose(2000).optional().describe('Needed to reject'),
  reason: z.enum(REJECTION_REASONS).optional().describe('Why it is rejected, to be counted; only with reject'),
}
export const ReviewFile = z.strictObject({
  ...decision,
  sha256: z
    .string()
    .regex(/^[0-9a-f]{64}$/i, 'must be a SHA-256 in hexadecimal')
    .optional()
    .describe('The content that was viewed; refused as stale when the file holds other bytes'),
  expected_decision: z
    .enum(REVIEW_DECISIONS)
    .optional()
    .describe('The decision that was there when it was viewed; refused as stale when another user decided since'),
})
export type ReviewFile = z.infer<typeof ReviewFile>
export const ReviewFiles = z.strictObject({ ...decision, file_ids: z.array(uuid).min(1).max(500) })

/** Which page of a document an image is asked of. */
export const PageOfDocument = z.strictObject({ page: z.coerce.number().int().min(1).max(999_999).default(1) })
