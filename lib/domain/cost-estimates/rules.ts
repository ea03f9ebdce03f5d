import type { ApprovalStep } from '@/db/schema/cost-estimates'
import { type EstimateStatus, type Role, roleOrHigher, type StoredEstimateStatus } from '@/lib/vocabulary'
import { DomainError, forbidden, quote } from '../kernel/errors'
import { isAtLeast, type UserActor } from '../kernel/permissions'
import { dayOf } from '../kernel/shapes'
import { DEFAULT_CURRENCY } from './schema'

/** Action -> the states it is possible in. Buttons ask the same table as the server. */
const ESTIMATE_ACTIONS = {
  change: ['draft'],
  delete: ['draft'],
  submit: ['draft'],
  approve: ['awaiting_internal_approval', 'awaiting_client_approval'],
  reject: ['awaiting_internal_approval', 'awaiting_client_approval'],
  revise: ['rejected', 'expired', 'awaiting_internal_approval', 'awaiting_client_approval'],
} as const satisfies Record<string, readonly EstimateStatus[]>
export type EstimateAction = keyof typeof ESTIMATE_ACTIONS

const WORDS: Record<EstimateAction, string> = {
  change: 'be changed',
  delete: 'be deleted',
  submit: 'be submitted',
  approve: 'be approved',
  reject: 'be rejected',
  revise: 'be revised',
}

/** A waiting estimate expires when its last day is over, in UTC. */
export function statusOf(
  estimate: { status: StoredEstimateStatus; validUntil: string | null },
  now: Date,
): EstimateStatus {
  const waits = estimate.status === 'awaiting_internal_approval' || estimate.status === 'awaiting_client_approval'
  return waits && estimate.validUntil !== null && estimate.validUntil < dayOf(now) ? 'expired' : estimate.status
}

export const isPossible = (action: EstimateAction, status: EstimateStatus): boolean =>
  (ESTIMATE_ACTIONS[action] as readonly EstimateStatus[]).includes(status)

/** @throws `invalid_state` with the state that is and those that were needed */
export function assertPossible(action: EstimateAction, number: string, status: EstimateStatus) {
  if (isPossible(action, status)) return
  const allowed = ESTIMATE_ACTIONS[action]
  throw new DomainError(
    'invalid_state',
    `The estimate ${quote(number)} is ${status}; it can ${WORDS[action]} only while it is ${allowed.join(' or ')}.`,
    { current: status, allowed },
  )
}

export type WorkflowStep = {
  name: string
  role: Role | null
  user: { id: string; name: string } | null
  above: number | null
}

/** What the amounts of the approval workflow are in. */
const THRESHOLD_CURRENCY = DEFAULT_CURRENCY

/**
 * The steps an estimate of this total goes through, none of them taken yet; null when there are none. Amounts of the
 * workflow are in one currency; an estimate in another one goes through every step, because the two were never compared.
 */
export function stepsFor(
  workflow: readonly WorkflowStep[],
  { total, currency }: { total: string; currency: string },
): ApprovalStep[] | null {
  const steps = workflow
    .filter(({ above }) => above === null || currency !== THRESHOLD_CURRENCY || Number(total) > above)
    .map(({ name, role, user }) => ({ name, role, user, status: 'pending' as const, by: null, at: null, comment: '' }))
  return steps.length > 0 ? steps : null
}

/** Which step is waited for, or null when all are taken or one was refused. */
export function currentStep(steps: readonly ApprovalStep[] | null): number | null {
  if (!steps || steps.some(({ status }) => status === 'rejected')) return null
  const index = steps.findIndex(({ status }) => status === 'pending')
  return index === -1 ? null : index
}

/** What is still being worked on, or was refused, inside is not shown outside. */
export const isShownToClient = (status: EstimateStatus, steps: readonly Pick<ApprovalStep, 'status'>[] | null) =>
  status !== 'draft' && (steps ?? []).every((step) => step.status === 'approved')

/** The step that is waited for now. */
export const waitingStep = <S>({
  status,
  approval,
}: {
  status: EstimateStatus
  approval: { steps: readonly S[]; current_step: number | null } | null
}): S | null => (status === 'awaiting_internal_approval' && approval?.steps[approval.current_step ?? -1]) || null

type Turn = { status: StoredEstimateStatus; revision: number; steps: readonly ApprovalStep[] | null }

/**
 * A decision counts for what was waited for when it was made: of two at once the second would else be taken for the
 * next step's, or for the client's decision.
 * @throws `invalid_state` with the state that is now
 */
export function assertSameTurn(action: EstimateAction, number: string, asked: Turn, now: Turn) {
  const isSame =
    asked.status === now.status &&
    asked.revision === now.revision &&
    currentStep(asked.steps) === currentStep(now.steps)
  if (isSame) return
  throw new DomainError(
    'invalid_state',
    `The estimate ${quote(number)} was decided about at the same moment, by another user or in another window of yours; it is ${now.status} now. Read it again, then decide if it is still your turn.`,
    { current: now.status, allowed: ESTIMATE_ACTIONS[action] },
  )
}

export type Own = { createdBy: string; submittedBy: string | null; allowOwn: boolean }

type Approver = Pick<UserActor, 'id' | 'role'>

/** Whether the step waits for this person, by name or by role. */
const isMeant = (step: ApprovalStep, actor: Approver) =>
  step.user ? step.user.id === actor.id : step.role !== null && isAtLeast(actor.role, step.role)

/**
 * Whether this person may decide the step. Administrators always may.
 * @throws `forbidden` naming who is waited for
 */
export function assertMayDecide(step: ApprovalStep, actor: Approver, own: Own) {
  if (actor.role === 'administrator') return
  if (!isMeant(step, actor)) {
    throw forbidden(
      `The step ${quote(step.name)} waits for ${step.user ? step.user.name : `a user with the role ${step.role && roleOrHigher(step.role)}`}.`,
    )
  }
  if (!own.allowOwn && (own.createdBy === actor.id || own.submittedBy === actor.id))
    throw forbidden('You wrote or submitted this estimate, so you cannot decide about it. Ask a colleague.')
}

/** Whether to offer a user the decision of a step; the server has the last word. */
export function mayDecide(step: ApprovalStep, actor: Approver, own: Own): boolean {
  try {
    assertMayDecide(step, actor, own)
    return true
  } catch {
    return false
  }
}

/** Whether the step is the user's own work: administrators may decide for others, but the step does not wait for them. */
export const waitsFor = (step: ApprovalStep, actor: Approver, own: Own) =>
  isMeant(step, actor) && mayDecide(step, actor, own)
