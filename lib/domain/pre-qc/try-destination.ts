import { and, desc, eq, inArray, sql } from 'drizzle-orm'
import { isTrue } from '@/db/schema/columns'
import { mediaCategories } from '@/db/schema/directory'
import { files } from '@/db/schema/files'
import { preQcMeasurements, preQcResults } from '@/db/schema/pre-qc'
import { batches } from '@/db/schema/projects'
import type { Subject } from '@/lib/checks/check'
import { compareSpecifications } from '@/lib/destinations/compare'
import { evaluateDestinations } from '@/lib/destinations/evaluate'
import type { DestinationVerdict } from '@/lib/vocabulary'
import { readSpecification, specificationOf } from '../destinations/find'
import { presentChanges } from '../destinations/queries'
import { DestinationTrial, TryDestination } from '../destinations/schema'
import { query, type Tx } from '../kernel/operation'

/**
 * Which files would turn if a specification were imported. Both versions are evaluated from what was measured, by the engine
 * as it is now, so that a difference is the specification's and nothing else's.
 */
export const tryDestination = query({
  name: 'tryDestination',
  summary: 'What a specification would change, and which files it would turn, were it imported; nothing is stored',
  permission: 'directory.manage',
  input: TryDestination,
  output: DestinationTrial,
  inputInBody: true,
  async run(tx, { input }): Promise<DestinationTrial> {
    const { specification, rows } = await readSpecification(tx, input.document)
    const held = rows[0] ? specificationOf(rows[0]) : null
    const { measured, unmeasured } = await lastNaming(tx, specification.id, input.last)
    const [before, after] = [emptyTally(), emptyTally()]
    const turned: DestinationTrial['turned'] = []
    for (const { subject, decision, ...file } of measured) {
      const [then] = evaluateDestinations(subject, [specification])
      const [now] = held ? evaluateDestinations(subject, [held]) : []
      if (!then || !now) continue
      before[now.verdict] += 1
      after[then.verdict] += 1
      if (now.verdict === then.verdict) continue
      turned.push({
        file: { id: file.fileId, name: file.name, batch_id: file.batchId, project_id: file.projectId },
        decision,
        before: now.verdict,
        after: then.verdict,
        reasons: then.requirements
          .filter(({ level, outcome }) => level === 'required' && (outcome === 'not_met' || outcome === 'unknown'))
          .map(({ label, details, clause }) => ({ label, details, clause })),
      })
    }
    return {
      destination_id: specification.id,
      before_version: held?.version ?? null,
      changes: held && presentChanges(compareSpecifications(held, specification)),
      files: measured.length,
      unmeasured,
      before,
      after,
      turned,
    }
  },
})

const emptyTally = (): Record<DestinationVerdict, number> => ({
  fits: 0,
  fits_after_repair: 0,
  does_not_fit: 0,
  unknown: 0,
})

/** The newest checked files of batches that name the destination, themselves or by their media category. */
async function lastNaming(tx: Tx, key: string, last: number) {
  const naming = tx.db
    .select({ id: batches.id })
    .from(batches)
    .innerJoin(mediaCategories, eq(mediaCategories.id, batches.mediaCategoryId))
    .where(sql`coalesce(${batches.destinations}, ${mediaCategories.destinations}) @> array[${key}]::text[]`)
  const rows = await tx.db
    .select({
      fileId: files.id,
      name: files.name,
      batchId: files.batchId,
      projectId: files.projectId,
      decision: files.decision,
      subject: preQcMeasurements.subject,
    })
    .from(preQcResults)
    .innerJoin(files, and(eq(files.id, preQcResults.fileId), isTrue(files.isCurrent)))
    .leftJoin(preQcMeasurements, eq(preQcMeasurements.resultId, preQcResults.id))
    .where(
      and(inArray(preQcResults.batchId, naming), isTrue(preQcResults.isCurrent), eq(preQcResults.status, 'completed')),
    )
    .orderBy(desc(preQcResults.id))
    .limit(last)
  const measured = rows.flatMap(({ subject, ...row }) =>
    subject ? [{ ...row, subject: subject as unknown as Subject }] : [],
  )
  return { measured, unmeasured: rows.length - measured.length }
}
