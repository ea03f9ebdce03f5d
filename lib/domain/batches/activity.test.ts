import { eq } from 'drizzle-orm'
import { expect, it } from 'vitest'
import { events } from '@/db/schema/events'
import { uploadLinks } from '@/db/schema/upload-links'
import { testDb } from '@/db/testing'
import { makeBatch, makeComment, makeFile, makeProject, makeUploadLink, makeUser } from '@/fixtures/factories'
import { insertEvent } from '../kernel/events'
import { sha256Hex } from '../kernel/sha256'
import { createComment, deleteComment } from '../review/comments'
import { as, expectRefusal } from '../testing'
import { authenticateLink } from '../upload-links/find'
import { noteLinkOpened } from '../upload-links/public'
import { listActivity } from './activity'

async function scene() {
  const [viewer, operator] = [await makeUser({ role: 'viewer' }), await makeUser({ role: 'operator', name: 'Otto' })]
  const project = await makeProject({ members: [viewer, operator] })
  const batch = await makeBatch({ projectId: project.id, status: 'in_review' })
  const path = { project_id: project.id, batch_id: batch.id }
  const happened = (type: Parameters<typeof insertEvent>[1]['type'], data = {}, subjectId: string | null = null) =>
    insertEvent({ ...as(operator), db: testDb }, { type, projectId: project.id, batchId: batch.id, subjectId, data })
  const listed = (input: object = {}, by = viewer) => listActivity.execute(as(by), path, input)
  return { viewer, operator, project, batch, path, happened, listed }
}

it('lists what happened to a batch, newest first, in parts, and of one kind alone', async () => {
  const { batch, happened, listed } = await scene()
  const file = await makeFile(batch, { name: 'hero.png' })
  await happened('batch.created', { name: batch.name })
  await happened(
    'file.received',
    { file: 'hero.png', version: 2, sha256: 'secret', objectKey: 'secret', traceparent: 'x' },
    file.id,
  )
  await happened('upload.rejected', {
    file: 'bad.png',
    violations: [{ message: 'It is empty.' }, { message: 'It has no name.' }],
  })
  await happened('project.updated')
  const { activities } = await listed()
  expect(activities.map(({ type, kind }) => [type, kind])).toEqual([
    ['upload.rejected', 'refusal'],
    ['file.received', 'upload'],
    ['batch.created', 'batch'],
  ])
  expect(activities[0]).toMatchObject({ file: { id: null, name: 'bad.png' }, note: 'It is empty. It has no name.' })
  expect(activities[1]).toMatchObject({ file: { id: file.id, name: 'hero.png' }, note: null, actor: { name: 'Otto' } })
  expect(activities[1]?.details).toEqual({ version: 2 })
  expect(JSON.stringify(activities)).not.toMatch(/secret|address|traceparent/)
  expect((await listed({ kind: 'upload' })).activities).toHaveLength(1)
  const first = await listed({ limit: '2' })
  const rest = await listed({ limit: '2', cursor: first.next_cursor })
  expect([...first.activities, ...rest.activities]).toEqual(activities)
  expect(rest.next_cursor).toBeNull()
  await expectRefusal(listed({ kind: 'gossip' }), 'invalid_query', ['kind'])
})

it('shows comments as they are now, and no word of deleted ones', async () => {
  const { batch, path, operator, listed } = await scene()
  const file = await makeFile(batch, { name: 'hero.png' })
  const at = { ...path, file_id: file.id }
  const { id } = await createComment.execute(as(operator), at, { body: 'Cut off.' })
  const notes = async () => (await listed({ kind: 'comment' })).activities.map(({ note }) => note)
  expect(await notes()).toEqual(['Cut off.'])
  await deleteComment.execute(as(operator), { ...at, comment_id: id })
  expect(await notes()).toEqual([null])
  await makeComment(file)
})

it('is for those who see the batch', async () => {
  const { listed } = await scene()
  await expectRefusal(listed({}, await makeUser({ role: 'coordinator' })), 'not_found')
  expect((await listed({}, await makeUser({ role: 'administrator' }))).activities).toEqual([])
})

it('notes that a link was opened, once an hour at most, while it is one that works', async () => {
  const { batch, listed } = await scene()
  const token = 'A'.repeat(16)
  const link = await makeUploadLink(batch, { label: 'Spring', tokenHash: sha256Hex(token) })
  const opened = async (now: string) => {
    const ctx = as('anonymous', { now: new Date(now) })
    return noteLinkOpened.execute({ ...ctx, actor: await authenticateLink(ctx, { token }) }, { token })
  }
  expect(await opened('2026-11-25T10:00:00Z')).toEqual({ noted: true })
  expect(await opened('2026-11-25T10:59:59Z')).toEqual({ noted: false })
  expect(await opened('2026-11-25T11:00:00Z')).toEqual({ noted: true })
  const { activities } = await listed({ kind: 'link' })
  expect(activities).toMatchObject([
    { type: 'upload_link.opened', actor: { type: 'upload_link', name: 'Spring' }, details: { label: 'Spring' } },
    { type: 'upload_link.opened' },
  ])
  await testDb.update(uploadLinks).set({ deactivatedAt: new Date() }).where(eq(uploadLinks.id, link.id))
  await expectRefusal(opened('2026-11-25T13:00:00Z'), 'link_deactivated')
  expect(await testDb.$count(events, eq(events.type, 'upload_link.opened'))).toBe(2)
})
