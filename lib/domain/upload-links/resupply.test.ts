import { createHash } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { database } from '@/db/client'
import { files } from '@/db/schema/files'
import { preQcWaivers } from '@/db/schema/pre-qc'
import { batches, manifestEntries } from '@/db/schema/projects'
import { uploadLinks } from '@/db/schema/upload-links'
import {
  makeAgency,
  makeBatch,
  makeFile,
  makeMediaCategory,
  makeProject,
  makeResult,
  makeUploadLink,
  makeUser,
} from '@/fixtures/factories'
import type { BatchStatus } from '@/lib/vocabulary'
import { getManifest } from '../batches/manifest'
import { receiveFile } from '../files/commands'
import { arrived, image, uploadPorts } from '../files/testing'
import { nameKey } from '../naming/portable-name'
import { as, expectRefusal } from '../testing'
import { authenticateLink } from './find'
import { checkFiles, getPublicUploadLink, receiveFileByLink } from './public'
import { listRejectedFiles } from './rejected-files'
import { PublicUploadLink } from './schema'

const TEMPLATE = '{agency}_{title}_{width}x{height}_v{version}.{ext}'
let serial = 0

/** A batch that awaits a resupply, its link, and an operator who may upload as well. */
async function resupply(given: { template?: string | null; status?: BatchStatus; manifest?: string[] } = {}) {
  const operator = await makeUser({ role: 'operator' })
  const agency = await makeAgency({ code: `AG${++serial}` })
  const project = await makeProject({ members: [operator], agencyId: agency.id })
  const category = await makeMediaCategory({
    namingTemplate: given.template === undefined ? TEMPLATE : given.template,
  })
  const batch = await makeBatch({
    projectId: project.id,
    mediaCategoryId: category.id,
    operatorId: operator.id,
    status: given.status ?? 'awaiting_resupply',
    round: 1,
  })
  for (const [position, name] of (given.manifest ?? []).entries())
    await database()
      .db.insert(manifestEntries)
      .values({ batchId: batch.id, position, name, nameKey: nameKey(name) })
  const token = `Resupply${String(serial).padStart(8, '0')}`
  const tokenHash = createHash('sha256').update(token).digest('hex')
  await makeUploadLink(batch, { tokenHash, tokenEncrypted: `sealed ${token}` })
  const ctx = as('anonymous', { ports: uploadPorts })
  const holder = { ...ctx, actor: await authenticateLink(ctx, { token }) }
  const at = { project_id: project.id, batch_id: batch.id }
  return {
    operator,
    batch,
    holder,
    token,
    at,
    code: agency.code,
    reject: (name: string, more: Parameters<typeof makeFile>[1] = {}) =>
      makeFile(batch, { name, decision: 'rejected', decisionComment: 'No', ...more }),
    getLink: async () => PublicUploadLink.parse(await getPublicUploadLink.execute(holder, { token })),
    check: async (name: string, sha256?: string) =>
      (await checkFiles.execute(holder, { token }, { files: [{ name, size: 100, ...(sha256 && { sha256 }) }] }))
        .files[0],
    send: async (name: string, bytes?: Buffer) =>
      receiveFileByLink.execute(holder, { token }, await arrived(name, bytes ?? (await image()))),
    sendAsStaff: async (name: string) =>
      receiveFile.execute(as(operator, { ports: uploadPorts }), at, await arrived(name, await image())),
    manifest: () => getManifest.execute(as(operator), at),
  }
}

const codes = (refused: { facts: { violations?: { code: string }[] } }) =>
  refused.facts.violations?.map(({ code }) => code)
const rowOf = async (id: string) => (await database().db.select().from(files).where(eq(files.id, id)))[0]
const nameCheck = (status = 'fail') => ({ check_id: 'name_matches_media_check', label: 'Name', status, details: '' })

describe('a template that demands a version', () => {
  test('takes the next version of a rejected file, by look-up and by upload, and says its name', async () => {
    const { code, reject, getLink, check, send } = await resupply()
    const name = `${code}_Hero_300x250_v01.png`
    const rejected = await reject(name, { version: 1 })
    const next = `${code}_Hero_300x250_v02.png`
    expect((await getLink()).expected_files).toEqual([
      { name, reason: 'No', file_id: rejected.id, suggested_name: next, changeable_tokens: [] },
    ])
    expect(await check(next)).toEqual({ name: next, accepted: true, violations: [] })
    expect((await send(next)).file).toMatchObject({ name: next, version: 2 })
    const [current] = (await database().db.select().from(files).where(eq(files.supersedesId, rejected.id))) ?? []
    expect(current).toMatchObject({ name: next, version: 2, isCurrent: true, decision: 'pending' })
    expect((await rowOf(rejected.id))?.isCurrent).toBe(false)
    expect((await getLink()).expected_files).toEqual([])
  })

  test('takes the same name as before, and refuses what is not newer with the name that is', async () => {
    const { code, reject, check, send } = await resupply()
    await reject(`${code}_Hero_300x250_v02.png`)
    const lower = await check(`${code}_Hero_300x250_v01.png`)
    expect(lower).toMatchObject({
      accepted: false,
      violations: [{ code: 'not_expected', suggestion: `${code}_Hero_300x250_v03.png` }],
    })
    expect(await check(`${code}_Other_300x250_v03.png`)).toMatchObject({
      violations: [{ code: 'not_expected', expected: `${code}_Hero_300x250_v03.png` }],
    })
    expect((await send(`${code}_Hero_300x250_v02.png`)).file.version).toBe(2)
  })

  test('a name that an earlier version had is not given to another file', async () => {
    const { code, reject, send, sendAsStaff } = await resupply()
    await reject(`${code}_Hero_300x250_v01.png`)
    await send(`${code}_Hero_300x250_v02.png`)
    const refused = await expectRefusal(sendAsStaff(`${code}_Hero_300x250_v01.png`), 'file_rejected')
    expect(codes(refused)).toEqual(['duplicate_name'])
  })

  test('a convention that came later does not shut out the name that was taken before', async () => {
    const { reject, getLink, send, code } = await resupply()
    await reject('hero final.png')
    expect((await getLink()).expected_files).toMatchObject([{ suggested_name: 'hero final.png' }])
    expect((await send('hero final.png')).file.version).toBe(2)
    await reject(`${code}_logo_300x250_1.png`)
    expect((await getLink()).expected_files).toMatchObject([{ suggested_name: `${code}_logo_300x250_v2.png` }])
    expect((await send(`${code}_logo_300x250_v1.png`)).file.version).toBe(2)
  })

  test('staff, too, send a next version under its own name', async () => {
    const { code, reject, sendAsStaff } = await resupply({ status: 'in_review' })
    const rejected = await reject(`${code}_Hero_300x250_v01.png`)
    const file = await sendAsStaff(`${code}_Hero_300x250_v02.png`)
    expect(file).toMatchObject({ version: 2, supersedes_id: rejected.id })
    // Anything else is another file.
    expect(await sendAsStaff(`${code}_Other_300x250_v02.png`)).toMatchObject({ version: 1, supersedes_id: null })
  })
})

describe('a size that the name says wrong', () => {
  async function misnamed(given: Parameters<typeof makeFile>[1] = {}, checks = [nameCheck()]) {
    const place = await resupply()
    const bytes = await image(320, 50)
    const rejected = await place.reject(`${place.code}_Hero_300x250_v01.png`, {
      media: { kind: 'image', width: 320, height: 50, orientation: 1 },
      sha256: createHash('sha256').update(bytes).digest('hex'),
      ...given,
    })
    const result = await makeResult(rejected, { summary: 'fail', checks })
    return { ...place, bytes, rejected, result }
  }

  test('is corrected by the name alone, even for the same bytes', async () => {
    const { code, bytes, getLink, check, send, rejected } = await misnamed()
    const right = `${code}_Hero_320x50_v02.png`
    expect((await getLink()).expected_files).toMatchObject([
      { suggested_name: right, changeable_tokens: ['height', 'width'] },
    ])
    expect(await check(right, rejected.sha256)).toMatchObject({ accepted: true })
    expect(await check(`${code}_Hero_300x250_v02.png`, rejected.sha256)).toMatchObject({ accepted: false })
    expect((await send(right, bytes)).file).toMatchObject({ name: right, version: 2, sha256: rejected.sha256 })
    // Under another name these bytes are the same file a second time.
    const twice = await expectRefusal(send(`${code}_Hero_320x50_v03.png`, bytes), 'file_rejected')
    expect(codes(twice)).toContain('duplicate_content')
  })

  test('may come again as a file of the size it said', async () => {
    const { code, bytes, send } = await misnamed()
    const same = await expectRefusal(send(`${code}_Hero_300x250_v02.png`, bytes), 'file_rejected')
    expect(codes(same)).toEqual(['unchanged', 'duplicate_content'])
    expect((await send(`${code}_Hero_300x250_v02.png`)).file.version).toBe(2)
  })

  test('where the file is at fault, its name may change and what is proposed keeps the size', async () => {
    const byReason = await misnamed({ decisionReason: 'wrong_size' })
    expect((await byReason.getLink()).expected_files).toMatchObject([
      { suggested_name: `${byReason.code}_Hero_300x250_v02.png`, changeable_tokens: ['height', 'ratio', 'width'] },
    ])
    expect((await byReason.send(`${byReason.code}_Hero_728x90_v01.png`)).file.version).toBe(2)
    const byCheck = await misnamed({}, [nameCheck('pass'), { ...nameCheck(), check_id: 'dimension_check' }])
    expect((await byCheck.getLink()).expected_files).toMatchObject([
      { suggested_name: `${byCheck.code}_Hero_300x250_v02.png` },
    ])
    expect((await byCheck.send(`${byCheck.code}_Hero_728x90_v02.png`)).file.version).toBe(2)
  })

  test('a finding that passed or was waived changes nothing', async () => {
    const passed = await misnamed({}, [nameCheck('pass')])
    expect((await passed.getLink()).expected_files).toMatchObject([{ changeable_tokens: [] }])
    const waived = await misnamed()
    await database().db.insert(preQcWaivers).values({
      resultId: waived.result.id,
      checkId: 'name_matches_media_check',
      reason: 'Agreed',
      createdBy: waived.operator.id,
    })
    expect((await waived.getLink()).expected_files).toMatchObject([{ changeable_tokens: [] }])
    expect(codes(await expectRefusal(waived.send(`${waived.code}_Hero_320x50_v02.png`), 'file_rejected'))).toEqual([
      'not_expected',
    ])
  })
})

describe('of several files', () => {
  test('a name that could mean two is refused with the names that mean one', async () => {
    const { code, reject, check, sendAsStaff } = await resupply()
    const more = { decisionReason: 'wrong_size' } as const
    await reject(`${code}_Hero_300x250_v01.png`, more)
    await reject(`${code}_Hero_320x50_v01.png`, more)
    const either = await check(`${code}_Hero_728x90_v02.png`)
    expect(either).toMatchObject({
      violations: [
        {
          rule: 'resupply',
          code: 'ambiguous',
          expected: `${code}_Hero_300x250_v02.png, ${code}_Hero_320x50_v02.png`,
        },
      ],
    })
    expect(codes(await expectRefusal(sendAsStaff(`${code}_Hero_728x90_v02.png`), 'file_rejected'))).toEqual([
      'ambiguous',
    ])
    expect(await check(`${code}_Hero_320x50_v02.png`)).toMatchObject({ accepted: true })
  })

  test('a file of the manifest that never came is itself, and one that came under another name has arrived', async () => {
    const place = await resupply({ manifest: ['a.png'] })
    const { code, batch, reject, check, send, getLink } = place
    const names = [`${code}_Hero_300x250_v01.png`, `${code}_Hero_320x50_v01.png`]
    await database().db.delete(manifestEntries).where(eq(manifestEntries.batchId, batch.id))
    for (const [position, name] of names.entries())
      await database()
        .db.insert(manifestEntries)
        .values({ batchId: batch.id, position, name, nameKey: nameKey(name) })
    const rejected = await reject(names[0] ?? '', { decisionReason: 'wrong_size' })
    expect((await getLink()).expected_files).toMatchObject([
      { file_id: rejected.id, suggested_name: `${code}_Hero_300x250_v02.png` },
      { file_id: null, name: names[1], suggested_name: names[1], changeable_tokens: [] },
    ])
    expect((await send(names[1] ?? '')).file.version).toBe(1)
    expect((await send(`${code}_Hero_300x250_v02.png`)).file.version).toBe(2)
    expect(await place.manifest()).toMatchObject({ counts: { expected: 2, missing: 0, unexpected: 0 } })
    await database().db.update(batches).set({ status: 'open' }).where(eq(batches.id, batch.id))
    expect(await check(names[0] ?? '')).toMatchObject({ violations: [{ code: 'duplicate_name' }] })
  })

  test('another format that was asked for changes the extension', async () => {
    const { reject, check } = await resupply({ template: null })
    await reject('hero.jpg')
    await reject('logo.jpg', { decisionReason: 'wrong_format' })
    expect(await check('hero.png')).toMatchObject({ violations: [{ code: 'not_expected' }] })
    expect(await check('logo.png')).toMatchObject({ accepted: true })
  })
})

describe('what helps to fix rejected files', () => {
  test('comes in pages, by name, while all names are there at once', async () => {
    const { batch, holder, token } = await resupply({ template: null })
    const name = (n: number) => `file-${String(n).padStart(2, '0')}.png`
    for (let n = 0; n < 53; n++)
      await makeFile(batch, { name: name(n), nameKey: name(n), decision: 'rejected', decisionComment: `No. ${n}` })
    await makeFile(batch, { name: 'file-99.png', nameKey: 'file-99.png', decision: 'approved' })
    const link = PublicUploadLink.parse(await getPublicUploadLink.execute(holder, { token }))
    expect(link.expected_files).toHaveLength(53)
    expect(link.rejected_files?.map((file) => file.name)).toEqual(Array.from({ length: 50 }, (_, n) => name(n)))
    const cursor = link.rejected_next_cursor ?? ''
    const rest = await listRejectedFiles.execute(holder, { token }, { cursor })
    expect(rest.rejected_files.map((file) => [file.name, file.reason])).toEqual([
      [name(50), 'No. 50'],
      [name(51), 'No. 51'],
      [name(52), 'No. 52'],
    ])
    expect(rest.next_cursor).toBeNull()
    const two = await listRejectedFiles.execute(holder, { token }, { limit: '2' })
    expect(two.rejected_files.map((file) => file.name)).toEqual([name(0), name(1)])
    const next = await listRejectedFiles.execute(holder, { token }, { limit: '1', cursor: two.next_cursor ?? '' })
    expect(next.rejected_files.map((file) => file.name)).toEqual([name(2)])
    await expectRefusal(listRejectedFiles.execute(holder, { token }, { cursor: 'not ours' }), 'invalid_query')
  })

  test('is for those who may open the link, while new versions are awaited', async () => {
    const open = await resupply({ template: null, status: 'open' })
    await makeFile(open.batch, { name: 'a.png', decision: 'rejected' })
    expect(await listRejectedFiles.execute(open.holder, { token: open.token }, {})).toEqual({
      rejected_files: [],
      next_cursor: null,
    })
    const locked = await resupply({ template: null })
    await makeFile(locked.batch, { name: 'a.png', decision: 'rejected' })
    await database()
      .db.update(uploadLinks)
      .set({ passwordHash: 'a hash' })
      .where(eq(uploadLinks.batchId, locked.batch.id))
    await expectRefusal(listRejectedFiles.execute(locked.holder, { token: locked.token }, {}), 'forbidden')
    await database()
      .db.update(uploadLinks)
      .set({ passwordHash: null, deactivatedAt: new Date() })
      .where(eq(uploadLinks.batchId, locked.batch.id))
    await expectRefusal(listRejectedFiles.execute(locked.holder, { token: locked.token }, {}), 'link_deactivated')
  })
})
