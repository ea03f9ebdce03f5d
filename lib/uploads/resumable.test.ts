import { createHash, randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import sharp from 'sharp'
import { afterAll, afterEach, expect, test, vi } from 'vitest'
import { files } from '@/db/schema/files'
import { resumableUploads } from '@/db/schema/operations'
import { uploadLinks } from '@/db/schema/upload-links'
import { testDb } from '@/db/testing'
import { makeBatch, makeMediaCategory, makeToken, makeUploadLink, makeUser } from '@/fixtures/factories'
import type { Handler } from '@/lib/http/endpoint'
import { send } from '@/lib/http/testing'
import { closeInspector } from '@/lib/media/inspect/inspect'
import { UploadRecords } from './upload-records'

/** Resumable uploads by the real routes, operations and decoders. */

afterAll(closeInspector)
afterEach(() => vi.restoreAllMocks())

type Route = Record<'GET' | 'HEAD' | 'POST' | 'PATCH' | 'DELETE', Handler>
const ours = () => import('@/app/api/projects/[project_id]/batches/[batch_id]/tus/[[...tus]]/route')
const theirs = () => import('@/app/api/public/upload-links/[token]/tus/[[...tus]]/route')

let shade = 0
const image = () =>
  sharp({ create: { width: 40, height: 30, channels: 3, background: { r: ++shade, g: 20, b: 40 } } })
    .png()
    .toBuffer()

/** One upload at one route, as a client keeps it. */
function client(route: Route, base: string, params: Record<string, string>, token?: string) {
  let url = base
  const call = (method: keyof Route, headers: Record<string, string> = {}, body?: Uint8Array) =>
    send(route[method], method, url, { params, token, body, headers: { 'tus-resumable': '1.0.0', ...headers } })
  return {
    async create(name: string, size: number) {
      const metadata = `filename ${Buffer.from(name).toString('base64')}`
      const response = await call('POST', { 'upload-length': String(size), 'upload-metadata': metadata })
      if (response.ok) url = response.headers.get('location') ?? ''
      return response
    },
    call,
    patch: (offset: number, bytes: Uint8Array) =>
      call('PATCH', { 'upload-offset': String(offset), 'content-type': 'application/offset+octet-stream' }, bytes),
  }
}

async function category() {
  return makeMediaCategory({ namingTemplate: null, mediaTypes: ['image/png'] })
}

async function asStaff() {
  const user = await makeUser({ role: 'administrator' })
  const batch = await makeBatch({ mediaCategoryId: (await category()).id })
  const params = { project_id: batch.projectId, batch_id: batch.id }
  const base = `/api/projects/${batch.projectId}/batches/${batch.id}/tus`
  return { batch, upload: client((await ours()) as Route, base, params, (await makeToken(user)).token) }
}

async function byLink(given: Partial<typeof uploadLinks.$inferInsert> = {}) {
  const batch = await makeBatch({ mediaCategoryId: (await category()).id })
  const token = randomUUID().replaceAll('-', '').slice(0, 16)
  const tokenHash = createHash('sha256').update(token).digest('hex')
  const link = await makeUploadLink(batch, { tokenHash, ...given })
  const start = async () => client((await theirs()) as Route, `/api/public/upload-links/${token}/tus`, { token })
  return { batch, token, link, start, upload: await start() }
}

const filesOf = (batchId: string) => testDb.select().from(files).where(eq(files.batchId, batchId))

test('killed between storing the bytes and writing the row, an upload goes on: nothing acknowledged is lost or refused', async () => {
  const { batch, upload } = await asStaff()
  const bytes = await image()
  await upload.create('a.png', bytes.length)
  vi.spyOn(UploadRecords.prototype, 'decide').mockRejectedValueOnce(new Error('killed'))
  expect((await upload.patch(0, bytes)).status).toBe(500)
  expect(await filesOf(batch.id)).toEqual([])

  const found = await upload.call('HEAD')
  expect([found.status, found.headers.get('upload-offset')]).toEqual([200, String(bytes.length)])
  expect(await filesOf(batch.id)).toMatchObject([{ name: 'a.png', size: bytes.length }])
})

test('the verdict is written with the file: a client that asks after a lost response gets the same, and the file is there once', async () => {
  const { batch, upload } = await asStaff()
  const bytes = await image()
  await upload.create('a.png', bytes.length)
  const responses = [await upload.patch(0, bytes), await upload.patch(0, bytes), await upload.call('GET')]
  const bodies = await Promise.all(responses.map((response) => response.json()))
  expect(responses.map(({ status }) => status)).toEqual([201, 201, 201])
  expect(bodies[0]).toMatchObject({ name: 'a.png' })
  for (const body of bodies) expect(body).toEqual(bodies[0])
  expect(await filesOf(batch.id)).toHaveLength(1)
})

test('a link of one use keeps serving the upload that used it up, and takes no other', async () => {
  const { upload, start } = await byLink({ maxUses: 1 })
  const bytes = await image()
  await upload.create('a.png', bytes.length)
  const late = await start()
  await late.create('b.png', bytes.length)
  const first = await (await upload.patch(0, bytes)).json()
  expect(first).toMatchObject({ file: { name: 'a.png' }, uses_left: 0 })
  expect(await (await upload.call('GET')).json()).toEqual(first)
  expect(await (await upload.patch(0, bytes)).json()).toEqual(first)
  expect((await upload.call('HEAD')).status).toBe(200)
  const refused = await late.patch(0, await image())
  expect([refused.status, (await refused.json()).code]).toEqual([410, 'link_used_up'])
})

test.each([
  ['deactivated', { deactivatedAt: new Date() }],
  ['expired', { expiresAt: new Date(Date.now() - 1000) }],
])('a link that is %s responds with 410 to everything, whatever was sent before', async (status, change) => {
  const { link, upload, start } = await byLink()
  const [whole, part] = [await image(), await image()]
  await upload.create('a.png', whole.length)
  await upload.patch(0, whole)
  const other = await start()
  await other.create('b.png', part.length)
  await other.patch(0, part.subarray(0, 20))
  await testDb.update(uploadLinks).set(change).where(eq(uploadLinks.id, link.id))
  for (const each of [upload, other]) {
    const responses = [
      await each.call('HEAD'),
      await each.call('GET'),
      await each.patch(20, part.subarray(20)),
      await each.call('DELETE'),
    ]
    expect(responses.map((response) => response.status)).toEqual([410, 410, 410, 410])
    expect(await responses[1]?.json()).toMatchObject({ code: `link_${status}` })
  }
  expect((await (await start()).create('c.png', 10)).status).toBe(410)
})

test('what is stored of an upload by a link does not hold the token of the link', async () => {
  const { token, link, upload } = await byLink()
  await upload.create('a.png', 10)
  const rows = await testDb.select().from(resumableUploads)
  expect(JSON.stringify(rows)).toContain(link.id)
  expect(JSON.stringify(rows)).not.toContain(token)
})
