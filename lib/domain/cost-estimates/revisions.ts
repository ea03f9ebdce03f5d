import { and, eq } from 'drizzle-orm'
import { newId } from '@/db/schema/columns'
import { costEstimateLines, costEstimateRevisions, costEstimates } from '@/db/schema/cost-estimates'
import type { StoredEstimateStatus } from '@/lib/vocabulary'
import { decimalOf } from '../kernel/money'
import type { Tx } from '../kernel/operation'
import type { EstimateRow } from './find'
import { serializeEstimate } from './queries'
import type { Estimate } from './schema'

/** Revisions that were: stored when the next one is begun, and made to stand again when that one is discarded. */

export async function storeRevision(tx: Tx, estimate: EstimateRow) {
  const { client_url: _, ...snapshot } = await serializeEstimate(tx, estimate.id)
  await tx.db.insert(costEstimateRevisions).values({
    id: newId(tx.now),
    estimateId: estimate.id,
    revision: estimate.revision,
    // The link decides about the estimate: it is stored encrypted, and only with the estimate itself.
    snapshot: { ...snapshot, client_url: null },
    submittedBy: estimate.submittedBy,
    allowOwn: estimate.allowOwn,
    finalAt: estimate.finalAt,
    createdAt: tx.now,
  })
}

/** Puts the revision before this draft back to where it was: state, lines, sums, and how far its approval had come. */
export async function discardRevision(tx: Tx, draft: EstimateRow) {
  const [stored] = await tx.db
    .delete(costEstimateRevisions)
    .where(and(eq(costEstimateRevisions.estimateId, draft.id), eq(costEstimateRevisions.revision, draft.revision - 1)))
    .returning()
  if (!stored) throw new Error(`Revision ${draft.revision - 1} of ${draft.number} was not kept.`)
  const was = stored.snapshot as Estimate
  await tx.db
    .update(costEstimates)
    .set({
      status: storedStatus(was),
      title: was.title,
      currency: was.currency,
      discountType: was.discount?.type ?? null,
      discountValue: was.discount ? decimal(was.discount.value) : null,
      taxRate: decimal(was.tax_rate),
      subtotal: decimal(was.subtotal),
      discountAmount: decimal(was.discount_amount),
      taxAmount: decimal(was.tax_amount),
      total: decimal(was.total),
      validUntil: was.valid_until,
      notes: was.notes ?? '',
      revision: was.revision,
      steps: was.approval?.steps ?? null,
      allowOwn: stored.allowOwn,
      submittedBy: stored.submittedBy,
      submittedAt: dateOf(was.submitted_at),
      decidedAt: dateOf(was.decided_at),
      finalAt: stored.finalAt,
      updatedAt: tx.now,
    })
    .where(eq(costEstimates.id, draft.id))
  await tx.db.delete(costEstimateLines).where(eq(costEstimateLines.estimateId, draft.id))
  await tx.db.insert(costEstimateLines).values(
    was.line_items.map((line, index) => ({
      id: line.id,
      estimateId: draft.id,
      position: index + 1,
      description: line.description,
      quantity: decimal(line.quantity),
      unitPrice: decimal(line.unit_price),
      amount: decimal(line.amount),
      unit: line.unit,
      isOption: line.optional,
      isDeclined: line.declined,
    })),
  )
}

const decimal = (value: number) => decimalOf(value) ?? '0'
const dateOf = (text: string | null) => (text === null ? null : new Date(text))

/** `expired` is computed, not stored: such a revision waited for its next step, or for the client when all were taken. */
function storedStatus({ status, approval }: Estimate): StoredEstimateStatus {
  if (status !== 'expired') return status
  return approval?.current_step == null ? 'awaiting_client_approval' : 'awaiting_internal_approval'
}
