import { and, asc, desc, eq, gt, inArray, ne, sql } from 'drizzle-orm'
import { isTrue, newId } from '@/db/schema/columns'
import { fileComments } from '@/db/schema/comments'
import { users } from '@/db/schema/directory'
import { files } from '@/db/schema/files'
import { guestDecisions, reviewLinks } from '@/db/schema/review-links'
import { LABELS } from '@/lib/vocabulary'
import { stateOf, takesDecisions } from '../batches/stage-rules'
import { settleStages, stagesOf } from '../batches/stages'
import { bannerOf, OpenBanner } from '../files/banner'
import { ofBatch } from '../files/find'
import type { FileRow } from '../files/present'
import { assertApprovable, assertAsSeen, assertReviewable } from '../files/rules'
import { numberOf, seenSize } from '../files/seen-size'
import { assertEntered, authenticateVisit, isUnlocked, unlocking, watching } from '../guest-links/enter'
import { statusForHolder } from '../guest-links/rules'
import type { BlobKey } from '../kernel/blob-store'
import { forbidden, invalidField, invalidState, notFound, quote } from '../kernel/errors'
import { intake } from '../kernel/intake'
import { command, type Finder, query, reading, type Tx } from '../kernel/operation'
import { findRow } from '../kernel/rows'
import { decodeCursor, iso, isoOrNull, isUuid, page, upTo } from '../kernel/shapes'
import { presentPlayback, proxiesOf } from '../playback/find'
import { findPiece, PIECE_PLACE, type PiecePlace } from '../playback/operations'
import { assertNotClosed, isClosed } from '../projects/rules'
import { assertBytes } from '../retention/rules'
import { type AttachmentOfComment, attaching, attachmentToRead, detach, findAttachment } from '../review/attach'
import { attachmentsByComment, presentAttachment } from '../review/attachments'
import { addComment, removeComment, rewriteComment } from '../review/comments'
import type { CommentInFile } from '../review/read-comments'
import { type Anchor, Attachment, type Shape } from '../review/schema'
import {
  authenticateGuest,
  byToken,
  type FileOfLink,
  noteVisit,
  onRoomFile,
  type ReviewLinkInBatch,
  type ReviewLinkRow,
} from './find'
import { addressOfComment, addressOfFile, limitWrites, showsTiles, watermarkOf } from './holder'
import {
  CreateRoomComment,
  DecideAsGuest,
  ListRoomFiles,
  ReviewLinkForHolder,
  type RoomComment,
  RoomFile,
  RoomFileList,
  UpdateRoomComment,
} from './schema'

/** Files of a batch as the holder of a review link sees, comments on and decides them, without an account. */

const asGuest = { permission: 'anyone', authenticateAs: authenticateGuest } as const
const onLink = { ...asGuest, resource: byToken } as const
const onItsFile = { ...asGuest, resource: onRoomFile } as const

/** The files a link shows, as a condition. */
const shownBy = ({ link, batch }: ReviewLinkInBatch) =>
  and(
    ne(files.integrity, 'quarantined'),
    link.fileIds ? ofBatch(batch.id, link.fileIds) : and(eq(files.batchId, batch.id), isTrue(files.isCurrent)),
  )

export const getReviewRoom = query({
  ...onLink,
  authenticateAs: authenticateVisit(byToken.find, noteVisit),
  name: 'getReviewRoom',
  summary:
    'What a review link shows its holder: who asks for their word on what, until when; of a link that is over only that it is, of one behind a password the same until it is given',
  output: ReviewLinkForHolder,
  async run(tx, { resource }): Promise<ReviewLinkForHolder> {
    const { link, batch, project } = resource
    const status = statusForHolder(link, batch, tx.now)
    if (status !== 'active') return { status }
    if (!isUnlocked(tx, link)) return { status, password_required: true }
    const [contact] = await tx.db.select({ name: users.name }).from(users).where(eq(users.id, link.createdBy))
    const decided = (decision: string) =>
      sql<number>`count(*) filter (where ${guestDecisions.decision} = ${decision})::int`
    const [counts] = await tx.db
      .select({ files: sql<number>`count(*)::int`, approved: decided('approved'), rejected: decided('rejected') })
      .from(files)
      .leftJoin(guestDecisions, and(eq(guestDecisions.fileId, files.id), eq(guestDecisions.linkId, link.id)))
      .where(shownBy(resource))
    const stage = await stageOfLink(tx, link)
    return {
      status,
      password_required: false,
      name: link.name,
      party: link.party,
      note: link.note,
      watermark: watermarkOf(link),
      may_download: link.mayDownload,
      expires_at: isoOrNull(link.expiresAt),
      project: { name: project.name },
      batch: { name: batch.name, status: batch.status },
      contact: { name: contact?.name ?? '' },
      may_decide:
        batch.status === 'in_review' && !isClosed(project.status) && (stage === null || takesDecisions(stage.state)),
      stage: stage && { name: stage.name, state: stage.state, due_at: isoOrNull(stage.dueAt) },
      counts: counts ?? { files: 0, approved: 0, rejected: 0 },
    }
  },
})

/** The stage that the holder of a link takes part in, and where it stands; null: none. */
async function stageOfLink(tx: Tx, { stageId, batchId }: ReviewLinkRow) {
  if (!stageId) return null
  const all = await stagesOf(tx, batchId)
  const stage = all.find(({ id }) => id === stageId)
  return stage ? { name: stage.name, dueAt: stage.dueAt, state: stateOf(stage, all) } : null
}

const NOT_OPEN = {
  waiting: 'waits for those before it',
  skipped: 'was skipped',
  withdrawn: 'was withdrawn',
} as const

/** @throws `invalid_state` unless decisions are taken at the stage of the link */
async function assertStageOpen(tx: Tx, link: ReviewLinkRow) {
  const stage = await stageOfLink(tx, link)
  if (!stage || stage.state === 'open' || stage.state === 'done') return
  throw invalidState(
    `The stage ${quote(stage.name)} ${NOT_OPEN[stage.state]}; nothing can be decided at it now.`,
    stage.state,
    ['open', 'done'],
  )
}

/** Changes nothing: what it returns is a key that the browser keeps. */
export const unlockReviewLink = query({
  ...onLink,
  name: 'unlockReviewLink',
  summary: 'Give the password of a protected review link',
  ...unlocking('review link'),
})

export const watchRoom = query({
  ...onLink,
  name: 'watchRoom',
  summary: 'Hints, as server-sent events, that what the link shows changed (`message`), and that it ended (`ended`)',
  ...watching('review link'),
})

const FILES_SHOWN = 50

export const listRoomFiles = query({
  ...onLink,
  name: 'listRoomFiles',
  summary: 'The files that a review link shows, newest first, each with what is said of it and what its holder decided',
  input: ListRoomFiles,
  output: RoomFileList,
  async run(tx, { resource, input }) {
    assertEntered('review link', tx, resource)
    const limit = input.limit ?? FILES_SHOWN
    const rows = await tx.db
      .select()
      .from(files)
      .where(and(shownBy(resource), input.cursor ? sql`${files.id} < ${decodeCursor(input.cursor)}` : undefined))
      .orderBy(desc(files.id))
      .limit(upTo(limit))
    const { rows: shown, next_cursor } = page(rows, limit)
    return { files: await presentFiles(tx, resource, shown), next_cursor }
  },
})

async function presentFiles(tx: Tx, on: ReviewLinkInBatch, shown: readonly FileRow[]): Promise<RoomFile[]> {
  const ids = shown.map(({ id }) => id)
  if (ids.length === 0) return []
  const said = await tx.db
    .select({ comment: fileComments, author: users.name, party: reviewLinks.party })
    .from(fileComments)
    // Of the team only the one who sent the link is named.
    .leftJoin(users, and(eq(users.id, fileComments.createdBy), eq(users.id, on.link.createdBy)))
    .leftJoin(reviewLinks, eq(reviewLinks.id, fileComments.reviewLinkId))
    .where(and(inArray(fileComments.fileId, ids), eq(fileComments.isInternal, false)))
    .orderBy(asc(fileComments.id))
  const decisions = await tx.db
    .select()
    .from(guestDecisions)
    .where(and(eq(guestDecisions.linkId, on.link.id), inArray(guestDecisions.fileId, ids)))
  const played = shown.filter(isPlayed)
  const proxies = await proxiesOf(
    tx,
    played.map(({ sha256 }) => sha256),
  )
  const attached = await attachmentsByComment(
    tx,
    said.map(({ comment }) => comment.id),
  )
  const removedAt = new Map(shown.map((file) => [file.id, file.removedAt]))
  const words = ({ comment, author, party }: (typeof said)[number]) => ({
    id: comment.id,
    author:
      comment.reviewLinkId === on.link.id ? on.link.name : party ? LABELS.reviewParty[party] : (author ?? 'The team'),
    is_mine: comment.reviewLinkId === on.link.id,
    body: comment.body,
    attachments: (attached.get(comment.id) ?? []).map((row) =>
      presentAttachment(
        row,
        { removedAt: removedAt.get(comment.fileId) ?? null },
        addressOfComment(tx, on.link, comment),
      ),
    ),
    edited_at: isoOrNull(comment.editedAt),
    created_at: iso(comment.createdAt),
  })
  return shown.map((file) => {
    const address = addressOfFile(tx, on.link, file.id)
    const isKept = file.removedAt === null
    const hasPicture = Boolean(file.previews?.preview) && file.previewsRemovedAt === null
    const decision = decisions.find(({ fileId }) => fileId === file.id)
    return {
      id: file.id,
      name: file.name,
      version: file.version,
      kind: file.kind,
      media_type: file.mediaType,
      size: file.size,
      sha256: file.sha256,
      ...seenSize(file.media),
      duration_seconds: numberOf(file.media.durationSeconds),
      is_current: file.isCurrent,
      pages: hasPicture ? (file.previews?.pages ?? 1) : 0,
      pages_in_file: numberOf(file.media.pages),
      picture_url: hasPicture ? `${address}/picture` : null,
      tiles_url: showsTiles(on.link, file) ? `${address}/tiles` : null,
      media_url: isPlayed(file) ? `${address}/media` : null,
      playback: isPlayed(file) ? presentPlayback(file, proxies.get(file.sha256), address) : null,
      download_url: isKept && on.link.mayDownload ? `${address}/download` : null,
      has_banner: isKept && file.kind === 'archive' && hasEntry(file.media),
      decision: decision
        ? {
            decision: decision.decision,
            comment: decision.comment,
            file_version: decision.fileVersion,
            sha256: decision.sha256,
            decided_at: iso(decision.createdAt),
          }
        : null,
      comments: said
        .filter(({ comment }) => comment.fileId === file.id && comment.parentId === null)
        .map(
          (thread): RoomComment => ({
            ...words(thread),
            anchor: thread.comment.anchor as Anchor | null,
            shapes: (thread.comment.shapes ?? []) as Shape[],
            is_resolved: thread.comment.resolvedAt !== null,
            replies: said.filter(({ comment }) => comment.parentId === thread.comment.id).map(words),
          }),
        ),
    }
  })
}

const isPlayed = ({ kind, removedAt }: FileRow) => removedAt === null && (kind === 'video' || kind === 'audio')
const hasEntry = ({ entryPoints }: Record<string, unknown>) => Array.isArray(entryPoints) && entryPoints.length > 0

async function presentFile(tx: Tx, { file, ...on }: FileOfLink): Promise<RoomFile> {
  const [row] = await tx.db.select().from(files).where(eq(files.id, file.id))
  const [shown] = await presentFiles(tx, on, row ? [row] : [])
  if (!shown) throw new Error(`File ${file.id} vanished while it was read.`)
  return shown
}

/** The stored file for its image or for a player. Returns no JSON: the route streams it. */
export const openRoomFile = query({
  ...onItsFile,
  name: 'openRoomFile',
  summary: 'An image of a file that a review link shows',
  run: async (_tx, { resource }): Promise<FileRow> => resource.file,
})

/** A piece of a copy that is being made. Returns no JSON: the route streams it. */
export const openRoomPiece = query({
  ...asGuest,
  resource: {
    params: [...onRoomFile.params, ...PIECE_PLACE] as const,
    async find(tx: Tx, { pieces_id, number, ...path }: Record<'token' | 'file_id' | PiecePlace, string>) {
      const { file } = await onRoomFile.find(tx, path, false)
      return findPiece(tx, file, { pieces_id, number })
    },
  },
  name: 'openRoomPiece',
  summary: 'A piece of the copy of a video that a review link shows, while it is made; 404 once the copy is ready',
  run: async (_tx, { resource }): Promise<{ key: BlobKey }> => resource,
})

/** The stored file to keep; written down, because it leaves the service. */
export const downloadRoomFile = command({
  ...onItsFile,
  name: 'downloadRoomFile',
  summary: 'The bytes of a file that a review link shows, where it allows downloads',
  async run(tx, { resource: { project, batch, link, file } }): Promise<FileRow> {
    if (!link.mayDownload)
      throw forbidden('This link shows files, and does not let them be downloaded. Ask its sender.')
    assertBytes(file)
    await tx.record({
      type: 'review_link.downloaded',
      projectId: project.id,
      batchId: batch.id,
      subjectId: link.id,
      data: { file: file.name, version: file.version, sha256: file.sha256 },
    })
    return file
  },
})

export const openRoomBanner = query({
  ...onItsFile,
  name: 'openRoomBanner',
  summary: 'Where an HTML5 ad that a review link shows can be viewed, in a sandboxed frame, for two hours',
  output: OpenBanner,
  run: async (tx, { resource: { file } }) => bannerOf(tx, file),
})

export const decideAsGuest = command({
  ...onItsFile,
  name: 'decideAsGuest',
  summary: 'Approve or reject a version of a file, as the holder of a review link; again to change it, while in review',
  input: DecideAsGuest,
  output: RoomFile,
  prepare: limitWrites,
  async run(tx, { resource, input }) {
    const { project, batch, link, file } = resource
    assertNotClosed(project)
    assertReviewable(batch, file)
    await assertStageOpen(tx, link)
    assertAsSeen(file, { sha256: input.sha256 })
    if (input.decision === 'approve') assertApprovable(file)
    else if (!input.comment)
      throw invalidField('comment', 'required', 'A rejection needs a comment: say what should change.')
    const decision = input.decision === 'approve' ? ('approved' as const) : ('rejected' as const)
    const said = {
      fileVersion: file.version,
      sha256: file.sha256,
      decision,
      comment: input.comment || null,
      createdAt: tx.now,
    }
    const [before] = await tx.db
      .select({ decision: guestDecisions.decision })
      .from(guestDecisions)
      .where(and(eq(guestDecisions.linkId, link.id), eq(guestDecisions.fileId, file.id)))
    await tx.db
      .insert(guestDecisions)
      .values({ id: newId(tx.now), linkId: link.id, batchId: batch.id, fileId: file.id, ...said })
      .onConflictDoUpdate({ target: [guestDecisions.linkId, guestDecisions.fileId], set: said })
    await tx.record({
      type: 'review_link.decided',
      projectId: project.id,
      batchId: batch.id,
      subjectId: link.id,
      data: {
        file: file.name,
        file_id: file.id,
        version: file.version,
        sha256: file.sha256,
        party: link.party,
        batch: batch.name,
        before: before?.decision ?? 'pending',
        after: decision,
        comment: said.comment,
      },
    })
    if (link.stageId) await settleStages(tx, resource)
    return presentFile(tx, resource)
  },
})

/** @throws `validation_failed` for one that its holder does not see */
async function assertAnswerable({ db }: Tx, { file }: FileOfLink, parentId: string | null | undefined) {
  if (!parentId) return
  const [parent] = await db
    .select({ isInternal: fileComments.isInternal })
    .from(fileComments)
    .where(and(eq(fileComments.id, parentId), eq(fileComments.fileId, file.id)))
  if (!parent || parent.isInternal)
    throw invalidField('parent_id', 'unknown_reference', 'There is no such comment on this file. Reply to one that is.')
}

export const commentAsGuest = command({
  ...onItsFile,
  name: 'commentAsGuest',
  summary: 'Comment on a file, or reply, as the holder of a review link; all who review the file see it',
  input: CreateRoomComment,
  output: RoomFile,
  prepare: limitWrites,
  async run(tx, { resource, input }) {
    assertNotClosed(resource.project)
    await assertAnswerable(tx, resource, input.parent_id)
    await addComment(tx, resource, { ...input, is_internal: false }, { reviewLinkId: resource.link.id })
    return presentFile(tx, resource)
  },
})

/** A comment of the holder's own; others' are not theirs to change. */
const onOwnComment: Finder<'token' | 'file_id' | 'comment_id', FileOfLink & CommentInFile> = {
  params: ['token', 'file_id', 'comment_id'],
  async find(tx, { comment_id, ...path }, lock) {
    const on = await onRoomFile.find(tx, path, lock)
    const [comment] = isUuid(comment_id)
      ? await tx.db
          .select()
          .from(fileComments)
          .where(
            and(
              eq(fileComments.id, comment_id),
              eq(fileComments.fileId, on.file.id),
              eq(fileComments.reviewLinkId, on.link.id),
            ),
          )
      : []
    if (!comment) throw notFound('comment of yours')
    return { ...on, comment }
  },
}

export const editCommentAsGuest = command({
  ...asGuest,
  resource: onOwnComment,
  name: 'editCommentAsGuest',
  summary: 'Change a comment of one’s own; what it said before stays on the audit trail',
  input: UpdateRoomComment,
  output: RoomFile,
  prepare: limitWrites,
  async run(tx, { resource, input }) {
    assertNotClosed(resource.project)
    if (input.body !== resource.comment.body) await rewriteComment(tx, resource, input.body)
    return presentFile(tx, resource)
  },
})

export const deleteCommentAsGuest = command({
  ...asGuest,
  resource: onOwnComment,
  name: 'deleteCommentAsGuest',
  summary: 'Remove a comment of one’s own; what it said stays on the audit trail',
  output: RoomFile,
  prepare: limitWrites,
  async run(tx, { resource }) {
    assertNotClosed(resource.project)
    const [reply] = await tx.db
      .select({ id: fileComments.id })
      .from(fileComments)
      .where(and(eq(fileComments.parentId, resource.comment.id), gt(fileComments.id, resource.comment.id)))
      .limit(1)
    if (reply) throw forbidden('It was replied to. Change it, or add a reply, so that the answer keeps its question.')
    await removeComment(tx, resource)
    return presentFile(tx, resource)
  },
})

type OwnComment = FileOfLink & CommentInFile

export const attachFileAsGuest = intake({
  name: 'attachFileAsGuest',
  summary: 'Attach a file to a comment or a reply of one’s own, as the holder of a review link',
  permission: 'anyone',
  resource: onOwnComment,
  async enter(ctx, params) {
    const actor = await authenticateGuest(ctx, params)
    const entered = { ...ctx, actor }
    await limitWrites(entered)
    return { actor, resource: await onOwnComment.find(reading(entered), params, false) }
  },
  created: ({ id }, { token, file_id, comment_id }) =>
    `/api/public/review-links/${token}/files/${file_id}/comments/${comment_id}/attachments/${id}`,
  ...attaching<OwnComment>(
    (tx, { link, comment }) => addressOfComment(tx, link, comment),
    // Only comments of the holder are found.
    () => undefined,
  ),
})

/** What any comment carries that the holder sees. */
const onSeenAttachment: Finder<'token' | 'file_id' | 'comment_id' | 'attachment_id', FileOfLink & AttachmentOfComment> =
  {
    params: ['token', 'file_id', 'comment_id', 'attachment_id'],
    async find(tx, { comment_id, attachment_id, ...path }, lock) {
      const on = await onRoomFile.find(tx, path, lock)
      const isSeen = and(eq(fileComments.fileId, on.file.id), eq(fileComments.isInternal, false))
      const comment = await findRow(tx, fileComments, 'comment', comment_id, false, isSeen)
      return { ...on, ...(await findAttachment(tx, { ...on, comment }, attachment_id)) }
    },
  }

export const openRoomAttachment = query({
  ...asGuest,
  resource: onSeenAttachment,
  name: 'openRoomAttachment',
  summary: 'The bytes of a file that a comment carries, to be saved, as the holder of a review link',
  run: async (_tx, { resource }) => attachmentToRead(resource),
})

export const detachFileAsGuest = command({
  ...asGuest,
  resource: onSeenAttachment,
  name: 'detachFileAsGuest',
  summary: 'Remove a file from a comment of one’s own',
  output: Attachment,
  prepare: limitWrites,
  async run(tx, { resource }) {
    const { comment, link } = resource
    if (comment.reviewLinkId !== link.id) throw notFound('comment of yours')
    return detach(tx, resource, addressOfComment(tx, link, comment))
  },
})
