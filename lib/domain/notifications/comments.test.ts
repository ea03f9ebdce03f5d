import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { notifications } from '@/db/schema/events'
import { mailItems } from '@/db/schema/mail'
import { projectMembers } from '@/db/schema/projects'
import { webhookDeliveries } from '@/db/schema/webhooks'
import { testDb } from '@/db/testing'
import { makeBatch, makeFile, makeProject, makeUser, makeWebhook, type UserRow } from '@/fixtures/factories'
import { createComment, updateComment } from '../review/comments'
import { as } from '../testing'

async function room() {
  const [coordinator, operator, author, bystander] = [
    await makeUser({ role: 'coordinator', name: 'Cora' }),
    await makeUser({ role: 'operator', name: 'Otto' }),
    await makeUser({ role: 'operator', name: 'Ann' }),
    await makeUser({ role: 'operator', name: 'Ben' }),
  ]
  const project = await makeProject({ members: [coordinator, operator, author, bystander] })
  const batch = await makeBatch({
    name: 'Banners',
    projectId: project.id,
    status: 'in_review',
    operatorId: operator.id,
    coordinatorId: coordinator.id,
  })
  const file = await makeFile(batch, { name: 'hero.png' })
  const path = { project_id: project.id, batch_id: batch.id, file_id: file.id }
  const send = async () => ({ kind: 'sent' as const })
  const acting = (who: UserRow) => as(who, { ports: { mail: { send } } })
  const say = (who: UserRow, input: object) => createComment.execute(acting(who), path, input)
  const resolve = (who: UserRow, comment_id: string, resolved = true) =>
    updateComment.execute(acting(who), { ...path, comment_id }, { resolved })
  /** The titles a user was notified of since they were last asked for. */
  const notified = async (who: UserRow) => {
    const rows = await testDb.delete(notifications).where(eq(notifications.userId, who.id)).returning()
    return rows.map(({ title }) => title)
  }
  return { coordinator, operator, author, bystander, project, file, path, say, resolve, notified }
}

test('a comment reaches those in charge of the batch and those in its thread, and authors are not notified of their own', async () => {
  const { coordinator, operator, author, bystander, say, resolve, notified } = await room()
  const first = await say(author, { body: 'The logo is cut off.' })
  expect(await notified(operator)).toEqual(['Ann commented on hero.png'])
  expect(await notified(coordinator)).toEqual(['Ann commented on hero.png'])
  expect(await notified(author)).toEqual([])

  await say(operator, { body: 'By how much?', parent_id: first.id })
  expect(await notified(author)).toEqual(['Otto replied on hero.png'])
  expect(await notified(coordinator)).toEqual(['Otto replied on hero.png'])
  expect(await notified(operator)).toEqual([])

  await resolve(coordinator, first.id)
  await resolve(coordinator, first.id)
  expect(await notified(author)).toEqual(['Cora resolved a comment on hero.png'])
  expect(await notified(operator)).toEqual(['Cora resolved a comment on hero.png'])
  expect(await notified(coordinator)).toEqual([])

  await resolve(author, first.id, false)
  expect(await notified(operator)).toEqual(['Ann reopened a comment on hero.png'])
  expect(await notified(bystander)).toEqual([])
})

test('a user who left the project is not notified of its threads', async () => {
  const { author, operator, say, notified } = await room()
  const first = await say(author, { body: 'See here.' })
  await testDb.delete(projectMembers).where(eq(projectMembers.userId, author.id))
  await say(operator, { body: 'Fixed.', parent_id: first.id })
  expect(await notified(author)).toEqual([])
})

test('a comment leads to its file, is mailed within the hour, and goes to webhooks once', async () => {
  const { author, operator, project, file, say } = await room()
  const webhook = await makeWebhook({ eventTypes: ['comment.added'] })
  const body = '<script>alert(1)</script> \u202eevil\u202c {{x}} “quoted”'
  await say(author, { body, is_internal: true })
  const [notification] = await testDb.select().from(notifications).where(eq(notifications.userId, operator.id))
  expect(notification).toMatchObject({ body: `Banners: ${body}`, type: 'comment.added' })
  expect(notification?.href).toMatch(
    new RegExp(`^/projects/${project.id}/batches/.+/review\\?file=${file.id}#comment=[0-9a-f-]{36}$`),
  )
  const items = await testDb.select().from(mailItems).where(eq(mailItems.userId, operator.id))
  expect(items).toHaveLength(1)
  expect((items[0]?.dueAt.getTime() ?? 0) - Date.now()).toBeLessThanOrEqual(3_600_000)
  const sent = await testDb.select().from(webhookDeliveries).where(eq(webhookDeliveries.webhookId, webhook.id))
  expect(sent.map(({ payload }) => JSON.parse(payload))).toMatchObject([
    { type: 'comment.added', data: { details: { file: 'hero.png', body, is_internal: true } } },
  ])
})
