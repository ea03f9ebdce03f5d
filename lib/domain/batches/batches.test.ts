import { and, eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { database } from '@/db/client'
import { preQcProfiles } from '@/db/schema/directory'
import { notifications } from '@/db/schema/events'
import { preQcResults } from '@/db/schema/pre-qc'
import type { batches } from '@/db/schema/projects'
import { testSql } from '@/db/testing'
import {
  makeBatch,
  makeFile,
  makeMediaCategory,
  makeProject,
  makeResult,
  makeUser,
  type UserRow,
} from '@/fixtures/factories'
import { BATCH_STATUSES, type BatchStatus, PROJECT_STATUSES } from '@/lib/vocabulary'
import { reading } from '../kernel/operation'
import { as, eventsAbout, expectRefusal, refusal } from '../testing'
import { cancelBatch, completeReview, createBatch, replaceManifest, submitBatch, updateBatch } from './commands'
import { getManifest, manifestInShort } from './manifest'
import { getBatch, listBatches } from './queries'
import { BATCH_MOVES } from './rules'

const nowhere = '01890000-0000-7000-8000-000000000000'

/** A coordinator and an operator with a batch of theirs. */
async function scene(given: Partial<typeof batches.$inferInsert> & { projectStatus?: 'on_hold' | 'completed' } = {}) {
  const { projectStatus, ...columns } = given
  const [coordinator, operator] = [await makeUser({ role: 'coordinator' }), await makeUser({ role: 'operator' })]
  const project = await makeProject({
    members: [coordinator, operator],
    ...(projectStatus && { status: projectStatus }),
  })
  const batch = await makeBatch({
    projectId: project.id,
    operatorId: operator.id,
    coordinatorId: coordinator.id,
    ...columns,
  })
  return { coordinator, operator, project, batch, at: { project_id: project.id, batch_id: batch.id } }
}

const jobs = (task: string) =>
  testSql<{ id: string }[]>`select id from graphile_worker.jobs where task_identifier = ${task}`

describe('creating a batch', () => {
  it('falls back to the media category of the project', async () => {
    const user = await makeUser({ role: 'coordinator' })
    const category = await makeMediaCategory()
    const project = await makeProject({ members: [user], mediaCategoryId: category.id })
    const batch = await createBatch.execute(as(user), { project_id: project.id }, { name: 'First' })
    expect(batch).toMatchObject({
      project_id: project.id,
      name: 'First',
      status: 'open',
      media_category: { id: category.id, name: category.name },
      operator: null,
      coordinator: null,
      naming_template: null,
      round: 0,
      counts: { files: 0, total_size: 0, approved: 0, rejected: 0, pending: 0 },
      pre_qc: { status: 'idle', pass: 0, warning: 0, fail: 0 },
      submitted_at: null,
      reviewed_at: null,
    })
    expect(await getBatch.execute(as(user), { project_id: project.id, batch_id: batch.id })).toEqual(batch)
    expect(await eventsAbout(batch.id)).toMatchObject([{ type: 'batch.created', projectId: project.id }])
  })

  it('takes the copy that files have to show, and says of each line what is wrong with it', async () => {
    const { project, coordinator } = await scene()
    const media_category_id = (await makeMediaCategory()).id
    const create = (required_copy: unknown) =>
      createBatch.execute(
        as(coordinator),
        { project_id: project.id },
        { name: 'B', media_category_id, required_copy: required_copy as string[] },
      )
    expect((await create([' Only 19,90 € ', '18+'])).required_copy).toEqual(['Only 19,90 €', '18+'])
    expect((await create([])).required_copy).toEqual([])
    const refusals: [unknown, string[]][] = [
      ['18+', ['required_copy']],
      [['Sale', ''], ['required_copy.1']],
      [['Sale', 'x'.repeat(301)], ['required_copy.1']],
      [['Sale', '—'], ['required_copy.1']],
      [['Summer sale', 'Terms apply', '“SUMMER SALE!”'], ['required_copy.2']],
      [Array.from({ length: 51 }, (_, index) => `Phrase ${index}`), ['required_copy']],
      [Array.from({ length: 11 }, (_, index) => `${index} ${'x'.repeat(290)}`), ['required_copy']],
    ]
    for (const [copy, fields] of refusals) await expectRefusal(create(copy), 'validation_failed', fields)
    const twice = await refusal(create(['Summer sale', '“SUMMER SALE!”']))
    expect(twice.message).toContain('in lines 1 and 2')
  })

  it('takes the files it is meant to receive, all of them or nothing', async () => {
    const { project, coordinator } = await scene()
    const media_category_id = (await makeMediaCategory()).id
    const create = (manifest: { name: string; note?: string }[]) =>
      createBatch.execute(
        as(coordinator),
        { project_id: project.id },
        { name: 'Expecting', media_category_id, manifest },
      )
    const before = await testSql`select id from batches where project_id = ${project.id}`
    await expectRefusal(create([{ name: 'a.jpg' }, { name: 'b.jpg' }, { name: 'A.JPG' }]), 'validation_failed', [
      'manifest.2.name',
    ])
    await expectRefusal(create([{ name: 'a?b.jpg' }]), 'validation_failed', ['manifest.0.name'])
    expect(await testSql`select id from batches where project_id = ${project.id}`).toHaveLength(before.length)
    const batch = await create([{ name: 'a.jpg', note: 'the hero' }, { name: 'b.jpg' }])
    const manifest = await getManifest.execute(as(coordinator), { project_id: project.id, batch_id: batch.id })
    expect(manifest.files).toEqual([
      { name: 'a.jpg', note: 'the hero', status: 'missing' },
      { name: 'b.jpg', note: null, status: 'missing' },
    ])
    expect((await eventsAbout(batch.id)).map(({ type }) => type)).toEqual(['batch.created', 'manifest.replaced'])
  })

  it('needs a media category where the project has none', async () => {
    const user = await makeUser({ role: 'coordinator' })
    const project = await makeProject({ members: [user] })
    const create = (input: object) => createBatch.execute(as(user), { project_id: project.id }, { name: 'B', ...input })
    await expectRefusal(create({}), 'validation_failed', ['media_category_id'])
    await expectRefusal(create({ media_category_id: nowhere }), 'validation_failed', ['media_category_id'])
    expect(await create({ media_category_id: (await makeMediaCategory()).id })).toMatchObject({ name: 'B' })
  })

  it('takes people whose role is high enough, and makes them members', async () => {
    const { project, coordinator } = await scene()
    const [viewer, operator, gone] = [
      await makeUser({ role: 'viewer' }),
      await makeUser({ role: 'operator' }),
      await makeUser({ role: 'coordinator', disabledAt: new Date() }),
    ]
    const media_category_id = (await makeMediaCategory()).id
    const create = (input: object) =>
      createBatch.execute(as(coordinator), { project_id: project.id }, { name: 'B', media_category_id, ...input })
    await expectRefusal(create({ operator_id: viewer.id, coordinator_id: operator.id }), 'validation_failed', [
      'operator_id',
      'coordinator_id',
    ])
    await expectRefusal(create({ operator_id: gone.id, coordinator_id: nowhere }), 'validation_failed', [
      'operator_id',
      'coordinator_id',
    ])
    await expectRefusal(getBatch.execute(as(operator), { project_id: project.id, batch_id: nowhere }), 'not_found')
    const batch = await create({ operator_id: operator.id, coordinator_id: coordinator.id })
    expect(batch.operator).toEqual({ id: operator.id, name: operator.name })
    expect(await listBatches.execute(as(operator), { project_id: project.id })).toMatchObject({
      batches: [{ id: batch.id }, {}],
    })
  })

  it('names every fault of a naming template', async () => {
    const { project, coordinator } = await scene()
    const input = { name: 'B', media_category_id: (await makeMediaCategory()).id, naming_template: '{planet}_{title' }
    const refused = await expectRefusal(
      createBatch.execute(as(coordinator), { project_id: project.id }, input),
      'validation_failed',
    )
    expect(new Set(refused.facts.errors?.map(({ path }) => path))).toEqual(new Set(['naming_template']))
    expect(refused.facts.errors?.length).toBeGreaterThan(1)
  })

  it('is for coordinators of the project, while it is not closed', async () => {
    const { project, operator } = await scene()
    const input = { name: 'B', media_category_id: (await makeMediaCategory()).id }
    const at = { project_id: project.id }
    await expectRefusal(createBatch.execute(as(operator), at, input), 'forbidden')
    const stranger = await makeUser({ role: 'coordinator' })
    await expectRefusal(createBatch.execute(as(stranger), at, input), 'not_found')
    for (const status of PROJECT_STATUSES) {
      const member = await makeUser({ role: 'coordinator' })
      const { id } = await makeProject({ members: [member], status })
      const created = createBatch.execute(as(member), { project_id: id }, input)
      if (status === 'active' || status === 'on_hold') expect(await created).toMatchObject({ status: 'open' })
      else await expectRefusal(created, 'project_closed')
    }
  })
})

describe('changing a batch', () => {
  it('puts required copy on record when it changes, and only then', async () => {
    const { coordinator, batch, at } = await scene()
    const set = (required_copy: string[]) => updateBatch.execute(as(coordinator), at, { required_copy })
    expect((await set(['Drink responsibly'])).required_copy).toEqual(['Drink responsibly'])
    await set(['Drink responsibly'])
    expect((await set([])).required_copy).toEqual([])
    expect((await eventsAbout(batch.id)).map(({ data }) => data)).toMatchObject([
      { before: { required_copy: [] }, after: { required_copy: ['Drink responsibly'] } },
      { before: { required_copy: ['Drink responsibly'] }, after: { required_copy: [] } },
    ])
  })

  it('changes name, people and template, and puts before and after on record', async () => {
    const { coordinator, operator, batch, at } = await scene({ name: 'Before' })
    const changed = await updateBatch.execute(as(coordinator), at, {
      name: 'After',
      operator_id: null,
      naming_template: '{title}_v{version}.{ext}',
    })
    expect(changed).toMatchObject({ name: 'After', operator: null, naming_template: '{title}_v{version}.{ext}' })
    await updateBatch.execute(as(coordinator), at, { name: 'After' })
    expect((await eventsAbout(batch.id)).map(({ data }) => data)).toEqual([
      {
        name: 'After',
        before: { name: 'Before', operator_id: operator.id, naming_template: null },
        after: { name: 'After', operator_id: null, naming_template: '{title}_v{version}.{ext}' },
      },
    ])
  })

  it('is for coordinators, not for others, and not through another project', async () => {
    const { operator, coordinator, batch, at } = await scene()
    const elsewhere = await makeProject({ members: [coordinator] })
    await expectRefusal(updateBatch.execute(as(operator), at, { name: 'X' }), 'forbidden')
    const stranger = await makeUser({ role: 'coordinator' })
    await expectRefusal(updateBatch.execute(as(stranger), at, { name: 'X' }), 'not_found')
    const wrong = { project_id: elsewhere.id, batch_id: batch.id }
    await expectRefusal(updateBatch.execute(as(coordinator), wrong, { name: 'X' }), 'not_found')
    await expectRefusal(getBatch.execute(as(coordinator), wrong), 'not_found')
    await expectRefusal(getBatch.execute(as(coordinator), { ...at, batch_id: 'x' }), 'not_found')
    await expectRefusal(
      updateBatch.execute(as(coordinator), at, { name: '', status: 'approved' }),
      'validation_failed',
      ['name', 'status'],
    )
    const closed = await scene({ projectStatus: 'completed' })
    await expectRefusal(updateBatch.execute(as(closed.coordinator), closed.at, { name: 'X' }), 'project_closed')
  })
})

describe('submitting a batch', () => {
  it('starts the review, a round and the checks, and notifies the operator, in one go', async () => {
    const { coordinator, operator, batch, at } = await scene()
    await makeFile(batch)
    const file = await makeFile(batch)
    await makeFile(batch, { isCurrent: false })
    const before = (await jobs('check_file')).length
    const submitted = await submitBatch.execute(as(coordinator), at)
    expect(submitted).toMatchObject({ status: 'in_review', round: 1, pre_qc: { status: 'queued' } })
    expect(submitted.submitted_at).not.toBeNull()
    expect(await eventsAbout(batch.id)).toMatchObject([{ type: 'batch.submitted', data: { round: 1, files: 2 } }])
    const notified = await database().db.select().from(notifications).where(eq(notifications.userId, operator.id))
    expect(notified).toMatchObject([
      { type: 'batch.submitted', href: `/projects/${at.project_id}/batches/${batch.id}` },
    ])
    const queued = await database().db.select().from(preQcResults).where(eq(preQcResults.batchId, batch.id))
    expect(queued.map(({ status }) => status)).toEqual(['queued', 'queued'])
    expect(queued.map(({ fileId }) => fileId)).toContain(file.id)
    expect((await jobs('check_file')).length - before).toBe(2)
  })

  it('checks nothing again whose result is there for the same content and settings', async () => {
    const { coordinator, batch, at } = await scene()
    const [profile] = await database()
      .db.select()
      .from(preQcProfiles)
      .where(eq(preQcProfiles.mediaCategoryId, batch.mediaCategoryId))
    const [checked, fresh] = [await makeFile(batch), await makeFile(batch)]
    await makeResult(checked, { profileId: profile?.id })
    const submitted = await submitBatch.execute(as(coordinator), at)
    expect(submitted.pre_qc).toEqual({ status: 'running', pass: 1, warning: 0, fail: 0 })
    const waiting = await database()
      .db.select()
      .from(preQcResults)
      .where(and(eq(preQcResults.batchId, batch.id), eq(preQcResults.status, 'queued')))
    expect(waiting.map(({ fileId }) => fileId)).toEqual([fresh.id])
  })

  it('checks again what was checked for other copy than the batch requires now, and nothing twice', async () => {
    const { coordinator, batch, at } = await scene()
    const [profile] = await database()
      .db.select()
      .from(preQcProfiles)
      .where(eq(preQcProfiles.mediaCategoryId, batch.mediaCategoryId))
    const times = { earlier: '2026-03-01T10:00:00Z', change: '2026-03-02T10:00:00Z', later: '2026-03-03T10:00:00Z' }
    const [old, recent] = [await makeFile(batch), await makeFile(batch)]
    await makeResult(old, { profileId: profile?.id, startedAt: new Date(times.earlier) })
    await updateBatch.execute(as(coordinator, { now: new Date(times.change) }), at, { required_copy: ['Drink less'] })
    await makeResult(recent, { profileId: profile?.id, startedAt: new Date(times.later) })
    await updateBatch.execute(as(coordinator), at, { name: 'Renamed', required_copy: ['Drink less'] })
    const waiting = () =>
      database()
        .db.select()
        .from(preQcResults)
        .where(and(eq(preQcResults.batchId, batch.id), eq(preQcResults.status, 'queued')))
    await submitBatch.execute(as(coordinator), at)
    expect((await waiting()).map(({ fileId }) => fileId)).toEqual([old.id])
    await submitBatch.execute(as(coordinator), at)
    expect(await waiting()).toHaveLength(1)
  })

  it('runs no checks where Pre-QC is off for the category', async () => {
    const category = await makeMediaCategory({ preQc: { enabled: false, checks: {} } })
    const { coordinator, batch, at } = await scene({ mediaCategoryId: category.id })
    await makeFile(batch)
    expect((await submitBatch.execute(as(coordinator), at)).pre_qc.status).toBe('disabled')
  })

  it('needs a file and an operator', async () => {
    const empty = await scene()
    await makeFile(empty.batch, { isCurrent: false })
    await expectRefusal(submitBatch.execute(as(empty.coordinator), empty.at), 'batch_empty')
    const lonely = await scene({ operatorId: null })
    await makeFile(lonely.batch)
    await expectRefusal(submitBatch.execute(as(lonely.coordinator), lonely.at), 'operator_not_assigned')
    expect(await eventsAbout(lonely.batch.id)).toEqual([])
  })

  it('is for operators who are members, in a project that runs', async () => {
    const { project, batch, at } = await scene()
    await makeFile(batch)
    const [viewer, stranger] = [await makeUser({ role: 'viewer' }), await makeUser({ role: 'operator' })]
    await testSql`insert into project_members (project_id, user_id) values (${project.id}, ${viewer.id})`
    await expectRefusal(submitBatch.execute(as(viewer), at), 'forbidden')
    await expectRefusal(submitBatch.execute(as(stranger), at), 'not_found')
    const held = await scene({ projectStatus: 'on_hold' })
    await makeFile(held.batch)
    await expectRefusal(submitBatch.execute(as(held.operator), held.at), 'project_on_hold')
    const closed = await scene({ projectStatus: 'completed' })
    await expectRefusal(submitBatch.execute(as(closed.operator), closed.at), 'project_closed')
  })

  it('twice at the same moment begins one round and queues each file once', async () => {
    const { coordinator, batch, at } = await scene()
    await makeFile(batch)
    const result = await Promise.all([1, 2, 3].map(() => submitBatch.execute(as(coordinator), at)))
    expect(result.map(({ round, status }) => [round, status])).toEqual(Array(3).fill([1, 'in_review']))
    const results = await database().db.select().from(preQcResults).where(eq(preQcResults.batchId, batch.id))
    expect(results).toHaveLength(1)
  })
})

describe('the states of a batch', () => {
  const attempt: Record<'submit' | 'cancel', (by: UserRow, at: never) => Promise<unknown>> = {
    submit: (by, at) => submitBatch.execute(as(by), at),
    cancel: (by, at) => cancelBatch.execute(as(by), at),
  }
  const cases = (['submit', 'cancel'] as const).flatMap((action) =>
    BATCH_STATUSES.map((from) => [action, from] as const),
  )

  it.each(cases)('%s from %s leads where the table says, or is refused with what is allowed', async (action, from) => {
    const { coordinator, batch, at } = await scene({ status: from, round: 3 })
    await makeFile(batch)
    const moves: Partial<Record<BatchStatus, BatchStatus>> = BATCH_MOVES[action]
    const outcome = attempt[action](coordinator, at as never)
    if (moves[from]) {
      const round = action === 'submit' && from !== 'in_review' ? 4 : 3
      expect(await outcome).toMatchObject({ status: moves[from], round })
    } else {
      const refused = await expectRefusal(outcome, 'invalid_state')
      expect(refused.facts).toMatchObject({ current: from, allowed: Object.keys(moves) })
      expect(await eventsAbout(batch.id)).toEqual([])
    }
  })

  it('cancelling is for coordinators who are members', async () => {
    const { operator, coordinator, batch, at } = await scene()
    await expectRefusal(cancelBatch.execute(as(operator), at), 'forbidden')
    await expectRefusal(cancelBatch.execute(as(await makeUser({ role: 'coordinator' })), at), 'not_found')
    await cancelBatch.execute(as(coordinator), at)
    expect(await eventsAbout(batch.id)).toMatchObject([{ type: 'batch.cancelled' }])
  })
})

describe('completing a review', () => {
  it('approves the batch when every current file is approved, and notifies the coordinator', async () => {
    const { operator, coordinator, batch, at } = await scene({ status: 'in_review', round: 1 })
    await makeFile(batch, { decision: 'approved' })
    await makeFile(batch, { decision: 'rejected', isCurrent: false })
    const approved = await completeReview.execute(as(operator), at, { comment: 'Fine.' })
    expect(approved).toMatchObject({ status: 'approved', round: 1, counts: { approved: 1, rejected: 0 } })
    expect(approved.reviewed_at).not.toBeNull()
    expect(await eventsAbout(batch.id)).toMatchObject([
      { type: 'batch.review_completed', data: { outcome: 'approved', approved: 1, rejected: 0, comment: 'Fine.' } },
    ])
    const notified = await database().db.select().from(notifications).where(eq(notifications.userId, coordinator.id))
    expect(notified).toMatchObject([{ type: 'batch.review_completed' }])
  })

  it('asks for a resupply when a file is rejected', async () => {
    const { operator, batch, at } = await scene({ status: 'in_review', round: 1 })
    await makeFile(batch, { decision: 'approved' })
    await makeFile(batch, { decision: 'rejected' })
    expect(await completeReview.execute(as(operator), at)).toMatchObject({ status: 'awaiting_resupply' })
  })

  it('is refused while a file is without a decision, and in any other state', async () => {
    const { operator, batch, at } = await scene({ status: 'in_review' })
    await makeFile(batch, { decision: 'rejected' })
    await makeFile(batch)
    const refused = await expectRefusal(completeReview.execute(as(operator), at), 'invalid_state')
    expect(refused.detail).toContain('1 file is still without a decision')
    for (const status of ['open', 'awaiting_resupply', 'approved', 'cancelled'] as const) {
      const other = await scene({ status })
      await makeFile(other.batch, { decision: 'approved' })
      await expectRefusal(completeReview.execute(as(other.operator), other.at), 'invalid_state')
    }
  })

  it('happens once when two complete it at the same moment', async () => {
    const { operator, coordinator, batch, at } = await scene({ status: 'in_review' })
    await makeFile(batch, { decision: 'approved' })
    const both = await Promise.allSettled([operator, coordinator].map((by) => completeReview.execute(as(by), at)))
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    expect(await eventsAbout(batch.id)).toHaveLength(1)
  })

  it('is for operators who are members', async () => {
    const { project, batch, at } = await scene({ status: 'in_review' })
    await makeFile(batch, { decision: 'approved' })
    const viewer = await makeUser({ role: 'viewer' })
    await testSql`insert into project_members (project_id, user_id) values (${project.id}, ${viewer.id})`
    await expectRefusal(completeReview.execute(as(viewer), at), 'forbidden')
    await expectRefusal(completeReview.execute(as(await makeUser({ role: 'operator' })), at), 'not_found')
  })
})

describe('a delivery manifest', () => {
  it('shows what is expected, received, missing and unexpected, whatever the case of a name', async () => {
    const { coordinator, batch, at } = await scene()
    await makeFile(batch, { name: 'Banner_A.png' })
    await makeFile(batch, { name: 'banner_b.png', decision: 'rejected' })
    await makeFile(batch, { name: 'surprise.png' })
    const manifest = await replaceManifest.execute(as(coordinator), at, {
      files: [{ name: 'banner_a.PNG', note: 'the wide one' }, { name: 'banner_b.png' }, { name: 'banner_c.png' }],
    })
    expect(manifest).toEqual({
      files: [
        { name: 'banner_a.PNG', note: 'the wide one', status: 'received' },
        { name: 'banner_b.png', note: null, status: 'rejected' },
        { name: 'banner_c.png', note: null, status: 'missing' },
      ],
      unexpected: [{ name: 'surprise.png' }],
      counts: { expected: 3, received: 2, missing: 1, unexpected: 1 },
    })
    expect(await getManifest.execute(as(coordinator), at)).toEqual(manifest)
    expect(await eventsAbout(batch.id)).toMatchObject([{ type: 'manifest.replaced', data: { expected: 3 } }])
    const lifted = await replaceManifest.execute(as(coordinator), at, { files: [] })
    expect(lifted).toMatchObject({ files: [], unexpected: [], counts: { expected: 0 } })
  })

  it('is shown in short: its counts, the missing first, a few of what came unasked', async () => {
    const { coordinator, batch, at } = await scene()
    const first = await makeFile(batch, { name: 'a_v1.png', isCurrent: false })
    await makeFile(batch, { name: 'a_v2.png', version: 2, seriesKey: 'a_v1.png', supersedesId: first.id })
    await makeFile(batch, { name: 'b.png', decision: 'rejected' })
    for (const name of ['x.png', 'y.png', 'z.png']) await makeFile(batch, { name })
    const names = ['a_v1.png', 'b.png', 'c.png', 'd.png']
    const whole = await replaceManifest.execute(as(coordinator), at, { files: names.map((name) => ({ name })) })
    expect(whole.counts).toEqual({ expected: 4, received: 2, missing: 2, unexpected: 3 })
    const inShort = (most: number) => manifestInShort(reading(as(coordinator)), batch.id, most)
    expect(await inShort(100)).toEqual({
      lines: [...whole.files.slice(2), ...whole.files.slice(0, 2)],
      unexpected: whole.unexpected,
      counts: whole.counts,
    })
    expect(await inShort(3)).toMatchObject({
      lines: [{ name: 'c.png' }, { name: 'd.png' }, { name: 'a_v1.png', status: 'received' }],
      unexpected: [],
      counts: whole.counts,
    })
    expect((await inShort(5)).unexpected).toEqual([{ name: 'x.png' }])
  })

  it('names no file twice, in whatever case or Unicode form', async () => {
    const { coordinator, at } = await scene()
    const put = (...names: string[]) =>
      replaceManifest.execute(as(coordinator), at, { files: names.map((name) => ({ name })) })
    await expectRefusal(put('a.png', 'b.png', 'A.PNG'), 'validation_failed', ['files.2.name'])
    await expectRefusal(put('caf\u00e9.png', 'cafe\u0301.png'), 'validation_failed', ['files.1.name'])
    await expectRefusal(put('a.png', ''), 'validation_failed', ['files.1.name'])
    expect((await getManifest.execute(as(coordinator), at)).files).toEqual([])
  })

  it('is set by coordinators, also twice at once, and one of the two stands whole', async () => {
    const { operator, coordinator, at } = await scene()
    await expectRefusal(replaceManifest.execute(as(operator), at, { files: [] }), 'forbidden')
    const put = (prefix: string) =>
      replaceManifest.execute(as(coordinator), at, { files: [1, 2, 3].map((n) => ({ name: `${prefix}${n}.png` })) })
    await Promise.all([put('a'), put('b')])
    const names = (await getManifest.execute(as(coordinator), at)).files.map(({ name }) => name)
    expect([
      ['a1.png', 'a2.png', 'a3.png'],
      ['b1.png', 'b2.png', 'b3.png'],
    ]).toContainEqual(names)
  })
})
