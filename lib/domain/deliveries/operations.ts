import { and, asc, eq, inArray, ne } from 'drizzle-orm'
import { isTrue, newId } from '@/db/schema/columns'
import { deliveries, deliveryFiles, deliveryTargets } from '@/db/schema/deliveries'
import { files } from '@/db/schema/files'
import { type BatchInProject, onBatch } from '../batches/find'
import type { FileRow } from '../files/present'
import { invalidField, invalidState, quote } from '../kernel/errors'
import { command, query, type Tx } from '../kernel/operation'
import { listNewest } from '../kernel/rows'
import { iso, isoOrNull } from '../kernel/shapes'
import {
  type DeliveryRow,
  filesOfDelivery,
  onDelivery,
  presentDeliveries,
  presentFile,
  serializeDelivery,
} from './find'
import { planDelivery, whyNotDeliverable } from './plan'
import {
  DeliverableFiles,
  DeliveryChoices,
  DeliveryList,
  DeliveryPreview,
  DeliveryReceipt,
  FullDelivery,
  ListDeliveries,
  MOST_CHOSEN,
  PreviewDelivery,
  RequestDelivery,
} from './schema'
import type { TargetRow } from './targets'

/** Deliveries of a batch, as people ask for them and follow them. The worker carries them out (`transfer.ts`). */

async function chosenTarget(tx: Tx, id: string): Promise<TargetRow> {
  const [target] = await tx.db.select().from(deliveryTargets).where(eq(deliveryTargets.id, id))
  if (!target) throw invalidField('target_id', 'not_found', `There is no delivery target ${quote(id)}.`)
  return target
}

/** A statement takes 65,535 parameters. */
const ROWS_AT_ONCE = 1_000

const refOf = ({ id, name }: FileRow) => ({ id, name })

export const listDeliveryChoices = query({
  name: 'listDeliveryChoices',
  summary: 'Targets that files of this batch can be delivered to, by name',
  permission: 'deliveries.manage',
  resource: onBatch,
  output: DeliveryChoices,
  async run(tx) {
    const targets = await tx.db
      .select({ id: deliveryTargets.id, name: deliveryTargets.name, kind: deliveryTargets.kind })
      .from(deliveryTargets)
      .orderBy(asc(deliveryTargets.name), asc(deliveryTargets.id))
      .limit(500)
    return { targets }
  },
})

export const listDeliverableFiles = query({
  name: 'listDeliverableFiles',
  summary: 'The current files of a batch by name: which can be delivered or shared now, and why the others cannot',
  permission: 'deliveries.manage',
  resource: onBatch,
  output: DeliverableFiles,
  async run(tx, { resource: { batch } }) {
    const isCurrent = and(eq(files.batchId, batch.id), isTrue(files.isCurrent))
    const shown = await tx.db.select().from(files).where(isCurrent).orderBy(asc(files.nameKey)).limit(MOST_CHOSEN)
    return {
      files: shown.map((file) => ({
        file: refOf(file),
        version: file.version,
        size: file.size,
        why: whyNotDeliverable(file),
      })),
      total: shown.length < MOST_CHOSEN ? shown.length : await tx.db.$count(files, isCurrent),
    }
  },
})

export const previewDelivery = query({
  name: 'previewDelivery',
  summary: 'A dry run: which files would go where, which would not and why, what would be overwritten',
  permission: 'deliveries.manage',
  resource: onBatch,
  input: PreviewDelivery,
  output: DeliveryPreview,
  inputInBody: true,
  async run(tx, { resource, input }) {
    const plan = await planDelivery(tx, resource, await chosenTarget(tx, input.target_id), input.file_ids)
    return {
      files: plan.files.map(({ file, path }) => ({ file: refOf(file), version: file.version, size: file.size, path })),
      left_out: plan.leftOut.map(({ file, why }) => ({ file: refOf(file), why })),
      problems: plan.problems,
      replaces: plan.replaces,
    }
  },
})

export const requestDelivery = command({
  name: 'requestDelivery',
  summary: 'Deliver approved files of a batch to a target; a worker sends and verifies them',
  permission: 'deliveries.manage',
  resource: onBatch,
  input: RequestDelivery,
  output: FullDelivery,
  created: ({ id }, { project_id, batch_id }) => `/api/projects/${project_id}/batches/${batch_id}/deliveries/${id}`,
  async run(tx, { resource, input }) {
    const { project, batch } = resource
    const target = await chosenTarget(tx, input.target_id)
    if (target.kind === 'sftp' && target.hostKey === null)
      throw invalidState(
        `The server of ${quote(target.name)} is not trusted yet. An administrator tests the target and trusts its key first.`,
        'untrusted',
        ['trusted'],
      )
    const plan = await planDelivery(tx, resource, target, input.file_ids)
    const [problem] = plan.problems
    if (problem) throw invalidField('file_ids', 'not_deliverable', plan.problems.join(' '))
    // A request that names files, or none, expects all of them.
    if (plan.leftOut.length > 0 && !input.leave_out_others)
      throw invalidField('file_ids', 'not_approved', leftOut(plan))
    const id = newId(tx.now)
    await tx.db.insert(deliveries).values({
      id,
      projectId: project.id,
      batchId: batch.id,
      targetId: target.id,
      targetName: target.name,
      targetKind: target.kind,
      round: batch.round,
      verification: target.verification,
      nextAttemptAt: tx.now,
      requestedBy: tx.actor.type === 'user' ? tx.actor.id : null,
      createdAt: tx.now,
      updatedAt: tx.now,
    })
    const rows = plan.files.map(({ file, path }, position) => ({
      id: newId(tx.now),
      deliveryId: id,
      fileId: file.id,
      position,
      name: file.name,
      version: file.version,
      size: file.size,
      sha256: file.sha256,
      path,
    }))
    for (let at = 0; at < rows.length; at += ROWS_AT_ONCE)
      await tx.db.insert(deliveryFiles).values(rows.slice(at, at + ROWS_AT_ONCE))
    await tx.enqueue('deliver_files', { delivery_id: id }, { key: `deliver_files:${id}` })
    await tx.record({
      type: 'delivery.requested',
      projectId: project.id,
      batchId: batch.id,
      subjectId: id,
      data: { name: batch.name, to: target.name, files: plan.files.length, left_out: plan.leftOut.length },
    })
    return serializeDelivery(tx, id)
  },
})

function leftOut({ leftOut: [first, ...others] }: { leftOut: { why: string }[] }): string {
  const more = others.length > 0 ? ` ${others.length} more cannot be delivered either.` : ''
  return `${first?.why ?? ''}${more} Choose other files, or deliver without these (leave_out_others).`
}

export const listDeliveries = query({
  name: 'listDeliveries',
  summary: 'What was delivered of a batch, and is on its way, newest first',
  permission: 'deliveries.read',
  resource: onBatch,
  input: ListDeliveries,
  output: DeliveryList,
  async run(tx, { resource: { batch }, input }) {
    const { rows, next_cursor } = await listNewest(tx, deliveries, input, eq(deliveries.batchId, batch.id))
    return { deliveries: await presentDeliveries(tx, rows), next_cursor }
  },
})

export const getDelivery = query({
  name: 'getDelivery',
  summary: 'One delivery with its files: where each is, and how it was verified',
  permission: 'deliveries.read',
  resource: onDelivery,
  output: FullDelivery,
  isVersioned: true,
  run: (tx, { resource }) => serializeDelivery(tx, resource.delivery.id),
})

export const getDeliveryReceipt = query({
  name: 'getDeliveryReceipt',
  summary: 'The receipt of a delivery: path, bytes, SHA-256, proof and time of each file, as JSON or CSV',
  permission: 'deliveries.read',
  resource: onDelivery,
  output: DeliveryReceipt,
  async run(tx, { resource: { project, batch, delivery } }): Promise<DeliveryReceipt> {
    const [shown] = await presentDeliveries(tx, [delivery])
    return {
      kind: 'greenroom.delivery-receipt',
      version: 1,
      delivery_id: delivery.id,
      project: project.name,
      batch: batch.name,
      round: delivery.round,
      target: { name: delivery.targetName, kind: delivery.targetKind },
      status: delivery.status,
      requested_by: shown?.requested_by?.name ?? null,
      requested_at: iso(delivery.createdAt),
      finished_at: isoOrNull(delivery.finishedAt),
      files: (await filesOfDelivery(tx, delivery.id)).map(presentFile),
    }
  },
})

/** Writes a person's word on a delivery, and records it. */
async function change(
  tx: Tx,
  { project, batch, delivery }: BatchInProject & { delivery: DeliveryRow },
  next: Partial<DeliveryRow>,
  type: 'delivery.retried' | 'delivery.cancelled',
) {
  await tx.db
    .update(deliveries)
    .set({ ...next, updatedAt: tx.now })
    .where(eq(deliveries.id, delivery.id))
  await tx.record({
    type,
    projectId: project.id,
    batchId: batch.id,
    subjectId: delivery.id,
    data: { name: batch.name, to: delivery.targetName },
  })
}

export const retryDelivery = command({
  name: 'retryDelivery',
  summary: 'Send again now what did not arrive; what was delivered stays as it is',
  permission: 'deliveries.manage',
  resource: onDelivery,
  output: FullDelivery,
  async run(tx, { resource }) {
    const { delivery } = resource
    const waits = delivery.status === 'queued' && delivery.attempts > 0
    if (delivery.status !== 'failed' && delivery.status !== 'cancelled' && !waits)
      throw invalidState(
        'Only what failed, was cancelled or waits for another attempt is sent again.',
        delivery.status,
        ['failed', 'cancelled', 'queued'],
      )
    if (delivery.targetId === null)
      throw invalidState(
        `The target ${quote(delivery.targetName)} was removed. Deliver the files to another.`,
        'target_removed',
        ['target'],
      )
    await tx.db
      .update(deliveryFiles)
      .set({ status: 'queued', reason: null, bytesSent: 0 })
      .where(and(eq(deliveryFiles.deliveryId, delivery.id), ne(deliveryFiles.status, 'delivered')))
    const next = { status: 'queued', reason: null, step: 0, nextAttemptAt: tx.now, finishedAt: null } as const
    await change(tx, resource, next, 'delivery.retried')
    await tx.enqueue('deliver_files', { delivery_id: delivery.id }, { key: `deliver_files:${delivery.id}` })
    return serializeDelivery(tx, delivery.id)
  },
})

export const cancelDelivery = command({
  name: 'cancelDelivery',
  summary: 'Stop a delivery; what has arrived stays at the target, and its receipt here',
  permission: 'deliveries.manage',
  resource: onDelivery,
  output: FullDelivery,
  async run(tx, { resource }) {
    const { delivery } = resource
    if (delivery.status === 'cancelled') return serializeDelivery(tx, delivery.id)
    if (delivery.status !== 'queued' && delivery.status !== 'sending')
      throw invalidState(`The delivery is ${delivery.status} already.`, delivery.status, ['queued', 'sending'])
    await tx.db
      .update(deliveryFiles)
      .set({ status: 'cancelled', reason: null })
      .where(and(eq(deliveryFiles.deliveryId, delivery.id), inArray(deliveryFiles.status, ['queued', 'sending'])))
    // The worker that is at it learns of it by its next sign of life.
    const next = {
      status: 'cancelled',
      reason: null,
      nextAttemptAt: null,
      leasedUntil: null,
      finishedAt: tx.now,
    } as const
    await change(tx, resource, next, 'delivery.cancelled')
    return serializeDelivery(tx, delivery.id)
  },
})
