import { and, eq } from 'drizzle-orm'
import type { z } from 'zod'
import { isTrue, newId } from '@/db/schema/columns'
import { fileComments } from '@/db/schema/comments'
import { files } from '@/db/schema/files'
import { releaseOfComment } from '../files/attachments'
import { type FileInBatch, onFile } from '../files/find'
import { isVersionOf } from '../files/queries'
import { forbidden, invalidField, invalidState, quote } from '../kernel/errors'
import { command, type Tx } from '../kernel/operation'
import { can } from '../kernel/permissions'
import { assertNotHeld } from '../projects/holds'
import { assertNotClosed } from '../projects/rules'
import { copyAttachments } from './attachments'
import { assertMentions, notYetNotified, readersAmong, withoutNames } from './mentions'
import { authorIdOf, type CommentInFile, type CommentRow, onComment, serializeComment } from './read-comments'
import { assertDrawnOn, assertPlaceIn, regionAround, roundShapes } from './rules'
import { type Anchor, Comment, CreateComment, type Shape, UpdateComment } from './schema'

/** What people say about files: pinned to a place, replied to, resolved. */

export const createComment = command({
  name: 'createComment',
  summary:
    'Say something about a file, at a point, in a region, on a page, at a time or about all of it, with what is drawn there; or reply',
  permission: 'comments.write',
  resource: onFile,
  input: CreateComment,
  output: Comment,
  created: (comment, params) =>
    `/api/projects/${params.project_id}/batches/${comment.batch_id}/files/${comment.file_id}/comments/${comment.id}`,
  async run(tx, { resource, input }) {
    assertNotClosed(resource.project)
    return addComment(tx, resource, input, { createdBy: authorOf(tx).id })
  },
})

/** Who writes: a user, or the holder of a review link. */
type Author = { createdBy: string } | { reviewLinkId: string }

/** @throws `validation_failed`, `invalid_state` */
export async function addComment(
  tx: Tx,
  on: FileInBatch,
  input: z.output<typeof CreateComment>,
  author: Author,
): Promise<Comment> {
  const { project, batch, file } = on
  const parent = input.parent_id ? await parentOf(tx, on, input.parent_id) : null
  if (parent && input.anchor) {
    throw invalidField(
      'anchor',
      'not_allowed',
      'A reply stands where its comment stands. Leave out the place, or the comment it replies to.',
    )
  }
  const shapes = input.shapes?.length ? roundShapes(input.shapes) : null
  if (parent && shapes) {
    throw invalidField(
      'shapes',
      'not_allowed',
      'A reply stands where its comment stands. Leave out the shapes, or the comment it replies to.',
    )
  }
  if (!parent && !file.isCurrent) {
    throw invalidState(
      `${quote(file.name)} was replaced by a newer version. Comment on that one; what was said here can still be replied to.`,
      'superseded',
      ['current'],
    )
  }
  assertPlaceIn(file, input.anchor)
  if (shapes) assertDrawnOn(file, input.anchor, shapes)
  const mentions = await assertMentions(tx, project.id, input.body, input.mentions ?? [])
  const id = newId(tx.now)
  await tx.db.insert(fileComments).values({
    id,
    projectId: project.id,
    batchId: batch.id,
    fileId: file.id,
    parentId: parent?.id ?? null,
    body: input.body,
    anchor: input.anchor ?? null,
    shapes,
    mentions: mentions.length > 0 ? mentions : null,
    isInternal: parent ? parent.isInternal : (input.is_internal ?? false),
    ...author,
    createdAt: tx.now,
    updatedAt: tx.now,
  })
  await tx.record({
    type: 'comment.added',
    projectId: project.id,
    batchId: batch.id,
    subjectId: id,
    data: {
      ...placeOf(on),
      body: await withoutNames(tx, input.body, mentions),
      ...(mentions.length > 0 && { mentions }),
      anchor: input.anchor ?? null,
      ...(shapes && { shapes: shapes.length }),
      is_internal: parent ? parent.isInternal : (input.is_internal ?? false),
      answers: parent?.id ?? null,
    },
  })
  const said = { id, body: input.body, parentId: parent?.id ?? null }
  await notifyMentioned(tx, on, said, mentions)
  return serializeComment(tx, id)
}

/** Those who are mentioned for the first time are notified: once, however often the comment is changed. */
async function notifyMentioned(
  tx: Tx,
  on: FileInBatch,
  { id, body, parentId }: Pick<CommentRow, 'id' | 'body' | 'parentId'>,
  mentions: readonly string[],
) {
  const people = await notYetNotified(tx, id, mentions)
  if (people.length === 0) return
  await tx.record({
    type: 'comment.mentioned',
    projectId: on.project.id,
    batchId: on.batch.id,
    subjectId: id,
    data: { ...placeOf(on), body: await withoutNames(tx, body, mentions), people, answers: parentId },
  })
}

export const copyComment = command({
  name: 'copyComment',
  summary:
    'Say what is open on an earlier version of the newest as well, at the same place; the earlier one is resolved',
  permission: 'comments.write',
  resource: onComment,
  output: Comment,
  created: (copy, params) =>
    `/api/projects/${params.project_id}/batches/${copy.batch_id}/files/${copy.file_id}/comments/${copy.id}`,
  async run(tx, { resource }) {
    const { project, batch, file, comment } = resource
    assertNotClosed(project)
    if (comment.parentId)
      throw invalidState('A reply goes with its thread. Copy the first comment.', 'reply', ['first comment'])
    if (comment.resolvedAt)
      throw invalidState('It is resolved. Open it again to copy it to the newest version.', 'resolved', ['open'])
    const [newest] = await tx.db
      .select()
      .from(files)
      .where(and(eq(files.batchId, batch.id), isTrue(files.isCurrent), isVersionOf(batch.id, file.id)))
      .for('update')
    if (!newest || newest.id === file.id)
      throw invalidState(`${quote(file.name)} is the newest version: its comments stand where they are.`, 'current', [
        'superseded',
      ])
    const said = {
      body: comment.body,
      anchor: comment.anchor as Anchor | null,
      shapes: comment.shapes as Shape[] | null,
      // Who was named was notified already.
      is_internal: comment.isInternal,
    }
    const { id } = await addComment(tx, { ...resource, file: newest }, said, { createdBy: authorOf(tx).id })
    // Where its bytes are no longer kept, what it carried is gone with them.
    if (!file.removedAt) await copyAttachments(tx, comment.id, id)
    await settleComment(tx, resource, true)
    return serializeComment(tx, id)
  },
})

export const updateComment = command({
  name: 'updateComment',
  summary: 'Resolve or reopen a comment, or change what you wrote',
  permission: 'comments.write',
  resource: onComment,
  input: UpdateComment,
  output: Comment,
  conditional: (tx, { comment }) => serializeComment(tx, comment.id),
  async run(tx, { resource, input }) {
    const { project, comment } = resource
    assertNotClosed(project)
    const actor = authorOf(tx)
    if (input.body !== undefined && input.body !== comment.body) {
      if (comment.createdBy !== actor.id) throw forbidden('A comment is changed by its author. Reply to it instead.')
      await rewriteComment(tx, resource, input.body, input.mentions)
    } else if (input.mentions) {
      throw invalidField('body', 'required', 'People are mentioned in the text. Give the text that names them.')
    }
    if (input.shapes) {
      if (comment.createdBy !== actor.id) throw forbidden('A comment is changed by its author. Reply to it instead.')
      await redrawComment(tx, resource, input.shapes)
    }
    if (input.resolved !== undefined && input.resolved !== (comment.resolvedAt !== null)) {
      if (comment.parentId) {
        throw invalidField('resolved', 'not_allowed', 'A thread is resolved at its first comment, not at a reply.')
      }
      await settleComment(tx, resource, input.resolved)
    }
    return serializeComment(tx, comment.id)
  },
})

/**
 * Other shapes for a comment, on the same image; its place is the region of them. Without any, it stays where it was.
 *
 * @throws `validation_failed`
 */
async function redrawComment(tx: Tx, on: CommentInFile, given: readonly Shape[]) {
  const { project, batch, file, comment } = on
  const shapes = roundShapes(given)
  const held = comment.anchor as Anchor | null
  if (shapes.length > 0) assertDrawnOn(file, held, shapes)
  const { page, time } = (held ?? {}) as { page?: number; time?: number }
  const anchor: Anchor | null =
    shapes.length === 0
      ? held
      : {
          kind: 'region',
          ...regionAround(shapes),
          ...(page !== undefined && { page }),
          ...(time !== undefined && { time }),
        }
  await tx.db
    .update(fileComments)
    .set({ shapes: shapes.length > 0 ? shapes : null, anchor, editedAt: tx.now, updatedAt: tx.now })
    .where(eq(fileComments.id, comment.id))
  await tx.record({
    type: 'comment.changed',
    projectId: project.id,
    batchId: batch.id,
    subjectId: comment.id,
    data: {
      ...placeOf(on),
      before: { shapes: comment.shapes?.length ?? 0, anchor: held },
      after: { shapes: shapes.length, anchor },
    },
  })
}

/** Resolves a thread, or opens it again. */
async function settleComment(tx: Tx, on: CommentInFile, isResolved: boolean) {
  const { project, batch, comment } = on
  await tx.db
    .update(fileComments)
    .set({
      resolvedAt: isResolved ? tx.now : null,
      resolvedBy: isResolved ? authorOf(tx).id : null,
      updatedAt: tx.now,
    })
    .where(eq(fileComments.id, comment.id))
  await tx.record({
    type: isResolved ? 'comment.resolved' : 'comment.reopened',
    projectId: project.id,
    batchId: batch.id,
    subjectId: comment.id,
    data: {
      ...placeOf(on),
      body: await withoutNames(tx, comment.body, comment.mentions ?? []),
      is_internal: comment.isInternal,
    },
  })
}

/**
 * Other words for a comment; what it said before stays on the audit trail. `asked`: who is named in them; without it,
 * those who were and still are.
 *
 * @throws `validation_failed`
 */
export async function rewriteComment(tx: Tx, on: CommentInFile, body: string, asked?: readonly string[]) {
  const { project, batch, comment } = on
  const before = comment.mentions ?? []
  const readers = await readersAmong(tx, project.id, before)
  const still = before.filter((id) => body.includes(`@${readers.get(id)?.name}`))
  const mentions = asked ? await assertMentions(tx, project.id, body, asked) : still
  await tx.db
    .update(fileComments)
    .set({ body, mentions: mentions.length > 0 ? mentions : null, editedAt: tx.now, updatedAt: tx.now })
    .where(eq(fileComments.id, comment.id))
  await tx.record({
    type: 'comment.changed',
    projectId: project.id,
    batchId: batch.id,
    subjectId: comment.id,
    data: {
      ...placeOf(on),
      before: { body: await withoutNames(tx, comment.body, before) },
      after: { body: await withoutNames(tx, body, mentions) },
    },
  })
  await notifyMentioned(tx, on, { ...comment, body }, mentions)
}

export const deleteComment = command({
  name: 'deleteComment',
  summary: 'Remove a comment of yours and its replies; a coordinator removes any',
  permission: 'comments.write',
  resource: onComment,
  output: Comment,
  async run(tx, { resource: { project, batch, file, comment } }) {
    assertNotClosed(project)
    const actor = authorOf(tx)
    if (comment.createdBy !== actor.id && !can(tx.actor, 'comments.moderate')) {
      throw forbidden('A comment is removed by its author or by a coordinator. Resolve it instead.')
    }
    return removeComment(tx, { project, batch, file, comment })
  },
})

/** Removes it with its replies; what it said stays on the audit trail. @throws `legal_hold` */
export async function removeComment(tx: Tx, { project, batch, file, comment }: CommentInFile): Promise<Comment> {
  await assertNotHeld(tx, project)
  const shown = await serializeComment(tx, comment.id)
  await releaseOfComment(tx, project.agencyId, comment.id)
  await tx.db.delete(fileComments).where(eq(fileComments.id, comment.id))
  await tx.record({
    type: 'comment.deleted',
    projectId: project.id,
    batchId: batch.id,
    subjectId: comment.id,
    data: {
      file: file.name,
      version: file.version,
      body: await withoutNames(tx, comment.body, comment.mentions ?? []),
      author: shown.author.name,
      author_id: authorIdOf(comment),
    },
  })
  return shown
}

/** What an event says of where a comment stands. */
export const placeOf = ({ batch, file }: FileInBatch) => ({
  name: batch.name,
  file: file.name,
  file_id: file.id,
  version: file.version,
})

export function authorOf(tx: Tx) {
  if (tx.actor.type !== 'user') throw new Error('Comments are written by people.')
  return tx.actor
}

/** The first comment of the thread, on this very version. @throws `validation_failed` */
async function parentOf(tx: Tx, { file }: FileInBatch, id: string): Promise<CommentRow> {
  const [parent] = await tx.db
    .select()
    .from(fileComments)
    .where(and(eq(fileComments.id, id), eq(fileComments.fileId, file.id)))
  if (!parent) {
    throw invalidField(
      'parent_id',
      'unknown_reference',
      `There is no comment ${quote(id)} on this version of ${quote(file.name)}. Reply to one that is.`,
    )
  }
  if (parent.parentId) {
    throw invalidField(
      'parent_id',
      'is_answer',
      'That comment is a reply itself. Reply to the first comment of its thread.',
    )
  }
  return parent
}
