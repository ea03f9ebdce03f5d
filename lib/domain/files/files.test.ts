import { eq } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { database } from '@/db/client'
import { files } from '@/db/schema/files'
import { batches, projects } from '@/db/schema/projects'
import { makeBatch, makeFile, makeMediaCategory, makeProject, makeUser, type UserRow } from '@/fixtures/factories'
import { archiveFacts } from '@/lib/checks/testing'
import { reviewFile, reviewFiles } from '../review/commands'
import { as, eventsAbout, expectRefusal } from '../testing'
import { checkNewFiles, deleteFile, receiveFile } from './commands'
import { getFile, listFiles, openFile } from './queries'
import { arrived, image, storedKeys, uploadPorts } from './testing'

async function workspace(given: { template?: string; mediaTypes?: string[]; maxFileSize?: number } = {}) {
  const coordinator = await makeUser({ role: 'coordinator' })
  const operator = await makeUser({ role: 'operator' })
  const viewer = await makeUser({ role: 'viewer' })
  const category = await makeMediaCategory({
    namingTemplate: given.template ?? null,
    mediaTypes: given.mediaTypes ?? [],
    maxFileSize: given.maxFileSize ?? null,
  })
  const project = await makeProject({ members: [coordinator, operator, viewer] })
  const batch = await makeBatch({ projectId: project.id, mediaCategoryId: category.id, operatorId: operator.id })
  return { coordinator, operator, viewer, project, batch, place: { project_id: project.id, batch_id: batch.id } }
}
type Workspace = Awaited<ReturnType<typeof workspace>>

const send = async ({ operator, place }: Pick<Workspace, 'operator' | 'place'>, name: string, bytes?: Buffer) =>
  receiveFile.execute(as(operator, { ports: uploadPorts }), place, await arrived(name, bytes ?? (await image())))

const setBatch = (id: string, status: typeof batches.$inferSelect.status) =>
  database().db.update(batches).set({ status }).where(eq(batches.id, id))

describe('uploading as staff', () => {
  test('an intact file is stored with what was measured of it, never with what was said', async () => {
    const place = await workspace()
    const bytes = await image(120, 80)
    const file = await send(place, 'hero.png', bytes)
    expect(file).toMatchObject({
      name: 'hero.png',
      version: 1,
      size: bytes.length,
      media_type: 'image/png',
      integrity: 'sound',
      is_current: true,
      media: { kind: 'image', width: 120, height: 80 },
    })
    const stored = (await database().db.select().from(files).where(eq(files.id, file.id)))[0]
    expect(await storedKeys()).toContain(stored?.objectKey)
    expect((await eventsAbout(file.id)).map(({ type }) => type)).toEqual(['file.received'])
  })

  test('a viewer may not, and a stranger finds nothing', async () => {
    const place = await workspace()
    await expectRefusal(send({ ...place, operator: place.viewer }, 'a.png'), 'forbidden')
    await expectRefusal(send({ ...place, operator: await makeUser({ role: 'coordinator' }) }, 'a.png'), 'not_found')
  })

  test('every reason that applies is given, not only the first', async () => {
    const place = await workspace({
      template: '{agency}_{title}_{width}x{height}.{ext}',
      mediaTypes: ['image/png'],
      maxFileSize: 100,
    })
    const whole = await image(200, 200)
    const refused = await expectRefusal(send(place, 'hero.jpg', whole.subarray(0, whole.length - 30)), 'file_rejected')
    const rules = new Set(refused.facts.violations?.map(({ rule }) => rule))
    expect(rules).toEqual(new Set(['naming_convention', 'size', 'integrity']))
  })

  test('the same bytes are found anywhere in the project, the same name in the batch, in any case', async () => {
    const place = await workspace()
    const bytes = await image()
    const first = await send(place, 'Hero.png', bytes)
    const content = await expectRefusal(send(place, 'other.png', bytes), 'file_rejected')
    expect(content.facts.violations).toMatchObject([
      { rule: 'duplicate', code: 'duplicate_content', existing_file: { id: first.id, name: 'Hero.png', version: 1 } },
    ])
    const name = await expectRefusal(send(place, 'hero.PNG'), 'file_rejected')
    expect(name.facts.violations).toMatchObject([{ rule: 'duplicate', code: 'duplicate_name' }])
    const elsewhere = await workspace()
    await send(elsewhere, 'Hero.png', bytes)
  })

  test('of one content sent eight times at once, one is stored', async () => {
    const place = await workspace()
    const bytes = await image()
    const before = (await storedKeys()).length
    const outcomes = await Promise.allSettled(Array.from({ length: 8 }, (_, i) => send(place, `same-${i}.png`, bytes)))
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    for (const outcome of outcomes) if (outcome.status === 'rejected') expect(outcome.reason.code).toBe('file_rejected')
    expect((await storedKeys()).length).toBe(before + 1)
  })

  test.each([
    ['renamed', 'photo.jpg', () => image(), 'type_mismatch'],
    ['empty', 'photo.png', async () => Buffer.alloc(0), 'empty'],
    ['cut off', 'photo.png', async () => (await image(90, 90)).subarray(0, 120), 'truncated'],
    ['something else', 'photo.png', async () => Buffer.from('MZ this is a program'), 'type_mismatch'],
  ])('a file that is %s is refused', async (_what, name, make, code) => {
    const refused = await expectRefusal(send(await workspace(), name, await make()), 'file_rejected')
    expect(refused.facts.violations?.map((violation) => violation.code)).toContain(code)
  })

  test.each(['CON.png', 'a/b.png', 'x\u202egnp.exe', 'trailing .png ', '', `${'n'.repeat(220)}.png`, '\u0000.png'])(
    'the name %j is refused and harms nothing',
    async (name) => {
      const refused = await expectRefusal(send(await workspace(), name), 'file_rejected')
      expect(refused.facts.violations?.[0]?.rule).toBe('naming_convention')
    },
  )

  test('names are tried before a byte is sent, by what the batch holds, and nothing is stored', async () => {
    const place = await workspace({ template: '{title}_v{version}.{ext}', maxFileSize: 1000 })
    await makeFile(place.batch, { name: 'hero_v01.png' })
    await makeFile(place.batch, { name: 'logo_v01.png', decision: 'rejected' })
    const ask = (who: UserRow, ...names: string[]) =>
      checkNewFiles.execute(as(who, { ports: uploadPorts }), place.place, {
        files: names.map((name) => ({ name, size: 500 })),
      })
    const { files: checked } = await ask(place.operator, 'new_v01.png', 'HERO_v01.png', 'logo_v02.png', 'wrong.png')
    expect(checked.map(({ accepted, violations }) => [accepted, violations.map(({ code }) => code)])).toEqual([
      [true, []],
      [false, ['duplicate_name']],
      [true, []],
      [false, [expect.any(String)]],
    ])
    const large = { files: [{ name: 'large_v01.png', size: 1001 }] }
    const { files: refused } = await checkNewFiles.execute(
      as(place.operator, { ports: uploadPorts }),
      place.place,
      large,
    )
    expect(refused[0]?.violations).toMatchObject([{ rule: 'size' }])
    await expectRefusal(ask(place.viewer, 'new_v01.png'), 'forbidden')
    await expectRefusal(ask(await makeUser({ role: 'coordinator' }), 'new_v01.png'), 'not_found')
    await setBatch(place.batch.id, 'approved')
    await expectRefusal(ask(place.operator, 'new_v01.png'), 'invalid_state')
  })

  test('nothing changes in a closed project, and a cancelled batch takes nothing', async () => {
    const place = await workspace()
    await setBatch(place.batch.id, 'cancelled')
    await expectRefusal(send(place, 'a.png'), 'invalid_state')
    await database().db.update(projects).set({ status: 'completed' }).where(eq(projects.id, place.project.id))
    await expectRefusal(send(place, 'a.png'), 'project_closed')
  })
})

describe('reviewing', () => {
  async function inReview() {
    const place = await workspace()
    const file = await makeFile(place.batch, { name: 'hero.png' })
    await setBatch(place.batch.id, 'in_review')
    return { ...place, file, on: { ...place.place, file_id: file.id } }
  }

  test('a rejection needs a comment, an approval does not', async () => {
    const { operator, on } = await inReview()
    await expectRefusal(reviewFile.execute(as(operator), on, { decision: 'reject' }), 'validation_failed', ['comment'])
    expect((await reviewFile.execute(as(operator), on, { decision: 'approve' })).review).toMatchObject({
      decision: 'approved',
      reviewed_by: { id: operator.id },
    })
  })

  test('files are decided in review only, and only their current version', async () => {
    const { operator, on, batch, file } = await inReview()
    await database().db.update(files).set({ isCurrent: false }).where(eq(files.id, file.id))
    await expectRefusal(reviewFile.execute(as(operator), on, { decision: 'approve' }), 'invalid_state')
    await setBatch(batch.id, 'open')
    const refused = await expectRefusal(reviewFile.execute(as(operator), on, { decision: 'approve' }), 'invalid_state')
    expect(refused.facts).toMatchObject({ current: 'open', allowed: ['in_review'] })
  })

  test('of many, all are decided or none', async () => {
    const { operator, place, batch, file } = await inReview()
    const other = await makeFile(batch)
    const foreign = await makeFile(await makeBatch())
    await expectRefusal(
      reviewFiles.execute(as(operator), place, { decision: 'approve', file_ids: [file.id, foreign.id] }),
      'not_found',
    )
    expect((await getFile.execute(as(operator), { ...place, file_id: file.id })).review.decision).toBe('pending')
    const { files: decided } = await reviewFiles.execute(as(operator), place, {
      decision: 'approve',
      file_ids: [file.id, other.id],
    })
    expect(decided.map(({ review }) => review.decision)).toEqual(['approved', 'approved'])
  })

  test('what was rejected is replaced by its next version, and both stay readable', async () => {
    const place = await workspace()
    const first = await send(place, 'hero.png')
    await setBatch(place.batch.id, 'in_review')
    await reviewFile.execute(
      as(place.operator),
      { ...place.place, file_id: first.id },
      { decision: 'reject', comment: 'Too dark' },
    )
    const second = await send(place, 'HERO.png')
    expect(second).toMatchObject({ version: 2, supersedes_id: first.id, review: { decision: 'pending' } })
    const shown = await listFiles.execute(as(place.viewer), place.place)
    expect(shown.files.map(({ id }) => id)).toEqual([second.id])
    const all = await listFiles.execute(as(place.viewer), place.place, { versions: 'all' })
    expect(all.files.map(({ version }) => version)).toEqual([2, 1])
  })

  test('the versions of one file are listed by any of them, whatever they are called', async () => {
    const place = await workspace()
    const first = await makeFile(place.batch, { name: 'hero_v1.png', isCurrent: false })
    const given = { name: 'hero_v2.png', version: 2, seriesKey: 'hero_v1.png', supersedesId: first.id }
    const second = await makeFile(place.batch, given)
    await makeFile(place.batch, { name: 'other.png' })
    const elsewhere = await makeFile(await makeBatch({ projectId: place.batch.projectId }), { name: 'hero_v1.png' })
    const list = async (file_id: string, versions?: 'all') =>
      (await listFiles.execute(as(place.viewer), place.place, { file_id, versions })).files.map(({ id }) => id)
    for (const { id } of [first, second]) {
      expect(await list(id, 'all')).toEqual([second.id, first.id])
      expect(await list(id)).toEqual([second.id])
    }
    expect(await list(elsewhere.id, 'all')).toEqual([])
  })
})

describe('reading and removing', () => {
  test('a quarantined file is for coordinators only', async () => {
    const place = await workspace()
    const file = await makeFile(place.batch, { integrity: 'quarantined' })
    const on = { ...place.place, file_id: file.id }
    await expectRefusal(openFile.execute(as(place.operator), on), 'forbidden')
    expect((await openFile.execute(as(place.coordinator), on)).id).toBe(file.id)
  })

  test('a list leaves out what grows with an archive; the file alone returns it', async () => {
    const place = await workspace()
    const { id } = await makeFile(place.batch, {
      name: 'ad.zip',
      kind: 'archive',
      media: { ...archiveFacts(), banner: { start: 'index.html' } } as Record<string, unknown>,
    })
    await makeFile(place.batch, { name: 'a.png' })
    const { files: listed } = await listFiles.execute(as(place.viewer), place.place)
    const [image, ad] = listed
    expect(image?.media).toEqual({ kind: 'image', width: 300, height: 250 })
    expect(ad?.media).toMatchObject({ kind: 'archive', entry_count: 2, entry_points: ['index.html'] })
    expect(ad?.media).not.toHaveProperty('documents')
    expect(ad?.media).not.toHaveProperty('entries')
    expect((await getFile.execute(as(place.viewer), { ...place.place, file_id: id })).media.documents).toHaveLength(1)
  })

  test('a file of another batch is not there', async () => {
    const place = await workspace()
    const file = await makeFile(await makeBatch({ projectId: place.project.id }))
    await expectRefusal(getFile.execute(as(place.viewer), { ...place.place, file_id: file.id }), 'not_found')
    await expectRefusal(getFile.execute(as(place.viewer), { ...place.place, file_id: 'x' }), 'not_found')
  })

  test('coordinators remove files from open batches, and the same content may come again', async () => {
    const place = await workspace()
    const bytes = await image()
    const file = await send(place, 'hero.png', bytes)
    const on = { ...place.place, file_id: file.id }
    await expectRefusal(deleteFile.execute(as(place.operator), on), 'forbidden')
    await setBatch(place.batch.id, 'in_review')
    await expectRefusal(deleteFile.execute(as(place.coordinator), on), 'invalid_state')
    await setBatch(place.batch.id, 'open')
    await deleteFile.execute(as(place.coordinator), on)
    await expectRefusal(getFile.execute(as(place.viewer), on), 'not_found')
    expect((await send(place, 'hero.png', bytes)).version).toBe(1)
  })
})
