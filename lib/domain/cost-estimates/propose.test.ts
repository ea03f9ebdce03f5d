import { eq } from 'drizzle-orm'
import { expect, it } from 'vitest'
import { database } from '@/db/client'
import { notifications } from '@/db/schema/events'
import { batches } from '@/db/schema/projects'
import { makeBatch, makeFile, makeProject, makeUser } from '@/fixtures/factories'
import { submitBatch } from '../batches/commands'
import { as } from '../testing'
import { createEstimate, submitEstimate } from './commands'
import { approveEstimate, rejectEstimate } from './decide'
import { getEstimate, listEstimates } from './queries'

/** A project that was quoted two rounds, with a batch whose next submission begins round `round`. */
async function quotedTwoRounds(round: number) {
  const user = await makeUser({ role: 'coordinator' })
  const operator = await makeUser({ role: 'operator' })
  const project = await makeProject({ members: [user, operator] })
  const batch = await makeBatch({ projectId: project.id, operatorId: operator.id, coordinatorId: user.id })
  await makeFile(batch)
  const create = (line: object) =>
    createEstimate.execute(
      as(user),
      {},
      {
        project_id: project.id,
        title: 'Spring',
        currency: 'EUR',
        tax_rate: 19,
        line_items: [{ description: 'Review round', quantity: 2, unit_price: 150.5, unit: 'round', ...line }],
      },
    )
  const at = (id: string) => ({ estimate_id: id })
  const quote = await create({})
  await submitEstimate.execute(as(user), at(quote.id))
  await approveEstimate.execute(as(user), at(quote.id), {})
  const submitRound = async (to: number) => {
    await database()
      .db.update(batches)
      .set({ round: to - 1, status: to === 1 ? 'open' : 'awaiting_resupply' })
      .where(eq(batches.id, batch.id))
    await submitBatch.execute(as(user), { project_id: project.id, batch_id: batch.id })
  }
  const drafts = async () =>
    (await listEstimates.execute(as(user), {}, { project_id: project.id, status: 'draft' })).cost_estimates
  if (round > 0) await submitRound(round)
  return { user, project, batch, create, at, submitRound, drafts }
}

it('a round within the quote proposes nothing', async () => {
  expect(await (await quotedTwoRounds(2)).drafts()).toEqual([])
})

it('a round beyond the quote proposes one more at the price quoted, as a draft that was not sent', async () => {
  const { user, batch, at, drafts } = await quotedTwoRounds(3)
  const [draft, ...others] = await drafts()
  expect(others).toEqual([])
  const proposed = await getEstimate.execute(as(user), at(draft?.id ?? ''))
  expect(proposed).toMatchObject({
    title: `Extra review round: ${batch.name}`,
    status: 'draft',
    currency: 'EUR',
    line_items: [{ description: 'Review round', quantity: 1, unit: 'round', amount: 150.5 }],
    total: 179.1,
    client_url: null,
    created_by: { id: user.id },
  })
  expect(proposed.notes).toContain('Round 3')
  const notified = await database().db.select().from(notifications).where(eq(notifications.userId, user.id))
  expect(notified.map(({ title }) => title)).toContain(`${proposed.number} is proposed for a round beyond the quote`)
})

it('what an open estimate offers already is not proposed again; what was rejected is', async () => {
  const { user, create, at, submitRound, drafts } = await quotedTwoRounds(0)
  const offered = await create({ quantity: 1 })
  await submitRound(3)
  expect((await drafts()).map(({ id }) => id)).toEqual([offered.id])
  await submitEstimate.execute(as(user), at(offered.id))
  await rejectEstimate.execute(as(user), at(offered.id), {})
  await submitRound(3)
  expect(await drafts()).toHaveLength(1)
})

it('where no round was ever quoted there is nothing to go beyond', async () => {
  const user = await makeUser({ role: 'coordinator' })
  const operator = await makeUser({ role: 'operator' })
  const project = await makeProject({ members: [user, operator] })
  const batch = await makeBatch({ projectId: project.id, operatorId: operator.id, coordinatorId: user.id })
  await makeFile(batch)
  await submitBatch.execute(as(user), { project_id: project.id, batch_id: batch.id })
  expect((await listEstimates.execute(as(user), {}, { project_id: project.id })).cost_estimates).toEqual([])
})
