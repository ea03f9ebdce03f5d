import { and, asc, eq } from 'drizzle-orm'
import { costEstimateDecisions } from '@/db/schema/cost-estimates'
import { agencies, users } from '@/db/schema/directory'
import { minorUnits } from '@/lib/currencies'
import { LABELS } from '@/lib/vocabulary'
import { query, type Tx } from '../kernel/operation'
import type { EstimateSheet, SheetApproval } from '../kernel/ports'
import { iso } from '../kernel/shapes'
import { letterheadOf } from '../settings/letterhead'
import { type EstimateInProject, onEstimate } from './find'
import { linesOf } from './queries'
import { statusOf } from './rules'

/** What an estimate on paper says. The same revision in the same state gives the same sheet. */
export async function sheetOf(tx: Tx, { estimate, project }: EstimateInProject): Promise<EstimateSheet> {
  const [agency] = await tx.db.select({ name: agencies.name }).from(agencies).where(eq(agencies.id, project.agencyId))
  const [author] = await tx.db.select({ name: users.name }).from(users).where(eq(users.id, estimate.createdBy))
  const head = await letterheadOf(tx)
  const lines = await linesOf(tx, estimate.id)
  const percent = (value: string) => `${Number(value)}%`
  return {
    number: estimate.number,
    revision: estimate.revision,
    title: estimate.title,
    status: LABELS.estimateStatus[statusOf(estimate, tx.now)],
    currency: estimate.currency,
    minorUnits: minorUnits(estimate.currency),
    language: 'en',
    client: agency?.name ?? '',
    project: project.name,
    preparedBy: author?.name ?? '',
    issuedAt: iso(estimate.submittedAt ?? estimate.updatedAt),
    validUntil: estimate.validUntil,
    lines: lines.map((line) => ({
      description: line.description,
      quantity: line.quantity,
      unitPrice: line.unitPrice,
      amount: line.amount,
      unit: line.unit,
      option: line.isDeclined ? 'declined' : line.isOption ? 'included' : 'none',
    })),
    subtotal: estimate.subtotal,
    discount: estimate.discountType
      ? {
          label:
            estimate.discountType === 'percent' ? `Discount ${percent(estimate.discountValue ?? '0')}` : 'Discount',
          amount: estimate.discountAmount,
        }
      : null,
    tax:
      Number(estimate.taxRate) > 0 ? { label: `Tax ${percent(estimate.taxRate)}`, amount: estimate.taxAmount } : null,
    total: estimate.total,
    notes: estimate.notes,
    approvals: await approvalsOf(tx, { estimate, project }),
    letterhead: {
      name: head.name,
      address: head.address,
      taxId: head.taxId,
      terms: head.terms,
      logo:
        head.logo && head.logoWidth && head.logoHeight
          ? { data: head.logo.toString('base64'), format: 'png', width: head.logoWidth, height: head.logoHeight }
          : null,
    },
  }
}

async function approvalsOf(tx: Tx, { estimate }: EstimateInProject): Promise<SheetApproval[]> {
  const inside = (estimate.steps ?? []).map((step) => ({
    step: step.name,
    who: step.by?.name ?? step.user?.name ?? (step.role ? LABELS.role[step.role] : ''),
    decision: step.status,
    at: step.at,
    comment: step.comment,
  }))
  if (estimate.status === 'draft' || estimate.status === 'awaiting_internal_approval') return inside
  const [answer] =
    estimate.status === 'awaiting_client_approval'
      ? []
      : (
          await tx.db
            .select()
            .from(costEstimateDecisions)
            .where(
              and(
                eq(costEstimateDecisions.estimateId, estimate.id),
                eq(costEstimateDecisions.side, 'client'),
                eq(costEstimateDecisions.revision, estimate.revision),
                eq(costEstimateDecisions.decision, estimate.status),
              ),
            )
            .orderBy(asc(costEstimateDecisions.id))
        ).slice(-1)
  if (estimate.status === 'rejected' && !answer) return inside
  return [
    ...inside,
    {
      step: 'Client',
      who: answer?.name ?? '',
      decision: answer ? (estimate.status as 'approved' | 'rejected') : 'pending',
      at: answer ? iso(answer.createdAt) : null,
      comment: answer?.comment ?? '',
    },
  ]
}

export const openEstimate = query({
  name: 'openEstimate',
  summary: 'The estimate on paper, as plain data',
  may: 'estimates.read',
  on: onEstimate,
  run: async (tx, { on }) => ({ ...on, sheet: await sheetOf(tx, on), lines: await linesOf(tx, on.estimate.id) }),
})
