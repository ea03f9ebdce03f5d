import { and, desc, eq, inArray, lt, lte, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import type { z } from 'zod'
import { isTrue } from '@/db/schema/columns'
import { users } from '@/db/schema/directory'
import { files } from '@/db/schema/files'
import { preQcResults, preQcScopedWaivers, preQcWaiverProposals, preQcWaivers } from '@/db/schema/pre-qc'
import { batches, projects } from '@/db/schema/projects'
import type { WaiverScope } from '@/lib/vocabulary'
import { invalidField, invalidState, notFound, quote } from '../kernel/errors'
import { type Context, command, type Finder, query, type Tx, transact } from '../kernel/operation'
import { allow } from '../kernel/permissions'
import { decodeCursor, isoOrNull, page, upTo } from '../kernel/shapes'
import { onProject } from '../projects/find'
import { assertNotClosed, isClosed } from '../projects/rules'
import { serviceSettingsOf } from '../settings/queries'
import { mayConfirm, onResult, presentWaiver, type ResultInBatch } from './queries'
import { type CheckLine, ListWaivers, PreQcResult, type WaiveCheck, WaiveFinding, WaiverList } from './schema'
import { assertNotScoped, coverAgain, waiveInScope } from './scoped-waivers'
import { settle } from './settle'
import { assertConfirmable, assertWaivable, removeProposals, type Said } from './waiver-rules'

type CheckInResult = ResultInBatch & { check: CheckLine }

const onCheck: Finder<'result_id' | 'check_id', CheckInResult> = {
  params: ['result_id', 'check_id'],
  async find(tx, { result_id, check_id }, lock) {
    const found = await onResult.find(tx, { result_id }, lock)
    const check = (found.result.checks as CheckLine[]).find((line) => line.check_id === check_id)
    if (!check) throw notFound('check in this result', check_id)
    return { ...found, check }
  },
}

export const waiveCheck = command({
  name: 'waiveCheck',
  summary:
    'Accept what a check found, with a reason and perhaps until a time. A new version of the file is covered only where the waiver is for every file of the batch or project',
  permission: 'pre_qc.waive',
  resource: onCheck,
  input: WaiveFinding,
  output: PreQcResult,
  async run(tx, { resource: { check, ...where }, input }) {
    assertNotClosed(where.project)
    const said = { ...input, expiresAt: endOf(tx, input) }
    if (input.scope === 'file') await waive(tx, where, check, said)
    else await waiveInScope(tx, where, check, { ...said, scope: input.scope })
    return settle(tx, where.result.id)
  },
})

/** @throws `validation_failed` for an end that is not in the future */
export function endOf(tx: Tx, { expires_at }: Pick<z.output<typeof WaiveCheck>, 'expires_at'>): Date | null {
  const expiresAt = expires_at ? new Date(expires_at) : null
  if (!expiresAt || expiresAt > tx.now) return expiresAt
  const message = `expires_at must lie in the future; got ${quote(expires_at)}. Leave it out for a waiver that does not expire.`
  throw invalidField('expires_at', 'not_in_future', message)
}

/**
 * Waives one finding, or proposes to where a second person has to confirm it. What refuses it, refuses before anything is
 * written. @throws `forbidden`, `invalid_state`
 */
export async function waive(
  tx: Tx,
  { project, batch, result }: ResultInBatch,
  check: CheckLine,
  { reason, reason_code, expiresAt }: Said,
): Promise<'waived' | 'proposed'> {
  if (tx.actor.type !== 'user') throw new Error('Checks are waived by people.')
  if (check.severity === 'blocking') allow(tx.actor, 'pre_qc.waive_blocking')
  assertWaivable(check)
  const needsSecond = check.severity === 'blocking' && (await serviceSettingsOf(tx)).waivers_need_second
  const [held] = await tx.db
    .select()
    .from(preQcWaivers)
    .where(isAbout(preQcWaivers, result.id, check.check_id))
  if (held?.expiresAt && held.expiresAt <= tx.now) {
    await expire(tx, { project, batch, result }, held.id)
  } else if (held) {
    throw invalidState(`${quote(check.label)} is waived already.`, 'waived', ['fail', 'warning', 'error'])
  }
  const row = {
    resultId: result.id,
    checkId: check.check_id,
    reasonCode: reason_code,
    reason,
    expiresAt,
    createdBy: tx.actor.id,
    createdAt: tx.now,
  }
  if (needsSecond) {
    const proposed = await tx.db.insert(preQcWaiverProposals).values(row).onConflictDoNothing().returning()
    if (proposed.length === 0) {
      throw invalidState(
        `A waiver of ${quote(check.label)} waits for a second person already. Confirm or withdraw that one.`,
        'proposed',
        ['fail', 'warning', 'error'],
      )
    }
  } else {
    await removeProposals(tx, result.id, [check.check_id])
    await tx.db.insert(preQcWaivers).values(row)
  }
  await tx.record({
    type: needsSecond ? 'pre_qc.waiver_proposed' : 'pre_qc.check_waived',
    projectId: project.id,
    batchId: batch.id,
    subjectId: result.id,
    data: {
      check_id: check.check_id,
      reason_code,
      reason,
      expires_at: isoOrNull(expiresAt),
      sha256: result.fileSha256,
      before: check.status,
    },
  })
  return needsSecond ? 'proposed' : 'waived'
}

const isAbout = (table: typeof preQcWaivers | typeof preQcWaiverProposals, resultId: string, checkId: string) =>
  and(eq(table.resultId, resultId), eq(table.checkId, checkId))

export const confirmWaiver = command({
  name: 'confirmWaiver',
  summary: 'Confirm a waiver that another user proposed, as the second person: from then on it holds',
  permission: 'pre_qc.waive_blocking',
  resource: onCheck,
  output: PreQcResult,
  async run(tx, { resource: { project, batch, result, check } }) {
    if (tx.actor.type !== 'user') throw new Error('Waivers are confirmed by people.')
    assertNotClosed(project)
    assertNewest(result)
    const about = isAbout(preQcWaiverProposals, result.id, check.check_id)
    const [proposal] = await tx.db.select().from(preQcWaiverProposals).where(about)
    if (!proposal)
      throw invalidState(`No waiver of ${quote(check.label)} waits to be confirmed.`, check.status, ['proposed'])
    assertConfirmable(tx, check.label, proposal)
    await tx.db.delete(preQcWaiverProposals).where(about)
    const { id: _id, ...row } = proposal
    await tx.db.insert(preQcWaivers).values({ ...row, createdAt: tx.now, confirmedBy: tx.actor.id })
    await tx.record({
      type: 'pre_qc.check_waived',
      projectId: project.id,
      batchId: batch.id,
      subjectId: result.id,
      data: {
        check_id: row.checkId,
        reason_code: row.reasonCode,
        reason: row.reason,
        expires_at: isoOrNull(row.expiresAt),
        sha256: result.fileSha256,
        before: check.status,
        proposed_by: row.createdBy,
      },
    })
    return settle(tx, result.id)
  },
})

export const withdrawWaiver = command({
  name: 'withdrawWaiver',
  summary:
    'Take a waiver back, or one that waits for a second person: the finding counts again, unless one of its batch or project holds',
  permission: 'pre_qc.waive',
  resource: onCheck,
  output: PreQcResult,
  async run(tx, { resource: { project, batch, result, check } }) {
    assertNotClosed(project)
    if (check.severity === 'blocking') allow(tx.actor, 'pre_qc.waive_blocking')
    assertNewest(result)
    await assertNotScoped(tx, result.id, check)
    const [held] = await tx.db
      .delete(preQcWaivers)
      .where(isAbout(preQcWaivers, result.id, check.check_id))
      .returning()
    const [proposed] = await tx.db
      .delete(preQcWaiverProposals)
      .where(isAbout(preQcWaiverProposals, result.id, check.check_id))
      .returning()
    const gone = held ?? proposed
    if (!gone) {
      throw invalidState(`${quote(check.label)} is not waived: it is ${check.status}.`, check.status, ['waived'])
    }
    if (held) await coverAgain(tx, result, check.check_id)
    await recordEnd(tx, 'pre_qc.waiver_withdrawn', { project, batch, result }, gone)
    return settle(tx, result.id)
  },
})

/** What an older attempt says is history; its waivers went on to the newest where the same was found again. */
function assertNewest({ isCurrent }: ResultInBatch['result']) {
  if (!isCurrent)
    throw invalidState('A newer result of this file is there. Change its waivers there.', 'superseded', ['current'])
}

export const listWaivers = query({
  name: 'listWaivers',
  summary: 'What is waived now in a project: findings of its current files that do not count, the newest waiver first',
  permission: 'projects.read',
  resource: onProject,
  input: ListWaivers,
  output: WaiverList,
  async run(tx, { resource: project, input }) {
    const table = input.state === 'proposed' ? preQcWaiverProposals : preQcWaivers
    const confirming = alias(users, 'confirming')
    const confirmedBy = input.state === 'proposed' ? sql<string | null>`null::uuid` : preQcWaivers.confirmedBy
    const rows = await tx.db
      .select({
        id: table.id,
        waiver: {
          resultId: table.resultId,
          checkId: table.checkId,
          reasonCode: table.reasonCode,
          reason: table.reason,
          expiresAt: table.expiresAt,
          createdAt: table.createdAt,
        },
        scope: input.state === 'proposed' ? sql<WaiverScope>`'file'` : preQcWaivers.scope,
        confirmed: { id: confirming.id, name: confirming.name },
        checks: preQcResults.checks,
        by: { id: users.id, name: users.name },
        file: { id: files.id, name: files.name },
        batch: { id: batches.id, name: batches.name },
      })
      .from(table)
      .innerJoin(preQcResults, eq(preQcResults.id, table.resultId))
      .innerJoin(files, eq(files.id, preQcResults.fileId))
      .innerJoin(batches, eq(batches.id, preQcResults.batchId))
      .innerJoin(users, eq(users.id, table.createdBy))
      .leftJoin(confirming, eq(confirming.id, confirmedBy))
      .where(
        and(
          eq(preQcResults.projectId, project.id),
          input.batch_id ? eq(preQcResults.batchId, input.batch_id) : undefined,
          isTrue(preQcResults.isCurrent),
          isTrue(files.isCurrent),
          input.cursor ? lt(table.id, decodeCursor(input.cursor)) : undefined,
        ),
      )
      .orderBy(desc(table.id))
      .limit(upTo(input.limit))
    const { rows: shown, next_cursor } = page(rows, input.limit)
    return {
      waivers: shown.map(({ waiver, scope, confirmed, checks, by, file, batch }) => {
        const check = (checks as CheckLine[]).find((line) => line.check_id === waiver.checkId)
        return {
          result_id: waiver.resultId,
          check_id: waiver.checkId,
          label: check?.label ?? waiver.checkId,
          details: check?.details ?? '',
          severity: check?.severity ?? 'advisory',
          file,
          batch,
          ...presentWaiver(waiver, by),
          scope,
          confirmed_by: confirmed,
          may_confirm: input.state === 'proposed' && mayConfirm(tx, by.id),
        }
      }),
      next_cursor,
    }
  },
})

/** Ends a waiver whose time is over; the result is yet to be settled. False: it is gone already. */
async function expire(tx: Tx, where: ResultInBatch, waiverId: string): Promise<boolean> {
  const [gone] = await tx.db.delete(preQcWaivers).where(eq(preQcWaivers.id, waiverId)).returning()
  if (gone) await recordEnd(tx, 'pre_qc.waiver_expired', where, gone)
  return gone !== undefined
}

const recordEnd = (
  tx: Tx,
  type: 'pre_qc.waiver_withdrawn' | 'pre_qc.waiver_expired',
  { project, batch, result }: ResultInBatch,
  { checkId, reasonCode, reason }: Pick<typeof preQcWaivers.$inferSelect, 'checkId' | 'reasonCode' | 'reason'>,
) =>
  tx.record({
    type,
    projectId: project.id,
    batchId: batch.id,
    subjectId: result.id,
    data: { check_id: checkId, reason_code: reasonCode, reason, sha256: result.fileSha256 },
  })

/** So many a sweep; what is left waits for the next one. */
const EXPIRED_AT_ONCE = 500

/**
 * Takes away the waivers whose time is over, so that their findings count again, unless one of the batch or project holds
 * longer, and proposals that can no longer be confirmed. Older attempts stay as they were, and in closed projects nothing
 * changes.
 */
export async function expireWaivers(ctx: Context): Promise<number> {
  await ctx.db.delete(preQcWaiverProposals).where(lte(preQcWaiverProposals.expiresAt, ctx.now))
  await ctx.db.delete(preQcScopedWaivers).where(lte(preQcScopedWaivers.expiresAt, ctx.now))
  const due = await ctx.db
    .select({ id: preQcWaivers.id, resultId: preQcWaivers.resultId, checkId: preQcWaivers.checkId })
    .from(preQcWaivers)
    .innerJoin(preQcResults, eq(preQcResults.id, preQcWaivers.resultId))
    .innerJoin(projects, eq(projects.id, preQcResults.projectId))
    .where(
      and(
        lte(preQcWaivers.expiresAt, ctx.now),
        isTrue(preQcResults.isCurrent),
        inArray(projects.status, ['active', 'on_hold']),
      ),
    )
    .orderBy(preQcWaivers.expiresAt)
    .limit(EXPIRED_AT_ONCE)
  let expired = 0
  for (const { id, resultId, checkId } of due) {
    expired += await transact(ctx, async (tx) => {
      const found = await onResult.find(tx, { result_id: resultId }, true).catch((error) => {
        if (error.code === 'not_found') return null
        throw error
      })
      if (!found?.result.isCurrent || isClosed(found.project.status)) return 0
      if (!(await expire(tx, found, id))) return 0
      await coverAgain(tx, found.result, checkId)
      await settle(tx, found.result.id)
      return 1
    })
  }
  return expired
}
