import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { database } from '@/db/client'
import { notifications } from '@/db/schema/events'
import { makeBatch, makeFile, makeProject, makeUser, type UserRow } from '@/fixtures/factories'
import { getProject } from '../projects/queries'
import { as, eventsAbout, expectRefusal } from '../testing'
import { decideClientEstimate, getClientEstimate, openClientEstimate, undoClientDecision } from './client'
import {
  createEstimate,
  deleteEstimate,
  reviseEstimate,
  revokeEstimateLink,
  submitEstimate,
  updateEstimate,
} from './commands'
import { approveEstimate, rejectEstimate } from './decide'
import { getEstimate, listEstimateRevisions, listEstimates } from './queries'
import type { Estimate } from './schema'
import { getProjectScope } from './scope'
import { updateApprovalWorkflow } from './workflow'

const item = (more: object = {}) => ({ description: 'Banner set', quantity: 2, unit_price: 49.995, ...more })

async function setUp() {
  const user = await makeUser({ role: 'coordinator' })
  const project = await makeProject({ members: [user] })
  const create = (more: object = {}, on = as(user)) =>
    createEstimate.execute(on, {}, { project_id: project.id, title: 'Spring set', line_items: [item()], ...more })
  return { user, project, create }
}

const on = ({ id }: { id: string }) => ({ estimate_id: id })
const tokenOf = ({ client_url }: Estimate) => ({ token: client_url?.split('/').at(-1) ?? '' })
const client = (estimate: Estimate, at?: Date) => ({
  ...as('anonymous', at ? { now: at } : {}),
  actor: { type: 'client' as const, id: estimate.id, name: 'The client' },
})
const workflow = async (steps: object[], allow_own = false) =>
  updateApprovalWorkflow.execute(as(await makeUser({ role: 'administrator' })), {}, { steps, allow_own })
const titlesFor = async ({ id }: UserRow) =>
  (await database().db.select().from(notifications).where(eq(notifications.userId, id))).map(({ title }) => title)
const minutes = (count: number) => new Date(Date.now() + count * 60_000)

describe('creating an estimate', () => {
  it('prices it exactly and gives it the next number of the year', async () => {
    const { user, project, create } = await setUp()
    const estimate = await create({ discount: { type: 'percent', value: 10 }, tax_rate: 19, currency: 'EUR' })
    expect(estimate).toMatchObject({
      project: { id: project.id, name: project.name },
      status: 'draft',
      line_items: [{ description: 'Banner set', quantity: 2, unit_price: 49.995, amount: 99.99 }],
      subtotal: 99.99,
      discount: { type: 'percent', value: 10 },
      discount_amount: 10,
      tax_amount: 17.1,
      total: 107.09,
      revision: 1,
      approval: null,
      client_url: null,
      created_by: { id: user.id, name: user.name },
    })
    expect(estimate.number).toMatch(/^EST-\d{4}-\d{4}$/)
    expect(await getEstimate.execute(as(user), on(estimate))).toEqual(estimate)
    expect(await eventsAbout(estimate.id)).toMatchObject([{ type: 'estimate.created', projectId: project.id }])
  })

  it('gives the number of a deleted draft to the next new estimate, so that no gap stays', async () => {
    const { user, create } = await setUp()
    const [first, second, third] = [await create(), await create(), await create()]
    const countOf = ({ number }: { number: string }) => Number(number.split('-')[2])
    for (const each of [second, first]) await deleteEstimate.execute(as(user), on(each))
    const again = [await create(), await create(), await create()]
    expect(again.map(countOf)).toEqual([countOf(first), countOf(second), countOf(third) + 1])
    // What was submitted keeps its number, also when its next draft is discarded.
    const sent = await submitEstimate.execute(as(user), on(third))
    await reviseEstimate.execute(as(user), on(sent))
    await deleteEstimate.execute(as(user), on(sent))
    expect(countOf(await create())).toBe(countOf(third) + 2)
  })

  it('leaves no gap in the numbers, however many are created at once, and none for one that was refused', async () => {
    const { project, create } = await setUp()
    const made = await Promise.all([
      ...Array.from({ length: 12 }, () => create()),
      ...Array.from({ length: 4 }, () => create({ line_items: [] }).catch(() => null)),
    ])
    const numbers = made.flatMap((each) => (each ? [Number(each.number.split('-')[2])] : [])).sort((a, b) => a - b)
    expect(numbers).toHaveLength(12)
    expect(numbers.at(-1)).toBe((numbers[0] ?? 0) + 11)
    const { cost_estimates } = await listEstimates.execute(
      as(await makeUser({ role: 'administrator' })),
      {},
      { project_id: project.id },
    )
    expect(cost_estimates).toHaveLength(12)
  })

  it.each([
    ['no lines', { line_items: [] }, ['line_items']],
    ['a quantity of nothing', { line_items: [item({ quantity: 0 })] }, ['line_items.0.quantity']],
    ['a negative quantity', { line_items: [item({ quantity: -1 })] }, ['line_items.0.quantity']],
    ['five digits after the point', { line_items: [item({ unit_price: 0.00001 })] }, ['line_items.0.unit_price']],
    ['a price beyond all measure', { line_items: [item({ unit_price: 1e300 })] }, ['line_items.0.unit_price']],
    ['text for a number', { line_items: [item({ quantity: '2' })] }, ['line_items.0.quantity']],
    ['a sum beyond all measure', { line_items: [item({ quantity: 1e9, unit_price: 1e9 })] }, ['line_items.0']],
    ['a line without words', { line_items: [item({ description: '  ' })] }, ['line_items.0.description']],
    ['too many words', { line_items: [item({ description: 'x'.repeat(2001) })] }, ['line_items.0.description']],
    ['too many lines', { line_items: Array.from({ length: 1001 }, () => item()) }, ['line_items']],
    ['an unknown currency', { currency: 'EURO' }, ['currency']],
    ['a day that is none', { valid_until: '2026-02-30' }, ['valid_until']],
    ['more discount than there is to pay', { discount: { type: 'amount', value: 1000 } }, ['discount.value']],
    ['a status of its own choice', { status: 'approved' }, ['status']],
    ['a total of its own choice', { total: 1 }, ['total']],
  ])('refuses %s', async (_what, more, fields) => {
    const { create } = await setUp()
    await expectRefusal(create(more), 'validation_failed', fields)
  })

  it('takes 2,000 characters of any script, credits, and currencies without cents', async () => {
    const { create } = await setUp()
    const description = '漢字 עברית 👩‍🎨 '.repeat(100).slice(0, 1500)
    const estimate = await create({
      currency: 'JPY',
      line_items: [item({ description, unit_price: 0.6 }), item({ unit_price: -1.5, quantity: 1 })],
    })
    expect(estimate.line_items.map(({ amount }) => amount)).toEqual([1, -2])
    expect(estimate.total).toBe(-1)
  })

  it('is for coordinators of the project; others do not learn that it exists', async () => {
    const { create } = await setUp()
    for (const role of ['viewer', 'operator'] as const) {
      await expectRefusal(create({}, as(await makeUser({ role }))), 'not_found')
    }
    const member = await makeUser({ role: 'operator' })
    const theirs = await makeProject({ members: [member] })
    await expectRefusal(create({ project_id: theirs.id }, as(member)), 'forbidden')
    await expectRefusal(create({ project_id: '01890000-0000-7000-8000-000000000000' }), 'not_found')
  })

  it('changes nothing in a closed project', async () => {
    const user = await makeUser()
    const project = await makeProject({ members: [user], status: 'completed' })
    const input = { project_id: project.id, title: 'Late', line_items: [item()] }
    await expectRefusal(createEstimate.execute(as(user), {}, input), 'project_closed')
  })
})

describe('a draft', () => {
  it('is changed in part, and its sums follow', async () => {
    const { user, create } = await setUp()
    const estimate = await create()
    const changed = await updateEstimate.execute(as(user), on(estimate), { tax_rate: 20, title: 'Summer set' })
    expect(changed).toMatchObject({ title: 'Summer set', subtotal: 99.99, tax_amount: 20, total: 119.99 })
    await expectRefusal(
      updateEstimate.execute(as(user, { precondition: () => false }), on(estimate), { title: 'Mine' }),
      'stale',
    )
  })

  it('can be deleted; what was submitted cannot', async () => {
    const { user, create } = await setUp()
    const [draft, sent] = [await create(), await create()]
    await submitEstimate.execute(as(user), on(sent))
    expect(await deleteEstimate.execute(as(user), on(draft))).toEqual({ deleted: true, restored: null })
    await expectRefusal(getEstimate.execute(as(user), on(draft)), 'not_found')
    const refused = await expectRefusal(deleteEstimate.execute(as(user), on(sent)), 'invalid_state')
    expect(refused.facts).toMatchObject({ current: 'awaiting_client_approval', allowed: ['draft'] })
    await expectRefusal(updateEstimate.execute(as(user), on(sent), { title: 'Late' }), 'invalid_state')
  })

  it('is not seen by those outside the project', async () => {
    const { create } = await setUp()
    const estimate = await create()
    const stranger = as(await makeUser({ role: 'coordinator' }))
    for (const operation of [getEstimate, submitEstimate, deleteEstimate, reviseEstimate, listEstimateRevisions])
      await expectRefusal(operation.execute(stranger, on(estimate)), 'not_found')
    expect((await listEstimates.execute(stranger, {})).cost_estimates).toEqual([])
  })
})

describe('without a workflow', () => {
  it('a submitted estimate awaits the client, at a link of its own', async () => {
    await workflow([])
    const { user, create } = await setUp()
    const sent = await submitEstimate.execute(as(user), on(await create()))
    expect(sent).toMatchObject({ status: 'awaiting_client_approval', approval: null })
    expect(sent.client_url).toMatch(/^http:\/\/localhost:3000\/e\/[0-9A-Za-z]{16}$/)
    await expectRefusal(submitEstimate.execute(as(user), on(sent)), 'invalid_state')
  })

  it('a coordinator records what the client decided; of two at once one counts', async () => {
    await workflow([])
    const { user, create } = await setUp()
    const sent = await submitEstimate.execute(as(user), on(await create()))
    const outcomes = await Promise.allSettled([
      approveEstimate.execute(as(user), on(sent), { comment: 'by phone' }),
      rejectEstimate.execute(as(user), on(sent)),
    ])
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    const now = await getEstimate.execute(as(user), on(sent))
    expect(['approved', 'rejected']).toContain(now.status)
    expect(now.decisions.filter(({ decision }) => decision !== 'submitted')).toHaveLength(1)
  })

  it('is expired once its last day is over, and can then be revised only', async () => {
    await workflow([])
    const { user, create } = await setUp()
    const today = new Date().toISOString().slice(0, 10)
    const sent = await submitEstimate.execute(as(user), on(await create({ valid_until: today })))
    const tomorrow = { now: new Date(`${today}T23:59:59.999Z`) }
    expect((await getEstimate.execute(as(user, tomorrow), on(sent))).status).toBe('awaiting_client_approval')
    const after = { now: new Date(Date.parse(`${today}T23:59:59.999Z`) + 1) }
    expect((await getEstimate.execute(as(user, after), on(sent))).status).toBe('expired')
    await expectRefusal(approveEstimate.execute(as(user, after), on(sent)), 'invalid_state')
    expect(await listEstimates.execute(as(user, after), {}, { status: 'expired' })).toMatchObject({
      cost_estimates: [{ id: sent.id }],
    })
    expect(
      (await listEstimates.execute(as(user, after), {}, { status: 'awaiting_client_approval' })).cost_estimates,
    ).toEqual([])
    expect((await reviseEstimate.execute(as(user, after), on(sent))).status).toBe('draft')
  })
})

describe('with a workflow', () => {
  it('the steps decide in order, by role and by person; authors do not decide their own', async () => {
    const chief = await makeUser({ role: 'operator' })
    await workflow([
      { name: 'Production', role: 'coordinator' },
      { name: 'Finance', user_id: chief.id },
    ])
    const user = await makeUser({ role: 'coordinator' })
    const colleague = await makeUser({ role: 'coordinator' })
    const project = await makeProject({ members: [user, colleague, chief] })
    const draft = await createEstimate.execute(
      as(user),
      {},
      { project_id: project.id, title: 'T', line_items: [item()] },
    )
    const sent = await submitEstimate.execute(as(user), on(draft))
    expect(sent).toMatchObject({
      status: 'awaiting_internal_approval',
      client_url: null,
      approval: { current_step: 0 },
    })
    await expectRefusal(approveEstimate.execute(as(user), on(sent)), 'forbidden')
    await expectRefusal(approveEstimate.execute(as(chief), on(sent)), 'forbidden')
    expect(await titlesFor(colleague)).toEqual([`${sent.number} waits for your approval`])
    expect(await titlesFor(user)).toEqual([])
    const half = await approveEstimate.execute(as(colleague), on(sent), { comment: 'fine' })
    expect(half.approval).toMatchObject({
      current_step: 1,
      steps: [{ status: 'approved', by: { id: colleague.id }, comment: 'fine' }, { status: 'pending' }],
    })
    // A change of the workflow is not for those under way.
    await workflow([])
    const done = await approveEstimate.execute(as(chief), on(sent))
    expect(done).toMatchObject({ status: 'awaiting_client_approval', approval: { current_step: null } })
    expect((await getEstimate.execute(as(user), on(sent))).client_url).not.toBeNull()
    expect(await titlesFor(chief)).toEqual([`${sent.number} waits for your approval`])
    expect((await eventsAbout(sent.id)).map(({ type }) => type)).toEqual([
      'estimate.created',
      'estimate.submitted',
      'estimate.step_approved',
      'estimate.step_approved',
    ])
  })

  it('a rejection inside ends it; the revision is a draft again and the old one stays readable', async () => {
    await workflow([{ name: 'Production', role: 'coordinator' }], true)
    const { user, create } = await setUp()
    const sent = await submitEstimate.execute(as(user), on(await create()))
    const refused = await rejectEstimate.execute(as(user), on(sent), { comment: 'too dear' })
    expect(refused).toMatchObject({
      status: 'rejected',
      approval: { steps: [{ status: 'rejected', comment: 'too dear' }] },
    })
    const revised = await reviseEstimate.execute(as(user), on(sent))
    expect(revised).toMatchObject({ status: 'draft', revision: 2, approval: null })
    await updateEstimate.execute(as(user), on(sent), { line_items: [item({ unit_price: 10 })] })
    const { revisions } = await listEstimateRevisions.execute(as(user), on(sent))
    expect(revisions.map(({ revision, total }) => [revision, total])).toEqual([
      [2, 20],
      [1, 99.99],
    ])
    await workflow([])
  })

  it('a step above an amount is for those above it only', async () => {
    await workflow([{ name: 'Board', role: 'administrator', above: 1000 }])
    const { user, create } = await setUp()
    expect((await submitEstimate.execute(as(user), on(await create()))).status).toBe('awaiting_client_approval')
    const dear = await create({ line_items: [item({ quantity: 100 })] })
    expect((await submitEstimate.execute(as(user), on(dear))).status).toBe('awaiting_internal_approval')
    const foreign = await create({ currency: 'JPY', line_items: [item({ unit_price: 10 })] })
    expect((await submitEstimate.execute(as(user), on(foreign))).status).toBe('awaiting_internal_approval')
    await workflow([])
  })
})

describe('a project', () => {
  it('shows what approved estimates quoted against what was used, and counts its estimates', async () => {
    await workflow([])
    const { user, project, create } = await setUp()
    const priced = { line_items: [item({ quantity: 3, unit: 'file' }), item({ quantity: 2, unit: 'round' })] }
    await create(priced)
    const sent = await submitEstimate.execute(as(user), on(await create(priced)))
    const scope = () => getProjectScope.execute(as(user), { project_id: project.id })
    expect(await scope()).toEqual({ quoted: { files: 0, rounds: 0 }, used: { files: 0, rounds: 0 } })
    await approveEstimate.execute(as(user), on(sent))
    const batch = await makeBatch({ projectId: project.id, round: 3 })
    await makeFile(batch)
    expect(await scope()).toEqual({ quoted: { files: 3, rounds: 2 }, used: { files: 1, rounds: 3 } })
    expect((await getProject.execute(as(user), { project_id: project.id })).counts.estimates).toBe(2)
  })
})

describe('the client', () => {
  const sentTo = async (user: UserRow, create: (more?: object) => Promise<Estimate>, more: object = {}) => {
    await workflow([])
    return submitEstimate.execute(as(user), on(await create(more)))
  }

  it('sees the estimate, leaves out options, and the server computes the total', async () => {
    const { user, create } = await setUp()
    const sent = await sentTo(user, create, { line_items: [item(), item({ optional: true, unit_price: 10 })] })
    const seen = await getClientEstimate.execute(client(sent), tokenOf(sent))
    expect(seen).toMatchObject({ status: 'awaiting_client_approval', total: 119.99, decision: null })
    const option = seen.line_items[1]?.id ?? ''
    const decide = (input: object) => decideClientEstimate.execute(client(sent), tokenOf(sent), input)
    await expectRefusal(
      decide({ decision: 'approve', name: 'Ada', declined_line_ids: [seen.line_items[0]?.id] }),
      'validation_failed',
      ['declined_line_ids'],
    )
    await expectRefusal(
      decide({ decision: 'approve', name: 'Ada', declined_line_ids: [option], total: 119.99 }),
      'validation_failed',
      ['total'],
    )
    await expectRefusal(decide({ decision: 'approve', name: ' ' }), 'validation_failed', ['name'])
    const approved = await decide({
      decision: 'approve',
      name: 'Ada',
      comment: 'go',
      declined_line_ids: [option],
      total: 99.99,
    })
    expect(approved).toMatchObject({
      status: 'approved',
      total: 99.99,
      decision: { decision: 'approved', name: 'Ada', comment: 'go' },
    })
    await expectRefusal(decide({ decision: 'reject', name: 'Ada' }), 'invalid_state')
    const staff = await getEstimate.execute(as(user), on(sent))
    expect(staff.decisions.at(-1)).toMatchObject({
      side: 'client',
      decision: 'approved',
      by: { id: null, name: 'Ada' },
    })
  })

  it.each([
    ['RSD', 4564.44],
    ['IQD', 4564.442],
    ['HUF', 4564.44],
    ['IDR', 4564.44],
    ['KWD', 4564.442],
    ['JPY', 4564],
    ['CLF', 4564.4421],
  ])('approves %s at the total that ISO 4217 and the page write', async (currency, total) => {
    const { user, create } = await setUp()
    const line_items = [item({ quantity: 1, unit_price: 4564.4421 })]
    const sent = await sentTo(user, create, { currency, line_items })
    expect(sent.total).toBe(total)
    const decision = { decision: 'approve', name: 'Ada', total }
    const approved = await decideClientEstimate.execute(client(sent), tokenOf(sent), decision)
    expect(approved).toMatchObject({ status: 'approved', total })
  })

  it('takes a decision back while that is possible, and not a moment longer', async () => {
    const { user, create } = await setUp()
    const sent = await sentTo(user, create)
    const decision = await decideClientEstimate.execute(client(sent), tokenOf(sent), {
      decision: 'reject',
      name: 'Ada',
    })
    expect(decision.undo_until).not.toBeNull()
    const back = await undoClientDecision.execute(client(sent, minutes(14)), tokenOf(sent))
    expect(back).toMatchObject({ status: 'awaiting_client_approval', decision: null })
    await decideClientEstimate.execute(client(sent), tokenOf(sent), { decision: 'approve', name: 'Ada' })
    await expectRefusal(undoClientDecision.execute(client(sent, minutes(16)), tokenOf(sent)), 'invalid_state')
  })

  it('reads in words of their own why no decision is taken, and nothing of how far it has come inside', async () => {
    const { user, create } = await setUp()
    const refusedAs = async (estimate: Estimate, at?: Date) => {
      const decision = { decision: 'approve', name: 'Ada' }
      const decide = decideClientEstimate.execute(client(estimate, at), tokenOf(sent), decision)
      return expectRefusal(decide, 'invalid_state')
    }
    const sent = await sentTo(user, create, {
      valid_until: minutes(60 * 24 * 3)
        .toISOString()
        .slice(0, 10),
    })
    expect((await refusedAs(sent, minutes(60 * 24 * 9))).detail).toMatch(/ is expired; /)
    await workflow([{ name: 'Margin', role: 'administrator' }])
    await reviseEstimate.execute(as(user), on(sent))
    await submitEstimate.execute(as(user), on(sent))
    const inside = await refusedAs(sent)
    expect(inside.detail).toMatch(/is being revised/)
    expect(JSON.stringify(inside)).not.toMatch(/internal|Margin/)
    await workflow([])
    const again = await sentTo(user, create)
    await approveEstimate.execute(as(user), on(again))
    const late = decideClientEstimate.execute(client(again), tokenOf(again), { decision: 'reject', name: 'Ada' })
    const { detail } = await expectRefusal(late, 'invalid_state')
    expect(detail).toMatch(/ is approved; it can be decided only while it awaits your approval/)
  })

  it('finds nothing behind a revoked or unknown link, and nothing of a revision in the making', async () => {
    const { user, create } = await setUp()
    const sent = await sentTo(user, create)
    await reviseEstimate.execute(as(user), on(sent))
    await expectRefusal(getClientEstimate.execute(client(sent), tokenOf(sent)), 'invalid_state')
    await revokeEstimateLink.execute(as(user), on(sent))
    await expectRefusal(getClientEstimate.execute(client(sent), tokenOf(sent)), 'not_found')
    await expectRefusal(getClientEstimate.execute(client(sent), { token: 'x' }), 'not_found')
  })

  it('sees nothing of a revision that was refused inside, whatever they decided before', async () => {
    const { user, create } = await setUp()
    const sent = await sentTo(user, create)
    await decideClientEstimate.execute(client(sent), tokenOf(sent), { decision: 'reject', name: 'Ada' })
    await reviseEstimate.execute(as(user), on(sent))
    await workflow([{ name: 'Production', role: 'coordinator' }], true)
    await updateEstimate.execute(as(user), on(sent), { title: 'Secret' })
    await submitEstimate.execute(as(user), on(sent))
    await rejectEstimate.execute(as(user), on(sent), { comment: 'not like this' })
    await expectRefusal(getClientEstimate.execute(client(sent), tokenOf(sent)), 'invalid_state')
    await expectRefusal(openClientEstimate.execute(client(sent), tokenOf(sent)), 'invalid_state')
    await expectRefusal(undoClientDecision.execute(client(sent), tokenOf(sent)), 'invalid_state')
    await workflow([])
  })

  it('decides once, when two decisions come at the same time', async () => {
    const { user, create } = await setUp()
    const sent = await sentTo(user, create)
    const outcomes = await Promise.allSettled(
      ['approve', 'reject', 'approve'].map((decision) =>
        decideClientEstimate.execute(client(sent), tokenOf(sent), { decision, name: 'Ada' }),
      ),
    )
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })
})
