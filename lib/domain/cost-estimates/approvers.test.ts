import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { database } from '@/db/client'
import { users } from '@/db/schema/directory'
import { notifications } from '@/db/schema/events'
import { projectMembers } from '@/db/schema/projects'
import { makeProject, makeUser, type UserRow } from '@/fixtures/factories'
import type { Role } from '@/lib/vocabulary'
import { getProject } from '../projects/queries'
import { as, expectRefusal, unchangedSince } from '../testing'
import { getEstimateRoute } from './approvers'
import {
  createEstimate,
  deleteEstimate,
  reviseEstimate,
  revokeEstimateLink,
  submitEstimate,
  updateEstimate,
} from './commands'
import { approveEstimate, rejectEstimate } from './decide'
import { getEstimate, getEstimatePowers, listEstimateRevisions, listEstimates, listEstimatesToDecide } from './queries'
import { openEstimate } from './sheet'
import { updateApprovalWorkflow } from './workflow'

/** Approvers a step names who are no members of the project: Finance first, then the board. */

const on = ({ id }: { id: string }) => ({ estimate_id: id })

async function scene(role: Role = 'viewer') {
  const [author, finance, board] = [
    await makeUser({ role: 'coordinator' }),
    await makeUser({ role }),
    await makeUser({ role }),
  ]
  const steps = [
    { name: 'Finance', user_id: finance.id },
    { name: 'Board', user_id: board.id },
  ]
  const admin = as(await makeUser({ role: 'administrator' }))
  await updateApprovalWorkflow.execute(admin, {}, { steps, allow_own: false })
  const project = await makeProject({ members: [author] })
  const draft = await createEstimate.execute(
    as(author),
    {},
    {
      project_id: project.id,
      title: 'Spring set',
      line_items: [{ description: 'Banner', quantity: 2, unit_price: 50 }],
    },
  )
  const submit = () => submitEstimate.execute(as(author), on(draft))
  return { author, finance, board, project, draft, submit }
}

const READS = [getEstimate, listEstimateRevisions, openEstimate, getEstimatePowers]
const listed = async (who: UserRow) => (await listEstimates.execute(as(who), {})).cost_estimates.map(({ id }) => id)

async function expectUnseen(who: UserRow, estimate: { id: string }) {
  for (const operation of [...READS, approveEstimate, rejectEstimate, submitEstimate, deleteEstimate])
    await expectRefusal(operation.execute(as(who), on(estimate)), 'not_found')
  expect(await listed(who)).not.toContain(estimate.id)
}

describe('a user a step names, outside the project', () => {
  it('sees the estimate from their step on, and decides it', async () => {
    const { author, finance, board, draft, submit } = await scene()
    await expectUnseen(finance, draft)
    await submit()
    await expectUnseen(board, draft)
    expect(await listed(finance)).toEqual([draft.id])
    const seen = await getEstimate.execute(as(finance), on(draft))
    expect(seen).toMatchObject({ total: 100, line_items: [{ description: 'Banner' }], client_url: null })
    expect((await openEstimate.execute(as(finance), on(draft))).lines).toHaveLength(1)
    expect(await getEstimatePowers.execute(as(finance), on(draft))).toEqual({ mayManage: false, mayDecide: true })
    await approveEstimate.execute(as(finance), on(draft), { comment: 'within the budget' })
    const done = await approveEstimate.execute(as(board), on(draft))
    expect(done.approval?.steps.map(({ by }) => by?.id)).toEqual([finance.id, board.id])
    expect((await getEstimate.execute(as(author), on(draft))).status).toBe('awaiting_client_approval')
  })

  it('finds it in their work while it is their turn, and no other user does', async () => {
    const { author, finance, board, draft, submit } = await scene()
    const waiting = async (who: UserRow) =>
      (await listEstimatesToDecide.execute(as(who), {})).cost_estimates.map(({ id }) => id)
    const admin = await makeUser({ role: 'administrator' })
    await submit()
    expect(await waiting(finance)).toEqual([draft.id])
    for (const other of [author, board, admin]) expect(await waiting(other)).toEqual([])
    await approveEstimate.execute(as(finance), on(draft))
    expect(await waiting(finance)).toEqual([])
    expect(await waiting(board)).toEqual([draft.id])
    await rejectEstimate.execute(as(board), on(draft))
    expect(await waiting(board)).toEqual([])
  })

  it('still sees what they decided, but never the link by which the client decides', async () => {
    const { author, finance, board, draft, submit } = await scene('coordinator')
    await submit()
    await approveEstimate.execute(as(finance), on(draft))
    const done = await approveEstimate.execute(as(board), on(draft))
    expect(done.client_url).toBeNull()
    expect((await getEstimate.execute(as(author), on(draft))).client_url).not.toBeNull()
    for (const who of [finance, board]) {
      expect(await getEstimate.execute(as(who), on(draft))).toMatchObject({ id: draft.id, client_url: null })
      expect(await getEstimatePowers.execute(as(who), on(draft))).toEqual({ mayManage: false, mayDecide: false })
    }
  })

  it('does nothing else with it, whatever their role', async () => {
    const { finance, board, project, draft, submit } = await scene('coordinator')
    await submit()
    for (const operation of [submitEstimate, deleteEstimate, reviseEstimate, revokeEstimateLink])
      await expectRefusal(operation.execute(as(finance), on(draft)), 'forbidden')
    await expectRefusal(updateEstimate.execute(as(finance), on(draft), { title: 'Mine' }), 'forbidden')
    await expectRefusal(getProject.execute(as(finance), { project_id: project.id }), 'not_found')
    await approveEstimate.execute(as(finance), on(draft))
    // It is the next one's turn, and then the client's, whose decision members of the project record.
    await expectRefusal(approveEstimate.execute(as(finance), on(draft)), 'forbidden')
    await approveEstimate.execute(as(board), on(draft))
    await expectRefusal(approveEstimate.execute(as(board), on(draft)), 'forbidden')
    await expectRefusal(rejectEstimate.execute(as(finance), on(draft)), 'forbidden')
  })

  it('does not see it once it is written anew, nor after it was refused before their turn', async () => {
    const { author, finance, board, draft, submit } = await scene()
    await submit()
    await rejectEstimate.execute(as(finance), on(draft), { comment: 'too dear' })
    expect(await getEstimate.execute(as(finance), on(draft))).toMatchObject({ status: 'rejected' })
    await expectUnseen(board, draft)
    await reviseEstimate.execute(as(author), on(draft))
    await expectUnseen(finance, draft)
  })

  it('sees no other estimate of the project', async () => {
    const { author, finance, project, draft, submit } = await scene()
    const other = await createEstimate.execute(
      as(author),
      {},
      { project_id: project.id, title: 'Other', line_items: [{ description: 'B', quantity: 1, unit_price: 1 }] },
    )
    await submit()
    await expectRefusal(getEstimate.execute(as(finance), on(other)), 'not_found')
    const { cost_estimates } = await listEstimates.execute(as(finance), {}, { project_id: project.id })
    expect(cost_estimates.map(({ id }) => id)).toEqual([draft.id])
  })
})

describe('the link by which the client decides', () => {
  it('is shown to those who may record the client’s decision, and stored in no revision', async () => {
    const author = await makeUser({ role: 'coordinator' })
    const viewer = await makeUser({ role: 'viewer' })
    const project = await makeProject({ members: [author, viewer] })
    const admin = as(await makeUser({ role: 'administrator' }))
    await updateApprovalWorkflow.execute(admin, {}, { steps: [], allow_own: false })
    const draft = await createEstimate.execute(
      as(author),
      {},
      { project_id: project.id, title: 'T', line_items: [{ description: 'B', quantity: 1, unit_price: 1 }] },
    )
    const sent = await submitEstimate.execute(as(author), on(draft))
    expect(sent.client_url).not.toBeNull()
    expect((await getEstimate.execute(as(viewer), on(draft))).client_url).toBeNull()
    const listedFor = async (who: Parameters<typeof as>[0]) =>
      (await listEstimates.execute(as(who), {}, {})).cost_estimates
    expect(await listedFor(author)).toMatchObject([{ id: draft.id, client_url: sent.client_url }])
    expect(await listedFor(viewer)).toMatchObject([{ id: draft.id, client_url: null }])
    await reviseEstimate.execute(as(author), on(draft))
    const { revisions } = await listEstimateRevisions.execute(as(viewer), on(draft))
    expect(JSON.stringify(revisions)).not.toContain('/e/')
  })
})

describe('a step for a role', () => {
  async function sent(steps: object[], allow_own = false) {
    const author = await makeUser({ role: 'coordinator', name: 'Ana Author' })
    const member = await makeUser({ role: 'viewer' })
    const admin = as(await makeUser({ role: 'administrator' }))
    await updateApprovalWorkflow.execute(admin, {}, { steps, allow_own })
    const project = await makeProject({ members: [author, member] })
    const draft = await createEstimate.execute(
      as(author),
      {},
      {
        project_id: project.id,
        title: 'Set',
        line_items: [{ description: 'B', quantity: 1, unit_price: 1 }],
      },
    )
    return { author, member, draft, submit: () => submitEstimate.execute(as(author), on(draft)) }
  }

  it('is seen and decided by those who have it, members or not, while it is waited for', async () => {
    const second = await makeUser({ role: 'coordinator' })
    const third = await makeUser({ role: 'coordinator' })
    const { author, draft, submit } = await sent([{ name: 'Production', role: 'coordinator' }])
    await expectUnseen(second, draft)
    await submit()
    const notified = await database().db.select().from(notifications).where(eq(notifications.userId, second.id))
    expect(notified.map(({ href }) => href)).toEqual([`/cost-estimates/${draft.id}`])
    expect(await getEstimatePowers.execute(as(second), on(draft))).toEqual({ mayManage: false, mayDecide: true })
    expect((await listEstimatesToDecide.execute(as(second), {})).cost_estimates.map(({ id }) => id)).toEqual([draft.id])
    expect((await approveEstimate.execute(as(second), on(draft))).status).toBe('awaiting_client_approval')
    // The user who decided still sees it; to whom it did not fall it is the project's business again.
    expect((await getEstimate.execute(as(second), on(draft))).client_url).toBeNull()
    await expectUnseen(third, draft)
    await expectRefusal(approveEstimate.execute(as(second), on(draft)), 'forbidden')
    await reviseEstimate.execute(as(author), on(draft))
    await expectUnseen(second, draft)
  })

  it('notifies the members of the project who can take it, and no other user', async () => {
    const outside = await makeUser({ role: 'coordinator' })
    const { author, member, submit } = await sent([{ name: 'Anybody', role: 'viewer' }])
    await submit()
    const notified = await database().db.select({ who: notifications.userId }).from(notifications)
    const whom = notified.map(({ who }) => who)
    expect(whom).toContain(member.id)
    expect(whom).not.toContain(author.id)
    expect(whom).not.toContain(outside.id)
  })

  it('is not seen by those whose role is lower', async () => {
    const operator = await makeUser({ role: 'operator' })
    const { draft, submit } = await sent([{ name: 'Production', role: 'coordinator' }])
    await submit()
    await expectUnseen(operator, draft)
  })

  it('is not seen again by its author once they left the project', async () => {
    const { author, draft, submit } = await sent([{ name: 'Production', role: 'coordinator' }])
    await submit()
    await database().db.delete(projectMembers).where(eq(projectMembers.userId, author.id))
    await expectUnseen(author, draft)
  })
})

describe('a step that no user can take', () => {
  async function blocked(step: (author: UserRow) => Promise<object>, allow_own = false) {
    const author = await makeUser({ role: 'coordinator', name: 'Ana Author' })
    const admin = as(await makeUser({ role: 'administrator' }))
    await updateApprovalWorkflow.execute(admin, {}, { steps: [await step(author)], allow_own })
    const project = await makeProject({ members: [author] })
    const draft = await createEstimate.execute(
      as(author),
      {},
      {
        project_id: project.id,
        title: 'Set',
        line_items: [{ description: 'B', quantity: 1, unit_price: 1 }],
      },
    )
    return { author, draft }
  }

  it('is named when an estimate is submitted by the only person who could, and who could instead', async () => {
    await makeUser({ role: 'coordinator', name: 'Ben Other' })
    const { author, draft } = await blocked(async ({ id }) => ({ name: 'Finance', user_id: id }))
    const { steps } = await getEstimateRoute.execute(as(author), on(draft))
    expect(steps).toMatchObject([{ name: 'Finance', takers: '', problem: expect.stringContaining('Ana Author') }])
    const refused = await expectRefusal(submitEstimate.execute(as(author), on(draft)), 'approver_missing')
    expect(refused.detail).toBe(steps[0]?.problem)
    expect(refused.detail).toMatch(
      /“Finance”: it names Ana Author, who wrote or submitted this estimate.* could: an administrator can name them/,
    )
    expect((await getEstimate.execute(as(author), on(draft))).status).toBe('draft')
  })

  it('is named when its person is disabled', async () => {
    const leaver = await makeUser({ role: 'coordinator', name: 'Lea Leaver' })
    const { author, draft } = await blocked(async () => ({ name: 'Finance', user_id: leaver.id }))
    await database().db.update(users).set({ disabledAt: new Date() }).where(eq(users.id, leaver.id))
    const refused = await expectRefusal(submitEstimate.execute(as(author), on(draft)), 'approver_missing')
    expect(refused.detail).toContain('Lea Leaver, whose account is disabled')
  })

  it('is none where people may approve what they wrote, and no approver is asked where there is no step', async () => {
    const { author, draft } = await blocked(async ({ id }) => ({ name: 'Finance', user_id: id }), true)
    expect(await getEstimateRoute.execute(as(author), on(draft))).toEqual({
      steps: [{ name: 'Finance', takers: 'Ana Author', problem: null }],
    })
    expect((await submitEstimate.execute(as(author), on(draft))).status).toBe('awaiting_internal_approval')
  })
})

describe('who decided in one window', () => {
  it('says in the other window that it was they', async () => {
    const { finance, draft, submit } = await scene()
    const seen = await submit()
    const precondition = unchangedSince(await getEstimate.execute(as(finance), on(seen)))
    await approveEstimate.execute(as(finance), on(draft))
    const refused = await expectRefusal(approveEstimate.execute(as(finance, { precondition }), on(draft)), 'stale')
    expect(refused.detail).toMatch(
      /^You approved “Finance” yourself already, at .* is “Awaiting internal approval” now/,
    )
  })
})
