import { eq } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { database } from '@/db/client'
import { events, notifications } from '@/db/schema/events'
import { files } from '@/db/schema/files'
import { batches, projects } from '@/db/schema/projects'
import { uploadLinks, uploadSessions } from '@/db/schema/upload-links'
import { makeBatch, makeMediaCategory, makeProject, makeUser } from '@/fixtures/factories'
import { arrived, image, storedKeys, uploadPorts } from '../files/testing'
import type { Context } from '../kernel/operation'
import { as, expectRefusal, refusal } from '../testing'
import { authenticateLink } from './find'
import {
  checkFiles,
  closeUploadSession,
  getPublicUploadLink,
  openUploadSession,
  receiveFileByLink,
  unlockUploadLink,
} from './public'
import { openRejectedFile } from './rejected-files'
import { createUploadLink, deactivateUploadLink, getUploadLink, listUploadLinks, updateUploadLink } from './staff'

const NOW = new Date('2026-03-02T10:00:00.000Z')
const later = (ms: number) => new Date(NOW.getTime() + ms)
const HOUR = 3_600_000

async function workspace(options: { template?: string | null } = {}) {
  const coordinator = await makeUser({ role: 'coordinator', name: 'Caro' })
  const operator = await makeUser({ role: 'operator' })
  const category = await makeMediaCategory({ namingTemplate: options.template ?? null })
  const project = await makeProject({ members: [coordinator, operator], mediaCategoryId: category.id })
  const batch = await makeBatch({
    projectId: project.id,
    mediaCategoryId: category.id,
    operatorId: operator.id,
    coordinatorId: coordinator.id,
  })
  return { coordinator, operator, category, project, batch }
}

async function linkOf(place: Awaited<ReturnType<typeof workspace>>, given: Record<string, unknown> = {}) {
  const link = await createUploadLink.execute(
    as(place.coordinator, { now: NOW }),
    {},
    { batch_id: place.batch.id, label: 'Spring', ...given },
  )
  return { link, token: link.url.split('/').at(-1) ?? '' }
}

/** A holder of the link, in a session of their own or in the one named. */
async function holder(
  token: string,
  given: { now?: Date; session?: string; password?: string; key?: string; address?: string } = {},
): Promise<Context> {
  const ctx = as('anonymous', {
    now: given.now ?? NOW,
    address: given.address ?? null,
    ports: uploadPorts,
    credentials: {
      uploadSession: given.session ?? null,
      linkPassword: given.password ?? null,
      linkKey: given.key ?? null,
    },
  })
  return { ...ctx, actor: await authenticateLink(ctx, { token }) }
}

const send = async (token: string, name: string, given: Parameters<typeof holder>[1] & { bytes?: Buffer } = {}) =>
  receiveFileByLink.execute(await holder(token, given), { token }, await arrived(name, given.bytes ?? (await image())))

/** Whether a file may come through the link, asked before its bytes. */
const expecting = async (ctx: Context, token: string) => (await receiveFileByLink.open(ctx, { token })).expect()

/** What the link returns a holder who may know all of it. */
async function seenBy(token: string, given: Parameters<typeof holder>[1] = {}) {
  const seen = await getPublicUploadLink.execute(await holder(token, given), { token })
  if (!('password_required' in seen) || seen.password_required) throw new Error(`Closed: ${JSON.stringify(seen)}`)
  return seen
}

const rowOf = async (id: string) => (await database().db.select().from(uploadLinks).where(eq(uploadLinks.id, id)))[0]
const filesIn = (batchId: string) => database().db.select().from(files).where(eq(files.batchId, batchId))

describe('making and managing links', () => {
  test('a link is short, shown again in lists, and its token is nowhere in the database', async () => {
    const place = await workspace()
    const { link, token } = await linkOf(place, { max_uses: 3 })
    expect(token).toMatch(/^[0-9A-Za-z]{16}$/)
    expect(link).toMatchObject({ status: 'active', use_count: 0, max_uses: 3, expires_at: null })
    const { upload_links } = await listUploadLinks.execute(as(place.coordinator), {}, { batchId: place.batch.id })
    expect(upload_links.map(({ url }) => url)).toEqual([link.url])
    expect((await rowOf(link.id))?.tokenHash).not.toContain(token)
  })

  test('operators may not make links, and who is not a member finds no batch', async () => {
    const place = await workspace()
    await expectRefusal(createUploadLink.execute(as(place.operator), {}, { batch_id: place.batch.id }), 'forbidden')
    await expectRefusal(createUploadLink.execute(as(await makeUser()), {}, { batch_id: place.batch.id }), 'not_found')
    const { link } = await linkOf(place)
    await expectRefusal(getUploadLink.execute(as(await makeUser()), { link_id: link.id }), 'not_found')
    await expectRefusal(deactivateUploadLink.execute(as(place.operator), { link_id: link.id }), 'forbidden')
  })

  test('an expiry in the past and uses out of range are refused by field', async () => {
    const place = await workspace()
    await expectRefusal(linkOf(place, { expires_at: later(-1).toISOString() }), 'validation_failed', ['expires_at'])
    await expectRefusal(linkOf(place, { expires_at: NOW.toISOString() }), 'validation_failed', ['expires_at'])
    await expectRefusal(linkOf(place, { max_uses: 0 }), 'validation_failed', ['max_uses'])
    await expectRefusal(linkOf(place, { max_uses: 10_001 }), 'validation_failed', ['max_uses'])
    await expectRefusal(linkOf(place, { max_uses: 1.5, use_count: 0 }), 'validation_failed', ['max_uses', 'use_count'])
  })

  test('deactivating twice returns the same and happens once', async () => {
    const place = await workspace()
    const { link } = await linkOf(place)
    const first = await deactivateUploadLink.execute(as(place.coordinator, { now: NOW }), { link_id: link.id })
    const second = await deactivateUploadLink.execute(as(place.coordinator, { now: later(HOUR) }), { link_id: link.id })
    expect(first.status).toBe('deactivated')
    expect(second).toEqual(first)
    const noted = await database().db.select().from(events).where(eq(events.subjectId, link.id))
    expect(noted.map(({ type }) => type).sort()).toEqual(['upload_link.created', 'upload_link.deactivated'])
  })

  test('uses cannot be lowered below what was used', async () => {
    const place = await workspace()
    const { link, token } = await linkOf(place, { max_uses: 3 })
    await send(token, 'a.png')
    await send(token, 'b.png')
    await expectRefusal(
      updateUploadLink.execute(as(place.coordinator), { link_id: link.id }, { max_uses: 1 }),
      'validation_failed',
      ['max_uses'],
    )
    expect(
      (await updateUploadLink.execute(as(place.coordinator), { link_id: link.id }, { max_uses: 2, label: 'New' }))
        .status,
    ).toBe('used_up')
  })
})

describe('what the holder of a link may know', () => {
  test('who asks for what, how names are built, and an example that is itself accepted', async () => {
    const place = await workspace({ template: '{agency}_{title}_{width}x{height}_v{version}.{ext}' })
    const { token } = await linkOf(place, { note: 'By Friday, please', max_uses: 2 })
    const seen = await seenBy(token)
    expect(seen).toMatchObject({
      label: 'Spring',
      note: 'By Friday, please',
      uses_left: 2,
      status: 'active',
      password_required: false,
      contact: { name: 'Caro' },
      expected_files: null,
    })
    const example = seen.naming.example ?? ''
    const { files: checked } = await checkFiles.execute(
      await holder(token),
      { token },
      { files: [{ name: example, size: 1 }] },
    )
    expect(checked).toEqual([{ name: example, accepted: true, violations: [] }])
  })

  test('unknown, malformed and empty tokens get one and the same response', async () => {
    const refusals = await Promise.all(
      ['AAAAAAAAAAAAAAAA', 'x', "' or 1=1 --", '../../etc'].map((token) => refusal(holder(token))),
    )
    expect(new Set(refusals.map(({ code, detail }) => `${code} ${detail}`))).toEqual(
      new Set(['not_found There is no such upload link.']),
    )
  })

  test('with a password, nothing is shown and nothing taken until it is given', async () => {
    const place = await workspace({ template: '{agency}_{title}.{ext}' })
    const { token } = await linkOf(place, { password: 'spring-2026', note: 'secret plan' })
    const seen = await getPublicUploadLink.execute(await holder(token), { token })
    expect(seen).toEqual({ label: 'Spring', status: 'active', password_required: true })
    await expectRefusal(
      checkFiles.execute(await holder(token), { token }, { files: [{ name: 'a.png', size: 1 }] }),
      'forbidden',
    )
    await expectRefusal(send(token, 'a.png'), 'forbidden')
    await expectRefusal(send(token, 'a.png', { password: 'wrong' }), 'forbidden')
    await expectRefusal(
      unlockUploadLink.execute(await holder(token), { token }, { password: 'wrong' }),
      'validation_failed',
      ['password'],
    )
    const { key } = await unlockUploadLink.execute(await holder(token), { token }, { password: 'spring-2026' })
    expect(await seenBy(token, { key })).toMatchObject({ password_required: false, note: 'secret plan' })
    const other = await linkOf(await workspace(), { password: 'other-password' })
    expect(
      await getPublicUploadLink.execute(await holder(other.token, { key }), { token: other.token }),
    ).toHaveProperty('password_required', true)
  })

  test('guesses of a password are counted although they are refused, by link and address', async () => {
    const { token } = await linkOf(await workspace(), { password: 'spring-2026' })
    const unlock = async (password: string, address: string) =>
      unlockUploadLink.execute(await holder(token, { address }), { token }, { password })
    const guesses = await Promise.allSettled(Array.from({ length: 40 }, (_, i) => unlock(`guess ${i}`, '203.0.113.1')))
    const codes = guesses.map((guess) => guess.status === 'rejected' && guess.reason.code)
    expect(codes.filter((code) => code === 'validation_failed')).toHaveLength(10)
    expect(codes.filter((code) => code === 'rate_limited')).toHaveLength(30)
    const refused = await expectRefusal(unlock('spring-2026', '203.0.113.1'), 'rate_limited')
    expect(refused.facts.retryAfter).toBeGreaterThanOrEqual(1)
    expect((await unlock('spring-2026', '203.0.113.2')).key).toBeTruthy()
  })

  test('a visitor who sends the right password is never held up by it, nor a visit that got in by a neighbour’s guesses', async () => {
    const { token } = await linkOf(await workspace(), { password: 'spring-2026' })
    const address = '203.0.113.1'
    const session = crypto.randomUUID()
    await send(token, 'a.png', { session, password: 'spring-2026', address })
    for (let i = 0; i < 15; i++) await seenBy(token, { password: 'spring-2026', address })
    const { key } = await unlockUploadLink.execute(
      await holder(token, { address }),
      { token },
      { password: 'spring-2026' },
    )
    for (let i = 0; i < 10; i++) await expectRefusal(send(token, 'b.png', { password: 'wrong', address }), 'forbidden')
    await expectRefusal(send(token, 'b.png', { password: 'wrong', address }), 'rate_limited')
    expect((await send(token, 'b.png', { session, address })).file.name).toBe('b.png')
    expect(await seenBy(token, { key, address })).toMatchObject({ label: 'Spring' })
  })

  test.each(['deactivated', 'expired', 'used_up', 'cancelled'] as const)(
    'of a link that is %s its label and status, and everything else is gone',
    async (end) => {
      const place = await workspace()
      const { link, token } = await linkOf(place, {
        note: 'By Friday, please',
        max_uses: 1,
        expires_at: later(HOUR).toISOString(),
        ...(end === 'expired' && { password: 'spring-2026' }),
      })
      if (end === 'used_up') await send(token, 'a.png')
      if (end === 'deactivated') await deactivateUploadLink.execute(as(place.coordinator), { link_id: link.id })
      if (end === 'cancelled')
        await database().db.update(batches).set({ status: 'cancelled' }).where(eq(batches.id, place.batch.id))
      const asker = () => holder(token, { now: end === 'expired' ? later(HOUR) : NOW })
      const status = end === 'cancelled' ? 'deactivated' : end
      expect(await getPublicUploadLink.execute(await asker(), { token })).toEqual({ label: 'Spring', status })
      const ctx = await asker()
      const file_id = crypto.randomUUID()
      const refused = [
        checkFiles.execute(ctx, { token }, { files: [{ name: 'a.png', size: 1, sha256: '0'.repeat(64) }] }),
        openRejectedFile.execute(ctx, { token, file_id }),
        openUploadSession.execute(ctx, { token }),
        unlockUploadLink.execute(ctx, { token }, { password: 'a guess' }),
      ]
      await Promise.all(refused.map((asked) => expectRefusal(asked, `link_${status}`)))
      if (end !== 'cancelled') await expectRefusal(expecting(ctx, token), `link_${status}`)
      // Of an upload that used the link up the verdict can still be read.
      const verdict = receiveFileByLink.open(ctx, { token }).then((arrival) => arrival.assertReadable())
      if (end === 'used_up') await verdict
      else await expectRefusal(verdict, `link_${status}`)
    },
  )

  test('a visit that holds the last use goes on as before, and no other visitor gets in', async () => {
    const { token } = await linkOf(await workspace(), { max_uses: 1 })
    const session = crypto.randomUUID()
    await send(token, 'a.png', { session })
    expect(await seenBy(token, { session })).toMatchObject({ status: 'used_up', uses_left: 0, project: {} })
    const visit = await holder(token, { session })
    await openUploadSession.execute(visit, { token })
    const { files: checked } = await checkFiles.execute(visit, { token }, { files: [{ name: 'b.png', size: 1 }] })
    expect(checked[0]?.accepted).toBe(true)
    await closeUploadSession.execute(visit, { token })
    expect(await getPublicUploadLink.execute(visit, { token })).toEqual({ label: 'Spring', status: 'used_up' })
  })
})

describe('uses and sessions', () => {
  test('a session takes one use, however many files it brings', async () => {
    const place = await workspace()
    const { link, token } = await linkOf(place, { max_uses: 2 })
    const session = crypto.randomUUID()
    expect((await send(token, 'a.png', { session })).uses_left).toBe(1)
    expect((await send(token, 'b.png', { session })).uses_left).toBe(1)
    expect((await send(token, 'c.png')).uses_left).toBe(0)
    expect(await rowOf(link.id)).toMatchObject({ useCount: 2 })
    // The link is used up for newcomers; who is in may go on.
    await expectRefusal(send(token, 'd.png'), 'link_used_up')
    expect((await send(token, 'e.png', { session })).uses_left).toBe(0)
  })

  test('a refused file uses nothing, stores nothing, and is on the audit trail', async () => {
    const place = await workspace()
    const { link, token } = await linkOf(place, { max_uses: 1 })
    const before = (await storedKeys()).length
    const whole = await image(60, 60)
    const refused = await expectRefusal(
      send(token, 'cut.png', { bytes: whole.subarray(0, whole.length - 20) }),
      'file_rejected',
    )
    expect(refused.facts.violations?.map(({ rule }) => rule)).toEqual(['integrity'])
    expect(await rowOf(link.id)).toMatchObject({ useCount: 0, lastUsedAt: null })
    expect((await storedKeys()).length).toBe(before)
    expect(await filesIn(place.batch.id)).toEqual([])
    const noted = await database().db.select().from(events).where(eq(events.batchId, place.batch.id))
    expect(noted.filter(({ type }) => type === 'upload.rejected')).toMatchObject([
      { actorType: 'upload_link', actorId: link.id, data: { file: 'cut.png' } },
    ])
  })

  test('a session begins with its first file, in whichever order files that come at once are counted', async () => {
    const { token } = await linkOf(await workspace())
    const session = crypto.randomUUID()
    await send(token, 'a.png', { session, now: later(500) })
    await send(token, 'b.png', { session, now: later(400) })
    const [row] = await database().db.select().from(uploadSessions).where(eq(uploadSessions.key, session))
    expect(row).toMatchObject({ fileCount: 2, createdAt: later(400), lastFileAt: later(500) })
  })

  test('with two uses left and eight sessions at once, exactly two get in', async () => {
    const place = await workspace()
    const { link, token } = await linkOf(place, { max_uses: 2 })
    const outcomes = await Promise.allSettled(
      Array.from({ length: 8 }, (_, i) => send(token, `race-${i}.png`, { session: crypto.randomUUID() })),
    )
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(2)
    for (const outcome of outcomes) if (outcome.status === 'rejected') expect(outcome.reason.code).toBe('link_used_up')
    expect(await rowOf(link.id)).toMatchObject({ useCount: 2 })
    expect(await filesIn(place.batch.id)).toHaveLength(2)
  })

  test('a link stops working when it expires, for open sessions, too', async () => {
    const place = await workspace()
    const { token } = await linkOf(place, { expires_at: later(HOUR).toISOString() })
    const session = crypto.randomUUID()
    await send(token, 'a.png', { session, now: later(HOUR - 1) })
    await expectRefusal(send(token, 'b.png', { session, now: later(HOUR) }), 'link_expired')
  })

  test('deactivating ends open sessions', async () => {
    const place = await workspace()
    const { link, token } = await linkOf(place)
    const session = crypto.randomUUID()
    await send(token, 'a.png', { session })
    await deactivateUploadLink.execute(as(place.coordinator), { link_id: link.id })
    await expectRefusal(send(token, 'b.png', { session }), 'link_deactivated')
  })

  test('a link that is deactivated while the bytes are validated takes nothing, and leaves nothing in the store', async () => {
    const place = await workspace()
    const { link, token } = await linkOf(place)
    const before = (await storedKeys()).length
    const ctx = await holder(token)
    const slow: Context = {
      ...ctx,
      ports: {
        ...ctx.ports,
        files: {
          ...ctx.ports.files,
          async inspect(...args) {
            await deactivateUploadLink.execute(as(place.coordinator), { link_id: link.id })
            return uploadPorts.files.inspect(...args)
          },
        },
      },
    }
    await expectRefusal(
      receiveFileByLink.execute(slow, { token }, await arrived('late.png', await image())),
      'link_deactivated',
    )
    expect(await filesIn(place.batch.id)).toEqual([])
    expect((await storedKeys()).length).toBe(before)
  })

  test('a session ends with "Done" or a day after its last file; going on is a new use', async () => {
    const place = await workspace()
    const { token } = await linkOf(place, { max_uses: 3 })
    const session = crypto.randomUUID()
    expect((await send(token, 'a.png', { session })).uses_left).toBe(2)
    await closeUploadSession.execute(await holder(token, { session }), { token })
    expect((await send(token, 'b.png', { session })).uses_left).toBe(1)
    expect((await send(token, 'c.png', { session, now: later(24 * HOUR - 1) })).uses_left).toBe(1)
    expect((await send(token, 'd.png', { session, now: later(49 * HOUR) })).uses_left).toBe(0)
  })
})

describe('what a link takes', () => {
  test.each([
    ['on_hold', 'project_on_hold'],
    ['completed', 'project_closed'],
    ['archived', 'project_closed'],
  ] as const)('nothing while the project is %s', async (status, code) => {
    const place = await workspace()
    const { token } = await linkOf(place)
    await database().db.update(projects).set({ status }).where(eq(projects.id, place.project.id))
    await expectRefusal(expecting(await holder(token), token), code)
    await expectRefusal(send(token, 'a.png'), code)
  })

  test.each(['in_review', 'approved', 'cancelled'] as const)('nothing while the batch is %s', async (status) => {
    const place = await workspace()
    const { token } = await linkOf(place)
    await database().db.update(batches).set({ status }).where(eq(batches.id, place.batch.id))
    const refused = await expectRefusal(send(token, 'a.png'), 'invalid_state')
    expect(refused.facts).toMatchObject({ current: status, allowed: ['open', 'awaiting_resupply'] })
  })

  test('while a resupply is awaited, only what was rejected, and only changed', async () => {
    const place = await workspace()
    const { token } = await linkOf(place)
    const first = await image()
    await send(token, 'hero.png', { bytes: first })
    await send(token, 'logo.png')
    await database().db.update(files).set({ decision: 'approved' }).where(eq(files.name, 'logo.png'))
    await database()
      .db.update(files)
      .set({ decision: 'rejected', decisionComment: 'Too dark' })
      .where(eq(files.name, 'hero.png'))
    await database().db.update(batches).set({ status: 'awaiting_resupply' }).where(eq(batches.id, place.batch.id))
    const seen = await seenBy(token)
    expect(seen.expected_files).toMatchObject([{ name: 'hero.png', reason: 'Too dark', suggested_name: 'hero.png' }])

    const stranger = await expectRefusal(send(token, 'other.png'), 'file_rejected')
    expect(stranger.facts.violations?.map(({ code }) => code)).toEqual(['not_expected'])
    const locked = await expectRefusal(send(token, 'logo.png'), 'file_rejected')
    expect(locked.facts.violations?.map(({ code }) => code)).toContain('duplicate_name')
    const same = await expectRefusal(send(token, 'HERO.png', { bytes: first }), 'file_rejected')
    expect(same.facts.violations?.map(({ code }) => code)).toContain('unchanged')
    expect((await send(token, 'Hero.PNG')).file.version).toBe(2)
  })

  test('someone with a link learns of no file outside its batch', async () => {
    const place = await workspace()
    const elsewhere = await makeBatch({ projectId: place.project.id, mediaCategoryId: place.category.id })
    const bytes = await image()
    const other = await linkOf({ ...place, batch: elsewhere })
    await send(other.token, 'unreleased-product.png', { bytes })
    const { token } = await linkOf(place)
    const refused = await expectRefusal(send(token, 'mine.png', { bytes }), 'file_rejected')
    expect(refused.facts.violations?.map(({ code }) => code)).toEqual(['duplicate_content'])
    expect(JSON.stringify(refused.facts)).not.toContain('unreleased')
  })

  test('the coordinator is notified of what arrives, unless the link was made quiet', async () => {
    const place = await workspace()
    const loud = await linkOf(place)
    const quiet = await linkOf(place, { notify: false })
    await send(loud.token, 'loud.png')
    await send(quiet.token, 'quiet.png')
    const notified = await database()
      .db.select()
      .from(notifications)
      .where(eq(notifications.userId, place.coordinator.id))
    expect(notified.map(({ title }) => title)).toEqual(['loud.png arrived'])
  })
})
