import { createHash, randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import sharp from 'sharp'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { events } from '@/db/schema/events'
import { files } from '@/db/schema/files'
import { idempotencyKeys } from '@/db/schema/operations'
import { testDb } from '@/db/testing'
import { makeBatch, makeMediaCategory, makeToken, makeUploadLink, makeUser } from '@/fixtures/factories'
import { send } from '@/lib/http/testing'
import { closeInspector } from '@/lib/media/inspect/inspect'

/** A lost response and the same upload once more, under the same Idempotency-Key. */

afterAll(closeInspector)

let shade = 0
const image = () =>
  sharp({ create: { width: 40, height: 30, channels: 3, background: { r: 50, g: ++shade, b: 40 } } })
    .png()
    .toBuffer()

const BOUNDARY = 'boundary-of-a-test'
const form = (name: string, bytes: Uint8Array) =>
  Buffer.concat([
    Buffer.from(`--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\n\r\n`),
    bytes,
    Buffer.from(`\r\n--${BOUNDARY}--\r\n`),
  ])

type Place = {
  batchId: string
  post(key: string, body: BodyInit, headers?: Record<string, string>): Promise<Response>
}

async function batchOf(namingTemplate: string | null) {
  const category = await makeMediaCategory({ namingTemplate, mediaTypes: ['image/png'] })
  return makeBatch({ mediaCategoryId: category.id })
}
const headersOf = (key: string) => ({
  'content-type': `multipart/form-data; boundary=${BOUNDARY}`,
  'idempotency-key': key,
})

async function byStaff(template: string | null = null): Promise<Place> {
  const batch = await batchOf(template)
  const { token } = await makeToken(await makeUser({ role: 'administrator' }))
  const params = { project_id: batch.projectId, batch_id: batch.id }
  const { POST } = await import('@/app/api/projects/[project_id]/batches/[batch_id]/files/route')
  const url = `/api/projects/${batch.projectId}/batches/${batch.id}/files`
  return {
    batchId: batch.id,
    post: (key, body, headers) =>
      send(POST, 'POST', url, { params, token, body, headers: { ...headersOf(key), ...headers } }),
  }
}

/** Through a link of one use, without a session: the first accepted file uses it up. */
async function byLink(template: string | null = null): Promise<Place & { token: string }> {
  const batch = await batchOf(template)
  const token = randomUUID().replaceAll('-', '').slice(0, 16)
  await makeUploadLink(batch, { tokenHash: createHash('sha256').update(token).digest('hex'), maxUses: 1 })
  const { POST } = await import('@/app/api/public/upload-links/[token]/files/route')
  return {
    token,
    batchId: batch.id,
    post: (key, body, headers) =>
      send(POST, 'POST', `/api/public/upload-links/${token}/files`, {
        params: { token },
        body,
        headers: { ...headersOf(key), ...headers },
      }),
  }
}

const filesOf = (batchId: string) => testDb.select().from(files).where(eq(files.batchId, batchId))
const rejectionsOf = async (batchId: string) =>
  (await testDb.select().from(events).where(eq(events.batchId, batchId))).filter(
    ({ type }) => type === 'upload.rejected',
  )

async function expectSame(first: Response, second: Response) {
  expect(second.status).toBe(first.status)
  expect(await second.text()).toBe(await first.text())
  expect(first.headers.get('idempotency-replayed')).toBeNull()
  expect(second.headers.get('idempotency-replayed')).toBe('true')
}

describe.each<[string, (template?: string) => Promise<Place>]>([
  ['staff', byStaff],
  ['the holder of a link', byLink],
])('of %s', (_who, open) => {
  test('an accepted file that is sent again is there once, and the first response is given again', async () => {
    const { batchId, post } = await open()
    const body = form('a.png', await image())
    const first = await post('k', body)
    expect(first.status).toBe(201)
    await expectSame(first, await post('k', body))
    expect(await filesOf(batchId)).toHaveLength(1)
  })

  test('a refused file that is sent again is refused in the same words, and noted once', async () => {
    const { batchId, post } = await open()
    const body = form('a.png', (await image()).subarray(0, 60))
    const first = await post('k', body)
    expect(first.status).toBe(422)
    await expectSame(first, await post('k', body))
    expect(await rejectionsOf(batchId)).toHaveLength(1)
  })

  test('a large file that is refused by its name is compared by its name alone', async () => {
    const { batchId, post } = await open('{agency}_{version}')
    const size = { 'content-length': String(80 * 1024 * 1024) }
    // Its bytes are still coming when it is refused.
    const beginOf = (bytes: Buffer) => new ReadableStream({ start: (body) => body.enqueue(bytes) })
    const bytes = form('a.png', await image())
    const first = await post('k', beginOf(bytes.subarray(0, 200)), size)
    expect(first.status).toBe(422)
    await expectSame(first, await post('k', beginOf(bytes.subarray(0, 200)), size))
    expect(await rejectionsOf(batchId)).toHaveLength(1)
    const other = await post('k', form('b.png', await image()))
    expect(await other.json()).toMatchObject({ status: 422, code: 'idempotency_key_reused' })
  })

  test('the same key with other bytes, or the same bytes under another name, is refused', async () => {
    const { post } = await open()
    const bytes = await image()
    await post('k', form('a.png', bytes))
    for (const body of [form('a.png', await image()), form('b.png', bytes)]) {
      const second = await post('k', body)
      expect(await second.json()).toMatchObject({ status: 422, code: 'idempotency_key_reused' })
    }
  })

  test('while the first still runs, the second is refused; afterwards it gets the response', async () => {
    const { post } = await open()
    const body = form('a.png', await image())
    let sendRest = () => {}
    const slow = new ReadableStream({
      start(controller) {
        controller.enqueue(body.subarray(0, 100))
        sendRest = () => {
          controller.enqueue(body.subarray(100))
          controller.close()
        }
      },
    })
    const first = post('k', slow)
    const isRunning = async () => (await testDb.select().from(idempotencyKeys)).some(({ status }) => status === null)
    await vi.waitFor(async () => expect(await isRunning()).toBe(true), { timeout: 30_000 })
    const second = await post('k', body)
    expect(second.headers.get('retry-after')).not.toBeNull()
    expect(await second.json()).toMatchObject({ status: 409, code: 'idempotency_in_progress' })
    sendRest()
    await expectSame(await first, await post('k', body))
  })
})

test('what is refused before anything of the file is known may be sent again under its key', async () => {
  const { post } = await byLink()
  expect((await post('first', form('a.png', await image()))).status).toBe(201)
  const late = form('b.png', await image())
  for (const _ of [1, 2]) {
    const response = await post('late', late)
    expect(response.headers.get('idempotency-replayed')).toBeNull()
    expect(await response.json()).toMatchObject({ status: 410, code: 'link_used_up' })
  }
})

test('the table of keys does not hold the token of a link', async () => {
  const { token, post } = await byLink()
  await post('k', form('a.png', await image()))
  expect(JSON.stringify(await testDb.select().from(idempotencyKeys))).not.toContain(token)
})
