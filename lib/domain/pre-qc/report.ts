import { and, asc, eq } from 'drizzle-orm'
import { z } from 'zod'
import { agencies } from '@/db/schema/directory'
import { files } from '@/db/schema/files'
import { RESULT_SUMMARIES, REVIEW_DECISIONS } from '@/lib/vocabulary'
import { onBatch } from '../batches/find'
import { serializeBatch } from '../batches/queries'
import { Batch } from '../batches/schema'
import { query } from '../kernel/operation'
import { iso, ref, text, timestamp, uuid } from '../kernel/shapes'
import { currentResults } from './queries'
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

export const getBatchReport = query({
  name: 'getBatchReport',
  summary: 'What Pre-QC says of every file of a batch, to keep or to hand on',
  permission: 'projects.read',
  resource: onBatch,
  output: BatchReport,
  async run(tx, { resource: { project, batch } }): Promise<BatchReport> {
    const [agency] = await tx.db
      .select({ id: agencies.id, name: agencies.name })
      .from(agencies)
      .where(eq(agencies.id, project.agencyId))
    if (!agency) throw new Error(`Project ${project.id} has no agency.`)
    const rows = await tx.db
      .select()
      .from(files)
      .where(and(eq(files.batchId, batch.id), eq(files.isCurrent, true)))
      .orderBy(asc(files.nameKey))
    const byFile = new Map((await currentResults(tx, batch.id)).map((result) => [result.file_id, result]))
    const listed = rows.map((file) => ({
      id: file.id,
      name: file.name,
      version: file.version,
      size: file.size,
      media_type: file.mediaType,
      sha256: file.sha256,
      decision: file.decision,
      result: byFile.get(file.id) ?? null,
    }))
    const results = listed.flatMap(({ result }) => (result?.status === 'completed' ? [result] : []))
    const said = (summary: string) => results.filter((result) => result.summary === summary).length
    return {
      generated_at: iso(tx.now),
      project: { id: project.id, name: project.name },
      agency,
      batch: await serializeBatch(tx, batch.id),
      counts: {
        pass: said('pass'),
        warning: said('warning'),
        fail: said('fail'),
        not_applicable: said('not_applicable'),
        not_checked: listed.length - results.length,
        waivers: results.flatMap(({ checks }) => checks.filter(({ waiver }) => waiver)).length,
      },
      files: listed,
    }
  },
})
