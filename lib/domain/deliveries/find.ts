import { and, asc, eq, inArray, sql } from 'drizzle-orm'
import { deliveries, deliveryFiles } from '@/db/schema/deliveries'
import { users } from '@/db/schema/directory'
import { type BatchInProject, findBatch } from '../batches/find'
import type { Finder, Tx } from '../kernel/operation'
import { findRow, namesById } from '../kernel/rows'
import { iso, isoOrNull } from '../kernel/shapes'
import type { Delivery, FullDelivery } from './schema'

export type DeliveryRow = typeof deliveries.$inferSelect
export type DeliveryFileRow = typeof deliveryFiles.$inferSelect

export const onDelivery: Finder<
  'project_id' | 'batch_id' | 'batch_delivery_id',
  BatchInProject & { delivery: DeliveryRow }
> = {
  params: ['project_id', 'batch_id', 'batch_delivery_id'],
  async find(tx, { project_id, batch_id, batch_delivery_id }, lock) {
    const found = await findBatch(tx, project_id, batch_id, false)
    const ofBatch = eq(deliveries.batchId, found.batch.id)
    return { ...found, delivery: await findRow(tx, deliveries, 'delivery', batch_delivery_id, lock, ofBatch) }
  },
}

/** The deliveries as they are shown, in the order of their rows. */
export async function presentDeliveries(tx: Tx, rows: readonly DeliveryRow[]): Promise<Delivery[]> {
  if (rows.length === 0) return []
  const ids = rows.map(({ id }) => id)
  const counted = await tx.db
    .select({
      id: deliveryFiles.deliveryId,
      files: sql<number>`count(*)::int`,
      delivered: sql<number>`(count(*) filter (where ${deliveryFiles.status} = 'delivered'))::int`,
      bytes: sql<number>`sum(${deliveryFiles.size})::float8`,
      sent: sql<number>`sum(${deliveryFiles.bytesSent})::float8`,
    })
    .from(deliveryFiles)
    .where(inArray(deliveryFiles.deliveryId, ids))
    .groupBy(deliveryFiles.deliveryId)
  const countsOf = new Map(counted.map((row) => [row.id, row]))
  const personOf = await namesById(
    tx,
    users,
    rows.map(({ requestedBy }) => requestedBy),
  )
  return rows.map((row) => {
    const counts = countsOf.get(row.id)
    return {
      id: row.id,
      project_id: row.projectId,
      batch_id: row.batchId,
      target: { id: row.targetId, name: row.targetName, kind: row.targetKind },
      round: row.round,
      verification: row.verification,
      status: row.status,
      reason: row.reason,
      attempts: row.attempts,
      next_attempt_at: row.status === 'queued' ? isoOrNull(row.nextAttemptAt) : null,
      counts: {
        files: counts?.files ?? 0,
        delivered: counts?.delivered ?? 0,
        bytes: counts?.bytes ?? 0,
        bytes_sent: counts?.sent ?? 0,
      },
      requested_by: row.requestedBy ? { id: row.requestedBy, name: personOf.get(row.requestedBy)?.name ?? '' } : null,
      finished_at: isoOrNull(row.finishedAt),
      created_at: iso(row.createdAt),
      updated_at: iso(row.updatedAt),
    }
  })
}

export const filesOfDelivery = (tx: Tx, deliveryId: string): Promise<DeliveryFileRow[]> =>
  tx.db
    .select()
    .from(deliveryFiles)
    .where(and(eq(deliveryFiles.deliveryId, deliveryId)))
    .orderBy(asc(deliveryFiles.position))

export const presentFile = (row: DeliveryFileRow): FullDelivery['files'][number] => ({
  file_id: row.fileId,
  name: row.name,
  version: row.version,
  path: row.path,
  place: row.place,
  size: row.size,
  sha256: row.sha256,
  status: row.status,
  bytes_sent: row.bytesSent,
  reason: row.reason,
  proof: row.proof,
  delivered_at: isoOrNull(row.deliveredAt),
})

export async function serializeDelivery(tx: Tx, id: string): Promise<FullDelivery> {
  const [row] = await tx.db.select().from(deliveries).where(eq(deliveries.id, id))
  const [shown] = await presentDeliveries(tx, row ? [row] : [])
  if (!shown) throw new Error(`Delivery ${id} vanished while it was read.`)
  return { ...shown, files: (await filesOfDelivery(tx, id)).map(presentFile) }
}
