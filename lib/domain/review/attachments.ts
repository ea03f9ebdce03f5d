import { asc, eq, inArray, sql } from 'drizzle-orm'
import { newId } from '@/db/schema/columns'
import { commentAttachments } from '@/db/schema/comments'
import type { AttachmentRow } from '../files/attachments'
import type { Tx } from '../kernel/operation'
import { iso } from '../kernel/shapes'
import type { Attachment } from './schema'

/** What is said of the files that comments carry. */

/** Those of each comment, oldest first. */
export async function attachmentsByComment(
  tx: Tx,
  commentIds: readonly string[],
): Promise<Map<string, AttachmentRow[]>> {
  const found = new Map<string, AttachmentRow[]>()
  if (commentIds.length === 0) return found
  const rows = await tx.db
    .select()
    .from(commentAttachments)
    .where(inArray(commentAttachments.commentId, [...commentIds]))
    .orderBy(asc(commentAttachments.createdAt), asc(commentAttachments.id))
  for (const row of rows) found.set(row.commentId, [...(found.get(row.commentId) ?? []), row])
  return found
}

/**
 * @param file the file that is commented on: with its bytes go those that its comments carry
 * @param address of the comment, as the reader reaches it
 */
export function presentAttachment(row: AttachmentRow, file: { removedAt: Date | null }, address: string): Attachment {
  const { id, name, size, sha256, hasPicture } = row
  const own = `${address}/attachments/${id}`
  const isKept = file.removedAt === null
  return {
    id,
    name,
    size,
    sha256,
    picture_url: isKept && hasPicture ? `${own}/picture` : null,
    download_url: isKept ? own : null,
    created_at: iso(row.createdAt),
  }
}

/** The copy of a comment names the same objects: they go with the last comment that does. */
export async function copyAttachments(tx: Tx, fromId: string, toId: string) {
  const rows = await tx.db
    .select()
    .from(commentAttachments)
    .where(eq(commentAttachments.commentId, fromId))
    .orderBy(asc(commentAttachments.createdAt), asc(commentAttachments.id))
  if (rows.length === 0) return
  await tx.db.insert(commentAttachments).values(rows.map((row) => ({ ...row, id: newId(tx.now), commentId: toId })))
}

/** How many files a comment carries. */
export async function countAttachments(tx: Tx, commentId: string): Promise<number> {
  const [counted] = await tx.db
    .select({ count: sql<number>`count(*)::int` })
    .from(commentAttachments)
    .where(eq(commentAttachments.commentId, commentId))
  return counted?.count ?? 0
}
