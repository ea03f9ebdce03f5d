import { sql } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { database } from '@/db/client'
import { makeProject, makeUser, type UserRow } from '@/fixtures/factories'
import { as, eventsAbout, expectRefusal, unchangedSince } from '../testing'
import { decideClientEstimate, getClientEstimate, undoClientDecision } from './client'
import { createEstimate, deleteEstimate, reviseEstimate, submitEstimate, updateEstimate } from './commands'
import { approveEstimate, rejectEstimate } from './decide'
import { getEstimate, listEstimateRevisions } from './queries'
import type { Estimate } from './schema'
import { updateApprovalWorkflow } from './workflow'

const on = ({ id }: { id: string }) => ({ estimate_id: id })
const workflow = async (steps: object[], allow_own = false) =>
  updateApprovalWorkflow.execute(as(await makeUser({ role: 'administrator' })), {}, { steps, allow_own })

async function setUp() {
  const [author, colleague, third] = [
    await makeUser({ role: 'coordinator' }),
    await makeUser({ role: 'coordinator' }),
    await makeUser({ role: 'coordinator' }),
  ]
  const project = await makeProject({ members: [author, colleague, third] })
  const create = (more: object = {}) =>
    createEstimate.execute(
      as(author),
      {},
      {
        project_id: project.id,
        title: 'Spring set',
        line_items: [{ description: 'Banner', quantity: 2, unit_price: 50 }],
        ...more,
      },
    )
  return { author, colleague, third, create }
}

/** Lets every decision reach the estimate before any of them may have it. */
async function atOnce(id: string, decisions: (() => Promise<unknown>)[]) {
  const { db } = database()
  let outcomes: Promise<PromiseSettledResult<unknown>[]> | undefined
  await db.transaction(async (holder) => {
    await holder.execute(sql`select 1 from cost_estimates where id = ${id} for update`)
    outcomes = Promise.allSettled(decisions.map((decide) => decide()))
    await expect
      .poll(async () => {
        const [row] = await db.execute<{ waiting: number }>(
          sql`select count(*)::int as waiting from pg_locks where not granted and pid <> pg_backend_pid()`,
        )
        return row?.waiting
      })
      .toBeGreaterThanOrEqual(decisions.length)
  })
  return (await outcomes) ?? []
}

const refusedOf = (outcomes: PromiseSettledResult<unknown>[]) =>
  outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []))

describe('two decisions about a step at once', () => {
  it('count as one: the second never speaks for the client', async () => {
    await workflow([{ name: 'Production', role: 'coordinator' }])
    const { author, colleague, third, create } = await setUp()
    const sent = await submitEstimate.execute(as(author), on(await create()))
    const outcomes = await atOnce(
      sent.id,
      [colleague, third].map((who: UserRow) => () => approveEstimate.execute(as(who), on(sent))),
    )
    const now = await getEstimate.execute(as(author), on(sent))
    expect(now.status).toBe('awaiting_client_approval')
    expect(refusedOf(outcomes)).toMatchObject([{ code: 'invalid_state', facts: { current: now.status } }])
  })

  it('take one step, not the next one as well', async () => {
    await workflow([
      { name: 'Production', role: 'coordinator' },
      { name: 'Finance', role: 'coordinator' },
    ])
    const { author, colleague, create } = await setUp()
    const sent = await submitEstimate.execute(as(author), on(await create()))
    const twice = () => approveEstimate.execute(as(colleague), on(sent))
    const outcomes = await atOnce(sent.id, [twice, twice])
    expect((await getEstimate.execute(as(author), on(sent))).approval?.current_step).toBe(1)
    expect(refusedOf(outcomes)).toMatchObject([{ code: 'invalid_state' }])
  })

  it('approve and reject of the last step: whichever comes first', async () => {
    await workflow([{ name: 'Production', role: 'coordinator' }])
    const { author, colleague, third, create } = await setUp()
    const sent = await submitEstimate.execute(as(author), on(await create()))
    const outcomes = await atOnce(sent.id, [
      () => approveEstimate.execute(as(colleague), on(sent)),
      () => rejectEstimate.execute(as(third), on(sent)),
    ])
    expect(refusedOf(outcomes)).toMatchObject([{ code: 'invalid_state' }])
    const { decisions } = await getEstimate.execute(as(author), on(sent))
    expect(decisions.filter(({ decision }) => decision !== 'submitted')).toHaveLength(1)
  })
})

describe('a decision', () => {
  it('about an estimate another user decided since it was read is refused by If-Match', async () => {
    await workflow([{ name: 'Production', role: 'coordinator' }])
    const { author, colleague, third, create } = await setUp()
    const sent = await submitEstimate.execute(as(author), on(await create()))
    const precondition = unchangedSince(await getEstimate.execute(as(third), on(sent)))
    await approveEstimate.execute(as(colleague), on(sent))
    await expectRefusal(approveEstimate.execute(as(third, { precondition }), on(sent)), 'stale')
    await expectRefusal(rejectEstimate.execute(as(third, { precondition }), on(sent)), 'stale')
  })

  it('pressed again in a second window names the first press, not another user', async () => {
    await workflow([
      { name: 'Production', role: 'coordinator' },
      { name: 'Finance', role: 'coordinator' },
    ])
    const { author, colleague, third, create } = await setUp()
    const sent = await submitEstimate.execute(as(author), on(await create()))
    const precondition = unchangedSince(await getEstimate.execute(as(colleague), on(sent)))
    await approveEstimate.execute(as(colleague, { precondition }), on(sent))
    const again = await expectRefusal(approveEstimate.execute(as(colleague, { precondition }), on(sent)), 'stale')
    expect(again.detail).toMatch(/^You approved “Production” yourself already, at .*; nothing was recorded twice\./)
    const other = await expectRefusal(approveEstimate.execute(as(third, { precondition }), on(sent)), 'stale')
    expect(other.detail).not.toContain('yourself')
  })

  it('about one’s own estimate is refused, also when another user submitted it', async () => {
    await workflow([{ name: 'Production', role: 'coordinator' }])
    const { author, colleague, create } = await setUp()
    const sent = await submitEstimate.execute(as(colleague), on(await create()))
    await expectRefusal(approveEstimate.execute(as(author), on(sent)), 'forbidden')
    await expectRefusal(approveEstimate.execute(as(colleague), on(sent)), 'forbidden')
  })
})

describe('a draft of a later revision', () => {
  const priced = { line_items: [{ description: 'Poster', quantity: 3, unit_price: 7.5 }], title: 'Other', tax_rate: 7 }

  /** Rejected by the client, revised and changed. */
  async function revised() {
    await workflow([])
    const { author, colleague, create } = await setUp()
    const sent = await submitEstimate.execute(as(author), on(await create()))
    const before = await rejectEstimate.execute(as(author), on(sent), { comment: 'too dear' })
    await reviseEstimate.execute(as(author), on(sent))
    await updateEstimate.execute(as(author), on(sent), {
      ...priced,
      discount: { type: 'percent', value: 5 },
      notes: 'N',
    })
    return { author, colleague, create, before }
  }
  /** What a revision is, apart from its history and when it was last touched. */
  const essence = ({ decisions: _, updated_at: __, ...rest }: Estimate) => rest

  it('is discarded: the revision before it stands again in every detail, and the history says so', async () => {
    const { author, colleague, before } = await revised()
    const { restored } = await deleteEstimate.execute(as(colleague), on(before))
    expect(restored && essence(restored)).toEqual(essence(before))
    const now = await getEstimate.execute(as(author), on(before))
    expect(now).toEqual(restored)
    expect(now.decisions.map(({ decision, revision, by }) => [decision, revision, by.name])).toEqual([
      ['submitted', 1, author.name],
      ['rejected', 1, author.name],
      ['revised', 1, author.name],
      ['discarded', 2, colleague.name],
    ])
    const { revisions } = await listEstimateRevisions.execute(as(author), on(before))
    expect(revisions).toEqual([now])
    expect((await eventsAbout(before.id)).at(-1)).toMatchObject({
      type: 'estimate.revision_discarded',
      data: { revision: 2, stands_again: 1, before: { title: 'Other' }, after: { status: 'rejected', total: 100 } },
    })
    await expectRefusal(deleteEstimate.execute(as(author), on(before)), 'invalid_state')
  })

  it('keeps the number for its estimate, and the number of the revision for the next draft', async () => {
    const { author, create, before } = await revised()
    await deleteEstimate.execute(as(author), on(before))
    expect((await create()).number).not.toBe(before.number)
    const again = await reviseEstimate.execute(as(author), on(before))
    expect(again).toMatchObject({ number: before.number, revision: 2, title: before.title, total: before.total })
    const { restored } = await deleteEstimate.execute(as(author), on(before))
    expect(restored && essence(restored)).toEqual(essence(before))
  })

  it('that took the place of one under approval gives it back to the approver it waited for', async () => {
    await workflow([
      { name: 'Production', role: 'coordinator' },
      { name: 'Finance', role: 'coordinator' },
    ])
    const { author, colleague, third, create } = await setUp()
    const sent = await submitEstimate.execute(as(author), on(await create()))
    const half = await approveEstimate.execute(as(colleague), on(sent), { comment: 'fine' })
    await reviseEstimate.execute(as(author), on(sent))
    await expectRefusal(approveEstimate.execute(as(third), on(sent)), 'invalid_state')
    const { restored } = await deleteEstimate.execute(as(author), on(sent))
    expect(restored?.approval).toEqual(half.approval)
    // What a user submitted is still nothing they may approve themselves.
    await expectRefusal(approveEstimate.execute(as(author), on(sent)), 'forbidden')
    expect((await approveEstimate.execute(as(third), on(sent))).status).toBe('awaiting_client_approval')
  })

  it('gives the client the same estimate at the same link, options and the time to change their mind included', async () => {
    await workflow([])
    const { author, create } = await setUp()
    const sent = await submitEstimate.execute(as(author), on(await create()))
    const token = { token: sent.client_url?.split('/').at(-1) ?? '' }
    const asClient = { ...as('anonymous'), actor: { type: 'client' as const, id: sent.id, name: 'The client' } }
    await decideClientEstimate.execute(asClient, token, { decision: 'reject', name: 'Ada' })
    const seen = await getClientEstimate.execute(asClient, token)
    await reviseEstimate.execute(as(author), on(sent))
    await expectRefusal(getClientEstimate.execute(asClient, token), 'invalid_state')
    await deleteEstimate.execute(as(author), on(sent))
    expect(await getClientEstimate.execute(asClient, token)).toEqual(seen)
    expect((await undoClientDecision.execute(asClient, token)).status).toBe('awaiting_client_approval')
  })

  it('of one that had expired leaves it expired', async () => {
    await workflow([])
    const { author, create } = await setUp()
    const today = new Date().toISOString().slice(0, 10)
    const sent = await submitEstimate.execute(as(author), on(await create({ valid_until: today })))
    const later = { now: new Date(Date.parse(today) + 2 * 86_400_000) }
    await reviseEstimate.execute(as(author, later), on(sent))
    const { restored } = await deleteEstimate.execute(as(author, later), on(sent))
    expect(restored?.status).toBe('expired')
  })

  it('is discarded once, however many ask at once', async () => {
    const { author, colleague, before } = await revised()
    const outcomes = await atOnce(
      before.id,
      [author, colleague, author].map((who) => () => deleteEstimate.execute(as(who), on(before))),
    )
    expect(refusedOf(outcomes)).toMatchObject([{ code: 'invalid_state' }, { code: 'invalid_state' }])
    const now = await getEstimate.execute(as(author), on(before))
    expect(essence(now)).toEqual(essence(before))
    expect(now.decisions.filter(({ decision }) => decision === 'discarded')).toHaveLength(1)
  })

  it('that is submitted at the same moment is either sent or discarded, never both', async () => {
    const { author, colleague, before } = await revised()
    const outcomes = await atOnce(before.id, [
      () => submitEstimate.execute(as(author), on(before)),
      () => deleteEstimate.execute(as(colleague), on(before)),
    ])
    expect(refusedOf(outcomes)).toMatchObject([{ code: 'invalid_state' }])
    const { status, revision } = await getEstimate.execute(as(author), on(before))
    expect([
      ['awaiting_client_approval', 2],
      ['rejected', 1],
    ]).toContainEqual([status, revision])
  })

  it('is not discarded by a user who saw another version of it', async () => {
    const { author, colleague, before } = await revised()
    const precondition = unchangedSince(await getEstimate.execute(as(colleague), on(before)))
    await updateEstimate.execute(as(author), on(before), { title: 'Written meanwhile' })
    await expectRefusal(deleteEstimate.execute(as(colleague, { precondition }), on(before)), 'stale')
    expect((await getEstimate.execute(as(author), on(before))).title).toBe('Written meanwhile')
  })
})
