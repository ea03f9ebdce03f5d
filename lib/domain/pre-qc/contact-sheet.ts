import { and, asc, eq, inArray, sql } from 'drizzle-orm'
import { z } from 'zod'
import { isTrue } from '@/db/schema/columns'
import { agencies } from '@/db/schema/directory'
import { files } from '@/db/schema/files'
import { preQcResults } from '@/db/schema/pre-qc'
import { onBatch } from '../batches/find'
import { serializeBatch } from '../batches/queries'
import type { Batch } from '../batches/schema'
import type { FileRow } from '../files/present'
import { numberOf, seenSize } from '../files/seen-size'
import { DomainError } from '../kernel/errors'
import { query } from '../kernel/operation'
import { iso } from '../kernel/shapes'
import { serializeResults } from './queries'
import type { PreQcResult } from './schema'

/** Files of one contact sheet; a larger batch has several. */
export const FILES_EACH = 500

export const ContactSheetQuery = z.strictObject({
  part: z.coerce
    .number()
    .int()
    .min(1)
    .max(100_000)
    .default(1)
    .describe(`Each part has ${FILES_EACH} files, by their names; the sheet says how many parts there are`),
})

export type ContactSheet = {
  generatedAt: string
  project: string
  agency: string
  batch: Batch
  /** Of all its parts. */
  files: number
  part: number
  parts: number
  listed: (Pick<FileRow, 'id' | 'name' | 'version' | 'size' | 'mediaType' | 'decision'> & {
    width: number | null
    height: number | null
    durationSeconds: number | null
    pages: number | null
    hasImage: boolean
    result: Pick<PreQcResult, 'status' | 'summary'> | null
  })[]
}

export const getContactSheet = query({
  name: 'getContactSheet',
  summary: 'The current files of a batch on paper, small: image, name, version, size, verdict and decision',
  permission: 'projects.read',
  resource: onBatch,
  input: ContactSheetQuery,
  async run(tx, { resource: { project, batch }, input: { part } }): Promise<ContactSheet> {
    const isListed = and(eq(files.batchId, batch.id), isTrue(files.isCurrent))
    const [agency] = await tx.db.select({ name: agencies.name }).from(agencies).where(eq(agencies.id, project.agencyId))
    const [all] = await tx.db.select({ count: sql<number>`count(*)::int` }).from(files).where(isListed)
    const count = all?.count ?? 0
    const parts = Math.max(1, Math.ceil(count / FILES_EACH))
    if (part > parts) {
      const range = parts === 1 ? 'there is 1 part' : `there are ${parts} parts`
      const message = `There is no part ${part} of this contact sheet; ${range}.`
      throw new DomainError('invalid_query', message, { errors: [{ path: 'part', code: 'too_large', message }] })
    }
    const rows = await tx.db
      .select()
      .from(files)
      .where(isListed)
      .orderBy(asc(files.nameKey), asc(files.id))
      .limit(FILES_EACH)
      .offset((part - 1) * FILES_EACH)
    const current = await tx.db
      .select({ id: preQcResults.id })
      .from(preQcResults)
      .where(
        and(
          inArray(
            preQcResults.fileId,
            rows.map(({ id }) => id),
          ),
          isTrue(preQcResults.isCurrent),
        ),
      )
    const results = await serializeResults(
      tx,
      current.map(({ id }) => id),
    )
    const resultOf = new Map(results.map((result) => [result.file_id, result]))
    return {
      generatedAt: iso(tx.now),
      project: project.name,
      agency: agency?.name ?? '',
      batch: await serializeBatch(tx, batch.id),
      files: count,
      part,
      parts,
      listed: rows.map((file) => {
        const { id, name, version, size, mediaType, decision, media, previews, previewsRemovedAt } = file
        const result = resultOf.get(id)
        return {
          id,
          name,
          version,
          size,
          mediaType,
          decision,
          ...seenSize(media),
          durationSeconds: numberOf(media.durationSeconds),
          pages: numberOf(media.pages),
          hasImage: Boolean(previews?.thumbnail) && previewsRemovedAt === null,
          result: result ? { status: result.status, summary: result.summary } : null,
        }
      }),
    }
  },
})
