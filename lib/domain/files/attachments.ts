import { and, eq, inArray, isNull, or, type SQL } from 'drizzle-orm'
import { commentAttachments, fileComments } from '@/db/schema/comments'
import { files } from '@/db/schema/files'
import { bytesFreed, countStored } from '../directory/storage'
import type { BlobKey } from '../kernel/blob-store'
import type { Tx } from '../kernel/operation'

/** The objects of files that comments carry: where they lie, what they count for, and how they go. */

export type AttachmentRow = typeof commentAttachments.$inferSelect
type Named = Pick<AttachmentRow, 'objectId'>

export const attachmentKey = ({ objectId }: Named): BlobKey => `files/${objectId}`
/** The image that was drawn of it here. */
export const attachmentPictureKey = ({ objectId }: Named): BlobKey => `derived/${objectId}/picture.webp`

const ofComment = (id: string) => or(eq(fileComments.id, id), eq(fileComments.parentId, id))
const ofFiles = (ids: readonly string[]) => inArray(fileComments.fileId, [...ids])

/**
 * Before the rows go: enqueues the removal of the objects that a comment and its replies carry, and counts them no more for
 * the agency.
 */
export const releaseOfComment = (tx: Tx, agencyId: string, id: string) => release(tx, agencyId, ofComment(id))

/** The same of all comments on a file. */
export const releaseOfFile = (tx: Tx, agencyId: string, id: string) => release(tx, agencyId, ofFiles([id]))

/** The same of one attachment. */
export const releaseAttachment = (tx: Tx, agencyId: string, { id }: Pick<AttachmentRow, 'id'>) =>
  release(tx, agencyId, eq(commentAttachments.id, id))

async function release(tx: Tx, agencyId: string, attachments: SQL | undefined) {
  if (!attachments) return
  const ids = (await objectsOf(tx.db, attachments)).map(({ objectId }) => objectId)
  if (ids.length === 0) return
  // Under the lock of the count, so that of two copies that go at once the last one is counted.
  await countStored(tx, agencyId, 0)
  for (const { agency_id, bytes } of await bytesFreed(tx, attachments)) await countStored(tx, agency_id, -bytes)
  await tx.enqueue('remove_attachments', { object_ids: [...new Set(ids)] })
}

/** Objects that comments on these files carry. */
export const attachmentsOf = (db: Tx['db'], fileIds: readonly string[]): Promise<Named[]> =>
  fileIds.length === 0 ? Promise.resolve([]) : objectsOf(db, ofFiles(fileIds))

/** Of the attachments for which the condition holds, those of comments on files that are kept. */
export const keptAttachments = (db: Tx['db'], condition: SQL): Promise<Named[]> =>
  db
    .select({ objectId: commentAttachments.objectId })
    .from(commentAttachments)
    .innerJoin(fileComments, eq(fileComments.id, commentAttachments.commentId))
    .innerJoin(files, eq(files.id, fileComments.fileId))
    .where(and(condition, isNull(files.removedAt)))

const objectsOf = (db: Tx['db'], comments: SQL | undefined): Promise<Named[]> =>
  db
    .select({ objectId: commentAttachments.objectId })
    .from(commentAttachments)
    .innerJoin(fileComments, eq(fileComments.id, commentAttachments.commentId))
    .where(comments)
