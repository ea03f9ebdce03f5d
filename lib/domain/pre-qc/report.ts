import { and, asc, eq } from 'drizzle-orm'
import { z } from 'zod'
import { isTrue } from '@/db/schema/columns'
import { agencies } from '@/db/schema/directory'
import { files } from '@/db/schema/files'
import { preQcResults } from '@/db/schema/pre-qc'
import { RESULT_SUMMARIES, REVIEW_DECISIONS } from '@/lib/vocabulary'
import { type BatchInProject, onBatch } from '../batches/find'
import { serializeBatch } from '../batches/queries'
import { Batch } from '../batches/schema'
import { ofBatch } from '../files/find'
import { query, type Tx } from '../kernel/operation'
import { iso, ref, text, timestamp, uuid } from '../kernel/shapes'
import { currentResults, serializeResults } from './queries'
import { PreQcResult } from './schema'

export const BatchReport = z
  .object({
    generated_at: timestamp,
    project: ref,
    agency: ref,
    batch: Batch,
    counts: z
      .object(
        Object.fromEntries(RESULT_SUMMARIES.map((summary) => [summary, z.int()])) as Record<
          (typeof RESULT_SUMMARIES)[number],
          z.ZodInt
        >,
      )
      .extend({ not_checked: z.int().describe('Files without a completed result'), waivers: z.int() }),
    files: z.array(
      z.object({
        id: uuid,
        name: z.string(),
        version: z.int(),
        size: z.int(),
        media_type: z.string(),
        sha256: z.string(),
        decision: z.enum(REVIEW_DECISIONS),
        result: PreQcResult.nullable(),
      }),
    ),
  })
  .meta({ id: 'BatchReport' })
export type BatchReport = z.infer<typeof BatchReport>

/** As JSON, or as a document to print. */
export const ReportFormat = z.strictObject({
  format: text(20)
    .default('json')
    .meta({ enum: ['json', 'pdf'] }),
})

type Counts = BatchReport['counts']

/** Adds what was checked of some files to the counts of a report. */
export function countInto(counts: Counts, files: BatchReport['files']): void {
  for (const { result } of files) {
    if (result?.status !== 'completed') {
      counts.not_checked += 1
      continue
    }
    if (result.summary) counts[result.summary] += 1
    counts.waivers += result.checks.filter(({ waiver }) => waiver).length
  }
}

export const noCounts = (): Counts => ({
  pass: 0,
  warning: 0,
  fail: 0,
  not_applicable: 0,
  not_checked: 0,
  waivers: 0,
})

async function headOf(tx: Tx, { project, batch }: BatchInProject) {
  const [agency] = await tx.db
    .select({ id: agencies.id, name: agencies.name })
    .from(agencies)
    .where(eq(agencies.id, project.agencyId))
  if (!agency) throw new Error(`Project ${project.id} has no agency.`)
  return {
    generated_at: iso(tx.now),
    project: { id: project.id, name: project.name },
    agency,
    batch: await serializeBatch(tx, batch.id),
  }
}

const FILE = {
  id: files.id,
  name: files.name,
  version: files.version,
  size: files.size,
  media_type: files.mediaType,
  sha256: files.sha256,
  decision: files.decision,
}

const ofCurrentFiles = (batchId: string) => and(eq(files.batchId, batchId), isTrue(files.isCurrent))

export const getBatchReport = query({
  name: 'getBatchReport',
  summary: 'What Pre-QC says of every file of a batch, to keep or to hand on',
  permission: 'projects.read',
  resource: onBatch,
  output: BatchReport,
  async run(tx, { resource }): Promise<BatchReport> {
    const { id } = resource.batch
    const rows = await tx.db.select(FILE).from(files).where(ofCurrentFiles(id)).orderBy(asc(files.nameKey))
    const byFile = new Map((await currentResults(tx, id)).map((result) => [result.file_id, result]))
    const listed = rows.map((file) => ({ ...file, result: byFile.get(file.id) ?? null }))
    const counts = noCounts()
    countInto(counts, listed)
    return { ...(await headOf(tx, resource)), counts, files: listed }
  },
})

/** The report of a batch that is sent in parts: what it is about, and of which files. */
export const openBatchReport = query({
  name: 'openBatchReport',
  summary: 'The head of the report of a batch, and its files in their order',
  permission: 'projects.read',
  resource: onBatch,
  async run(tx, { resource }) {
    const listed = await tx.db
      .select({ id: files.id })
      .from(files)
      .where(ofCurrentFiles(resource.batch.id))
      .orderBy(asc(files.nameKey))
    return { head: await headOf(tx, resource), fileIds: listed.map(({ id }) => id) }
  },
})

/** Files that one part of a report holds. */
export const REPORTED_AT_ONCE = 200

export const readReportPart = query({
  name: 'readReportPart',
  summary: 'Files of the report of a batch with their newest results',
  permission: 'projects.read',
  resource: onBatch,
  input: z.strictObject({ file_ids: z.array(uuid).min(1).max(REPORTED_AT_ONCE) }),
  async run(tx, { resource, input: { file_ids } }): Promise<BatchReport['files']> {
    const rows = await tx.db
      .select({ ...FILE, resultId: preQcResults.id })
      .from(files)
      .leftJoin(preQcResults, and(eq(preQcResults.fileId, files.id), isTrue(preQcResults.isCurrent)))
      .where(ofBatch(resource.batch.id, file_ids))
    const results = await serializeResults(
      tx,
      rows.flatMap(({ resultId }) => resultId ?? []),
    )
    const byFile = new Map(results.map((result) => [result.file_id, result]))
    const byId = new Map(
      rows.map(({ resultId: _, ...file }) => [file.id, { ...file, result: byFile.get(file.id) ?? null }]),
    )
    // One that was removed since the report began is left out.
    return file_ids.flatMap((id) => byId.get(id) ?? [])
  },
})
