import { createHash, randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { eq, sql } from 'drizzle-orm'
import sharp from 'sharp'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { database } from '@/db/client'
import { users } from '@/db/schema/directory'
import { events } from '@/db/schema/events'
import { files } from '@/db/schema/files'
import { directUploads } from '@/db/schema/operations'
import { projects } from '@/db/schema/projects'
import { uploadLinks } from '@/db/schema/upload-links'
import { recordStatements, rowsRead } from '@/db/testing'
import { fillBatch, makeBatch, makeProject, makeUploadLink, makeUser } from '@/fixtures/factories'
import { S3BlobStore } from '@/lib/adapters/blob-store/s3'
import { StagingFolder } from '@/lib/adapters/blob-store/staging-folder'
import { startS3Server } from '@/lib/adapters/blob-store/testing/s3-server'
import { inspectFile } from '@/lib/media/inspect/inspect'
import { receiveFile } from '../files/commands'
import { arrived, image, uploadPorts } from '../files/testing'
import type { Context } from '../kernel/operation'
import { openEvents } from '../kernel/personal'
import { as, expectRefusal, type PartialPorts, refusal } from '../testing'
import { authenticateLink } from '../upload-links/find'
import { byLink, byStaff } from './operations'
import { partSizeOf, planOf } from './rules'
import { settleUpload, sweepDirectUploads } from './settle'

/** Uploads from a client to the bucket itself: real database, real inspector, and a server that speaks S3. */

const BUCKET = { bucket: 'greenroom-files', accessKeyId: 'GREENROOMTEST', secretAccessKey: 'secret' }
const MB = 1024 ** 2
const HOUR = 3_600_000

let server: Awaited<ReturnType<typeof startS3Server>>
let folder: string

beforeAll(async () => {
  server = await startS3Server(BUCKET)
  folder = await mkdtemp(path.join(tmpdir(), 'greenroom-direct-'))
})
afterAll(async () => {
  await server.stop()
  await rm(folder, { recursive: true })
})
beforeEach(async () => {
  server.breaks()
  server.objects.clear()
  server.uploads.clear()
  server.requests.length = 0
  await database().db.execute(sql`delete from graphile_worker._private_jobs`)
})

/** Ports of one machine. */
function machine(given: NonNullable<PartialPorts['files']> = {}): PartialPorts {
  const { accessKeyId, secretAccessKey } = BUCKET
  const blobs = new S3BlobStore(new StagingFolder(folder), {
    bucket: BUCKET.bucket,
    region: 'eu-central-1',
    endpoint: server.endpoint,
    credentials: { accessKeyId, secretAccessKey },
    prefix: 'greenroom/',
  })
  return { blobs, files: { ...uploadPorts.files, followArrival: () => {}, ...given } }
}

async function workspace() {
  const operator = await makeUser({ role: 'operator' })
  const project = await makeProject({ members: [operator] })
  const batch = await makeBatch({ projectId: project.id, operatorId: operator.id })
  const at = { project_id: project.id, batch_id: batch.id }
  return { operator, project, batch, at, ctx: as(operator, { ports: machine() }) }
}
type Place = Awaited<ReturnType<typeof workspace>>

const filesIn = ({ batch }: Place) => database().db.select().from(files).where(eq(files.batchId, batch.id))
const rowOf = async (id: string) =>
  (await database().db.select().from(directUploads).where(eq(directUploads.id, id)))[0]
const objects = (prefix: string) => [...server.objects.keys()].filter((key) => key.startsWith(`greenroom/${prefix}`))
const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')
const jobs = async () => {
  const rows = await database().db.execute<{ id: string }>(
    sql`select payload ->> 'upload_id' as id from graphile_worker._private_jobs j
      join graphile_worker._private_tasks t on t.id = j.task_id where t.identifier = 'settle_upload'`,
  )
  return rows.map(({ id }) => id)
}

type Signed = { parts: readonly { number: number; size: number; url: string }[] }

/** As a client does, by the addresses alone. */
async function put({ parts }: Signed, bytes: Buffer, partSize: number) {
  for (const { number, size, url } of parts) {
    const from = (number - 1) * partSize
    const response = await fetch(url, { method: 'PUT', body: new Uint8Array(bytes.subarray(from, from + size)) })
    expect(response.status).toBe(200)
  }
}

async function sent(place: Place, name: string, bytes: Buffer, size = bytes.length) {
  const upload = await byStaff.begin.execute(place.ctx, place.at, { name, size })
  await put(upload, bytes, upload.part_size)
  return { ...place.at, upload_id: upload.id }
}

async function completed(place: Place, name: string, bytes: Buffer) {
  const at = await sent(place, name, bytes)
  await byStaff.complete.execute(place.ctx, at)
  return at
}

/** What a worker does with the job, on a machine of its own. */
const work = (upload_id: string, ports = machine()) => settleUpload(as('system', { ports }), { upload_id })
const asked = (place: Place, at: Place['at'] & { upload_id: string }) => byStaff.get.execute(place.ctx, at)

/** A valid image of more than one part. */
const large = (): Promise<Buffer> =>
  sharp(randomBytes(1900 * 1900 * 3), { raw: { width: 1900, height: 1900, channels: 3 } })
    .png({ compressionLevel: 0 })
    .toBuffer()

describe('the parts of a file', () => {
  test.each([
    [0, 8 * MB, [0]],
    [1, 8 * MB, [1]],
    [8 * MB, 8 * MB, [8 * MB]],
    [20 * MB, 8 * MB, [8 * MB, 8 * MB, 4 * MB]],
  ])('of %i bytes', (size, partSize, sizes) => {
    expect(partSizeOf(size)).toBe(partSize)
    expect(planOf({ size, partSize }).map((part) => part.size)).toEqual(sizes)
  })

  test('are a thousand at most, however large it is', () => {
    for (const size of [10e9, 123_456_789_012, 5 * 1024 ** 4]) {
      const plan = planOf({ size, partSize: partSizeOf(size) })
      expect(plan.length).toBeLessThanOrEqual(1000)
      expect(plan.reduce((sum, part) => sum + part.size, 0)).toBe(size)
    }
  })
})

describe('a file that goes to the bucket itself', () => {
  test('is stored as any other once a worker has validated it, and nothing else stays of it', async () => {
    const place = await workspace()
    const bytes = await large()
    expect(bytes.length).toBeGreaterThan(8 * MB)
    const at = await sent(place, 'hero.png', bytes)
    expect(await filesIn(place)).toEqual([])
    expect(await byStaff.complete.execute(place.ctx, at)).toMatchObject({ status: 'checking', result: null })
    expect(await jobs()).toEqual([at.upload_id])
    expect(await filesIn(place)).toEqual([])

    await work(at.upload_id)
    const upload = await asked(place, at)
    const [file] = await filesIn(place)
    expect(upload).toMatchObject({
      status: 'accepted',
      refusal: null,
      result: { id: file?.id, name: 'hero.png', size: bytes.length, sha256: sha256(bytes), version: 1 },
    })
    expect(file).toMatchObject({ sourceUserId: place.operator.id, mediaType: 'image/png', integrity: 'sound' })
    expect((await server.bytesOf(`greenroom/${file?.objectKey}`)).equals(bytes)).toBe(true)
    expect([objects('incoming/'), server.uploads.size]).toEqual([[], 0])
    const row = await rowOf(at.upload_id)
    expect([row?.handle, row?.sealed]).toEqual([null, null])
    expect(byStaff.get.output?.parse(upload)).toBeDefined()
  })

  test('is not compared with all that the batch holds', async () => {
    const place = await workspace()
    await fillBatch(place.batch, 1000)
    await database().db.execute(sql`analyze files`)
    const statements = recordStatements(database().sql)
    const { upload_id } = await completed(place, 'b.png', await image())
    const before = statements.length
    await work(upload_id)
    const settled = statements.slice(before).filter(({ text }) => !/^(begin|commit)/.test(text))
    expect((await rowOf(upload_id))?.state).toBe('accepted')
    // One of them is the key that what is said of the user is sealed by, made once.
    expect(settled.length, settled.map(({ text }) => text).join('\n')).toBeLessThanOrEqual(14)
    const sent = [...statements]
    expect(sent.some(({ text }) => text.includes('from files'))).toBe(true)
    for (const statement of sent) expect(await rowsRead(statement, 'files'), statement.text).toBeLessThan(20)
  })

  test('is followed while it is fetched, and its event says who sent it from where', async () => {
    const place = await workspace()
    const bytes = await large()
    const ctx = { ...place.ctx, address: '192.0.2.7', requestId: 'the-request' }
    const at = await sent({ ...place, ctx }, 'hero.png', bytes)
    await byStaff.complete.execute(ctx, at)
    const progress: number[] = []
    await work(at.upload_id, machine({ followArrival: (_path, extension, upTo) => extension && progress.push(upTo) }))
    expect(progress.at(-1)).toBe(bytes.length)
    const stored = await database().db.select().from(events).where(eq(events.batchId, place.batch.id))
    const [event] = await openEvents(database().db, stored)
    expect(event).toMatchObject({ type: 'file.received', address: '192.0.2.7', requestId: 'the-request' })
    expect(event?.actorId).toBe(place.operator.id)
  })

  test('is refused by its name and size before a byte is sent, with the violations of every other way', async () => {
    const place = await workspace()
    await work((await completed(place, 'there.png', await image())).upload_id)
    for (const name of ['', 'a/b.png', 'no\u0000.png', 'half\ud800.png', 'x.exe', 'THERE.png', 'x'.repeat(900)]) {
      const [direct, through] = [
        await refusal(byStaff.begin.execute(place.ctx, place.at, { name, size: 10 })),
        await refusal((await receiveFile.open(place.ctx, place.at)).validateName({ name, size: 10 })),
      ]
      expect([direct.code, direct.facts]).toEqual([through.code, through.facts])
    }
    const tooLarge = await refusal(byStaff.begin.execute(place.ctx, place.at, { name: 'a.png', size: 11 * 1024 ** 3 }))
    expect(tooLarge.facts.violations).toMatchObject([{ rule: 'size' }])
    await expectRefusal(byStaff.begin.execute(place.ctx, place.at, { name: 'a.png', size: -1 }), 'validation_failed', [
      'size',
    ])
    expect(server.uploads.size).toBe(0)
  })

  test.each(['a\0b.png', 'a\ud800b.png', '../a.png', ''])(
    'named %j is refused by the naming rule, and never reaches the database as a name',
    async (name) => {
      const place = await workspace()
      await expectRefusal(byStaff.begin.execute(place.ctx, place.at, { name, size: 10 }), 'file_rejected')
    },
  )

  test('is refused by its bytes with the violations of every other way, and nothing of it is stored', async () => {
    const place = await workspace()
    const good = await image()
    await work((await completed(place, 'good.png', good)).upload_id)
    for (const [name, bytes] of [
      ['cut.png', (await image()).subarray(0, 60)],
      ['empty.png', Buffer.alloc(0)],
      ['foreign.png', Buffer.from('no image at all')],
      ['again.png', good],
    ] as const) {
      const at = await completed(place, name, bytes)
      await work(at.upload_id)
      const upload = await asked(place, at)
      const through = await refusal(
        receiveFile.execute(as(place.operator, { ports: uploadPorts }), place.at, await arrived(name, bytes)),
      )
      expect(upload.refusal).toEqual({
        code: through.code,
        detail: through.detail,
        violations: through.facts.violations,
      })
      expect(upload.status).toBe('refused')
    }
    expect(await filesIn(place)).toHaveLength(1)
    expect([objects('files/').length, objects('incoming/').length, server.uploads.size]).toEqual([1, 0, 0])
  })

  test('goes on after a break where the bucket says it is, and is not completed before it is whole', async () => {
    const place = await workspace()
    const bytes = await large()
    const begun = await byStaff.begin.execute(place.ctx, place.at, { name: 'hero.png', size: bytes.length })
    const at = { ...place.at, upload_id: begun.id }
    await put({ parts: begun.parts.slice(1) }, bytes, begun.part_size)
    await expectRefusal(byStaff.complete.execute(place.ctx, at), 'validation_failed', ['parts.1'])
    const signed = await byStaff.sign.execute(place.ctx, at, {})
    expect(signed.received).toEqual([2])
    expect(signed.parts.map(({ number }) => number)).toEqual([1])
    await put(signed, bytes, begun.part_size)
    expect(await byStaff.sign.execute(place.ctx, at)).toMatchObject({ received: [1, 2], parts: [] })
    await byStaff.complete.execute(place.ctx, at)
    await work(at.upload_id)
    expect(await asked(place, at)).toMatchObject({ status: 'accepted', result: { sha256: sha256(bytes) } })
  })

  test('can be taken back until it is accepted; then nothing of it is left', async () => {
    const place = await workspace()
    const at = await sent(place, 'a.png', await image())
    await byStaff.cancel.execute(place.ctx, at)
    await expectRefusal(asked(place, at), 'not_found')
    await expectRefusal(byStaff.complete.execute(place.ctx, at), 'not_found')
    await work(at.upload_id)
    expect([server.uploads.size, objects('incoming/')]).toEqual([0, []])

    const accepted = await completed(place, 'b.png', await image())
    await work(accepted.upload_id)
    await expectRefusal(byStaff.cancel.execute(place.ctx, accepted), 'invalid_state')
    expect(await filesIn(place)).toHaveLength(1)
  })

  test('is begun only where files may go to the storage', async () => {
    const place = await workspace()
    const closed = as(place.operator, { ports: machine({ takesDirectUploads: false }) })
    await expectRefusal(byStaff.begin.execute(closed, place.at, { name: 'a.png', size: 1 }), 'invalid_state')
    const onDisk = as(place.operator, { ports: uploadPorts })
    await expectRefusal(byStaff.begin.execute(onDisk, place.at, { name: 'a.png', size: 1 }), 'invalid_state')
  })

  test('is one of a thousand that one actor may have open in one place', async () => {
    const place = await workspace()
    const first = await byStaff.begin.execute(place.ctx, place.at, { name: 'a.png', size: 1 })
    await database().db.execute(sql`
      insert into direct_uploads (id, intake, owner, name, size, part_size, state, expires_at)
      select gen_random_uuid(), u.intake, u.owner, u.name, 1, 1, 'receiving', u.expires_at
      from direct_uploads u, generate_series(1, 999) where u.id = ${first.id}`)
    await expectRefusal(byStaff.begin.execute(place.ctx, place.at, { name: 'b.png', size: 1 }), 'rate_limited')
    await byStaff.cancel.execute(place.ctx, { ...place.at, upload_id: first.id })
    await byStaff.begin.execute(place.ctx, place.at, { name: 'b.png', size: 1 })
  })
})

describe('who may', () => {
  async function linkTo(place: Place, given: Partial<typeof uploadLinks.$inferInsert> = {}) {
    const token = randomBytes(8).toString('hex')
    const link = await makeUploadLink(place.batch, { tokenHash: sha256(Buffer.from(token)), ...given })
    const visit = async (session: string | null = null): Promise<Context> => {
      const credentials = { uploadSession: session, linkPassword: null, linkKey: null }
      const ctx = as('anonymous', { ports: machine(), credentials })
      return { ...ctx, actor: await authenticateLink(ctx, { token }) }
    }
    const change = (values: Partial<typeof uploadLinks.$inferInsert>) =>
      database().db.update(uploadLinks).set(values).where(eq(uploadLinks.id, link.id))
    const send = async (ctx: Context, name: string, bytes: Buffer) => {
      const upload = await byLink.begin.execute(ctx, { token }, { name, size: bytes.length })
      await put(upload, bytes, upload.part_size)
      return { token, upload_id: upload.id }
    }
    return { token, link, visit, change, send }
  }

  test('the holder of a link sends, and each session takes one use', async () => {
    const place = await workspace()
    const { visit, send, token, link } = await linkTo(place, { maxUses: 1 })
    const [mine, other] = [
      await visit('0b5e2f0e-93f5-4b43-8a6e-5a1f3c2d7e10'),
      await visit('0b5e2f0e-93f5-4b43-8a6e-5a1f3c2d7e11'),
    ]
    const [one, two, late] = [
      await send(mine, 'a.png', await image()),
      await send(mine, 'b.png', await image()),
      await send(other, 'c.png', await image()),
    ]
    for (const [ctx, at] of [
      [mine, one],
      [mine, two],
      [other, late],
    ] as const)
      await byLink.complete.execute(ctx, at)
    for (const { upload_id } of [one, two, late]) await work(upload_id)
    expect(await byLink.get.execute(mine, one)).toMatchObject({
      status: 'accepted',
      result: { file: { name: 'a.png', version: 1 }, uses_left: 0 },
    })
    expect(await byLink.get.execute(mine, two)).toMatchObject({ status: 'accepted' })
    expect(await byLink.get.execute(mine, late)).toMatchObject({ status: 'refused', refusal: { code: 'link_used_up' } })
    await expectRefusal(byLink.begin.execute(other, { token }, { name: 'd.png', size: 1 }), 'link_used_up')
    expect((await filesIn(place)).map(({ name, sourceLinkId }) => [name, sourceLinkId]).sort()).toEqual([
      ['a.png', link.id],
      ['b.png', link.id],
    ])
  })

  test.each([
    ['deactivated', { deactivatedAt: new Date() }, 'link_deactivated'],
    ['expired', { expiresAt: new Date(Date.now() - 1000) }, 'link_expired'],
  ] as const)('a link that is %s midway takes nothing more, at any step', async (_, values, code) => {
    const place = await workspace()
    const { visit, send, change } = await linkTo(place)
    const ctx = await visit()
    const [sending, checking] = [await send(ctx, 'a.png', await image()), await send(ctx, 'b.png', await image())]
    await byLink.complete.execute(ctx, checking)
    await change(values)
    await expectRefusal(byLink.begin.execute(ctx, sending, { name: 'c.png', size: 1 }), code)
    await expectRefusal(byLink.sign.execute(ctx, sending), code)
    await expectRefusal(byLink.complete.execute(ctx, sending), code)
    for (const { authenticateAs } of [byLink.get, byLink.sign, byLink.complete, byLink.cancel])
      await expectRefusal(authenticateAs?.(ctx, checking) ?? Promise.resolve(), code)
    await work(checking.upload_id)
    expect(await rowOf(checking.upload_id)).toMatchObject({ state: 'refused', verdict: { code } })
    expect([await filesIn(place), objects('files/')]).toEqual([[], []])
  })

  test('a project that is paused midway takes nothing more', async () => {
    const place = await workspace()
    const { visit, send } = await linkTo(place)
    const ctx = await visit()
    const at = await send(ctx, 'a.png', await image())
    await database().db.update(projects).set({ status: 'on_hold' }).where(eq(projects.id, place.project.id))
    await expectRefusal(byLink.sign.execute(ctx, at), 'project_on_hold')
    await expectRefusal(byLink.complete.execute(ctx, at), 'project_on_hold')
  })

  test('a link with a password asks for it at every step; what was shown is not readable in the database', async () => {
    const place = await workspace()
    // Of the password “open sesame”.
    const { hash } = await import('@node-rs/argon2')
    const { token, change } = await linkTo(place, { passwordHash: await hash('open sesame') })
    const bytes = await image()
    const knowing = (linkPassword: string | null): Context =>
      as('anonymous', { ports: machine(), credentials: { uploadSession: null, linkPassword, linkKey: null } })
    const enter = async (ctx: Context): Promise<Context> => ({ ...ctx, actor: await authenticateLink(ctx, { token }) })
    const [right, wrong] = [await enter(knowing('open sesame')), await enter(knowing(null))]
    await expectRefusal(byLink.begin.execute(wrong, { token }, { name: 'a.png', size: bytes.length }), 'forbidden')
    const upload = await byLink.begin.execute(right, { token }, { name: 'a.png', size: bytes.length })
    await put(upload, bytes, upload.part_size)
    const at = { token, upload_id: upload.id }
    await expectRefusal(byLink.sign.execute(wrong, at), 'forbidden')
    await expectRefusal(byLink.complete.execute(wrong, at), 'forbidden')
    await byLink.complete.execute(right, at)
    expect((await rowOf(at.upload_id))?.sealed).toMatch(/^sealed /)
    await change({ passwordHash: await hash('another') })
    await work(at.upload_id)
    expect(await rowOf(at.upload_id)).toMatchObject({ state: 'refused', verdict: { code: 'forbidden' }, sealed: null })
  })

  test('no actor goes on with, asks for or takes back an upload of another actor or to another place', async () => {
    const place = await workspace()
    const colleague = await makeUser({ role: 'operator' })
    const other = await workspace()
    const [one, two] = [await linkTo(place), await linkTo(place)]
    const at = await sent(place, 'a.png', await image())
    const byOne = await one.send(await one.visit(), 'b.png', await image())
    const stranger = await two.visit()
    for (const operation of [byStaff.sign, byStaff.complete, byStaff.cancel, byStaff.get]) {
      await expectRefusal(operation.execute(as(colleague, { ports: machine() }), at), 'not_found')
      await expectRefusal(operation.execute(other.ctx, { ...other.at, upload_id: at.upload_id }), 'not_found')
      await expectRefusal(operation.execute(place.ctx, { ...at, upload_id: byOne.upload_id }), 'not_found')
    }
    for (const operation of [byLink.sign, byLink.complete, byLink.cancel, byLink.get]) {
      await expectRefusal(operation.execute(stranger, { token: two.token, upload_id: byOne.upload_id }), 'not_found')
      await expectRefusal(operation.execute(stranger, { token: two.token, upload_id: at.upload_id }), 'not_found')
    }
    await expectRefusal(
      byStaff.begin.execute(as(colleague, { ports: machine() }), place.at, { name: 'a.png', size: 1 }),
      'not_found',
    )
    const viewer = await makeUser({ role: 'viewer' })
    const seen = await makeProject({ members: [viewer] })
    const batch = await makeBatch({ projectId: seen.id })
    const there = { project_id: seen.id, batch_id: batch.id }
    await expectRefusal(
      byStaff.begin.execute(as(viewer, { ports: machine() }), there, { name: 'a.png', size: 1 }),
      'forbidden',
    )
  })

  test('a user who is disabled, or loses the role, before the worker comes has sent nothing', async () => {
    for (const [values, code] of [
      [{ disabledAt: new Date() }, 'unauthenticated'],
      [{ role: 'viewer' }, 'forbidden'],
    ] as const) {
      const place = await workspace()
      const at = await completed(place, 'a.png', await image())
      await database().db.update(users).set(values).where(eq(users.id, place.operator.id))
      await work(at.upload_id)
      expect(await rowOf(at.upload_id)).toMatchObject({ state: 'refused', verdict: { code } })
      expect(await filesIn(place)).toEqual([])
    }
  })
})

describe('hostile clients', () => {
  test('send no larger part, no part beyond the last, and no bytes to another place', async () => {
    const place = await workspace()
    const bytes = await image()
    const upload = await byStaff.begin.execute(place.ctx, place.at, { name: 'a.png', size: bytes.length })
    const at = { ...place.at, upload_id: upload.id }
    const url = upload.parts[0]?.url ?? ''
    const tries = [
      fetch(url, { method: 'PUT', body: new Uint8Array(bytes.length + 1) }),
      fetch(url.replace('partNumber=1', 'partNumber=2'), { method: 'PUT', body: new Uint8Array(bytes) }),
      fetch(url.replace(upload.id, `../files/${upload.id}`), { method: 'PUT', body: new Uint8Array(bytes) }),
    ]
    for (const attempt of tries) expect((await attempt).status).toBe(403)
    await expectRefusal(byStaff.sign.execute(place.ctx, at, { parts: [2] }), 'validation_failed', ['parts'])
    await expectRefusal(byStaff.sign.execute(place.ctx, at, { parts: [0] }), 'validation_failed')
    await expectRefusal(byStaff.complete.execute(place.ctx, at), 'validation_failed', ['parts.1'])
  })

  test('are refused what a storage let through that binds no lengths', async () => {
    const place = await workspace()
    const bytes = await image()
    const at = await sent(place, 'a.png', bytes)
    const [upload] = [...server.uploads.values()]
    const part = upload?.parts.get(1)
    if (!part) throw new Error('Nothing arrived.')
    upload?.parts.set(1, { ...part, size: 10 * part.size })
    await expectRefusal(byStaff.complete.execute(place.ctx, at), 'validation_failed', ['parts.1'])
    upload?.parts.set(1, part)
    upload?.parts.set(2, part)
    await expectRefusal(byStaff.complete.execute(place.ctx, at), 'validation_failed', ['parts.2'])
    upload?.parts.delete(2)
    await byStaff.complete.execute(place.ctx, at)
    // Once more between the completion and the worker.
    upload?.parts.set(2, part)
    await work(at.upload_id)
    expect(await asked(place, at)).toMatchObject({ status: 'refused', refusal: { code: 'file_rejected' } })
    expect(await filesIn(place)).toEqual([])
  })

  test('cannot swap what was validated: a copy is made of that version or not at all, and then it is validated anew', async () => {
    const place = await workspace()
    const [bytes, other] = [await image(), (await image()).subarray(0, 60)]
    const at = await completed(place, 'a.png', bytes)
    const swapped = await completed(place, 'b.png', other)
    // Puts the bytes of the second upload in the place of the first once it was inspected.
    const inspect: typeof inspectFile = async (...given) => {
      const inspection = await inspectFile(...given)
      const [from, to] = [swapped, at].map(({ upload_id }) => `greenroom/incoming/${upload_id}`) as [string, string]
      await machine().blobs?.direct?.assemble?.(
        { id: swapped.upload_id, handle: (await rowOf(swapped.upload_id))?.handle ?? '' },
        [{ number: 1, size: other.length }],
      )
      const object = server.objects.get(from)
      if (object) server.objects.set(to, object)
      return inspection
    }
    await expect(work(at.upload_id, machine({ inspect }))).rejects.toThrow('cannot be used')
    expect([await filesIn(place), objects('files/')]).toEqual([[], []])
    await work(at.upload_id)
    expect(await asked(place, at)).toMatchObject({ status: 'refused' })
    expect([await filesIn(place), objects('files/')]).toEqual([[], []])
  })
})

describe('many at once', () => {
  test('who completes twice at the same moment has one job, one file and the same verdict', async () => {
    const place = await workspace()
    const at = await sent(place, 'a.png', await image())
    const responses = await Promise.all([1, 2, 3, 4].map(() => byStaff.complete.execute(place.ctx, at)))
    expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 'checking'))
    expect(await jobs()).toEqual([at.upload_id])
    await work(at.upload_id)
    expect(await byStaff.complete.execute(place.ctx, at)).toMatchObject({ status: 'accepted' })
    expect(await filesIn(place)).toHaveLength(1)
  })

  test('workers of two machines on one upload store one file, and one object', async () => {
    const place = await workspace()
    const at = await completed(place, 'a.png', await image())
    await Promise.all([work(at.upload_id), work(at.upload_id), work(at.upload_id)])
    await work(at.upload_id)
    expect(await asked(place, at)).toMatchObject({ status: 'accepted' })
    expect(await filesIn(place)).toHaveLength(1)
    expect([objects('files/').length, objects('incoming/').length]).toEqual([1, 0])
  })

  test('a worker that died in the middle is replaced by another; should it wake up, it changes nothing', async () => {
    const place = await workspace()
    const at = await completed(place, 'a.png', await image())
    let wake = () => {}
    const asleep = new Promise<void>((done) => {
      wake = done
    })
    let reached = () => {}
    const isAsleep = new Promise<void>((done) => {
      reached = done
    })
    const inspect: typeof inspectFile = async (...given) => {
      reached()
      await asleep
      return inspectFile(...given)
    }
    const stalled = work(at.upload_id, machine({ inspect }))
    await isAsleep
    await work(at.upload_id)
    expect(await asked(place, at)).toMatchObject({ status: 'accepted' })
    wake()
    await stalled.catch(() => {})
    expect(await asked(place, at)).toMatchObject({ status: 'accepted' })
    expect(await filesIn(place)).toHaveLength(1)
    expect(objects('incoming/')).toEqual([])
  })

  test.each(['complete', 'get', 'copy', 'delete'] as const)(
    'a worker that fails at the bucket’s “%s” leaves no verdict, and the next attempt comes to it',
    async (operation) => {
      const place = await workspace()
      const at = await completed(place, 'a.png', await image())
      server.breaks((asked) => (asked === operation ? 'error' : undefined))
      await expect(work(at.upload_id)).rejects.toThrow()
      server.breaks()
      await work(at.upload_id)
      expect(await asked(place, at)).toMatchObject({ status: 'accepted' })
      expect(await filesIn(place)).toHaveLength(1)
      expect(objects('incoming/')).toEqual([])
    },
  )

  test('what is taken back while a worker validates it is not stored', async () => {
    const place = await workspace()
    const at = await completed(place, 'a.png', await image())
    const inspect: typeof inspectFile = async (...given) => {
      await byStaff.cancel.execute(place.ctx, at)
      return inspectFile(...given)
    }
    await work(at.upload_id, machine({ inspect }))
    expect((await rowOf(at.upload_id))?.state).toBe('cancelled')
    expect(await filesIn(place)).toEqual([])
    expect([objects('files/'), objects('incoming/'), server.uploads.size]).toEqual([[], [], 0])
  })
})

describe('what was not finished', () => {
  test('is swept when it has expired, without listing the bucket, and what is under way stays', async () => {
    const place = await workspace()
    const bytes = await image()
    const [left, done, going] = [
      await sent(place, 'a.png', bytes),
      await completed(place, 'b.png', bytes),
      await sent(place, 'c.png', await image()),
    ]
    await work(done.upload_id)
    const past = new Date(Date.now() - HOUR)
    for (const { upload_id } of [left, done])
      await database().db.update(directUploads).set({ expiresAt: past }).where(eq(directUploads.id, upload_id))
    await expectRefusal(byStaff.sign.execute(place.ctx, left), 'not_found')
    server.requests.length = 0
    expect(await sweepDirectUploads(as('system', { ports: machine() }))).toBe(2)
    expect(server.requests).toEqual(['abort', 'delete'])
    expect([...server.uploads.values()].map(({ key }) => key)).toEqual([`greenroom/incoming/${going.upload_id}`])
    expect([await rowOf(left.upload_id), await rowOf(done.upload_id)]).toEqual([undefined, undefined])
    expect(await filesIn(place)).toHaveLength(1)
  })

  test('and was dropped by the bucket itself is said to be gone', async () => {
    const place = await workspace()
    const at = await sent(place, 'a.png', await image())
    server.uploads.clear()
    await expectRefusal(byStaff.sign.execute(place.ctx, at), 'not_found')
    await expectRefusal(byStaff.complete.execute(place.ctx, at), 'not_found')
    const checking = await completed(place, 'b.png', await image())
    server.uploads.clear()
    await work(checking.upload_id)
    expect(await asked(place, checking)).toMatchObject({ status: 'refused', refusal: { code: 'file_rejected' } })
  })
})
