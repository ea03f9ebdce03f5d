import { inArray } from 'drizzle-orm'
import { approvalWorkflow } from '@/db/schema/cost-estimates'
import { users } from '@/db/schema/directory'
import { type FieldError, invalid, quote } from '../kernel/errors'
import { changesBetween } from '../kernel/events'
import { command, query, type Tx } from '../kernel/operation'
import { ApprovalWorkflow, UpdateApprovalWorkflow } from './schema'

/** Who approves estimates inside, in which order. Those under way keep the steps they were submitted with. */

export async function workflowOf(tx: Pick<Tx, 'db'>): Promise<ApprovalWorkflow> {
  const [row] = await tx.db.select().from(approvalWorkflow)
  if (!row) return { steps: [], allow_own: false }
  const ids = row.steps.flatMap(({ user_id }) => (user_id ? [user_id] : []))
  const people = ids.length
    ? await tx.db.select({ id: users.id, name: users.name }).from(users).where(inArray(users.id, ids))
    : []
  return {
    steps: row.steps.map(({ name, role, user_id, above }) => ({
      name,
      role,
      user: people.find(({ id }) => id === user_id) ?? null,
      above,
    })),
    allow_own: row.allowOwn,
  }
}

export const getApprovalWorkflow = query({
  name: 'getApprovalWorkflow',
  summary: 'Who approves cost estimates inside, in order',
  permission: 'settings.manage',
  isVersioned: true,
  output: ApprovalWorkflow,
  run: (tx) => workflowOf(tx),
})

export const updateApprovalWorkflow = command({
  name: 'updateApprovalWorkflow',
  summary: 'Set who approves cost estimates inside, in order',
  permission: 'settings.manage',
  input: UpdateApprovalWorkflow,
  output: ApprovalWorkflow,
  async run(tx, { input }) {
    const steps = input.steps.map(({ name, role, user_id, above }) => ({
      name,
      role: role ?? null,
      user_id: user_id ?? null,
      above: above ?? null,
    }))
    await assertPeople(tx, steps)
    const before = await workflowOf(tx)
    const row = { steps, allowOwn: input.allow_own, updatedAt: tx.now }
    await tx.db
      .insert(approvalWorkflow)
      .values({ id: 1, ...row })
      .onConflictDoUpdate({ target: approvalWorkflow.id, set: row })
    const after = await workflowOf(tx)
    const changes = changesBetween(before, after)
    if (changes) await tx.record({ type: 'settings.updated', data: { approval_workflow: changes } })
    return after
  },
})

async function assertPeople(tx: Tx, steps: { user_id: string | null }[]) {
  const errors: FieldError[] = []
  for (const [index, { user_id }] of steps.entries()) {
    if (!user_id) continue
    const [user] = await tx.db
      .select()
      .from(users)
      .where(inArray(users.id, [user_id]))
    if (!user || user.disabledAt)
      errors.push({
        path: `steps.${index}.user_id`,
        code: 'unknown_reference',
        message: `There is no active user ${quote(user_id)}. Choose a user from the list.`,
      })
  }
  if (errors.length > 0) throw invalid(errors)
}
