import { and, desc, eq, exists, gt, inArray, isNull, or, sql } from 'drizzle-orm'
import { directUploads, LINK_OWNER, resumableUploads } from '@/db/schema/operations'
import { uploadLinks, uploadSessions } from '@/db/schema/upload-links'
import { onBatch } from '../batches/find'
import { LINK_UPLOADS } from '../batches/rules'
import { ADDRESS_SECONDS } from '../kernel/blob-store'
import { query } from '../kernel/operation'
import { ReceivingLinks } from './schema'

/** The next file of a visit comes within this, if there is one. */
const NEXT_FILE_SECONDS = 30
const MOST = 20

/**
 * What a user who is about to submit wants to know: a link takes nothing while its batch is in review. Of small files the
 * visit is known, by the last that came; of resumable uploads the request that sends a part; of files that go to the
 * storage itself when addresses were last asked for.
 */
export const listReceivingLinks = query({
  name: 'listReceivingLinks',
  summary: 'The upload links through which files are coming in at this moment, the newest 20',
  permission: 'upload_links.read',
  resource: onBatch,
  output: ReceivingLinks,
  async run({ db, now }, { resource: { batch } }) {
    if (!LINK_UPLOADS.includes(batch.status)) return { receiving_links: [] }
    const since = (seconds: number) => new Date(now.getTime() - seconds * 1000)
    const owner = sql`${LINK_OWNER} || ${uploadLinks.id}`
    const visit = and(
      eq(uploadSessions.linkId, uploadLinks.id),
      isNull(uploadSessions.closedAt),
      gt(uploadSessions.lastFileAt, since(NEXT_FILE_SECONDS)),
    )
    const resumable = and(eq(resumableUploads.owner, owner), gt(resumableUploads.lockedUntil, now))
    const direct = and(
      eq(directUploads.owner, owner),
      inArray(directUploads.state, ['receiving', 'checking']),
      gt(directUploads.updatedAt, since(ADDRESS_SECONDS)),
    )
    const links = await db
      .select({ id: uploadLinks.id, label: uploadLinks.label })
      .from(uploadLinks)
      .where(
        and(
          eq(uploadLinks.batchId, batch.id),
          or(
            exists(db.select({ id: uploadSessions.id }).from(uploadSessions).where(visit)),
            exists(db.select({ id: resumableUploads.id }).from(resumableUploads).where(resumable)),
            exists(db.select({ id: directUploads.id }).from(directUploads).where(direct)),
          ),
        ),
      )
      .orderBy(desc(uploadLinks.id))
      .limit(MOST)
    return { receiving_links: links }
  },
})
