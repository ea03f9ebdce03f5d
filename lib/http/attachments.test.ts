import { createHash, randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import sharp from 'sharp'
import { afterAll, describe, expect, test } from 'vitest'
import { database } from '@/db/client'
import { commentAttachments } from '@/db/schema/comments'
import { agencies, agencyStorage } from '@/db/schema/directory'
import { events } from '@/db/schema/events'
import { files } from '@/db/schema/files'
import {
  makeAttachment,
  makeBatch,
  makeComment,
  makeFile,
  makeProject,
  makeReviewLink,
  makeToken,
  makeUploadLink,
  makeUser,
} from '@/fixtures/factories'
import { attachmentKey, attachmentPictureKey } from '@/lib/domain/files/attachments'
import type { BlobKey } from '@/lib/domain/kernel/blob-store'
import { removeAttachments, removeExpired, sweep } from '@/lib/jobs/sweep'
import { closeInspector } from '@/lib/media/inspect/inspect'
import { newContext, service } from '@/lib/service'
import { LARGEST_ATTACHMENT, MOST_ATTACHMENTS } from '@/lib/vocabulary'
import type { Handler } from './endpoint'
import { routes, send } from './testing'

/** Files that comments carry, by every way that leads to them. */

afterAll(closeInspector)

const TEAM = '/api/projects/{project_id}/batches/{batch_id}/files/{file_id}/comments/{comment_id}'
const GUEST = '/api/public/review-links/{token}/files/{file_id}/comments/{comment_id}'
const AGENCY = '/api/public/upload-links/{token}/files/{file_id}/comments/{comment_id}'

const BOUNDARY = 'boundary-of-a-test'
const form = (name: string, bytes: Uint8Array) =>
  Buffer.concat([
    Buffer.from(`--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\n\r\n`),
    bytes,
    Buffer.from(`\r\n--${BOUNDARY}--\r\n`),
  ])

async function ask(
  call: string,
  params: Record<string, string>,
  sent: { token?: string; body?: unknown; headers?: Record<string, string> } = {},
) {
  const [method = '', path = ''] = call.split(' ')
  const route: Record<string, Handler> = await import(routes[path] ?? '')
  const url = path.replace(/\{(\w+)\}/g, (_, name) => params[name] ?? '')
  return send(route[method] as Handler, method, url, { ...sent, params })
}

const attach = (
  path: string,
  params: Record<string, string>,
  name: string,
  bytes: Uint8Array,
  token?: string,
  key?: string,
) =>
  ask(`POST ${path}/attachments`, params, {
    token,
    body: form(name, bytes),
    headers: {
      'content-type': `multipart/form-data; boundary=${BOUNDARY}`,
      ...(key && { 'idempotency-key': key }),
    },
  })

const image = () =>
  sharp({ create: { width: 64, height: 48, channels: 3, background: { r: 200, g: 90, b: 40 } } })
    .png()
    .toBuffer()

const sealed = (token: string) => ({
  tokenHash: createHash('sha256').update(token).digest('hex'),
  tokenEncrypted: service().ports.secrets.encrypt(token),
})

async function scene() {
  const author = await makeUser({ role: 'operator', name: 'Otto' })
  const colleague = await makeUser({ role: 'operator' })
  const coordinator = await makeUser({ role: 'coordinator' })
  const project = await makeProject({ members: [author, colleague, coordinator] })
  const batch = await makeBatch({ projectId: project.id, status: 'in_review', round: 1 })
  const file = await makeFile(batch, { name: 'poster.png' })
  const comment = await makeComment(file, { createdBy: author.id, body: 'As in the sketch' })
  const token = async (user: { id: string }) => (await makeToken(user as never)).token
  const params = { project_id: project.id, batch_id: batch.id, file_id: file.id, comment_id: comment.id }
  return {
    author: await token(author),
    colleague: await token(colleague),
    coordinator: await token(coordinator),
    project,
    batch,
    file,
    comment,
    params,
  }
}

const rowOf = async (id: string) => {
  const [row] = await database().db.select().from(commentAttachments).where(eq(commentAttachments.id, id))
  if (!row) throw new Error('There is no such attachment.')
  return row
}
const isStored = (key: BlobKey) =>
  service()
    .ports.blobs.size(key)
    .then(
      () => true,
      () => false,
    )
const system = () => newContext({ actor: { type: 'system', name: 'A test' } })

describe('a file that a comment carries', () => {
  test('is taken as it is, shown as an image that was drawn of it, and only saved otherwise', async () => {
    const it = await scene()
    const bytes = await image()
    const attached = await attach(TEAM, it.params, 'sketch.png', bytes, it.author)
    expect(attached.status).toBe(201)
    const attachment = await attached.json()
    expect(attachment).toMatchObject({ name: 'sketch.png', size: bytes.length })
    const path = { ...it.params, attachment_id: attachment.id }

    const download = await ask(`GET ${TEAM}/attachments/{attachment_id}`, path, { token: it.colleague })
    expect(download.headers.get('content-type')).toBe('application/octet-stream')
    expect(download.headers.get('content-disposition')).toMatch(/^attachment; filename="sketch\.png"/)
    expect(download.headers.get('x-content-type-options')).toBe('nosniff')
    expect(download.headers.get('content-security-policy')).toContain('sandbox')
    expect(Buffer.from(await download.arrayBuffer()).equals(bytes)).toBe(true)

    const picture = await ask(`GET ${TEAM}/attachments/{attachment_id}/picture`, path, { token: it.colleague })
    expect(picture.headers.get('content-type')).toBe('image/webp')
    expect((await sharp(Buffer.from(await picture.arrayBuffer())).metadata()).width).toBe(64)

    const comment = await (await ask(`GET ${TEAM}`, it.params, { token: it.colleague })).json()
    expect(comment.attachments).toEqual([attachment])
    const [event] = await database().db.select().from(events).where(eq(events.type, 'comment.attached'))
    expect(event).toMatchObject({ subjectId: it.comment.id, data: { attachment: 'sketch.png', is_internal: false } })
  })

  test('of any type is kept, and what is no image gets none, whatever its name says', async () => {
    const it = await scene()
    const script = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')
    for (const name of ['page.html', 'sketch.png', 'notes']) {
      const attachment = await (await attach(TEAM, it.params, name, script, it.author)).json()
      expect(attachment.picture_url, name).toBeNull()
      const path = { ...it.params, attachment_id: attachment.id }
      const download = await ask(`GET ${TEAM}/attachments/{attachment_id}`, path, { token: it.author })
      expect(download.headers.get('content-type')).toBe('application/octet-stream')
      expect((await ask(`GET ${TEAM}/attachments/{attachment_id}/picture`, path, { token: it.author })).status).toBe(
        404,
      )
    }
  })

  test('is refused with the reason, and leaves the comment and nothing else', async () => {
    const it = await scene()
    const refusal = async (name: string, bytes: Uint8Array) => {
      const response = await attach(TEAM, it.params, name, bytes, it.author)
      return { status: response.status, ...(await response.json()) }
    }
    expect(await refusal('empty.txt', Buffer.alloc(0))).toMatchObject({
      status: 422,
      detail: expect.stringContaining('is empty'),
      errors: [{ path: 'file', code: 'empty_file' }],
    })
    for (const name of ['../../etc/passwd', 'a\\\\b.txt', 'ad\u202egpj.exe', 'CON.txt', '.hidden'])
      expect(await refusal(name, Buffer.from('x')), name).toMatchObject({ status: 422, errors: [{ path: 'file' }] })
    expect(await refusal('big.bin', Buffer.alloc(LARGEST_ATTACHMENT + 1))).toMatchObject({
      status: 413,
      code: 'file_too_large',
      detail: expect.stringContaining(String(LARGEST_ATTACHMENT)),
    })
    const body = form('short.txt', Buffer.from('x'))
    const claimed = await ask(`POST ${TEAM}/attachments`, it.params, {
      token: it.author,
      body,
      headers: {
        'content-type': `multipart/form-data; boundary=${BOUNDARY}`,
        'content-length': String(body.length + 100),
      },
    })
    expect(claimed.status).toBe(400)
    expect((await claimed.json()).detail).toContain('Content-Length')
    const comment = await (await ask(`GET ${TEAM}`, it.params, { token: it.author })).json()
    expect(comment).toMatchObject({ body: 'As in the sketch', attachments: [] })
    await sweep(system())
  })

  test(`is one of up to ${MOST_ATTACHMENTS}, also where several come at once; a repeated request adds none`, async () => {
    const it = await scene()
    const first = await attach(TEAM, it.params, 'a.txt', Buffer.from('a'), it.author, 'k')
    const again = await attach(TEAM, it.params, 'a.txt', Buffer.from('a'), it.author, 'k')
    expect(again.headers.get('idempotency-replayed')).toBe('true')
    expect(await again.text()).toBe(await first.text())
    const outcomes = await Promise.all(
      Array.from({ length: MOST_ATTACHMENTS }, (_, n) =>
        attach(TEAM, it.params, `b${n}.txt`, Buffer.from(`b${n}`), it.author),
      ),
    )
    expect(outcomes.filter(({ status }) => status === 201)).toHaveLength(MOST_ATTACHMENTS - 1)
    const [refused] = outcomes.filter(({ status }) => status === 422)
    expect(await refused?.json()).toMatchObject({ errors: [{ code: 'too_many' }] })
  })

  test('is attached by the author of the comment, removed by the author or a coordinator', async () => {
    const it = await scene()
    expect((await attach(TEAM, it.params, 'a.txt', Buffer.from('a'), it.colleague)).status).toBe(403)
    const attachment = await (await attach(TEAM, it.params, 'a.txt', Buffer.from('a'), it.author)).json()
    const path = { ...it.params, attachment_id: attachment.id }
    expect((await ask(`DELETE ${TEAM}/attachments/{attachment_id}`, path, { token: it.colleague })).status).toBe(403)
    const row = await rowOf(attachment.id)
    const removed = await ask(`DELETE ${TEAM}/attachments/{attachment_id}`, path, { token: it.coordinator })
    expect(removed.status).toBe(200)
    expect((await ask(`GET ${TEAM}/attachments/{attachment_id}`, path, { token: it.author })).status).toBe(404)
    await removeAttachments(system(), { object_ids: [row.objectId] })
    expect(await isStored(attachmentKey(row))).toBe(false)
    const stranger = (await makeToken(await makeUser({ role: 'operator' }))).token
    expect((await attach(TEAM, it.params, 'a.txt', Buffer.from('a'), stranger)).status).toBe(404)
  })

  test('goes with its comment, and stays with the copy of it', async () => {
    const it = await scene()
    const attachment = await (await attach(TEAM, it.params, 'sketch.png', await image(), it.author)).json()
    await database().db.update(files).set({ isCurrent: false }).where(eq(files.id, it.file.id))
    const next = await makeFile(it.batch, { name: 'poster.png', version: 2, supersedesId: it.file.id })
    const copied = await ask(`POST ${TEAM}/copy`, it.params, { token: it.author })
    expect(copied.status).toBe(201)
    const copy = await copied.json()
    expect(copy).toMatchObject({ file_id: next.id, attachments: [{ name: 'sketch.png', sha256: attachment.sha256 }] })
    const row = await rowOf(attachment.id)
    expect((await ask(`DELETE ${TEAM}`, it.params, { token: it.author })).status).toBe(200)
    await removeAttachments(system(), { object_ids: [row.objectId] })
    expect(await isStored(attachmentKey(row))).toBe(true)
    const last = { ...it.params, file_id: next.id, comment_id: copy.id }
    expect((await ask(`DELETE ${TEAM}`, last, { token: it.author })).status).toBe(200)
    await removeAttachments(system(), { object_ids: [row.objectId] })
    for (const key of [attachmentKey(row), attachmentPictureKey(row)]) expect(await isStored(key), key).toBe(false)
  })

  test('goes with the bytes of the file when a rule removes them', async () => {
    const it = await scene()
    const attachment = await (await attach(TEAM, it.params, 'sketch.png', await image(), it.author)).json()
    const row = await rowOf(attachment.id)
    await database().db.update(files).set({ removedAt: new Date() }).where(eq(files.id, it.file.id))
    await removeExpired(system(), { file_ids: [it.file.id] })
    for (const key of [attachmentKey(row), attachmentPictureKey(row)]) expect(await isStored(key), key).toBe(false)
    const comment = await (await ask(`GET ${TEAM}`, it.params, { token: it.author })).json()
    expect(comment.attachments).toMatchObject([{ name: 'sketch.png', download_url: null, picture_url: null }])
    const path = { ...it.params, attachment_id: attachment.id }
    expect((await ask(`GET ${TEAM}/attachments/{attachment_id}`, path, { token: it.author })).status).toBe(410)
  })
})

describe('counts for the quota of the agency', () => {
  type Scene = Awaited<ReturnType<typeof scene>>
  const storedFor = async ({ project }: Scene) =>
    (await database().db.select().from(agencyStorage).where(eq(agencyStorage.agencyId, project.agencyId)))[0]?.bytes
  /** Room for so many bytes more. */
  const leave = async (it: Scene, left: number) =>
    database()
      .db.update(agencies)
      .set({ storageQuota: ((await storedFor(it)) ?? 0) + left })
      .where(eq(agencies.id, it.project.agencyId))
  const kilobyte = (n: number) => Buffer.alloc(1000, n)

  test('and is refused as any file beyond it, also where several come at once', async () => {
    const it = await scene()
    const before = (await storedFor(it)) ?? 0
    await leave(it, 2500)
    const outcomes = await Promise.all(
      [1, 2, 3, 4].map((n) => attach(TEAM, it.params, `${n}.bin`, kilobyte(n), it.author)),
    )
    expect(outcomes.map(({ status }) => status).sort()).toEqual([201, 201, 422, 422])
    expect(await storedFor(it)).toBe(before + 2000)
    for (const refused of outcomes.filter(({ status }) => status === 422)) {
      expect(await refused.json()).toMatchObject({
        code: 'file_rejected',
        detail: expect.stringContaining('Ask an administrator to raise the storage quota of the agency'),
        violations: [{ rule: 'size', code: 'agency_quota', expected: 'at most 500 bytes' }],
      })
    }
    const comment = await (await ask(`GET ${TEAM}`, it.params, { token: it.author })).json()
    expect(comment.attachments).toHaveLength(2)
    const path = { ...it.params, attachment_id: comment.attachments[0].id }
    expect((await ask(`DELETE ${TEAM}/attachments/{attachment_id}`, path, { token: it.author })).status).toBe(200)
    expect(await storedFor(it)).toBe(before + 1000)
    expect((await attach(TEAM, it.params, 'again.bin', kilobyte(5), it.author)).status).toBe(201)
  })

  test('once, however often its comment is copied, until the last comment that carries it goes', async () => {
    const it = await scene()
    expect((await attach(TEAM, it.params, 'a.bin', kilobyte(1), it.author)).status).toBe(201)
    const answer = await makeComment(it.file, { parentId: it.comment.id })
    const other = await makeComment(it.file, {})
    await database().db.update(files).set({ isCurrent: false }).where(eq(files.id, it.file.id))
    const next = await makeFile(it.batch, { name: 'poster.png', version: 2, supersedesId: it.file.id })
    const before = (await storedFor(it)) ?? 0
    const copy = await (await ask(`POST ${TEAM}/copy`, it.params, { token: it.author })).json()
    await makeAttachment(answer, { size: 300 })
    await makeAttachment(other, { size: 50 })
    expect(await storedFor(it)).toBe(before + 350)
    // With it goes the reply.
    expect((await ask(`DELETE ${TEAM}`, it.params, { token: it.author })).status).toBe(200)
    expect(await storedFor(it)).toBe(before + 50)
    const last = { ...it.params, file_id: next.id, comment_id: copy.id }
    expect((await ask(`DELETE ${TEAM}`, last, { token: it.author })).status).toBe(200)
    expect(await storedFor(it)).toBe(before + 50 - 1000)
  })

  test('of a file that is deleted, or whose bytes are no longer kept, no more', async () => {
    const it = await scene()
    const batch = await makeBatch({ projectId: it.project.id })
    const file = await makeFile(batch, { size: 700 })
    const before = (await storedFor(it)) ?? 0
    await makeAttachment(await makeComment(file), { size: 60 })
    const params = { project_id: it.project.id, batch_id: batch.id, file_id: file.id }
    const path = '/api/projects/{project_id}/batches/{batch_id}/files/{file_id}'
    expect((await ask(`DELETE ${path}`, params, { token: it.coordinator })).status).toBe(200)
    expect(await storedFor(it)).toBe(before - 700)

    await attach(TEAM, it.params, 'a.bin', kilobyte(1), it.author)
    await database().db.update(files).set({ isCurrent: false, removedAt: new Date() }).where(eq(files.id, it.file.id))
    await makeFile(it.batch, { name: 'poster.png', version: 2, supersedesId: it.file.id })
    const copy = await (await ask(`POST ${TEAM}/copy`, it.params, { token: it.author })).json()
    expect(copy.attachments).toEqual([])
    const held = await storedFor(it)
    expect((await ask(`DELETE ${TEAM}`, it.params, { token: it.author })).status).toBe(200)
    expect(await storedFor(it)).toBe(held)
  })

  test('by a guest, who is not asked to raise it', async () => {
    const it = await scene()
    const token = randomUUID()
    await makeReviewLink(it.batch, { fileIds: [it.file.id], ...sealed(token) })
    const said = await ask(
      'POST /api/public/review-links/{token}/files/{file_id}/comments',
      { token, file_id: it.file.id },
      { body: { body: 'Like this' } },
    )
    const own = (await said.json()).comments.find(({ is_mine }: { is_mine: boolean }) => is_mine)
    await leave(it, 1500)
    const on = { token, file_id: it.file.id, comment_id: own.id }
    expect((await attach(GUEST, on, 'a.bin', kilobyte(1))).status).toBe(201)
    const refused = await attach(GUEST, on, 'b.bin', kilobyte(2))
    expect(refused.status).toBe(422)
    expect(await refused.json()).toMatchObject({
      code: 'file_rejected',
      violations: [
        {
          code: 'agency_quota',
          message:
            'There is room for 500 bytes more; this file has 1 kB. Ask the person who sent you the link for more room.',
        },
      ],
    })
  })
})

describe('by a link', () => {
  test('a guest attaches to comments of their own, and sees what they may see', async () => {
    const it = await scene()
    const token = randomUUID()
    await makeReviewLink(it.batch, { fileIds: [it.file.id], ...sealed(token) })
    const internal = await makeComment(it.file, { isInternal: true })
    const secret = await database()
      .db.insert(commentAttachments)
      .values({ commentId: internal.id, objectId: randomUUID(), name: 'inside.txt', size: 1, sha256: 'b'.repeat(64) })
      .returning()
    const theirs = await (await attach(TEAM, it.params, 'sketch.png', await image(), it.author)).json()
    const on = { token, file_id: it.file.id, comment_id: it.comment.id }
    expect((await attach(GUEST, on, 'x.txt', Buffer.from('x'))).status).toBe(404)
    for (const [comment_id, attachment_id, status] of [
      [it.comment.id, theirs.id, 200],
      [internal.id, secret[0]?.id ?? '', 404],
      [it.comment.id, secret[0]?.id ?? '', 404],
    ] as const) {
      const path = { ...on, comment_id, attachment_id }
      expect((await ask(`GET ${GUEST}/attachments/{attachment_id}`, path)).status).toBe(status)
    }
    expect((await ask(`DELETE ${GUEST}/attachments/{attachment_id}`, { ...on, attachment_id: theirs.id })).status).toBe(
      404,
    )

    const said = await ask('POST /api/public/review-links/{token}/files/{file_id}/comments', on, {
      body: { body: 'Like this' },
    })
    const seen = await said.json()
    const own = seen.comments.find(({ is_mine }: { is_mine: boolean }) => is_mine)
    const mine = { ...on, comment_id: own.id }
    const attached = await attach(GUEST, mine, 'mine.png', await image())
    expect(attached.status).toBe(201)
    const attachment = await attached.json()
    expect(new URL(attachment.download_url).pathname).toContain(`/api/public/review-links/${token}/`)
    const room = await (await ask('GET /api/public/review-links/{token}/files', { token })).json()
    expect(JSON.stringify(room)).not.toContain('inside.txt')
    expect(
      room.files[0].comments.map((each: { attachments: { name: string }[] }) =>
        each.attachments.map(({ name }) => name),
      ),
    ).toEqual([['sketch.png'], ['mine.png']])
    const path = { ...mine, attachment_id: attachment.id }
    expect((await ask(`GET ${GUEST}/attachments/{attachment_id}/picture`, path)).status).toBe(200)
    expect((await ask(`DELETE ${GUEST}/attachments/{attachment_id}`, path)).status).toBe(200)
  })

  test('the agency gets those of comments on its rejected file that are not for the team only', async () => {
    const it = await scene()
    const token = randomUUID()
    const batch = await makeBatch({ projectId: it.project.id, status: 'awaiting_resupply', round: 1 })
    const file = await makeFile(batch, { decision: 'rejected' })
    await makeUploadLink(batch, sealed(token))
    const author = await makeUser()
    const comment = await makeComment(file, { createdBy: author.id })
    const internal = await makeComment(file, { isInternal: true })
    const [shown, secret] = await database()
      .db.insert(commentAttachments)
      .values(
        [comment, internal].map(({ id }) => ({
          commentId: id,
          objectId: randomUUID(),
          name: `of-${id}.txt`,
          size: 1,
          sha256: 'c'.repeat(64),
        })),
      )
      .returning()
    const staged = await service().ports.blobs.stage()
    const { pipeline } = await import('node:stream/promises')
    await pipeline(['x'], await staged.writable())
    await service().ports.blobs.commit(staged, attachmentKey(shown as never))
    const link = await (await ask('GET /api/public/upload-links/{token}', { token })).json()
    expect(link.rejected_files[0].marks[0].attachments).toMatchObject([{ name: `of-${comment.id}.txt` }])
    expect(JSON.stringify(link)).not.toContain(`of-${internal.id}`)
    const on = { token, file_id: file.id }
    const get = (comment_id: string, attachment_id = '') =>
      ask(`GET ${AGENCY}/attachments/{attachment_id}`, { ...on, comment_id, attachment_id })
    const got = await get(comment.id, shown?.id)
    expect(got.status).toBe(200)
    expect(await got.text()).toBe('x')
    expect((await get(internal.id, secret?.id)).status).toBe(404)
    expect((await get(comment.id, secret?.id)).status).toBe(404)
  })
})
