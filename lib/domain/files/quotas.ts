import { and, eq, sql } from 'drizzle-orm'
import { agencies, agencyStorage } from '@/db/schema/directory'
import { files } from '@/db/schema/files'
import { uploadLinks } from '@/db/schema/upload-links'
import type { Tx } from '../kernel/operation'
import type { Quota } from './rules'

/** How much files may take of the storage: counted by agency (directory/storage.ts), summed up by link. */

/** Bytes of the files that came through a link and are still there, as a subquery of `uploadLinks`. */
export const bytesByLink = sql`select coalesce(sum(${files.size}), 0) from ${files} where ${and(
  eq(files.batchId, uploadLinks.batchId),
  eq(files.sourceLinkId, uploadLinks.id),
)}`

/**
 * The quotas a file has to keep to that comes into a project of the agency, and through the link if it does.
 * @param counted bytes of that file which are in the agency's count already
 */
export async function quotasOf(
  tx: Tx,
  { project, link }: { project: { agencyId: string }; link?: { id: string; maxBytes: number | null } },
  { counted = 0 } = {},
): Promise<Quota[]> {
  const [agency] = await tx.db
    .select({ limit: agencies.storageQuota, used: sql`coalesce(${agencyStorage.bytes}, 0)`.mapWith(Number) })
    .from(agencies)
    .leftJoin(agencyStorage, eq(agencyStorage.agencyId, agencies.id))
    .where(eq(agencies.id, project.agencyId))
  const ofAgency: Quota[] =
    agency && agency.limit !== null ? [{ of: 'agency', limit: agency.limit, used: agency.used - counted }] : []
  if (!link || link.maxBytes === null) return ofAgency
  const [sum] = await tx.db
    .select({ used: sql`(${bytesByLink})`.mapWith(Number) })
    .from(uploadLinks)
    .where(eq(uploadLinks.id, link.id))
  return [...ofAgency, { of: 'link', limit: link.maxBytes, used: sum?.used ?? 0 }]
}
