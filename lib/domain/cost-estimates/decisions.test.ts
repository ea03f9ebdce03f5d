import { sql } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { database } from '@/db/client'
import { makeProject, makeUser, type UserRow } from '@/db/factories'
import { entityTag } from '../kernel/operation'
import { as, expectRefusal } from '../testing'
import { createEstimate, deleteEstimate, reviseEstimate, submitEstimate } from './commands'
import { approveEstimate, rejectEstimate } from './decide'
import { getEstimate } from './queries'
import { updateApprovalWorkflow } from './workflow'

const on = ({ id }: { id: string }) => ({ estimate_id: id })
const workflow = async (steps: object[], allow_own = false) =>
  updateApprovalWorkflow.execute(as(await makeUser({ role: 'administrator' })), {}, { steps, allow_own })

async function desk() {
  const [author, colleague, third] = [
    await makeUser({ role: 'coordinator' }),
    await makeUser({ role: 'coordinator' }),
    await makeUser({ role: 'coordinator' }),
  ]
  const project = await makeProject({ members: [author, colleague, third] })
  const create = () =>
    createEstimate.execute(
      as(author),
      {},
      {
        project_id: project.id,
        title: 'Spring set',
        line_items: [{ description: 'Banner', quantity: 2, unit_price: 50 }],
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
    const { author, colleague, third, create } = await desk()
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
    const { author, colleague, create } = await desk()
    const sent = await submitEstimate.execute(as(author), on(await create()))
    const twice = () => approveEstimate.execute(as(colleague), on(sent))
    const outcomes = await atOnce(sent.id, [twice, twice])
    expect((await getEstimate.execute(as(author), on(sent))).approval?.current_step).toBe(1)
    expect(refusedOf(outcomes)).toMatchObject([{ code: 'invalid_state' }])
  })

  it('approve and reject of the last step: whichever comes first', async () => {
    await workflow([{ name: 'Production', role: 'coordinator' }])
    const { author, colleague, third, create } = await desk()
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
  it('about an estimate somebody else decided since it was read is refused by If-Match', async () => {
    await workflow([{ name: 'Production', role: 'coordinator' }])
    const { author, colleague, third, create } = await desk()
    const sent = await submitEstimate.execute(as(author), on(await create()))
    const ifMatch = entityTag(await getEstimate.execute(as(third), on(sent)))
    await approveEstimate.execute(as(colleague), on(sent))
    await expectRefusal(approveEstimate.execute(as(third, { ifMatch }), on(sent)), 'stale')
    await expectRefusal(rejectEstimate.execute(as(third, { ifMatch }), on(sent)), 'stale')
  })

  it('about one’s own estimate is refused, whoever submitted it', async () => {
    await workflow([{ name: 'Production', role: 'coordinator' }])
    const { author, colleague, create } = await desk()
    const sent = await submitEstimate.execute(as(colleague), on(await create()))
    await expectRefusal(approveEstimate.execute(as(author), on(sent)), 'forbidden')
    await expectRefusal(approveEstimate.execute(as(colleague), on(sent)), 'forbidden')
  })
})

describe('a number a client has seen', () => {
  it('is never given to another estimate, and what was decided under it is not deleted', async () => {
    await workflow([])
    const { author, create } = await desk()
    const sent = await submitEstimate.execute(as(author), on(await create()))
    await rejectEstimate.execute(as(author), on(sent), { comment: 'too dear' })
    await reviseEstimate.execute(as(author), on(sent))
    const refused = await expectRefusal(deleteEstimate.execute(as(author), on(sent)), 'invalid_state')
    expect(refused.detail).toContain('was submitted before')
    expect((await create()).number).not.toBe(sent.number)
    const { decisions } = await getEstimate.execute(as(author), on(sent))
    expect(decisions.map(({ decision }) => decision)).toEqual(['submitted', 'rejected', 'revised'])
  })
})
