import { asc, isNull } from 'drizzle-orm'
import type { ApprovalStep } from '@/db/schema/cost-estimates'
import { users } from '@/db/schema/directory'
import { type Role, roleOrHigher } from '@/lib/vocabulary'
import { DomainError, quote } from '../kernel/errors'
import { query, type Tx } from '../kernel/operation'
import { isAtLeast } from '../kernel/permissions'
import { onOwnEstimate } from './find'
import { type Own, stepsFor, waitsFor } from './rules'
import { EstimateRoute } from './schema'
import { person } from './trail'
import { workflowOf } from './workflow'

/** Who can take the steps of an approval, asked before an estimate is sent to them. */

type Person = { id: string; name: string; role: Role }
type StepWithTakers = { step: ApprovalStep; takers: Person[]; problem: string | null }

/** Of every step: the active people it waits for, and what is wrong where there are none. */
async function withTakers(tx: Tx, steps: readonly ApprovalStep[], own: Own): Promise<StepWithTakers[]> {
  const people = await tx.db
    .select({ id: users.id, name: users.name, role: users.role })
    .from(users)
    .where(isNull(users.disabledAt))
    .orderBy(asc(users.name))
  return steps.map((step) => {
    const takers = people.filter((each) => waitsFor(step, each, own))
    return { step, takers, problem: takers.length > 0 ? null : problemOf(step, people, own) }
  })
}

const isOwn = ({ createdBy, submittedBy }: Own, id: string) => id === createdBy || id === submittedBy

function problemOf(step: ApprovalStep, active: readonly Person[], own: Own): string {
  const others = active.filter(({ id, role }) => isAtLeast(role, step.role ?? 'coordinator') && !isOwn(own, id))
  return [
    `No approver can take the step ${quote(step.name)}: ${reasonOf(step, active)}.`,
    others.length > 0 && `${namesOf(others)} could: an administrator can name them in Settings, Approval.`,
    others.length === 0 && 'An administrator can name another approver in Settings, Approval.',
  ]
    .filter(Boolean)
    .join(' ')
}

function reasonOf(step: ApprovalStep, active: readonly Person[]): string {
  if (!step.user)
    return step.role
      ? `it waits for the role ${roleOrHigher(step.role)}, which no active user has but the author or submitter of this estimate`
      : 'it names a user who is no longer here'
  if (!active.some(({ id }) => id === step.user?.id)) return `it names ${step.user.name}, whose account is disabled`
  return `it names ${step.user.name}, who wrote or submitted this estimate and may not decide about it`
}

/** `Ada`, `Ada or Ben`, `Ada, Ben, Cleo or 4 others`. */
function namesOf(people: readonly { name: string }[]): string {
  const shown = people.slice(0, people.length === 4 ? 4 : 3).map(({ name }) => name)
  const rest = people.length - shown.length
  const words = rest > 0 ? [...shown, `${rest} others`] : shown
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`
}

/** @throws `approver_missing` with why no user can take a step, and who could be named instead */
export async function assertEveryStepCanBeTaken(tx: Tx, steps: readonly ApprovalStep[], own: Own) {
  for (const { problem } of await withTakers(tx, steps, own))
    if (problem) throw new DomainError('approver_missing', problem)
}

/** What the screen says before a user submits; the command asks again. */
export const getEstimateRoute = query({
  name: 'getEstimateRoute',
  summary: 'The approval steps a draft would go through if it were submitted now, and who can take each',
  permission: 'estimates.manage',
  resource: onOwnEstimate,
  output: EstimateRoute,
  async run(tx, { resource: { estimate } }) {
    const workflow = await workflowOf(tx)
    const own = { createdBy: estimate.createdBy, submittedBy: person(tx).id, allowOwn: workflow.allow_own }
    const steps = await withTakers(tx, stepsFor(workflow.steps, estimate) ?? [], own)
    return {
      steps: steps.map(({ step, takers, problem }) => ({ name: step.name, takers: namesOf(takers), problem })),
    }
  },
})
