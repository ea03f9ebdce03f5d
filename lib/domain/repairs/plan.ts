import { and, eq } from 'drizzle-orm'
import { isTrue } from '@/db/schema/columns'
import { preQcProfiles } from '@/db/schema/directory'
import { preQcMeasurements, preQcResults, preQcWaivers } from '@/db/schema/pre-qc'
import { CATALOGUE } from '@/lib/checks/catalogue'
import type { Subject } from '@/lib/checks/check'
import { evaluateDestinations, repairFor } from '@/lib/destinations/evaluate'
import { hasRecipe, planRepair, type RepairPlan } from '@/lib/repairs/plan'
import { findDestinations } from '../destinations/find'
import type { FileRow } from '../files/present'
import { invalidField, quote } from '../kernel/errors'
import type { Tx } from '../kernel/operation'
import type { CheckLine } from '../pre-qc/schema'

export type Planned = { result: typeof preQcResults.$inferSelect; plan: RepairPlan }

/**
 * What can be repaired of a file, by the newest result of its checks; with a destination, by what that asks. Null while its
 * checks have not run, or nothing was measured.
 */
export async function planFor(tx: Tx, file: FileRow, destinationId: string | null): Promise<Planned | null> {
  const [found] = await tx.db
    .select({ result: preQcResults, settings: preQcProfiles.settings, subject: preQcMeasurements.subject })
    .from(preQcResults)
    .innerJoin(preQcProfiles, eq(preQcProfiles.id, preQcResults.profileId))
    .innerJoin(preQcMeasurements, eq(preQcMeasurements.resultId, preQcResults.id))
    .where(and(eq(preQcResults.fileId, file.id), isTrue(preQcResults.isCurrent), eq(preQcResults.status, 'completed')))
  if (!found) return null
  const subject = found.subject as unknown as Subject
  if (destinationId !== null) {
    const [destination] = await findDestinations(tx, [destinationId])
    if (!destination) {
      const message = `There is no destination ${quote(destinationId)}. GET /api/destinations lists them.`
      throw invalidField('destination_id', 'not_found', message)
    }
    const [evaluated] = evaluateDestinations(subject, [destination.specification])
    const plan = repairFor(subject, destination.specification, evaluated ?? { requirements: [] })
    return { result: found.result, plan }
  }
  const waived = await tx.db
    .select({ checkId: preQcWaivers.checkId })
    .from(preQcWaivers)
    .where(eq(preQcWaivers.resultId, found.result.id))
  const isWaived = (id: string) => waived.some(({ checkId }) => checkId === id)
  const wanted = (found.result.checks as CheckLine[]).flatMap(({ check_id, status }) => {
    const check = CATALOGUE.find(({ id }) => id === check_id)
    const isFound = (status === 'fail' || status === 'warning') && !isWaived(check_id)
    return check && isFound ? [{ check, thresholds: found.settings.checks[check_id]?.thresholds ?? {} }] : []
  })
  const plan = planRepair(subject, wanted)
  // Only what a recipe has something to say about: the others are said by the checks themselves.
  return {
    result: found.result,
    plan: { ...plan, left: plan.left.filter(({ check_id }) => check_id === 'bleed_check' || hasRecipe(check_id)) },
  }
}
