import { and, eq, inArray } from 'drizzle-orm'
import { z } from 'zod'
import { files } from '@/db/schema/files'
import type { RejectionReason } from '@/lib/vocabulary'
import { type BatchInProject, onBatch } from '../batches/find'
import { assertTakesFiles } from '../batches/rules'
import { invalidField, invalidState, notFound, quote } from '../kernel/errors'
import { intake } from '../kernel/intake'
import { command, query, type Tx } from '../kernel/operation'
import { isoOrNull } from '../kernel/shapes'
import { assertNotClosed } from '../projects/rules'
import { type FileInBatch, onFile } from './find'
import { expectationsOf, fileValidation, storeFile } from './intake'
import type { FileRow } from './present'
import { fullFile, fullFiles } from './queries'
import { assertApprovable, assertAsSeen, assertReviewable } from './rules'
import { type Decision, File, ReviewFile, ReviewFiles } from './schema'

export const receiveFile = intake({
  name: 'receiveFile',
  summary: 'Upload a file: validated by name, content and integrity before it is stored',
  permission: 'files.upload',
  resource: onBatch,
  output: File,
  created: (file, params) => `/api/projects/${params.project_id}/batches/${file.batch_id}/files/${file.id}`,
  expect: expectByStaff,
  validate: fileValidation,
  async store(tx, file) {
    assertOpen(file.resource)
    return fullFile(tx, await storeFile(tx, file))
  },
})

/** For the screen that sends files. */
export const expectFile = query({
  name: 'expectFile',
  summary: 'What a batch asks of a new file',
  permission: 'files.upload',
  resource: onBatch,
  run: (tx, { resource }) => expectByStaff(tx, resource),
})

async function expectByStaff(tx: Tx, where: BatchInProject) {
  assertOpen(where)
  return expectationsOf(tx, where, 'user')
}

/** Whether staff may add files at this moment. */
function assertOpen({ project, batch }: BatchInProject) {
  assertNotClosed(project)
  assertTakesFiles(batch.status, 'user')
}

export const reviewFile = command({
  name: 'reviewFile',
  summary: 'Approve or reject a file; a comment is needed to reject',
  permission: 'files.review',
  resource: onFile,
  input: ReviewFile,
  output: File,
  async run(tx, { resource, input }) {
    assertNotClosed(resource.project)
    assertReviewable(resource.batch, resource.file)
    assertAsSeen(resource.file, input)
    await decide(tx, resource, resource.file, input)
    return fullFile(tx, resource.file.id)
  },
})

export const reviewFiles = command({
  name: 'reviewFiles',
  summary: 'Decide on many files at once: all of them, or none',
  permission: 'files.review',
  resource: onBatch,
  input: ReviewFiles,
  output: z.object({ files: z.array(File) }),
  async run(tx, { resource, input }) {
    assertNotClosed(resource.project)
    const found = await tx.db
      .select()
      .from(files)
      .where(and(eq(files.batchId, resource.batch.id), inArray(files.id, input.file_ids)))
      .orderBy(files.id)
      .for('no key update')
    const missing = input.file_ids.find((id) => !found.some((file) => file.id === id))
    if (missing) throw notFound('file', missing)
    for (const file of found) await decide(tx, resource, file, input)
    return { files: await fullFiles(tx, input.file_ids) }
  },
})

type Verdict = { decision: Decision; comment?: string; reason?: RejectionReason }

/** Writes a decision on a file, and what was decided before it, so that it can be taken back. */
export async function decide(
  tx: Tx,
  { batch, project }: Pick<FileInBatch, 'batch' | 'project'>,
  file: FileRow,
  { decision, comment, reason }: Verdict,
) {
  if (tx.actor.type !== 'user') throw new Error('Files are decided by people.')
  assertReviewable(batch, file)
  if (decision === 'reject' && !comment) {
    throw invalidField(
      'comment',
      'required',
      'A rejection needs a comment: say what is wrong, so that the agency can fix it.',
    )
  }
  if (decision === 'approve' && reason) {
    throw invalidField(
      'reason',
      'not_allowed',
      `The reason ${quote(reason)} says why a file is rejected, and this one is approved. Leave it out.`,
    )
  }
  if (decision === 'approve') assertApprovable(file)
  const decided = decision === 'approve' ? ('approved' as const) : ('rejected' as const)
  await tx.db
    .update(files)
    .set({
      decision: decided,
      decisionComment: comment || null,
      decisionReason: reason ?? null,
      decidedBy: tx.actor.id,
      decidedAt: tx.now,
      updatedAt: tx.now,
    })
    .where(eq(files.id, file.id))
  await tx.record({
    type: 'file.reviewed',
    projectId: project.id,
    batchId: batch.id,
    subjectId: file.id,
    data: {
      file: file.name,
      version: file.version,
      sha256: file.sha256,
      before: file.decision,
      after: decided,
      reason: reason ?? null,
      comment: comment ?? null,
      previous: {
        decision: file.decision,
        reason: file.decisionReason,
        comment: file.decisionComment,
        decided_by: file.decidedBy,
        decided_at: isoOrNull(file.decidedAt),
      },
    },
  })
}

export const deleteFile = command({
  name: 'deleteFile',
  summary: 'Remove a file from a batch that was not submitted yet',
  permission: 'files.delete',
  resource: onFile,
  output: File,
  async run(tx, { resource: { project, batch, file } }) {
    assertNotClosed(project)
    if (batch.status !== 'open')
      throw invalidState(`Files can be removed while the batch is open; it is ${batch.status}.`, batch.status, ['open'])
    const shown = await fullFile(tx, file.id)
    await tx.db.delete(files).where(eq(files.id, file.id))
    await tx.record({
      type: 'file.deleted',
      projectId: project.id,
      batchId: batch.id,
      subjectId: file.id,
      data: { file: file.name, sha256: file.sha256, objectKey: file.objectKey },
    })
    return shown
  },
})
