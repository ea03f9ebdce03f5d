import { eq } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { database } from '@/db/client'
import { notifications } from '@/db/schema/events'
import { files } from '@/db/schema/files'
import { recordStatements } from '@/db/testing'
import { makeBatch, makeFile, makeProject, makeUser } from '@/fixtures/factories'
import { completeReview } from '../batches/commands'
import type { Context } from '../kernel/operation'
import { reviewFile, reviewFiles, undoReviews } from '../review/commands'
import { decideAsGuest, getReviewRoom } from '../review-links/public'
import { createReviewLink } from '../review-links/staff'
import { as, eventsAbout, expectRefusal } from '../testing'
import {
  createReviewStage,
  listReviewStages,
  remindStage,
  skipReviewStage,
  updateReviewStage,
  withdrawReviewStage,
} from './stages'

const NOW = new Date('2026-03-02T10:00:00.000Z')
const later = (ms: number) => new Date(NOW.getTime() + ms)
const HOUR = 3_600_000

async function workspace() {
  const coordinator = await makeUser({ role: 'coordinator', name: 'Caro' })
  const [ann, bob] = [
    await makeUser({ role: 'operator', name: 'Ann' }),
    await makeUser({ role: 'operator', name: 'Bob' }),
  ]
  const project = await makeProject({ members: [coordinator, ann, bob] })
  const batch = await makeBatch({
    projectId: project.id,
    status: 'in_review',
    operatorId: ann.id,
    coordinatorId: coordinator.id,
    submittedAt: NOW,
  })
  const file = await makeFile(batch, { name: 'poster.png' })
  const path = { project_id: project.id, batch_id: batch.id }
  const boss = (now = NOW) => as(coordinator, { now })
  const add = (input: Record<string, unknown>) =>
    createReviewStage.execute(boss(), path, { party: 'internal', ...input })
  const stages = async () => (await listReviewStages.execute(boss(), path)).stages
  const decide = (who: typeof ann, decision: 'approve' | 'reject', now = NOW) =>
    reviewFile.execute(
      as(who, { now }),
      { ...path, file_id: file.id },
      { decision, ...(decision === 'reject' && { comment: 'No' }) },
    )
  return { coordinator, ann, bob, project, batch, file, path, boss, add, stages, decide }
}
type Place = Awaited<ReturnType<typeof workspace>>

/** A link for the stage, and its holder as the entry point lets them in. */
async function guestAt({ boss, batch }: Place, stage_id: string, now = NOW) {
  const link = await createReviewLink.execute(
    boss(),
    {},
    { batch_id: batch.id, name: 'Cleo', party: 'client', stage_id },
  )
  const token = link.url.split('/').at(-1) ?? ''
  const ctx = as('anonymous', { now })
  const actor = await getReviewRoom.authenticateAs?.(ctx, { token })
  const guest: Context = { ...ctx, actor: actor ?? ctx.actor }
  return { token, guest }
}

const statesOf = (stages: { name: string; state: string }[]) => stages.map(({ name, state }) => `${name} ${state}`)

describe('the stages of a review', () => {
  test('are made by coordinators for people who can take part, and refused by field', async () => {
    const place = await workspace()
    const { path, add, ann } = place
    await expectRefusal(createReviewStage.execute(as(ann), path, { name: 'x', party: 'legal' }), 'forbidden')
    await expectRefusal(
      createReviewStage.execute(as(await makeUser()), path, { name: 'x', party: 'legal' }),
      'not_found',
    )
    await expectRefusal(add({ name: ' ', needs: 'most' }), 'validation_failed', ['name', 'needs'])
    await expectRefusal(add({ name: 'x', due_at: NOW.toISOString() }), 'validation_failed', ['due_at'])
    const viewer = await makeUser({ role: 'viewer' })
    const stranger = await makeUser({ role: 'operator' })
    for (const id of [viewer.id, stranger.id, '0198f0c5-0000-7000-8000-000000000000'])
      await expectRefusal(add({ name: 'x', user_ids: [id] }), 'validation_failed', ['user_ids'])
    const made = await add({ name: 'Team', user_ids: [ann.id], due_at: later(HOUR).toISOString() })
    expect(made).toMatchObject({ state: 'open', position: 1, needs: 'any', users: [{ name: 'Ann' }], is_late: false })
    expect(await add({ name: 'Client', party: 'client' })).toMatchObject({ state: 'waiting', position: 2 })
    expect((await eventsAbout(made.id)).map(({ type }) => type)).toEqual(['review_stage.created'])
  })

  test('any of: one decides; all of: each has to approve, and one rejection is enough', async () => {
    const place = await workspace()
    const { add, stages, decide, ann, bob } = place
    await add({ name: 'Any', position: 1, user_ids: [ann.id, bob.id] })
    await add({ name: 'All', position: 1, needs: 'all', user_ids: [ann.id, bob.id] })
    await decide(ann, 'approve')
    expect(statesOf(await stages()).toSorted()).toEqual(['All open', 'Any done'])
    await decide(bob, 'approve', later(1000))
    expect(statesOf(await stages()).toSorted()).toEqual(['All done', 'Any done'])
    await decide(bob, 'reject', later(2000))
    expect((await stages()).map(({ counts }) => counts)).toEqual([
      { files: 1, approved: 0, rejected: 1 },
      { files: 1, approved: 0, rejected: 1 },
    ])
  })

  test('take what is decided on many files at once, and are read twice for all of them', async () => {
    const place = await workspace()
    const { add, stages, ann, bob, batch, file, path } = place
    await add({ name: 'Team', needs: 'all', user_ids: [ann.id, bob.id] })
    await add({ name: 'Legal', user_ids: [ann.id] })
    const others = await Promise.all([2, 3, 4, 5, 6].map((n) => makeFile(batch, { name: `poster-${n}.png` })))
    const file_ids = [file, ...others].map(({ id }) => id)
    const statements = recordStatements(database().sql)
    const all = (who: typeof ann, ms = 0) =>
      reviewFiles.execute(as(who, { now: later(ms) }), path, { file_ids, decision: 'approve' })
    await all(ann)
    expect(statements.filter(({ text }) => text.includes('with people as')).length).toBe(2)
    await all(bob, 1000)
    const counts = async () => (await stages()).map(({ name, state, counts }) => [name, state, counts.approved])
    expect(await counts()).toEqual([
      ['Team', 'done', 6],
      ['Legal', 'open', 0],
    ])
    await all(ann, 2000)
    expect(await counts()).toEqual([
      ['Team', 'done', 6],
      ['Legal', 'done', 6],
    ])
    await undoReviews.execute(as(ann, { now: later(3000) }), path, { file_ids })
    expect(await eventsAbout(file.id)).toMatchObject([
      { type: 'file.reviewed', data: { before: 'pending', after: 'approved' } },
      { type: 'file.reviewed' },
      { type: 'file.reviewed' },
      { type: 'file.review_undone', data: { after: 'approved' } },
    ])
  })

  test('come one after the other: the client decides when the team has, from a phone, and the batch waits for both', async () => {
    const place = await workspace()
    const { add, stages, decide, ann, file, path, boss } = place
    const team = await add({ name: 'Team', user_ids: [ann.id] })
    const client = await add({ name: 'Client', party: 'client' })
    const { token, guest } = await guestAt(place, client.id, later(HOUR))
    const approve = () =>
      decideAsGuest.execute(guest, { token, file_id: file.id }, { decision: 'approve', sha256: file.sha256 })
    const early = await expectRefusal(approve(), 'invalid_state')
    expect(early.facts.current).toBe('waiting')
    expect(await getReviewRoom.execute(guest, { token })).toMatchObject({
      may_decide: false,
      stage: { name: 'Client', state: 'waiting' },
    })

    await decide(ann, 'approve', later(60_000))
    expect((await stages()).map(({ state, open_since }) => [state, open_since])).toEqual([
      ['done', null],
      ['open', later(60_000).toISOString()],
    ])
    const held = await expectRefusal(completeReview.execute(boss(), path, {}), 'invalid_state')
    expect(held.detail).toContain('“Client”')
    await approve()
    expect((await eventsAbout(team.id)).map(({ type }) => type)).toContain('review_stage.completed')
    expect(await completeReview.execute(boss(later(2 * HOUR)), path, {})).toMatchObject({ status: 'approved' })
  })

  test('a decision at a withdrawn stage is refused, and so is one at a skipped one; both let the batch go on', async () => {
    const place = await workspace()
    const { add, stages, decide, ann, file, path, boss } = place
    const gone = await add({ name: 'Gone', party: 'legal', position: 1 })
    const left = await add({ name: 'Left', party: 'client', position: 1 })
    const input = { decision: 'approve', sha256: file.sha256 }
    const [legal, client] = [await guestAt(place, gone.id), await guestAt(place, left.id)]
    await withdrawReviewStage.execute(boss(), { ...path, stage_id: gone.id })
    await withdrawReviewStage.execute(boss(later(HOUR)), { ...path, stage_id: gone.id })
    await expectRefusal(
      skipReviewStage.execute(boss(), { ...path, stage_id: left.id }, { reason: ' ' }),
      'validation_failed',
      ['reason'],
    )
    const skipped = await skipReviewStage.execute(boss(), { ...path, stage_id: left.id }, { reason: 'On holiday' })
    expect(skipped).toMatchObject({ state: 'skipped', skipped: { reason: 'On holiday', by: { name: 'Caro' } } })
    for (const [{ token, guest }, state] of [
      [legal, 'withdrawn'],
      [client, 'skipped'],
    ] as const) {
      const refused = await expectRefusal(
        decideAsGuest.execute(guest, { token, file_id: file.id }, input),
        'invalid_state',
      )
      expect(refused.facts.current).toBe(state)
    }
    expect(statesOf(await stages()).toSorted()).toEqual(['Gone withdrawn', 'Left skipped'])
    expect((await eventsAbout(gone.id)).filter(({ type }) => type === 'review_stage.withdrawn')).toHaveLength(1)
    await decide(ann, 'approve')
    expect(await completeReview.execute(boss(), path, {})).toMatchObject({ status: 'approved' })
    await expectRefusal(add({ name: 'Late' }), 'invalid_state')
  })

  test('what was decided on other bytes does not count, and a decision that is taken back does not either', async () => {
    const place = await workspace()
    const { add, stages, decide, ann, bob, batch, file, path } = place
    await add({ name: 'Team', needs: 'all', user_ids: [ann.id, bob.id] })
    await decide(ann, 'approve')
    await decide(bob, 'approve')
    expect(statesOf(await stages())).toEqual(['Team done'])
    await undoReviews.execute(as(bob, { now: later(1000) }), path, { file_ids: [file.id] })
    expect(statesOf(await stages())).toEqual(['Team open'])
    await decide(bob, 'approve')
    await database().db.update(files).set({ isCurrent: false }).where(eq(files.id, file.id))
    await makeFile(batch, { name: 'poster.png', version: 2, supersedesId: file.id })
    expect((await stages())[0]).toMatchObject({ state: 'open', counts: { files: 1, approved: 0, rejected: 0 } })
  })

  test('without stages a review is completed as ever', async () => {
    const { decide, ann, path, stages } = await workspace()
    await decide(ann, 'approve')
    expect(await completeReview.execute(as(ann), path, {})).toMatchObject({ status: 'approved' })
    expect(await stages()).toEqual([])
  })

  test('a deadline is recalled to those who take part, once it is near or passed, unless it was moved or met', async () => {
    const place = await workspace()
    const { add, decide, ann, bob, path, boss } = place
    const due = later(2 * HOUR)
    const stage = await add({ name: 'Team', user_ids: [ann.id, bob.id], due_at: due.toISOString() })
    const recall = (at: Date, dueAt = due) =>
      remindStage(as('system', { now: at }), { stage_id: stage.id, due_at: dueAt.toISOString() })
    await recall(later(HOUR), later(5 * HOUR))
    await recall(later(3 * HOUR))
    const said = (await eventsAbout(stage.id)).filter(({ type }) => type === 'review_stage.due')
    expect(said.map(({ data }) => [data.is_late, data.decided])).toEqual([[true, 0]])
    const sent = await database().db.select().from(notifications).where(eq(notifications.userId, bob.id))
    expect(sent.map(({ title }) => title)).toEqual([expect.stringContaining('“Team”')])
    await updateReviewStage.execute(boss(), { ...path, stage_id: stage.id }, { due_at: later(9 * HOUR).toISOString() })
    await decide(ann, 'approve')
    await recall(later(8 * HOUR), later(9 * HOUR))
    expect((await eventsAbout(stage.id)).filter(({ type }) => type === 'review_stage.due')).toHaveLength(1)
  })
})
