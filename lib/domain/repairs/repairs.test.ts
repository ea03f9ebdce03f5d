import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { and, eq } from 'drizzle-orm'
import { afterAll, describe, expect, it } from 'vitest'
import { database } from '@/db/client'
import { preQcProfiles } from '@/db/schema/directory'
import { files } from '@/db/schema/files'
import { preQcResults } from '@/db/schema/pre-qc'
import { batches } from '@/db/schema/projects'
import { repairs } from '@/db/schema/repairs'
import { uploadLinks } from '@/db/schema/upload-links'
import {
  makeBatch,
  makeFile,
  makeMediaCategory,
  makeProject,
  makeRepair,
  makeResult,
  makeUploadLink,
  makeUser,
} from '@/fixtures/factories'
import { writeMedia } from '@/fixtures/video'
import { storeBytes } from '@/lib/adapters/blob-store/testing/conformance'
import { closeInspector } from '@/lib/media/inspect/inspect'
import { closeMeasurer } from '@/lib/media/measurer/measurer'
import { closeRepairer } from '@/lib/media/repair/repairer'
import '@/lib/http/testing'
import { newContext } from '@/lib/service'
import type { BlobKey } from '../kernel/blob-store'
import { runPreQc } from '../pre-qc/run'
import { as, eventsAbout, expectRefusal } from '../testing'
import { authenticateLink } from '../upload-links/find'
import { getPublicUploadLink } from '../upload-links/public'
import { acceptRepairedCopy, openRepairedCopy } from '../upload-links/rejected-files'
import { PublicUploadLink } from '../upload-links/schema'
import { acceptRepair, getRepair, proposeRepair, refuseRepair } from './operations'
import { removeCopies, repairFile } from './run'

const folder = mkdtempSync(path.join(tmpdir(), 'repairs-'))
afterAll(() => {
  closeInspector()
  closeMeasurer()
  closeRepairer()
  rmSync(folder, { recursive: true })
})

const system = () => newContext({ actor: { type: 'system', name: 'A test' } })
let shade = 0

/** A video whose index lies at its end, in a batch that is reviewed, checked as its category asks. */
async function delivered(checks: Record<string, { enabled: boolean }> = {}) {
  shade += 1
  const video = path.join(folder, `spot-${shade}.mp4`)
  writeMedia(video, { video: { frames: 25, paint: (frame, x, y) => 60 + ((x * 3 + frame * 7 + y + shade) % 97) } })
  const bytes = readFileSync(video)
  const coordinator = await makeUser({ role: 'coordinator' })
  const operator = await makeUser({ role: 'operator' })
  const project = await makeProject({ members: [coordinator, operator] })
  const category = await makeMediaCategory({ preQc: { enabled: true, checks } })
  const batch = await makeBatch({
    projectId: project.id,
    mediaCategoryId: category.id,
    status: 'in_review',
    round: 1,
    coordinatorId: coordinator.id,
  })
  const [profile] = await database()
    .db.select()
    .from(preQcProfiles)
    .where(eq(preQcProfiles.mediaCategoryId, category.id))
  if (!profile) throw new Error('The category has no profile.')
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  const file = await makeFile(batch, {
    name: 'spot.mp4',
    kind: 'video',
    mediaType: 'video/mp4',
    size: bytes.length,
    sha256,
  })
  await storeBytes(system().ports.blobs, bytes, file.objectKey as BlobKey)
  const { id } = await makeResult(file, { status: 'queued', summary: null, completedAt: null, profileId: profile.id })
  await runPreQc(system(), { result_id: id })
  const params = { project_id: batch.projectId, batch_id: batch.id, file_id: file.id }
  return { file, batch, operator, resultId: id, params, act: () => newContext({ actor: as(coordinator).actor }) }
}

const rowOf = async (id: string) => (await database().db.select().from(repairs).where(eq(repairs.id, id)))[0]
const keysOf = async (fileId: string) => {
  const found: string[] = []
  for await (const { key } of system().ports.blobs.list({ derivedOf: fileId })) found.push(key)
  return found.filter((key) => /\/(repair-|rp-)/.test(key))
}

describe('a repaired copy', () => {
  it('for a destination says what that asks of the file and of the copy, whatever the media category asks', async () => {
    const { params, act } = await delivered({ fast_start_check: { enabled: false } })
    const asked = await proposeRepair.execute(act(), params, { destination_id: 'youtube_video' })
    await repairFile(system(), { repair_id: asked.id })
    const { repair } = await getRepair.execute(act(), params)
    expect(repair).toMatchObject({
      status: 'proposed',
      destination: { id: 'youtube_video' },
      checks: [
        {
          check_id: 'fast_start_check',
          is_fixed: true,
          before: { status: 'fail', details: expect.stringContaining('index') },
          after: { status: 'pass' },
        },
      ],
    })
  })

  it('is made, checked, and becomes the next version when a coordinator takes it', async () => {
    const { file, params, act } = await delivered()
    const before = await getRepair.execute(act(), params)
    expect(before).toMatchObject({
      repair: null,
      possible: {
        changes: expect.stringContaining('the index lies before'),
        fixes: [{ check_id: 'fast_start_check' }],
      },
    })
    const asked = await proposeRepair.execute(act(), params, {})
    expect(asked).toMatchObject({ status: 'queued', name: 'spot.mp4' })
    await expectRefusal(proposeRepair.execute(act(), params, {}), 'invalid_state')
    await repairFile(system(), { repair_id: asked.id })
    const { repair } = await getRepair.execute(act(), params)
    expect(repair).toMatchObject({
      status: 'proposed',
      checks: [
        { check_id: 'fast_start_check', before: { status: 'warning' }, after: { status: 'pass' }, is_fixed: true },
      ],
      parts: [{ name: '1: video, h264', is_untouched: true }],
      preview_url: expect.stringMatching(/^http:.*\/repair\/preview$/),
    })
    // A proposal is no version.
    expect((await database().db.select().from(files).where(eq(files.batchId, file.batchId))).length).toBe(1)
    const accepted = await acceptRepair.execute(act(), params)
    expect(accepted.status).toBe('accepted')
    const [version] = await database()
      .db.select()
      .from(files)
      .where(eq(files.id, accepted.accepted_file_id ?? ''))
    expect(version).toMatchObject({
      version: 2,
      isCurrent: true,
      supersedesId: file.id,
      sha256: repair?.sha256,
      decision: 'pending',
    })
    // It is checked at once, as its batch is in review.
    const queued = await database()
      .db.select()
      .from(preQcResults)
      .where(eq(preQcResults.fileId, version?.id ?? ''))
    expect(queued.map(({ status }) => status)).toEqual(['queued'])
    expect((await eventsAbout(file.id)).map(({ type }) => type)).toEqual(
      expect.arrayContaining(['repair.requested', 'repair.proposed', 'repair.accepted']),
    )
    await expectRefusal(acceptRepair.execute(act(), params), 'invalid_state')
  })

  it('leaves nothing when it is refused', async () => {
    const { file, params, act } = await delivered()
    const { id } = await proposeRepair.execute(act(), params, {})
    await repairFile(system(), { repair_id: id })
    expect((await keysOf(file.id)).length).toBe(2)
    const refused = await refuseRepair.execute(act(), params, { comment: 'We send another' })
    expect(refused).toMatchObject({ status: 'refused', comment: 'We send another', download_url: null })
    const row = await rowOf(id)
    expect(row?.objectKey).toBeNull()
    await removeCopies(system(), { keys: await keysOf(file.id) })
    expect(await keysOf(file.id)).toEqual([])
    expect((await database().db.select().from(files).where(eq(files.batchId, file.batchId))).length).toBe(1)
  })

  it('that cannot be made leaves nothing and says why', async () => {
    const { file, params, act } = await delivered()
    const { id } = await proposeRepair.execute(act(), params, {})
    // Its index lies before its frames by now, as far as the steps know: there is nothing to move.
    await database()
      .db.update(repairs)
      .set({ steps: [{ do: 'rewrap', container: 'mov' }, { do: 'fast_start' }] })
      .where(eq(repairs.id, id))
    await repairFile(system(), { repair_id: id })
    const { repair } = await getRepair.execute(act(), params)
    expect(repair).toMatchObject({ status: 'failed', failure: expect.stringContaining('could not be made') })
    expect(await keysOf(file.id)).toEqual([])
    // Another may be asked for.
    expect((await proposeRepair.execute(act(), params, {})).status).toBe('queued')
  })

  it('is not taken for a file that is approved, replaced or in a closed batch', async () => {
    const { file, batch, params, act, resultId } = await delivered()
    await makeRepair(file, { resultId })
    const change = async (given: Partial<typeof files.$inferInsert>) =>
      database().db.update(files).set(given).where(eq(files.id, file.id))
    await change({ decision: 'approved' })
    await expectRefusal(acceptRepair.execute(act(), params), 'invalid_state')
    await change({ decision: 'pending' })
    await database().db.update(batches).set({ status: 'approved' }).where(eq(batches.id, batch.id))
    await expectRefusal(acceptRepair.execute(act(), params), 'invalid_state')
  })

  it('is for operators to ask for, for coordinators to take, and hidden from those outside the project', async () => {
    const { params, operator } = await delivered()
    const acting = newContext({ actor: as(operator).actor })
    expect((await proposeRepair.execute(acting, params, {})).status).toBe('queued')
    await expectRefusal(refuseRepair.execute(acting, params, {}), 'forbidden')
    const stranger = newContext({ actor: as(await makeUser({ role: 'coordinator' })).actor })
    await expectRefusal(getRepair.execute(stranger, params), 'not_found')
    await expectRefusal(acceptRepair.execute(stranger, params), 'not_found')
  })

  it('is taken once, however many ask at once', async () => {
    const { file, params, act } = await delivered()
    const { id } = await proposeRepair.execute(act(), params, {})
    await repairFile(system(), { repair_id: id })
    const outcomes = await Promise.allSettled([
      acceptRepair.execute(act(), params),
      acceptRepair.execute(act(), params),
    ])
    expect(outcomes.filter(({ status }) => status === 'fulfilled').length).toBe(1)
    const versions = await database()
      .db.select()
      .from(files)
      .where(and(eq(files.batchId, file.batchId), eq(files.version, 2)))
    expect(versions.length).toBe(1)
  })
})

describe('the agency and a repaired copy of a rejected file', () => {
  const TOKEN = 'RepairedCopyToken'

  /** The copy waits, its file was rejected, and a new version is awaited through a link. */
  async function offered(proposal: { destination_id?: string } = {}) {
    const given = await delivered(proposal.destination_id ? { fast_start_check: { enabled: false } } : {})
    const { id } = await proposeRepair.execute(given.act(), given.params, proposal)
    await repairFile(system(), { repair_id: id })
    await database().db.update(batches).set({ status: 'awaiting_resupply' }).where(eq(batches.id, given.batch.id))
    await database().db.update(files).set({ decision: 'rejected' }).where(eq(files.id, given.file.id))
    const token = `${TOKEN}${shade}`
    const tokenHash = createHash('sha256').update(token).digest('hex')
    const tokenEncrypted = system().ports.secrets.encrypt(token)
    const link = await makeUploadLink(given.batch, { tokenHash, tokenEncrypted })
    const holder = newContext({
      actor: await authenticateLink(newContext({ actor: { type: 'anonymous' } }), { token }),
    })
    const asked = { token, file_id: given.file.id }
    const shown = async () => {
      const seen = PublicUploadLink.parse(await getPublicUploadLink.execute(holder, { token }))
      return seen.rejected_files?.[0]?.repaired_copy ?? null
    }
    return { ...given, repairId: id, link, holder, asked, shown }
  }

  it('names the destination it was made for, and what that asks', async () => {
    const { shown } = await offered({ destination_id: 'youtube_video' })
    expect(await shown()).toMatchObject({
      destination: 'YouTube, uploaded video',
      checks: [{ label: 'Fast start', before: expect.stringContaining('index') }],
    })
  })

  it('shows what is changed, and the agency takes it as its next version', async () => {
    const { file, batch, repairId, link, holder, asked, shown } = await offered()
    const copy = await shown()
    expect(copy).toMatchObject({
      id: repairId,
      name: 'spot.mp4',
      changes: expect.stringContaining('index lies before'),
      checks: [{ label: 'Fast start', after: expect.any(String) }],
      download_url: expect.stringMatching(/\/repair\/download$/),
    })
    expect((await openRepairedCopy.execute(holder, asked)).sha256).toBe(copy?.sha256)
    const { file: version } = await acceptRepairedCopy.execute(holder, asked, { repair_id: repairId })
    expect(version).toEqual({ name: 'spot.mp4', size: copy?.size, version: 2, sha256: copy?.sha256 })
    const [row] = await database()
      .db.select()
      .from(files)
      .where(and(eq(files.batchId, batch.id), eq(files.isCurrent, true)))
    expect(row).toMatchObject({ supersedesId: file.id, sourceType: 'upload_link', sourceLinkId: link.id })
    expect(await rowOf(repairId)).toMatchObject({ status: 'accepted', acceptedId: row?.id, decidedBy: null })
    const [accepted] = (await eventsAbout(file.id)).filter(({ type }) => type === 'repair.accepted')
    expect(accepted).toMatchObject({ actorType: 'upload_link' })
    expect((await eventsAbout(batch.id)).map(({ type }) => type)).toContain('batch.resupplied')
    // Taken once; it is no use of the link.
    await expectRefusal(acceptRepairedCopy.execute(holder, asked, { repair_id: repairId }), 'not_found')
    const [used] = await database().db.select().from(uploadLinks).where(eq(uploadLinks.id, link.id))
    expect(used?.useCount).toBe(0)
  })

  it('of two who take it at once, one does', async () => {
    const { repairId, holder, asked, params, act } = await offered()
    const both = await Promise.allSettled([
      acceptRepairedCopy.execute(holder, asked, { repair_id: repairId }),
      acceptRepair.execute(act(), params),
    ])
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  })

  it('another copy, a closed link, a file that is not rejected, and one that is elsewhere are refused', async () => {
    const { file, batch, repairId, link, holder, asked, shown } = await offered()
    const accept = (repair_id = repairId) => acceptRepairedCopy.execute(holder, asked, { repair_id })
    await expectRefusal(accept(crypto.randomUUID()), 'invalid_state')
    const elsewhere = await offered()
    const theirs = { ...asked, file_id: elsewhere.file.id }
    await expectRefusal(acceptRepairedCopy.execute(holder, theirs, { repair_id: elsewhere.repairId }), 'not_found')
    await expectRefusal(openRepairedCopy.execute(holder, theirs), 'not_found')
    await database().db.update(files).set({ decision: 'pending' }).where(eq(files.id, file.id))
    await expectRefusal(accept(), 'not_found')
    await database().db.update(files).set({ decision: 'rejected' }).where(eq(files.id, file.id))
    await database().db.update(batches).set({ status: 'in_review' }).where(eq(batches.id, batch.id))
    await expectRefusal(accept(), 'not_found')
    await database().db.update(batches).set({ status: 'awaiting_resupply' }).where(eq(batches.id, batch.id))
    await database().db.update(uploadLinks).set({ deactivatedAt: new Date() }).where(eq(uploadLinks.id, link.id))
    await expectRefusal(accept(), 'link_deactivated')
    await database().db.update(uploadLinks).set({ deactivatedAt: null }).where(eq(uploadLinks.id, link.id))
    expect((await shown())?.id).toBe(repairId)
    await refuseRepair.execute(elsewhere.act(), elsewhere.params, {})
    expect(await elsewhere.shown()).toBeNull()
  })
})
