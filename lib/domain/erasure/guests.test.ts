import { eq } from 'drizzle-orm'
import { beforeEach, describe, expect, test } from 'vitest'
import { database } from '@/db/client'
import { newId } from '@/db/schema/columns'
import { events, notifications } from '@/db/schema/events'
import { reviewLinks } from '@/db/schema/review-links'
import { shareLinks } from '@/db/schema/share-links'
import { webhookDeliveries } from '@/db/schema/webhooks'
import { emptyTables, testSql } from '@/db/testing'
import { makeBatch, makeDelivery, makeFile, makeLegalHold, makeProject, makeUser } from '@/fixtures/factories'
import { sealEvents, verifyChain } from '@/lib/domain/audit/chain'
import { rowsOf } from '@/lib/maintenance/backup/testing'
import { listAuditEvents } from '../audit/queries'
import { listComments } from '../review/read-comments'
import { commentAsGuest, deleteCommentAsGuest, getReviewRoom, listRoomFiles } from '../review-links/public'
import { createReviewLink, getReviewLink, updateReviewLink } from '../review-links/staff'
import { downloadShare, getShare } from '../share-links/public'
import { createShareLink, getShareLink } from '../share-links/staff'
import { as, expectRefusal } from '../testing'
import { eraseGuest, eraseReceiver, previewGuestErasure, previewReceiverErasure } from './guests'

const NAME = 'Zoë “Q” O’Hara-Überall'
const BEFORE = 'Zoë Before'
const EMAIL = 'zoe.ohara@persons.example'
const ADDRESS = '203.0.113.77'

beforeEach(() => emptyTables())

async function scene() {
  const admin = await makeUser({ role: 'administrator' })
  const coordinator = await makeUser({ role: 'coordinator' })
  const project = await makeProject({ members: [coordinator] })
  const batch = await makeBatch({ projectId: project.id, status: 'in_review' })
  const file = await makeFile(batch, { decision: 'approved' })
  return { admin, coordinator, project, batch, file }
}

/** Texts that were made from an event, as notifications and webhooks hold them. */
async function spread(actorId: string) {
  const [event] = await database().db.select().from(events).where(eq(events.actorId, actorId)).limit(1)
  const eventId = event?.id ?? ''
  const { id: userId } = await makeUser()
  await database()
    .db.insert(notifications)
    .values({
      id: newId(),
      userId,
      eventId,
      type: 'review_link.decided',
      title: `${NAME} approved`,
      body: BEFORE,
      href: '/',
    })
  const { id } = await makeDelivery({ payload: JSON.stringify({ data: { actor: NAME, mail: EMAIL } }) })
  await database().db.update(webhookDeliveries).set({ eventId }).where(eq(webhookDeliveries.id, id))
}

/** The tables in which a row holds the text, plain or as it stands in JSON. */
async function holding(text: string) {
  const written = JSON.stringify(text).slice(1, -1)
  return Object.entries(await rowsOf(testSql)).flatMap(([table, rows]) =>
    rows.some((row) => row.includes(text) || row.includes(written)) ? [table] : [],
  )
}

const isWhole = async () => {
  await sealEvents(as('system'))
  expect((await verifyChain(database().db, new Date())).fault).toBeNull()
}

describe('the guest of a review link', () => {
  async function guest() {
    const it = await scene()
    const staff = as(it.coordinator)
    const terms = { batch_id: it.batch.id, name: BEFORE, email: EMAIL, party: 'client', note: `Dear ${NAME}` }
    const { id, url } = await createReviewLink.execute(staff, {}, terms)
    await updateReviewLink.execute(staff, { review_link_id: id }, { name: NAME })
    const token = url.split('/').at(-1) ?? ''
    const ctx = as('anonymous', { address: ADDRESS })
    const acting = { ...ctx, actor: (await getReviewRoom.authenticateAs?.(ctx, { token })) ?? ctx.actor }
    const path = { token, file_id: it.file.id }
    await commentAsGuest.execute(acting, path, { body: 'The logo is too small' })
    const { comments } = await commentAsGuest.execute(acting, path, { body: 'Never mind' })
    const second = comments.find(({ body }) => body === 'Never mind')
    await deleteCommentAsGuest.execute(acting, { ...path, comment_id: second?.id ?? '' })
    await spread(id)
    return { ...it, id, token, acting }
  }

  test('is nowhere any more; what was said stays by “Erased person”, and the link is over', async () => {
    const { admin, coordinator, project, batch, file, id, token, acting } = await guest()
    const at = { review_link_id: id }
    const preview = await previewGuestErasure.execute(as(admin), at)
    expect(preview.person).toEqual({ id, name: NAME })
    expect(preview.erased).toEqual([
      { place: 'link', count: 1 },
      { place: 'others_notifications', count: 1 },
      { place: 'webhook_deliveries', count: 1 },
      { place: 'audit_events', count: expect.any(Number) },
    ])
    const done = await eraseGuest.execute(as(admin), at)
    expect(done).toMatchObject({ person: { name: 'Erased person' }, erased: preview.erased })
    expect(await getReviewLink.execute(as(coordinator), at)).toMatchObject({
      name: 'Erased person',
      email: null,
      note: null,
      status: 'deactivated',
    })
    const path = { project_id: project.id, batch_id: batch.id, file_id: file.id }
    const { comments } = await listComments.execute(as(coordinator), path)
    expect(comments).toMatchObject([{ body: 'The logo is too small', author: { name: 'Erased person' } }])
    await expectRefusal(listRoomFiles.execute(acting, { token }), 'link_deactivated')
    const { events: noted } = await listAuditEvents.execute(as(admin), {}, { limit: '200' } as never)
    expect(JSON.stringify(noted)).not.toMatch(/Zoë|zoe\.ohara|203\.0\.113\.77/)
    expect(noted.find(({ type }) => type === 'review_link.guest_erased')?.subject_id).toBe(id)
    for (const text of [NAME, BEFORE, EMAIL, ADDRESS]) expect(await holding(text), text).toEqual([])
    await isWhole()
    await expectRefusal(eraseGuest.execute(as(admin), at), 'invalid_state')
  })

  test('is erased by administrators only, and not under a legal hold', async () => {
    const { admin, coordinator, project, id } = await guest()
    const at = { review_link_id: id }
    await expectRefusal(eraseGuest.execute(as(coordinator), at), 'forbidden')
    await expectRefusal(previewGuestErasure.execute(as(coordinator), at), 'forbidden')
    await makeLegalHold({ projectId: project.id })
    expect((await previewGuestErasure.execute(as(admin), at)).held_projects).toEqual([
      { id: project.id, name: project.name },
    ])
    await expectRefusal(eraseGuest.execute(as(admin), at), 'legal_hold')
    const [row] = await database().db.select().from(reviewLinks).where(eq(reviewLinks.id, id))
    expect(row?.name).toBe(NAME)
  })
})

describe('the receiver of a share link', () => {
  async function receiver() {
    const it = await scene()
    const terms = { batch_id: it.batch.id, name: NAME, note: `Dear ${NAME}` }
    const { id, url } = await createShareLink.execute(as(it.coordinator), {}, terms)
    const token = url.split('/').at(-1) ?? ''
    const ctx = as('anonymous', { address: ADDRESS })
    const acting = { ...ctx, actor: (await getShare.authenticateAs?.(ctx, { token })) ?? ctx.actor }
    await downloadShare.execute(acting, { token })
    await spread(id)
    return { ...it, id, token, acting }
  }

  test('is nowhere any more; what was downloaded stays counted, and the link is over', async () => {
    const { admin, coordinator, id, token, acting } = await receiver()
    const at = { share_link_id: id }
    const preview = await previewReceiverErasure.execute(as(admin), at)
    expect(preview.person).toEqual({ id, name: NAME })
    await eraseReceiver.execute(as(admin), at)
    expect(await getShareLink.execute(as(coordinator), at)).toMatchObject({
      name: 'Erased person',
      note: null,
      status: 'deactivated',
      opens: 1,
      downloads: 1,
    })
    await expectRefusal(downloadShare.execute(acting, { token }), 'link_deactivated')
    for (const text of [NAME, ADDRESS]) expect(await holding(text), text).toEqual([])
    await isWhole()
    await expectRefusal(eraseReceiver.execute(as(admin), at), 'invalid_state')
  })

  test('is erased by administrators only, and not under a legal hold', async () => {
    const { admin, coordinator, project, id } = await receiver()
    const at = { share_link_id: id }
    await expectRefusal(eraseReceiver.execute(as(coordinator), at), 'forbidden')
    await makeLegalHold({ projectId: project.id })
    await expectRefusal(eraseReceiver.execute(as(admin), at), 'legal_hold')
    const [row] = await database().db.select().from(shareLinks).where(eq(shareLinks.id, id))
    expect(row?.name).toBe(NAME)
  })
})
