import { and, eq, inArray } from 'drizzle-orm'
import { deliveries, deliveryFiles, deliveryTargets } from '@/db/schema/deliveries'
import { files } from '@/db/schema/files'
import { batches } from '@/db/schema/projects'
import { log } from '@/lib/log'
import type { FileRow } from '../files/present'
import { type BlobKey, BlobNotFound } from '../kernel/blob-store'
import { quote } from '../kernel/errors'
import { advancing, type Context, inTransaction, reading, type Tx } from '../kernel/operation'
import { iso } from '../kernel/shapes'
import { type DeliveryFileRow, type DeliveryRow, filesOfDelivery } from './find'
import { whyNotDeliverable } from './plan'
import { type ReachableTarget, type Receipt, type TargetSession, TransferFault } from './port'
import { HEARTBEAT_MS, LEASE_MS, nextAttempt } from './rules'
import { reachable } from './targets'

/**
 * One attempt of a delivery: what did not arrive yet is sent and verified, file after file. Rows say how far it got; every
 * one is written by the attempt that holds the lease, so that a job that runs twice, or outlives its worker, changes
 * nothing twice.
 */
export async function transferFiles(ctx: Context, { delivery_id }: { delivery_id: string }, stopping?: AbortSignal) {
  const later = advancing(ctx)
  const claimed = await claim(ctx, delivery_id)
  if (!claimed) return
  const ended = new AbortController()
  const signal = stopping ? AbortSignal.any([ended.signal, stopping]) : ended.signal
  const progress = new Map<string, number>()
  const beating = setInterval(
    () =>
      void beat(later(), claimed, progress).then(
        (isHeld) => isHeld || ended.abort(new GivenUp()),
        () => {},
      ),
    HEARTBEAT_MS,
  )
  try {
    await sendAll(later, claimed, progress, signal)
    await finish(later(), claimed, null)
  } catch (error) {
    if (ended.signal.aborted || error instanceof GivenUp) return
    if (stopping?.aborted) return await release(later(), claimed)
    if (!(error instanceof TransferFault)) log.warn({ err: error, delivery_id }, 'a delivery failed unexpectedly')
    await finish(later(), claimed, error instanceof TransferFault ? error : unexpected(error))
  } finally {
    clearInterval(beating)
  }
}

/** Another attempt has it, or it is not wanted any more. */
class GivenUp extends Error {}

const unexpected = (error: unknown) =>
  new TransferFault(`It could not be sent: ${error instanceof Error ? error.message : String(error)}.`)

type ClaimedDelivery = {
  id: string
  attempt: number
  step: number
  verification: DeliveryRow['verification']
  target: ReachableTarget
}

const again = (tx: Tx, id: string, at: Date) =>
  tx.enqueue('deliver_files', { delivery_id: id }, { key: `deliver_files:${id}`, runAt: at })

/** Begins an attempt, if one is due: null when there is nothing to send now. */
function claim(ctx: Context, id: string): Promise<ClaimedDelivery | null> {
  return inTransaction(ctx, async (tx) => {
    const [delivery] = await tx.db
      .select()
      .from(deliveries)
      .where(and(eq(deliveries.id, id), inArray(deliveries.status, ['queued', 'sending'])))
      .for('no key update')
    if (!delivery) return null
    const until = Math.max(delivery.leasedUntil?.getTime() ?? 0, delivery.nextAttemptAt?.getTime() ?? 0)
    if (until > tx.now.getTime()) {
      await again(tx, id, new Date(until))
      return null
    }
    const [target] = delivery.targetId
      ? await tx.db.select().from(deliveryTargets).where(eq(deliveryTargets.id, delivery.targetId))
      : []
    if (!target) {
      await end(tx, delivery, { status: 'failed', reason: 'The target was removed.' })
      return null
    }
    const attempt = delivery.attempts + 1
    const leasedUntil = new Date(tx.now.getTime() + LEASE_MS)
    const held = { status: 'sending', attempts: attempt, step: delivery.step + 1, leasedUntil } as const
    await tx.db
      .update(deliveries)
      .set({ ...held, nextAttemptAt: null, updatedAt: tx.now })
      .where(eq(deliveries.id, id))
    // Should this process die, the delivery goes on when the lease has passed.
    await again(tx, id, leasedUntil)
    return {
      id,
      attempt,
      step: delivery.step + 1,
      verification: delivery.verification,
      target: reachable(tx.ports, target),
    }
  })
}

const isHeld = ({ id, attempt }: ClaimedDelivery) =>
  and(eq(deliveries.id, id), eq(deliveries.attempts, attempt), eq(deliveries.status, 'sending'))

/** A sign of life; false when the attempt was cancelled or taken over. */
async function beat(ctx: Context, claimed: ClaimedDelivery, progress: Map<string, number>): Promise<boolean> {
  return inTransaction(ctx, async (tx) => {
    const held = await tx.db
      .update(deliveries)
      .set({ leasedUntil: new Date(tx.now.getTime() + LEASE_MS), updatedAt: tx.now })
      .where(isHeld(claimed))
      .returning({ id: deliveries.id })
    if (held.length === 0) return false
    for (const [id, bytesSent] of progress)
      await tx.db
        .update(deliveryFiles)
        .set({ bytesSent })
        .where(and(eq(deliveryFiles.id, id), eq(deliveryFiles.status, 'sending')))
    return true
  })
}

async function sendAll(
  later: () => Context,
  claimed: ClaimedDelivery,
  progress: Map<string, number>,
  signal: AbortSignal,
) {
  const { ports } = later()
  const waiting = (await filesOfDelivery(reading(later()), claimed.id)).filter(({ status }) => status !== 'delivered')
  let session: TargetSession | undefined
  try {
    for (const row of waiting) {
      signal.throwIfAborted()
      const file = await stillApproved(later(), row)
      await mark(later(), claimed, row, { status: 'sending', bytesSent: 0, reason: null })
      try {
        session ??= await ports.deliveries.open(claimed.target, signal)
        const receipt = await session.send({
          path: row.path,
          size: row.size,
          sha256: row.sha256,
          verification: claimed.verification,
          read: () => opened(ports, file),
          onProgress: (bytesSent) => progress.set(row.id, bytesSent),
        })
        progress.delete(row.id)
        await keep(later(), claimed, row, receipt)
      } catch (error) {
        progress.delete(row.id)
        if (error instanceof TransferFault && !signal.aborted)
          await mark(later(), claimed, row, { status: 'queued', bytesSent: 0, reason: error.message })
        throw error
      }
    }
  } finally {
    await session?.close().catch(() => {})
  }
}

/** @throws TransferFault when the storage cannot be read; for good when it has no such object */
const opened = (ports: Context['ports'], { name, objectKey }: FileRow) =>
  ports.blobs.read(objectKey as BlobKey).catch((error: Error) => {
    const isGone = error instanceof BlobNotFound
    const why = isGone ? `holds no bytes of ${quote(name)}` : `cannot be read: ${error.message}`
    throw new TransferFault(`The storage of Greenroom ${why.replace(/\.$/, '')}.`, isGone)
  })

/** What is sent is what is approved now, not only when the delivery was asked for. @throws TransferFault */
async function stillApproved(ctx: Context, row: DeliveryFileRow): Promise<FileRow> {
  const [file] = row.fileId ? await ctx.db.select().from(files).where(eq(files.id, row.fileId)) : []
  const why = file ? whyNotDeliverable(file) : `${quote(row.name)} was deleted.`
  if (!file || why) throw new TransferFault(why ?? '', true)
  return file
}

/** Writes how far a file got, unless the attempt was cancelled or taken over. */
async function mark(ctx: Context, claimed: ClaimedDelivery, row: DeliveryFileRow, set: Partial<DeliveryFileRow>) {
  await inTransaction(ctx, async (tx) => {
    const [held] = await tx.db.select({ id: deliveries.id }).from(deliveries).where(isHeld(claimed)).for('share')
    if (!held) throw new GivenUp()
    await tx.db.update(deliveryFiles).set(set).where(eq(deliveryFiles.id, row.id))
  })
}

const keep = (ctx: Context, claimed: ClaimedDelivery, row: DeliveryFileRow, { place, proof }: Receipt) =>
  mark(ctx, claimed, row, {
    status: 'delivered',
    bytesSent: row.size,
    reason: null,
    place,
    proof,
    deliveredAt: ctx.now,
  })

/** Writes down what came of the attempt. `fault`: null when everything has arrived. */
function finish(ctx: Context, claimed: ClaimedDelivery, fault: TransferFault | null): Promise<void> {
  return inTransaction(ctx, async (tx) => {
    const [delivery] = await tx.db.select().from(deliveries).where(isHeld(claimed)).for('no key update')
    if (!delivery) return
    if (fault === null) return end(tx, delivery, { status: 'delivered', reason: null })
    const at = fault.isLasting ? null : nextAttempt(claimed.step, tx.now)
    if (at === null) return end(tx, delivery, { status: 'failed', reason: fault.message })
    await tx.db
      .update(deliveries)
      .set({ status: 'queued', reason: fault.message, leasedUntil: null, nextAttemptAt: at, updatedAt: tx.now })
      .where(eq(deliveries.id, delivery.id))
    await again(tx, delivery.id, at)
  })
}

/** The worker stops: another one goes on at once, and the attempt does not count. */
function release(ctx: Context, claimed: ClaimedDelivery): Promise<void> {
  return inTransaction(ctx, async (tx) => {
    const held = await tx.db
      .update(deliveries)
      .set({ status: 'queued', step: claimed.step - 1, leasedUntil: null, nextAttemptAt: tx.now, updatedAt: tx.now })
      .where(isHeld(claimed))
      .returning({ id: deliveries.id })
    if (held.length > 0) await again(tx, claimed.id, tx.now)
  })
}

/** The delivery is over, for good or until a person begins it again. */
async function end(tx: Tx, delivery: DeliveryRow, outcome: { status: 'delivered' | 'failed'; reason: string | null }) {
  await tx.db
    .update(deliveries)
    .set({ ...outcome, leasedUntil: null, nextAttemptAt: null, finishedAt: tx.now, updatedAt: tx.now })
    .where(eq(deliveries.id, delivery.id))
  if (outcome.status === 'failed')
    await tx.db
      .update(deliveryFiles)
      .set({ status: 'failed' })
      .where(and(eq(deliveryFiles.deliveryId, delivery.id), inArray(deliveryFiles.status, ['queued', 'sending'])))
  const [batch] = await tx.db.select({ name: batches.name }).from(batches).where(eq(batches.id, delivery.batchId))
  const all = await filesOfDelivery(tx, delivery.id)
  const arrived = all.filter(({ status }) => status === 'delivered')
  await tx.record({
    type: outcome.status === 'delivered' ? 'delivery.completed' : 'delivery.failed',
    projectId: delivery.projectId,
    batchId: delivery.batchId,
    subjectId: delivery.id,
    data: {
      name: batch?.name ?? '',
      to: delivery.targetName,
      files: all.length,
      delivered: arrived.length,
      bytes: arrived.reduce((sum, { size }) => sum + size, 0),
      requested_at: iso(delivery.createdAt),
      ...(outcome.reason !== null && { reason: outcome.reason }),
    },
  })
}
