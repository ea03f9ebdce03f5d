import { and, eq, sql } from 'drizzle-orm'
import { isTrue } from '@/db/schema/columns'
import { fileComments } from '@/db/schema/comments'
import { files } from '@/db/schema/files'
import type { FileRow } from '../files/present'
import { invalidState, notFound, quote } from '../kernel/errors'
import { type Context, command, type Finder, query } from '../kernel/operation'
import { findRow } from '../kernel/rows'
import { assertRunning } from '../projects/rules'
import { proposedRepair, type RepairRow } from '../repairs/find'
import { type PreparedRepair, prepareAccepted, storeAccepted } from '../repairs/operations'
import { assertPreviews } from '../retention/rules'
import { type AttachmentOfComment, attachmentToRead, findAttachment } from '../review/attach'
import { assertOpened } from './access'
import { authenticateLink, byToken, type LinkInBatch } from './find'
import { rejectedFiles } from './rejected'
import { AcceptedCopy, AcceptRepairedCopy, ListRejectedFiles, RejectedFileList } from './schema'

/** Rejected files, as the holder of a link reaches them: their images, and repaired copies of them. */

type RejectedInBatch = LinkInBatch & { file: FileRow }

/** A rejected file, while a new version of it is awaited: all that the right to a link's address reaches. */
const onRejected: Finder<'token' | 'file_id', RejectedInBatch> = {
  params: ['token', 'file_id'],
  async find(tx, { token, file_id }, lock) {
    const on = await byToken.find(tx, { token }, lock)
    await assertOpened(tx, on)
    const { batch } = on
    const isRejected = and(eq(files.batchId, batch.id), isTrue(files.isCurrent), sql`${files.decision} = 'rejected'`)
    if (batch.status !== 'awaiting_resupply') throw notFound('rejected file')
    return { ...on, file: await findRow(tx, files, 'rejected file', file_id, lock, isRejected) }
  },
}

const ofRejected = {
  permission: 'anyone',
  resource: onRejected,
  authenticateAs: (ctx: Context, { token }: Record<'token' | 'file_id', string>) => authenticateLink(ctx, { token }),
} as const

export const listRejectedFiles = query({
  permission: 'anyone',
  resource: byToken,
  authenticateAs: authenticateLink,
  name: 'listRejectedFiles',
  summary:
    'The rejected files of a batch, by name, with what helps to fix each, while new versions of them are awaited',
  input: ListRejectedFiles,
  output: RejectedFileList,
  async run(tx, { resource, input }) {
    await assertOpened(tx, resource)
    const { link, batch } = resource
    if (batch.status !== 'awaiting_resupply') return { rejected_files: [], next_cursor: null }
    const { files: rejected_files, next_cursor } = await rejectedFiles(tx, link, batch.id, input)
    return { rejected_files, next_cursor }
  },
})

export const openRejectedFile = query({
  ...ofRejected,
  name: 'openRejectedFile',
  summary: 'An image of a file that was rejected, while a new version of it is awaited',
  async run(_tx, { resource: { file } }): Promise<FileRow> {
    if (!file.previews?.preview || file.integrity === 'quarantined') throw notFound('image of a rejected file')
    return file
  },
})

export const openRepairedCopy = query({
  ...ofRejected,
  name: 'openRepairedCopy',
  summary: 'A repaired copy of a rejected file, to look at before it is taken',
  async run(tx, { resource: { file } }): Promise<RepairRow> {
    const repair = await proposedRepair(tx, file.id, false)
    if (!repair?.objectKey) throw notFound('repaired copy')
    assertPreviews(file)
    return repair
  },
})

export const acceptRepairedCopy = command({
  ...ofRejected,
  name: 'acceptRepairedCopy',
  summary: 'Take the repaired copy of a rejected file as its next version; no use of the link is counted',
  input: AcceptRepairedCopy,
  output: AcceptedCopy,
  async prepare(ctx, { resource, input }) {
    const prepared = await prepareAccepted(ctx, resource, 'upload_link')
    assertSame(resource, prepared, input.repair_id)
    return prepared
  },
  async run(tx, { resource, prepared }) {
    assertRunning(resource.project)
    const { name, size, sha256 } = await storeAccepted(tx, resource, prepared, 'upload_link')
    return { file: { name, size: Number(size), version: resource.file.version + 1, sha256: String(sha256) } }
  },
})

/** The copy that was looked at is the one that is taken. @throws `invalid_state` */
function assertSame({ file }: RejectedInBatch, { repair }: PreparedRepair, id: string) {
  if (repair.id === id) return
  const why = `Another repaired copy of ${quote(file.name)} is there by now. Load the page again, and look at that one.`
  throw invalidState(why, 'replaced', ['proposed'])
}

/** A file that a comment on a rejected file carries; comments for the team only, or resolved, are not there for a holder. */
const onItsAttachment: Finder<
  'token' | 'file_id' | 'comment_id' | 'attachment_id',
  RejectedInBatch & AttachmentOfComment
> = {
  params: ['token', 'file_id', 'comment_id', 'attachment_id'],
  async find(tx, { comment_id, attachment_id, ...path }, lock) {
    const on = await onRejected.find(tx, path, lock)
    const isSeen = and(
      eq(fileComments.fileId, on.file.id),
      eq(fileComments.isInternal, false),
      sql`not exists (select from file_comments t
        where t.id = coalesce(${fileComments.parentId}, ${fileComments.id}) and t.resolved_at is not null)`,
    )
    const comment = await findRow(tx, fileComments, 'comment', comment_id, false, isSeen)
    return { ...on, ...(await findAttachment(tx, { ...on, comment }, attachment_id)) }
  },
}

export const openRejectedAttachment = query({
  permission: 'anyone',
  resource: onItsAttachment,
  authenticateAs: (ctx, { token }) => authenticateLink(ctx, { token }),
  name: 'openRejectedAttachment',
  summary: 'The bytes of a file that a comment on a rejected file carries, to be saved',
  run: async (_tx, { resource }) => attachmentToRead(resource),
})
