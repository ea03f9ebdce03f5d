import { and, eq, isNull, sql } from 'drizzle-orm'
import { agencies, agencyStorage } from '@/db/schema/directory'
import { files } from '@/db/schema/files'
import { uploadLinks } from '@/db/schema/upload-links'
import type { Tx } from '../kernel/operation'
import type { Quota } from './rules'

/** Bytes of the files that came through a link and are still there, as a subquery of `uploadLinks`. */
export const bytesByLink = sql`select coalesce(sum(${files.size}), 0) from ${files} where ${and(
  eq(files.batchId, uploadLinks.batchId),
  eq(files.sourceLinkId, uploadLinks.id),
  isNull(files.removedAt),
)}`

/** The quota of a link, if a file comes through one that has a quota. */
export async function linkQuota(tx: Tx, link?: { id: string; maxBytes: number | null }): Promise<Quota[]> {
  if (!link || link.maxBytes === null) return []
  const [sum] = await tx.db
    .select({ used: sql`(${bytesByLink})`.mapWith(Number) })
    .from(uploadLinks)
    .where(eq(uploadLinks.id, link.id))
  return [{ of: 'link', limit: link.maxBytes, used: sum?.used ?? 0 }]
}

/** The quota of an agency, if it has one, from what is written of it. */
export const quotaOfAgency = ({ storageQuota, storedBytes }: { storageQuota: number | null; storedBytes: number }) =>
  storageQuota === null ? [] : [{ of: 'agency', limit: storageQuota, used: storedBytes } satisfies Quota]

/** The same, where nothing of the agency was read yet. */
export async function agencyQuota(tx: Tx, agencyId: string): Promise<Quota[]> {
  const [found] = await tx.db
    .select({
      storageQuota: agencies.storageQuota,
      storedBytes: sql`coalesce(${agencyStorage.bytes}, 0)`.mapWith(Number),
    })
    .from(agencies)
    .leftJoin(agencyStorage, eq(agencyStorage.agencyId, agencies.id))
    .where(eq(agencies.id, agencyId))
  return found ? quotaOfAgency(found) : []
}
