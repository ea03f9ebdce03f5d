import { hash } from '@node-rs/argon2'
import { and, asc, desc, eq, lt } from 'drizzle-orm'
import { isTrue, newId } from '@/db/schema/columns'
import { users } from '@/db/schema/directory'
import { files } from '@/db/schema/files'
import { shareLinkFiles, shareLinks } from '@/db/schema/share-links'
import { findBatchById } from '../batches/find'
import { whyNotDeliverable } from '../deliveries/plan'
import { randomBase62 } from '../directory/token-format'
import { ofBatch } from '../files/find'
import type { FileRow } from '../files/present'
import { assertAllInBatch, linkStatus } from '../guest-links/rules'
import { invalidField, invalidState } from '../kernel/errors'
import { changesBetween } from '../kernel/events'
import { futureOrNull } from '../kernel/future'
import { command, query, type Tx } from '../kernel/operation'
import { allow } from '../kernel/permissions'
import { sha256Hex } from '../kernel/sha256'
import { decodeCursor, iso, isoOrNull, page, upTo } from '../kernel/shapes'
import { countsOf, onShareLink, type ShareLinkRow } from './find'
import { CreateShareLink, ListShareLinks, ShareLink, ShareLinkList, UpdateShareLink } from './schema'

/** Share links as those make and revoke them who may deliver. */

const select = (tx: Tx) =>
  tx.db
    .select({ link: shareLinks, creator: { id: users.id, name: users.name } })
    .from(shareLinks)
    .innerJoin(users, eq(users.id, shareLinks.createdBy))

type Row = Awaited<ReturnType<typeof select>>[number]

/** Of one batch. */
async function present(tx: Tx, batchId: string, rows: readonly Row[]): Promise<ShareLink[]> {
  const counts = await countsOf(
    tx,
    batchId,
    rows.map(({ link }) => link.id),
  )
  return rows.map(({ link, creator }) => ({
    id: link.id,
    batch_id: link.batchId,
    name: link.name,
    url: `${tx.ports.baseUrl}/d/${tx.ports.secrets.decrypt(link.tokenEncrypted)}`,
    status: linkStatus(link, tx.now),
    note: link.note,
    expires_at: isoOrNull(link.expiresAt),
    has_password: link.passwordHash !== null,
    may_download: link.mayDownload,
    counts: counts.get(link.id) ?? { files: 0, offered: 0, size: 0 },
    opens: link.openCount,
    downloads: link.downloadCount,
    last_opened_at: isoOrNull(link.lastOpenedAt),
    last_downloaded_at: isoOrNull(link.lastDownloadedAt),
    created_by: creator,
    created_at: iso(link.createdAt),
    updated_at: iso(link.updatedAt),
  }))
}

async function full(tx: Tx, { id, batchId }: Pick<ShareLinkRow, 'id' | 'batchId'>): Promise<ShareLink> {
  const [shown] = await present(tx, batchId, await select(tx).where(eq(shareLinks.id, id)))
  if (!shown) throw new Error(`Share link ${id} vanished while it was read.`)
  return shown
}

export const listShareLinks = query({
  name: 'listShareLinks',
  summary: 'The share links of a batch, newest first, each with how often it was opened and downloaded',
  // As for creating: first whether the batch is there for the caller, then whether the role suffices.
  permission: 'deliveries.read',
  laterPermission: 'deliveries.manage',
  input: ListShareLinks,
  output: ShareLinkList,
  async run(tx, { input }) {
    const { batch } = await findBatchById(tx, input.batch_id, false)
    allow(tx.actor, 'deliveries.manage')
    const rows = await select(tx)
      .where(
        and(eq(shareLinks.batchId, batch.id), input.cursor ? lt(shareLinks.id, decodeCursor(input.cursor)) : undefined),
      )
      .orderBy(desc(shareLinks.id))
      .limit(upTo(input.limit))
    const { rows: shown, next_cursor } = page(
      rows.map((row) => ({ ...row, id: row.link.id })),
      input.limit,
    )
    return { share_links: await present(tx, batch.id, shown), next_cursor }
  },
})

export const getShareLink = query({
  name: 'getShareLink',
  summary: 'One share link',
  permission: 'deliveries.manage',
  resource: onShareLink,
  output: ShareLink,
  run: (tx, { resource }) => full(tx, resource.link),
})

/** A statement takes 65,535 parameters. */
const ROWS_AT_ONCE = 1_000

export const createShareLink = command({
  name: 'createShareLink',
  summary: 'Share approved files of a batch, as they are now, with a receiver who has no account',
  // The batch is named in the body, so it has to be found before the role can be validated.
  permission: 'deliveries.read',
  laterPermission: 'deliveries.manage',
  input: CreateShareLink,
  output: ShareLink,
  created: (link) => `/api/share-links/${link.id}`,
  async prepare(_ctx, { input }) {
    return { passwordHash: input.password ? await hash(input.password) : null }
  },
  async run(tx, { input, prepared }) {
    if (tx.actor.type !== 'user') throw new Error('Share links are made by people.')
    const { project, batch } = await findBatchById(tx, input.batch_id, true)
    allow(tx.actor, 'deliveries.manage')
    if (batch.status === 'cancelled')
      throw invalidState('The batch is cancelled; nothing of it is shared.', batch.status, [
        'open',
        'in_review',
        'awaiting_resupply',
        'approved',
      ])
    const expiresAt = futureOrNull(tx, 'expires_at', input.expires_at)
    const shared = await sharedFiles(tx, batch.id, input.file_ids)
    const token = randomBase62(16)
    const id = newId(tx.now)
    const mayDownload = input.may_download ?? true
    await tx.db.insert(shareLinks).values({
      id,
      batchId: batch.id,
      name: input.name,
      tokenHash: sha256Hex(token),
      tokenEncrypted: tx.ports.secrets.encrypt(token),
      passwordHash: prepared.passwordHash,
      note: input.note || null,
      expiresAt,
      mayDownload,
      createdBy: tx.actor.id,
      createdAt: tx.now,
      updatedAt: tx.now,
    })
    const rows = shared.map(({ id: fileId, name, version, size, sha256 }, position) => ({
      ...{ id: newId(tx.now), linkId: id, position },
      ...{ fileId, name, version, size, sha256 },
    }))
    for (let at = 0; at < rows.length; at += ROWS_AT_ONCE)
      await tx.db.insert(shareLinkFiles).values(rows.slice(at, at + ROWS_AT_ONCE))
    await tx.record({
      type: 'share_link.created',
      projectId: project.id,
      batchId: batch.id,
      subjectId: id,
      data: {
        name: batch.name,
        to: input.name,
        files: rows.length,
        expires_at: isoOrNull(expiresAt),
        may_download: mayDownload,
      },
    })
    return full(tx, { id, batchId: batch.id })
  },
})

const SHOWN_REASONS = 10

/** The files that are shared, by name. @throws `validation_failed` for one that may not leave, or where there is none */
async function sharedFiles(tx: Tx, batchId: string, ids: readonly string[] | undefined): Promise<FileRow[]> {
  const found = await tx.db
    .select()
    .from(files)
    .where(ids ? ofBatch(batchId, ids) : and(eq(files.batchId, batchId), isTrue(files.isCurrent)))
    .orderBy(asc(files.nameKey))
  assertAllInBatch(ids ?? [], found)
  const reasons = found.flatMap((file) => whyNotDeliverable(file) ?? [])
  if (ids && reasons.length > 0) {
    const more = reasons.length - SHOWN_REASONS
    const said = [...reasons.slice(0, SHOWN_REASONS), ...(more > 0 ? [`${more} more of the kind.`] : [])]
    throw invalidField('file_ids', 'not_approved', said.join(' '))
  }
  const shared = found.filter((file) => whyNotDeliverable(file) === null)
  if (shared.length === 0)
    throw invalidField('file_ids', 'nothing_to_share', 'There is no approved file to share. Approve files first.')
  return shared
}

export const updateShareLink = command({
  name: 'updateShareLink',
  summary: 'Change whom a share link is for, its expiry, its note, or whether files may be downloaded',
  permission: 'deliveries.manage',
  resource: onShareLink,
  input: UpdateShareLink,
  output: ShareLink,
  conditional: (tx, { link }) => full(tx, link),
  async run(tx, { resource: { project, batch, link }, input }) {
    const next = {
      name: input.name ?? link.name,
      expiresAt: input.expires_at === undefined ? link.expiresAt : futureOrNull(tx, 'expires_at', input.expires_at),
      mayDownload: input.may_download ?? link.mayDownload,
      note: input.note === undefined ? link.note : input.note || null,
    }
    const changes = changesBetween(link, next)
    if (changes) {
      await tx.db
        .update(shareLinks)
        .set({ ...next, updatedAt: tx.now })
        .where(eq(shareLinks.id, link.id))
      // Whom it is for is said once, sealed under the link's own key.
      for (const side of [changes.before, changes.after] as Record<string, unknown>[]) delete side.name
      await tx.record({
        type: 'share_link.updated',
        projectId: project.id,
        batchId: batch.id,
        subjectId: link.id,
        data: { name: batch.name, to: next.name, ...changes },
      })
    }
    return full(tx, link)
  },
})

export const deactivateShareLink = command({
  name: 'deactivateShareLink',
  summary: 'Switch a share link off at once; what was downloaded stays with the receiver',
  permission: 'deliveries.manage',
  resource: onShareLink,
  output: ShareLink,
  async run(tx, { resource: { project, batch, link } }) {
    if (!link.deactivatedAt) {
      await tx.db.update(shareLinks).set({ deactivatedAt: tx.now, updatedAt: tx.now }).where(eq(shareLinks.id, link.id))
      await tx.record({
        type: 'share_link.deactivated',
        projectId: project.id,
        batchId: batch.id,
        subjectId: link.id,
        data: { name: batch.name, to: link.name },
      })
    }
    return full(tx, link)
  },
})
