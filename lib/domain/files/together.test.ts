import { eq } from 'drizzle-orm'
import { expect, test, vi } from 'vitest'
import { database } from '@/db/client'
import { files } from '@/db/schema/files'
import { recordStatements, testSql } from '@/db/testing'
import { makeAgency, makeBatch, makeMediaCategory, makeProject, makeUploadLink, makeUser } from '@/fixtures/factories'
import { onBatchForFiles } from '../batches/find'
import { Refusal } from '../kernel/errors'
import type { Upload } from '../kernel/intake'
import { inTransaction, type Tx } from '../kernel/operation'
import { sha256Hex } from '../kernel/sha256'
import { updateProject } from '../projects/commands'
import { as } from '../testing'
import { byToken } from '../upload-links/find'
import { receiveFile } from './commands'
import { arrived, image, uploadPorts } from './testing'

/** Many files for one batch at the same time. */

async function workspace() {
  const coordinator = await makeUser({ role: 'coordinator' })
  const agency = await makeAgency()
  const project = await makeProject({ agencyId: agency.id, members: [coordinator] })
  const { id: mediaCategoryId } = await makeMediaCategory({ namingTemplate: null })
  const batch = await makeBatch({ projectId: project.id, coordinatorId: coordinator.id, mediaCategoryId })
  return { coordinator, agency, project, batch, at: { project_id: project.id, batch_id: batch.id } }
}
type Workspace = Awaited<ReturnType<typeof workspace>>

const send = ({ coordinator, at }: Workspace, upload: Upload) =>
  receiveFile.execute(as(coordinator, { ports: uploadPorts }), at, upload)

const waitingForLocks = async () => {
  const [row] = await testSql`select count(*)::int as count from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`
  return row?.count
}

/** Sends them so that all have passed their validation, and the first waits for the batch, when it is given free. */
async function sendAtOnce(place: Workspace, uploads: Upload[]) {
  const commit = vi.spyOn(uploadPorts.blobs, 'commit')
  let sending: Promise<unknown>[] = []
  await testSql.begin(async (sql) => {
    await sql`select from batches where id = ${place.batch.id} for update`
    sending = uploads.map((upload) => send(place, upload))
    for (const one of sending) one.catch(() => {})
    await vi.waitFor(async () => {
      expect(commit).toHaveBeenCalledTimes(uploads.length)
      expect(await waitingForLocks()).toBe(1)
    }, 60_000)
  })
  commit.mockRestore()
  return Promise.allSettled(sending)
}

/** What the counters say, which must be what the rows say. */
async function counted({ batch, agency }: Workspace) {
  const rows = await database().db.select({ size: files.size }).from(files).where(eq(files.batchId, batch.id))
  const [counts] = await testSql`select files::int, total_size::int from batch_counts where batch_id = ${batch.id}`
  const [storage] = await testSql`select bytes::int from agency_storage where agency_id = ${agency.id}`
  const bytes = rows.reduce((sum, { size }) => sum + size, 0)
  expect(counts).toEqual({ files: rows.length, total_size: bytes })
  expect(storage).toEqual({ bytes })
  return rows.length
}

test('are stored by few transactions, and counted', async () => {
  const place = await workspace()
  const uploads = await Promise.all(
    Array.from({ length: 8 }, async (_, n) => arrived(`at-once-${n}.png`, await image())),
  )
  const statements = recordStatements(database().sql)
  const ended = await sendAtOnce(place, uploads)
  expect(ended.map(({ status }) => status)).toEqual(uploads.map(() => 'fulfilled'))
  expect(statements.filter(({ text }) => text.startsWith('begin')).length).toBeLessThanOrEqual(3)
  expect(await counted(place)).toBe(8)
  const events = await testSql`select from events where batch_id = ${place.batch.id} and type = 'file.received'`
  expect(events).toHaveLength(8)
})

test('one that another of them beat to its name is refused with what is there, and the others are stored', async () => {
  const place = await workspace()
  const names = ['same.png', 'other.png', 'same.png', 'third.png', 'same.png']
  const uploads = await Promise.all(names.map(async (name) => arrived(name, await image())))
  const ended = await sendAtOnce(place, uploads)
  const refused = ended.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []))
  expect(refused).toHaveLength(2)
  for (const reason of refused) {
    expect(reason).toBeInstanceOf(Refusal)
    expect(reason.facts.violations).toMatchObject([{ code: 'duplicate_name', existing_file: { name: 'same.png' } }])
  }
  expect(await counted(place)).toBe(3)
})

test.each(['staff', 'an upload link'])(
  'a change of their project waits for those that come from %s before it, not for those after',
  async (sender) => {
    const place = await workspace()
    const token = 'aTokenOfALink123'
    if (sender !== 'staff') await makeUploadLink(place.batch, { tokenHash: sha256Hex(token) })
    const find = (tx: Tx) =>
      sender === 'staff' ? onBatchForFiles.find(tx, place.at, true) : byToken.find(tx, { token }, true)
    const acting = as(place.coordinator)
    let changing: Promise<unknown> = Promise.resolve()
    let next: Promise<string> = Promise.resolve('')
    await inTransaction(acting, async (tx) => {
      await find(tx)
      changing = updateProject.execute(acting, { project_id: place.project.id }, { name: 'Changed between' })
      await vi.waitFor(async () => expect(await waitingForLocks()).toBe(1), 30_000)
      next = inTransaction(acting, async (later) => (await find(later)).project.name)
      await vi.waitFor(async () => expect(await waitingForLocks()).toBe(2), 30_000)
    })
    await changing
    expect(await next).toBe('Changed between')
  },
)
