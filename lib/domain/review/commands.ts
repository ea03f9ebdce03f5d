import { and, desc, eq, exists, inArray } from 'drizzle-orm'
import { z } from 'zod'
import { isTrue, newId } from '@/db/schema/columns'
import { users } from '@/db/schema/directory'
import { events } from '@/db/schema/events'
import { files } from '@/db/schema/files'
import { preQcResults, preQcWaivers } from '@/db/schema/pre-qc'
import { reviewStageMembers, stageDecisions } from '@/db/schema/review-stages'
import type { RejectionReason, ReviewDecision } from '@/lib/vocabulary'
import { onBatch } from '../batches/find'
import { stateOf, takesDecisions } from '../batches/stage-rules'
import { settleStages, stagesOf } from '../batches/stages'
import { type FileInBatch, ofBatch, onFile } from '../files/find'
import type { FileRow } from '../files/present'
import { serializeFile, serializeFiles } from '../files/queries'
import { assertApprovable, assertAsSeen, assertReviewable } from '../files/rules'
import { File, ReviewedFiles, ReviewFile, ReviewFiles } from '../files/schema'
import { forbidden, invalidField, invalidState, quote } from '../kernel/errors'
import { command, query, type Tx, writeEach } from '../kernel/operation'
import { assertFound } from '../kernel/rows'
import { isoOrNull } from '../kernel/shapes'
import { assertNotClosed } from '../projects/rules'
import { assertBytes } from '../retention/rules'
import { assertUndoable, UNDO_SECONDS, whyNotPassing } from './rules'
import { ApprovePassing, PASSING_AT_ONCE, PassingApproval, PassingPreview, UndoReview } from './schema'

/** The current versions among these, or all of the batch, locked. */
async function lockFiles(tx: Tx, batchId: string, ids?: readonly string[]): Promise<FileRow[]> {
  const found = await tx.db
    .select()
    .from(files)
    .where(ids ? ofBatch(batchId, ids) : and(eq(files.batchId, batchId), isTrue(files.isCurrent)))
    .orderBy(files.id)
    .for('no key update')
  if (ids) assertFound('file', ids, found)
  return found
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
    await decide(tx, resource, resource.file, input, await stagesTaking(tx, resource.batch.id))
    await settleStages(tx, resource)
    return serializeFile(tx, resource.file.id)
  },
})

export const reviewFiles = command({
  name: 'reviewFiles',
  summary:
    'Decide on many files at once: all of them, or none; only those that another user decided since they were viewed are left',
  permission: 'files.review',
  resource: onBatch,
  input: ReviewFiles,
  output: ReviewedFiles,
  async run(tx, { resource, input }) {
    assertNotClosed(resource.project)
    const left: z.output<typeof ReviewedFiles>['left'] = []
    const decided: FileRow[] = []
    const stageIds = await stagesTaking(tx, resource.batch.id)
    for (const file of await lockFiles(tx, resource.batch.id, input.file_ids)) {
      const reason = await whyLeft(tx, file, input.expected_decisions?.[file.id])
      if (reason) left.push({ file: { id: file.id, name: file.name }, reason })
      else decided.push(file)
    }
    await writeEach(decided, (file) => decide(tx, resource, file, input, stageIds))
    await settleStages(tx, resource)
    const ids = decided.map(({ id }) => id)
    return { files: await serializeFiles(tx, ids), left }
  },
})

/** Who else decided on a file since it was viewed; null where no other user did, or where that was taken back. */
async function whyLeft(tx: Tx, file: FileRow, seen: ReviewDecision | undefined): Promise<string | null> {
  if (seen === undefined || seen === file.decision || !file.decidedBy) return null
  const [by] = await tx.db.select({ name: users.name }).from(users).where(eq(users.id, file.decidedBy))
  return `${by?.name ?? 'Another user'} ${file.decision} it meanwhile.`
}

/** Writes a decision on a file, and what was decided before it, so that it can be taken back. */
async function decide(
  tx: Tx,
  { batch, project }: Pick<FileInBatch, 'batch' | 'project'>,
  file: FileRow,
  { decision, comment, reason }: ReviewFile,
  stageIds: readonly string[],
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
  if (decision === 'approve') {
    assertBytes(file)
    assertApprovable(file)
  }
  const decided = {
    decision: decision === 'approve' ? ('approved' as const) : ('rejected' as const),
    reason: reason ?? null,
    comment: comment || null,
    decided_by: tx.actor.id,
    decided_at: tx.now.toISOString(),
  }
  await noteAtStages(tx, file, tx.actor.id, decided.decision, stageIds)
  await setDecision(tx, 'file.reviewed', { project, file }, decided, {
    reason: reason ?? null,
    comment: comment ?? null,
    previous: {
      decision: file.decision,
      reason: file.decisionReason,
      comment: file.decisionComment,
      decided_by: file.decidedBy,
      decided_at: isoOrNull(file.decidedAt),
    } satisfies Decision,
  })
}

/** The stages that are open as the command begins and in which the actor takes part: what they decide counts there. */
async function stagesTaking(tx: Tx, batchId: string): Promise<string[]> {
  if (tx.actor.type !== 'user') return []
  const stages = await stagesOf(tx, batchId)
  const open = stages.filter((stage) => takesDecisions(stateOf(stage, stages))).map(({ id }) => id)
  if (open.length === 0) return []
  const taking = await tx.db
    .select({ stageId: reviewStageMembers.stageId })
    .from(reviewStageMembers)
    .where(and(inArray(reviewStageMembers.stageId, open), eq(reviewStageMembers.userId, tx.actor.id)))
  return taking.map(({ stageId }) => stageId)
}

/** A decision on these very bytes, at each of the stages. */
async function noteAtStages(
  tx: Tx,
  file: FileRow,
  userId: string,
  decision: 'approved' | 'rejected',
  stageIds: readonly string[],
) {
  for (const stageId of stageIds) {
    const said = { sha256: file.sha256, decision, createdAt: tx.now }
    await tx.db
      .insert(stageDecisions)
      .values({ id: newId(tx.now), stageId, userId, fileId: file.id, ...said })
      .onConflictDoUpdate({ target: [stageDecisions.stageId, stageDecisions.userId, stageDecisions.fileId], set: said })
  }
}

/** A decision as an event keeps it, so that it can be taken back. */
type Decision = {
  decision: ReviewDecision
  reason: RejectionReason | null
  comment: string | null
  decided_by: string | null
  decided_at: string | null
}

const UNDECIDED: Decision = { decision: 'pending', reason: null, comment: null, decided_by: null, decided_at: null }

async function setDecision(
  tx: Tx,
  type: 'file.reviewed' | 'file.review_undone',
  { project, file }: Pick<FileInBatch, 'project' | 'file'>,
  next: Decision,
  data: Record<string, unknown> = {},
) {
  const part = tx.db.$with('decided').as(
    tx.db
      .update(files)
      .set({
        decision: next.decision,
        decisionReason: next.reason,
        decisionComment: next.comment,
        decidedBy: next.decided_by,
        decidedAt: next.decided_at ? new Date(next.decided_at) : null,
        updatedAt: tx.now,
      })
      .where(eq(files.id, file.id))
      .returning({ id: files.id }),
  )
  const fact = {
    type,
    projectId: project.id,
    batchId: file.batchId,
    subjectId: file.id,
    data: {
      file: file.name,
      version: file.version,
      sha256: file.sha256,
      before: file.decision,
      after: next.decision,
      ...data,
    },
  }
  await tx.record(fact, [{ part }])
}

export const approvePassing = command({
  name: 'approvePassing',
  summary: 'Approve every file that passes all its checks without a waiver; the others stay, each with the reason',
  permission: 'files.review',
  resource: onBatch,
  input: ApprovePassing,
  output: PassingApproval,
  async run(tx, { resource, input }) {
    assertNotClosed(resource.project)
    if (resource.batch.status !== 'in_review') {
      throw invalidState(
        `Files are decided while their batch is in review; this one is ${resource.batch.status}.`,
        resource.batch.status,
        ['in_review'],
      )
    }
    const found = await lockFiles(tx, resource.batch.id, input.file_ids)
    const asked = input.file_ids ? found : found.filter((file) => file.decision === 'pending')
    // Held until the commit: no user waives or re-runs what is being evaluated.
    await tx.db.select({ id: preQcResults.id }).from(preQcResults).where(isCurrentOf(resource.batch.id)).for('share')
    const { passing, left } = await evaluated(tx, resource.batch.id, asked)
    const stageIds = await stagesTaking(tx, resource.batch.id)
    await writeEach(passing, (file) => decide(tx, resource, file, { decision: 'approve' }, stageIds))
    await settleStages(tx, resource)
    const approved = passing.map(({ id }) => id)
    return {
      approved: await serializeFiles(tx, approved),
      left: withNames(left, new Map(found.map(({ id, name }) => [id, name]))),
    }
  },
})

export const previewPassing = query({
  name: 'previewPassing',
  summary: 'Which files without a decision pass all their checks without a waiver, and why the others do not',
  permission: 'projects.read',
  resource: onBatch,
  output: PassingPreview,
  async run(tx, { resource: { batch } }) {
    // These columns are read from an index alone; names are read of those that are shown.
    const pending = await tx.db
      .select({ id: files.id, decision: files.decision, integrity: files.integrity, removedAt: files.removedAt })
      .from(files)
      .where(and(eq(files.batchId, batch.id), isTrue(files.isCurrent), eq(files.decision, 'pending')))
      .orderBy(files.id)
    const asked = pending.map((file) => ({ ...file, isCurrent: true }))
    const { passing, left } = await evaluated(tx, batch.id, asked)
    const [firstPassing, firstLeft] = [passing.slice(0, PASSING_AT_ONCE), left.slice(0, PASSING_AT_ONCE)]
    const names = await namesOf(
      tx,
      [...firstPassing, ...firstLeft].map(({ id }) => id),
    )
    return {
      passing: firstPassing.map(({ id }) => ({ id, name: names.get(id) ?? '' })),
      left: withNames(firstLeft, names),
      counts: { passing: passing.length, left: left.length },
    }
  },
})

async function namesOf(tx: Tx, ids: readonly string[]) {
  const rows = await tx.db
    .select({ id: files.id, name: files.name })
    .from(files)
    .where(inArray(files.id, [...ids]))
  return new Map(rows.map(({ id, name }) => [id, name]))
}

/** A file that is not approved with the others, and why. */
type Left = { id: string; reason: string }

const withNames = (left: readonly Left[], names: ReadonlyMap<string, string>): PassingApproval['left'] =>
  left.map(({ id, reason }) => ({ file: { id, name: names.get(id) ?? '' }, reason }))

type Asked = Pick<FileRow, 'id' | 'decision' | 'integrity' | 'isCurrent' | 'removedAt'>

async function evaluated<F extends Asked>(tx: Tx, batchId: string, asked: readonly F[]) {
  const results = await currentResults(tx, batchId)
  const passing: F[] = []
  const left: Left[] = []
  for (const file of asked) {
    const candidate = {
      review: { decision: file.decision },
      integrity: file.integrity,
      is_current: file.isCurrent,
      removed: file.removedAt,
    }
    const reason = whyNotPassing(candidate, results.get(file.id) ?? null)
    if (reason) left.push({ id: file.id, reason })
    else passing.push(file)
  }
  return { passing, left }
}

const isCurrentOf = (batchId: string) => and(eq(preQcResults.batchId, batchId), isTrue(preQcResults.isCurrent))

/** What the newest result of each file says, without its checks. */
async function currentResults(tx: Tx, batchId: string) {
  const rows = await tx.db
    .select({
      fileId: preQcResults.fileId,
      status: preQcResults.status,
      summary: preQcResults.summary,
      hasWaiver: exists(
        tx.db.select({ id: preQcWaivers.id }).from(preQcWaivers).where(eq(preQcWaivers.resultId, preQcResults.id)),
      ).mapWith(Boolean),
    })
    .from(preQcResults)
    .where(isCurrentOf(batchId))
  return new Map(rows.map((row) => [row.fileId, row]))
}

export const undoReviews = command({
  name: 'undoReviews',
  summary: `Take back decisions of yours within ${UNDO_SECONDS} seconds: all of them, or none; what was decided before holds again`,
  permission: 'files.review',
  resource: onBatch,
  input: UndoReview,
  output: z.object({ files: z.array(File) }),
  async run(tx, { resource, input }) {
    assertNotClosed(resource.project)
    const stageIds = await stagesTaking(tx, resource.batch.id)
    const found = await lockFiles(tx, resource.batch.id, input.file_ids)
    await writeEach(found, (file) => undo(tx, resource, file, stageIds))
    await settleStages(tx, resource)
    return { files: await serializeFiles(tx, input.file_ids) }
  },
})

async function undo(
  tx: Tx,
  { project, batch }: Pick<FileInBatch, 'batch' | 'project'>,
  file: FileRow,
  stageIds: readonly string[],
) {
  assertReviewable(batch, file)
  if (tx.actor.type !== 'user' || (file.decidedBy && file.decidedBy !== tx.actor.id)) {
    throw forbidden(`The decision on ${quote(file.name)} is another user's. Decide anew instead.`)
  }
  assertUndoable(file, tx.now)
  const [decided] = await tx.db
    .select({ data: events.data })
    .from(events)
    .where(and(eq(events.batchId, batch.id), eq(events.subjectId, file.id), eq(events.type, 'file.reviewed')))
    .orderBy(desc(events.sequence))
    .limit(1)
  const previous = (decided?.data.previous as Decision | undefined) ?? UNDECIDED
  const by = tx.actor.id
  if (previous.decided_by === by && previous.decision !== 'pending')
    await noteAtStages(tx, file, by, previous.decision, stageIds)
  else await tx.db.delete(stageDecisions).where(and(eq(stageDecisions.userId, by), eq(stageDecisions.fileId, file.id)))
  await setDecision(tx, 'file.review_undone', { project, file }, previous)
}
