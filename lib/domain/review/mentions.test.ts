import { eq } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { fileComments } from '@/db/schema/comments'
import { users } from '@/db/schema/directory'
import { events, notifications } from '@/db/schema/events'
import { mailItems } from '@/db/schema/mail'
import { projectMembers } from '@/db/schema/projects'
import { testDb } from '@/db/testing'
import { makeBatch, makeFile, makeProject, makeUser, type UserRow } from '@/fixtures/factories'
import { eraseUser } from '../erasure/users'
import { as, expectRefusal } from '../testing'
import { createComment, deleteComment, updateComment } from './comments'
import { listBatchPeople } from './mentions'
import { getComment, listComments } from './read-comments'

async function room() {
  const [coordinator, author, ann, outsider] = [
    await makeUser({ role: 'coordinator', name: 'Cora Chief' }),
    await makeUser({ role: 'operator', name: 'Otto Author' }),
    await makeUser({ role: 'viewer', name: 'Ann' }),
    await makeUser({ role: 'operator', name: 'Olga Outside' }),
  ]
  const project = await makeProject({ members: [coordinator, author, ann] })
  const batch = await makeBatch({ projectId: project.id, status: 'in_review', coordinatorId: coordinator.id })
  const file = await makeFile(batch, { name: 'hero.png' })
  const place = { project_id: project.id, batch_id: batch.id }
  const path = { ...place, file_id: file.id }
  const acting = (who: UserRow) => as(who, { ports: { mail: { send: async () => ({ kind: 'sent' as const }) } } })
  const say = (input: object, who = author) => createComment.execute(acting(who), path, input)
  const change = (comment_id: string, input: object) =>
    updateComment.execute(acting(author), { ...path, comment_id }, input)
  /** The titles a user was notified of since they were last asked for. */
  const notified = async (who: UserRow) => {
    const rows = await testDb.delete(notifications).where(eq(notifications.userId, who.id)).returning()
    return rows.map(({ title }) => title)
  }
  return { coordinator, author, ann, outsider, project, batch, place, path, acting, say, change, notified }
}

describe('people who may be mentioned', () => {
  test('are those who see the batch and may sign in, found by a part of the name', async () => {
    const it = await room()
    const admin = await makeUser({ role: 'administrator', name: 'Zora 100% Admin' })
    const gone = await makeUser({ role: 'operator', name: 'Gone', disabledAt: new Date() })
    await testDb.insert(projectMembers).values({ projectId: it.project.id, userId: gone.id })
    const ask = async (input = {}) =>
      (await listBatchPeople.execute(as(it.author), it.place, input)).people.map(({ name }) => name)
    const all = await ask()
    expect(all).toEqual(expect.arrayContaining(['Ann', 'Cora Chief', 'Otto Author', 'Zora 100% Admin']))
    expect(all).not.toContain('Olga Outside')
    expect(all).not.toContain('Gone')
    expect(await ask({ q: 'CHIEF' })).toEqual(['Cora Chief'])
    expect(await ask({ q: '0%' })).toEqual(['Zora 100% Admin'])
    expect(await ask({ q: '_' })).toEqual([])
    await expectRefusal(listBatchPeople.execute(as(it.outsider), it.place), 'not_found')
    await expectRefusal(listBatchPeople.execute(as(it.ann), it.place), 'forbidden')
    await testDb.update(users).set({ disabledAt: new Date() }).where(eq(users.id, admin.id))
  })
})

describe('a mention', () => {
  test('notifies the person once, by inbox and mail, at the comment, and those in charge of the comment itself', async () => {
    const it = await room()
    const body = '@Ann and @Cora Chief, look at the logo'
    const said = await it.say({ body, mentions: [it.ann.id, it.coordinator.id] })
    expect(said.mentions).toEqual([
      { id: it.ann.id, name: 'Ann' },
      { id: it.coordinator.id, name: 'Cora Chief' },
    ])
    const [row] = await testDb.select().from(notifications).where(eq(notifications.userId, it.ann.id))
    expect(row).toMatchObject({ title: 'Otto Author mentioned you on hero.png', type: 'comment.mentioned' })
    expect(row?.body).toContain(body)
    expect(row?.href).toContain(`#comment=${said.id}`)
    expect(await testDb.$count(mailItems, eq(mailItems.userId, it.ann.id))).toBe(1)
    await testDb.delete(mailItems)
    expect(await it.notified(it.ann)).toHaveLength(1)
    // The coordinator would hear of the comment anyway: once is enough.
    expect(await it.notified(it.coordinator)).toEqual(['Otto Author mentioned you on hero.png'])
    expect(await it.notified(it.author)).toEqual([])

    // Changed as often as it may be.
    await it.change(said.id, { body: 'Nothing', mentions: [] })
    await it.change(said.id, { body: '@Ann again', mentions: [it.ann.id] })
    expect(await it.notified(it.ann)).toEqual([])
    const more = await it.change(said.id, { body: '@Ann and @Otto Author', mentions: [it.ann.id, it.author.id] })
    expect(more.mentions).toHaveLength(2)
    expect(await it.notified(it.author)).toEqual([])
    // Other words keep whom they still name.
    expect((await it.change(said.id, { body: 'Only @Ann' })).mentions).toEqual([{ id: it.ann.id, name: 'Ann' }])
  })

  test('of a reply leads to its thread, and is for members and administrators alone', async () => {
    const it = await room()
    const first = await it.say({ body: 'The logo' })
    await it.say({ body: '@Ann?', parent_id: first.id, mentions: [it.ann.id], is_internal: true })
    const [row] = await testDb.select().from(notifications).where(eq(notifications.userId, it.ann.id))
    expect(row?.href).toContain(`#comment=${first.id}`)
    const refused = (input: object) => expectRefusal(it.say(input), 'validation_failed', ['mentions'])
    await refused({ body: '@Olga Outside', mentions: [it.outsider.id] })
    await refused({ body: 'Ann', mentions: [it.ann.id] })
    await refused({ body: '@Ann', mentions: ['01890000-0000-7000-8000-000000000000'] })
    await expectRefusal(it.say({ body: '@Ann', mentions: ['ann'] }), 'validation_failed')
    await expectRefusal(it.change(first.id, { mentions: [it.ann.id] }), 'validation_failed', ['body'])
    expect(await testDb.$count(notifications, eq(notifications.userId, it.outsider.id))).toBe(0)
  })

  test('of a person who no longer sees the batch is words of the text', async () => {
    const it = await room()
    const said = await it.say({ body: 'See @Ann', mentions: [it.ann.id] })
    const read = async () => {
      const one = await getComment.execute(as(it.author), { ...it.path, comment_id: said.id })
      const { comments } = await listComments.execute(as(it.author), it.place, {})
      expect(comments[0]?.mentions).toEqual(one.mentions)
      return { body: one.body, mentions: one.mentions.length }
    }
    expect(await read()).toEqual({ body: 'See @Ann', mentions: 1 })
    await testDb.delete(projectMembers).where(eq(projectMembers.userId, it.ann.id))
    expect(await read()).toEqual({ body: 'See @Ann', mentions: 0 })
    // As before: nothing is sent to a person who is not there.
    expect(await it.notified(it.ann)).toHaveLength(1)
    await it.change(said.id, { body: 'See @Ann, please' })
    expect(await it.notified(it.ann)).toEqual([])
  })

  test('names no person on the audit trail, and none in a comment once the person is erased', async () => {
    const it = await room()
    const admin = await makeUser({ role: 'administrator' })
    const name = 'Wanda Wunderlich'
    const wanda = await makeUser({ role: 'operator', name })
    await testDb.insert(projectMembers).values({ projectId: it.project.id, userId: wanda.id })
    const said = await it.say({ body: `@${name} and @Ann`, mentions: [wanda.id, it.ann.id] })
    await it.change(said.id, { resolved: true })
    await it.change(said.id, { body: `@${name}, @Ann!` })
    const stored = (await testDb.select().from(events).where(eq(events.subjectId, said.id))).map((event) =>
      JSON.stringify(event.data),
    )
    expect(stored.filter((data) => data.includes(name))).toEqual([])
    expect(stored.filter((data) => data.includes(`@${wanda.id}`)).length).toBeGreaterThan(2)
    await eraseUser.execute(as(admin), { user_id: wanda.id })
    const [kept] = await testDb.select().from(fileComments).where(eq(fileComments.id, said.id))
    expect(kept).toMatchObject({ body: '@Erased person, @Ann!', mentions: [it.ann.id] })
    const left = await testDb.select().from(notifications).where(eq(notifications.userId, it.ann.id))
    expect(left.filter(({ title, body }) => `${title} ${body}`.includes(name))).toEqual([])
    await deleteComment.execute(as(it.author), { ...it.path, comment_id: said.id })
  })
})
