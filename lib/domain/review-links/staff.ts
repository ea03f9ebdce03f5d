import { hash } from '@node-rs/argon2'
import { and, desc, eq, lt, sql } from 'drizzle-orm'
import { newId } from '@/db/schema/columns'
import { users } from '@/db/schema/directory'
import { files } from '@/db/schema/files'
import { guestDecisions, reviewLinks } from '@/db/schema/review-links'
import { reviewStages } from '@/db/schema/review-stages'
import { findBatchById } from '../batches/find'
import { randomBase62 } from '../directory/token-format'
import { ofBatch } from '../files/find'
import { assertAllInBatch, linkStatus } from '../guest-links/rules'
import { invalidField, quote } from '../kernel/errors'
import { changesBetween } from '../kernel/events'
import { futureOrNull } from '../kernel/future'
import { command, query, type Tx } from '../kernel/operation'
import { allow } from '../kernel/permissions'
import { sha256Hex } from '../kernel/sha256'
import { decodeCursor, iso, isoOrNull, page, upTo } from '../kernel/shapes'
import { assertNotClosed } from '../projects/rules'
import { onReviewLink } from './find'
import {
  CreateReviewLink,
  type GuestDecision,
  GuestDecisionList,
  ListGuestDecisions,
  ListReviewLinks,
  ReviewLink,
  ReviewLinkList,
  UpdateReviewLink,
} from './schema'

/** Review links as staff make and manage them. */

const countOf = (decision: 'approved' | 'rejected') =>
  sql<number>`(select count(*)::int from ${guestDecisions} d join ${files} f on f.id = d.file_id
    where d.link_id = ${reviewLinks.id} and d.decision = ${decision}
      and (${reviewLinks.fileIds} is not null or f.is_current))`

const select = (tx: Tx) =>
  tx.db
    .select({
      link: reviewLinks,
      creator: { id: users.id, name: users.name },
      decisions: { approved: countOf('approved'), rejected: countOf('rejected') },
    })
    .from(reviewLinks)
    .innerJoin(users, eq(users.id, reviewLinks.createdBy))

type Row = Awaited<ReturnType<typeof select>>[number]

const present = (tx: Tx, { link, creator, decisions }: Row): ReviewLink => ({
  id: link.id,
  batch_id: link.batchId,
  name: link.name,
  email: link.email,
  party: link.party,
  url: `${tx.ports.baseUrl}/r/${tx.ports.secrets.decrypt(link.tokenEncrypted)}`,
  status: linkStatus(link, tx.now),
  expires_at: isoOrNull(link.expiresAt),
  has_password: link.passwordHash !== null,
  watermark: link.hasWatermark,
  may_download: link.mayDownload,
  file_ids: link.fileIds,
  note: link.note,
  stage_id: link.stageId,
  decisions,
  created_by: creator,
  created_at: iso(link.createdAt),
  updated_at: iso(link.updatedAt),
  last_used_at: isoOrNull(link.lastUsedAt),
})

async function full(tx: Tx, id: string) {
  const [row] = await select(tx).where(eq(reviewLinks.id, id))
  if (!row) throw new Error(`Review link ${id} vanished while it was read.`)
  return present(tx, row)
}

export const listReviewLinks = query({
  name: 'listReviewLinks',
  summary: 'The review links of a batch, newest first',
  // As for creating: first whether the batch is there for the caller, then whether the role suffices.
  permission: 'review_links.read',
  laterPermission: 'review_links.manage',
  input: ListReviewLinks,
  output: ReviewLinkList,
  async run(tx, { input }) {
    const { batch } = await findBatchById(tx, input.batch_id, false)
    allow(tx.actor, 'review_links.manage')
    const rows = await select(tx)
      .where(
        and(
          eq(reviewLinks.batchId, batch.id),
          input.cursor ? lt(reviewLinks.id, decodeCursor(input.cursor)) : undefined,
        ),
      )
      .orderBy(desc(reviewLinks.id))
      .limit(upTo(input.limit))
    const { rows: shown, next_cursor } = page(
      rows.map((row) => ({ ...row, id: row.link.id })),
      input.limit,
    )
    return { review_links: shown.map((row) => present(tx, row)), next_cursor }
  },
})

export const getReviewLink = query({
  name: 'getReviewLink',
  summary: 'One review link',
  permission: 'review_links.manage',
  resource: onReviewLink,
  isVersioned: true,
  output: ReviewLink,
  run: (tx, { resource }) => full(tx, resource.link.id),
})

export const createReviewLink = command({
  name: 'createReviewLink',
  summary: 'Create a link by which one person without an account sees, comments on and decides files of a batch',
  // The batch is named in the body, so it has to be found before the role can be validated.
  permission: 'review_links.read',
  laterPermission: 'review_links.manage',
  input: CreateReviewLink,
  output: ReviewLink,
  created: (link) => `/api/review-links/${link.id}`,
  async prepare(_ctx, { input }) {
    return { passwordHash: input.password ? await hash(input.password) : null }
  },
  async run(tx, { input, prepared }) {
    if (tx.actor.type !== 'user') throw new Error('Review links are made by people.')
    const { project, batch } = await findBatchById(tx, input.batch_id, true)
    allow(tx.actor, 'review_links.manage')
    assertNotClosed(project)
    const expiresAt = futureOrNull(tx, 'expires_at', input.expires_at)
    const fileIds = input.file_ids ? [...new Set(input.file_ids)] : null
    if (fileIds) await assertInBatch(tx, batch.id, fileIds)
    if (input.stage_id) await assertStage(tx, batch.id, input.stage_id)
    const token = randomBase62(16)
    const id = newId(tx.now)
    await tx.db.insert(reviewLinks).values({
      id,
      batchId: batch.id,
      name: input.name,
      email: input.email ?? null,
      party: input.party,
      tokenHash: sha256Hex(token),
      tokenEncrypted: tx.ports.secrets.encrypt(token),
      passwordHash: prepared.passwordHash,
      note: input.note || null,
      stageId: input.stage_id ?? null,
      expiresAt,
      hasWatermark: input.watermark ?? true,
      mayDownload: input.may_download ?? false,
      fileIds,
      createdBy: tx.actor.id,
      createdAt: tx.now,
      updatedAt: tx.now,
    })
    await tx.record({
      type: 'review_link.created',
      projectId: project.id,
      batchId: batch.id,
      subjectId: id,
      data: {
        name: input.name,
        party: input.party,
        batch: batch.name,
        expires_at: isoOrNull(expiresAt),
        may_download: input.may_download ?? false,
        files: fileIds?.length ?? null,
      },
    })
    return full(tx, id)
  },
})

async function assertInBatch(tx: Tx, batchId: string, ids: string[]) {
  const found = await tx.db.select({ id: files.id }).from(files).where(ofBatch(batchId, ids))
  assertAllInBatch(ids, found)
}

async function assertStage(tx: Tx, batchId: string, id: string) {
  const [stage] = await tx.db
    .select({ withdrawnAt: reviewStages.withdrawnAt })
    .from(reviewStages)
    .where(and(eq(reviewStages.batchId, batchId), eq(reviewStages.id, id)))
  if (!stage || stage.withdrawnAt)
    throw invalidField(
      'stage_id',
      'unknown_reference',
      `There is no running stage ${quote(id)} in this batch. Name one of the stages of the batch the link is for.`,
    )
}

export const updateReviewLink = command({
  name: 'updateReviewLink',
  summary: 'Change whom a link is for, its expiry, or what may be done with it',
  permission: 'review_links.manage',
  resource: onReviewLink,
  input: UpdateReviewLink,
  output: ReviewLink,
  conditional: (tx, { link }) => full(tx, link.id),
  async run(tx, { resource: { project, batch, link }, input }) {
    assertNotClosed(project)
    const next = {
      name: input.name ?? link.name,
      email: input.email === undefined ? link.email : input.email,
      expiresAt: input.expires_at === undefined ? link.expiresAt : futureOrNull(tx, 'expires_at', input.expires_at),
      hasWatermark: input.watermark ?? link.hasWatermark,
      mayDownload: input.may_download ?? link.mayDownload,
      note: input.note === undefined ? link.note : input.note || null,
    }
    const changes = changesBetween(link, next)
    if (changes) {
      await tx.db
        .update(reviewLinks)
        .set({ ...next, updatedAt: tx.now })
        .where(eq(reviewLinks.id, link.id))
      // Whom it is for is said once, sealed under the link's own key.
      for (const side of [changes.before, changes.after] as Record<string, unknown>[])
        for (const field of ['name', 'email']) delete side[field]
      await tx.record({
        type: 'review_link.updated',
        projectId: project.id,
        batchId: batch.id,
        subjectId: link.id,
        data: { name: next.name, batch: batch.name, ...changes },
      })
    }
    return full(tx, link.id)
  },
})

export const deactivateReviewLink = command({
  name: 'deactivateReviewLink',
  summary: 'Switch a review link off at once, open pages included; what was said and decided stays',
  permission: 'review_links.manage',
  resource: onReviewLink,
  output: ReviewLink,
  async run(tx, { resource: { project, batch, link } }) {
    if (!link.deactivatedAt) {
      await tx.db
        .update(reviewLinks)
        .set({ deactivatedAt: tx.now, updatedAt: tx.now })
        .where(eq(reviewLinks.id, link.id))
      await tx.record({
        type: 'review_link.deactivated',
        projectId: project.id,
        batchId: batch.id,
        subjectId: link.id,
        data: { name: link.name, batch: batch.name },
      })
    }
    return full(tx, link.id)
  },
})

export const listGuestDecisions = query({
  name: 'listGuestDecisions',
  summary: 'What the holder of a review link decided, newest first, each with the hash of the bytes it was decided on',
  permission: 'review_links.manage',
  resource: onReviewLink,
  input: ListGuestDecisions,
  output: GuestDecisionList,
  async run(tx, { resource: { link }, input }) {
    const rows = await tx.db
      .select({ decision: guestDecisions, name: files.name, isCurrent: files.isCurrent })
      .from(guestDecisions)
      .innerJoin(files, eq(files.id, guestDecisions.fileId))
      .where(
        and(
          eq(guestDecisions.linkId, link.id),
          input.cursor ? lt(guestDecisions.id, decodeCursor(input.cursor)) : undefined,
        ),
      )
      .orderBy(desc(guestDecisions.id))
      .limit(upTo(input.limit))
    const { rows: shown, next_cursor } = page(
      rows.map((row) => ({ ...row, id: row.decision.id })),
      input.limit,
    )
    return { decisions: shown.map(presentDecision), next_cursor }
  },
})

type DecisionRow = { decision: typeof guestDecisions.$inferSelect; name: string; isCurrent: boolean }

const presentDecision = ({ decision, name, isCurrent }: DecisionRow): GuestDecision => ({
  id: decision.id,
  file: { id: decision.fileId, name },
  is_current: isCurrent,
  decision: decision.decision,
  comment: decision.comment,
  file_version: decision.fileVersion,
  sha256: decision.sha256,
  decided_at: iso(decision.createdAt),
})
