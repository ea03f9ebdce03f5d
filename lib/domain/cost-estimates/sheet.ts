import { and, desc, eq } from 'drizzle-orm'
import { costEstimateDecisions } from '@/db/schema/cost-estimates'
import { agencies, users } from '@/db/schema/directory'
import { minorUnits } from '@/lib/currencies'
import { LABELS } from '@/lib/vocabulary'
import { query, type Tx } from '../kernel/operation'
import { iso } from '../kernel/shapes'
import { letterheadOf } from '../settings/letterhead'
import type { EstimateSheet, SheetApproval } from './estimate-sheet'
import { type EstimateInProject, type EstimateRow, onEstimate } from './find'
import { linesOf } from './queries'
import { isShownToClient, statusOf } from './rules'

/** What an estimate on paper says to the team. The same revision in the same state gives the same sheet. */
async function sheetOf(tx: Tx, on: EstimateInProject): Promise<EstimateSheet> {
  const decision = (await decisionOf(tx, on.estimate))?.said ?? null
  return {
    ...(await offerOf(tx, on, on.estimate.createdBy)),
    status: LABELS.estimateStatus[statusOf(on.estimate, tx.now)],
    approvals: [...stepsOf(on.estimate), ...(isWithClient(on.estimate) ? [clientLine(decision)] : [])],
  }
}

/**
 * What the client's copy says: the offer and their own decision. Nothing of the approval inside, neither who decided nor
 * what was said, and no comment that a colleague wrote when they recorded the client's decision.
 */
export async function clientSheetOf(tx: Tx, on: EstimateInProject): Promise<EstimateSheet> {
  const status = statusOf(on.estimate, tx.now)
  return {
    ...(await offerOf(tx, on, contactOf(on.estimate))),
    status: status === 'awaiting_client_approval' ? 'Awaiting your approval' : LABELS.estimateStatus[status],
    approvals: [clientLine(await recordedDecisionOf(tx, on.estimate))],
  }
}

/** Whom the client knows as the sender: the user who submitted the estimate. */
export const contactOf = (estimate: EstimateRow): string => estimate.submittedBy ?? estimate.createdBy

export type RecordedDecision = { decision: 'approved' | 'rejected'; name: string; comment: string; at: string }

/** The client's decision to this revision as it may be shown to them; null until there is one. */
export async function recordedDecisionOf(tx: Tx, estimate: EstimateRow): Promise<RecordedDecision | null> {
  const decision = await decisionOf(tx, estimate)
  // A colleague who recorded the decision wrote for the team.
  return decision && { ...decision.said, comment: decision.isRecorded ? '' : decision.said.comment }
}

async function decisionOf(
  tx: Tx,
  estimate: EstimateRow,
): Promise<{ said: RecordedDecision; isRecorded: boolean } | null> {
  const { status } = estimate
  if (status !== 'approved' && status !== 'rejected') return null
  const [row] = await tx.db
    .select()
    .from(costEstimateDecisions)
    .where(
      and(
        eq(costEstimateDecisions.estimateId, estimate.id),
        eq(costEstimateDecisions.side, 'client'),
        eq(costEstimateDecisions.revision, estimate.revision),
        eq(costEstimateDecisions.decision, status),
      ),
    )
    .orderBy(desc(costEstimateDecisions.id))
    .limit(1)
  if (!row) return null
  const said = { decision: status, name: row.name, comment: row.comment, at: iso(row.createdAt) }
  return { said, isRecorded: row.userId !== null }
}

const stepsOf = (estimate: EstimateRow): SheetApproval[] =>
  (estimate.steps ?? []).map((step) => ({
    step: step.name,
    who: step.by?.name ?? step.user?.name ?? (step.role ? LABELS.role[step.role] : ''),
    decision: step.status,
    at: step.at,
    comment: step.comment,
  }))

/** Whether it was the client's turn: a step inside may have refused it before. */
const isWithClient = ({ status, steps }: EstimateRow) =>
  status !== 'awaiting_internal_approval' && isShownToClient(status, steps)

const clientLine = (decision: RecordedDecision | null): SheetApproval => ({
  step: 'Client',
  who: decision?.name ?? '',
  decision: decision?.decision ?? 'pending',
  at: decision?.at ?? null,
  comment: decision?.comment ?? '',
})

/** What is offered, by whom, to whom and at what price: the part that both copies share. */
async function offerOf(
  tx: Tx,
  { estimate, project }: EstimateInProject,
  preparedBy: string,
): Promise<Omit<EstimateSheet, 'status' | 'approvals'>> {
  const [agency] = await tx.db.select({ name: agencies.name }).from(agencies).where(eq(agencies.id, project.agencyId))
  const [author] = await tx.db.select({ name: users.name }).from(users).where(eq(users.id, preparedBy))
  const head = await letterheadOf(tx)
  const lines = await linesOf(tx, estimate.id)
  const percent = (value: string) => `${Number(value)}%`
  return {
    number: estimate.number,
    revision: estimate.revision,
    title: estimate.title,
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

export const openEstimate = query({
  name: 'openEstimate',
  summary: 'The estimate on paper, as plain data',
  permission: 'estimates.read',
  resource: onEstimate,
  run: async (tx, { resource }) => ({
    ...resource,
    sheet: await sheetOf(tx, resource),
    lines: await linesOf(tx, resource.estimate.id),
  }),
})
