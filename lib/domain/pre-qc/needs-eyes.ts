import { and, desc, eq, inArray, lt } from 'drizzle-orm'
import { isTrue } from '@/db/schema/columns'
import { files } from '@/db/schema/files'
import { preQcResults } from '@/db/schema/pre-qc'
import { batches, projects } from '@/db/schema/projects'
import { query } from '../kernel/operation'
import { decodeCursor, isoOrNull, page, upTo } from '../kernel/shapes'
import { visibleTo } from '../kernel/visibility'
import { serializeResults } from './queries'
import { ListNeedsEyes, NeedsEyesList } from './schema'

export const listNeedsEyes = query({
  name: 'listNeedsEyes',
  summary: 'Files that wait for a decision and have findings the engine is not sure enough of, the newest first',
  permission: 'projects.read',
  input: ListNeedsEyes,
  output: NeedsEyesList,
  async run(tx, { input }) {
    const rows = await tx.db
      .select({ id: preQcResults.id, file: files, batch: batches.name, project: projects.name })
      .from(preQcResults)
      .innerJoin(files, eq(files.id, preQcResults.fileId))
      .innerJoin(batches, eq(batches.id, files.batchId))
      .innerJoin(projects, eq(projects.id, files.projectId))
      .where(
        and(
          isTrue(preQcResults.needsEyes),
          isTrue(preQcResults.isCurrent),
          isTrue(files.isCurrent),
          eq(files.decision, 'pending'),
          inArray(batches.status, ['open', 'in_review', 'awaiting_resupply']),
          inArray(projects.status, ['active', 'on_hold']),
          input.project_id ? eq(projects.id, input.project_id) : undefined,
          input.cursor ? lt(preQcResults.id, decodeCursor(input.cursor)) : undefined,
          visibleTo(tx.actor),
        ),
      )
      .orderBy(desc(preQcResults.id))
      .limit(upTo(input.limit))
    const { rows: shown, next_cursor } = page(rows, input.limit)
    const results = await serializeResults(
      tx,
      shown.map(({ id }) => id),
    )
    return {
      files: shown.flatMap(({ id, file, batch, project }) => {
        const result = results.find((each) => each.id === id)
        if (!result) return []
        const checks = result.checks.filter(({ needs_eyes, status }) => needs_eyes && status !== 'waived')
        return [
          {
            id: file.id,
            name: file.name,
            project: { id: file.projectId, name: project },
            batch: { id: file.batchId, name: batch },
            result_id: id,
            checked_at: isoOrNull(result.completed_at ? new Date(result.completed_at) : null),
            checks: checks.map(({ check_id, label, confidence, details }) => ({
              check_id,
              label,
              confidence,
              details,
            })),
          },
        ]
      }),
      next_cursor,
    }
  },
})
