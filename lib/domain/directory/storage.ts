import { eq, type SQL, sql } from 'drizzle-orm'
import { commentAttachments, fileComments } from '@/db/schema/comments'
import { agencyStorage } from '@/db/schema/directory'
import { files } from '@/db/schema/files'
import { projects } from '@/db/schema/projects'
import type { Tx } from '../kernel/operation'

/** The bytes that the files of an agency and the attachments of comments on them take, counted in its row of `agency_storage`. */

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
 * Bytes by agency, as the rows say: of files that are kept, and once of each object that comments on them carry.
 *
 * @param ofFiles which files count; all of them, if it is not given
 */
export const storedByAgency = (ofFiles: SQL = sql`true`) => sql`
  select p.agency_id, sum(stored.size)::bigint as bytes from (
    select ${files.projectId} as project_id, ${files.size} as size from ${files} where ${files.removedAt} is null and ${ofFiles}
    union all
    select ${files.projectId}, max(${commentAttachments.size}) from ${commentAttachments}
      join ${fileComments} on ${fileComments.id} = ${commentAttachments.commentId} join ${files} on ${files.id} = ${fileComments.fileId}
      where ${files.removedAt} is null and ${ofFiles} group by ${files.projectId}, ${commentAttachments.objectId}
  ) stored join ${projects} p on p.id = stored.project_id group by p.agency_id`

/**
 * Counts the files of an agency again, and says how many bytes they take. A release before the quotas stored files without
 * counting them, perhaps beside this one during an upgrade.
 */
export async function recountStored(tx: Tx, agencyId: string): Promise<number> {
  await countStored(tx, agencyId, 0)
  const own = sql`${files.projectId} in (select ${projects.id} from ${projects} where ${projects.agencyId} = ${agencyId})`
  const [counted] = await tx.db
    .update(agencyStorage)
    .set({ bytes: sql`coalesce((select s.bytes from (${storedByAgency(own)}) s), 0)` })
    .where(eq(agencyStorage.agencyId, agencyId))
    .returning()
  return counted?.bytes ?? 0
}

/**
 * Bytes of the objects that these attachments of comments name and no other does, by agency: what is counted no more when
 * they go. Those of files that are not kept were counted no more before; the copies of a comment, all of one project, name
 * one object.
 */
export async function bytesFreed(tx: Tx, attachments: SQL): Promise<{ agency_id: string; bytes: number }[]> {
  const carried = sql`${commentAttachments} join ${fileComments} on ${fileComments.id} = ${commentAttachments.commentId}
    join ${files} on ${files.id} = ${fileComments.fileId}`
  const rows = await tx.db.execute<{ agency_id: string; bytes: string }>(sql`
    select p.agency_id, sum(freed.size) as bytes from (
      select max(${commentAttachments.size}) as size, ${files.projectId} as project_id from ${carried}
      where ${files.removedAt} is null and ${commentAttachments.objectId} in (
        select ${commentAttachments.objectId} from ${carried} where ${attachments})
      group by ${commentAttachments.objectId}, ${files.projectId} having bool_and((${attachments}) is true)
    ) freed join ${projects} p on p.id = freed.project_id group by p.agency_id order by p.agency_id`)
  return rows.map(({ agency_id, bytes }) => ({ agency_id, bytes: Number(bytes) }))
}
