import { and, desc, eq, isNull, or } from 'drizzle-orm'
import { agencies } from '@/db/schema/directory'
import { legalHolds } from '@/db/schema/retention'
import { DomainError, quote } from '../kernel/errors'
import type { Tx } from '../kernel/operation'
import { dayOf } from '../kernel/shapes'
import type { ProjectRow } from './find'

export type HoldRow = typeof legalHolds.$inferSelect

/** The legal hold on the project, or on its agency, that has been on for longest; null where there is none. */
export async function holdOn(tx: Pick<Tx, 'db'>, project: { id: string; agencyId: string }): Promise<HoldRow | null> {
  const [hold] = await tx.db
    .select()
    .from(legalHolds)
    .where(
      and(
        isNull(legalHolds.liftedAt),
        or(eq(legalHolds.projectId, project.id), eq(legalHolds.agencyId, project.agencyId)),
      ),
    )
    .orderBy(legalHolds.id)
    .limit(1)
  return hold ?? null
}

/**
 * For what deletes something of a project. The caller has the project locked (`share`), and this locks its agency the same
 * way: a hold waits for the transaction to end, or is seen by it.
 * @throws `legal_hold`
 */
export async function assertNotHeld(tx: Tx, project: ProjectRow) {
  await lockAgency(tx, project.agencyId)
  const hold = await holdOn(tx, project)
  if (hold) throw held(project, hold, 'nothing in it can be deleted')
}

/**
 * For a project that is to go to another agency: a hold on its agency would no longer be on it.
 * @throws `legal_hold`
 */
export async function assertMayLeaveAgency(tx: Tx, project: ProjectRow) {
  await lockAgency(tx, project.agencyId)
  const [hold] = await tx.db
    .select()
    .from(legalHolds)
    .where(and(isNull(legalHolds.liftedAt), eq(legalHolds.agencyId, project.agencyId)))
    .orderBy(desc(legalHolds.id))
    .limit(1)
  if (hold) throw held(project, hold, 'it stays with its agency')
}

const lockAgency = (tx: Tx, agencyId: string) =>
  tx.db.select({ id: agencies.id }).from(agencies).where(eq(agencies.id, agencyId)).for('share')

const held = ({ name }: ProjectRow, hold: HoldRow, so: string) =>
  new DomainError(
    'legal_hold',
    `The project ${quote(name)} ${hold.projectId ? 'is' : 'belongs to an agency that is'} under legal hold since ${dayOf(hold.createdAt)}: ${so}. An administrator can lift the hold in Settings, Retention.`,
  )
