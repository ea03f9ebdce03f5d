import { eq } from 'drizzle-orm'
import { type ApprovalStep, costEstimates } from '@/db/schema/cost-estimates'
import { formatDateTime } from '@/lib/format'
import { LABELS } from '@/lib/vocabulary'
import { quote } from '../kernel/errors'
import { command, type Tx } from '../kernel/operation'
import { allow, type UserActor } from '../kernel/permissions'
import { assertNotClosed } from '../projects/rules'
import { type AskedEstimate, assertInside, type EstimateRow, onEstimate } from './find'
import { serializeEstimate } from './queries'
import { assertMayDecide, assertPossible, assertSameTurn, currentStep, statusOf } from './rules'
import { DecideEstimate, Estimate } from './schema'
import { linkFor, noteDecision, person, recordEvent } from './trail'

/** What approving and rejecting have in common. */
const deciding = {
  permission: 'estimates.read',
  laterPermission: 'estimates.manage',
  resource: onEstimate,
  input: DecideEstimate,
  output: Estimate,
  conditional: (tx: Tx, { estimate }: AskedEstimate) => serializeEstimate(tx, estimate.id),
  whyStale: ownDecision,
} as const

export const approveEstimate = command({
  name: 'approveEstimate',
  summary: 'Approve: the current step inside, or what the client decided',
  ...deciding,
  async run(tx, { resource, input }) {
    const { estimate } = resource
    const { actor, step } = begin(tx, 'approve', resource)
    const comment = input.comment ?? ''
    if (step === null) {
      await close(tx, estimate, 'approved')
      await noteDecision(tx, estimate, 'client', 'approved', actor, { comment })
      await recordEvent(tx, 'estimate.approved', estimate, { comment, recorded_by: actor.name })
      return serializeEstimate(tx, estimate.id)
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
    await recordEvent(tx, 'estimate.step_approved', estimate, {
      step: name,
      comment,
      waits_for: next === null ? 'the client' : steps[next]?.name,
      next: next === null ? null : steps[next],
    })
    return serializeEstimate(tx, estimate.id)
  },
})

export const rejectEstimate = command({
  name: 'rejectEstimate',
  summary: 'Reject: at the current step inside, or what the client decided',
  ...deciding,
  async run(tx, { resource, input }) {
    const { estimate } = resource
    const { actor, step } = begin(tx, 'reject', resource)
    const comment = input.comment ?? ''
    const steps = step === null ? estimate.steps : decided(estimate, step, 'rejected', actor, comment, tx.now)
    await close(tx, { ...estimate, steps }, 'rejected')
    const name = step === null ? null : (steps?.[step]?.name ?? null)
    await noteDecision(tx, estimate, step === null ? 'client' : 'internal', 'rejected', actor, { step: name, comment })
    await recordEvent(tx, 'estimate.rejected', estimate, { step: name, comment, rejected_by: actor.name })
    return serializeEstimate(tx, estimate.id)
  },
})

/** A user who decided in one window and presses again in another reads that it was they. */
async function ownDecision(tx: Tx, { estimate }: AskedEstimate): Promise<string | null> {
  const last = (await serializeEstimate(tx, estimate.id)).decisions.at(-1)
  if (!last || last.by.id !== person(tx).id || (last.decision !== 'approved' && last.decision !== 'rejected'))
    return null
  return `You ${last.decision} ${last.step ? quote(last.step) : 'it'} yourself already, at ${formatDateTime(last.at)}; nothing was recorded twice. The estimate ${quote(estimate.number)} is ${quote(LABELS.estimateStatus[statusOf(estimate, tx.now)])} now.`
}

/**
 * Checks that the estimate can be decided now and by the actor; says who decides, and which step inside it is (null:
 * they record the client's decision).
 */
function begin(tx: Tx, action: 'approve' | 'reject', on: AskedEstimate): { actor: UserActor; step: number | null } {
  const { estimate, project, asked } = on
  assertSameTurn(action, estimate.number, asked, estimate)
  const actor = person(tx)
  const index = estimate.status === 'awaiting_internal_approval' ? currentStep(estimate.steps) : null
  const step = index === null ? undefined : estimate.steps?.[index]
  if (step) assertMayDecide(step, actor, estimate)
  else {
    allow(actor, 'estimates.manage')
    assertInside(on)
  }
  assertNotClosed(project)
  assertPossible(action, estimate.number, statusOf(estimate, tx.now))
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
