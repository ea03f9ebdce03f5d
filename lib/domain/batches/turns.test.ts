import { describe, expect, test } from 'vitest'
import { database } from '@/db/client'
import { newId } from '@/db/schema/columns'
import { events } from '@/db/schema/events'
import { makeAgency, makeBatch, makeFile, makeProject, makeUploadLink, makeUser } from '@/fixtures/factories'
import type { EventType } from '@/lib/vocabulary'
import { as, expectRefusal } from '../testing'
import { createBatch, updateBatch } from './commands'
import { findNextWork, listMyWork } from './my-work'
import { getBatch } from './queries'
import { dueStateOf } from './rules'
import { turnOf } from './turns'

const hour = (n: number) => new Date(Date.UTC(2026, 5, 1, n))

describe('whose turn it is', () => {
  test('two hours of review and twenty of resupply are counted apart', () => {
    const turn = turnOf(
      [
        { at: hour(0), holder: 'agency' },
        { at: hour(10), holder: 'service' },
        { at: hour(12), holder: 'agency' },
        { at: hour(32), holder: 'service' },
      ],
      [],
    )
    expect(turn).toEqual({
      holder: 'service',
      since: hour(32).toISOString(),
      paused_since: null,
      agency_seconds: 30 * 3600,
      service_seconds: 2 * 3600,
      as_of: hour(32).toISOString(),
    })
  })

  test('both clocks stand while the project is on hold, with either side holding the batch', () => {
    const steps = [
      { at: hour(0), holder: 'agency' as const },
      { at: hour(10), holder: 'service' as const },
    ]
    const held = [
      { at: hour(4), isActive: false },
      { at: hour(6), isActive: true },
      { at: hour(11), isActive: false },
    ]
    const paused = turnOf(steps, held)
    expect(paused).toMatchObject({ agency_seconds: 8 * 3600, service_seconds: 3600, since: hour(10).toISOString() })
    expect(paused.paused_since).toBe(hour(11).toISOString())
    const resumed = turnOf([...steps, { at: hour(21), holder: null }], [...held, { at: hour(20), isActive: true }])
    expect(resumed).toMatchObject({ holder: null, service_seconds: 2 * 3600, paused_since: null })
  })

  test('submitting again while it is with us begins no new turn, and changing hands on hold counts for neither', () => {
    const turn = turnOf(
      [
        { at: hour(0), holder: 'agency' },
        { at: hour(1), holder: 'service' },
        { at: hour(5), holder: 'service' },
        { at: hour(8), holder: 'agency' },
      ],
      [{ at: hour(6), isActive: false }],
    )
    expect(turn).toMatchObject({ holder: 'agency', since: hour(8).toISOString(), service_seconds: 5 * 3600 })
    expect(turn.paused_since).toBe(hour(6).toISOString())
  })

  test('is read from what happened to the batch and its project', async () => {
    const user = await makeUser({ role: 'coordinator' })
    const project = await makeProject({ members: [user], status: 'on_hold' })
    const batch = await makeBatch({ projectId: project.id, status: 'awaiting_resupply', createdAt: hour(0) })
    await makeUploadLink(batch, { createdAt: hour(0) })
    const happened = (type: EventType, at: Date, data: object, batchId: string | null = batch.id) =>
      database()
        .db.insert(events)
        .values({
          id: newId(at),
          type,
          projectId: project.id,
          batchId,
          actorType: 'system',
          actorName: 'A test',
          data: data as Record<string, unknown>,
          createdAt: at,
        })
    await happened('batch.submitted', hour(3), { round: 1 })
    await happened('project.updated', hour(4), { before: { status: 'active' }, after: { status: 'on_hold' } }, null)
    await happened('project.updated', hour(5), { before: { status: 'on_hold' }, after: { status: 'active' } }, null)
    await happened('project.updated', hour(5), { before: { name: 'a' }, after: { name: 'b' } }, null)
    await happened('batch.review_completed', hour(7), { outcome: 'awaiting_resupply' })
    await happened('project.updated', hour(9), { before: { status: 'active' }, after: { status: 'on_hold' } }, null)
    const { turn } = await getBatch.execute(as(user), { project_id: project.id, batch_id: batch.id })
    expect(turn).toEqual({
      holder: 'agency',
      since: hour(7).toISOString(),
      paused_since: hour(9).toISOString(),
      agency_seconds: 5 * 3600,
      service_seconds: 3 * 3600,
      as_of: hour(9).toISOString(),
    })
  })
})

describe('a due date', () => {
  const due = (
    status: 'open' | 'in_review' | 'awaiting_resupply' | 'approved' | 'cancelled',
    now: string,
    reviewed?: string,
  ) => dueStateOf({ dueOn: '2026-06-10', status, reviewedAt: reviewed ? new Date(reviewed) : null }, new Date(now))

  test('lasts to the end of its day, UTC', () => {
    expect(due('in_review', '2026-06-10T23:59:59.999Z')).toBe('at_risk')
    expect(due('in_review', '2026-06-11T00:00:00.000Z')).toBe('late')
    expect(due('in_review', '2026-06-09T23:59:59.999Z')).toBe('on_track')
  })

  test('is at risk a day earlier while the agency has the batch: a review must follow', () => {
    expect(due('awaiting_resupply', '2026-06-09T00:00:00.000Z')).toBe('at_risk')
    expect(due('awaiting_resupply', '2026-06-08T23:59:59.999Z')).toBe('on_track')
  })

  test('is met or missed by the time of the approval, and means nothing to a cancelled batch', () => {
    expect(due('approved', '2026-07-01T00:00:00.000Z', '2026-06-10T12:00:00.000Z')).toBe('met')
    expect(due('approved', '2026-07-01T00:00:00.000Z', '2026-06-11T12:00:00.000Z')).toBe('late')
    expect(due('cancelled', '2026-07-01T00:00:00.000Z')).toBeNull()
  })

  test('is given when a batch is made, moved, and lifted; a day that is none is refused', async () => {
    const user = await makeUser({ role: 'coordinator' })
    const project = await makeProject({ members: [user], mediaCategoryId: (await makeBatch()).mediaCategoryId })
    const now = new Date('2026-06-01T00:00:00.000Z')
    const ctx = as(user, { now })
    const place = { project_id: project.id }
    const batch = await createBatch.execute(ctx, place, { name: 'Due', due_on: '2026-06-10' })
    expect(batch.due).toEqual({ on: '2026-06-10', state: 'on_track' })
    const path = { ...place, batch_id: batch.id }
    expect((await updateBatch.execute(ctx, path, { due_on: '2026-05-31' })).due).toEqual({
      on: '2026-05-31',
      state: 'late',
    })
    expect((await updateBatch.execute(ctx, path, { due_on: null })).due).toBeNull()
    for (const due_on of ['2026-02-30', '10.06.2026', '', 'tomorrow']) {
      await expectRefusal(updateBatch.execute(ctx, path, { due_on }), 'validation_failed', ['due_on'])
    }
  })
})

describe('my work', () => {
  test('is the unfinished batches that are mine: what waits for me first, the latest before the others', async () => {
    const me = await makeUser({ role: 'operator' })
    const other = await makeUser({ role: 'operator' })
    const agency = await makeAgency({ name: 'Northlight' })
    const project = await makeProject({ members: [me, other], agencyId: agency.id })
    const hidden = await makeProject()
    const make = (name: string, given: Parameters<typeof makeBatch>[0]) =>
      makeBatch({ projectId: project.id, operatorId: me.id, name, ...given })
    await makeFile(await make('waiting', { status: 'awaiting_resupply' }), { decision: 'rejected' })
    await make('review', { status: 'in_review' })
    await make('late review', { status: 'in_review', dueOn: '2020-01-01' })
    const filled = await make('to submit', { status: 'open' })
    await makeFile(filled)
    await make('done', { status: 'approved' })
    await make('another user’s', { status: 'in_review', operatorId: other.id })
    await make('not mine to see', { status: 'in_review', projectId: hidden.id })
    const closed = await makeProject({ members: [me], status: 'completed' })
    await make('in a project that is over', { status: 'in_review', projectId: closed.id })
    const paused = await makeProject({ members: [me], status: 'on_hold' })
    await make('mine twice', { status: 'in_review', coordinatorId: me.id, projectId: paused.id, dueOn: '2020-01-02' })
    const { batches } = await listMyWork.execute(as(me), {})
    expect(batches.map(({ name, task }) => [name, task])).toEqual([
      ['late review', 'review'],
      ['mine twice', 'review'],
      ['review', 'review'],
      ['to submit', 'submit'],
      ['waiting', 'wait'],
    ])
    expect(batches[0]).toMatchObject({ agency: { name: 'Northlight' }, project: { id: project.id } })
  })

  test('comes in pages that together are all of it, each with how many there are of each part', async () => {
    const me = await makeUser({ role: 'operator' })
    const project = await makeProject({ members: [me] })
    const make = (name: string, given: Parameters<typeof makeBatch>[0]) =>
      makeBatch({ projectId: project.id, operatorId: me.id, name, ...given })
    for (const [index, dueOn] of ['2020-01-02', '2020-01-01', '2090-01-02', '2090-01-01', null].entries())
      await make(`review ${index}`, { status: 'in_review', dueOn })
    const filled = await make('late, to submit', { status: 'open', dueOn: '2020-01-01' })
    await makeFile(filled)
    await make('empty', { status: 'open', dueOn: '2020-01-01' })
    const all = await listMyWork.execute(as(me), {})
    const names = ['review 1', 'review 0', 'late, to submit', 'review 3', 'review 2', 'review 4', 'empty']
    expect(all.batches.map(({ name }) => name)).toEqual(names)
    expect(all).toMatchObject({ counts: { late: 3, review: 3, submit: 0, wait: 1 }, next_cursor: null })
    const found: string[] = []
    let cursor: string | null = null
    do {
      const page: typeof all = await listMyWork.execute(as(me), {}, { limit: '2', ...(cursor && { cursor }) })
      expect(page.batches.length).toBeLessThanOrEqual(2)
      expect(page.counts).toEqual(all.counts)
      found.push(...page.batches.map(({ name }) => name))
      cursor = page.next_cursor
    } while (cursor)
    expect(found).toEqual(names)
    await expectRefusal(listMyWork.execute(as(me), {}, { cursor: 'bm9uZQ' }), 'invalid_query', ['cursor'])
  })

  test('what comes next is the most urgent that waits for me, and nothing while the batch at hand does', async () => {
    const me = await makeUser({ role: 'operator' })
    const project = await makeProject({ members: [me] })
    const make = (name: string, given: Parameters<typeof makeBatch>[0]) =>
      makeBatch({ projectId: project.id, operatorId: me.id, name, ...given })
    const decided = await make('decided', { status: 'awaiting_resupply' })
    await makeFile(decided, { decision: 'rejected' })
    const nextOf = async (after: string) => (await findNextWork.execute(as(me), {}, { after })).batch?.name ?? null
    expect(await nextOf(decided.id)).toBeNull()
    const review = await make('review', { status: 'in_review' })
    await make('late', { status: 'in_review', dueOn: '2020-01-01' })
    expect(await nextOf(decided.id)).toBe('late')
    expect(await nextOf(review.id)).toBeNull()
  })
})
