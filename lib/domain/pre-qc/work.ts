import { and, desc, eq, gt, inArray, isNull, ne, or, sql } from 'drizzle-orm'
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
import { couldNotRun, needsEyes } from './rules'
import type { CheckLine } from './schema'
import { scopedWaiversFor } from './scoped-waivers'
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
        key: `check_file:${claim.resultId}`,
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

export type Outcome =
  | {
      status: 'completed'
      summary: ResultSummary
      checks: Record<string, unknown>[]
      engineVersion: string
      measurements: object
      /** When, where that was before this attempt. */
      measuredAt?: Date | null
    }
  | { status: 'failed'; failure: string }

/** Writes the outcome; when it was the last of its batch, says so. False when another worker has claimed the result since. */
export async function finishResult(ctx: Context, claim: Claim, outcome: Outcome): Promise<boolean> {
  return inTransaction(ctx, async (tx) => {
    // The batch is held, so that of two files that finish at once exactly one sees that it is the last.
    const [batch] = await tx.db.select().from(batches).where(eq(batches.id, claim.file.batchId)).for('no key update')
    const written = await tx.db
      .update(preQcResults)
      .set({
        status: outcome.status,
        completedAt: tx.now,
        updatedAt: tx.now,
        progress: 100,
        couldNotRun: couldNotRun({
          status: outcome.status,
          checks: outcome.status === 'completed' ? (outcome.checks as CheckLine[]) : [],
        }),
        needsEyes: outcome.status === 'completed' && needsEyes(outcome.checks as CheckLine[]),
        ...(outcome.status === 'completed'
          ? {
              summary: outcome.summary,
              checks: readable(outcome.checks),
              engineVersion: outcome.engineVersion,
              measuredAt: outcome.measuredAt ?? null,
              failure: null,
            }
          : { failure: readable(outcome.failure) }),
      })
      .where(isHeld(claim))
      .returning({ id: preQcResults.id })
    if (written.length === 0 || !batch) return false
    if (outcome.status === 'completed') {
      await storeMeasurements(tx, claim, outcome.measurements)
      await storeWaivers(tx, claim, outcome.checks as CheckLine[])
    }
    await giveHint(tx, 'pre_qc.progress', { projectId: batch.projectId, batchId: batch.id })
    await reportBatch(tx, batch)
    return true
  })
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
async function storeMeasurements(tx: Tx, { resultId, file }: Claim, subject: object) {
  const older = tx.db
    .select({ id: preQcResults.id })
    .from(preQcResults)
    .where(and(eq(preQcResults.fileId, file.id), ne(preQcResults.id, resultId)))
  await tx.db.delete(preQcMeasurements).where(inArray(preQcMeasurements.resultId, older))
  await tx.db
    .insert(preQcMeasurements)
    .values({ resultId, subject: subject as Record<string, unknown> })
    .onConflictDoNothing()
  const body = readable(recognisedIn(subject as Pick<Subject, 'measures'>)).slice(0, RECOGNISED_LENGTH)
  await tx.db.delete(recognisedTexts).where(eq(recognisedTexts.fileId, file.id))
  if (body) await tx.db.insert(recognisedTexts).values({ fileId: file.id, body })
}

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
async function storeWaivers(tx: Tx, claim: Claim, checks: readonly CheckLine[]) {
  const { resultId } = claim
  const kept = await waiversKept(tx, claim, checks)
  const waived = new Set(kept.map(({ checkId }) => checkId))
  const open = checks.filter(({ check_id }) => !waived.has(check_id))
  const scoped = await scopedWaiversFor(tx, claim.file, open)
  const all = [...kept, ...scoped].map((waiver) => ({ ...waiver, resultId }))
  if (all.length === 0) return
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

/** The waivers of the result before that hold for this one; a proposal is taken along. */
async function waiversKept(tx: Tx, { resultId, file }: Claim, checks: readonly CheckLine[]) {
  const [before] = await tx.db
    .select()
    .from(preQcResults)
    .where(and(eq(preQcResults.fileId, file.id), ne(preQcResults.id, resultId), eq(preQcResults.status, 'completed')))
    .orderBy(desc(preQcResults.id))
    .limit(1)
  if (!before) return []
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
