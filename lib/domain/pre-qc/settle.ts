import { eq } from 'drizzle-orm'
import { preQcResults } from '@/db/schema/pre-qc'
import type { Tx } from '../kernel/operation'
import { serializeResult } from './queries'
import { couldNotRun, needsEyes } from './rules'
import type { PreQcResult } from './schema'

/** The result with its waivers as they are now, and its summary written to fit. */
export async function settle(tx: Tx, resultId: string): Promise<PreQcResult> {
  const shown = await serializeResult(tx, resultId)
  await tx.db
    .update(preQcResults)
    .set({
      summary: shown.summary,
      couldNotRun: couldNotRun(shown),
      needsEyes: needsEyes(shown.checks),
      updatedAt: tx.now,
    })
    .where(eq(preQcResults.id, resultId))
  return shown
}
