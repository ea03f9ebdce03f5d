import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { eq } from 'drizzle-orm'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { files } from '@/db/schema/files'
import { testDb } from '@/db/testing'
import { makeBatch, makeProject, makeUploadLink, makeUser } from '@/fixtures/factories'
import { startUploadThingServer } from '@/lib/adapters/blob-store/testing/uploadthing-server'

/** A browser that sends to UploadThing, UploadThing that calls back, and what becomes of it here. */

let uploadthing: Awaited<ReturnType<typeof startUploadThingServer>>
let address: string
let stop: () => void
const folder = mkdtempSync(path.join(tmpdir(), 'greenroom-direct-'))

beforeAll(async () => {
  uploadthing = await startUploadThingServer()
  const { token, apiUrl, ingestUrl, ufsHost } = uploadthing.options
  const server = createServer({ keepAliveTimeout: 65_000 }, async (incoming, outgoing) => {
    const { POST } = await import('@/app/api/uploadthing/route')
    const body = await text(incoming)
    // Whatever the request says of where it is: UploadThing calls back to where this service is.
    const headers = new Headers({ ...(incoming.headers as Record<string, string>), host: 'elsewhere.test' })
    const request = new Request(`http://elsewhere.test${incoming.url}`, { method: 'POST', headers, body })
    const response = await POST(request, { params: Promise.resolve({}) })
    outgoing.writeHead(response.status, Object.fromEntries(response.headers)).end(await response.text())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  Object.assign(process.env, {
    BASE_URL: address,
    STORAGE: 'uploadthing',
    DATA_DIR: folder,
    UPLOADTHING_TOKEN: token,
    UPLOADTHING_API_URL: apiUrl,
    UPLOADTHING_INGEST_URL: ingestUrl,
    UPLOADTHING_UFS_HOST: ufsHost,
    UPLOADTHING_UFS_APP_ID_LOCATION: 'path',
  })
  stop = () => server.close()
})
afterAll(async () => {
  stop()
  await uploadthing.stop()
  rmSync(folder, { recursive: true, force: true })
})

let shade = 0
const image = () =>
  sharp({ create: { width: 40, height: 30, channels: 3, background: { r: ++shade, g: 90, b: 40 } } })
    .png()
    .toBuffer()
const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

async function linkTo() {
  const user = await makeUser({ role: 'coordinator' })
  const project = await makeProject({ members: [user] })
  const batch = await makeBatch({ projectId: project.id })
  const token = randomBytes(8).toString('hex')
  await makeUploadLink(batch, { createdBy: user.id, tokenHash: sha256(Buffer.from(token)) })
  const stored = () => testDb.select().from(files).where(eq(files.batchId, batch.id))
  return { token, batch, stored }
}

const begin = (input: object, bytes: Buffer, name = 'hero.png') =>
  fetch(`${address}/api/uploadthing?slug=link&actionType=upload`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'x-uploadthing-version': '7.7.4' },
    body: JSON.stringify({ input, files: [{ name, size: bytes.length, type: 'image/png', lastModified: 1 }] }),
  })

async function send(token: string, bytes: Buffer, sent = bytes, name = 'hero.png') {
  const begun = await begin({ token, sha256: sha256(bytes) }, bytes, name)
  expect(begun.status).toBe(200)
  const [place] = (await begun.json()) as { url: string; key: string }[]
  const form = new FormData()
  form.append('file', new Blob([new Uint8Array(sent)]), name)
  const response = await fetch(place?.url ?? '', { method: 'PUT', body: form })
  const { serverData } = (await response.json()) as { serverData: Record<string, unknown> }
  return { serverData, key: place?.key ?? '' }
}

test('a file sent directly to UploadThing is validated and stored as any other, and is one object there', async () => {
  const { token, stored } = await linkTo()
  const bytes = await image()
  const { serverData, key } = await send(token, bytes)
  expect(serverData).toMatchObject({ accepted: true, file: { name: 'hero.png', sha256: sha256(bytes) } })
  expect(await stored()).toMatchObject([{ name: 'hero.png', sha256: sha256(bytes), size: bytes.length }])
  expect(uploadthing.files.has(key)).toBe(false)
  expect([...uploadthing.files.values()].filter(({ size }) => size === bytes.length)).toHaveLength(1)
})

test('other bytes than were announced are refused, whatever their length', async () => {
  const { token, stored } = await linkTo()
  const bytes = await image()
  const other = Buffer.from(bytes)
  other.writeUInt8(other.readUInt8(40) ^ 1, 40)
  const { serverData, key } = await send(token, bytes, other)
  expect(serverData).toMatchObject({ accepted: false })
  expect(await stored()).toEqual([])
  expect(uploadthing.files.has(key)).toBe(false)
})

test('a damaged file is refused with its violations', async () => {
  const { token, stored } = await linkTo()
  const bytes = (await image()).subarray(0, 60)
  const { serverData } = await send(token, bytes)
  expect(serverData).toMatchObject({ accepted: false, code: 'file_rejected', violations: [{ rule: 'integrity' }] })
  expect(await stored()).toEqual([])
})

test('nothing begins without a link that takes files, or under a name that cannot be', async () => {
  const { token } = await linkTo()
  const bytes = await image()
  const hash = sha256(bytes)
  expect((await begin({ token: 'A'.repeat(16), sha256: hash }, bytes)).status).toBe(403)
  expect((await begin({ token, sha256: 'nonsense' }, bytes)).status).toBe(400)
  expect((await begin({ token, sha256: hash }, bytes, 'bad\u0000name.png')).status).toBe(400)
  expect((await begin({}, bytes)).status).toBe(400)
})

test('a callback counts only under the signature of the app, and only for what was settled', async () => {
  const { token, stored } = await linkTo()
  const other = await linkTo()
  const bytes = await image()
  const begun = await begin({ token, sha256: sha256(bytes) }, bytes)
  const [place] = (await begun.json()) as { url: string; key: string }[]
  const announcement = uploadthing.announced.get(place?.key ?? '')
  if (!announcement) throw new Error('The upload was not announced.')
  const file = {
    name: 'x',
    size: bytes.length,
    type: '',
    customId: null,
    lastModified: 1,
    key: place?.key,
    url: '',
    appUrl: '',
    ufsUrl: '',
    fileHash: '',
  }
  const body = { status: 'uploaded', metadata: announcement.metadata, file, origin: uploadthing.options.ingestUrl }
  expect((await uploadthing.notify(announcement, body, 'sk_of_another')).status).toBe(400)
  expect(JSON.stringify(announcement.metadata)).not.toContain(token)
  // A signature over the metadata of another batch, as if UploadThing had mixed up two uploads.
  const moved = { ...announcement.metadata, batch_id: other.batch.id }
  await uploadthing.notify(announcement, { ...body, metadata: moved })
  expect(await stored()).toEqual([])
  expect(await other.stored()).toEqual([])
})
