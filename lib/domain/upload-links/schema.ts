import { z } from 'zod'
import { BATCH_STATUSES, LINK_STATUSES, PROJECT_STATUSES, REJECTION_REASONS } from '@/lib/vocabulary'
import { line, listOf, paging, prose, ref, text, timestamp, uuid } from '../kernel/shapes'
import { TOKEN_NAMES } from '../naming/tokens'
import { Anchor, Attachment, Shape } from '../review/schema'

export const UploadLink = z
  .object({
    id: uuid,
    batch_id: uuid,
    label: z.string(),
    url: z.string(),
    expires_at: timestamp.nullable(),
    max_uses: z.int().nullable(),
    use_count: z.int(),
    max_bytes: z.int().nullable().describe('Bytes that the files sent through it may take in all; null: any'),
    received_bytes: z.int().nullable().describe('What they take by now; null where max_bytes is'),
    status: z.enum(LINK_STATUSES),
    note: z.string().nullable(),
    notify: z.boolean(),
    has_password: z.boolean(),
    created_by: ref,
    created_at: timestamp,
    updated_at: timestamp,
    last_used_at: timestamp.nullable(),
  })
  .meta({ id: 'UploadLink' })
export type UploadLink = z.infer<typeof UploadLink>

export const UploadLinkList = listOf('upload_links', UploadLink).meta({ id: 'UploadLinkList' })
export const ListUploadLinks = z.strictObject({ ...paging, batchId: uuid })

export const ReceivingLinks = z
  .object({ receiving_links: z.array(z.object({ id: uuid, label: z.string() })) })
  .meta({ id: 'ReceivingLinks' })

const label = z.union([z.literal(''), line(200)])
const expiresAt = z.iso.datetime({ offset: true })
const maxUses = z.int().min(1).max(10_000)
const maxBytes = z.int().min(1).describe('Bytes that the files sent through it may take in all')

export const CreateUploadLink = z.strictObject({
  batch_id: uuid,
  label: label.optional(),
  expires_at: expiresAt.nullish(),
  max_uses: maxUses.nullish(),
  max_bytes: maxBytes.nullish(),
  password: text(200).min(4).nullish(),
  note: prose(2000).nullish().describe('Shown on the upload page'),
  notify: z
    .boolean()
    .optional()
    .describe('Notify the coordinator of each file that arrives; true unless said otherwise'),
})

export const UpdateUploadLink = z.strictObject({
  label: label.optional(),
  expires_at: expiresAt.nullable().optional(),
  max_uses: maxUses.nullable().optional(),
  max_bytes: maxBytes.nullable().optional(),
})

/** A repaired copy of a rejected file, as the agency is shown it. */
const RepairedCopy = z
  .object({
    id: uuid,
    name: z.string(),
    size: z.int(),
    sha256: z.string(),
    changes: z.string().describe('What is changed, in one sentence'),
    destination: z
      .string()
      .nullable()
      .describe('The destination it was made for, by its title; null where the media category asks for it'),
    checks: z
      .array(z.object({ label: z.string(), before: z.string().nullable(), after: z.string().nullable() }))
      .describe('Checks that say something else of the copy than of the file'),
    preview_url: z.string().nullable(),
    download_url: z.string(),
  })
  .meta({ id: 'RepairedCopy' })

export const AcceptRepairedCopy = z.strictObject({
  repair_id: uuid.describe('The copy that was looked at; another one in its place is not taken'),
})
export const AcceptedCopy = z
  .object({ file: z.object({ name: z.string(), size: z.int(), version: z.int(), sha256: z.string() }) })
  .meta({ id: 'AcceptedCopy' })

/** Everything that helps to fix a rejected file. */
export const RejectedFile = z
  .object({
    file_id: uuid,
    name: z.string(),
    reason: z.string().nullable(),
    version: z.int().describe('The version that was rejected'),
    code: z.enum(REJECTION_REASONS).nullable(),
    picture_url: z.string().nullable(),
    picture_pages: z.int().min(0).describe('How many pages have an image, by ?page= of picture_url'),
    media_url: z.string().nullable().describe('Of a video: the video, to see a time of it'),
    marks: z
      .array(
        z.object({
          body: z.string(),
          anchor: Anchor.nullable(),
          shapes: z.array(Shape),
          answers: z.array(z.string()).describe('What was said on it since'),
          attachments: z.array(Attachment).describe('Files that it and its answers carry'),
        }),
      )
      .describe('What the review said of the file and of places in it'),
    findings: z.array(
      z.object({
        label: z.string(),
        details: z.string(),
        fix: z.string().nullable(),
        is_blocking: z.boolean(),
      }),
    ),
    repaired_copy: RepairedCopy.nullable().describe('A copy that was repaired by a machine, and can be taken as it is'),
  })
  .meta({ id: 'RejectedFile' })
export type RejectedFile = z.infer<typeof RejectedFile>

/** A file that is awaited: a new version of one that was rejected, or one that is missing of the manifest. */
export const ExpectedFile = z
  .object({
    name: z.string(),
    reason: z.string().nullable(),
    file_id: uuid.nullable().describe('The rejected file; null where a file is missing of the manifest'),
    suggested_name: z
      .string()
      .describe(
        'The name to send it under. Also taken: the same name, a higher {version}, and other values of changeable_tokens',
      ),
    changeable_tokens: z
      .array(z.enum(TOKEN_NAMES))
      .describe('Tokens that the reasons of the rejection demand to change, besides the version'),
  })
  .meta({ id: 'ExpectedFile' })
export type ExpectedFile = z.infer<typeof ExpectedFile>

/** What a holder of the link may know while it can be used. */
export const PublicUploadLink = z
  .object({
    label: z.string(),
    note: z.string().nullable(),
    agency: ref,
    project: z.object({ name: z.string(), status: z.enum(PROJECT_STATUSES) }),
    batch: z.object({ name: z.string(), status: z.enum(BATCH_STATUSES) }),
    status: z.enum(LINK_STATUSES),
    expires_at: timestamp.nullable(),
    uses_left: z.int().nullable(),
    password_required: z.literal(false),
    contact: z.object({ name: z.string() }),
    naming: z.object({
      template: z.string().nullable(),
      example: z.string().nullable(),
      agency_code: z.string().nullable(),
      campaign_codes: z.array(z.string()),
      extensions: z.array(z.string()),
      tokens: z.array(
        z.object({
          token: z.string(),
          label: z.string(),
          expected: z.string(),
          example: z.string(),
          optional: z.boolean(),
        }),
      ),
    }),
    expected_files: z.array(ExpectedFile).nullable(),
    rejected_files: z
      .array(RejectedFile)
      .nullable()
      .describe('While a resupply is awaited: what helps to fix each, of the first of them by name'),
    rejected_next_cursor: z
      .string()
      .nullable()
      .describe(
        'The `cursor` of `GET /api/public/upload-links/{token}/rejected-files` for those after them; null: none',
      ),
    manifest: z.object({ expected: z.int(), received: z.int(), missing: z.int() }).nullable(),
    limits: z.object({
      max_file_size: z.int(),
      bytes_left: z.int().nullable().describe('What all files together may still take; null: any'),
      media_types: z.array(z.string()),
    }),
  })
  .meta({ id: 'PublicUploadLink' })
export type PublicUploadLink = z.infer<typeof PublicUploadLink>

export const ListRejectedFiles = z.strictObject({
  ...paging,
  limit: z.coerce.number().int().min(1).max(100).optional().describe('50 unless said otherwise'),
})
export const RejectedFileList = listOf('rejected_files', RejectedFile).meta({ id: 'RejectedFileList' })
export type RejectedFileList = z.infer<typeof RejectedFileList>

const outline = { label: z.string(), status: z.enum(LINK_STATUSES) }
const ClosedUploadLink = z.strictObject(outline).meta({ id: 'ClosedUploadLink' })
export type ClosedUploadLink = z.infer<typeof ClosedUploadLink>

/** What a link returns its holder: everything, or, when it is over or its password was not given, next to nothing. */
export const UploadLinkForHolder = z
  .union([
    PublicUploadLink,
    z.strictObject({ ...outline, password_required: z.literal(true) }).meta({ id: 'LockedUploadLink' }),
    ClosedUploadLink,
  ])
  .meta({ id: 'UploadLinkForHolder' })
export type UploadLinkForHolder = z.infer<typeof UploadLinkForHolder>

export const ReceivedByLink = z
  .object({
    file: z.object({ name: z.string(), size: z.int(), version: z.int(), sha256: z.string() }),
    uses_left: z.int().nullable(),
  })
  .meta({ id: 'ReceivedByLink' })
