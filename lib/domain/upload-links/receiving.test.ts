import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { database } from '@/db/client'
import { directUploads, resumableUploads } from '@/db/schema/operations'
import { batches } from '@/db/schema/projects'
import { uploadSessions } from '@/db/schema/upload-links'
import { makeBatch, makeProject, makeUploadLink, makeUser } from '@/fixtures/factories'
import { as, expectRefusal } from '../testing'
import { listReceivingLinks } from './receiving'

const NOW = new Date('2026-03-02T10:00:00.000Z')
const ago = (seconds: number) => new Date(NOW.getTime() - seconds * 1000)

async function workspace() {
  const viewer = await makeUser({ role: 'viewer' })
  const project = await makeProject({ members: [viewer] })
  const batch = await makeBatch({ projectId: project.id })
  const link = await makeUploadLink(batch, { label: 'Spring' })
  const receiving = async () => {
    const place = { project_id: project.id, batch_id: batch.id }
    const { receiving_links } = await listReceivingLinks.execute(as(viewer, { now: NOW }), place)
    return receiving_links.map(({ label }) => label)
  }
  return { project, batch, link, receiving }
}

type Link = Awaited<ReturnType<typeof workspace>>['link']

const visit = (link: Link, lastFileAt: Date, closedAt: Date | null = null) =>
  database()
    .db.insert(uploadSessions)
    .values({ linkId: link.id, key: randomUUID(), fileCount: 3, lastFileAt, closedAt, createdAt: ago(600) })

const resumable = (link: Link, lockedUntil: Date | null) =>
  database()
    .db.insert(resumableUploads)
    .values({ id: randomUUID(), owner: `upload_link:${link.id}`, size: 9, metadata: '', expiresAt: NOW, lockedUntil })

const direct = (link: Link, state: 'receiving' | 'checking' | 'accepted', updatedAt: Date) =>
  database()
    .db.insert(directUploads)
    .values({
      ...{ intake: 'receiveFileByLink', owner: `upload_link:${link.id}`, name: 'a.mp4', size: 9, partSize: 9 },
      ...{ state, expiresAt: NOW, createdAt: ago(3600), updatedAt },
    })

test('a link receives while the files of a visit follow each other, until its sender says that it is all', async () => {
  const { link, receiving } = await workspace()
  expect(await receiving()).toEqual([])
  await visit(link, ago(120))
  await visit(link, ago(5), ago(2))
  expect(await receiving()).toEqual([])
  await visit(link, ago(5))
  expect(await receiving()).toEqual(['Spring'])
})

test('a link receives while a request sends a part of a large file', async () => {
  const { link, receiving } = await workspace()
  await resumable(link, null)
  await resumable(link, ago(1))
  expect(await receiving()).toEqual([])
  await resumable(link, ago(-8))
  expect(await receiving()).toEqual(['Spring'])
})

test('a link receives while a file goes to the storage itself', async () => {
  const { link, receiving } = await workspace()
  await direct(link, 'accepted', ago(5))
  await direct(link, 'receiving', ago(700))
  expect(await receiving()).toEqual([])
  await direct(link, 'receiving', ago(300))
  expect(await receiving()).toEqual(['Spring'])
})

test('no link receives in a batch that takes nothing through links', async () => {
  const { batch, link, receiving } = await workspace()
  await visit(link, ago(5))
  await database().db.update(batches).set({ status: 'in_review' }).where(eq(batches.id, batch.id))
  expect(await receiving()).toEqual([])
})

test('links of other batches are not among them, and who is not a member finds no batch', async () => {
  const { project, batch, receiving } = await workspace()
  const other = await workspace()
  await visit(other.link, ago(5))
  expect(await receiving()).toEqual([])
  const place = { project_id: project.id, batch_id: batch.id }
  await expectRefusal(listReceivingLinks.execute(as(await makeUser()), place), 'not_found')
})
