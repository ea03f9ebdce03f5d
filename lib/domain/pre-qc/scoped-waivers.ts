import { and, desc, eq, gt, inArray, isNull, lt, lte, or, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import type { z } from 'zod'
import { isTrue } from '@/db/schema/columns'
import { users } from '@/db/schema/directory'
import { files } from '@/db/schema/files'
import { preQcResults, preQcScopedWaivers, preQcWaivers, verdicts } from '@/db/schema/pre-qc'
import { batches, projects } from '@/db/schema/projects'
import type { WaiverScope } from '@/lib/vocabulary'
import { invalidState, notFound, quote } from '../kernel/errors'
import { giveHint } from '../kernel/events'
import { type Context, command, type Finder, inTransaction, query, type Tx } from '../kernel/operation'
import { allow } from '../kernel/permissions'
import { findRow } from '../kernel/rows'
import { decodeCursor, isoOrNull, page, upTo } from '../kernel/shapes'
import { inProject, onProject } from '../projects/find'
import { assertNotClosed, isClosed } from '../projects/rules'
import { serviceSettingsOf } from '../settings/queries'
import { mayConfirm, presentWaiver, type ResultInBatch } from './queries'
import { isProblem } from './rules'
import { type CheckLine, ListScopedWaivers, ScopedWaiver, ScopedWaiverList } from './schema'
import { settle } from './settle'
import { assertConfirmable, assertWaivable, removeProposals, type Said } from './waiver-rules'

/**
 * Waivers of what one check finds in every file of a batch or project. Each is one row; for every result with such a
 * finding a waiver of its own follows from it, so that verdicts, reports and figures know of one kind only. A result that
 * is completed later takes its waivers along (`following`); for those that are there, and when the row is
 * withdrawn, a job does it, batch by batch. A batch is locked meanwhile, as it is where a result is completed: a result is
 * either seen by the job or sees the row.
 */

type ScopedRow = typeof preQcScopedWaivers.$inferSelect

const scopeOf = ({ batchId }: Pick<ScopedRow, 'batchId'>): WaiverScope => (batchId ? 'batch' : 'project')

/** Those that hold for files of a batch now. */
const holdsIn = (tx: Tx, projectId: string, batchId: string) =>
  and(
    eq(preQcScopedWaivers.projectId, projectId),
    or(isNull(preQcScopedWaivers.batchId), eq(preQcScopedWaivers.batchId, batchId)),
    isNull(preQcScopedWaivers.withdrawnAt),
    or(sql`not ${preQcScopedWaivers.needsSecond}`, sql`${preQcScopedWaivers.confirmedBy} is not null`),
    or(isNull(preQcScopedWaivers.expiresAt), gt(preQcScopedWaivers.expiresAt, tx.now)),
  )

/** The waiver of one result that follows, but for the result. */
const followingFrom = (tx: Tx, row: ScopedRow) => ({
  checkId: row.checkId,
  reasonCode: row.reasonCode,
  reason: row.reason,
  expiresAt: row.expiresAt,
  createdBy: row.createdBy,
  confirmedBy: row.confirmedBy,
  scope: scopeOf(row),
  scopedWaiverId: row.id,
  createdAt: tx.now,
})

/** Those that hold for files of the batch now, that of the batch before that of the project. */
export const scopedWaiversOf = (tx: Tx, { projectId, batchId }: { projectId: string; batchId: string }) =>
  tx.db
    .select()
    .from(preQcScopedWaivers)
    .where(holdsIn(tx, projectId, batchId))
    .orderBy(sql`${preQcScopedWaivers.batchId} nulls last`)

/** The waivers of a result that follow from these for its checks. */
export function following(tx: Tx, rows: readonly ScopedRow[], checks: readonly CheckLine[]) {
  const found = new Set(checks.filter(({ status }) => isProblem(status)).map(({ check_id }) => check_id))
  return rows
    .filter(({ checkId }, at) => found.has(checkId) && rows.findIndex((row) => row.checkId === checkId) === at)
    .map((row) => followingFrom(tx, row))
}

/**
 * Where a waiver of a result has ended, one of its batch or project that holds takes its place. The result is yet to be
 * settled.
 */
export async function coverAgain(
  tx: Tx,
  { id, ...result }: { id: string; projectId: string; batchId: string; checks: unknown },
  checkId: string,
): Promise<void> {
  const check = (result.checks as CheckLine[]).filter(({ check_id }) => check_id === checkId)
  const [waiver] = following(tx, await scopedWaiversOf(tx, result), check)
  if (waiver) await follow(tx, waiver, id)
}

/**
 * Waives what a check finds in every file of the batch or project of a result, this one at once. Where the administrator
 * wants a second person, it holds once another has confirmed it: files that nobody has seen may have a blocking finding.
 * @throws `forbidden`, `invalid_state`
 */
export async function waiveInScope(
  tx: Tx,
  { project, batch, result }: ResultInBatch,
  check: CheckLine,
  { reason, reason_code, expiresAt, scope }: Said & { scope: 'batch' | 'project' },
): Promise<void> {
  if (tx.actor.type !== 'user') throw new Error('Checks are waived by people.')
  allow(tx.actor, 'pre_qc.waive_blocking')
  assertWaivable(check)
  const { waivers_need_second: needsSecond } = await serviceSettingsOf(tx)
  const batchId = scope === 'batch' ? batch.id : null
  // One whose time is over is in no one's way; what followed from it ends with the next sweep.
  await tx.db
    .delete(preQcScopedWaivers)
    .where(
      and(
        eq(preQcScopedWaivers.projectId, project.id),
        sql`${preQcScopedWaivers.batchId} is not distinct from ${batchId}::uuid`,
        eq(preQcScopedWaivers.checkId, check.check_id),
        lte(preQcScopedWaivers.expiresAt, tx.now),
      ),
    )
  const [row] = await tx.db
    .insert(preQcScopedWaivers)
    .values({
      projectId: project.id,
      batchId,
      checkId: check.check_id,
      label: check.label,
      reasonCode: reason_code,
      reason,
      expiresAt,
      createdBy: tx.actor.id,
      needsSecond,
      createdAt: tx.now,
    })
    .onConflictDoNothing()
    .returning()
  if (!row) {
    throw invalidState(
      `${quote(check.label)} is waived for every file of this ${scope} already, or that waits for a second person. Withdraw that waiver on the page of what is waived, and waive again.`,
      'waived',
      ['fail', 'warning', 'error'],
    )
  }
  await record(tx, needsSecond ? 'pre_qc.waiver_proposed' : 'pre_qc.check_waived', row)
  if (needsSecond) return
  await follow(tx, followingFrom(tx, row), result.id)
  await queue(tx, row)
}

const queue = (tx: Tx, { id }: ScopedRow) =>
  tx.enqueue('apply_scoped_waiver', { waiver_id: id }, { key: `apply_scoped_waiver:${id}` })

const record = (
  tx: Tx,
  type: 'pre_qc.check_waived' | 'pre_qc.waiver_proposed' | 'pre_qc.waiver_withdrawn',
  row: ScopedRow,
) =>
  tx.record({
    type,
    projectId: row.projectId,
    batchId: row.batchId,
    subjectId: row.id,
    data: {
      check_id: row.checkId,
      scope: scopeOf(row),
      reason_code: row.reasonCode,
      reason: row.reason,
      expires_at: isoOrNull(row.expiresAt),
      ...(row.confirmedBy && { proposed_by: row.createdBy }),
    },
  })

/** Waives the finding of one result, whose batch is held, where it is not waived by itself. The result is yet to be settled. */
async function follow(tx: Tx, waiver: ReturnType<typeof followingFrom>, resultId: string): Promise<void> {
  await removeProposals(tx, resultId, [waiver.checkId])
  await tx.db
    .insert(preQcWaivers)
    .values({ ...waiver, resultId })
    .onConflictDoNothing()
}

/** A waiver that follows from one of the batch or project is not withdrawn by itself: the next check would bring it back. */
export async function assertNotScoped(tx: Tx, resultId: string, check: Pick<CheckLine, 'check_id' | 'label'>) {
  const [row] = await tx.db
    .select({ batchId: preQcScopedWaivers.batchId })
    .from(preQcWaivers)
    .innerJoin(preQcScopedWaivers, eq(preQcScopedWaivers.id, preQcWaivers.scopedWaiverId))
    .where(
      and(
        eq(preQcWaivers.resultId, resultId),
        eq(preQcWaivers.checkId, check.check_id),
        isNull(preQcScopedWaivers.withdrawnAt),
      ),
    )
  if (!row) return
  throw invalidState(
    `${quote(check.label)} is waived for every file of this ${scopeOf(row)}. Withdraw that waiver, on the page of what is waived in the project.`,
    'waived',
    ['waived for this file'],
  )
}

/** Files whose waivers are written in one transaction. */
const AT_ONCE = 100

/** Brings the waivers of single files in line with one of a batch or project: adds those that are missing, or takes back all. */
export async function applyScopedWaiver(ctx: Context, { waiver_id }: { waiver_id: string }): Promise<void> {
  const [row] = await ctx.db.select().from(preQcScopedWaivers).where(eq(preQcScopedWaivers.id, waiver_id))
  if (!row) return
  const inScope = row.batchId ? eq(batches.id, row.batchId) : eq(batches.projectId, row.projectId)
  for (const { id } of await ctx.db.select({ id: batches.id }).from(batches).where(inScope).orderBy(batches.id)) {
    while ((await inTransaction(ctx, (tx) => applyToSome(tx, waiver_id, id))) === AT_ONCE);
  }
  if (row.withdrawnAt) await ctx.db.delete(preQcScopedWaivers).where(eq(preQcScopedWaivers.id, waiver_id))
}

/** How many results of the batch were changed. */
async function applyToSome(tx: Tx, waiverId: string, batchId: string): Promise<number> {
  const [batch] = await tx.db.select().from(batches).where(eq(batches.id, batchId)).for('no key update')
  if (!batch) return 0
  const [found] = await tx.db
    .select({ row: preQcScopedWaivers, holds: sql<boolean>`${holdsIn(tx, batch.projectId, batchId)}` })
    .from(preQcScopedWaivers)
    .where(eq(preQcScopedWaivers.id, waiverId))
    .for('share')
  if (!found) return 0
  const { row, holds } = found
  if (!holds && !row.withdrawnAt) return 0
  const [project] = await tx.db.select({ status: projects.status }).from(projects).where(eq(projects.id, row.projectId))
  if (!project || isClosed(project.status)) return 0
  const changed = holds ? await addMissing(tx, row, batchId) : await takeBack(tx, row, batchId)
  if (changed > 0) await giveHint(tx, 'pre_qc.progress', { projectId: batch.projectId, batchId })
  return changed
}

async function addMissing(tx: Tx, row: ScopedRow, batchId: string): Promise<number> {
  const missing = await tx.db
    .select({ id: preQcResults.id })
    .from(preQcResults)
    .innerJoin(files, eq(files.id, preQcResults.fileId))
    .innerJoin(verdicts, eq(verdicts.resultId, preQcResults.id))
    .where(
      and(
        eq(preQcResults.batchId, batchId),
        eq(files.batchId, batchId),
        isTrue(preQcResults.isCurrent),
        isTrue(files.isCurrent),
        eq(preQcResults.status, 'completed'),
        sql`${row.checkId} = any(coalesce(${verdicts.findings}, findings_of_result(${preQcResults.id}, ${preQcResults.checks})))`,
      ),
    )
    .orderBy(preQcResults.id)
    .limit(AT_ONCE)
  for (const { id } of missing) {
    await follow(tx, followingFrom(tx, row), id)
    await settle(tx, id)
  }
  return missing.length
}

async function takeBack(tx: Tx, row: ScopedRow, batchId: string): Promise<number> {
  const held = await tx.db
    .select({ id: preQcWaivers.id, result: preQcResults })
    .from(preQcWaivers)
    .innerJoin(preQcResults, eq(preQcResults.id, preQcWaivers.resultId))
    .where(
      and(
        eq(preQcWaivers.scopedWaiverId, row.id),
        eq(preQcResults.batchId, batchId),
        // Older attempts stay as they were.
        isTrue(preQcResults.isCurrent),
      ),
    )
    .orderBy(preQcWaivers.id)
    .limit(AT_ONCE)
  for (const { id, result } of held) {
    await tx.db.delete(preQcWaivers).where(eq(preQcWaivers.id, id))
    await coverAgain(tx, result, row.checkId)
    await settle(tx, result.id)
  }
  return held.length
}

type ScopedInProject = { project: typeof projects.$inferSelect; waiver: ScopedRow }

const onScopedWaiver: Finder<'project_id' | 'waiver_id', ScopedInProject> = {
  params: ['project_id', 'waiver_id'],
  async find(tx, { project_id, waiver_id }, lock) {
    const project = await inProject.find(tx, { project_id }, lock)
    const waiver = await findRow(tx, preQcScopedWaivers, 'waiver', waiver_id, lock)
    if (waiver.projectId !== project.id || waiver.withdrawnAt) throw notFound('waiver', waiver_id)
    return { project, waiver }
  },
}

export const confirmScopedWaiver = command({
  name: 'confirmScopedWaiver',
  summary: 'Confirm a waiver of a batch or project that another user proposed: from then on it holds',
  permission: 'pre_qc.waive_blocking',
  resource: onScopedWaiver,
  output: ScopedWaiver,
  async run(tx, { resource: { project, waiver } }) {
    if (tx.actor.type !== 'user') throw new Error('Waivers are confirmed by people.')
    assertNotClosed(project)
    if (!waiver.needsSecond || waiver.confirmedBy)
      throw invalidState(`The waiver of ${quote(waiver.label)} holds already.`, 'holds', ['proposed'])
    assertConfirmable(tx, waiver.label, waiver)
    const confirmed = { ...waiver, confirmedBy: tx.actor.id }
    await tx.db.update(preQcScopedWaivers).set({ confirmedBy: tx.actor.id }).where(eq(preQcScopedWaivers.id, waiver.id))
    await record(tx, 'pre_qc.check_waived', confirmed)
    await queue(tx, confirmed)
    return presentOne(tx, waiver.id)
  },
})

export const withdrawScopedWaiver = command({
  name: 'withdrawScopedWaiver',
  summary: 'Take back a waiver of a batch or project: the findings of its files count again within moments',
  permission: 'pre_qc.waive_blocking',
  resource: onScopedWaiver,
  output: ScopedWaiver,
  async run(tx, { resource: { project, waiver } }) {
    assertNotClosed(project)
    const shown = await presentOne(tx, waiver.id)
    await tx.db.update(preQcScopedWaivers).set({ withdrawnAt: tx.now }).where(eq(preQcScopedWaivers.id, waiver.id))
    await record(tx, 'pre_qc.waiver_withdrawn', waiver)
    await queue(tx, waiver)
    return shown
  },
})

const confirming = alias(users, 'confirming')
const select = (tx: Tx) =>
  tx.db
    .select({
      waiver: preQcScopedWaivers,
      by: { id: users.id, name: users.name },
      confirmed: { id: confirming.id, name: confirming.name },
      batch: { id: batches.id, name: batches.name },
    })
    .from(preQcScopedWaivers)
    .innerJoin(users, eq(users.id, preQcScopedWaivers.createdBy))
    .leftJoin(confirming, eq(confirming.id, preQcScopedWaivers.confirmedBy))
    .leftJoin(batches, eq(batches.id, preQcScopedWaivers.batchId))

async function present(tx: Tx, rows: Awaited<ReturnType<typeof select>>): Promise<z.output<typeof ScopedWaiver>[]> {
  if (rows.length === 0) return []
  const ids = rows.map(({ waiver }) => waiver.id)
  const counts = await tx.db
    .select({ id: preQcWaivers.scopedWaiverId, files: sql<number>`count(*)::int` })
    .from(preQcWaivers)
    .innerJoin(preQcResults, eq(preQcResults.id, preQcWaivers.resultId))
    .innerJoin(files, eq(files.id, preQcResults.fileId))
    .where(and(inArray(preQcWaivers.scopedWaiverId, ids), isTrue(preQcResults.isCurrent), isTrue(files.isCurrent)))
    .groupBy(preQcWaivers.scopedWaiverId)
  const filesOf = new Map(counts.map(({ id, files }) => [id, files]))
  return rows.map(({ waiver, by, confirmed, batch }) => {
    const waits = waiver.needsSecond && !waiver.confirmedBy
    return {
      id: waiver.id,
      check_id: waiver.checkId,
      label: waiver.label,
      batch,
      ...presentWaiver(waiver, by),
      state: waits ? 'proposed' : 'holds',
      confirmed_by: confirmed,
      may_confirm: waits && mayConfirm(tx, by.id),
      files: filesOf.get(waiver.id) ?? 0,
    }
  })
}

async function presentOne(tx: Tx, id: string) {
  const [shown] = await present(tx, await select(tx).where(eq(preQcScopedWaivers.id, id)))
  if (!shown) throw new Error(`The waiver ${id} vanished while it was read.`)
  return shown
}

export const listScopedWaivers = query({
  name: 'listScopedWaivers',
  summary: 'Waivers of what a check finds in every file of a batch, or of the project, the newest first',
  permission: 'projects.read',
  resource: onProject,
  input: ListScopedWaivers,
  output: ScopedWaiverList,
  async run(tx, { resource: project, input }) {
    const rows = await select(tx)
      .where(
        and(
          eq(preQcScopedWaivers.projectId, project.id),
          isNull(preQcScopedWaivers.withdrawnAt),
          or(isNull(preQcScopedWaivers.expiresAt), gt(preQcScopedWaivers.expiresAt, tx.now)),
          input.cursor ? lt(preQcScopedWaivers.id, decodeCursor(input.cursor)) : undefined,
        ),
      )
      .orderBy(desc(preQcScopedWaivers.id))
      .limit(upTo(input.limit))
    const { rows: shown, next_cursor } = page(
      rows.map((row) => ({ ...row, id: row.waiver.id })),
      input.limit,
    )
    return { waivers: await present(tx, shown), next_cursor }
  },
})
