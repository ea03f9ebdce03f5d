import { createHash, randomBytes, randomUUID } from 'node:crypto'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { desc, eq, inArray } from 'drizzle-orm'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { type Entry, fromBuffer } from 'yauzl'
import { files } from '@/db/schema/files'
import { batches, projectMembers } from '@/db/schema/projects'
import { shareLinkFiles, shareLinks } from '@/db/schema/share-links'
import { testDb } from '@/db/testing'
import { makeBatch, makeFile, makeProject, makeShareLink, makeToken, makeUser } from '@/fixtures/factories'
import { storeBytes } from '@/lib/adapters/blob-store/testing/conformance'
import type { BlobKey } from '@/lib/domain/kernel/blob-store'
import { newContext, service } from '@/lib/service'
import { send } from './testing'

afterEach(() => {
  vi.restoreAllMocks()
})

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

async function store(key: string, bytes: Buffer) {
  await storeBytes(newContext({ actor: { type: 'system', name: 'A test' } }).ports.blobs, bytes, key as BlobKey)
}

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
  for (const [name, bytes] of Object.entries(contents)) {
    const decided = { decision: 'approved', decidedBy: operator.id, decidedAt: new Date() } as const
    const file = await makeFile(batch, { name, size: bytes.length, sha256: sha256(bytes), ...decided })
    await store(file.objectKey, bytes)
  }
  const params = { project_id: project.id, batch_id: batch.id }
  const path = `/api/projects/${project.id}/batches/${batch.id}`
  const ask = async (method: 'GET' | 'HEAD' = 'GET', headers?: Record<string, string>) => {
    const { GET } = await import('@/app/api/projects/[project_id]/batches/[batch_id]/archive/route')
    return send(GET, method, `${path}/archive`, { token, params, headers })
  }
  return { batch, operator, token, params, path, ask }
}

/** What stands before the files of an archive. */
const STATED = ['SHA256SUMS', 'manifest.json', 'manifest.csv']

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
    expect(Object.keys(found)).toEqual([...STATED, 'files/a.png', 'files/one.txt', 'files/Z_größe.mp4'])
    for (const [name, bytes] of Object.entries(contents)) {
      expect(found[`files/${name}`]?.equals(bytes)).toBe(true)
      expect(String(found.SHA256SUMS)).toContain(`${sha256(bytes)}  files/${name}\n`)
    }
    const head = await ask('HEAD')
    expect([head.status, head.headers.get('content-length'), await head.text()]).toEqual([200, String(zip.length), ''])
  })

  it('says of each file what it is and by which decision it leaves, for programs and for tables', async () => {
    const { ask, batch } = await approved(contents)
    const found = await read(Buffer.from(await (await ask()).arrayBuffer()))
    const manifest = JSON.parse(String(found['manifest.json']))
    expect(manifest).toMatchObject({
      kind: 'greenroom.file-manifest',
      version: 1,
      batch: { id: batch.id, name: batch.name },
      round: batch.round,
    })
    expect(manifest.files).toHaveLength(3)
    expect(manifest.files[0]).toMatchObject({
      path: 'files/a.png',
      version: 1,
      size: 300_000,
      sha256: sha256(contents['a.png']),
      decision: 'approved',
      decided_at: expect.any(String),
    })
    const lines = String(found['manifest.csv']).replace('\ufeff', '').trimEnd().split('\r\n')
    expect(lines[0]).toBe('path,version,bytes,sha256,media_type,decision,decided_at')
    expect(lines[1]).toMatch(new RegExp(`^files/a\\.png,1,300000,${sha256(contents['a.png'])},image/png,approved,`))
    expect(lines).toHaveLength(4)
  })

  it('goes on where a download broke off, for as long as it is the same', async () => {
    const { ask, batch } = await approved(contents)
    const first = await ask()
    const whole = Buffer.from(await first.arrayBuffer())
    const etag = first.headers.get('etag') ?? ''
    expect(first.headers.get('accept-ranges')).toBe('bytes')
    for (const [start, end] of [
      [0, 0],
      [1, 100],
      [150_000, 299_999],
      [299_000, whole.length - 1],
      [whole.length - 1, whole.length - 1],
    ] as const) {
      const part = await ask('GET', { Range: `bytes=${start}-${end}`, 'If-Range': etag })
      expect(part.status).toBe(206)
      expect(part.headers.get('content-range')).toBe(`bytes ${start}-${end}/${whole.length}`)
      expect(Buffer.from(await part.arrayBuffer()).equals(whole.subarray(start, end + 1))).toBe(true)
    }
    const rest = await ask('GET', { Range: 'bytes=1000-', 'If-Range': etag })
    expect(Buffer.from(await rest.arrayBuffer()).equals(whole.subarray(1000))).toBe(true)
    expect((await ask('GET', { Range: `bytes=${whole.length}-` })).status).toBe(416)
    expect((await ask('HEAD', { Range: 'bytes=0-9' })).headers.get('content-length')).toBe('10')
    // Another archive by now: it begins anew.
    await testDb
      .update(batches)
      .set({ reviewedAt: new Date(Date.now() + 60_000) })
      .where(eq(batches.id, batch.id))
    const changed = await ask('GET', { Range: 'bytes=1000-', 'If-Range': etag })
    expect(changed.status).toBe(200)
    await changed.arrayBuffer()
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

  it('is closed, with the file under way, when the reader has gone', async () => {
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

  it('breaks off where a file cannot be read, so that it is not taken for whole', async () => {
    const { ask, batch } = await approved(contents)
    const { blobs } = newContext({ actor: { type: 'system', name: 'A test' } }).ports
    const [lost] = await testDb.select().from(files).where(eq(files.batchId, batch.id)).orderBy(files.nameKey).limit(1)
    await blobs.delete(lost?.objectKey as BlobKey)
    const response = await ask()
    await expect(text(response.body as never)).rejects.toThrow()
  })
})

describe('chosen files of a batch as one archive', () => {
  const contents = { 'a.png': randomBytes(70_000), 'b.mp4': randomBytes(5), 'c.txt': randomBytes(9) }

  async function chosen(role: 'viewer' | 'coordinator' = 'viewer') {
    const made = await approved(contents)
    await testDb.update(batches).set({ status: 'in_review' }).where(eq(batches.id, made.batch.id))
    const user = await makeUser({ role })
    await testDb.insert(projectMembers).values({ projectId: made.batch.projectId, userId: user.id })
    const { token } = await makeToken(user)
    const rows = await testDb.select().from(files).where(eq(files.batchId, made.batch.id)).orderBy(files.nameKey)
    const post = async (body: unknown, headers?: Record<string, string>) => {
      const { POST } = await import('@/app/api/projects/[project_id]/batches/[batch_id]/files/archive/route')
      return send(POST, 'POST', `${made.path}/files/archive`, { token, params: made.params, body, headers })
    }
    const check = async (ids: string[]) => {
      const { POST } = await import('@/app/api/projects/[project_id]/batches/[batch_id]/files/archive/check/route')
      const body = { file_ids: ids }
      return send(POST, 'POST', `${made.path}/files/archive/check`, { token, params: made.params, body })
    }
    return { ...made, rows, ids: rows.map(({ id }) => id), post, check }
  }

  it('holds just these, and their hashes, while the batch is in review', async () => {
    const { ids, post } = await chosen()
    const response = await post({ file_ids: ids.slice(0, 2) })
    expect(response.status).toBe(200)
    const zip = Buffer.from(await response.arrayBuffer())
    expect(zip.length).toBe(Number(response.headers.get('content-length')))
    const found = await read(zip)
    expect(Object.keys(found)).toEqual([...STATED, 'files/a.png', 'files/b.mp4'])
    expect(found['files/a.png']?.equals(contents['a.png'])).toBe(true)
    expect(String(found.SHA256SUMS)).toBe(
      `${sha256(contents['a.png'])}  files/a.png\n${sha256(contents['b.mp4'])}  files/b.mp4\n`,
    )
  })

  it('is what the form of a page gets, too', async () => {
    const { ids, post } = await chosen()
    const form = { 'content-type': 'application/x-www-form-urlencoded' }
    const response = await post(`file_ids=${ids.join('%2C')}`, form)
    expect(Object.keys(await read(Buffer.from(await response.arrayBuffer())))).toHaveLength(6)
    const empty = await post('', form)
    expect([empty.status, (await empty.json()).errors[0].path]).toEqual([422, 'file_ids'])
  })

  it('distinguishes versions of one name', async () => {
    const { batch, ids, post, rows } = await chosen()
    const [first] = rows
    await testDb
      .update(files)
      .set({ isCurrent: false })
      .where(eq(files.id, first?.id ?? ''))
    const bytes = randomBytes(3)
    const second = await makeFile(batch, { name: 'a.png', version: 2, size: 3, sha256: sha256(bytes) })
    await store(second.objectKey, bytes)
    const response = await post({ file_ids: [...ids, second.id] })
    const found = await read(Buffer.from(await response.arrayBuffer()))
    expect(found['files/a (version 2).png']?.equals(bytes)).toBe(true)
    expect(String(found.SHA256SUMS)).toContain(`${sha256(contents['a.png'])}  files/a (version 1).png\n`)
  })

  it('says before and then which file cannot be had: in quarantine, removed, of another batch', async () => {
    const { ids, post, check } = await chosen()
    const [first = '', second = '', third = ''] = ids
    await testDb.update(files).set({ integrity: 'quarantined' }).where(eq(files.id, first))
    await testDb.update(files).set({ removedAt: new Date() }).where(eq(files.id, second))
    const said = await (await check(ids)).json()
    expect(said).toMatchObject({
      files: [{ id: third, name: 'c.txt' }],
      size: 9,
      left: [
        { file: { id: first }, reason: expect.stringContaining('quarantine') },
        { file: { id: second }, reason: expect.stringContaining('removed') },
      ],
    })
    expect((await post({ file_ids: [first] })).status).toBe(403)
    expect((await post({ file_ids: [third, second] })).status).toBe(410)
    const elsewhere = await makeFile(await makeBatch())
    expect((await post({ file_ids: [third, elsewhere.id] })).status).toBe(404)
    expect((await check([elsewhere.id])).status).toBe(404)
  })

  it('gives a coordinator what is in quarantine', async () => {
    const { ids, check } = await chosen('coordinator')
    await testDb.update(files).set({ integrity: 'quarantined' }).where(inArray(files.id, ids))
    expect((await (await check(ids)).json()).left).toEqual([])
  })

  it('takes at most 500 files', async () => {
    const { post } = await chosen()
    const response = await post({ file_ids: Array.from({ length: 501 }, () => randomUUID()) })
    expect(response.status).toBe(422)
    expect((await response.json()).detail).toContain('at most 500')
  })
})

describe('the files of a share link as one archive', () => {
  const contents = { 'a.png': randomBytes(200_000), 'b.png': randomBytes(100) }

  async function shared() {
    const { batch, operator } = await approved(contents)
    const rows = await testDb.select().from(files).where(eq(files.batchId, batch.id)).orderBy(files.nameKey)
    const [first] = rows
    if (!first) throw new Error('The batch has no files.')
    const token = randomUUID()
    const tokenEncrypted = service().ports.secrets.encrypt(token)
    const link = await makeShareLink(first, { createdBy: operator.id, tokenEncrypted }, token)
    const others = rows.slice(1).map(({ id: fileId, name, version, size, sha256: hash }, index) => ({
      ...{ linkId: link.id, position: index + 1 },
      ...{ fileId, name, version, size, sha256: hash },
    }))
    await testDb.insert(shareLinkFiles).values(others)
    const ask = async (part: string, headers?: Record<string, string>, method: 'GET' | 'HEAD' = 'GET') => {
      const file_id = first.id
      const routes = {
        archive: () => import('@/app/api/public/share-links/[token]/archive/route'),
        download: () => import('@/app/api/public/share-links/[token]/files/[file_id]/download/route'),
        media: () => import('@/app/api/public/share-links/[token]/files/[file_id]/media/route'),
        thumbnail: () => import('@/app/api/public/share-links/[token]/files/[file_id]/thumbnail/route'),
      }
      const { GET } = await routes[part as keyof typeof routes]()
      return send(GET, method, `/api/public/share-links/${token}/${part}`, { params: { token, file_id }, headers })
    }
    const downloads = async () =>
      (await testDb.select().from(shareLinks).where(eq(shareLinks.id, link.id)))[0]?.downloadCount
    return { batch, link, first, ask, downloads }
  }

  it('holds them with manifest and certificate, and is counted where it begins', async () => {
    const { ask, downloads } = await shared()
    const whole = await ask('archive')
    expect(whole.status).toBe(200)
    const zip = Buffer.from(await whole.arrayBuffer())
    const found = await read(zip)
    expect(Object.keys(found)).toEqual([...STATED, 'files/a.png', 'files/b.png'])
    expect(found['files/a.png']?.equals(contents['a.png'])).toBe(true)
    expect(JSON.parse(String(found['manifest.json']))).not.toHaveProperty('left_out')
    const etag = whole.headers.get('etag') ?? ''
    expect(await downloads()).toBe(1)
    const rest = await ask('archive', { Range: 'bytes=1000-', 'If-Range': etag })
    expect(rest.status).toBe(206)
    expect(Buffer.from(await rest.arrayBuffer()).equals(zip.subarray(1000))).toBe(true)
    expect((await ask('archive', {}, 'HEAD')).headers.get('content-length')).toBe(String(zip.length))
    expect(await downloads()).toBe(1)
    await (await ask('archive', { Range: 'bytes=0-99', 'If-Range': etag })).arrayBuffer()
    expect(await downloads()).toBe(2)
    // A file that is withdrawn is named, not held.
    const [b] = await testDb.select().from(files).where(eq(files.name, 'b.png')).orderBy(desc(files.id)).limit(1)
    await testDb
      .update(files)
      .set({ decision: 'rejected' })
      .where(eq(files.id, b?.id ?? ''))
    const after = await ask('archive')
    expect(after.headers.get('etag')).not.toBe(etag)
    const less = await read(Buffer.from(await after.arrayBuffer()))
    expect(Object.keys(less)).toEqual([...STATED, 'files/a.png'])
    expect(JSON.parse(String(less['manifest.json'])).left_out).toEqual([
      { name: 'b.png', version: 1, sha256: sha256(contents['b.png']), why: 'not_approved' },
    ])
  })

  it('gives each file by itself, counted in the same way, and none where only previews are shared', async () => {
    const { ask, downloads, link } = await shared()
    const whole = await ask('download')
    expect(Buffer.from(await whole.arrayBuffer()).equals(contents['a.png'])).toBe(true)
    expect(whole.headers.get('content-disposition')).toContain('attachment; filename="a.png"')
    const rest = await ask('download', { Range: 'bytes=100-199' })
    expect(Buffer.from(await rest.arrayBuffer()).equals(contents['a.png'].subarray(100, 200))).toBe(true)
    expect(await downloads()).toBe(1)
    // It is an image: nothing is streamed, and nothing was drawn of it yet.
    expect((await ask('media')).status).toBe(404)
    expect((await ask('thumbnail')).status).toBe(404)
    await testDb.update(shareLinks).set({ mayDownload: false }).where(eq(shareLinks.id, link.id))
    for (const part of ['download', 'archive']) expect((await ask(part)).status).toBe(403)
    expect((await ask('archive', { Range: 'bytes=5-' })).status).toBe(403)
    expect(await downloads()).toBe(1)
  })
})
