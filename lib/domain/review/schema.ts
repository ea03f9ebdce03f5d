import { z } from 'zod'
import { LONGEST_LABEL, MOST_POINTS, MOST_SHAPES, SHAPE_COLOURS } from '@/lib/vocabulary'
import { File } from '../files/schema'
import { line, listOf, paging, prose, ref, timestamp, uuid } from '../kernel/shapes'

const fraction = z.number().min(0).max(1)
const seconds = z.number().min(0).max(1e6)
const page = z.int().min(1).max(100_000)
/** Where in time or on which page a place lies, for what has more than one image. */
const place = { page: page.optional(), time: seconds.optional() }

/** A place in a file: fractions of the width and height from the upper left corner, seconds, pages from 1. */
export const Anchor = z
  .discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('point'), x: fraction, y: fraction, ...place }),
    z
      .strictObject({
        kind: z.literal('region'),
        x: fraction,
        y: fraction,
        width: fraction.gt(0),
        height: fraction.gt(0),
        ...place,
      })
      .refine(({ x, width }) => x + width <= 1.0001, 'must end inside the image: x + width is at most 1')
      .refine(({ y, height }) => y + height <= 1.0001, 'must end inside the image: y + height is at most 1'),
    z.strictObject({ kind: z.literal('page'), page }),
    z
      .strictObject({ kind: z.literal('time'), time: seconds, end: seconds.optional() })
      .refine(({ time, end }) => end === undefined || end >= time, 'must not end before it begins'),
  ])
  .meta({ id: 'CommentAnchor' })
export type Anchor = z.infer<typeof Anchor>

const spot = z.tuple([fraction, fraction]).describe('x and y')
const colour = z.enum(SHAPE_COLOURS)

/** A shape drawn on the image that is commented on: fractions of its width and height from the upper left corner. */
export const Shape = z
  .discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('stroke'), colour, points: z.array(spot).min(2).max(MOST_POINTS) }),
    z
      .strictObject({ kind: z.literal('arrow'), colour, from: spot, to: spot.describe('Its head') })
      .refine(({ from, to }) => from[0] !== to[0] || from[1] !== to[1], 'must not end where it begins'),
    z
      .strictObject({
        kind: z.literal('box'),
        colour,
        x: fraction,
        y: fraction,
        width: fraction.gt(0),
        height: fraction.gt(0),
      })
      .refine(({ x, width }) => x + width <= 1.0001, 'must end inside the image: x + width is at most 1')
      .refine(({ y, height }) => y + height <= 1.0001, 'must end inside the image: y + height is at most 1'),
    z.strictObject({ kind: z.literal('text'), colour, x: fraction, y: fraction, text: line(LONGEST_LABEL) }),
  ])
  .meta({ id: 'CommentShape' })
export type Shape = z.infer<typeof Shape>

/** What is drawn with a comment, at its place; at most so many points in all (rules.ts). */
export const shapes = z.array(Shape).max(MOST_SHAPES)

/** Visible text: a comment of invisible characters alone says nothing. */
const body = prose(4000)
  .min(1)
  .refine((text) => text === '' || /[^\s\p{Cf}\p{Mn}]/u.test(text), 'must hold something that can be seen')

/** A file that a comment carries; what it holds is saved, never shown by its own bytes. */
export const Attachment = z
  .object({
    id: uuid,
    name: z.string(),
    size: z.int().min(0),
    sha256: z.string(),
    picture_url: z.string().nullable().describe('An image that was drawn of it here, WebP; null: it is no image'),
    download_url: z.string().nullable().describe('Null: its bytes are not kept any more'),
    created_at: timestamp,
  })
  .meta({ id: 'CommentAttachment' })
export type Attachment = z.infer<typeof Attachment>

export const Comment = z
  .object({
    id: uuid,
    batch_id: uuid,
    file_id: uuid,
    file_version: z.int().min(1),
    parent_id: uuid.nullable().describe('The comment this one replies to'),
    body: z.string(),
    anchor: Anchor.nullable().describe('Null: about the file as a whole, or a reply'),
    shapes: z.array(Shape).describe('Drawn on the image at its place'),
    mentions: z
      .array(ref)
      .describe('People named in the text, as an @ and the name, who may see the batch; the names of others are words'),
    attachments: z.array(Attachment).describe('Files it carries'),
    is_internal: z.boolean().describe('True: for the team only, never shown on the upload page'),
    author: ref,
    by_guest: z.boolean().describe('Written by the holder of a review link; author is the link then'),
    resolved_at: timestamp.nullable(),
    resolved_by: ref.nullable(),
    edited_at: timestamp.nullable(),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'Comment' })
export type Comment = z.infer<typeof Comment>

export const CommentList = listOf('comments', Comment).meta({ id: 'CommentList' })
export const ListComments = z.strictObject({
  ...paging,
  file_id: uuid.optional(),
  versions: z.enum(['all']).optional().describe('With file_id: on its other versions, too'),
})

const mentions = z.array(uuid).max(20)

export const CreateComment = z.strictObject({
  body,
  anchor: Anchor.nullish(),
  shapes: shapes.nullish().describe('With a point or a region: drawn on that image, that page, that frame'),
  parent_id: uuid.nullish(),
  mentions: mentions
    .nullish()
    .describe('People the text names, as an @ and the name; each is notified once. They must be able to see the batch'),
  is_internal: z.boolean().optional().describe('False unless said otherwise; a reply is as its comment'),
})

export const UpdateComment = z.strictObject({
  body: body.optional().describe('By its author only'),
  shapes: shapes
    .optional()
    .describe('By its author only: what is drawn instead, at its page and time; its place becomes the region of it'),
  mentions: mentions.optional().describe('With the body: who is named in it; left out, those who still are'),
  resolved: z.boolean().optional(),
})

export const UndoReview = z.strictObject({ file_ids: z.array(uuid).min(1).max(500) })
/** As many files are approved by one request, and named by its preview. */
export const PASSING_AT_ONCE = 500

export const ApprovePassing = z.strictObject({
  file_ids: z
    .array(uuid)
    .min(1)
    .max(PASSING_AT_ONCE)
    .optional()
    .describe('Only among these; every file without a decision otherwise'),
})

const left = z.array(z.object({ file: ref, reason: z.string() })).describe('Not approved with the others, and why')

export const PassingPreview = z
  .object({
    passing: z.array(ref).describe(`The first ${PASSING_AT_ONCE} of them`),
    left: left.describe(`Not approved with the others, and why: the first ${PASSING_AT_ONCE} of them`),
    counts: z.object({ passing: z.int().min(0), left: z.int().min(0) }),
  })
  .meta({ id: 'PassingPreview' })
export type PassingPreview = z.infer<typeof PassingPreview>

/** What became of each file that was asked about. */
export const PassingApproval = z
  .object({
    approved: z.array(File),
    left,
  })
  .meta({ id: 'PassingApproval' })
export type PassingApproval = z.infer<typeof PassingApproval>
