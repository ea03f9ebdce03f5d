import { and, asc, desc, eq, inArray, sql } from 'drizzle-orm'
import { isTrue } from '@/db/schema/columns'
import { deliveries, deliveryFiles } from '@/db/schema/deliveries'
import { agencies } from '@/db/schema/directory'
import { files } from '@/db/schema/files'
import type { BatchInProject } from '../batches/find'
import { ofBatch } from '../files/find'
import type { FileRow } from '../files/present'
import { assertApprovable } from '../files/rules'
import { quote, whyNot } from '../kernel/errors'
import type { Tx } from '../kernel/operation'
import { assertFound } from '../kernel/rows'
import { dayOf, iso } from '../kernel/shapes'
import { assertBytes } from '../retention/rules'
import { collisionsOf, explainPath, pathOf, splitName } from './rules'
import type { TargetRow } from './targets'

export type Plan = {
  files: { file: FileRow; path: string }[]
  leftOut: { file: FileRow; why: string }[]
  problems: string[]
  replaces: { path: string; at: string }[]
}

/** Why a file may not be delivered now, as a sentence; null when it may. */
export function whyNotDeliverable(file: FileRow): string | null {
  if (!file.isCurrent) return `${quote(file.name)}, version ${file.version}, was replaced by a newer version.`
  if (file.decision !== 'approved')
    return `${quote(file.name)} is ${file.decision === 'rejected' ? 'rejected' : 'not decided yet'}; only approved files are delivered.`
  return whyNot(() => {
    assertApprovable(file)
    assertBytes(file)
  })
}

/** What would be delivered to the target under which paths, and what not. `ids`: of files of the batch; none: all its current files. */
export async function planDelivery(
  tx: Tx,
  { project, batch }: BatchInProject,
  target: TargetRow,
  ids: readonly string[] | undefined,
): Promise<Plan> {
  const found = await tx.db
    .select()
    .from(files)
    .where(ids ? ofBatch(batch.id, ids) : and(eq(files.batchId, batch.id), isTrue(files.isCurrent)))
    .orderBy(asc(files.nameKey), desc(files.version))
  if (ids) assertFound('file', ids, found)
  const [agency] = await tx.db.select({ name: agencies.name }).from(agencies).where(eq(agencies.id, project.agencyId))
  const plan: Plan = { files: [], leftOut: [], problems: [], replaces: [] }
  for (const file of found) {
    const why = whyNotDeliverable(file)
    if (why) plan.leftOut.push({ file, why })
    else
      plan.files.push({
        file,
        path: pathOf(target.namingTemplate, {
          ...splitName(file.name),
          agency: agency?.name ?? '',
          project: project.name,
          batch: batch.name,
          round: String(batch.round),
          file: file.name,
          version: String(file.version),
          date: dayOf(tx.now),
        }),
      })
  }
  plan.problems = problemsOf(plan.files)
  plan.replaces = await replacedBy(tx, target.id, plan.files)
  return plan
}

const SHOWN_PROBLEMS = 10

function problemsOf(planned: Plan['files']): string[] {
  const problems = [
    ...planned.flatMap(({ path }) => explainPath(path) ?? []),
    ...collisionsOf(planned).map(([one, other]) =>
      one.path === other.path
        ? `${quote(one.file.name)} and ${quote(other.file.name)} would both be ${quote(one.path)}. Change the naming template, or deliver them apart.`
        : `${quote(one.path)} and ${quote(other.path)} differ only in capitals, and are one file on many systems. Change the naming template, or deliver them apart.`,
    ),
  ]
  if (planned.length === 0) problems.push('There is no approved file to deliver.')
  const more = problems.length - SHOWN_PROBLEMS
  return more > 0 ? [...problems.slice(0, SHOWN_PROBLEMS), `${more} more of the kind.`] : problems
}

/** Paths at which an earlier delivery to this target left other bytes. */
async function replacedBy(tx: Tx, targetId: string, planned: Plan['files']): Promise<Plan['replaces']> {
  if (planned.length === 0) return []
  const rows = await tx.db
    .select({ path: deliveryFiles.path, sha256: deliveryFiles.sha256, at: deliveryFiles.deliveredAt })
    .from(deliveryFiles)
    .innerJoin(deliveries, eq(deliveries.id, deliveryFiles.deliveryId))
    .where(
      and(
        eq(deliveries.targetId, targetId),
        sql`${deliveryFiles.status} = 'delivered'`,
        inArray(
          deliveryFiles.path,
          planned.map(({ path }) => path),
        ),
      ),
    )
    .orderBy(asc(deliveryFiles.deliveredAt))
  // The latest of each path is what is there now.
  const latest = new Map(rows.map((row) => [row.path, row]))
  return planned.flatMap(({ file, path }) => {
    const row = latest.get(path)
    return row?.at && row.sha256 !== file.sha256 ? [{ path, at: iso(row.at) }] : []
  })
}
