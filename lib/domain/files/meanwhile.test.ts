import { eq } from 'drizzle-orm'
import { expect, test, vi } from 'vitest'
import { database } from '@/db/client'
import { agencies } from '@/db/schema/directory'
import { files } from '@/db/schema/files'
import { testSql } from '@/db/testing'
import { makeBatch, makeProject, makeUser } from '@/fixtures/factories'
import { replaceManifest } from '../batches/commands'
import type { Upload } from '../kernel/intake'
import { as, eventsAbout, expectRefusal } from '../testing'
import { receiveFileByLink } from '../upload-links/public'
import { createUploadLink } from '../upload-links/staff'
import { receiveFile } from './commands'
import { arrived, image, storedKeys, uploadPorts } from './testing'

/** What others do between the verdict on a file and the transaction that stores it: while its bytes are made durable. */

async function workspace() {
  const coordinator = await makeUser({ role: 'coordinator' })
  const project = await makeProject({ members: [coordinator] })
  const batch = await makeBatch({ projectId: project.id, coordinatorId: coordinator.id })
  return { coordinator, project, batch, at: { project_id: project.id, batch_id: batch.id } }
}
type Workspace = Awaited<ReturnType<typeof workspace>>

/** What happens before the next bytes are made durable. */
function meanwhile(happening: () => Promise<unknown>) {
  const { blobs } = uploadPorts
  const commit = blobs.commit.bind(blobs)
  vi.spyOn(blobs, 'commit').mockImplementationOnce(async (...given) => {
    await happening()
    return commit(...given)
  })
}

const send = ({ coordinator, at }: Workspace, upload: Upload) =>
  receiveFile.execute(as(coordinator, { ports: uploadPorts }), at, upload)

async function expectNothingOf(place: Workspace, sending: Promise<unknown>, kept: number) {
  const before = (await storedKeys()).length
  const refused = await expectRefusal(sending, 'file_rejected')
  expect(await database().db.$count(files, eq(files.batchId, place.batch.id))).toBe(kept)
  expect((await storedKeys()).length).toBe(before + kept)
  return refused.facts.violations
}

test('a file of the same name that came is named in the refusal', async () => {
  const place = await workspace()
  const other = await arrived('HERO.png', await image())
  meanwhile(() => send(place, other))
  const sending = send(place, await arrived('hero.png', await image()))
  expect(await expectNothingOf(place, sending, 1)).toMatchObject([
    { code: 'duplicate_name', existing_file: { name: 'HERO.png', version: 1 } },
  ])
})

test('a file of the same content that came is named in the refusal', async () => {
  const place = await workspace()
  const bytes = await image()
  const other = await arrived('first.png', bytes)
  meanwhile(() => send(place, other))
  const sending = send(place, await arrived('second.png', bytes))
  expect(await expectNothingOf(place, sending, 1)).toMatchObject([
    { code: 'duplicate_content', existing_file: { name: 'first.png', version: 1 } },
  ])
})

test('room that others took is gone', async () => {
  const place = await workspace()
  const bytes = await image(64, 64)
  const quota = { storageQuota: Math.round(bytes.length * 1.5) }
  await database().db.update(agencies).set(quota).where(eq(agencies.id, place.project.agencyId))
  const other = await arrived('first.png', await image(64, 64))
  meanwhile(() => send(place, other))
  const sending = send(place, await arrived('second.png', bytes))
  expect(await expectNothingOf(place, sending, 1)).toMatchObject([{ code: 'agency_quota' }])
})

test('a manifest that was set holds for what comes through a link', async () => {
  const place = await workspace()
  const staff = as(place.coordinator, { ports: uploadPorts })
  const link = await createUploadLink.execute(staff, {}, { batch_id: place.batch.id })
  meanwhile(() => replaceManifest.execute(staff, place.at, { files: [{ name: 'expected.png' }] }))
  const sending = receiveFileByLink.execute(
    as('anonymous', { ports: uploadPorts }),
    { token: link.url.split('/').at(-1) ?? '' },
    await arrived('other.png', await image()),
  )
  expect(await expectNothingOf(place, sending, 0)).toMatchObject([{ rule: 'resupply', code: 'not_expected' }])
})

test('another file is no reason to look again, and one event and one job follow from it', async () => {
  const place = await workspace()
  const other = await arrived('first.png', await image())
  meanwhile(() => send(place, other))
  const stored = await send(place, await arrived('second.png', await image()))
  expect((await eventsAbout(stored.id)).map(({ type }) => type)).toEqual(['file.received'])
  const jobs = await testSql`select payload ->> 'file_id' as file, payload ->> 'agency_id' as agency
    from graphile_worker._private_jobs where key = ${`make_pictures:${stored.id}`}`
  expect([...jobs]).toEqual([{ file: stored.id, agency: place.project.agencyId }])
})
