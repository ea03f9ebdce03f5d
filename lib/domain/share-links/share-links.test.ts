import { eq } from 'drizzle-orm'
import { beforeAll, describe, expect, test } from 'vitest'
import { database } from '@/db/client'
import { files } from '@/db/schema/files'
import { shareLinks } from '@/db/schema/share-links'
import { recordStatements, testSql } from '@/db/testing'
import { makeBatch, makeFile, makeProject, makeUser } from '@/fixtures/factories'
import { cancelBatch } from '../batches/commands'
import { listDeliverableFiles } from '../deliveries/operations'
import type { Context } from '../kernel/operation'
import { as, eventsAbout, expectRefusal } from '../testing'
import {
  downloadShare,
  downloadSharedFile,
  getShare,
  listSharedFiles,
  openSharedFile,
  resumeShare,
  resumeSharedFile,
  unlockShareLink,
} from './public'
import { createShareLink, deactivateShareLink, getShareLink, listShareLinks, updateShareLink } from './staff'

const NOW = new Date('2026-03-02T10:00:00.000Z')
const later = (ms: number) => new Date(NOW.getTime() + ms)
const HOUR = 3_600_000

/** A batch in review: two files are approved, one is rejected, one is not decided. */
async function workspace() {
  const coordinator = await makeUser({ role: 'coordinator', name: 'Caro' })
  const operator = await makeUser({ role: 'operator' })
  const project = await makeProject({ members: [coordinator, operator] })
  const batch = await makeBatch({ projectId: project.id, status: 'in_review', coordinatorId: coordinator.id })
  const north = await makeFile(batch, { name: 'north.png', decision: 'approved' })
  const south = await makeFile(batch, { name: 'south.mp4', kind: 'video', decision: 'approved' })
  const bad = await makeFile(batch, { name: 'bad.png', decision: 'rejected' })
  const open = await makeFile(batch, { name: 'open.png' })
  return { coordinator, operator, project, batch, north, south, bad, open }
}
type Place = Awaited<ReturnType<typeof workspace>>

async function shareOf({ coordinator, batch }: Place, given: Record<string, unknown> = {}) {
  const link = await createShareLink.execute(
    as(coordinator, { now: NOW }),
    {},
    { batch_id: batch.id, name: 'Paula Publisher', ...given },
  )
  return { link, token: link.url.split('/').at(-1) ?? '' }
}

/** The receiver, as the entry point lets them in. */
async function receiver(token: string, given: { now?: Date; key?: string } = {}): Promise<Context> {
  const ctx = as('anonymous', {
    now: given.now ?? NOW,
    credentials: { uploadSession: null, linkPassword: null, linkKey: given.key ?? null },
  })
  return { ...ctx, actor: (await getShare.authenticateAs?.(ctx, { token })) ?? ctx.actor }
}

async function opened(token: string, given: Parameters<typeof receiver>[1] = {}) {
  const seen = await getShare.execute(await receiver(token, given), { token })
  if (seen.status !== 'active' || seen.password_required) throw new Error(`Closed: ${JSON.stringify(seen)}`)
  return seen
}
const listOf = async (token: string, query = {}) =>
  listSharedFiles.execute(await receiver(token), { token }, query as never)

/** All that a receiver may ask for behind the link. */
function inside(ctx: Context, token: string, { north }: Place) {
  const path = { token, file_id: north.id }
  return [
    () => listSharedFiles.execute(ctx, { token }),
    () => openSharedFile.execute(ctx, path),
    () => downloadSharedFile.execute(ctx, path),
    () => resumeSharedFile.execute(ctx, path),
    () => downloadShare.execute(ctx, { token }),
    () => resumeShare.execute(ctx, { token }),
    () => unlockShareLink.execute(ctx, { token }, { password: 'x' }),
  ]
}

const change = (file: { id: string }, to: Partial<typeof files.$inferInsert>) =>
  database().db.update(files).set(to).where(eq(files.id, file.id))

describe('making and revoking share links', () => {
  test('shares every approved file as it is now, under a token that is nowhere in the database', async () => {
    const place = await workspace()
    const { link, token } = await shareOf(place)
    expect(token).toMatch(/^[0-9A-Za-z]{16}$/)
    expect(link).toMatchObject({
      status: 'active',
      may_download: true,
      has_password: false,
      counts: { files: 2, offered: 2, size: place.north.size + place.south.size },
      opens: 0,
      downloads: 0,
    })
    const { share_links } = await listShareLinks.execute(as(place.coordinator), {}, { batch_id: place.batch.id })
    expect(share_links.map(({ url }) => url)).toEqual([link.url])
    const [row] = await database().db.select().from(shareLinks).where(eq(shareLinks.id, link.id))
    expect(row?.tokenHash).not.toContain(token)
    const [created] = await eventsAbout(link.id)
    expect(created).toMatchObject({
      type: 'share_link.created',
      data: { to: 'Paula Publisher', files: 2, may_download: true },
    })
  })

  test('shares chosen files only where each may leave, and says why one may not', async () => {
    const place = await workspace()
    const { link } = await shareOf(place, { file_ids: [place.south.id, place.south.id] })
    expect(link.counts.files).toBe(1)
    const refused = await expectRefusal(
      shareOf(place, { file_ids: [place.north.id, place.bad.id, place.open.id] }),
      'validation_failed',
      ['file_ids'],
    )
    expect(refused.detail).toContain('“bad.png” is rejected')
    expect(refused.detail).toContain('“open.png” is not decided yet')
    const elsewhere = await makeFile(await makeBatch({ projectId: place.project.id }), { decision: 'approved' })
    await expectRefusal(shareOf(place, { file_ids: [elsewhere.id] }), 'validation_failed', ['file_ids'])
    await expectRefusal(shareOf(place, { file_ids: [] }), 'validation_failed', ['file_ids'])
    const said = await listDeliverableFiles.execute(as(place.coordinator), {
      project_id: place.project.id,
      batch_id: place.batch.id,
    })
    expect(said.files.map(({ file, why }) => [file.name, why === null])).toEqual([
      ['bad.png', false],
      ['north.png', true],
      ['open.png', false],
      ['south.mp4', true],
    ])
    expect(said.total).toBe(4)
  })

  test('operators may not, strangers find no batch, and bad terms are refused by field', async () => {
    const place = await workspace()
    const input = { batch_id: place.batch.id, name: 'Paula' }
    await expectRefusal(createShareLink.execute(as(place.operator), {}, input), 'forbidden')
    await expectRefusal(createShareLink.execute(as(await makeUser()), {}, input), 'not_found')
    await expectRefusal(shareOf(place, { expires_at: NOW.toISOString() }), 'validation_failed', ['expires_at'])
    await expectRefusal(shareOf(place, { name: ' ', password: 'abc' }), 'validation_failed', ['name', 'password'])
    const { link } = await shareOf(place)
    await expectRefusal(getShareLink.execute(as(await makeUser()), { share_link_id: link.id }), 'not_found')
    await change(place.north, { decision: 'pending' })
    await change(place.south, { decision: 'rejected' })
    await expectRefusal(shareOf(place), 'validation_failed', ['file_ids'])
    const cancelled = await makeBatch({ projectId: place.project.id, status: 'cancelled' })
    await makeFile(cancelled, { decision: 'approved' })
    await expectRefusal(shareOf({ ...place, batch: cancelled }), 'invalid_state')
  })

  test('terms are changed later, each change on the audit trail; an expired link works again', async () => {
    const place = await workspace()
    const { link } = await shareOf(place, { expires_at: later(HOUR).toISOString(), note: 'For the spring issue' })
    const at = { share_link_id: link.id }
    const afterwards = as(place.coordinator, { now: later(2 * HOUR) })
    expect((await getShareLink.execute(afterwards, at)).status).toBe('expired')
    const input = { name: 'Pia Publisher', note: null, may_download: false, expires_at: later(3 * HOUR).toISOString() }
    expect(await updateShareLink.execute(afterwards, at, input)).toMatchObject({
      ...input,
      status: 'active',
      url: link.url,
      counts: { files: 2 },
    })
    const [, changed] = await eventsAbout(link.id)
    expect(changed).toMatchObject({
      type: 'share_link.updated',
      data: { to: 'Pia Publisher', before: { may_download: true }, after: { may_download: false } },
    })
    expect(JSON.stringify(changed?.data)).not.toContain('Paula')
    await expectRefusal(updateShareLink.execute(as(place.operator), at, input), 'forbidden')
    await expectRefusal(updateShareLink.execute(as(await makeUser()), at, input), 'not_found')
    await expectRefusal(
      updateShareLink.execute(afterwards, at, { expires_at: later(HOUR).toISOString() }),
      'validation_failed',
      ['expires_at'],
    )
    await updateShareLink.execute(afterwards, at, {})
    expect(await eventsAbout(link.id)).toHaveLength(2)
  })

  test('switching off twice happens once', async () => {
    const place = await workspace()
    const { link } = await shareOf(place)
    const at = { share_link_id: link.id }
    const first = await deactivateShareLink.execute(as(place.coordinator, { now: NOW }), at)
    expect(await deactivateShareLink.execute(as(place.coordinator, { now: later(HOUR) }), at)).toEqual(first)
    expect((await eventsAbout(link.id)).map(({ type }) => type)).toEqual([
      'share_link.created',
      'share_link.deactivated',
    ])
  })
})

describe('the page of a share link', () => {
  test('shows who shares what, by name, and pages on', async () => {
    const place = await workspace()
    const { token } = await shareOf(place, { note: 'For the spring issue' })
    expect(await opened(token)).toMatchObject({
      name: 'Paula Publisher',
      note: 'For the spring issue',
      contact: { name: 'Caro' },
      counts: { files: 2, offered: 2 },
      has_certificate: false,
    })
    const { files: shown } = await listOf(token)
    expect(shown.map(({ name, sha256, withheld }) => ({ name, sha256, withheld }))).toEqual([
      { name: 'north.png', sha256: place.north.sha256, withheld: null },
      { name: 'south.mp4', sha256: place.south.sha256, withheld: null },
    ])
    expect(shown[1]?.media_url).toContain(`/files/${place.south.id}/media`)
    const first = await listOf(token, { limit: 1 })
    expect(first.files.map(({ name }) => name)).toEqual(['north.png'])
    const second = await listOf(token, { limit: 1, cursor: first.next_cursor })
    expect(second).toMatchObject({ files: [{ name: 'south.mp4' }], next_cursor: null })
  })

  test('offers no file whose approval was withdrawn, and says so', async () => {
    const place = await workspace()
    const { token, link } = await shareOf(place)
    await change(place.north, { decision: 'rejected' })
    expect((await opened(token)).counts).toEqual({ files: 2, offered: 1, size: place.south.size })
    const [north] = (await listOf(token)).files
    expect(north).toMatchObject({
      name: 'north.png',
      sha256: place.north.sha256,
      withheld: 'not_approved',
      download_url: null,
      preview_url: null,
    })
    const ctx = await receiver(token)
    const path = { token, file_id: place.north.id }
    for (const operation of [openSharedFile, downloadSharedFile, resumeSharedFile])
      await expectRefusal(operation.execute(ctx, path), 'invalid_state')
    const whole = await downloadShare.execute(ctx, { token })
    expect(whole.files.map(({ name }) => name)).toEqual(['south.mp4'])
    expect(whole.leftOut).toMatchObject([{ name: 'north.png', why: 'not_approved' }])
    await change(place.south, { integrity: 'quarantined' })
    expect((await listOf(token)).files[1]?.withheld).toBe('not_sound')
    await expectRefusal(downloadShare.execute(ctx, { token }), 'invalid_state')
    // Approved again, it is what was shared.
    await change(place.north, { decision: 'approved' })
    expect((await listOf(token)).files[0]?.withheld).toBeNull()
    expect((await getShareLink.execute(as(place.coordinator), { share_link_id: link.id })).counts.offered).toBe(1)
  })

  test('counts what its list offers, whatever became of the files', async () => {
    const place = await workspace()
    const elsewhere = await makeBatch({ projectId: place.project.id })
    const changes: Partial<typeof files.$inferInsert>[] = [
      { isCurrent: false },
      { isCurrent: false, decision: 'rejected' },
      { decision: 'pending' },
      { integrity: 'quarantined' },
      { removedAt: NOW },
      { batchId: elsewhere.id },
    ]
    const made = []
    for (const [n] of changes.entries())
      made.push(await makeFile(place.batch, { name: `${n}.png`, decision: 'approved', size: 1000 + n }))
    const { token, link } = await shareOf(place)
    const few = await shareOf(place, { file_ids: made.slice(0, 3).map(({ id }) => id) })
    const counted = async (of: string) => {
      const all = (await listOf(of)).files
      const offered = all.filter(({ withheld }) => withheld === null)
      return { files: all.length, offered: offered.length, size: offered.reduce((sum, { size }) => sum + size, 0) }
    }
    const expectCounted = async () => {
      const { share_links } = await listShareLinks.execute(as(place.coordinator), {}, { batch_id: place.batch.id })
      const counts = new Map(share_links.map((each) => [each.id, each.counts]))
      expect([counts.get(link.id), counts.get(few.link.id)]).toEqual([await counted(token), await counted(few.token)])
      expect((await opened(token)).counts).toEqual(await counted(token))
    }
    expect((await opened(token)).counts).toMatchObject({ files: 8, offered: 8 })
    for (const [n, to] of changes.entries()) {
      await change(made[n] as { id: string }, to)
      await expectCounted()
    }
    await database().db.delete(files).where(eq(files.id, place.south.id))
    await expectCounted()
    // The one that was only replaced, and the one of which nothing happened.
    expect((await opened(token)).counts).toEqual({ files: 8, offered: 2, size: 1000 + place.north.size })
    expect((await opened(few.token)).counts).toEqual({ files: 3, offered: 1, size: 1000 })
    const all = (await listOf(token)).files
    const whole = await downloadShare.execute(await receiver(token), { token })
    expect(whole.files.map(({ name }) => name)).toEqual(['0.png', 'north.png'])
    expect(whole.leftOut.map(({ name, why }) => [name, why])).toEqual(
      all.flatMap(({ name, withheld }) => (withheld ? [[name, withheld]] : [])),
    )
  })

  test('is counted from indexes alone, and looked up in one list', async () => {
    const { token } = await shareOf(await workspace())
    const statements = recordStatements(database().sql)
    await opened(token)
    const asked = statements.find(({ text }) => text.includes('is_offered'))
    const plan = await testSql.begin(async (tx) => {
      // Of a small table anything is as cheap; asked whether it can.
      await tx.unsafe('set local enable_seqscan = off; set local enable_bitmapscan = off')
      const lines = await tx.unsafe(`explain verbose ${asked?.text}`, asked?.parameters as never[])
      return lines.map((line) => line['QUERY PLAN']).join('\n')
    })
    for (const index of [
      'share_link_files_link_id_place_key',
      'files_batch_id_states_index',
      'files_batch_id_replaced_offered_index',
    ])
      expect(plan.split(`Index Only Scan using ${index}`)).toHaveLength(2)
    expect(plan).toContain('hashed SubPlan')
  })

  test('stays what it was when there are newer versions and more files', async () => {
    const place = await workspace()
    const { token } = await shareOf(place)
    await change(place.north, { isCurrent: false })
    const next = await makeFile(place.batch, { name: 'north.png', version: 2, decision: 'approved' })
    await makeFile(place.batch, { name: 'west.png', decision: 'approved' })
    const { files: shown } = await listOf(token)
    expect(shown.map(({ id, is_current }) => [id, is_current])).toEqual([
      [place.north.id, false],
      [place.south.id, true],
    ])
    await expectRefusal(openSharedFile.execute(await receiver(token), { token, file_id: next.id }), 'not_found')
  })

  test('shows nothing without the password, and everything with it', async () => {
    const place = await workspace()
    const { token } = await shareOf(place, { password: 'open sesame' })
    const outside = await receiver(token)
    expect(await getShare.execute(outside, { token })).toEqual({ status: 'active', password_required: true })
    for (const attempt of inside(outside, token, place).slice(0, -1)) await expectRefusal(attempt(), 'forbidden')
    await expectRefusal(unlockShareLink.execute(outside, { token }, { password: 'wrong' }), 'validation_failed')
    const { key } = await unlockShareLink.execute(outside, { token }, { password: 'open sesame' })
    expect((await opened(token, { key })).name).toBe('Paula Publisher')
    const other = await shareOf(place, { password: 'open sesame' })
    expect(await getShare.execute(await receiver(other.token, { key }), { token: other.token })).toMatchObject({
      password_required: true,
    })
  })

  test('is over when its time is, when it was switched off, and when its batch was cancelled', async () => {
    const place = await workspace()
    const timed = await shareOf(place, { expires_at: later(HOUR).toISOString() })
    const late = await receiver(timed.token, { now: later(HOUR) })
    expect(await getShare.execute(late, { token: timed.token })).toEqual({ status: 'expired' })
    for (const attempt of inside(late, timed.token, place)) await expectRefusal(attempt(), 'link_expired')
    const off = await shareOf(place)
    await deactivateShareLink.execute(as(place.coordinator), { share_link_id: off.link.id })
    const after = await receiver(off.token)
    expect(await getShare.execute(after, { token: off.token })).toEqual({ status: 'deactivated' })
    for (const attempt of inside(after, off.token, place)) await expectRefusal(attempt(), 'link_deactivated')
    const left = await shareOf(place)
    await cancelBatch.execute(as(place.coordinator), { project_id: place.project.id, batch_id: place.batch.id })
    expect(await getShare.execute(await receiver(left.token), { token: left.token })).toEqual({ status: 'deactivated' })
  })

  test('does not let anything be downloaded where only previews are shared', async () => {
    const place = await workspace()
    const { token } = await shareOf(place, { may_download: false })
    expect(await opened(token)).toMatchObject({ may_download: false, archive_url: null })
    expect((await listOf(token)).files.map(({ download_url }) => download_url)).toEqual([null, null])
    const ctx = await receiver(token)
    const path = { token, file_id: place.north.id }
    expect((await openSharedFile.execute(ctx, path)).id).toBe(place.north.id)
    for (const operation of [downloadSharedFile, resumeSharedFile])
      await expectRefusal(operation.execute(ctx, path), 'forbidden')
    for (const operation of [downloadShare, resumeShare])
      await expectRefusal(operation.execute(ctx, { token }), 'forbidden')
  })
})

describe('what a receiver does', () => {
  let place: Place
  beforeAll(async () => {
    place = await workspace()
  })

  test('is counted and recorded: visits once in half an hour, downloads where they begin', async () => {
    const { link, token } = await shareOf(place)
    await Promise.all([opened(token), opened(token)])
    await opened(token, { now: later(HOUR / 4) })
    await opened(token, { now: later(HOUR) })
    const ctx = await receiver(token, { now: later(HOUR) })
    const path = { token, file_id: place.north.id }
    await downloadSharedFile.execute(ctx, path)
    await resumeSharedFile.execute(ctx, path)
    await Promise.all([downloadShare.execute(ctx, { token }), downloadShare.execute(ctx, { token })])
    await resumeShare.execute(ctx, { token })
    const shown = await getShareLink.execute(as(place.coordinator), { share_link_id: link.id })
    expect(shown).toMatchObject({
      opens: 2,
      downloads: 3,
      last_opened_at: later(HOUR).toISOString(),
      last_downloaded_at: later(HOUR).toISOString(),
    })
    const noted = (await eventsAbout(link.id)).filter(({ type }) => type !== 'share_link.created')
    expect(noted.map(({ type }) => type)).toEqual([
      'share_link.opened',
      'share_link.opened',
      'share_link.downloaded',
      'share_link.downloaded',
      'share_link.downloaded',
    ])
    expect(noted[2]).toMatchObject({
      actorType: 'guest',
      actorName: 'Paula Publisher',
      data: { files: 1, file: 'north.png', sha256: place.north.sha256 },
    })
    expect(noted[3]?.data).toMatchObject({ files: 2 })
  })

  test('of a link that never was is refused in the same words, whatever its form', async () => {
    for (const token of ['AAAAAAAAAAAAAAAA', '', 'x'.repeat(500), '%00'])
      await expectRefusal(receiver(token), 'not_found')
  })
})
