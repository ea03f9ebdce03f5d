import { z } from 'zod'
import { BATCH_STATUSES, LINK_STATUSES, MEDIA_KINDS, REVIEW_PARTIES, STAGE_STATES } from '@/lib/vocabulary'
import { line, listOf, paging, prose, ref, text, timestamp, uuid } from '../kernel/shapes'
import { Playback } from '../playback/schema'
import { Anchor, Attachment, Shape, shapes } from '../review/schema'

const status = z.enum(LINK_STATUSES).exclude(['used_up'])

export const ReviewLink = z
  .object({
    id: uuid,
    batch_id: uuid,
    name: z.string().describe('Whom it is for'),
    email: z.string().nullable(),
    party: z.enum(REVIEW_PARTIES),
    url: z.string(),
    status,
    expires_at: timestamp.nullable(),
    has_password: z.boolean(),
    watermark: z.boolean().describe('Images and players show the name of the viewer'),
    may_download: z.boolean(),
    file_ids: z.array(uuid).nullable().describe('Exactly these versions; null: the current version of every file'),
    note: z.string().nullable(),
    stage_id: uuid.nullable().describe('The stage its holder takes part in'),
    decisions: z.object({ approved: z.int(), rejected: z.int() }).describe('On the versions it shows now'),
    created_by: ref,
    created_at: timestamp,
    updated_at: timestamp,
    last_used_at: timestamp.nullable(),
  })
  .meta({ id: 'ReviewLink' })
export type ReviewLink = z.infer<typeof ReviewLink>

export const ReviewLinkList = listOf('review_links', ReviewLink).meta({ id: 'ReviewLinkList' })
export const ListReviewLinks = z.strictObject({ ...paging, batch_id: uuid })

/** As many versions can be named by one link. */
const MOST_FILES = 1000

const terms = {
  name: line(120).describe('Whom it is for; shown with what they say'),
  email: z.email().max(254).nullish(),
  expires_at: z.iso.datetime({ offset: true }).nullish(),
  watermark: z.boolean().optional().describe('True unless said otherwise'),
  may_download: z.boolean().optional().describe('False unless said otherwise'),
  note: prose(2000).nullish().describe('Shown on the page'),
}

export const CreateReviewLink = z.strictObject({
  ...terms,
  batch_id: uuid,
  party: z.enum(REVIEW_PARTIES),
  password: text(200).min(4).nullish(),
  stage_id: uuid.nullish().describe('The stage its holder takes part in; decisions are taken while that is open'),
  file_ids: z
    .array(uuid)
    .min(1)
    .max(MOST_FILES)
    .nullish()
    .describe('Exactly these versions; left out: the current version of every file, new ones included'),
})

export const UpdateReviewLink = z.strictObject({
  name: terms.name.optional(),
  email: terms.email,
  expires_at: terms.expires_at,
  watermark: terms.watermark,
  may_download: terms.may_download,
  note: terms.note,
})

const decided = z.object({
  decision: z.enum(['approved', 'rejected']),
  comment: z.string().nullable(),
  file_version: z.int(),
  sha256: z.string().describe('Of the bytes it was decided on'),
  decided_at: timestamp,
})

export const GuestDecision = decided
  .extend({ id: uuid, file: ref, is_current: z.boolean().describe('False: a newer version replaced it') })
  .meta({ id: 'GuestDecision' })
export type GuestDecision = z.infer<typeof GuestDecision>
export const GuestDecisionList = listOf('decisions', GuestDecision).meta({ id: 'GuestDecisionList' })
export const ListGuestDecisions = z.strictObject({ ...paging })

const words = {
  id: uuid,
  author: z.string().describe('The sender of the link, the team, a party by what it is, or the holder'),
  is_mine: z.boolean(),
  body: z.string(),
  attachments: z.array(Attachment).describe('Files it carries'),
  edited_at: timestamp.nullable(),
  created_at: timestamp,
}

export const RoomComment = z
  .object({
    ...words,
    anchor: Anchor.nullable(),
    shapes: z.array(Shape),
    is_resolved: z.boolean(),
    replies: z.array(z.object(words)),
  })
  .meta({ id: 'RoomComment' })
export type RoomComment = z.infer<typeof RoomComment>

export const RoomFile = z
  .object({
    id: uuid,
    name: z.string(),
    version: z.int(),
    kind: z.enum(MEDIA_KINDS),
    media_type: z.string(),
    size: z.int(),
    sha256: z.string(),
    width: z.number().nullable(),
    height: z.number().nullable(),
    duration_seconds: z.number().nullable(),
    is_current: z.boolean().describe('False: a newer version replaced it'),
    pages: z.int().min(0).describe('How many images there are, by ?page= of picture_url'),
    pages_in_file: z.int().nullable().describe('How many pages a document has; of a long one the first have images'),
    picture_url: z.string().nullable(),
    tiles_url: z
      .string()
      .nullable()
      .describe(
        'Where the tiles of a large image are asked for, with the name of the holder in their pixels where the link has a watermark; null: there are none, or the link allows neither downloads nor has a watermark',
      ),
    media_url: z.string().nullable().describe('What a player plays, of video and audio'),
    playback: Playback.nullable().describe('Of video and audio: the copy that browsers play, where they need one'),
    download_url: z.string().nullable().describe('Null: downloads are not allowed'),
    has_banner: z.boolean().describe('An HTML5 ad that can be run in a frame'),
    decision: decided.nullable().describe('Of the holder of this link'),
    comments: z.array(RoomComment),
  })
  .meta({ id: 'RoomFile' })
export type RoomFile = z.infer<typeof RoomFile>

/** What the holder of a review link may know. */
export const ReviewRoom = z
  .object({
    status: z.literal('active'),
    password_required: z.literal(false),
    name: z.string(),
    party: z.enum(REVIEW_PARTIES),
    note: z.string().nullable(),
    watermark: z.string().nullable().describe('What is to be shown over images; null: nothing'),
    may_download: z.boolean(),
    expires_at: timestamp.nullable(),
    project: z.object({ name: z.string() }),
    batch: z.object({ name: z.string(), status: z.enum(BATCH_STATUSES) }),
    contact: z.object({ name: z.string() }),
    may_decide: z.boolean().describe('Files are decided while their batch is in review, and their stage open'),
    stage: z
      .object({ name: z.string(), state: z.enum(STAGE_STATES), due_at: timestamp.nullable() })
      .nullable()
      .describe('The stage this link takes part in'),
    counts: z.object({ files: z.int(), approved: z.int(), rejected: z.int() }),
  })
  .meta({ id: 'ReviewRoom' })
export type ReviewRoom = z.infer<typeof ReviewRoom>

export const ReviewLinkForHolder = z
  .union([
    ReviewRoom,
    z
      .strictObject({ status: z.literal('active'), password_required: z.literal(true) })
      .meta({ id: 'LockedReviewLink' }),
    z.strictObject({ status: z.enum(['expired', 'deactivated']) }).meta({ id: 'ClosedReviewLink' }),
  ])
  .meta({ id: 'ReviewLinkForHolder' })
export type ReviewLinkForHolder = z.infer<typeof ReviewLinkForHolder>

export const RoomFileList = listOf('files', RoomFile).meta({ id: 'RoomFileList' })
export const ListRoomFiles = z.strictObject({
  ...paging,
  limit: z.coerce.number().int().min(1).max(100).optional().describe('50 unless said otherwise'),
})

/** Of a comment of the room: no word of it is kept for the team alone. */
export const CreateRoomComment = z.strictObject({
  body: prose(4000)
    .min(1)
    .refine((said) => said === '' || /[^\s\p{Cf}\p{Mn}]/u.test(said), 'must hold something that can be seen'),
  anchor: Anchor.nullish(),
  shapes: shapes.nullish().describe('With a point or a region: drawn on that image, that page, that frame'),
  parent_id: uuid.nullish(),
})
export const UpdateRoomComment = CreateRoomComment.pick({ body: true })

export const DecideAsGuest = z.strictObject({
  decision: z.enum(['approve', 'reject']),
  comment: prose(4000).optional().describe('Needed to reject'),
  sha256: z
    .string()
    .regex(/^[0-9a-f]{64}$/i, 'must be a SHA-256 in hexadecimal')
    .describe('The content that was viewed; refused as stale when the file holds other bytes'),
})
