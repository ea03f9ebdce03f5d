import { hash } from '@node-rs/argon2'
import { and, desc, eq, lt, sql } from 'drizzle-orm'
import { newId } from '@/db/schema/columns'
import { users } from '@/db/schema/directory'
import { uploadLinks } from '@/db/schema/upload-links'
import { findBatchById } from '../batches/find'
import { randomBase62 } from '../directory/token-format'
import { bytesByLink } from '../files/quotas'
import { invalidField } from '../kernel/errors'
import { futureOrNull } from '../kernel/future'
import { command, query, type Tx } from '../kernel/operation'
import { allow } from '../kernel/permissions'
import { sha256Hex } from '../kernel/sha256'
import { decodeCursor, iso, isoOrNull, page, upTo } from '../kernel/shapes'
import { assertNotClosed } from '../projects/rules'
import { type LinkRow, onUploadLink } from './find'
import { linkStatus } from './rules'
import { CreateUploadLink, ListUploadLinks, UpdateUploadLink, UploadLink, UploadLinkList } from './schema'

/** Links as staff make and manage them. */

const select = (tx: Tx) =>
  tx.db
    .select({
      link: uploadLinks,
      creator: { id: users.id, name: users.name },
      receivedBytes: sql<string | null>`case when ${uploadLinks.maxBytes} is not null then (${bytesByLink}) end`,
    })
    .from(uploadLinks)
    .innerJoin(users, eq(users.id, uploadLinks.createdBy))

type Row = Awaited<ReturnType<typeof select>>[number]

const present = (tx: Tx, { link, creator, receivedBytes }: Row): UploadLink => ({
  id: link.id,
  batch_id: link.batchId,
  label: link.label,
  url: `${tx.ports.baseUrl}/u/${tx.ports.secrets.decrypt(link.tokenEncrypted)}`,
  expires_at: isoOrNull(link.expiresAt),
  max_uses: link.maxUses,
  use_count: link.useCount,
  max_bytes: link.maxBytes,
  received_bytes: receivedBytes === null ? null : Number(receivedBytes),
  status: linkStatus(link, tx.now),
  note: link.note,
  notify: link.notify,
  has_password: link.passwordHash !== null,
  created_by: creator,
  created_at: iso(link.createdAt),
  updated_at: iso(link.updatedAt),
  last_used_at: isoOrNull(link.lastUsedAt),
})

async function full(tx: Tx, id: string) {
  const [row] = await select(tx).where(eq(uploadLinks.id, id))
  if (!row) throw new Error(`Upload link ${id} vanished while it was read.`)
  return present(tx, row)
}

export const listUploadLinks = query({
  name: 'listUploadLinks',
  summary: 'The upload links of a batch, newest first',
  // As for creating: first whether the batch is there for the caller, then whether the role suffices.
  permission: 'upload_links.read',
  laterPermission: 'upload_links.manage',
  input: ListUploadLinks,
  output: UploadLinkList,
  async run(tx, { input }) {
    const { batch } = await findBatchById(tx, input.batchId, false)
    allow(tx.actor, 'upload_links.manage')
    const rows = await select(tx)
      .where(
        and(
          eq(uploadLinks.batchId, batch.id),
          input.cursor ? lt(uploadLinks.id, decodeCursor(input.cursor)) : undefined,
        ),
      )
      .orderBy(desc(uploadLinks.id))
      .limit(upTo(input.limit))
    const { rows: shown, next_cursor } = page(
      rows.map((row) => ({ ...row, id: row.link.id })),
      input.limit,
    )
    return { upload_links: shown.map((row) => present(tx, row)), next_cursor }
  },
})

export const getUploadLink = query({
  name: 'getUploadLink',
  summary: 'One upload link',
  permission: 'upload_links.manage',
  resource: onUploadLink,
  isVersioned: true,
  output: UploadLink,
  run: (tx, { resource }) => full(tx, resource.link.id),
})

export const createUploadLink = command({
  name: 'createUploadLink',
  summary: 'Create a short link through which an agency uploads to a batch without an account',
  // The batch is named in the body, so it has to be found before the role can be validated.
  permission: 'upload_links.read',
  laterPermission: 'upload_links.manage',
  input: CreateUploadLink,
  output: UploadLink,
  created: (link) => `/api/upload-links/${link.id}`,
  async prepare(_ctx, { input }) {
    return { passwordHash: input.password ? await hash(input.password) : null }
  },
  async run(tx, { input, prepared }) {
    if (tx.actor.type !== 'user') throw new Error('Upload links are made by people.')
    const { project, batch } = await findBatchById(tx, input.batch_id, true)
    allow(tx.actor, 'upload_links.manage')
    assertNotClosed(project)
    const expiresAt = futureOrNull(tx, 'expires_at', input.expires_at)
    const token = randomBase62(16)
    const id = newId(tx.now)
    await tx.db.insert(uploadLinks).values({
      id,
      batchId: batch.id,
      label: input.label ?? '',
      tokenHash: sha256Hex(token),
      tokenEncrypted: tx.ports.secrets.encrypt(token),
      expiresAt,
      maxUses: input.max_uses ?? null,
      maxBytes: input.max_bytes ?? null,
      passwordHash: prepared.passwordHash,
      note: input.note || null,
      notify: input.notify ?? true,
      createdBy: tx.actor.id,
      createdAt: tx.now,
      updatedAt: tx.now,
    })
    await tx.record({
      type: 'upload_link.created',
      projectId: project.id,
      batchId: batch.id,
      subjectId: id,
      data: {
        label: input.label ?? '',
        name: batch.name,
        expires_at: isoOrNull(expiresAt),
        max_uses: input.max_uses ?? null,
        max_bytes: input.max_bytes ?? null,
      },
    })
    return full(tx, id)
  },
})

export const updateUploadLink = command({
  name: 'updateUploadLink',
  summary: 'Change the label, the expiry or the limits of a link',
  permission: 'upload_links.manage',
  resource: onUploadLink,
  input: UpdateUploadLink,
  output: UploadLink,
  conditional: (tx, { link }) => full(tx, link.id),
  async run(tx, { resource: { project, batch, link }, input }) {
    assertNotClosed(project)
    const next = {
      label: input.label ?? link.label,
      expiresAt: input.expires_at === undefined ? link.expiresAt : futureOrNull(tx, 'expires_at', input.expires_at),
      maxUses: input.max_uses === undefined ? link.maxUses : input.max_uses,
      maxBytes: input.max_bytes === undefined ? link.maxBytes : input.max_bytes,
    }
    if (next.maxUses !== null && next.maxUses < link.useCount) {
      throw invalidField(
        'max_uses',
        'below_use_count',
        `The link was used ${link.useCount} times already; max_uses cannot be ${next.maxUses}. Deactivate the link to stop it.`,
      )
    }
    await tx.db
      .update(uploadLinks)
      .set({ ...next, updatedAt: tx.now })
      .where(eq(uploadLinks.id, link.id))
    await tx.record({
      type: 'upload_link.updated',
      projectId: project.id,
      batchId: batch.id,
      subjectId: link.id,
      data: {
        before: termsOf(link),
        after: termsOf(next),
      },
    })
    return full(tx, link.id)
  },
})

export const deactivateUploadLink = command({
  name: 'deactivateUploadLink',
  summary: 'Deactivate a link at once, open sessions included; what was uploaded stays',
  permission: 'upload_links.manage',
  resource: onUploadLink,
  output: UploadLink,
  async run(tx, { resource: { project, batch, link } }) {
    if (!link.deactivatedAt) {
      await tx.db
        .update(uploadLinks)
        .set({ deactivatedAt: tx.now, updatedAt: tx.now })
        .where(eq(uploadLinks.id, link.id))
      await tx.record({
        type: 'upload_link.deactivated',
        projectId: project.id,
        batchId: batch.id,
        subjectId: link.id,
        data: { label: link.label, name: batch.name },
      })
    }
    return full(tx, link.id)
  },
})

const termsOf = ({
  label,
  expiresAt,
  maxUses,
  maxBytes,
}: Pick<LinkRow, 'label' | 'expiresAt' | 'maxUses' | 'maxBytes'>) => ({
  label,
  expires_at: isoOrNull(expiresAt),
  max_uses: maxUses,
  max_bytes: maxBytes,
})
