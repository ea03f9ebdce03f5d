import { eq } from 'drizzle-orm'
import { beforeAll, describe, expect, test } from 'vitest'
import { database } from '@/db/client'
import { notifications } from '@/db/schema/events'
import { guestDecisions, reviewLinks } from '@/db/schema/review-links'
import { makeBatch, makeComment, makeFile, makeProject, makeUser } from '@/fixtures/factories'
import { cancelBatch } from '../batches/commands'
import type { Context } from '../kernel/operation'
import { openMarkers } from '../review/markers'
import { listComments } from '../review/read-comments'
import { as, eventsAbout, expectRefusal } from '../testing'
import {
  commentAsGuest,
  decideAsGuest,
  deleteCommentAsGuest,
  downloadRoomFile,
  editCommentAsGuest,
  getReviewRoom,
  listRoomFiles,
  openRoomFile,
  unlockReviewLink,
  watchRoom,
} from './public'
import {
  createReviewLink,
  deactivateReviewLink,
  getReviewLink,
  listGuestDecisions,
  listReviewLinks,
  updateReviewLink,
} from './staff'

const NOW = new Date('2026-03-02T10:00:00.000Z')
const later = (ms: number) => new Date(NOW.getTime() + ms)
const HOUR = 3_600_000

async function workspace() {
  const coordinator = await makeUser({ role: 'coordinator', name: 'Caro' })
  const operator = await makeUser({ role: 'operator', name: 'Otto' })
  const project = await makeProject({ members: [coordinator, operator] })
  const batch = await makeBatch({
    projectId: project.id,
    status: 'in_review',
    operatorId: operator.id,
    coordinatorId: coordinator.id,
  })
  const file = await makeFile(batch, { name: 'poster.png' })
  return { coordinator, operator, project, batch, file }
}
type Place = Awaited<ReturnType<typeof workspace>>

async function linkOf({ coordinator, batch }: Place, given: Record<string, unknown> = {}) {
  const link = await createReviewLink.execute(
    as(coordinator, { now: NOW }),
    {},
    { batch_id: batch.id, name: 'Cleo Client', email: 'cleo@client.test', party: 'client', ...given },
  )
  return { link, token: link.url.split('/').at(-1) ?? '' }
}

/** The holder of the link, as the entry point lets them in. */
async function guest(token: string, given: { now?: Date; key?: string; address?: string } = {}): Promise<Context> {
  const ctx = as('anonymous', {
    now: given.now ?? NOW,
    address: given.address ?? null,
    credentials: { uploadSession: null, linkPassword: null, linkKey: given.key ?? null },
  })
  return { ...ctx, actor: (await getReviewRoom.authenticateAs?.(ctx, { token })) ?? ctx.actor }
}

async function room(token: string, given: Parameters<typeof guest>[1] = {}) {
  const seen = await getReviewRoom.execute(await guest(token, given), { token })
  if (seen.status !== 'active' || seen.password_required) throw new Error(`Closed: ${JSON.stringify(seen)}`)
  return seen
}
const filesOf = async (token: string) => (await listRoomFiles.execute(await guest(token), { token })).files

/** All that the holder of a link may ask for behind it. */
function inside(ctx: Context, token: string, { file }: Place) {
  const path = { token, file_id: file.id }
  return [
    () => listRoomFiles.execute(ctx, { token }),
    () => watchRoom.execute(ctx, { token }),
    () => openRoomFile.execute(ctx, path),
    () => downloadRoomFile.execute(ctx, path),
    () => decideAsGuest.execute(ctx, path, { decision: 'approve', sha256: file.sha256 }),
    () => commentAsGuest.execute(ctx, path, { body: 'Late' }),
    () => unlockReviewLink.execute(ctx, { token }, { password: 'x' }),
  ]
}

describe('making and managing review links', () => {
  test('a link is short, shown again in lists, and its token is nowhere in the database', async () => {
    const place = await workspace()
    const { link, token } = await linkOf(place)
    expect(token).toMatch(/^[0-9A-Za-z]{16}$/)
    expect(link).toMatchObject({ status: 'active', watermark: true, may_download: false, has_password: false })
    const { review_links } = await listReviewLinks.execute(as(place.coordinator), {}, { batch_id: place.batch.id })
    expect(review_links.map(({ url }) => url)).toEqual([link.url])
    const [row] = await database().db.select().from(reviewLinks).where(eq(reviewLinks.id, link.id))
    expect(row?.tokenHash).not.toContain(token)
    const [created] = await eventsAbout(link.id)
    expect(created).toMatchObject({ type: 'review_link.created', data: { name: 'Cleo Client', party: 'client' } })
  })

  test('operators may not make one, strangers find no batch, and bad terms are refused by field', async () => {
    const place = await workspace()
    const input = { batch_id: place.batch.id, name: 'Cleo', party: 'client' }
    await expectRefusal(createReviewLink.execute(as(place.operator), {}, input), 'forbidden')
    await expectRefusal(createReviewLink.execute(as(await makeUser()), {}, input), 'not_found')
    await expectRefusal(linkOf(place, { expires_at: NOW.toISOString() }), 'validation_failed', ['expires_at'])
    await expectRefusal(linkOf(place, { party: 'stranger', name: ' ' }), 'validation_failed', ['name', 'party'])
    const elsewhere = await makeFile(await makeBatch({ projectId: place.project.id }))
    await expectRefusal(linkOf(place, { file_ids: [elsewhere.id] }), 'validation_failed', ['file_ids'])
    const { link } = await linkOf(place)
    await expectRefusal(getReviewLink.execute(as(await makeUser()), { review_link_id: link.id }), 'not_found')
  })

  test('what is changed is recorded, and switching off twice happens once', async () => {
    const place = await workspace()
    const { link } = await linkOf(place)
    const at = { review_link_id: link.id }
    const coordinator = as(place.coordinator, { now: NOW })
    const changed = await updateReviewLink.execute(coordinator, at, { may_download: true, name: 'Cleo Other' })
    expect(changed).toMatchObject({ may_download: true, name: 'Cleo Other', email: 'cleo@client.test' })
    const first = await deactivateReviewLink.execute(coordinator, at)
    expect(await deactivateReviewLink.execute(as(place.coordinator, { now: later(HOUR) }), at)).toEqual(first)
    const noted = await eventsAbout(link.id)
    expect(noted.map(({ type }) => type)).toEqual([
      'review_link.created',
      'review_link.updated',
      'review_link.deactivated',
    ])
    expect(noted[1]?.data).toMatchObject({ before: { may_download: false }, after: { may_download: true } })
  })
})

describe('the room of a link', () => {
  test('shows who asks for what, and nothing that is kept inside', async () => {
    const place = await workspace()
    await makeComment(place.file, { body: 'For all', createdBy: place.operator.id })
    await makeComment(place.file, { body: 'For the team', isInternal: true, createdBy: place.operator.id })
    const { token } = await linkOf(place, { note: 'Please look' })
    expect(await room(token)).toMatchObject({
      name: 'Cleo Client',
      note: 'Please look',
      watermark: 'Cleo Client · cleo@client.test',
      contact: { name: 'Caro' },
      may_decide: true,
      counts: { files: 1, approved: 0, rejected: 0 },
    })
    const [file] = await filesOf(token)
    expect(file?.comments.map(({ author, body }) => [author, body])).toEqual([['The team', 'For all']])
    expect(JSON.stringify(file)).not.toContain('For the team')
    expect(JSON.stringify(file)).not.toContain(place.operator.email)
  })

  test('holds the current versions, or exactly those it names, and nothing in quarantine', async () => {
    const place = await workspace()
    const old = await makeFile(place.batch, { name: 'old.png', isCurrent: false })
    const bad = await makeFile(place.batch, { name: 'bad.png', integrity: 'quarantined' })
    const { token: current } = await linkOf(place)
    expect((await filesOf(current)).map(({ name }) => name)).toEqual(['poster.png'])
    const { token: named } = await linkOf(place, { file_ids: [old.id, bad.id] })
    expect((await filesOf(named)).map(({ name, is_current }) => [name, is_current])).toEqual([['old.png', false]])
    for (const file_id of [bad.id, place.file.id, 'nothing'])
      await expectRefusal(openRoomFile.execute(await guest(named), { token: named, file_id }), 'not_found')
    await expectRefusal(
      decideAsGuest.execute(
        await guest(named),
        { token: named, file_id: old.id },
        { decision: 'approve', sha256: old.sha256 },
      ),
      'invalid_state',
    )
  })

  test('is closed to all when it ended: only that is said, and each request is refused', async () => {
    const place = await workspace()
    const { token } = await linkOf(place, { expires_at: later(HOUR).toISOString() })
    const over = await guest(token, { now: later(HOUR) })
    expect(await getReviewRoom.execute(over, { token })).toEqual({ status: 'expired' })
    for (const each of inside(over, token, place)) await expectRefusal(each(), 'link_expired')
  })

  test('is closed at once when it was switched off, or its batch cancelled', async () => {
    const place = await workspace()
    const { link, token } = await linkOf(place)
    const ctx = await guest(token)
    await deactivateReviewLink.execute(as(place.coordinator, { now: NOW }), { review_link_id: link.id })
    expect(await getReviewRoom.execute(ctx, { token })).toEqual({ status: 'deactivated' })
    for (const each of inside(ctx, token, place)) await expectRefusal(each(), 'link_deactivated')
    const { token: ofCancelled } = await linkOf(place)
    await cancelBatch.execute(as(place.coordinator), { project_id: place.project.id, batch_id: place.batch.id })
    expect(await getReviewRoom.execute(await guest(ofCancelled), { token: ofCancelled })).toEqual({
      status: 'deactivated',
    })
  })

  test('an unknown and a malformed token are refused alike, and guesses are limited by address', async () => {
    const refusals: string[] = []
    for (const token of ['0123456789abcdef', '', "' or 1=1"]) {
      const refused = await expectRefusal(guest(token), 'not_found')
      refusals.push(refused.detail)
    }
    expect(new Set(refusals).size).toBe(1)
    const guesses = Array.from({ length: 61 }, (_, n) =>
      guest(`guess-${n}`, { address: '203.0.113.7' }).catch((e) => e.code),
    )
    expect(await Promise.all(guesses)).toContain('rate_limited')
  })

  test('behind a password nothing is shown until it is given, and wrong ones are counted', async () => {
    const place = await workspace()
    const { token } = await linkOf(place, { password: 'open sesame' })
    expect(await getReviewRoom.execute(await guest(token), { token })).toEqual({
      status: 'active',
      password_required: true,
    })
    await expectRefusal(filesOf(token), 'forbidden')
    const trying = (password: string) =>
      guest(token, { address: '203.0.113.9' }).then((ctx) => unlockReviewLink.execute(ctx, { token }, { password }))
    await expectRefusal(trying('wrong'), 'validation_failed', ['password'])
    const { key } = await trying('open sesame')
    expect(await room(token, { key })).toMatchObject({ name: 'Cleo Client' })
    const other = await linkOf(place, { password: 'another' })
    expect(await getReviewRoom.execute(await guest(other.token, { key }), { token: other.token })).toMatchObject({
      password_required: true,
    })
    const codes: string[] = []
    for (let n = 0; n < 12; n++) codes.push((await trying('wrong').catch((error) => error)).code)
    expect(codes).toContain('rate_limited')
  })

  test('visits are on the audit trail, once for each visit', async () => {
    const place = await workspace()
    const { link, token } = await linkOf(place)
    for (const at of [0, 1, 29 * 60_000, 2 * HOUR]) await guest(token, { now: later(at) })
    const visits = (await eventsAbout(link.id)).filter(({ type }) => type === 'review_link.opened')
    expect(visits.map(({ actorName, createdAt }) => [actorName, createdAt])).toEqual([
      ['Cleo Client', NOW],
      ['Cleo Client', later(2 * HOUR)],
    ])
  })

  test('files are downloaded only where that is allowed, and each time is recorded', async () => {
    const place = await workspace()
    const { link, token } = await linkOf(place)
    const path = { token, file_id: place.file.id }
    await expectRefusal(downloadRoomFile.execute(await guest(token), path), 'forbidden')
    await updateReviewLink.execute(as(place.coordinator), { review_link_id: link.id }, { may_download: true })
    expect(await downloadRoomFile.execute(await guest(token), path)).toMatchObject({ id: place.file.id })
    expect((await eventsAbout(link.id)).at(-1)).toMatchObject({
      type: 'review_link.downloaded',
      data: { file: 'poster.png', sha256: place.file.sha256 },
    })
  })
})

describe('what the holder of a link says', () => {
  let place: Place
  let token: string
  let linkId: string
  beforeAll(async () => {
    place = await workspace()
    const made = await linkOf(place)
    token = made.token
    linkId = made.link.id
  })
  const path = () => ({ token, file_id: place.file.id })

  test('a decision stands on the version and the bytes that were seen, and can be changed while in review', async () => {
    const decide = async (input: Record<string, unknown>) => decideAsGuest.execute(await guest(token), path(), input)
    await expectRefusal(decide({ decision: 'approve', sha256: 'f'.repeat(64) }), 'stale')
    await expectRefusal(decide({ decision: 'approve' }), 'validation_failed', ['sha256'])
    const sha256 = place.file.sha256
    await expectRefusal(decide({ decision: 'reject', sha256 }), 'validation_failed', ['comment'])
    await decide({ decision: 'approve', sha256 })
    const after = await decide({ decision: 'reject', sha256, comment: 'The logo is old' })
    expect(after.decision).toMatchObject({ decision: 'rejected', comment: 'The logo is old', sha256, file_version: 1 })
    const rows = await database().db.select().from(guestDecisions).where(eq(guestDecisions.linkId, linkId))
    expect(rows).toHaveLength(1)
    const { decisions } = await listGuestDecisions.execute(as(place.coordinator), { review_link_id: linkId })
    expect(decisions).toMatchObject([{ decision: 'rejected', file: { name: 'poster.png' }, is_current: true }])
    const noted = (await eventsAbout(linkId)).filter(({ type }) => type === 'review_link.decided')
    expect(noted.map(({ data }) => [data.before, data.after])).toEqual([
      ['pending', 'approved'],
      ['approved', 'rejected'],
    ])
    const sent = await database().db.select().from(notifications).where(eq(notifications.userId, place.operator.id))
    expect(sent.map(({ title }) => title)).toContain('Cleo Client rejected poster.png')
  })

  test('a file that is not known to be sound is not approved, and nothing is decided outside of the review', async () => {
    const pending = await makeFile(place.batch, { name: 'long.mov', integrity: 'pending' })
    const input = { decision: 'approve', sha256: pending.sha256 }
    await expectRefusal(
      decideAsGuest.execute(await guest(token), { token, file_id: pending.id }, input),
      'integrity_unsettled',
    )
    const open = await workspace()
    const batch = await makeBatch({ projectId: open.project.id, status: 'open' })
    const file = await makeFile(batch)
    const other = await linkOf({ ...open, batch })
    await expectRefusal(
      decideAsGuest.execute(
        await guest(other.token),
        { token: other.token, file_id: file.id },
        { decision: 'approve', sha256: file.sha256 },
      ),
      'invalid_state',
    )
  })

  test('two decisions at once leave one', async () => {
    const file = await makeFile(place.batch, { name: 'twice.png' })
    const ctx = await guest(token)
    const at = { token, file_id: file.id }
    await Promise.all([
      decideAsGuest.execute(ctx, at, { decision: 'approve', sha256: file.sha256 }),
      decideAsGuest.execute(ctx, at, { decision: 'reject', sha256: file.sha256, comment: 'No' }),
    ])
    expect(await database().db.select().from(guestDecisions).where(eq(guestDecisions.fileId, file.id))).toHaveLength(1)
  })

  test('a comment reaches the team under its name; only one’s own is changed and removed, with a trace', async () => {
    const ctx = await guest(token)
    const anchor = { kind: 'point', x: 0.5, y: 0.25 }
    const shapes = [{ kind: 'arrow', colour: 'red', from: [0.4, 0.4], to: [0.5, 0.25] }]
    const { comments } = await commentAsGuest.execute(ctx, path(), { body: 'Too <b>dark</b>', anchor, shapes })
    const mine = comments[0]
    expect(mine).toMatchObject({ author: 'Cleo Client', is_mine: true, anchor, shapes })
    const at = { project_id: place.project.id, batch_id: place.batch.id }
    const seen = await listComments.execute(as(place.operator), at, { file_id: place.file.id })
    expect(seen.comments).toMatchObject([{ author: { id: linkId, name: 'Cleo Client' }, by_guest: true, shapes }])
    const { markers } = await openMarkers.execute(as(place.operator), { ...at, file_id: place.file.id }, {})
    expect(markers).toMatchObject([{ author: 'Cleo Client', shapes }])
    await expectRefusal(
      commentAsGuest.execute(ctx, path(), { body: 'Reply', parent_id: mine?.id, shapes }),
      'validation_failed',
      ['shapes'],
    )

    const staffs = await makeComment(place.file, { body: 'Hello', createdBy: place.operator.id })
    const inside = await makeComment(place.file, { body: 'Team', isInternal: true, createdBy: place.operator.id })
    for (const comment_id of [staffs.id, inside.id])
      await expectRefusal(editCommentAsGuest.execute(ctx, { ...path(), comment_id }, { body: 'x' }), 'not_found')
    await expectRefusal(
      commentAsGuest.execute(ctx, path(), { body: 'Reply', parent_id: inside.id }),
      'validation_failed',
      ['parent_id'],
    )
    const own = { ...path(), comment_id: mine?.id ?? '' }
    const changed = await editCommentAsGuest.execute(ctx, own, { body: 'Too light' })
    expect(changed.comments[0]).toMatchObject({ body: 'Too light' })
    await deleteCommentAsGuest.execute(ctx, own)
    const trace = await eventsAbout(own.comment_id)
    expect(trace.map(({ type, actorName }) => [type, actorName])).toEqual([
      ['comment.added', 'Cleo Client'],
      ['comment.changed', 'Cleo Client'],
      ['comment.deleted', 'Cleo Client'],
    ])
    expect(trace[1]?.data).toMatchObject({ before: { body: 'Too <b>dark</b>' }, after: { body: 'Too light' } })
  })

  test('what was replied to is not removed', async () => {
    const ctx = await guest(token)
    const { comments } = await commentAsGuest.execute(ctx, path(), { body: 'A question' })
    const mine = comments.find(({ body }) => body === 'A question')
    await makeComment(place.file, { parentId: mine?.id, body: 'An answer', createdBy: place.operator.id })
    await expectRefusal(deleteCommentAsGuest.execute(ctx, { ...path(), comment_id: mine?.id ?? '' }), 'forbidden')
  })

  test('writes are limited', async () => {
    const fresh = await linkOf(place)
    const writer = await guest(fresh.token)
    const codes = await Promise.all(
      Array.from({ length: 61 }, () =>
        commentAsGuest.execute(writer, { token: fresh.token, file_id: place.file.id }, { body: 'x' }).then(
          () => 'ok',
          (error) => error.code,
        ),
      ),
    )
    expect(codes.filter((code) => code === 'rate_limited')).toHaveLength(1)
  })
})
