import { and, desc, eq, gt, inArray, isNull, or, sql } from 'drizzle-orm'
import { agencies, campaigns, mediaCategories, type PreQcSettings, preQcProfiles } from '@/db/schema/directory'
import { files } from '@/db/schema/files'
import {
  preQcMeasurements,
  preQcResults,
  preQcWaiverProposals,
  preQcWaivers,
  recognisedTexts,
} from '@/db/schema/pre-qc'
import { batches, projects } from '@/db/schema/projects'
import { isFailure, type Subject } from '@/lib/checks/check'
import { summarise } from '@/lib/checks/summary'
import type { ResultSummary } from '@/lib/vocabulary'
import { countsOf } from '../batches/counts'
import { namingTemplateOf } from '../batches/find'
import type { FileRow } from '../files/present'
import { giveHint } from '../kernel/events'
import { type Context, inTransaction, type Tx } from '../kernel/operation'
import { idArray, isAnyOf } from '../kernel/rows'
import { checkKey, couldNotRun, needsEyes } from './rules'
import type { CheckLine } from './schema'
import { following, scopedWaiversOf } from './scoped-waivers'
import { removeProposals } from './waiver-rules'

/**
 * The worker's side of a result: claim it, report on it, finish it. Fenced, so that a worker that was thought dead cannot
 * overwrite the work of a later one.
 */

export type Claim = CheckedFile & { resultId: string; fence: number }

/** A file with all it is checked by. */
export type CheckedFile = {
  file: FileRow
  settings: PreQcSettings
  template: string | null
  agencyId: string
  agencyCode: string
  campaignCodes: string[]
  mediaTypes: string[]
  maxFileSize: number | null
  requiredCopy: string[]
}

/** Claims the result for this attempt at it; null when there is nothing left to do. */
export async function claimResult(ctx: Context, resultId: string): Promise<Claim | null> {
  return inTransaction(ctx, async (tx) => {
    const isOpen = and(eq(preQcResults.id, resultId), sql`${preQcResults.status} in ('queued', 'running')`)
    const [row] = await tx.db
      .select({ fileId: preQcResults.fileId, profileId: preQcResults.profileId })
      .from(preQcResults)
      .where(isOpen)
    const found = row && (await checkedFile(tx, row))
    if (!found) return null
    // Last, since from here on the counts of the batch are locked, for which others wait that check its files.
    const [claimed] = await tx.db
      .update(preQcResults)
      .set({
        status: 'running',
        fence: sql`${preQcResults.fence} + 1`,
        progress: 0,
        startedAt: tx.now,
        updatedAt: tx.now,
      })
      .where(isOpen)
      .returning({ fence: preQcResults.fence })
    if (!claimed) return null
    await giveHint(tx, 'pre_qc.progress', found.file)
    return { ...found, resultId, fence: claimed.fence }
  })
}

/** A file by the settings of a profile; null when it is gone. */
export async function checkedFile(
  tx: Tx,
  { fileId, profileId }: { fileId: string; profileId: string },
): Promise<CheckedFile | null> {
  const [found] = await tx.db
    .select({
      file: files,
      batch: batches,
      project: projects,
      category: mediaCategories,
      agencyCode: agencies.code,
      settings: preQcProfiles.settings,
    })
    .from(files)
    .innerJoin(batches, eq(batches.id, files.batchId))
    .innerJoin(projects, eq(projects.id, batches.projectId))
    .innerJoin(agencies, eq(agencies.id, projects.agencyId))
    .innerJoin(mediaCategories, eq(mediaCategories.id, batches.mediaCategoryId))
    .innerJoin(preQcProfiles, eq(preQcProfiles.id, profileId))
    .where(eq(files.id, fileId))
  if (!found) return null
  const codes = await tx.db
    .select({ code: campaigns.code })
    .from(campaigns)
    .where(
      found.project.campaignId
        ? eq(campaigns.id, found.project.campaignId)
        : eq(campaigns.agencyId, found.project.agencyId),
    )
  return {
    file: found.file,
    settings: found.settings,
    template: await namingTemplateOf(tx, found.batch),
    agencyId: found.project.agencyId,
    agencyCode: found.agencyCode,
    campaignCodes: codes.map(({ code }) => code),
    mediaTypes: found.category.mediaTypes,
    maxFileSize: found.category.maxFileSize,
    requiredCopy: found.batch.requiredCopy,
  }
}

const isHeld = ({ resultId, fence }: Pick<Claim, 'resultId' | 'fence'>) =>
  and(eq(preQcResults.id, resultId), eq(preQcResults.fence, fence), eq(preQcResults.status, 'running'))

/**
 * What could not run is tried again after so many seconds, and is an error when the last of them has passed. `busy`: the
 * machine may be quieter then. `outage`: the storage or the database does not respond, which people have to fix.
 */
const AGAIN_AFTER_SECONDS = { busy: [20, 120], outage: [20, 60, 180, 600, 1800, 3600] }

/**
 * Puts a result back into the queue for another try, `tries` being those it has had after the first. False when it has
 * had all of them, or another worker has claimed it since.
 */
export async function tryAgain(
  ctx: Context,
  claim: Claim,
  { tries, why }: { tries: number; why: keyof typeof AGAIN_AFTER_SECONDS },
): Promise<boolean> {
  const seconds = AGAIN_AFTER_SECONDS[why][tries]
  if (seconds === undefined) return false
  return inTransaction(ctx, async (tx) => {
    const put = await tx.db
      .update(preQcResults)
      .set({ status: 'queued', progress: 0, startedAt: null, updatedAt: tx.now })
      .where(isHeld(claim))
      .returning({ id: preQcResults.id })
    if (put.length === 0) return false
    await tx.enqueue(
      'check_file',
      { result_id: claim.resultId, tries: tries + 1 },
      {
        key: checkKey(claim.resultId),
        runAt: new Date(tx.now.getTime() + seconds * 1000),
        inTurnFor: claim.file.projectId,
      },
    )
    await giveHint(tx, 'pre_qc.progress', claim.file)
    return true
  })
}

/** Percent done, for the live screens. */
export async function reportProgress(ctx: Context, claim: Claim, progress: number) {
  await inTransaction(ctx, async (tx) => {
    await tx.db.update(preQcResults).set({ progress, updatedAt: tx.now }).where(isHeld(claim))
    await giveHint(tx, 'pre_qc.progress', claim.file)
  })
}

/** What the checks of a file came to. */
export type Verdict = {
  summary: ResultSummary
  checks: Record<string, unknown>[]
  engineVersion: string
  measurements: object
  /** When, where that was before this attempt. */
  measuredAt?: Date | null
}

export type Outcome = ({ status: 'completed' } & Verdict) | { status: 'failed'; failure: string }

/** Which attempt at which result writes it. */
type Held = Pick<Claim, 'file' | 'resultId' | 'fence'>

type Judged = Held & { verdict: Verdict }

/** Writes the outcome; when it was the last of its batch, says so. False when another worker has claimed the result since. */
export async function finishResult(ctx: Context, claim: Held, outcome: Outcome): Promise<boolean> {
  return inTransaction(ctx, async (tx) => {
    const batch = await holdBatch(tx, claim.file.batchId)
    const written =
      outcome.status === 'completed'
        ? await complete(tx, [{ ...claim, verdict: outcome }], 'running')
        : await fail(tx, claim, outcome.failure)
    if (written.length === 0 || !batch) return false
    await reportOn(tx, batch)
    return true
  })
}

/**
 * Completes results of one batch that nobody has claimed, and removes the jobs that would. One that was claimed, or ended,
 * since it was read stays as it is. `startedAt`: when they were read.
 */
export async function completeQueued(ctx: Context, batchId: string, judged: readonly Judged[], startedAt: Date) {
  await inTransaction(ctx, async (tx) => {
    const batch = await holdBatch(tx, batchId)
    const written = await complete(tx, judged, 'queued', startedAt)
    if (written.length === 0 || !batch) return
    const keys = written.map(({ resultId }) => checkKey(resultId))
    await tx.db.execute(sql`select from graphile_worker.complete_jobs(array(
      select id from graphile_worker._private_jobs where key in ${keys}))`)
    await reportOn(tx, batch)
  })
}

/** Held, so that of two transactions that finish files of it at once exactly one sees that it has the last. */
async function holdBatch(tx: Tx, batchId: string) {
  const [batch] = await tx.db.select().from(batches).where(eq(batches.id, batchId)).for('no key update')
  return batch
}

async function fail(tx: Tx, claim: Held, failure: string) {
  const [at, status] = [tx.now, 'failed'] as const
  return tx.db
    .update(preQcResults)
    .set({
      status,
      completedAt: at,
      updatedAt: at,
      progress: 100,
      couldNotRun: couldNotRun({ status, checks: [] }),
      needsEyes: false,
      failure: readable(failure),
    })
    .where(isHeld(claim))
    .returning({ id: preQcResults.id })
}

/** Writes results of one batch that are still as they were claimed or read, with all that belongs to them; gives these. */
async function complete(tx: Tx, judged: readonly Judged[], from: 'queued' | 'running', startedAt: Date | null = null) {
  const rows = judged.map(({ resultId, fence, verdict }) => {
    const checks = verdict.checks as CheckLine[]
    return {
      id: resultId,
      fence,
      summary: verdict.summary,
      checks: readable(checks),
      could_not_run: couldNotRun({ status: 'completed', checks }),
      needs_eyes: needsEyes(checks),
      engine_version: verdict.engineVersion,
      measured_at: verdict.measuredAt ?? null,
    }
  })
  const written = await tx.db.execute<{ id: string }>(sql`
    update ${preQcResults} r set status = 'completed', progress = 100, failure = null, summary = w.summary, checks = w.checks,
      could_not_run = w.could_not_run, needs_eyes = w.needs_eyes, engine_version = w.engine_version, measured_at = w.measured_at,
      started_at = coalesce(r.started_at, ${startedAt?.toISOString() ?? null}::timestamptz),
      completed_at = ${tx.now.toISOString()}::timestamptz, updated_at = ${tx.now.toISOString()}::timestamptz
    from json_to_recordset(${JSON.stringify(rows)}::json) as w (id uuid, fence int, summary text, checks json,
      could_not_run boolean, needs_eyes boolean, engine_version text, measured_at timestamptz)
    where r.id = w.id and r.fence = w.fence and r.status = ${from}
    returning r.id`)
  const ids = new Set([...written].map(({ id }) => id))
  const completed = judged.filter(({ resultId }) => ids.has(resultId))
  await storeMeasurements(tx, completed)
  await storeWaivers(tx, completed)
  return completed
}

/** Says how far the batch is. */
async function reportOn(tx: Tx, batch: typeof batches.$inferSelect) {
  await giveHint(tx, 'pre_qc.progress', { projectId: batch.projectId, batchId: batch.id })
  await reportBatch(tx, batch)
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: it is the character to be replaced
const UNREADABLE = /\u0000|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g

/**
 * The same with every text such that PostgreSQL can read it: a finding may quote what a hostile file holds, and JSON
 * keeps a NUL or half a character that no query can then take out of it again.
 */
function readable<T>(value: T): T {
  return JSON.parse(JSON.stringify(value), (_key, inner) =>
    typeof inner === 'string' ? inner.replace(UNREADABLE, '\ufffd') : inner,
  )
}

/** Only those of the newest result are stored: nothing is tried on older ones. */
async function storeMeasurements(tx: Tx, judged: readonly Judged[]) {
  if (judged.length === 0) return
  const fileIds = judged.map(({ file }) => file.id)
  const older = tx.db
    .select({ id: preQcResults.id })
    .from(preQcResults)
    .where(and(isAnyOf(preQcResults.fileId, fileIds), isNotAnyOf(judged)))
  await tx.db.delete(preQcMeasurements).where(inArray(preQcMeasurements.resultId, older))
  await tx.db
    .insert(preQcMeasurements)
    .values(
      judged.map(({ resultId, verdict }) => ({ resultId, subject: verdict.measurements as Record<string, unknown> })),
    )
    .onConflictDoNothing()
  const texts = judged.flatMap(({ file, verdict }) => {
    const text = recognisedIn(verdict.measurements as Pick<Subject, 'measures'>)
    const body = readable(text).slice(0, RECOGNISED_LENGTH)
    return body ? [{ fileId: file.id, body }] : []
  })
  await tx.db.delete(recognisedTexts).where(isAnyOf(recognisedTexts.fileId, fileIds))
  if (texts.length > 0) await tx.db.insert(recognisedTexts).values(texts)
}

const isNotAnyOf = (judged: readonly Held[]) =>
  sql`${preQcResults.id} <> all(${idArray(judged.map(({ resultId }) => resultId))})`

/** Characters of the text read in a file that the search goes by. */
const RECOGNISED_LENGTH = 50_000

function recognisedIn({ measures }: Pick<Subject, 'measures'>): string {
  const { text } = measures ?? {}
  if (!text || isFailure(text)) return ''
  return text.readings.flatMap(({ words }) => words.map((word) => word.text)).join(' ')
}

/**
 * What was waived in the result before, and is still within its time, stays waived where exactly the same was found again
 * in the same bytes: the reason a user gave holds for that finding, and for no other. A waiver that waits for a second
 * person goes along. What is waived for every file of the batch or project is waived here as well.
 */
async function storeWaivers(tx: Tx, judged: readonly Judged[]) {
  const [first] = judged
  if (!first) return
  const earlier = await resultsBefore(tx, judged)
  const scopedWaivers = await scopedWaiversOf(tx, first.file)
  for (const { resultId, file, verdict } of judged) {
    const checks = verdict.checks as CheckLine[]
    const before = earlier.get(file.id)
    const kept = before ? await waiversKept(tx, resultId, before, checks) : []
    const waived = new Set(kept.map(({ checkId }) => checkId))
    const scoped = following(
      tx,
      scopedWaivers,
      checks.filter(({ check_id }) => !waived.has(check_id)),
    )
    const all = [...kept, ...scoped].map((waiver) => ({ ...waiver, resultId }))
    if (all.length === 0) continue
    await tx.db.insert(preQcWaivers).values(all)
    // A proposal that came along has nothing left to be confirmed.
    const covered = scoped.map(({ checkId }) => checkId)
    await removeProposals(tx, resultId, covered)
    for (const checkId of covered) waived.add(checkId)
    const after = checks.map((each) => (waived.has(each.check_id) ? { ...each, status: 'waived' as const } : each))
    await tx.db
      .update(preQcResults)
      .set({
        summary: summarise(after),
        couldNotRun: couldNotRun({ status: 'completed', checks: after }),
        needsEyes: needsEyes(after),
      })
      .where(eq(preQcResults.id, resultId))
  }
}

type ResultRow = typeof preQcResults.$inferSelect

/** The newest completed result of each of these files but the one at hand, by file. */
async function resultsBefore(tx: Tx, judged: readonly Judged[]): Promise<Map<string, ResultRow>> {
  const fileIds = judged.map(({ file }) => file.id)
  const rows = await tx.db
    .selectDistinctOn([preQcResults.fileId])
    .from(preQcResults)
    .where(and(isAnyOf(preQcResults.fileId, fileIds), isNotAnyOf(judged), eq(preQcResults.status, 'completed')))
    .orderBy(preQcResults.fileId, desc(preQcResults.id))
  return new Map(rows.map((row) => [row.fileId, row]))
}

/** The waivers of the result before that hold for this one; a proposal is taken along. */
async function waiversKept(tx: Tx, resultId: string, before: ResultRow, checks: readonly CheckLine[]) {
  const waivers = await tx.db
    .select()
    .from(preQcWaivers)
    .where(
      and(
        eq(preQcWaivers.resultId, before.id),
        // Those that follow from a waiver of the batch or project are made anew, where that still holds.
        isNull(preQcWaivers.scopedWaiverId),
        or(isNull(preQcWaivers.expiresAt), gt(preQcWaivers.expiresAt, tx.now)),
      ),
    )
  const isFoundAgain = ({ checkId }: { checkId: string }) => {
    const found = (lines: readonly CheckLine[]) => lines.find(({ check_id }) => check_id === checkId)
    const [was, is] = [found(before.checks as CheckLine[]), found(checks)]
    return (['status', 'severity', 'details'] as const).every((key) => was && is && was[key] === is[key])
  }
  const proposals = await tx.db.select().from(preQcWaiverProposals).where(eq(preQcWaiverProposals.resultId, before.id))
  for (const { id } of proposals.filter(isFoundAgain))
    await tx.db.update(preQcWaiverProposals).set({ resultId }).where(eq(preQcWaiverProposals.id, id))
  return waivers.filter(isFoundAgain).map(({ id: _id, ...waiver }) => waiver)
}

/** Says that the batch is checked, once none of its results is open. Its counts are those of this transaction, which holds the batch. */
async function reportBatch(tx: Tx, batch: typeof batches.$inferSelect) {
  const { queued, running, failed, pass, warning, fail, notApplicable } = await countsOf(tx, batch.id)
  if (queued + running > 0) return
  await tx.record({
    type: 'pre_qc.completed',
    projectId: batch.projectId,
    batchId: batch.id,
    subjectId: batch.id,
    data: {
      name: batch.name,
      round: batch.round,
      pass,
      warning,
      fail: fail + failed,
      not_applicable: notApplicable,
    },
  })
}
