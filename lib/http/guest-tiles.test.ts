import { randomUUID } from 'node:crypto'
import { pipeline } from 'node:stream/promises'
import { eq } from 'drizzle-orm'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { database } from '@/db/client'
import { imageTiles } from '@/db/schema/image-tiles'
import { reviewLinks } from '@/db/schema/review-links'
import { makeBatch, makeFile, makeReviewLink, makeShareLink } from '@/fixtures/factories'
import { LIMITS, takeShared } from '@/lib/domain/kernel/rate-limit'
import { tilesKey } from '@/lib/domain/tiles/find'
import { service } from '@/lib/service'
import type { Handler } from './endpoint'
import { routes, send } from './testing'

/** Every pixel of a large image, for people without an account. */

const REVIEW = '/api/public/review-links/{token}'
const SHARE = '/api/public/share-links/{token}'

async function ask(call: string, params: Record<string, string>, headers: Record<string, string> = {}) {
  const [method = '', path = ''] = call.split(' ')
  const route: Record<string, Handler> = await import(routes[path] ?? '')
  const url = path.replace(/\{(\w+)\}/g, (_, name) => params[name] ?? '')
  return send(route[method] as Handler, method, url, { params, headers })
}

/** An image of 2,500 × 2,000 pixels, of which the tiles of the smallest level are stored. */
async function large(given: Parameters<typeof makeFile>[1] = {}) {
  const batch = await makeBatch({ status: 'in_review', round: 1 })
  const file = await makeFile(batch, { kind: 'image', media: { width: 2500, height: 2000 }, ...given })
  const tile = await sharp({ create: { width: 313, height: 250, channels: 3, background: '#507090' } })
    .png()
    .toBuffer()
  const [row] = await database()
    .db.insert(imageTiles)
    .values({
      sha256: file.sha256,
      status: 'ready',
      width: 2500,
      height: 2000,
      hasAlpha: false,
      size: tile.length,
      offsets: [0, tile.length],
    })
    .returning()
  const staged = await service().ports.blobs.stage()
  await pipeline([tile], await staged.writable())
  await service().ports.blobs.commit(staged, tilesKey(row?.id ?? ''))
  return { batch, file, tile }
}

const sealed = (token: string) => ({ tokenEncrypted: service().ports.secrets.encrypt(token) })
const first = { level: '0', column: '0', row: '0' }

describe('by a review link', () => {
  test.each([
    { mayDownload: true, hasWatermark: false, is: 'untouched' },
    { mayDownload: true, hasWatermark: true, is: 'marked' },
    { mayDownload: false, hasWatermark: true, is: 'marked' },
    { mayDownload: false, hasWatermark: false, is: 'none' },
  ])('download $mayDownload, watermark $hasWatermark: $is', async ({ mayDownload, hasWatermark, is }) => {
    const { batch, file, tile } = await large()
    const token = randomUUID()
    await makeReviewLink(batch, { mayDownload, hasWatermark, email: 'ines@client.test', ...sealed(token) }, token)
    const on = { token, file_id: file.id }
    const list = await (await ask(`GET ${REVIEW}/files`, on)).json()
    const shown = await ask(`GET ${REVIEW}/files/{file_id}/tiles`, on)
    const got = await ask(`GET ${REVIEW}/files/{file_id}/tiles/{level}/{column}/{row}`, { ...on, ...first })
    if (is === 'none') {
      expect(list.files[0].tiles_url).toBeNull()
      expect([shown.status, got.status]).toEqual([403, 403])
      expect((await ask(`POST ${REVIEW}/files/{file_id}/tiles`, on)).status).toBe(403)
      return
    }
    expect(new URL(list.files[0].tiles_url).pathname).toBe(`/api/public/review-links/${token}/files/${file.id}/tiles`)
    expect((await shown.json()).tiles.url).toBe(list.files[0].tiles_url)
    expect(got.headers.get('content-type')).toBe('image/png')
    expect(got.headers.get('cache-control')).toBe('private, no-cache')
    const bytes = Buffer.from(await got.arrayBuffer())
    expect(bytes.equals(tile)).toBe(is === 'untouched')
    const { width, height } = await sharp(bytes).metadata()
    expect([width, height]).toEqual([313, 250])
    const pixels = await Promise.all([bytes, tile].map((image) => sharp(image).removeAlpha().raw().toBuffer()))
    expect(pixels[0]?.equals(pixels[1] ?? Buffer.alloc(0))).toBe(is === 'untouched')
    const etag = got.headers.get('etag') ?? ''
    const again = await ask(
      `GET ${REVIEW}/files/{file_id}/tiles/{level}/{column}/{row}`,
      { ...on, ...first },
      { 'if-none-match': etag },
    )
    expect(again.status).toBe(304)
  })

  test('they end with the link, and are none of a file that it does not show or that needs none', async () => {
    const { batch, file } = await large()
    const small = await makeFile(batch, { kind: 'image', media: { width: 100, height: 100 } })
    const token = randomUUID()
    await makeReviewLink(batch, { mayDownload: true, fileIds: [file.id, small.id], ...sealed(token) }, token)
    const other = await large()
    expect((await ask(`GET ${REVIEW}/files/{file_id}/tiles`, { token, file_id: other.file.id })).status).toBe(404)
    expect((await ask(`POST ${REVIEW}/files/{file_id}/tiles`, { token, file_id: small.id })).status).toBe(403)
    await database().db.update(reviewLinks).set({ deactivatedAt: new Date() })
    const at = { token, file_id: file.id, ...first }
    expect((await ask(`GET ${REVIEW}/files/{file_id}/tiles/{level}/{column}/{row}`, at)).status).toBe(410)
  })

  test('a guest has them made', async () => {
    const batch = await makeBatch({ status: 'in_review', round: 1 })
    const file = await makeFile(batch, { kind: 'image', media: { width: 2500, height: 2000 } })
    const token = randomUUID()
    await makeReviewLink(batch, { mayDownload: false, hasWatermark: true, ...sealed(token) }, token)
    const on = { token, file_id: file.id }
    expect(await (await ask(`GET ${REVIEW}/files/{file_id}/tiles`, on)).json()).toMatchObject({ status: null })
    expect(await (await ask(`POST ${REVIEW}/files/{file_id}/tiles`, on)).json()).toMatchObject({ status: 'queued' })
  })
})

describe('how many images a link has tiles made of is limited', () => {
  const MOST = LIMITS.linkTiles.burst
  // Elsewhere, tests are not counted.
  beforeAll(() => void Object.assign(service().ports, { limitsRates: true }))
  afterAll(() => void Object.assign(service().ports, { limitsRates: false }))

  type Token = ReturnType<typeof randomUUID>
  type Row = Awaited<ReturnType<typeof makeFile>>
  test.each([
    [
      REVIEW,
      (token: Token, { batchId }: Row) =>
        makeReviewLink({ id: batchId }, { mayDownload: true, ...sealed(token) }, token),
    ],
    [SHARE, (token: Token, file: Row) => makeShareLink(file, { mayDownload: true, ...sealed(token) }, token)],
  ])('at %s', async (path, makeLink) => {
    const { file } = await large({ decision: 'approved', integrity: 'sound' })
    const token = randomUUID()
    const link = await makeLink(token, file)
    const on = { token, file_id: file.id }
    const make = () => ask(`POST ${path}/files/{file_id}/tiles`, on)
    const fail = () =>
      database().db.update(imageTiles).set({ status: 'failed' }).where(eq(imageTiles.sha256, file.sha256))
    // What is there counts nothing.
    for (let n = 0; n < 3; n++) expect((await make()).status).toBe(200)
    const counting = { pool: database().db, now: new Date(), ports: { limitsRates: true } }
    for (let n = 1; n < MOST; n++) await takeShared(counting, LIMITS.linkTiles, link.id)
    await fail()
    expect(await (await make()).json()).toMatchObject({ status: 'queued' })
    expect((await make()).status).toBe(200)
    await fail()
    const refused = await make()
    expect(refused.status).toBe(429)
    expect(await refused.json()).toMatchObject({ code: 'rate_limited' })
    const wait = Number(refused.headers.get('retry-after'))
    expect(wait).toBeGreaterThan(0)
    expect(wait).toBeLessThanOrEqual(3600 / MOST)
    expect((await ask(`GET ${path}/files/{file_id}/tiles`, on)).status).toBe(200)

    // Another link goes on.
    const other = randomUUID()
    await makeLink(other, file)
    expect((await ask(`POST ${path}/files/{file_id}/tiles`, { ...on, token: other })).status).toBe(200)
  })
})

describe('by a share link', () => {
  test.each([true, false])('download %s', async (mayDownload) => {
    const { file, tile } = await large({ decision: 'approved', integrity: 'sound' })
    const token = randomUUID()
    await makeShareLink(file, { mayDownload, ...sealed(token) }, token)
    const on = { token, file_id: file.id }
    const list = await (await ask(`GET ${SHARE}/files`, on)).json()
    const got = await ask(`GET ${SHARE}/files/{file_id}/tiles/{level}/{column}/{row}`, { ...on, ...first })
    expect(list.files[0].tiles_url !== null).toBe(mayDownload)
    expect(got.status).toBe(mayDownload ? 200 : 403)
    if (mayDownload) expect(Buffer.from(await got.arrayBuffer()).equals(tile)).toBe(true)
    expect((await ask(`GET ${SHARE}/files/{file_id}/tiles`, on)).status).toBe(mayDownload ? 200 : 403)
  })
})
