import { and, eq, sql } from 'drizzle-orm'
import { z } from 'zod'
import { newId } from '@/db/schema/columns'
import {
  type ApprovalStep,
  costEstimateDecisions,
  costEstimateLines,
  costEstimateNumbers,
  costEstimateRevisions,
  costEstimates,
} from '@/db/schema/cost-estimates'
import type { EstimateDecision, EstimateSide } from '@/lib/vocabulary'
import { randomBase62 } from '../directory/token-format'
import { type FieldError, invalid, invalidField, invalidState, quote } from '../kernel/errors'
import { type Discount, decimalOf, decimalsIn, isBeyond, minorUnits, totalsOf } from '../kernel/money'
import { command, type Tx } from '../kernel/operation'
import { allow, type UserActor } from '../kernel/permissions'
import { dayOf } from '../kernel/shapes'
import { findProject } from '../projects/find'
import { assertNotClosed } from '../projects/rules'
import { type EstimateRow, hashOf, onEstimate } from './find'
import { fullEstimate, linesOf } from './queries'
import {
  assertMayDecide,
  assertPossible,
  assertSameTurn,
  currentStep,
  ESTIMATE_ACTIONS,
  statusOf,
  stepsFor,
} from './rules'
import {
  CreateEstimate,
  type CreateEstimate as CreateInput,
  DEFAULT_CURRENCY,
  DecideEstimate,
  Estimate,
  MAX_AMOUNT,
  UpdateEstimate,
} from './schema'
import { workflowOf } from './workflow'

const person = (tx: Tx): UserActor => {
  if (tx.actor.type !== 'user') throw new Error('Cost estimates are handled by people.')
  return tx.actor
}

const text = (value: number) => decimalOf(value) ?? '0'

type Priced = Pick<CreateInput, 'line_items' | 'discount'> & { currency: string; tax_rate: number }

/** The columns an estimate's prices fill, and its lines. @throws `validation_failed` where sums cannot be */
function pricesOf(input: Priced, declined: ReadonlySet<number> = new Set()) {
  const lines = input.line_items.map((line, index) => ({
    description: line.description,
    quantity: text(line.quantity),
    unitPrice: text(line.unit_price),
    unit: line.unit ?? null,
    isOption: line.optional ?? false,
    isDeclined: declined.has(index),
  }))
  const discount: Discount | null = input.discount
    ? { type: input.discount.type, value: text(input.discount.value) }
    : null
  const errors: FieldError[] = []
  const digits = minorUnits(input.currency)
  if (discount?.type === 'amount' && decimalsIn(discount.value) > digits) {
    errors.push({
      path: 'discount.value',
      code: 'too_precise',
      message: `discount.value: ${input.currency} has ${digits} digits after the point; got “${discount.value}”.`,
    })
  }
  const totals = totalsOf(lines, { currency: input.currency, discount, taxRate: text(input.tax_rate) })
  totals.amounts.forEach((amount, index) => {
    if (isBeyond(amount, MAX_AMOUNT)) {
      errors.push({
        path: `line_items.${index}`,
        code: 'too_big',
        message: `line_items.${index}: ${lines[index]?.quantity} × ${lines[index]?.unitPrice} is more than an estimate can hold (${MAX_AMOUNT.toLocaleString('en')}).`,
      })
    }
  })
  if (errors.length === 0 && [totals.subtotal, totals.total].some((sum) => isBeyond(sum, MAX_AMOUNT)))
    errors.push({
      path: 'line_items',
      code: 'too_big',
      message: `line_items: the sum ${totals.subtotal} is more than an estimate can hold (${MAX_AMOUNT.toLocaleString('en')}).`,
    })
  if (discount?.type === 'amount' && Number(discount.value) > Math.max(0, Number(totals.subtotal)))
    errors.push({
      path: 'discount.value',
      code: 'too_big',
      message: `discount.value: ${discount.value} is more than the subtotal of ${totals.subtotal}.`,
    })
  if (errors.length > 0) throw invalid(errors)
  return {
    columns: {
      currency: input.currency,
      discountType: discount?.type ?? null,
      discountValue: discount?.value ?? null,
      taxRate: text(input.tax_rate),
      subtotal: totals.subtotal,
      discountAmount: totals.discountAmount,
      taxAmount: totals.taxAmount,
      total: totals.total,
    },
    lines: lines.map((line, index) => ({ ...line, position: index + 1, amount: totals.amounts[index] ?? '0' })),
  }
}

async function writeLines(tx: Tx, estimateId: string, lines: ReturnType<typeof pricesOf>['lines']) {
  await tx.db.delete(costEstimateLines).where(eq(costEstimateLines.estimateId, estimateId))
  await tx.db.insert(costEstimateLines).values(lines.map((line) => ({ ...line, id: newId(tx.now), estimateId })))
}

/** The next number of the year; whoever creates at the same time waits, so that numbers have no gaps. */
async function nextNumber(tx: Tx): Promise<string> {
  const year = tx.now.getUTCFullYear()
  const [row] = await tx.db
    .insert(costEstimateNumbers)
    .values({ year, last: 1 })
    .onConflictDoUpdate({ target: costEstimateNumbers.year, set: { last: sql`${costEstimateNumbers.last} + 1` } })
    .returning()
  if (!row) throw new Error('No number was given.')
  return `EST-${year}-${String(row.last).padStart(4, '0')}`
}

export const createEstimate = command({
  name: 'createEstimate',
  summary: 'Create a cost estimate as a draft',
  // The project is named in the body, so it has to be found before the role can be judged.
  may: 'estimates.read',
  mayThen: 'estimates.manage',
  input: CreateEstimate,
  output: Estimate,
  created: (estimate) => `/api/cost-estimates/${estimate.id}`,
  async run(tx, { input }) {
    const actor = person(tx)
    const project = await findProject(tx, input.project_id, 'share')
    allow(tx.actor, 'estimates.manage')
    assertNotClosed(project)
    const { columns, lines } = pricesOf({
      ...input,
      currency: input.currency ?? DEFAULT_CURRENCY,
      tax_rate: input.tax_rate ?? 0,
    })
    const id = newId(tx.now)
    const number = await nextNumber(tx)
    await tx.db.insert(costEstimates).values({
      id,
      number,
      projectId: project.id,
      title: input.title,
      ...columns,
      validUntil: input.valid_until ?? null,
      notes: input.notes ?? '',
      createdBy: actor.id,
      createdAt: tx.now,
      updatedAt: tx.now,
    })
    await writeLines(tx, id, lines)
    await tell(
      tx,
      'estimate.created',
      { id, number, title: input.title, projectId: project.id },
      { total: columns.total },
    )
    return fullEstimate(tx, id)
  },
})

export const updateEstimate = command({
  name: 'updateEstimate',
  summary: 'Change a draft: title, lines, currency, discount, tax, validity, notes',
  may: 'estimates.manage',
  on: onEstimate,
  input: UpdateEstimate,
  output: Estimate,
  conditional: (tx, { estimate }) => fullEstimate(tx, estimate.id),
  async run(tx, { on: { estimate, project }, input }) {
    assertNotClosed(project)
    assertPossible('change', estimate.number, statusOf(estimate, tx.now))
    const { columns, lines } = pricesOf({
      line_items: input.line_items ?? (await storedLines(tx, estimate.id)),
      currency: input.currency ?? estimate.currency,
      discount: input.discount === undefined ? storedDiscount(estimate) : input.discount,
      tax_rate: input.tax_rate ?? Number(estimate.taxRate),
    })
    await tx.db
      .update(costEstimates)
      .set({
        ...columns,
        title: input.title ?? estimate.title,
        validUntil: input.valid_until === undefined ? estimate.validUntil : input.valid_until,
        notes: input.notes === undefined ? estimate.notes : (input.notes ?? ''),
        updatedAt: tx.now,
      })
      .where(eq(costEstimates.id, estimate.id))
    await writeLines(tx, estimate.id, lines)
    await tell(tx, 'estimate.updated', estimate, {
      before: { title: estimate.title, total: estimate.total },
      after: { title: input.title ?? estimate.title, total: columns.total },
    })
    return fullEstimate(tx, estimate.id)
  },
})

async function storedLines(tx: Tx, estimateId: string): Promise<CreateInput['line_items']> {
  return (await linesOf(tx, estimateId)).map((line) => ({
    description: line.description,
    quantity: Number(line.quantity),
    unit_price: Number(line.unitPrice),
    unit: line.unit,
    optional: line.isOption,
  }))
}

const storedDiscount = ({ discountType, discountValue }: EstimateRow) =>
  discountType ? { type: discountType, value: Number(discountValue) } : null

/** Prices again with these options left out: what a client's choice makes of the total. Exported for the client's side. */
export async function priceWithout(tx: Tx, estimate: EstimateRow, declinedIds: ReadonlySet<string>) {
  const rows = await linesOf(tx, estimate.id)
  return pricesOf(
    {
      line_items: await storedLines(tx, estimate.id),
      currency: estimate.currency,
      discount: storedDiscount(estimate),
      tax_rate: Number(estimate.taxRate),
    },
    new Set(rows.flatMap((row, index) => (declinedIds.has(row.id) ? [index] : []))),
  )
}

export const deleteEstimate = command({
  name: 'deleteEstimate',
  summary: 'Delete a draft that was never submitted to anybody',
  may: 'estimates.manage',
  on: onEstimate,
  output: z.object({ deleted: z.literal(true) }),
  async run(tx, { on: { estimate, project } }) {
    assertNotClosed(project)
    assertPossible('delete', estimate.number, statusOf(estimate, tx.now))
    // Others know it by its number and its decisions are on record: the number must never mean something else.
    if (estimate.revision > 1) {
      throw invalidState(
        `The estimate ${quote(estimate.number)} was submitted before, as revision ${estimate.revision - 1}; its decisions are kept. Only a draft that was never submitted can be deleted.`,
        'draft',
        ESTIMATE_ACTIONS.delete,
      )
    }
    await tx.db.delete(costEstimates).where(eq(costEstimates.id, estimate.id))
    // The number just given is given again; one from before stays on the audit trail as that of a deleted draft.
    const [, year, last] = /^EST-(\d+)-(\d+)$/.exec(estimate.number) ?? []
    await tx.db
      .update(costEstimateNumbers)
      .set({ last: sql`${costEstimateNumbers.last} - 1` })
      .where(and(eq(costEstimateNumbers.year, Number(year)), eq(costEstimateNumbers.last, Number(last))))
    await tell(tx, 'estimate.deleted', estimate)
    return { deleted: true as const }
  },
})

export const submitEstimate = command({
  name: 'submitEstimate',
  summary: 'Submit a draft: to the approval workflow where there is one, else to the client',
  may: 'estimates.manage',
  on: onEstimate,
  output: Estimate,
  async run(tx, { on: { estimate, project } }) {
    const actor = person(tx)
    assertNotClosed(project)
    assertPossible('submit', estimate.number, statusOf(estimate, tx.now))
    if (estimate.validUntil !== null && estimate.validUntil < dayOf(tx.now)) {
      throw invalidField(
        'valid_until',
        'past',
        `The estimate was valid until “${estimate.validUntil}”, which has passed. Set a later day, then submit it.`,
      )
    }
    const workflow = await workflowOf(tx)
    const steps = stepsFor(workflow.steps, estimate.total)
    await tx.db
      .update(costEstimates)
      .set({
        status: steps ? 'awaiting_internal_approval' : 'awaiting_client_approval',
        steps,
        allowOwn: workflow.allow_own,
        submittedBy: actor.id,
        submittedAt: tx.now,
        decidedAt: null,
        finalAt: null,
        updatedAt: tx.now,
        ...(steps ? {} : linkFor(tx, estimate)),
      })
      .where(eq(costEstimates.id, estimate.id))
    await noteDecision(tx, estimate, 'internal', 'submitted', actor)
    await tell(tx, 'estimate.submitted', estimate, {
      waits_for: steps?.[0]?.name ?? 'the client',
      next: steps?.[0] ?? null,
    })
    return fullEstimate(tx, estimate.id)
  },
})

/** The link a client decides by, made when it is first needed and kept over revisions. */
function linkFor(tx: Tx, estimate: EstimateRow) {
  if (estimate.tokenHash) return {}
  const token = randomBase62(16)
  return { tokenHash: hashOf(token), tokenEncrypted: tx.outside.secrets.encrypt(token) }
}

export const approveEstimate = command({
  name: 'approveEstimate',
  summary: 'Approve: the current step inside, or what the client answered',
  may: 'estimates.read',
  mayThen: 'estimates.manage',
  on: onEstimate,
  input: DecideEstimate,
  output: Estimate,
  conditional: (tx, { estimate }) => fullEstimate(tx, estimate.id),
  async run(tx, { on: { estimate, project, asked }, input }) {
    const { actor, step } = decider(tx, estimate)
    assertNotClosed(project)
    assertPossible('approve', estimate.number, statusOf(estimate, tx.now))
    assertSameTurn('approve', estimate.number, asked, estimate)
    const comment = input.comment ?? ''
    if (step === null) {
      await close(tx, estimate, 'approved')
      await noteDecision(tx, estimate, 'client', 'approved', actor, { comment })
      await tell(tx, 'estimate.approved', estimate, { comment, recorded_by: actor.name })
      return fullEstimate(tx, estimate.id)
    }
    const steps = decided(estimate, step, 'approved', actor, comment, tx.now)
    const next = currentStep(steps)
    await tx.db
      .update(costEstimates)
      .set({
        steps,
        updatedAt: tx.now,
        ...(next === null ? { status: 'awaiting_client_approval' as const, ...linkFor(tx, estimate) } : {}),
      })
      .where(eq(costEstimates.id, estimate.id))
    const name = steps[step]?.name ?? ''
    await noteDecision(tx, estimate, 'internal', 'approved', actor, { step: name, comment })
    await tell(tx, 'estimate.step_approved', estimate, {
      step: name,
      comment,
      waits_for: next === null ? 'the client' : steps[next]?.name,
      next: next === null ? null : steps[next],
    })
    return fullEstimate(tx, estimate.id)
  },
})

export const rejectEstimate = command({
  name: 'rejectEstimate',
  summary: 'Reject: at the current step inside, or what the client answered',
  may: 'estimates.read',
  mayThen: 'estimates.manage',
  on: onEstimate,
  input: DecideEstimate,
  output: Estimate,
  conditional: (tx, { estimate }) => fullEstimate(tx, estimate.id),
  async run(tx, { on: { estimate, project, asked }, input }) {
    const { actor, step } = decider(tx, estimate)
    assertNotClosed(project)
    assertPossible('reject', estimate.number, statusOf(estimate, tx.now))
    assertSameTurn('reject', estimate.number, asked, estimate)
    const comment = input.comment ?? ''
    const steps = step === null ? estimate.steps : decided(estimate, step, 'rejected', actor, comment, tx.now)
    await close(tx, { ...estimate, steps }, 'rejected')
    const name = step === null ? null : (steps?.[step]?.name ?? null)
    await noteDecision(tx, estimate, step === null ? 'client' : 'internal', 'rejected', actor, { step: name, comment })
    await tell(tx, 'estimate.rejected', estimate, { step: name, comment, rejected_by: actor.name })
    return fullEstimate(tx, estimate.id)
  },
})

/** Who decides at this moment, and which step inside it is (null: they record the client's answer). */
function decider(tx: Tx, estimate: EstimateRow): { actor: UserActor; step: number | null } {
  const actor = person(tx)
  const index = estimate.status === 'awaiting_internal_approval' ? currentStep(estimate.steps) : null
  const step = index === null ? undefined : estimate.steps?.[index]
  if (!step) allow(actor, 'estimates.manage')
  else assertMayDecide(step, actor, estimate)
  return { actor, step: step ? index : null }
}

const decided = (
  estimate: EstimateRow,
  index: number,
  status: 'approved' | 'rejected',
  by: UserActor,
  comment: string,
  now: Date,
): ApprovalStep[] =>
  (estimate.steps ?? []).map((step, at) =>
    at === index ? { ...step, status, by: { id: by.id, name: by.name }, at: now.toISOString(), comment } : step,
  )

async function close(tx: Tx, estimate: EstimateRow, status: 'approved' | 'rejected') {
  await tx.db
    .update(costEstimates)
    .set({ status, steps: estimate.steps, decidedAt: tx.now, finalAt: tx.now, updatedAt: tx.now })
    .where(eq(costEstimates.id, estimate.id))
}

export const reviseEstimate = command({
  name: 'reviseEstimate',
  summary: 'Begin the next revision of an estimate that is waiting, rejected or expired; the old one is kept',
  may: 'estimates.manage',
  on: onEstimate,
  output: Estimate,
  async run(tx, { on: { estimate, project } }) {
    const actor = person(tx)
    assertNotClosed(project)
    assertPossible('revise', estimate.number, statusOf(estimate, tx.now))
    await tx.db.insert(costEstimateRevisions).values({
      id: newId(tx.now),
      estimateId: estimate.id,
      revision: estimate.revision,
      snapshot: await fullEstimate(tx, estimate.id),
      createdAt: tx.now,
    })
    await noteDecision(tx, estimate, 'internal', 'revised', actor)
    await tx.db
      .update(costEstimates)
      .set({
        status: 'draft',
        revision: estimate.revision + 1,
        steps: null,
        submittedAt: null,
        submittedBy: null,
        decidedAt: null,
        finalAt: null,
        updatedAt: tx.now,
      })
      .where(eq(costEstimates.id, estimate.id))
    await tx.db
      .update(costEstimateLines)
      .set({ isDeclined: false })
      .where(eq(costEstimateLines.estimateId, estimate.id))
    await tell(tx, 'estimate.revised', estimate, { revision: estimate.revision + 1 })
    return fullEstimate(tx, estimate.id)
  },
})

export const revokeEstimateLink = command({
  name: 'revokeEstimateLink',
  summary: "Revoke the client's link at once; a new one is made with the next submission",
  may: 'estimates.manage',
  on: onEstimate,
  output: Estimate,
  async run(tx, { on: { estimate } }) {
    if (estimate.tokenHash) {
      await tx.db
        .update(costEstimates)
        .set({ tokenHash: null, tokenEncrypted: null, updatedAt: tx.now })
        .where(eq(costEstimates.id, estimate.id))
      await tell(tx, 'estimate.link_revoked', estimate)
    }
    return fullEstimate(tx, estimate.id)
  },
})

export async function noteDecision(
  tx: Tx,
  estimate: Pick<EstimateRow, 'id' | 'revision'>,
  side: EstimateSide,
  decision: EstimateDecision,
  by: { id: string | null; name: string },
  more: { step?: string | null; comment?: string } = {},
) {
  await tx.db.insert(costEstimateDecisions).values({
    id: newId(tx.now),
    estimateId: estimate.id,
    revision: estimate.revision,
    side,
    step: more.step ?? null,
    decision,
    userId: by.id,
    name: by.name,
    comment: more.comment ?? '',
    address: tx.address,
    createdAt: tx.now,
  })
}

type EstimateEvent =
  | 'estimate.created'
  | 'estimate.updated'
  | 'estimate.deleted'
  | 'estimate.submitted'
  | 'estimate.step_approved'
  | 'estimate.approved'
  | 'estimate.rejected'
  | 'estimate.revised'
  | 'estimate.decision_undone'
  | 'estimate.link_revoked'

export function tell(
  tx: Tx,
  type: EstimateEvent,
  estimate: Pick<EstimateRow, 'id' | 'number' | 'title' | 'projectId'> & { revision?: number },
  data: Record<string, unknown> = {},
) {
  return tx.record({
    type,
    projectId: estimate.projectId,
    subjectId: estimate.id,
    data: { number: estimate.number, title: estimate.title, revision: estimate.revision ?? 1, ...data },
  })
}
