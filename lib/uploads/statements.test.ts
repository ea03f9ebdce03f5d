import { createHash, randomUUID } from 'node:crypto'
import sharp from 'sharp'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { database } from '@/db/client'
import { recordStatements, rowsRead, type Statement, testSql } from '@/db/testing'
import { fillBatch, makeBatch, makeMediaCategory, makeToken, makeUploadLink, makeUser } from '@/fixtures/factories'
import type { Handler } from '@/lib/http/endpoint'
import { send } from '@/lib/http/testing'
import { closeInspector } from '@/lib/media/inspect/inspect'

/** What one upload asks of the database, and that it is no more where the batch holds much. */

afterAll(closeInspector)

const BOUNDARY = 'boundary-of-a-test'
const HELD = 2000
let statements: Statement[]
let place: Awaited<ReturnType<typeof largeBatch>>
beforeAll(async () => {
  statements = recordStatements(database().sql)
  place = await largeBatch()
})
beforeEach(() => {
  statements.length = 0
})

/** A batch that holds two thousand files and expects as many, with those that are sent here among them. */
async function largeBatch() {
  const batch = await makeBatch({ mediaCategoryId: (await makeMediaCategory({ namingTemplate: null })).id })
  await fillBatch(batch, HELD)
  await testSql`insert into manifest_entries (id, batch_id, position, name, name_key)
    select gen_random_uuid(), ${batch.id}, n, 'due' || n || '.png', 'due' || n || '.png' from generate_series(1, ${HELD}) n`
  // Campaigns of other agencies; whether they are read in order shows only where there are many.
  await testSql`with others as (insert into agencies (id, name, code) select gen_random_uuid(), 'Other ' || n, 'OTHER' || n from generate_series(1, 500) n returning id)
    insert into campaigns (id, agency_id, name, code) select gen_random_uuid(), id, 'Campaign ' || k, 'CAMPAIGN' || k from others, generate_series(1, 8) k`
  await testSql`analyze files, manifest_entries, campaigns, agencies`
  const link = randomUUID().replaceAll('-', '').slice(0, 16)
  await makeUploadLink(batch, { tokenHash: createHash('sha256').update(link).digest('hex') })
  const { token } = await makeToken(await makeUser({ role: 'administrator' }))
  return { batch, link, token }
}

/** What was asked, besides where the transaction begins and ends. */
const asked = () => statements.map(({ text }) => text.trim()).filter((text) => !/^(begin|commit)/.test(text))

/** Nothing is asked twice, neither before the transaction nor in it; and never for all that the batch holds. */
async function expectFew(most: number) {
  const begin = statements.findIndex(({ text }) => text.startsWith('begin'))
  const texts = statements.map(({ text }) => text)
  for (const part of [texts.slice(0, Math.max(0, begin)), texts.slice(Math.max(0, begin))])
    expect(part.filter((text, index) => part.indexOf(text) !== index)).toEqual([])
  expect(asked().length, asked().join('\n')).toBeLessThanOrEqual(most)
  for (const statement of [...statements])
    for (const table of ['files', 'manifest_entries', 'campaigns'])
      expect(await rowsRead(statement, table), statement.text).toBeLessThan(20)
}

let shade = 0
const image = () =>
  sharp({ create: { width: 40, height: 30, channels: 3, background: { r: 5, g: ++shade, b: 4 } } })
    .png()
    .toBuffer()

let due = 0
const nextName = () => `due${++due}.png`

async function sendWhole(
  route: { POST: Handler },
  url: string,
  params: Record<string, string>,
  { token, name = nextName() }: { token?: string; name?: string } = {},
) {
  const head = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\n\r\n`
  const body = Buffer.concat([Buffer.from(head), await image(), Buffer.from(`\r\n--${BOUNDARY}--\r\n`)])
  const headers = {
    'content-type': `multipart/form-data; boundary=${BOUNDARY}`,
    'content-length': String(body.length),
    'upload-session': randomUUID(),
    'idempotency-key': randomUUID(),
  }
  statements.length = 0
  expect((await send(route.POST, 'POST', url, { params, token, body, headers })).status).toBe(201)
}

describe('in one request', () => {
  test('a file of staff', async () => {
    const { batch, token } = place
    const params = { project_id: batch.projectId, batch_id: batch.id }
    const route = await import('@/app/api/projects/[project_id]/batches/[batch_id]/files/route')
    const address = `/api/projects/${batch.projectId}/batches/${batch.id}/files`
    // The first request notes the use of the token, and makes the key that what is said of a user is sealed by.
    await sendWhole(route, address, params, { token })
    await sendWhole(route, address, params, { token })
    await expectFew(6)
  })

  test('a file through a link', async () => {
    const route = await import('@/app/api/public/upload-links/[token]/files/route')
    await sendWhole(route, `/api/public/upload-links/${place.link}/files`, { token: place.link })
    await expectFew(6)
  })
})

describe('piece by piece', () => {
  async function sendResumable(
    route: Record<'POST' | 'PATCH', Handler>,
    url: string,
    params: Record<string, string>,
    most: { create: number; last: number },
    token?: string,
  ) {
    const bytes = await image()
    const half = Math.floor(bytes.length / 2)
    const session = randomUUID()
    const tus = (method: 'POST' | 'PATCH', to: string, headers: Record<string, string>, body?: Uint8Array) => {
      statements.length = 0
      return send(route[method], method, to, {
        params,
        token,
        body,
        headers: { 'tus-resumable': '1.0.0', 'upload-session': session, ...headers },
      })
    }
    const created = await tus('POST', url, {
      'upload-length': String(bytes.length),
      'upload-metadata': `filename ${Buffer.from(nextName()).toString('base64')}`,
    })
    expect(created.status).toBe(201)
    await expectFew(most.create)
    const piece = (from: number, body: Uint8Array) =>
      tus(
        'PATCH',
        created.headers.get('location') ?? '',
        { 'upload-offset': String(from), 'content-type': 'application/offset+octet-stream' },
        body,
      )
    expect((await piece(0, bytes.subarray(0, half))).status).toBe(204)
    expect((await piece(half, bytes.subarray(half))).status).toBe(201)
    await expectFew(most.last)
  }

  test('a file of staff', async () => {
    const { batch, token } = place
    const route = await import('@/app/api/projects/[project_id]/batches/[batch_id]/tus/[[...tus]]/route')
    const params = { project_id: batch.projectId, batch_id: batch.id }
    const address = `/api/projects/${batch.projectId}/batches/${batch.id}/tus`
    await sendResumable(route, address, params, { create: 4, last: 7 }, token)
  })

  test('a file through a link', async () => {
    const route = await import('@/app/api/public/upload-links/[token]/tus/[[...tus]]/route')
    const address = `/api/public/upload-links/${place.link}/tus`
    await sendResumable(route, address, { token: place.link }, { create: 3, last: 7 })
  })
})

test('a next version, while what was rejected is awaited', async () => {
  const { link, batch } = place
  await testSql`update batches set status = 'awaiting_resupply' where id = ${batch.id}`
  await testSql`update files set decision = 'rejected', decision_comment = 'No'
    where batch_id = ${batch.id} and name_key in ('held1.png', 'held2.png')`
  await testSql`analyze files`
  const route = await import('@/app/api/public/upload-links/[token]/files/route')
  await sendWhole(route, `/api/public/upload-links/${link}/files`, { token: link }, { name: 'held1.png' })
  // What was found of the rejected files, twice; the version before is no longer current; whether more is awaited.
  await expectFew(12)
})
