import { and, desc, eq, inArray, lt } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { isTrue } from '@/db/schema/columns'
import { preQcProfiles, users } from '@/db/schema/directory'
import { files } from '@/db/schema/files'
import { preQcResults, preQcWaiverProposals, preQcWaivers } from '@/db/schema/pre-qc'
import { summarise } from '@/lib/checks/summary'
import { type BatchInProject, findBatchById } from '../batches/find'
import { notFound } from '../kernel/errors'
import { type Finder, query, type Tx } from '../kernel/operation'
import { can } from '../kernel/permissions'
import { findRow } from '../kernel/rows'
import { decodeCursor, iso, isoOrNull, isUuid, page, upTo } from '../kernel/shapes'
import { assertPreviews } from '../retention/rules'
import { compareChecks, evidencePath } from './rules'
import { type CheckLine, ListResults, PreQcResult, PreQcResultList } from './schema'

type ResultRow = typeof preQcResults.$inferSelect
export type ResultInBatch = BatchInProject & { result: ResultRow }

export const onResult: Finder<'result_id', ResultInBatch> = {
  params: ['result_id'],
  async find(tx, { result_id }, lock) {
    const [found] = isUuid(result_id)
      ? await tx.db.select({ batchId: preQcResults.batchId }).from(preQcResults).where(eq(preQcResults.id, result_id))
      : []
    if (!found) throw notFound('Pre-QC result', result_id)
    const where = await findBatchById(tx, found.batchId, lock).catch((error) => {
      throw error.code === 'not_found' ? notFound('Pre-QC result', result_id) : error
    })
    return { ...where, result: await findRow(tx, preQcResults, 'Pre-QC result', result_id, lock) }
  },
}

const select = (tx: Tx) =>
  tx.db
    .select({
      result: preQcResults,
      fileName: files.name,
      fileVersion: files.version,
      supersedesId: files.supersedesId,
      previewsRemovedAt: files.previewsRemovedAt,
      profileVersion: preQcProfiles.version,
    })
    .from(preQcResults)
    .innerJoin(files, eq(files.id, preQcResults.fileId))
    .innerJoin(preQcProfiles, eq(preQcProfiles.id, preQcResults.profileId))

type Row = Awaited<ReturnType<typeof select>>[number]

export const presentWaiver = (
  row: Pick<typeof preQcWaivers.$inferSelect, 'reasonCode' | 'reason' | 'createdAt' | 'expiresAt'>,
  by: { id: string; name: string },
) => ({
  reason_code: row.reasonCode,
  reason: row.reason,
  by,
  at: iso(row.createdAt),
  expires_at: isoOrNull(row.expiresAt),
})

/** Whether a proposed waiver is for the actor to confirm: never one's own. */
export const mayConfirm = ({ actor }: Pick<Tx, 'actor'>, proposer: string) =>
  actor.type === 'user' && actor.id !== proposer && can(actor, 'pre_qc.waive_blocking')

/** The checks of each result, what was waived marked so. */
async function checksOf(
  tx: Tx,
  rows: readonly Pick<Row, 'result' | 'previewsRemovedAt'>[],
): Promise<Map<string, CheckLine[]>> {
  if (rows.length === 0) return new Map()
  const ids = rows.map(({ result }) => result.id)
  const confirming = alias(users, 'confirming')
  const waivers = await tx.db
    .select({
      waiver: preQcWaivers,
      by: { id: users.id, name: users.name },
      confirmed: { id: confirming.id, name: confirming.name },
    })
    .from(preQcWaivers)
    .innerJoin(users, eq(users.id, preQcWaivers.createdBy))
    .leftJoin(confirming, eq(confirming.id, preQcWaivers.confirmedBy))
    .where(inArray(preQcWaivers.resultId, ids))
  const proposals = await tx.db
    .select({ proposal: preQcWaiverProposals, by: { id: users.id, name: users.name } })
    .from(preQcWaiverProposals)
    .innerJoin(users, eq(users.id, preQcWaiverProposals.createdBy))
    .where(inArray(preQcWaiverProposals.resultId, ids))
  const waived = new Map(waivers.map((found) => [`${found.waiver.resultId} ${found.waiver.checkId}`, found]))
  const proposed = new Map(proposals.map((found) => [`${found.proposal.resultId} ${found.proposal.checkId}`, found]))
  const shown = ({ evidence, ...check }: CheckLine, isRemoved: boolean): CheckLine =>
    evidence && !isRemoved
      ? { ...check, evidence: evidence.map((each) => ({ ...each, url: tx.ports.baseUrl + each.url })) }
      : check
  return new Map(
    rows.map(({ result, previewsRemovedAt }) => [
      result.id,
      (result.checks as CheckLine[]).map((check): CheckLine => {
        const found = waived.get(`${result.id} ${check.check_id}`)
        const line = shown(check, previewsRemovedAt !== null)
        const waits = proposed.get(`${result.id} ${check.check_id}`)
        if (found) {
          const { scope } = found.waiver
          const waiver = { ...presentWaiver(found.waiver, found.by), scope, confirmed_by: found.confirmed }
          return { ...line, status: 'waived', waiver }
        }
        if (!waits) return line
        const may_confirm = mayConfirm(tx, waits.by.id)
        return { ...line, waiver_proposal: { ...presentWaiver(waits.proposal, waits.by), may_confirm } }
      }),
    ]),
  )
}

/** The current result of the version before, by the file that replaced it; only where that one was checked. */
async function resultsBefore(tx: Tx, rows: readonly Row[]): Promise<Map<string, Row>> {
  const replaced = rows.flatMap(({ supersedesId }) => supersedesId ?? [])
  if (replaced.length === 0) return new Map()
  const found = await select(tx).where(
    and(inArray(preQcResults.fileId, replaced), isTrue(preQcResults.isCurrent), eq(preQcResults.status, 'completed')),
  )
  const byFile = new Map(found.map((row) => [row.result.fileId, row]))
  return new Map(
    rows.flatMap(({ result, supersedesId }) => {
      const before = supersedesId && byFile.get(supersedesId)
      return before ? [[result.fileId, before] as const] : []
    }),
  )
}

async function presentAll(tx: Tx, rows: Row[]): Promise<PreQcResult[]> {
  const before = await resultsBefore(tx, rows)
  const checks = await checksOf(tx, [...rows, ...before.values()])
  return rows.map(({ result, fileName, fileVersion, profileVersion }) => {
    const own = checks.get(result.id) ?? []
    const past = result.status === 'completed' ? before.get(result.fileId) : undefined
    return {
      id: result.id,
      file_id: result.fileId,
      file_name: fileName,
      status: result.status,
      summary: result.status === 'completed' ? summarise(own) : result.summary,
      checks: own,
      batch_id: result.batchId,
      file_version: fileVersion,
      file_sha256: result.fileSha256,
      profile: { id: result.profileId, version: profileVersion },
      attempt: result.attempt,
      delta: past
        ? {
            result_id: past.result.id,
            file_version: past.fileVersion,
            ...compareChecks(checks.get(past.result.id) ?? [], own),
          }
        : null,
      progress: result.status === 'completed' ? 100 : result.progress,
      failure: result.failure,
      engine_version: result.engineVersion,
      measured_at: isoOrNull(result.measuredAt),
      started_at: isoOrNull(result.startedAt),
      completed_at: isoOrNull(result.completedAt),
      created_at: iso(result.createdAt),
      updated_at: iso(result.updatedAt),
    }
  })
}

export const listResults = query({
  name: 'listResults',
  summary: "The newest Pre-QC results of a batch's files, or of one of them",
  permission: 'projects.read',
  input: ListResults,
  output: PreQcResultList,
  async run(tx, { input }) {
    const { batch } = await findBatchById(tx, input.batchId, false)
    const rows = await select(tx)
      .where(
        and(
          eq(preQcResults.batchId, batch.id),
          isTrue(preQcResults.isCurrent),
          input.fileId ? eq(preQcResults.fileId, input.fileId) : undefined,
          input.cursor ? lt(preQcResults.id, decodeCursor(input.cursor)) : undefined,
        ),
      )
      .orderBy(desc(preQcResults.id))
      .limit(upTo(input.limit))
    const { rows: shown, next_cursor } = page(
      rows.map((row) => ({ ...row, id: row.result.id })),
      input.limit,
    )
    return { results: await presentAll(tx, shown), next_cursor }
  },
})

/** Results as the interface shows them. */
export async function serializeResults(tx: Tx, ids: readonly string[]): Promise<PreQcResult[]> {
  return ids.length === 0 ? [] : presentAll(tx, await select(tx).where(inArray(preQcResults.id, [...ids])))
}

/** The newest result of every file of a batch. */
export async function currentResults(tx: Tx, batchId: string): Promise<PreQcResult[]> {
  return presentAll(
    tx,
    // Files and results are of one batch: said of both, the files of that batch are read, and not all there are.
    await select(tx).where(
      and(eq(preQcResults.batchId, batchId), eq(files.batchId, batchId), isTrue(preQcResults.isCurrent)),
    ),
  )
}

export async function serializeResult(tx: Tx, id: string): Promise<PreQcResult> {
  const [result] = await presentAll(tx, await select(tx).where(eq(preQcResults.id, id)))
  if (!result) throw new Error(`Pre-QC result ${id} vanished while it was read.`)
  return result
}

export const getResult = query({
  name: 'getResult',
  summary: 'One Pre-QC result',
  permission: 'projects.read',
  resource: onResult,
  isVersioned: true,
  output: PreQcResult,
  run: (tx, { resource }) => serializeResult(tx, resource.result.id),
})

/** Which image is meant, where the actor may see its result. */
export const openEvidence = query({
  name: 'openEvidence',
  summary: 'An image of what a check found',
  permission: 'projects.read',
  resource: {
    params: ['result_id', 'number'] as const,
    async find(tx: Tx, { result_id, number }: Record<'result_id' | 'number', string>) {
      const { result } = await onResult.find(tx, { result_id }, false)
      const path = evidencePath(result.id, Number(number))
      const isThere =
        /^[1-9]\d?$/.test(number) &&
        (result.checks as CheckLine[]).some((check) => check.evidence?.some(({ url }) => url === path))
      if (!isThere) throw notFound('evidence of this result', number)
      const [file] = await tx.db.select().from(files).where(eq(files.id, result.fileId))
      if (file) assertPreviews(file)
      return { fileId: result.fileId, resultId: result.id, number: Number(number) }
    },
  },
  run: async (_tx, { resource }) => resource,
})
