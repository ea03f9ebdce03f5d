import { and, count, eq, inArray, isNull, max } from 'drizzle-orm'
import { newId } from '@/db/schema/columns'
import { users } from '@/db/schema/directory'
import { projectMembers } from '@/db/schema/projects'
import { reviewLinks } from '@/db/schema/review-links'
import { reviewStageMembers, reviewStages } from '@/db/schema/review-stages'
import { type BatchInProject, findBatch, findBatchById, onBatch } from '../batches/find'
import { openSince, type StageProgress, stateOf } from '../batches/stage-rules'
import { settleStages, stagesOf } from '../batches/stages'
import { invalidField, invalidState, quote } from '../kernel/errors'
import { changesBetween } from '../kernel/events'
import { futureOrNull } from '../kernel/future'
import { type Context, command, type Finder, inTransaction, query, type Tx } from '../kernel/operation'
import { isAtLeast } from '../kernel/permissions'
import { findRow } from '../kernel/rows'
import { iso, isoOrNull } from '../kernel/shapes'
import { assertNotClosed } from '../projects/rules'
import {
  CreateReviewStage,
  MOST_STAGES,
  ReviewStage,
  ReviewStageList,
  SkipReviewStage,
  UpdateReviewStage,
} from './schema'

/** The stages of a review: who is asked, after whom, until when; and where a batch waits. */

type StageRow = typeof reviewStages.$inferSelect
type StageInBatch = BatchInProject & { stage: StageRow }

const onStage: Finder<'project_id' | 'batch_id' | 'stage_id', StageInBatch> = {
  params: ['project_id', 'batch_id', 'stage_id'],
  async find(tx, { project_id, batch_id, stage_id }, lock) {
    const where = await findBatch(tx, project_id, batch_id, lock)
    const ofBatch = eq(reviewStages.batchId, where.batch.id)
    return { ...where, stage: await findRow(tx, reviewStages, 'stage', stage_id, lock, ofBatch) }
  },
}

async function presentAll(tx: Tx, { batch }: BatchInProject): Promise<ReviewStage[]> {
  const progress = await stagesOf(tx, batch.id)
  if (progress.length === 0) return []
  const rows = await tx.db
    .select({ stage: reviewStages, skipper: users.name })
    .from(reviewStages)
    .leftJoin(users, eq(users.id, reviewStages.skippedBy))
    .where(eq(reviewStages.batchId, batch.id))
  const members = await tx.db
    .select({ stageId: reviewStageMembers.stageId, id: users.id, name: users.name })
    .from(reviewStageMembers)
    .innerJoin(users, eq(users.id, reviewStageMembers.userId))
    .innerJoin(reviewStages, eq(reviewStages.id, reviewStageMembers.stageId))
    .where(eq(reviewStages.batchId, batch.id))
  const guests = await tx.db
    .select({ stageId: reviewLinks.stageId, id: reviewLinks.id, name: reviewLinks.name })
    .from(reviewLinks)
    .where(and(eq(reviewLinks.batchId, batch.id), isNull(reviewLinks.deactivatedAt)))
  const people = (list: { stageId: string | null; id: string; name: string }[], id: string) =>
    list.filter(({ stageId }) => stageId === id).map((one) => ({ id: one.id, name: one.name }))
  return progress.map((at) => {
    const row = rows.find(({ stage }) => stage.id === at.id)
    if (!row) throw new Error(`Stage ${at.id} vanished while it was read.`)
    const { stage } = row
    const state = stateOf(at, progress)
    return {
      id: stage.id,
      batch_id: stage.batchId,
      name: stage.name,
      party: stage.party,
      position: stage.position,
      needs: stage.needs,
      state,
      open_since: isoOrNull(openSince(at, progress, batch.submittedAt)),
      due_at: isoOrNull(stage.dueAt),
      is_late: (state === 'open' || state === 'waiting') && stage.dueAt !== null && stage.dueAt < tx.now,
      completed_at: state === 'done' ? isoOrNull(stage.completedAt) : null,
      users: people(members, stage.id),
      guests: people(guests, stage.id),
      counts: { files: at.files, approved: at.approved, rejected: at.rejected },
      skipped:
        stage.skippedAt && stage.skippedBy
          ? {
              at: iso(stage.skippedAt),
              by: { id: stage.skippedBy, name: row.skipper ?? '' },
              reason: stage.skipReason ?? '',
            }
          : null,
      withdrawn_at: isoOrNull(stage.withdrawnAt),
      created_at: iso(stage.createdAt),
      updated_at: iso(stage.updatedAt),
    }
  })
}

async function present(tx: Tx, on: BatchInProject, id: string): Promise<ReviewStage> {
  const found = (await presentAll(tx, on)).find((stage) => stage.id === id)
  if (!found) throw new Error(`Stage ${id} vanished while it was read.`)
  return found
}

export const listReviewStages = query({
  name: 'listReviewStages',
  summary: 'The stages of the review of a batch in their order: where it waits, for whom and since when',
  permission: 'projects.read',
  resource: onBatch,
  output: ReviewStageList,
  run: async (tx, { resource }) => ({ stages: await presentAll(tx, resource), next_cursor: null }),
})

export const getReviewStage = query({
  name: 'getReviewStage',
  summary: 'One stage of a review',
  permission: 'projects.read',
  resource: onStage,
  isVersioned: true,
  output: ReviewStage,
  run: (tx, { resource }) => present(tx, resource, resource.stage.id),
})

export const createReviewStage = command({
  name: 'createReviewStage',
  summary: 'Add a stage to the review of a batch; the batch is approved only when each is done or skipped',
  permission: 'batches.update',
  resource: onBatch,
  input: CreateReviewStage,
  output: ReviewStage,
  created: (stage, { project_id }) => `/api/projects/${project_id}/batches/${stage.batch_id}/stages/${stage.id}`,
  async run(tx, { resource, input }) {
    const { project, batch } = resource
    if (tx.actor.type !== 'user') throw new Error('Stages are made by people.')
    assertNotClosed(project)
    assertNotOver(resource)
    const [known] = await tx.db
      .select({ count: count(), last: max(reviewStages.position) })
      .from(reviewStages)
      .where(and(eq(reviewStages.batchId, batch.id), isNull(reviewStages.withdrawnAt)))
    if ((known?.count ?? 0) >= MOST_STAGES)
      throw invalidState(`A batch has at most ${MOST_STAGES} stages. Withdraw one that is not needed.`, 'full', [])
    const dueAt = futureOrNull(tx, 'due_at', input.due_at)
    const id = newId(tx.now)
    await tx.db.insert(reviewStages).values({
      id,
      batchId: batch.id,
      name: input.name,
      party: input.party,
      position: input.position ?? Math.min(1000, (known?.last ?? 0) + 1),
      needs: input.needs ?? 'any',
      dueAt,
      createdBy: tx.actor.id,
      createdAt: tx.now,
      updatedAt: tx.now,
    })
    await setMembers(tx, resource, id, input.user_ids ?? [])
    await remindOf(tx, id, dueAt)
    await tx.record({
      type: 'review_stage.created',
      projectId: project.id,
      batchId: batch.id,
      subjectId: id,
      data: {
        name: input.name,
        party: input.party,
        needs: input.needs ?? 'any',
        batch: batch.name,
        due_at: isoOrNull(dueAt),
      },
    })
    return present(tx, resource, id)
  },
})

export const updateReviewStage = command({
  name: 'updateReviewStage',
  summary: 'Change the name, the order, the need, the deadline or the people of a stage',
  permission: 'batches.update',
  resource: onStage,
  input: UpdateReviewStage,
  output: ReviewStage,
  conditional: (tx, on) => present(tx, on, on.stage.id),
  async run(tx, { resource, input }) {
    const { project, batch, stage } = resource
    assertNotClosed(project)
    assertNotOver(resource)
    assertRunning(stage)
    const next = {
      name: input.name ?? stage.name,
      position: input.position ?? stage.position,
      needs: input.needs ?? stage.needs,
      dueAt: input.due_at === undefined ? stage.dueAt : futureOrNull(tx, 'due_at', input.due_at),
    }
    const changes = changesBetween(stage, next)
    await tx.db
      .update(reviewStages)
      .set({ ...next, updatedAt: tx.now })
      .where(eq(reviewStages.id, stage.id))
    if (input.user_ids) await setMembers(tx, resource, stage.id, input.user_ids)
    if (input.due_at !== undefined) await remindOf(tx, stage.id, next.dueAt)
    if (changes || input.user_ids)
      await tx.record({
        type: 'review_stage.updated',
        projectId: project.id,
        batchId: batch.id,
        subjectId: stage.id,
        data: {
          name: next.name,
          batch: batch.name,
          ...changes,
          ...(input.user_ids && { users: input.user_ids.length }),
        },
      })
    await settleStages(tx, resource)
    return present(tx, resource, stage.id)
  },
})

export const skipReviewStage = command({
  name: 'skipReviewStage',
  summary: 'Go on without a stage, with the reason',
  permission: 'batches.update',
  resource: onStage,
  input: SkipReviewStage,
  output: ReviewStage,
  async run(tx, { resource, input }) {
    const { project, batch, stage } = resource
    if (tx.actor.type !== 'user') throw new Error('Stages are skipped by people.')
    assertNotClosed(project)
    assertNotOver(resource)
    assertRunning(stage)
    await tx.db
      .update(reviewStages)
      .set({ skippedAt: tx.now, skippedBy: tx.actor.id, skipReason: input.reason, updatedAt: tx.now })
      .where(eq(reviewStages.id, stage.id))
    await tx.record({
      type: 'review_stage.skipped',
      projectId: project.id,
      batchId: batch.id,
      subjectId: stage.id,
      data: { name: stage.name, batch: batch.name, reason: input.reason },
    })
    return present(tx, resource, stage.id)
  },
})

export const withdrawReviewStage = command({
  name: 'withdrawReviewStage',
  summary: 'Take a stage out of the review; nothing more can be decided at it, and what was decided stays on record',
  permission: 'batches.update',
  resource: onStage,
  output: ReviewStage,
  async run(tx, { resource }) {
    const { project, batch, stage } = resource
    assertNotClosed(project)
    if (!stage.withdrawnAt) {
      assertNotOver(resource)
      await tx.db
        .update(reviewStages)
        .set({ withdrawnAt: tx.now, updatedAt: tx.now })
        .where(eq(reviewStages.id, stage.id))
      await tx.record({
        type: 'review_stage.withdrawn',
        projectId: project.id,
        batchId: batch.id,
        subjectId: stage.id,
        data: { name: stage.name, batch: batch.name },
      })
    }
    return present(tx, resource, stage.id)
  },
})

/** @throws `invalid_state` for a batch whose way has ended: what was decided on it stays as it is */
function assertNotOver({ batch }: BatchInProject) {
  if (batch.status !== 'approved' && batch.status !== 'cancelled') return
  throw invalidState(`The batch is ${batch.status}; its stages stay as they were.`, batch.status, [
    'open',
    'in_review',
    'awaiting_resupply',
  ])
}

function assertRunning(stage: StageRow) {
  if (stage.withdrawnAt)
    throw invalidState(`The stage ${quote(stage.name)} was withdrawn.`, 'withdrawn', ['open', 'waiting', 'done'])
  if (stage.skippedAt)
    throw invalidState(`The stage ${quote(stage.name)} was skipped.`, 'skipped', ['open', 'waiting', 'done'])
}

async function setMembers(tx: Tx, { project }: BatchInProject, stageId: string, ids: readonly string[]) {
  const wanted = [...new Set(ids)]
  const found =
    wanted.length === 0
      ? []
      : await tx.db
          .select({ id: users.id, role: users.role, name: users.name, memberId: projectMembers.userId })
          .from(users)
          .leftJoin(projectMembers, and(eq(projectMembers.userId, users.id), eq(projectMembers.projectId, project.id)))
          .where(and(inArray(users.id, wanted), isNull(users.disabledAt)))
  for (const id of wanted) {
    const user = found.find((one) => one.id === id)
    if (!user)
      throw invalidField(
        'user_ids',
        'unknown_reference',
        `There is no active user ${quote(id)}. Use the id of an existing one.`,
      )
    if (!isAtLeast(user.role, 'operator'))
      throw invalidField(
        'user_ids',
        'role_too_low',
        `${quote(user.name)} has the role ${user.role}; who decides at a stage is operator or higher.`,
      )
    if (!user.memberId && user.role !== 'administrator')
      throw invalidField(
        'user_ids',
        'not_member',
        `${quote(user.name)} is no member of the project. Add them, then name them here.`,
      )
  }
  await tx.db.delete(reviewStageMembers).where(eq(reviewStageMembers.stageId, stageId))
  if (wanted.length > 0) await tx.db.insert(reviewStageMembers).values(wanted.map((userId) => ({ stageId, userId })))
}

const DAY = 24 * 3_600_000

/** A day before the deadline, and when it passes. */
async function remindOf(tx: Tx, id: string, dueAt: Date | null) {
  if (!dueAt) return
  for (const [which, at] of [
    ['before', dueAt.getTime() - DAY],
    ['late', dueAt.getTime()],
  ] as const) {
    if (at <= tx.now.getTime()) continue
    await tx.enqueue(
      'remind_stage',
      { stage_id: id, due_at: iso(dueAt) },
      { key: `remind_stage:${id}:${which}`, runAt: new Date(at) },
    )
  }
}

/** A deadline is near or passed: said to those who take part, if the stage still waits for them and the deadline still is that one. */
export function remindStage(ctx: Context, payload: { stage_id: string; due_at: string }): Promise<void> {
  return inTransaction(ctx, async (tx) => {
    const [stage] = await tx.db.select().from(reviewStages).where(eq(reviewStages.id, payload.stage_id))
    if (!stage?.dueAt || iso(stage.dueAt) !== payload.due_at) return
    const on = await findBatchById(tx, stage.batchId, false)
    const all = await stagesOf(tx, stage.batchId)
    const at = all.find(({ id }) => id === stage.id)
    if (!at || on.batch.status !== 'in_review' || !isAwaited(at, all)) return
    await tx.record({
      type: 'review_stage.due',
      projectId: on.project.id,
      batchId: on.batch.id,
      subjectId: stage.id,
      data: {
        name: stage.name,
        batch: on.batch.name,
        due_at: payload.due_at,
        is_late: stage.dueAt <= tx.now,
        decided: at.approved + at.rejected,
        files: at.files,
      },
    })
  })
}

const isAwaited = (stage: StageProgress, all: readonly StageProgress[]) =>
  ['open', 'waiting'].includes(stateOf(stage, all))
