import { z } from 'zod'
import {
  CHECK_STATUSES,
  FILE_ORDERS,
  INTEGRITY_STATES,
  MEDIA_KINDS,
  REJECTION_REASONS,
  RESULT_STATUSES,
  RESULT_SUMMARIES,
  RETENTION_STATUSES,
  REVIEW_DECISIONS,
  SOURCE_TYPES,
  VIOLATION_RULES,
} from '@/lib/vocabulary'
import { listOf, paging, prose, ref, text, timestamp, uuid } from '../kernel/shapes'

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

const Removed = z
  .object({
    at: timestamp,
    rule: z.enum(RETENTION_STATUSES),
    days: z.int().describe('After the status the rule is for'),
    of: z.enum(['service', 'project']).describe('Whose rule it was'),
  })
  .nullable()

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
    removed: Removed.describe('Null while its bytes are kept'),
    previews_removed: Removed.describe('Null while its previews and the evidence of its checks are kept'),
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
export const ListFiles = z.strictObject({
  ...paging,
  versions: z.enum(['all', 'current']).optional(),
  file_id: uuid.optional().describe('Only versions of this file, whatever they are called'),
})

const CheckWords = z.object({
  check_id: z.string(),
  label: z.string(),
  status: z.enum(CHECK_STATUSES),
  details: z.string(),
})

/** A file in a list: what is shown of it there, and no more. */
export const FileSummary = File.pick({
  id: true,
  name: true,
  version: true,
  size: true,
  media: true,
  integrity: true,
  thumbnail_url: true,
  created_at: true,
})
  .extend({
    decision: z.enum(REVIEW_DECISIONS),
    source: z.object({ type: z.enum(SOURCE_TYPES), name: z.string() }),
    open_comments: z.int().min(0).optional().describe('Threads on it that are not resolved; only with comments=open'),
    pre_qc: z
      .object({
        status: z.enum(RESULT_STATUSES),
        summary: z.enum(RESULT_SUMMARIES).nullable(),
        progress: z.int().min(0).max(100),
        findings: z.int().min(0).describe('How many checks ask for something to be done'),
        finding: CheckWords.nullable().describe('The gravest of them'),
        checks: z.array(CheckWords).optional().describe('Each check in short; only with checks=all'),
      })
      .nullable(),
  })
  .meta({ id: 'FileSummary' })
export type FileSummary = z.infer<typeof FileSummary>

export const FileSummaryList = z
  .object({
    files: z.array(FileSummary),
    offset: z.int().min(0).describe('How many files of the list stand before the first one'),
    total: z.int().min(0).describe('How many files the filters leave'),
    could_not_run: z.int().min(0).describe('How many files of the batch could not be checked, or not in full'),
  })
  .meta({ id: 'FileSummaryList' })
export type FileSummaryList = z.infer<typeof FileSummaryList>

export const BrowseFiles = z.strictObject({
  q: text(255).optional().describe('Part of the name'),
  verdict: z.enum(RESULT_SUMMARIES).optional(),
  decision: z.enum(REVIEW_DECISIONS).optional(),
  kind: z.enum(MEDIA_KINDS).optional(),
  check: text(100).optional().describe('Id of a check: the files it found something in that is not waived'),
  sender: uuid.optional().describe('Id of the user or the upload link that sent it'),
  offset: z.coerce.number().int().min(0).max(1_000_000).default(0).describe('How many files stand before the first'),
  limit: z.coerce.number().int().min(1).max(500).default(100),
  order: z
    .enum(FILE_ORDERS)
    .default('newest')
    .describe('By name: numbers in it by their value. By verdict: the gravest first. By decision: undecided first'),
  direction: z.enum(['asc', 'desc']).optional().describe('The other way round; each order has one of its own'),
  at: uuid.optional().describe('A file: the part of the list that holds it, or else the first part; instead of offset'),
  after: uuid.optional().describe('A file of the batch: the list begins behind it'),
  checks: z.enum(['all']).optional().describe('What each check says of each file, too'),
  comments: z.enum(['open']).optional().describe('How many threads on each file are not resolved, too'),
})
/** Which files of a batch, and in which order. */
export type FileFilters = Partial<
  Pick<z.output<typeof BrowseFiles>, 'q' | 'verdict' | 'decision' | 'kind' | 'check' | 'sender' | 'order' | 'direction'>
>

/** What the files of a batch can be filtered by, with how many files each leaves. */
export const FileFacets = z
  .object({
    kinds: z.array(z.object({ kind: z.enum(MEDIA_KINDS), files: z.int() })),
    senders: z.array(z.object({ id: uuid, type: z.enum(SOURCE_TYPES), name: z.string(), files: z.int() })),
    checks: z
      .array(z.object({ check_id: z.string(), label: z.string(), files: z.int() }))
      .describe('Those that found something which is not waived'),
  })
  .meta({ id: 'FileFacets' })
export type FileFacets = z.infer<typeof FileFacets>

/** So many files are downloaded, waived or moved by one request. */
const MOST_AT_ONCE = 500

/** Some files of a batch, to do something with all of them. */
export const fileIds = z.array(uuid).min(1).max(MOST_AT_ONCE)

/** Files that were left out of what was asked, each with the reason. */
const left = z.array(z.object({ file: ref, reason: z.string() }))

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
export const ReviewFiles = z.strictObject({
  ...decision,
  file_ids: fileIds,
  expected_decisions: z
    .record(uuid, z.enum(REVIEW_DECISIONS))
    .refine((seen) => Object.keys(seen).length <= 500, 'must be at most 500 files')
    .optional()
    .describe(
      'By file id, the decision that was there when it was viewed: where another user decided since, the file is left, and the others are decided',
    ),
})
/** `left`: not decided with the others, and why. */
export const ReviewedFiles = z.object({ files: z.array(File), left }).meta({ id: 'ReviewedFiles' })

export const SelectFiles = z.strictObject({ file_ids: fileIds })

export const MoveFiles = SelectFiles.extend({ batch_id: uuid.describe('Where to: an open batch of the same project') })
/** `moved`: where they should be, those that were there already included. */
export const MovedFiles = z.object({ batch: ref, moved: z.array(ref), left }).meta({ id: 'MovedFiles' })

export const CheckedSelection = z
  .object({ files: z.array(ref), size: z.int().min(0).describe('Bytes of the files together'), left })
  .meta({ id: 'CheckedSelection' })
export type CheckedSelection = z.infer<typeof CheckedSelection>

export const CheckFiles = z.strictObject({
  files: z
    .array(
      z.strictObject({
        name: z.string().max(1000),
        size: z.int().min(0),
        sha256: z
          .string()
          .regex(/^[0-9a-f]{64}$/i, 'must be a SHA-256 in hexadecimal')
          .optional(),
      }),
    )
    .min(1)
    .max(1000),
})

export const CheckedFiles = z
  .object({ files: z.array(z.object({ name: z.string(), accepted: z.boolean(), violations: z.array(Violation) })) })
  .meta({ id: 'CheckedFiles' })

/** Which page of a document an image is asked of. */
export const PageOfDocument = z.strictObject({ page: z.coerce.number().int().min(1).max(999_999).default(1) })
