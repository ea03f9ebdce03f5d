import { sql } from 'drizzle-orm'
import { type AnyPgColumn, bigint, boolean, check, index, json, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import type { CommentAnchorKind, ShapeKind } from '@/lib/vocabulary'
import { createdAt, id, timestamptz, updatedAt } from './columns'
import { users } from './directory'
import { files } from './files'
import { batches, projects } from './projects'
import { reviewLinks } from './review-links'

/** What people say about a version of a file, pinned to a place in it or about it as a whole. */
export const fileComments = pgTable(
  'file_comments',
  {
    id: id(),
    projectId: uuid()
      .notNull()
      .references(() => projects.id),
    batchId: uuid()
      .notNull()
      .references(() => batches.id),
    fileId: uuid()
      .notNull()
      .references(() => files.id, { onDelete: 'cascade' }),
    /** The comment this one replies to; a reply has no replies. */
    parentId: uuid().references((): AnyPgColumn => fileComments.id, { onDelete: 'cascade' }),
    body: text().notNull(),
    /** Fractions of the image's sides, seconds, pages from 1; null: about the file as a whole. */
    anchor: json().$type<{ kind: CommentAnchorKind } & Record<string, unknown>>(),
    /** What is drawn on the image at that place; null: nothing. */
    shapes: json().$type<({ kind: ShapeKind } & Record<string, unknown>)[]>(),
    /** Users who are named in the text; null: none. */
    mentions: uuid().array(),
    /** True: for the team only, never shown on the agency's page. */
    isInternal: boolean().notNull().default(false),
    /** Null where the holder of a review link wrote it. */
    createdBy: uuid().references(() => users.id),
    reviewLinkId: uuid().references(() => reviewLinks.id),
    resolvedAt: timestamptz(),
    resolvedBy: uuid().references(() => users.id),
    editedAt: timestamptz(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (t) => [
    index('file_comments_batch_id_index').on(t.batchId, t.id),
    index('file_comments_file_id_index').on(t.fileId, t.id),
    index('file_comments_open_index').on(t.batchId, t.fileId).where(sql`parent_id is null and resolved_at is null`),
    // search
    index('file_comments_words_index').using('gin', sql`to_tsvector('simple', body)`),
    index('file_comments_parent_id_index').on(t.parentId),
    check('file_comments_author', sql`num_nonnulls(${t.createdBy}, ${t.reviewLinkId}) = 1`),
    // A thread is resolved at its first comment, and is pinned there.
    check('file_comments_answer', sql`${t.parentId} is null or (${t.anchor} is null and ${t.resolvedAt} is null)`),
  ],
)

/** A file that a comment carries. A comment that is copied to the next version names the same objects. */
export const commentAttachments = pgTable(
  'comment_attachments',
  {
    id: id(),
    commentId: uuid()
      .notNull()
      .references(() => fileComments.id, { onDelete: 'cascade' }),
    /** Names the objects: `files/{id}`, and the image drawn of it, `derived/{id}/picture.webp`. */
    objectId: uuid().notNull(),
    name: text().notNull(),
    size: bigint({ mode: 'number' }).notNull(),
    sha256: text().notNull(),
    /** An image that was decoded here: it is shown as an image of ours, never by its own bytes. */
    hasPicture: boolean().notNull().default(false),
    createdAt: createdAt(),
  },
  (t) => [
    index('comment_attachments_comment_id_index').on(t.commentId, t.id),
    index('comment_attachments_object_id_index').on(t.objectId),
  ],
)
