import { and, asc, eq } from 'drizzle-orm'
import { files } from '@/db/schema/files'
import { preQcResults } from '@/db/schema/pre-qc'
import { log } from '@/lib/log'
import { spanOfJob } from '@/lib/tracing'
import type { FileRow } from '../files/present'
import { advancing, type Context, reading } from '../kernel/operation'
import { isAnyOf } from '../kernel/rows'
import { findMeasured } from './measure-once'
import type { QueuedResult } from './queue'
import { judgeMeasured, wayFor } from './run'
import { type Claim, checkedFile, completeQueued } from './work'

/** Kinds of which the checks need no more than what was measured: an HTML5 ad is run, and a video is compared by its frames. */
const KINDS: ReadonlySet<FileRow['kind']> = new Set(['image', 'document', 'audio'])

/**
 * Checks files of one batch that were measured before, all of them by one reading and one transaction. What this leaves is
 * checked by its own job: files that were not measured, those of which images of evidence are to be drawn, and all of them where
 * something fails.
 */
export async function checkKnown(ctx: Context, { results }: { results: readonly QueuedResult[] }): Promise<void> {
  const later = advancing(ctx)
  try {
    const claims = await findQueued(ctx, results)
    const [first] = claims
    if (!first) return
    const known = await findMeasured(
      ctx,
      claims.map((claim) => ({ sha256: claim.file.sha256, way: wayFor(claim, claim.file) })),
    )
    const traces = new Map(results.map((result) => [result.result_id, result]))
    const judged = []
    for (const [index, claim] of claims.entries()) {
      const before = known[index]
      if (!before) continue
      const job = { task: 'check_file', id: claim.resultId, attempt: 1, waitedMs: 0 }
      const verdict = await spanOfJob({ ...job, payload: traces.get(claim.resultId) }, () =>
        judgeMeasured(later(), claim, before),
      )
      if (verdict) judged.push({ ...claim, verdict })
    }
    if (judged.length > 0) await completeQueued(later(), first.file.batchId, judged, ctx.now)
  } catch (error) {
    log.warn({ err: error }, 'files that were measured before could not be checked together: each is checked by itself')
  }
}

/** Those of the results that nobody has claimed, with what their files are checked by: the same for all of a batch. */
async function findQueued(ctx: Context, results: readonly QueuedResult[]): Promise<Claim[]> {
  const tx = reading(ctx)
  const { id: resultId, fence, profileId, status } = preQcResults
  const rows = await tx.db
    .select({ resultId, fence, profileId, file: files })
    .from(preQcResults)
    .innerJoin(files, eq(files.id, preQcResults.fileId))
    .where(
      and(
        isAnyOf(
          resultId,
          results.map(({ result_id }) => result_id),
        ),
        eq(status, 'queued'),
      ),
    )
    .orderBy(asc(resultId))
  const usable = rows.filter(({ file }) => KINDS.has(file.kind) && !file.removedAt)
  const [first] = usable
  const checked = first && (await checkedFile(tx, { fileId: first.file.id, profileId: first.profileId }))
  return checked ? usable.map(({ resultId, fence, file }) => ({ ...checked, file, resultId, fence })) : []
}
