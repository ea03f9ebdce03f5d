import { eq } from 'drizzle-orm'
import { beforeEach, describe, expect, test } from 'vitest'
import { database } from '@/db/client'
import { newId } from '@/db/schema/columns'
import { costEstimateDecisions, costEstimates } from '@/db/schema/cost-estimates'
import { users } from '@/db/schema/directory'
import { events, notifications } from '@/db/schema/events'
import { webhookDeliveries } from '@/db/schema/webhooks'
import { emptyTables, testSql } from '@/db/testing'
import {
  makeBatch,
  makeComment,
  makeDelivery,
  makeEstimate,
  makeFile,
  makeLegalHold,
  makeNotification,
  makeProject,
  makeToken,
  makeUser,
  type UserRow,
} from '@/fixtures/factories'
import { sealEvents, verifyChain } from '@/lib/domain/audit/chain'
import { rowsOf } from '@/lib/maintenance/backup/testing'
import { listAuditEvents } from '../audit/queries'
import { storeRevision } from '../cost-estimates/revisions'
import { createUser, updateUser } from '../directory/users'
import { inTransaction } from '../kernel/operation'
import { createProject, updateProject } from '../projects/commands'
import { addMember } from '../projects/members'
import { getProject } from '../projects/queries'
import { deleteComment } from '../review/comments'
import { as, expectRefusal, unchangedSince } from '../testing'
import { eraseClient, previewClientErasure } from './estimates'
import { eraseUser, previewErasure } from './users'

const NAME = 'Zoë “Q” O’Hara-Überall'
const EMAIL = 'zoe.ohara@persons.example'

let admin: UserRow
beforeEach(async () => {
  await emptyTables()
  admin = await makeUser({ role: 'administrator', name: 'Ada Admin' })
})

const rowOf = async (id: string) => (await database().db.select().from(users).where(eq(users.id, id)))[0] as UserRow

/** A person who was added, works in a project, and is named wherever the service names people. */
async function person(role: 'coordinator' | 'administrator' = 'coordinator') {
  const { id } = await createUser.execute(as(admin), {}, { name: 'Zoë before', email: EMAIL, role })
  await updateUser.execute(as(admin), { user_id: id }, { name: NAME })
  const zoe = await rowOf(id)
  const at = { address: '203.0.113.77' }
  const agency = (await makeProject()).agencyId
  const project = await createProject.execute(as(zoe, at), {}, { name: 'Spring', agency_id: agency })
  const batch = await makeBatch({ projectId: project.id, operatorId: id })
  const file = await makeFile(batch, { sourceUserId: id })
  const comment = await makeComment(file, { createdBy: id })
  await deleteComment.execute(as(admin), {
    project_id: project.id,
    batch_id: batch.id,
    file_id: file.id,
    comment_id: comment.id,
  })
  const other = await makeProject({ members: [admin] })
  await addMember.execute(as(admin), { project_id: other.id, user_id: id })
  const estimate = await makeEstimate({
    projectId: project.id,
    createdBy: id,
    steps: [
      {
        name: 'Finance',
        role: null,
        user: { id, name: NAME },
        status: 'approved',
        by: { id, name: NAME },
        at: null,
        comment: 'Fine.',
      },
    ],
  })
  await database().db.insert(costEstimateDecisions).values({
    estimateId: estimate.id,
    revision: 1,
    side: 'internal',
    decision: 'approved',
    userId: id,
    name: NAME,
    address: '203.0.113.77',
  })
  await inTransaction(as(admin), (tx) => storeRevision(tx, estimate))
  await makeToken(zoe)
  await inTransaction(as(admin), (tx) =>
    tx.record({
      type: 'estimate.submitted',
      projectId: project.id,
      subjectId: estimate.id,
      data: { number: estimate.number, title: 'Estimate', next: { name: 'Finance', user: { id, name: NAME } } },
    }),
  )
  const pinged = { type: 'webhook.ping', payload: JSON.stringify({ data: { webhook_id: 'x', by: NAME } }) }
  await makeDelivery(pinged)
  await testSql`update webhooks set disabled_reason = ${`Disabled by ${NAME}.`}`
  const [done] = await database().db.select().from(events).where(eq(events.actorId, id)).limit(1)
  const eventId = done?.id ?? ''
  await database()
    .db.insert(notifications)
    .values([
      {
        id: newId(),
        userId: admin.id,
        eventId,
        type: 'batch.submitted',
        title: `${NAME} submitted`,
        body: `By ${NAME}, once Zoë before.`,
        href: '/',
      },
      { id: newId(), userId: id, eventId, type: 'batch.submitted', title: 'To you', body: `For ${NAME}.`, href: '/' },
    ])
  const delivery = await makeDelivery()
  await database()
    .db.update(webhookDeliveries)
    .set({ eventId, payload: JSON.stringify({ data: { actor: { type: 'user', name: NAME } } }) })
    .where(eq(webhookDeliveries.id, delivery.id))
  return { zoe, project, estimate, delivery, eventId, other }
}

/** The rows of the whole database that hold this text, plain or as it stands in JSON. */
async function holding(text: string) {
  const written = JSON.stringify(text).slice(1, -1)
  const rows = await rowsOf(testSql)
  return Object.entries(rows).flatMap(([table, lines]) =>
    lines.filter((line) => line.includes(text) || line.includes(written)).map((line) => `${table}: ${line}`),
  )
}

const isWhole = async () => expect((await verifyChain(database().db, new Date())).fault).toBeNull()
const trail = async () => (await listAuditEvents.execute(as(admin), {}, {})).events

describe('the audit trail', () => {
  test('stores names and addresses sealed, shows them, and its chain verifies', async () => {
    const { zoe } = await person()
    await sealEvents(as('system'))
    const stored = (await database().db.select().from(events)).map((event) => JSON.stringify(event))
    for (const text of [zoe.name, zoe.email, 'Zoë before', '203.0.113.77', 'Ada Admin'])
      expect(stored.filter((row) => row.includes(text) || row.includes(JSON.stringify(text).slice(1, -1)))).toEqual([])
    const shown = await trail()
    expect(shown.find(({ type }) => type === 'project.created')).toMatchObject({
      actor: { type: 'user', id: zoe.id, name: NAME },
      address: '203.0.113.77',
    })
    expect(shown.find(({ type }) => type === 'user.updated')?.data).toMatchObject({
      name: NAME,
      before: { name: 'Zoë before' },
      after: { name: NAME },
    })
    expect(shown.find(({ type }) => type === 'user.created')?.data).toMatchObject({ email: EMAIL, role: 'coordinator' })
    expect(shown.find(({ type }) => type === 'comment.deleted')?.data).toMatchObject({ author: NAME })
    await isWhole()
  })

  test('names who changed a thing meanwhile, and an erased person as such', async () => {
    const { zoe, project } = await person()
    const read = await getProject.execute(as(zoe), { project_id: project.id })
    await updateProject.execute(as(zoe), { project_id: project.id }, { name: 'Summer' })
    const change = () =>
      updateProject.execute(
        as(admin, { precondition: unchangedSince(read) }),
        { project_id: project.id },
        { name: 'Autumn' },
      )
    expect((await expectRefusal(change(), 'stale')).facts.changedBy).toEqual({ name: NAME, is_you: false })
    await eraseUser.execute(as(admin), { user_id: zoe.id })
    expect((await expectRefusal(change(), 'stale')).facts.changedBy).toMatchObject({ name: 'Erased person' })
  })

  test('does not take a text that looks sealed for another person’s', async () => {
    const forged = `sealed:1:${Buffer.alloc(40).toString('base64url')}`
    const mallory = await makeUser({ name: forged })
    await createProject.execute(as(mallory), {}, { name: forged, agency_id: (await makeProject()).agencyId })
    const [event] = await trail()
    expect(event).toMatchObject({ actor: { name: forged }, data: { name: forged } })
  })
})

describe('erasing a user', () => {
  test('leaves the name, the address and the e-mail in no row, and the chain whole', async () => {
    const { zoe, eventId, estimate, project } = await person()
    await sealEvents(as('system'))
    const head = (await verifyChain(database().db, new Date())).head
    const params = { user_id: zoe.id }
    const shown = await previewErasure.execute(as(admin), params)
    expect(shown).toMatchObject({ person: { id: zoe.id, name: NAME }, held_projects: [] })
    expect(Object.fromEntries(shown.erased.map(({ place, count }) => [place, count]))).toMatchObject({
      account: 1,
      tokens: 1,
      // One about the estimate that waits for them.
      own_notifications: 2,
      others_notifications: 1,
      webhook_deliveries: 1,
      estimates: 1,
    })
    expect(shown.erased.find(({ place }) => place === 'audit_events')?.count).toBeGreaterThanOrEqual(4)
    expect(shown.kept.every(({ count }) => count === 0)).toBe(true)
    expect((await holding(NAME)).length).toBeGreaterThan(4)

    await eraseUser.execute(as(admin), params)
    for (const text of [NAME, 'Zoë before', EMAIL, '203.0.113.77']) expect(await holding(text), text).toEqual([])
    await sealEvents(as('system'))
    await isWhole()
    expect((await verifyChain(database().db, new Date(), { known: head })).fault).toBeNull()

    const after = await trail()
    expect(after.find(({ id }) => id === eventId)).toMatchObject({
      actor: { id: zoe.id, name: 'Erased person' },
      address: null,
    })
    expect(after.find(({ type }) => type === 'user.created')).toMatchObject({
      actor: { name: 'Ada Admin' },
      data: { name: 'Erased person', email: 'Erased person', role: 'coordinator' },
    })
    expect(after.find(({ type }) => type === 'user.erased')).toMatchObject({
      subject_id: zoe.id,
      actor: { name: 'Ada Admin' },
      data: { erased: { account: 1, tokens: 1 } },
    })
    const [note] = await database().db.select().from(notifications)
    expect(note).toMatchObject({ title: 'Erased person submitted', body: 'By Erased person, once Erased person.' })
    const [kept] = await database().db.select().from(costEstimates).where(eq(costEstimates.id, estimate.id))
    expect(kept?.steps).toMatchObject([{ name: 'Finance', user: { name: 'Erased person' }, comment: 'Fine.' }])
    expect((await getProject.execute(as(admin), { project_id: project.id })).created_by.name).toBe('Erased person')
    expect(await rowOf(zoe.id)).toMatchObject({ name: 'Erased person', passwordHash: null })
    // The next person with the address is another one.
    const next = await createUser.execute(as(admin), {}, { name: 'Another', email: EMAIL, role: 'viewer' })
    expect(next.id).not.toBe(zoe.id)
  })

  test('says which events an earlier version sealed in clear text; screens no longer show them', async () => {
    const { zoe } = await person()
    await testSql`insert into events (id, type, actor_type, actor_id, actor_name, address, created_at)
      values (${newId()}, 'batch.submitted', 'user', ${zoe.id}, ${NAME}, '203.0.113.77', now())`
    await sealEvents(as('system'))
    const { kept } = await previewErasure.execute(as(admin), { user_id: zoe.id })
    expect(kept).toContainEqual({ place: 'earlier_audit_events', count: 1 })
    await eraseUser.execute(as(admin), { user_id: zoe.id })
    const old = (await trail()).find(({ type }) => type === 'batch.submitted')
    expect(old).toMatchObject({ actor: { name: 'Erased person' }, address: null })
    await isWhole()
  })

  test('counts what others were told of the person’s events alone, and estimates that only say who decided', async () => {
    const { zoe } = await person()
    const params = { user_id: zoe.id }
    const countsNow = async () =>
      Object.fromEntries(
        (await previewErasure.execute(as(admin), params)).erased.map((each) => [each.place, each.count]),
      )
    const before = await countsNow()
    await makeNotification(admin)
    await makeNotification(zoe)
    await makeDelivery()
    const by = { id: zoe.id, name: NAME }
    const step = {
      name: 'Finance',
      role: 'coordinator',
      user: null,
      status: 'approved',
      at: null,
      comment: '',
    } as const
    const decided = await makeEstimate({ steps: [{ ...step, by }] })
    await makeEstimate({ steps: [{ ...step, by: { id: admin.id, name: admin.name } }] })
    expect(await countsNow()).toEqual({
      ...before,
      own_notifications: Number(before.own_notifications) + 1,
      estimates: Number(before.estimates) + 1,
    })
    await eraseUser.execute(as(admin), params)
    const [kept] = await database().db.select().from(costEstimates).where(eq(costEstimates.id, decided.id))
    expect(kept?.steps).toMatchObject([{ by: { id: zoe.id, name: 'Erased person' } }])
  })

  test.each(['projectId', 'agencyId'] as const)(
    'is refused while a project with the person is under legal hold by its %s',
    async (by) => {
      const { zoe, other } = await person()
      await makeLegalHold(by === 'agencyId' ? { agencyId: other.agencyId } : { projectId: other.id })
      await makeLegalHold()
      await makeLegalHold({ projectId: (await makeProject({ members: [zoe] })).id, liftedAt: new Date() })
      const params = { user_id: zoe.id }
      expect((await previewErasure.execute(as(admin), params)).held_projects).toEqual([
        { id: other.id, name: other.name },
      ])
      const { detail } = await expectRefusal(eraseUser.execute(as(admin), params), 'legal_hold')
      expect(detail).toContain(`“${other.name}”`)
      expect((await rowOf(zoe.id)).name).toBe(NAME)
    },
  )

  test('is for administrators, once, never themselves, and never the last of them', async () => {
    const { zoe } = await person()
    const params = { user_id: zoe.id }
    await expectRefusal(eraseUser.execute(as(zoe), { user_id: admin.id }), 'forbidden')
    await expectRefusal(previewErasure.execute(as(zoe), params), 'forbidden')
    await expectRefusal(eraseUser.execute(as(admin), { user_id: admin.id }), 'forbidden')
    const second = await makeUser({ role: 'administrator' })
    await testSql`update users set disabled_at = now() where role = 'administrator' and id not in (${admin.id}, ${second.id})`
    const both = await Promise.allSettled([
      eraseUser.execute(as(admin), { user_id: second.id }),
      eraseUser.execute(as(second), { user_id: admin.id }),
    ])
    expect(both.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    const left = (await rowOf(admin.id)).erasedAt ? second : admin
    const twice = await Promise.allSettled([1, 2, 3].map(() => eraseUser.execute(as(left), params)))
    expect(twice.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    await expectRefusal(previewErasure.execute(as(left), params), 'invalid_state')
    await expectRefusal(updateUser.execute(as(left), params, { name: 'Back', disabled: false }), 'invalid_state')
  })
})

describe('erasing the client of an estimate', () => {
  test('leaves the decision without the name and the address', async () => {
    const project = await makeProject({ members: [admin] })
    const estimate = await makeEstimate({ projectId: project.id, createdBy: admin.id })
    const params = { estimate_id: estimate.id }
    await expectRefusal(previewClientErasure.execute(as(admin), params), 'invalid_state')
    const client = { type: 'client' as const, id: estimate.id, name: 'The client' }
    await inTransaction(as(admin, { actor: client, address: '203.0.113.9' }), async (tx) => {
      await tx.db.insert(costEstimateDecisions).values({
        estimateId: estimate.id,
        revision: 1,
        side: 'client',
        decision: 'approved',
        userId: null,
        name: NAME,
        address: '203.0.113.9',
        comment: 'Go on.',
      })
      await tx.record({
        type: 'estimate.approved',
        projectId: project.id,
        subjectId: estimate.id,
        data: { number: estimate.number, title: 'Estimate', client: NAME, total: '100' },
      })
    })
    await inTransaction(as(admin), (tx) => storeRevision(tx, estimate))
    await sealEvents(as('system'))
    expect((await trail()).find(({ type }) => type === 'estimate.approved')?.data).toMatchObject({ client: NAME })
    const held = await makeLegalHold({ projectId: project.id })
    await expectRefusal(eraseClient.execute(as(admin), params), 'legal_hold')
    await testSql`delete from legal_holds where id = ${held.id}`
    expect(await previewClientErasure.execute(as(admin), params)).toMatchObject({
      person: { name: NAME },
      erased: [{ place: 'estimates', count: 1 }, {}, {}, { place: 'audit_events', count: 1 }],
    })
    await eraseClient.execute(as(admin), params)
    for (const text of [NAME, '203.0.113.9']) expect(await holding(text), text).toEqual([])
    const [decision] = await database().db.select().from(costEstimateDecisions)
    expect(decision).toMatchObject({ name: 'Erased person', address: null, comment: 'Go on.', decision: 'approved' })
    expect((await trail()).find(({ type }) => type === 'estimate.approved')?.data).toMatchObject({
      client: 'Erased person',
      total: '100',
    })
    await isWhole()
    await expectRefusal(eraseClient.execute(as(admin), params), 'invalid_state')
  })
})
