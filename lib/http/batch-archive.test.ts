import { createHash, randomBytes } from 'node:crypto'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { eq } from 'drizzle-orm'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { type Entry, fromBuffer } from 'yauzl'
import { files } from '@/db/schema/files'
import { batches } from '@/db/schema/projects'
import { testDb } from '@/db/testing'
import { makeBatch, makeFile, makeProject, makeToken, makeUser } from '@/fixtures/factories'
import type { BlobKey } from '@/lib/domain/kernel/blob-store'
import { newContext, service } from '@/lib/service'
import { send } from './testing'

afterEach(() => {
  vi.restoreAllMocks()
})

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

/** A batch that was approved, whose files lie in the store. */
async function approved(contents: Record<string, Buffer>) {
  const operator = await makeUser({ role: 'operator' })
  const token = (await makeToken(operator)).token
  const project = await makeProject({ members: [operator] })
  const batch = await makeBatch({
    projectId: project.id,
    name: 'Größe: “A/B”',
    status: 'approved',
    reviewedAt: new Date(),
  })
  const { blobs } = newContext({ actor: { type: 'system', name: 'A test' } }).ports
  for (const [name, bytes] of Object.entries(contents)) {
    const decided = { decision: 'approved', decidedBy: operator.id, decidedAt: new Date() } as const
    const file = await makeFile(batch, { name, size: bytes.length, sha256: sha256(bytes), ...decided })
    const staged = await blobs.stage()
    const writable = await staged.writable()
    await new Promise<void>((resolve, reject) => writable.on('error', reject).end(bytes, resolve))
    await blobs.commit(staged, file.objectKey as BlobKey)
  }
  const params = { project_id: project.id, batch_id: batch.id }
  const path = `/api/projects/${project.id}/batches/${batch.id}`
  const ask = async (method: 'GET' | 'HEAD' = 'GET') => {
    const { GET } = await import('@/app/api/projects/[project_id]/batches/[batch_id]/archive/route')
    return send(GET, method, `${path}/archive`, { token, params })
  }
  return { batch, operator, token, params, path, ask }
}

/** What another program reads of an archive. */
async function read(zip: Buffer): Promise<Record<string, Buffer>> {
  const archive = await promisify<Buffer, { lazyEntries: boolean }, import('yauzl').ZipFile>(fromBuffer)(zip, {
    lazyEntries: true,
  })
  const found: Record<string, Buffer> = {}
  await new Promise<void>((resolve, reject) => {
    archive.on('error', reject)
    archive.on('end', resolve)
    archive.on('entry', (entry: Entry) => {
      archive.openReadStream(entry, async (error, stream) => {
        if (error) return reject(error)
        const chunks: Buffer[] = []
        for await (const chunk of stream) chunks.push(chunk)
        found[entry.fileName] = Buffer.concat(chunks)
        archive.readEntry()
      })
    })
    archive.readEntry()
  })
  return found
}

describe('the files of an approved batch as one archive', () => {
  const contents = { 'a.png': randomBytes(300_000), 'Z_größe.mp4': randomBytes(5), 'one.txt': randomBytes(1) }

  it('holds each file as it is, and their hashes as sha256sum writes them', async () => {
    const { ask } = await approved(contents)
    const response = await ask()
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('application/zip')
    expect(response.headers.get('content-disposition')).toContain(`filename*=UTF-8''Gr%C3%B6%C3%9Fe`)
    const zip = Buffer.from(await response.arrayBuffer())
    expect(zip.length).toBe(Number(response.headers.get('content-length')))
    const found = await read(zip)
    expect(Object.keys(found).sort()).toEqual(['SHA256SUMS', 'files/Z_größe.mp4', 'files/a.png', 'files/one.txt'])
    for (const [name, bytes] of Object.entries(contents)) {
      expect(found[`files/${name}`]?.equals(bytes)).toBe(true)
      expect(String(found.SHA256SUMS)).toContain(`${sha256(bytes)}  files/${name}\n`)
    }
    const head = await ask('HEAD')
    expect([head.status, head.headers.get('content-length'), await head.text()]).toEqual([200, String(zip.length), ''])
  })

  it('holds the certificate once one was issued', async () => {
    const { ask, token, params, path } = await approved(contents)
    const { POST } = await import('@/app/api/projects/[project_id]/batches/[batch_id]/certificate/route')
    const issued = await send(POST, 'POST', `${path}/certificate`, { token, params, body: {} })
    const found = await read(Buffer.from(await (await ask()).arrayBuffer()))
    expect(JSON.parse(String(found['certificate.json']))).toEqual(await issued.json())
  })

  it('is there for an approved batch only', async () => {
    const { ask, batch } = await approved(contents)
    await testDb.update(batches).set({ status: 'in_review' }).where(eq(batches.id, batch.id))
    const response = await ask()
    expect(response.status).toBe(409)
    expect(await response.json()).toMatchObject({ code: 'invalid_state' })
  })

  it('says which file is no longer kept', async () => {
    const { ask, batch } = await approved(contents)
    await testDb.update(files).set({ removedAt: new Date() }).where(eq(files.batchId, batch.id))
    const response = await ask()
    expect(response.status).toBe(410)
    expect((await response.json()).detail).toContain('“a.png”')
  })

  it('is closed, with the file under way, when nobody reads on', async () => {
    const { ask } = await approved({ 'long.mov': randomBytes(8_000_000) })
    const opened: Readable[] = []
    const { blobs } = service().ports
    const read = blobs.read.bind(blobs)
    vi.spyOn(blobs, 'read').mockImplementation(async (...given) => {
      const stream = await read(...given)
      opened.push(stream)
      return stream
    })
    const body = (await ask()).body?.getReader()
    for (let received = 0; received < 1_000_000; ) received += (await body?.read())?.value?.length ?? Number.NaN
    await body?.cancel()
    expect(opened).toHaveLength(1)
    await expect.poll(() => opened[0]?.destroyed).toBe(true)
  })

  it('breaks off where a file cannot be read, so that nobody takes it for whole', async () => {
    const { ask, batch } = await approved(contents)
    const { blobs } = newContext({ actor: { type: 'system', name: 'A test' } }).ports
    const [lost] = await testDb.select().from(files).where(eq(files.batchId, batch.id)).orderBy(files.nameKey).limit(1)
    await blobs.delete(lost?.objectKey as BlobKey)
    const response = await ask()
    await expect(text(response.body as never)).rejects.toThrow()
  })
})
