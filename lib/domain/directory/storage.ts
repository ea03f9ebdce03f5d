import { eq, sql } from 'drizzle-orm'
import { agencyStorage } from '@/db/schema/directory'
import { files } from '@/db/schema/files'
import { projects } from '@/db/schema/projects'
import type { Tx } from '../kernel/operation'

/** The bytes that the files of an agency take, counted in its row of `agency_storage`. */

/**
 * Counts what is stored (bytes above 0) or deleted (below), and gives the bytes that all files of the agency take then. Until the transaction ends, others of the agency wait, so that
 * what is read of it afterwards holds.
 */
export async function countStored(tx: Tx, agencyId: string, bytes: number): Promise<number> {
  const [counted] = await tx.db
    .insert(agencyStorage)
    .values({ agencyId, bytes: Math.max(0, bytes) })
    .onConflictDoUpdate({
      target: agencyStorage.agencyId,
      set: { bytes: sql`greatest(0, ${agencyStorage.bytes} + ${bytes})` },
    })
    .returning()
  return counted?.bytes ?? 0
}

/** The same as a statement, which counts only what fits into the quota (null: anything), and gives no row otherwise. */
export const countingWithin = ({ db }: Tx, agencyId: string, bytes: number, quota: number | null) =>
  db
    .insert(agencyStorage)
    .values({ agencyId, bytes })
    .onConflictDoUpdate({
      target: agencyStorage.agencyId,
      set: { bytes: sql`${agencyStorage.bytes} + ${bytes}` },
      ...(quota !== null && { setWhere: sql`${agencyStorage.bytes} + ${bytes} <= ${quota}` }),
    })
    .returning({ bytes: agencyStorage.bytes })

/**
 * Counts the files of an agency again, and says how many bytes they take. A release before the quotas stored files without
 * counting them, perhaps beside this one during an upgrade.
 */
export async function recountStored(tx: Tx, agencyId: string): Promise<number> {
  await countStored(tx, agencyId, 0)
  const ofAgency = sql`(select coalesce(sum(${files.size}), 0) from ${files} join ${projects} on ${projects.id} = ${files.projectId} where ${projects.agencyId} = ${agencyId} and ${files.removedAt} is null)`
  const [counted] = await tx.db
    .update(agencyStorage)
    .set({ bytes: ofAgency })
    .where(eq(agencyStorage.agencyId, agencyId))
    .returning()
  return counted?.bytes ?? 0
}
