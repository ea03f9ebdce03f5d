import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { database } from '@/db/client'
import { agencies, agencyStorage } from '@/db/schema/directory'
import {
  makeAgency,
  makeAttachment,
  makeBatch,
  makeComment,
  makeFile,
  makeProject,
  makeUser,
} from '@/fixtures/factories'
import { updateAgency } from '../directory/commands'
import { listAgencyStorage } from '../directory/queries'
import { updateProject } from '../projects/commands'
import { as, eventsAbout, expectRefusal } from '../testing'
import { checkFiles, getPublicUploadLink, receiveFileByLink } from '../upload-links/public'
import { createUploadLink, getUploadLink, updateUploadLink } from '../upload-links/staff'
import { deleteFile, receiveFile } from './commands'
import { arrived, image, storedKeys, uploadPorts } from './testing'

/** Two batches of two projects of one agency; images of one size fill them. */
async function workspace() {
  const agency = await makeAgency()
  const coordinator = await makeUser({ role: 'coordinator' })
  const batchOf = async () => {
    const project = await makeProject({ agencyId: agency.id, members: [coordinator] })
    const batch = await makeBatch({ projectId: project.id, coordinatorId: coordinator.id })
    return { batch, at: { project_id: project.id, batch_id: batch.id } }
  }
  const [first, second] = [await batchOf(), await batchOf()]
  return { agency, coordinator, first, second }
}
type Workspace = Awaited<ReturnType<typeof workspace>>

/** One colour, 64 x 64: each another file of as many bytes. */
const imageBytes = async () => (await image(64, 64)).length

const send = async ({ coordinator }: Workspace, at: Workspace['first']['at'], name: string, bytes?: Buffer) =>
  receiveFile.execute(as(coordinator, { ports: uploadPorts }), at, await arrived(name, bytes ?? (await image(64, 64))))

const setQuota = ({ agency }: Workspace, storageQuota: number) =>
  database().db.update(agencies).set({ storageQuota }).where(eq(agencies.id, agency.id))

const storedBytes = async ({ agency }: Workspace) =>
  (await database().db.select().from(agencyStorage).where(eq(agencyStorage.agencyId, agency.id)))[0]?.bytes

async function linkTo({ coordinator, first }: Workspace, max_bytes: number | null) {
  const input = { batch_id: first.batch.id, max_bytes }
  const link = await createUploadLink.execute(as(coordinator, { ports: uploadPorts }), {}, input)
  return { link, token: link.url.split('/').at(-1) ?? '' }
}

test('the files of an agency keep to its quota, across its projects, and one that is removed makes room', async () => {
  const place = await workspace()
  const size = await imageBytes()
  await setQuota(place, Math.round(size * 2.5))
  const kept = await send(place, place.first.at, 'a.png')
  const second = await send(place, place.second.at, 'b.png')
  const before = (await storedKeys()).length
  const refused = await expectRefusal(send(place, place.second.at, 'c.png'), 'file_rejected')
  expect(refused.facts.violations).toMatchObject([
    { rule: 'size', code: 'agency_quota', message: expect.stringContaining('Ask an administrator to raise') },
  ])
  expect((await storedKeys()).length).toBe(before)
  await deleteFile.execute(as(place.coordinator), { ...place.first.at, file_id: kept.id })
  const third = await send(place, place.second.at, 'c.png')
  expect(await storedBytes(place)).toBe(second.size + third.size)
})

test('of eight files sent at once into two projects, as many are stored as the quota has room for', async () => {
  const place = await workspace()
  const size = await imageBytes()
  await setQuota(place, Math.round(size * 3.5))
  const before = (await storedKeys()).length
  const sent = await Promise.allSettled(
    Array.from({ length: 8 }, (_, i) => send(place, (i % 2 ? place.first : place.second).at, `${i}.png`)),
  )
  const codes = sent.map((one) => (one.status === 'rejected' ? one.reason.facts?.violations?.[0]?.code : 'stored'))
  expect(codes.filter((code) => code === 'stored')).toHaveLength(3)
  expect(codes.filter((code) => code === 'agency_quota')).toHaveLength(5)
  const sizes = sent.flatMap((one) => (one.status === 'fulfilled' ? [one.value.size] : []))
  expect(await storedBytes(place)).toBe(sizes.reduce((sum, size) => sum + size, 0))
  expect((await storedKeys()).length).toBe(before + 3)
})

test('a file that is refused or fails to be stored is not counted', async () => {
  const place = await workspace()
  const bytes = await image(64, 64)
  await send(place, place.first.at, 'a.png', bytes)
  await expectRefusal(send(place, place.first.at, 'b.png', bytes), 'file_rejected')
  expect(await storedBytes(place)).toBe(bytes.length)
})

test('what a project stores goes with it to another agency', async () => {
  const place = await workspace()
  const file = await makeFile(place.first.batch, { size: 5000 })
  await makeAttachment(await makeComment(file), { size: 70 })
  await makeFile(place.second.batch, { size: 300 })
  const agency = await makeAgency()
  const { project_id } = place.first.at
  await updateProject.execute(as(place.coordinator), { project_id }, { agency_id: agency.id })
  expect(await storedBytes(place)).toBe(300)
  expect(await storedBytes({ ...place, agency })).toBe(5070)
})

test('setting a quota counts what was stored by a release that did not count', async () => {
  const place = await workspace()
  const administrator = as(await makeUser({ role: 'administrator' }))
  await makeFile(place.first.batch, { size: 5000 })
  await database().db.delete(agencyStorage).where(eq(agencyStorage.agencyId, place.agency.id))
  const changed = await updateAgency.execute(administrator, { agency_id: place.agency.id }, { storage_quota: 6000 })
  expect(changed.storage_quota).toBe(6000)
  expect(await storedBytes(place)).toBe(5000)
  expect((await eventsAbout(place.agency.id)).at(-1)?.data).toMatchObject({
    before: { storage_quota: null },
    after: { storage_quota: 6000 },
  })
  const { agency_storage } = await listAgencyStorage.execute(administrator, {}, { q: place.agency.name })
  expect(agency_storage).toEqual([
    { agency: { id: place.agency.id, name: place.agency.name }, stored_bytes: 5000, storage_quota: 6000 },
  ])
  await expectRefusal(listAgencyStorage.execute(as(place.coordinator), {}), 'forbidden')
  const none = await updateAgency.execute(administrator, { agency_id: place.agency.id }, { storage_quota: null })
  expect(none.storage_quota).toBeNull()
})

test.each([0, -1, 1.5, '1 GB', 2 ** 60])('%j is no quota', async (storage_quota) => {
  const administrator = as(await makeUser({ role: 'administrator' }))
  const { id } = await makeAgency()
  await expectRefusal(updateAgency.execute(administrator, { agency_id: id }, { storage_quota }), 'validation_failed', [
    'storage_quota',
  ])
})

test('the files sent through a link keep to its size, also when they come at once', async () => {
  const place = await workspace()
  const size = await imageBytes()
  const { token, link } = await linkTo(place, Math.round(size * 2.5))
  const sent = await Promise.allSettled(
    Array.from({ length: 6 }, async (_, i) =>
      receiveFileByLink.execute(
        as('anonymous', { ports: uploadPorts }),
        { token },
        await arrived(`${i}.png`, await image(64, 64)),
      ),
    ),
  )
  const refused = sent.flatMap((one) => (one.status === 'rejected' ? [one.reason.facts?.violations?.[0]] : []))
  expect(refused).toHaveLength(4)
  for (const violation of refused) {
    expect(violation).toMatchObject({
      code: 'link_quota',
      message: expect.stringMatching(/^There is room for \d+ bytes more through this link/),
    })
  }
  const received = sent.reduce((sum, one) => sum + (one.status === 'fulfilled' ? one.value.file.size : 0), 0)
  const shown = await getPublicUploadLink.execute(as('anonymous', { ports: uploadPorts }), { token })
  expect(shown).toMatchObject({ limits: { bytes_left: Math.round(size * 2.5) - received } })
  const staff = as(place.coordinator, { ports: uploadPorts })
  expect(await getUploadLink.execute(staff, { link_id: link.id })).toMatchObject({
    max_bytes: Math.round(size * 2.5),
    received_bytes: received,
  })
  expect(await updateUploadLink.execute(staff, { link_id: link.id }, { max_bytes: null })).toMatchObject({
    max_bytes: null,
    received_bytes: null,
  })
})

test('an agency learns what is left, not what it has; files that fit one by one may not fit together', async () => {
  const place = await workspace()
  await makeFile(place.second.batch, { size: 900_000 })
  await setQuota(place, 1_000_000)
  const { token } = await linkTo(place, null)
  const visitor = as('anonymous', { ports: uploadPorts })
  const shown = await getPublicUploadLink.execute(visitor, { token })
  expect(shown).toMatchObject({ limits: { bytes_left: 100_000 } })
  const { files } = await checkFiles.execute(
    visitor,
    { token },
    { files: ['a.png', 'b.png', 'c.png'].map((name) => ({ name, size: 60_000 })) },
  )
  expect(files.map(({ accepted }) => accepted)).toEqual([true, false, false])
  expect(files[1]?.violations[0]).toMatchObject({ code: 'agency_quota', expected: 'at most 40 kB' })
  expect(JSON.stringify(files)).not.toMatch(/1 MB|900 kB/)
})
