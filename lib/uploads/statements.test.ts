import { createHash, randomUUID } from 'node:crypto'
import sharp from 'sharp'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { database } from '@/db/client'
import { makeBatch, makeMediaCategory, makeToken, makeUploadLink, makeUser } from '@/fixtures/factories'
import type { Handler } from '@/lib/http/endpoint'
import { send } from '@/lib/http/testing'
import { closeInspector } from '@/lib/media/inspect/inspect'

/** What one upload asks of the database. */

afterAll(closeInspector)

const BOUNDARY = 'boundary-of-a-test'
let statements: string[] = []
beforeEach(() => {
  Object.assign(database().sql.options, { debug: (_connection: number, text: string) => statements.push(text) })
})

/** Statements that were sent twice on one side of the beginning of the transaction. */
function repeated(): string[] {
  const begin = statements.findIndex((text) => text.startsWith('begin'))
  expect(begin).toBeGreaterThan(0)
  return [statements.slice(0, begin), statements.slice(begin)].flatMap((part) =>
    part.filter((text, index) => part.indexOf(text) !== index),
  )
}

async function batchWithLink() {
  const batch = await makeBatch({ mediaCategoryId: (await makeMediaCategory({ namingTemplate: null })).id })
  const token = randomUUID().replaceAll('-', '').slice(0, 16)
  await makeUploadLink(batch, { tokenHash: createHash('sha256').update(token).digest('hex') })
  return { batch, token }
}

let shade = 0
const image = () =>
  sharp({ create: { width: 40, height: 30, channels: 3, background: { r: 5, g: ++shade, b: 4 } } })
    .png()
    .toBuffer()

async function sendWhole(route: { POST: Handler }, url: string, params: Record<string, string>, token?: string) {
  const head = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="a.png"\r\n\r\n`
  const body = Buffer.concat([Buffer.from(head), await image(), Buffer.from(`\r\n--${BOUNDARY}--\r\n`)])
  const headers = {
    'content-type': `multipart/form-data; boundary=${BOUNDARY}`,
    'upload-session': randomUUID(),
    'idempotency-key': 'k',
  }
  statements = []
  expect((await send(route.POST, 'POST', url, { params, token, body, headers })).status).toBe(201)
}

test('a file of staff asks each query once before its transaction, and once in it', async () => {
  const { batch } = await batchWithLink()
  const { token } = await makeToken(await makeUser({ role: 'administrator' }))
  const params = { project_id: batch.projectId, batch_id: batch.id }
  const route = await import('@/app/api/projects/[project_id]/batches/[batch_id]/files/route')
  await sendWhole(route, `/api/projects/${batch.projectId}/batches/${batch.id}/files`, params, token)
  expect(repeated()).toEqual([])
})

test('a file through a link does so as well', async () => {
  const { token } = await batchWithLink()
  const route = await import('@/app/api/public/upload-links/[token]/files/route')
  await sendWhole(route, `/api/public/upload-links/${token}/files`, { token })
  expect(repeated()).toEqual([])
})

test('so does the creation of a resumable upload, and the piece that ends it', async () => {
  const { token } = await batchWithLink()
  const route = await import('@/app/api/public/upload-links/[token]/tus/[[...tus]]/route')
  const bytes = await image()
  const tus = (method: 'POST' | 'PATCH', url: string, headers: Record<string, string>, body?: Uint8Array) => {
    statements = []
    return send(route[method], method, url, {
      params: { token },
      body,
      headers: { 'tus-resumable': '1.0.0', 'upload-session': randomUUID(), ...headers },
    })
  }
  const created = await tus('POST', `/api/public/upload-links/${token}/tus`, {
    'upload-length': String(bytes.length),
    'upload-metadata': `filename ${Buffer.from('b.png').toString('base64')}`,
  })
  expect(created.status).toBe(201)
  expect(statements.filter((text, index) => statements.indexOf(text) !== index)).toEqual([])
  const last = await tus(
    'PATCH',
    created.headers.get('location') ?? '',
    { 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' },
    bytes,
  )
  expect(last.status).toBe(201)
  expect(repeated()).toEqual([])
})
