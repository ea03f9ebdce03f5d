import { randomUUID } from 'node:crypto'
import { eq, sql } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { fileComments } from '@/db/schema/comments'
import { events } from '@/db/schema/events'
import { files } from '@/db/schema/files'
import { batches, manifestEntries, projects } from '@/db/schema/projects'
import { guestDecisions } from '@/db/schema/review-links'
import { stageDecisions } from '@/db/schema/review-stages'
import { testDb } from '@/db/testing'
import {
  makeBatch,
  makeComment,
  makeFile,
  makeMediaCategory,
  makeProject,
  makeResult,
  makeReviewLink,
  makeReviewStage,
  makeUploadLink,
  makeUser,
} from '@/fixtures/factories'
import { listActivity } from '../batches/activity'
import { COUNTED } from '../batches/counts'
import { getManifest } from '../batches/manifest'
import { nameKey } from '../naming/portable-name'
import { as, eventsAbout, expectRefusal } from '../testing'
import { moveFiles } from './move'

async function scene(target: Parameters<typeof makeBatch>[0] = {}) {
  const coordinator = await makeUser({ role: 'coordinator' })
  const second = await makeUser({ role: 'coordinator' })
  const operator = await makeUser({ role: 'operator' })
  const project = await makeProject({ members: [coordinator, second, operator] })
  const from = await makeBatch({ projectId: project.id, name: 'From' })
  const to = await makeBatch({ projectId: project.id, name: 'To', ...target })
  const a = await makeFile(from, { name: 'a.png', size: 10 })
  const b = await makeFile(from, { name: 'b.png', size: 20 })
  const place = { project_id: project.id, batch_id: from.id }
  const move = (ids: string[], who = coordinator, batch_id = to.id) =>
    moveFiles.execute(as(who), place, { file_ids: ids, batch_id })
  return { coordinator, second, operator, project, from, to, a, b, place, move }
}

const batchOf = async (id: string) => (await testDb.select().from(files).where(eq(files.id, id)))[0]?.batchId

/** What is counted of a batch, once it is what its rows say; null where it has none. */
async function counts(batchId: string) {
  const [stored] = await testDb.execute(sql`select * from batch_counts where batch_id = ${batchId}`)
  const [rows] = await testDb.execute(sql`select * from (${COUNTED}) counted where batch_id = ${batchId}`)
  const { project_id: _, ...counted } = stored ?? {}
  if (rows) expect(counted).toEqual(rows)
  else expect(Object.values(counted).filter((value) => value !== batchId && Number(value) !== 0)).toEqual([])
  return rows ?? null
}

const reasonOf = async (moving: Promise<{ left: { reason: string }[] }>) => (await moving).left[0]?.reason

describe('moving files to another batch', () => {
  it('moves them with their comments, keeps both counts, and is on the trail of both', async () => {
    const { from, to, a, b, move, coordinator, place } = await scene()
    const link = await makeUploadLink(from)
    const byLink = await makeFile(from, {
      name: 'c.png',
      sourceType: 'upload_link',
      sourceLinkId: link.id,
      sourceUserId: null,
    })
    const comment = await makeComment(a)
    const outcome = await move([a.id, byLink.id])
    expect(outcome).toEqual({
      batch: { id: to.id, name: 'To' },
      moved: [
        { id: a.id, name: 'a.png' },
        { id: byLink.id, name: 'c.png' },
      ],
      left: [],
    })
    expect([await batchOf(a.id), await batchOf(b.id)]).toEqual([to.id, from.id])
    const [moved] = await testDb.select().from(fileComments).where(eq(fileComments.id, comment.id))
    expect(moved?.batchId).toBe(to.id)
    expect(await counts(from.id)).toMatchObject({ files: 1, pending: 1, stored_by_users: 1, stored_by_links: 0 })
    expect(await counts(to.id)).toMatchObject({ files: 2, pending: 2, stored_by_users: 1, stored_by_links: 1 })
    expect((await eventsAbout(a.id)).map(({ type, batchId, actorId, data }) => [type, batchId, actorId, data])).toEqual(
      [
        ['file.moved', from.id, coordinator.id, expect.objectContaining({ file: 'a.png', to: 'To', to_id: to.id })],
        ['file.moved', to.id, coordinator.id, expect.objectContaining({ file: 'a.png', from: 'From' })],
      ],
    )
    const { activities } = await listActivity.execute(as(coordinator), { ...place, batch_id: to.id }, {})
    expect(activities[0]).toMatchObject({ type: 'file.moved', kind: 'upload', details: { from: 'From' } })
  })

  it('empties a batch', async () => {
    const { from, to, a, b, move } = await scene()
    await move([a.id, b.id])
    expect(await counts(from.id)).toBeNull()
    expect(await counts(to.id)).toMatchObject({ files: 2, total_size: '30' })
  })

  it('is the same when it is asked for again, and is recorded once', async () => {
    const { a, move } = await scene()
    const first = await move([a.id])
    expect(await move([a.id])).toEqual(first)
    expect(await eventsAbout(a.id)).toHaveLength(2)
  })

  it('counts for the list of expected files where it is', async () => {
    const { coordinator, from, to, a, b, place, move } = await scene()
    for (const batch of [from, to])
      await testDb
        .insert(manifestEntries)
        .values({ batchId: batch.id, position: 0, name: 'A.png', nameKey: nameKey('A.png') })
    const manifest = (batch_id: string) => getManifest.execute(as(coordinator), { ...place, batch_id })
    await move([a.id, b.id])
    expect((await manifest(from.id)).counts).toMatchObject({ received: 0, missing: 1 })
    expect(await manifest(to.id)).toMatchObject({ counts: { received: 1 }, unexpected: [{ name: 'b.png' }] })
  })
})

describe('what stays', () => {
  it('is what the other batch would not take: by name, type, size, or as it has it', async () => {
    const video = await makeMediaCategory({ mediaTypes: ['video/mp4'] })
    const { a, b, move, to, project, coordinator, place } = await scene({ namingTemplate: '{title}_v{version}.{ext}' })
    expect(await reasonOf(move([a.id]))).toContain('The version is missing')
    const videos = await makeBatch({ projectId: project.id, mediaCategoryId: video.id })
    expect(await reasonOf(move([a.id], coordinator, videos.id))).toContain('is not taken here')
    const small = await makeMediaCategory({ maxFileSize: 15 })
    const smaller = await makeBatch({ projectId: project.id, mediaCategoryId: small.id })
    const outcome = await move([a.id, b.id], coordinator, smaller.id)
    expect(outcome.moved.map(({ name }) => name)).toEqual(['a.png'])
    expect(outcome.left[0]?.reason).toContain('15')
    const twin = await makeBatch({ projectId: project.id })
    await makeFile(twin, { name: 'B.PNG' })
    expect(await reasonOf(move([b.id], coordinator, twin.id))).toContain('already holds a file named “B.PNG”')
    expect([await batchOf(b.id), (await counts(to.id)) ?? 0]).toEqual([place.batch_id, 0])
  })

  it('is what was decided, checked or replaced, what is not whole, and what guests were shown', async () => {
    const { from, a, b, coordinator, move } = await scene()
    const file = (given: Parameters<typeof makeFile>[1] = {}) => makeFile(from, given)
    const decided = { decision: 'approved', decidedBy: coordinator.id, decidedAt: new Date() } as const
    expect(await reasonOf(move([(await file(decided)).id]))).toBe(
      'It is approved; only files without a decision are moved.',
    )
    expect(await reasonOf(move([(await file({ isCurrent: false })).id]))).toBe('A newer version has replaced it.')
    expect(await reasonOf(move([(await file({ version: 2 })).id]))).toContain('earlier versions')
    expect(await reasonOf(move([(await file({ removedAt: new Date() })).id]))).toContain('removed')
    expect(await reasonOf(move([(await file({ integrity: 'quarantined' })).id]))).toContain('quarantine')
    expect(await reasonOf(move([(await file({ integrity: 'pending' })).id]))).toContain('still being decoded')

    await makeResult(a)
    expect(await reasonOf(move([a.id]))).toBe('It has been checked with its batch.')
    const stage = await makeReviewStage(from)
    const said = { fileId: b.id, sha256: b.sha256, decision: 'approved' } as const
    await testDb.insert(stageDecisions).values({ ...said, stageId: stage.id, userId: coordinator.id })
    expect(await reasonOf(move([b.id]))).toContain('review stage')
    const c = await file()
    const link = await makeReviewLink(from)
    await testDb
      .insert(guestDecisions)
      .values({ ...said, fileId: c.id, linkId: link.id, batchId: from.id, fileVersion: 1 })
    expect(await reasonOf(move([c.id]))).toContain('decided through a review link')
    const d = await file()
    await testDb
      .insert(fileComments)
      .values({ fileId: d.id, batchId: from.id, projectId: from.projectId, body: 'Hm', reviewLinkId: link.id })
    expect(await reasonOf(move([d.id]))).toContain('commented through a review link')
    const e = await file()
    await makeReviewLink(from, { fileIds: [e.id] })
    expect(await reasonOf(move([e.id]))).toContain('A review link that is active names it')
  })

  it('is what another user moved on meanwhile', async () => {
    const { project, a, second, move } = await scene()
    const third = await makeBatch({ projectId: project.id, name: 'Third' })
    await move([a.id], second, third.id)
    expect(await reasonOf(move([a.id]))).toBe('It is in the batch “Third” by now.')
  })
})

describe('a move', () => {
  it('is for coordinators of the project', async () => {
    const { a, operator, move } = await scene()
    await expectRefusal(move([a.id], operator), 'forbidden')
    await expectRefusal(move([a.id], await makeUser({ role: 'coordinator' })), 'not_found')
  })

  it('needs two open batches of one project that goes on', async () => {
    const { a, from, to, project, coordinator, move } = await scene()
    await expectRefusal(move([a.id], coordinator, from.id), 'validation_failed', ['batch_id'])
    await expectRefusal(move([a.id], coordinator, (await makeBatch()).id), 'validation_failed', ['batch_id'])
    await expectRefusal(move([randomUUID()]), 'not_found')
    await expectRefusal(move([(await makeFile(await makeBatch())).id]), 'not_found')
    await testDb.update(batches).set({ status: 'in_review' }).where(eq(batches.id, to.id))
    await expectRefusal(move([a.id]), 'invalid_state')
    await testDb.update(batches).set({ status: 'open' }).where(eq(batches.id, to.id))
    await testDb.update(batches).set({ status: 'in_review' }).where(eq(batches.id, from.id))
    await expectRefusal(move([a.id]), 'invalid_state')
    await testDb.update(projects).set({ status: 'completed' }).where(eq(projects.id, project.id))
    await expectRefusal(move([a.id]), 'project_closed')
    expect(await testDb.select().from(events).where(eq(events.type, 'file.moved'))).not.toContainEqual(
      expect.objectContaining({ subjectId: a.id }),
    )
  })

  it('goes well when two people move the same files at once, and others the other way', async () => {
    const { project, from, to, a, b, coordinator, second, move } = await scene()
    const third = await makeBatch({ projectId: project.id })
    const back = await makeFile(to, { name: 'back.png' })
    const outcomes = await Promise.all([
      move([a.id, b.id]),
      move([a.id, b.id], second, third.id),
      moveFiles.execute(
        as(coordinator),
        { project_id: project.id, batch_id: to.id },
        { file_ids: [back.id], batch_id: from.id },
      ),
    ])
    expect(outcomes[0].moved.length + outcomes[1].moved.length).toBe(2)
    expect(outcomes[0].left.length + outcomes[1].left.length).toBe(2)
    expect(outcomes[2].moved).toHaveLength(1)
    for (const batch of [from, to, third]) await counts(batch.id)
  })
})
