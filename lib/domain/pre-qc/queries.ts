import { and, desc, eq, inArray, lt } from 'drizzle-orm'
import { preQcProfiles, users } from '@/db/schema/directory'
import { files } from '@/db/schema/files'
import { preQcResults, preQcWaivers } from '@/db/schema/pre-qc'
import { summarise } from '@/lib/checks/summary'
import { type BatchInProject, findBatchById } from '../batches/find'
import { notFound } from '../kernel/errors'
import { type Finder, query, type Tx } from '../kernel/operation'
import { decodeCursor, iso, isoOrNull, isUuid, page } from '../kernel/shapes'
import { type CheckLine, ListResults, PreQcResult, PreQcResultList } from './schema'

export type ResultRow = typeof preQcResults.$inferSelect
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
    const select = tx.db.select().from(preQcResults).where(eq(preQcResults.id, result_id))
    const [result] = await (lock ? select.for('no key update') : select)
    if (!result) throw notFound('Pre-QC result', result_id)
    return { ...where, result }
  },
}

const select = (tx: Tx) =>
  tx.db
    .select({
      result: preQcResults,
      fileName: files.name,
      fileVersion: files.version,
      profileVersion: preQcProfiles.version,
    })
    .from(preQcResults)
    .innerJoin(files, eq(files.id, preQcResults.fileId))
    .innerJoin(preQcProfiles, eq(preQcProfiles.id, preQcResults.profileId))

type Row = Awaited<ReturnType<typeof select>>[number]

async function presentAll(tx: Tx, rows: Row[]): Promise<PreQcResult[]> {
  const waivers =
    rows.length === 0
      ? []
      : await tx.db
          .select({ waiver: preQcWaivers, by: { id: users.id, name: users.name } })
          .from(preQcWaivers)
          .innerJoin(users, eq(users.id, preQcWaivers.createdBy))
          .where(
            inArray(
              preQcWaivers.resultId,
              rows.map(({ result }) => result.id),
            ),
          )
  return rows.map(({ result, fileName, fileVersion, profileVersion }) => {
    const checks = (result.checks as CheckLine[]).map((check): CheckLine => {
      const found = waivers.find(({ waiver }) => waiver.resultId === result.id && waiver.checkId === check.check_id)
      return found
        ? {
            ...check,
            status: 'waived',
            waiver: { reason: found.waiver.reason, by: found.by, at: iso(found.waiver.createdAt) },
          }
        : check
    })
    return {
      id: result.id,
      file_id: result.fileId,
      file_name: fileName,
      status: result.status,
      summary: result.status === 'completed' ? summarise(checks) : result.summary,
      checks,
      batch_id: result.batchId,
      file_version: fileVersion,
      file_sha256: result.fileSha256,
      profile: { id: result.profileId, version: profileVersion },
      attempt: result.attempt,
      progress: result.status === 'completed' ? 100 : result.progress,
      failure: result.failure,
      engine_version: result.engineVersion,
      started_at: isoOrNull(result.startedAt),
      completed_at: isoOrNull(result.completedAt),
      created_at: iso(result.createdAt),
      updated_at: iso(result.updatedAt),
    }
  })
}

export const listResults = query({
  name: 'listResults',
  summary: "The newest Pre-QC results of a batch's files",
  may: 'projects.read',
  input: ListResults,
  output: PreQcResultList,
  async run(tx, { input }) {
    const { batch } = await findBatchById(tx, input.batchId, false)
    const rows = await select(tx)
      .where(
        and(
          eq(preQcResults.batchId, batch.id),
          eq(preQcResults.isCurrent, true),
          input.cursor ? lt(preQcResults.id, decodeCursor(input.cursor)) : undefined,
        ),
      )
      .orderBy(desc(preQcResults.id))
      .limit(input.limit === undefined ? Number.MAX_SAFE_INTEGER : input.limit + 1)
    const { rows: shown, next_cursor } = page(
      rows.map((row) => ({ ...row, id: row.result.id })),
      input.limit,
    )
    return { results: await presentAll(tx, shown), next_cursor }
  },
})

export async function fullResult(tx: Tx, id: string): Promise<PreQcResult> {
  const [result] = await presentAll(tx, await select(tx).where(eq(preQcResults.id, id)))
  if (!result) throw new Error(`Pre-QC result ${id} vanished while it was read.`)
  return result
}

export const getResult = query({
  name: 'getResult',
  summary: 'One Pre-QC result',
  may: 'projects.read',
  on: onResult,
  single: true,
  output: PreQcResult,
  run: (tx, { on }) => fullResult(tx, on.result.id),
})
