import { and, asc, eq, inArray, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { fileComments } from '@/db/schema/comments'
import { users } from '@/db/schema/directory'
import { files } from '@/db/schema/files'
import { reviewLinks } from '@/db/schema/review-links'
import { onBatch } from '../batches/find'
import { type FileInBatch, onFile } from '../files/find'
import { isVersionOf } from '../files/queries'
import { notFound } from '../kernel/errors'
import { type Finder, query, type Tx } from '../kernel/operation'
import { isOnPage } from '../kernel/rows'
import { iso, isoOrNull, isUuid, page } from '../kernel/shapes'
import { attachmentsByComment, presentAttachment } from './attachments'
import { readersAmong } from './mentions'
import { type Anchor, Comment, CommentList, ListComments, type Shape } from './schema'

/** Comments as they are read: those of a batch, of a file, and one. */

export type CommentRow = typeof fileComments.$inferSelect

const authors = alias(users, 'authors')
const resolvers = alias(users, 'resolvers')

const select = (tx: Tx) =>
  tx.db
    .select({
      comment: fileComments,
      version: files.version,
      removedAt: files.removedAt,
      author: sql<string>`coalesce(${authors.name}, ${reviewLinks.name}, '')`,
      resolver: resolvers.name,
    })
    .from(fileComments)
    .innerJoin(files, eq(files.id, fileComments.fileId))
    .leftJoin(authors, eq(authors.id, fileComments.createdBy))
    .leftJoin(reviewLinks, eq(reviewLinks.id, fileComments.reviewLinkId))
    .leftJoin(resolvers, eq(resolvers.id, fileComments.resolvedBy))

type Row = Awaited<ReturnType<typeof select>>[number]

/** All of one batch. */
async function presentAll(tx: Tx, rows: readonly Row[]): Promise<Comment[]> {
  const mentioned = rows.flatMap(({ comment }) => comment.mentions ?? [])
  const readers = await readersAmong(tx, rows[0]?.comment.projectId ?? '', mentioned)
  const attached = await attachmentsByComment(
    tx,
    rows.map(({ comment }) => comment.id),
  )
  return rows.map((row) => ({
    ...present(row),
    attachments: (attached.get(row.comment.id) ?? []).map((attachment) =>
      presentAttachment(attachment, row, addressOf(tx, row.comment)),
    ),
    mentions: (row.comment.mentions ?? []).flatMap((id) => readers.get(id) ?? []),
  }))
}

function present({ comment, version, author, resolver }: Row): Omit<Comment, 'mentions' | 'attachments'> {
  return {
    id: comment.id,
    batch_id: comment.batchId,
    file_id: comment.fileId,
    file_version: version,
    parent_id: comment.parentId,
    body: comment.body,
    anchor: comment.anchor as Anchor | null,
    shapes: (comment.shapes ?? []) as Shape[],
    is_internal: comment.isInternal,
    author: { id: authorIdOf(comment), name: author },
    by_guest: comment.reviewLinkId !== null,
    resolved_at: isoOrNull(comment.resolvedAt),
    resolved_by: comment.resolvedBy && resolver ? { id: comment.resolvedBy, name: resolver } : null,
    edited_at: isoOrNull(comment.editedAt),
    created_at: iso(comment.createdAt),
    updated_at: iso(comment.updatedAt),
  }
}

/** Where a comment is reached by the team. */
export const addressOf = (
  { ports }: Tx,
  { projectId, batchId, fileId, id }: Pick<CommentRow, 'projectId' | 'batchId' | 'fileId' | 'id'>,
) => `${ports.baseUrl}/api/projects/${projectId}/batches/${batchId}/files/${fileId}/comments/${id}`

/** The user who wrote it, or the review link whose holder did. */
export const authorIdOf = ({ createdBy, reviewLinkId, id }: CommentRow) => createdBy ?? reviewLinkId ?? id

export async function serializeComment(tx: Tx, id: string): Promise<Comment> {
  const [row] = await select(tx).where(eq(fileComments.id, id))
  const [comment] = row ? await presentAll(tx, [row]) : []
  if (!comment) throw new Error(`Comment ${id} vanished while it was read.`)
  return comment
}

export type CommentInFile = FileInBatch & { comment: CommentRow }

export const onComment: Finder<'project_id' | 'batch_id' | 'file_id' | 'comment_id', CommentInFile> = {
  params: ['project_id', 'batch_id', 'file_id', 'comment_id'],
  async find(tx, { comment_id, ...path }, lock) {
    const where = await onFile.find(tx, path, lock)
    const [comment] = isUuid(comment_id)
      ? await tx.db
          .select()
          .from(fileComments)
          .where(and(eq(fileComments.id, comment_id), eq(fileComments.fileId, where.file.id)))
      : []
    if (!comment) throw notFound('comment', comment_id)
    return { ...where, comment }
  },
}

export const listComments = query({
  name: 'listComments',
  summary:
    'The comments on the files of a batch, oldest first; file_id keeps to one version of one file, or with versions=all to all of it',
  permission: 'projects.read',
  resource: onBatch,
  input: ListComments,
  output: CommentList,
  async run(tx, { resource: { batch }, input }) {
    const isOf = (fileId: string) => {
      if (input.versions !== 'all') return eq(fileComments.fileId, fileId)
      const versions = tx.db
        .select({ id: files.id })
        .from(files)
        .where(and(eq(files.batchId, batch.id), isVersionOf(batch.id, fileId)))
      return inArray(fileComments.fileId, versions)
    }
    const rows = await select(tx)
      .where(
        isOnPage(
          tx,
          fileComments,
          { cursor: input.cursor, limit: input.limit, isOldestFirst: true },
          eq(fileComments.batchId, batch.id),
          input.file_id ? isOf(input.file_id) : undefined,
        ),
      )
      .orderBy(asc(fileComments.id))
    const { rows: shown, next_cursor } = page(
      rows.map((row) => ({ ...row, id: row.comment.id })),
      input.limit,
    )
    return { comments: await presentAll(tx, shown), next_cursor }
  },
})

export const getComment = query({
  name: 'getComment',
  summary: 'One comment',
  permission: 'projects.read',
  resource: onComment,
  isVersioned: true,
  output: Comment,
  run: (tx, { resource: { comment } }) => serializeComment(tx, comment.id),
})
