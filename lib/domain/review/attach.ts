import { and, eq } from 'drizzle-orm'
import { newId } from '@/db/schema/columns'
import { commentAttachments } from '@/db/schema/comments'
import { LARGEST_ATTACHMENT, MOST_ATTACHMENTS } from '@/lib/vocabulary'
import { countStored } from '../directory/storage'
import { type AttachmentRow, attachmentKey, attachmentPictureKey, releaseAttachment } from '../files/attachments'
import { rejected } from '../files/intake'
import { extensionOf, findTypeByExtension } from '../files/media-types'
import { storeImage } from '../files/previews'
import { agencyQuota } from '../files/quotas'
import { type Quota, quotaViolations } from '../files/rules'
import { forbidden, invalidField, notFound, quote } from '../kernel/errors'
import type { Beside } from '../kernel/events'
import { intake, type NamedFile, type Upload, type Validation } from '../kernel/intake'
import { type Context, command, type Finder, query, type Tx } from '../kernel/operation'
import { can } from '../kernel/permissions'
import { isUuid } from '../kernel/shapes'
import { checkPortableName } from '../naming/portable-name'
import { assertNotHeld } from '../projects/holds'
import { assertNotClosed } from '../projects/rules'
import { assertBytes } from '../retention/rules'
import { countAttachments, presentAttachment } from './attachments'
import { authorOf, placeOf } from './comments'
import { addressOf, type CommentInFile, onComment } from './read-comments'
import { Attachment } from './schema'

/** Files that comments carry: taken in, read, removed. */

type Prepared = { objectId: string; hasPicture: boolean }

/** @throws `validation_failed` for what is refused by its name */
function assertName(name: string) {
  const [violation, ...others] = checkPortableName(name, null)
  if (!violation) return
  const messages = [violation, ...others].map(({ message }) => message)
  throw invalidField('file', violation.code, messages.join(' '))
}

/** @throws `file_rejected` for what the agency has no room for, as any file */
function assertFits({ actor }: Pick<Context, 'actor'>, quotas: readonly Quota[], { name, size = 0 }: NamedFile) {
  const violations = quotaViolations(size, quotas, actor.type === 'user' ? 'user' : 'guest')
  if (violations.length > 0) throw rejected(name, violations)
}

const validation: Validation<CommentInFile, Quota[], Prepared> = {
  async name(ctx, { expected }, file) {
    assertName(file.name)
    assertFits(ctx, expected, file)
  },
  arriving: () => undefined,
  async bytes(ctx, { expected }, upload) {
    assertName(upload.name)
    assertFits(ctx, expected, upload)
    if (upload.size === 0)
      throw invalidField('file', 'empty_file', `${quote(upload.name)} is empty: 0 bytes arrived. Attach it once more.`)
    const malware = await ctx.ports.files.scan?.(upload.staged.path)
    if (malware?.found)
      throw invalidField(
        'file',
        'malware',
        `The virus scanner found ${quote(malware.found)} in ${quote(upload.name)}. It was not attached.`,
      )
    const objectId = newId()
    const picture = await pictureOf(ctx, upload)
    if (picture) await storeImage(ctx, attachmentPictureKey({ objectId }), picture)
    // The adapter that received them discards the staged bytes.
    await ctx.ports.blobs.commit(upload.staged, attachmentKey({ objectId }), { keepStaged: true })
    return { objectId, hasPicture: picture !== null }
  },
  async undo({ ports }, _to, _upload, { objectId, hasPicture }) {
    await ports.blobs.delete(attachmentKey({ objectId }))
    if (hasPicture) await ports.blobs.delete(attachmentPictureKey({ objectId }))
  },
}

/** An image of it, drawn here of what was decoded; null where it is none, or none that can be read. */
async function pictureOf({ ports }: Context, { name, staged }: Upload): Promise<Buffer | null> {
  const extension = extensionOf(name)
  if (findTypeByExtension(extension)?.kind !== 'image') return null
  try {
    const timeoutMs = ports.files.integrityWaitMs
    const { kind, mediaType, violations } = await ports.files.inspect(staged.path, { extension, timeoutMs })
    if (kind !== 'image' || violations.length > 0) return null
    return (await ports.files.drawPreviews(staged.path, { kind, mediaType })).preview
  } catch {
    // The file itself is kept all the same.
    return null
  }
}

/** @throws `invalid_state` when the comment carries as many as it may */
async function assertRoom(tx: Tx, { comment }: CommentInFile) {
  if ((await countAttachments(tx, comment.id)) < MOST_ATTACHMENTS) return
  throw invalidField(
    'file',
    'too_many',
    `A comment carries at most ${MOST_ATTACHMENTS} files, and this one has as many. Remove one, or add a reply.`,
  )
}

/** What the intakes of the team and of guests have in common. `address`: of the comment, as its author reaches it. */
export const attaching = <S extends CommentInFile>(
  address: (tx: Tx, on: S) => string,
  assertMay: (tx: Tx, on: S) => void,
) => ({
  output: Attachment,
  maxBytes: LARGEST_ATTACHMENT,
  validate: validation,
  async expect(tx: Tx, on: S) {
    assertMay(tx, on)
    assertNotClosed(on.project)
    await assertRoom(tx, on)
    return agencyQuota(tx, on.project.agencyId)
  },
  async store(
    tx: Tx,
    { resource, expected, upload, validated }: { resource: S; expected: Quota[]; upload: Upload; validated: Prepared },
    besideEvent: (result: Attachment) => Beside[],
  ): Promise<Attachment> {
    assertMay(tx, resource)
    assertNotClosed(resource.project)
    await assertRoom(tx, resource)
    const { project, batch, file, comment } = resource
    const { name, size, sha256 } = upload
    const stored = await countStored(tx, project.agencyId, size)
    // What others stored meanwhile, too, under the lock of the count.
    assertFits(
      tx,
      expected.map((quota) => ({ ...quota, used: stored - size })),
      upload,
    )
    const row = { id: newId(tx.now), commentId: comment.id, ...validated, name, size, sha256, createdAt: tx.now }
    const attachment = presentAttachment(row, file, address(tx, resource))
    await tx.db.insert(commentAttachments).values(row)
    await tx.record(
      {
        type: 'comment.attached',
        projectId: project.id,
        batchId: batch.id,
        subjectId: comment.id,
        data: { ...placeOf(resource), attachment: name, size, sha256, is_internal: comment.isInternal },
      },
      besideEvent(attachment),
    )
    return attachment
  },
})

export const attachFile = intake({
  name: 'attachFile',
  summary: `Attach a file to a comment or a reply of yours, of any type: up to ${MOST_ATTACHMENTS}, each of up to ${LARGEST_ATTACHMENT / 1e6} MB`,
  permission: 'comments.write',
  resource: onComment,
  created: ({ id }, params) =>
    `/api/projects/${params.project_id}/batches/${params.batch_id}/files/${params.file_id}/comments/${params.comment_id}/attachments/${id}`,
  ...attaching(
    (tx, { comment }) => addressOf(tx, comment),
    (tx, { comment }) => {
      if (comment.createdBy !== authorOf(tx).id)
        throw forbidden('Files are attached to a comment by its author. Reply to it, and attach them there.')
    },
  ),
})

export type AttachmentOfComment = CommentInFile & { attachment: AttachmentRow }

/** The attachment of a comment that was found. @throws `not_found` */
export async function findAttachment(tx: Tx, on: CommentInFile, id: string): Promise<AttachmentOfComment> {
  const [attachment] = isUuid(id)
    ? await tx.db
        .select()
        .from(commentAttachments)
        .where(and(eq(commentAttachments.id, id), eq(commentAttachments.commentId, on.comment.id)))
    : []
  if (!attachment) throw notFound('attachment', id)
  return { ...on, attachment }
}

const onAttachment: Finder<
  'project_id' | 'batch_id' | 'file_id' | 'comment_id' | 'attachment_id',
  AttachmentOfComment
> = {
  params: ['project_id', 'batch_id', 'file_id', 'comment_id', 'attachment_id'],
  find: async (tx, { attachment_id, ...path }, lock) =>
    findAttachment(tx, await onComment.find(tx, path, lock), attachment_id),
}

/** What is to be streamed. @throws `removed` where the file's bytes, and with them its attachments, are not kept */
export function attachmentToRead({
  file,
  attachment,
}: {
  file: AttachmentOfComment['file']
  attachment: AttachmentRow
}) {
  assertBytes(file)
  return attachment
}

export const openAttachment = query({
  name: 'openAttachment',
  summary: 'The bytes of a file that a comment carries, to be saved',
  permission: 'projects.read',
  resource: onAttachment,
  run: async (_tx, { resource }): Promise<AttachmentRow> => attachmentToRead(resource),
})

export const detachFile = command({
  name: 'detachFile',
  summary: 'Remove a file from a comment of yours; a coordinator removes any',
  permission: 'comments.write',
  resource: onAttachment,
  output: Attachment,
  async run(tx, { resource }) {
    if (resource.comment.createdBy !== authorOf(tx).id && !can(tx.actor, 'comments.moderate'))
      throw forbidden('A file is removed from a comment by its author or by a coordinator.')
    return detach(tx, resource, addressOf(tx, resource.comment))
  },
})

/** @throws `project_closed`, `legal_hold` */
export async function detach(tx: Tx, on: AttachmentOfComment, address: string): Promise<Attachment> {
  const { project, batch, file, comment, attachment } = on
  assertNotClosed(project)
  await assertNotHeld(tx, project)
  await releaseAttachment(tx, project.agencyId, attachment)
  await tx.db.delete(commentAttachments).where(eq(commentAttachments.id, attachment.id))
  const { name, size, sha256 } = attachment
  await tx.record({
    type: 'comment.detached',
    projectId: project.id,
    batchId: batch.id,
    subjectId: comment.id,
    data: { ...placeOf(on), attachment: name, size, sha256, is_internal: comment.isInternal },
  })
  return presentAttachment(attachment, file, address)
}
