import { createHash, generateKeyPairSync, randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { deliveries, deliveryFiles, deliveryTargets } from '@/db/schema/deliveries'
import { notifications } from '@/db/schema/events'
import { files } from '@/db/schema/files'
import { projectMembers } from '@/db/schema/projects'
import { webhookDeliveries } from '@/db/schema/webhooks'
import { emptyTables, testDb, testSql } from '@/db/testing'
import { makeBatch, makeFile, makeProject, makeUser, makeWebhook, type UserRow } from '@/fixtures/factories'
import { explainDeliveryTarget } from '@/lib/adapters/delivery/addresses'
import { explainPrivateKey } from '@/lib/adapters/delivery/keys'
import { targetSender } from '@/lib/adapters/delivery/send'
import { startFileServer } from '@/lib/adapters/delivery/testing/file-server'
import { startSftpServer } from '@/lib/adapters/delivery/testing/sftp-server'
import { listActivity } from '@/lib/domain/batches/activity'
import {
  cancelDelivery,
  getDelivery,
  getDeliveryReceipt,
  listDeliveries,
  listDeliveryChoices,
  previewDelivery,
  requestDelivery,
  retryDelivery,
} from '@/lib/domain/deliveries/operations'
import {
  createDeliveryTarget,
  deleteDeliveryTarget,
  getDeliveryTarget,
  testDeliveryTarget,
  updateDeliveryTarget,
} from '@/lib/domain/deliveries/targets'
import { transferFiles } from '@/lib/domain/deliveries/transfer'
import { BlobNotFound } from '@/lib/domain/kernel/blob-store'
import type { Context } from '@/lib/domain/kernel/operation'
import { as, eventsAbout, expectRefusal, type PartialPorts } from '@/lib/domain/testing'

const ACCOUNT = { user: 'greenroom', password: 'correct horse' }
let dav: Awaited<ReturnType<typeof startFileServer>>
let sftp: Awaited<ReturnType<typeof startSftpServer>>
beforeAll(async () => {
  dav = await startFileServer({ ...ACCOUNT, isDav: true })
  sftp = await startSftpServer(ACCOUNT)
})
afterAll(() => Promise.all([dav.close(), sftp.close()]))

const lockedKey = () =>
  generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'pkcs1', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs1', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'x' },
  }).privateKey

let admin: UserRow
let coordinator: UserRow
let now: Date
const stored = new Map<string, Buffer>()
let reads = 0
/** As long as a healthy server may take on a busy machine. */
const patient = targetSender({ allowsPrivate: true, idleMs: 60_000 })
const impatient = targetSender({ allowsPrivate: true, idleMs: 500 })
let sender = patient
const ports = {
  blobs: {
    read: async (key: string) => {
      reads += 1
      const bytes = stored.get(key)
      if (!bytes) throw new BlobNotFound(key)
      return Readable.from([bytes.subarray(0, 1_000), bytes.subarray(1_000)])
    },
  },
  deliveries: {
    explainTarget: (connection) => explainDeliveryTarget(connection, true),
    explainPrivateKey,
    open: (...given) => sender.open(...given),
    test: (...given) => sender.test(...given),
  },
} satisfies PartialPorts
beforeEach(async () => {
  await emptyTables()
  admin = await makeUser({ role: 'administrator' })
  coordinator = await makeUser({ role: 'coordinator' })
  now = new Date('2026-11-25T10:00:00Z')
  stored.clear()
  reads = 0
  dav.files.clear()
  dav.fault = () => undefined
  sender = patient
  sftp.files.clear()
  sftp.fault = () => undefined
})
const asAdmin = () => as(admin, { now, ports })
const asCoordinator = () => as(coordinator, { now, ports })
const system = (): Context => as('system', { now, ports })
const pass = (ms: number) => {
  now = new Date(now.getTime() + ms)
}
const transfer = (delivery_id: string) => transferFiles(system(), { delivery_id })

const webDav = () => ({
  name: 'The publisher',
  connection: { kind: 'webdav', url: dav.url, user: ACCOUNT.user },
  secrets: { password: ACCOUNT.password },
  naming_template: '{project}/{name}_v{version}.{ext}',
})

async function approved(count = 2, given: Partial<typeof files.$inferInsert> = {}) {
  const project = await makeProject({ name: 'Spring', members: [coordinator] })
  const batch = await makeBatch({
    projectId: project.id,
    status: 'approved',
    round: 1,
    coordinatorId: coordinator.id,
  })
  const made = []
  for (let n = 1; n <= count; n++) {
    const bytes = randomBytes(2_000 + n)
    const file = await makeFile(batch, {
      name: `spot-${n}.mp4`,
      decision: 'approved',
      size: bytes.length,
      sha256: createHash('sha256').update(bytes).digest('hex'),
      ...given,
    })
    stored.set(file.objectKey, bytes)
    made.push({ file, bytes })
  }
  return { project, batch, made, params: { project_id: project.id, batch_id: batch.id } }
}

async function requested(count = 2) {
  const target = await createDeliveryTarget.execute(asAdmin(), {}, webDav())
  const scene = await approved(count)
  const { id } = await requestDelivery.execute(asCoordinator(), scene.params, { target_id: target.id })
  return { ...scene, target, id, of: { ...scene.params, batch_delivery_id: id } }
}

describe('a target', () => {
  it('keeps its secrets to itself, and says what a test found', async () => {
    const made = await createDeliveryTarget.execute(asAdmin(), {}, webDav())
    expect(made).toMatchObject({ secrets_set: ['password'], verification: 'checksum', last_test: null })
    expect(JSON.stringify(made)).not.toContain(ACCOUNT.password)
    const tested = await testDeliveryTarget.execute(asAdmin(), { delivery_target_id: made.id })
    expect(tested).toMatchObject({ ok: true, last_test: { steps: [{ step: 'Connect' }, {}, {}, { step: 'Delete' }] } })
    const events = await eventsAbout(made.id)
    expect(events.map(({ type }) => type)).toEqual(['delivery_target.created', 'delivery_target.tested'])
    expect(JSON.stringify(events)).not.toContain(ACCOUNT.password)
    const changed = await updateDeliveryTarget.execute(
      asAdmin(),
      { delivery_target_id: made.id },
      { secrets: { password: 'other' } },
    )
    expect(changed.last_test).not.toBeNull()
    const failed = await testDeliveryTarget.execute(asAdmin(), { delivery_target_id: made.id })
    expect(failed).toMatchObject({ ok: false })
    expect(failed.last_test?.steps.at(-1)).toEqual({
      step: 'Write',
      ok: false,
      said: 'The server answered 401: Wrong user or password.',
    })
  })

  it('sends its secrets to no other address than they were given for', async () => {
    const { id } = await createDeliveryTarget.execute(asAdmin(), {}, webDav())
    const moved = { connection: { kind: 'webdav', url: 'http://127.0.0.1:1/other', user: ACCOUNT.user } }
    const changed = await updateDeliveryTarget.execute(asAdmin(), { delivery_target_id: id }, moved)
    expect(changed.secrets_set).toEqual([])
  })

  it('that speaks SFTP is trusted by its key first, and by no other afterwards', async () => {
    const connection = { kind: 'sftp', host: '127.0.0.1', port: sftp.port, user: ACCOUNT.user }
    const sftpTarget = { name: 'SFTP', connection, secrets: { password: ACCOUNT.password } }
    const { id } = await createDeliveryTarget.execute(asAdmin(), {}, sftpTarget)
    const on = { delivery_target_id: id }
    const { params } = await approved(1)
    await expectRefusal(requestDelivery.execute(asCoordinator(), params, { target_id: id }), 'invalid_state')
    const shown = await testDeliveryTarget.execute(asAdmin(), on)
    expect(shown).toMatchObject({ ok: false, host_key: null, shown_host_key: expect.stringMatching(/^SHA256:/) })
    await updateDeliveryTarget.execute(asAdmin(), on, { host_key: shown.shown_host_key })
    expect(await testDeliveryTarget.execute(asAdmin(), on)).toMatchObject({ ok: true, shown_host_key: null })
    const delivery = await requestDelivery.execute(asCoordinator(), params, { target_id: id })
    await transfer(delivery.id)
    const of = { ...params, batch_delivery_id: delivery.id }
    expect(await getDelivery.execute(asCoordinator(), of)).toMatchObject({
      status: 'delivered',
      files: [{ place: expect.stringMatching(/^sftp:\/\/127\.0\.0\.1:\d+\/home\/Spring\//) }],
    })
    // A server at another address begins without trust.
    const moved = { connection: { ...connection, port: 1 }, secrets: sftpTarget.secrets }
    expect(await updateDeliveryTarget.execute(asAdmin(), on, moved)).toMatchObject({ host_key: null })
  })

  it.each([
    [
      { connection: { kind: 'sftp', host: '127.0.0.1', user: 'x' }, secrets: { private_key: 'ssh-rsa nonsense' } },
      'secrets.private_key',
      /cannot be used: it is no private key/,
    ],
    [
      { connection: { kind: 'sftp', host: '127.0.0.1', user: 'x' }, secrets: { private_key: lockedKey() } },
      'secrets.passphrase',
      /Give the passphrase of the key/,
    ],
    [{ naming_template: '{client}/{file}' }, 'naming_template', /“\{client\}” is no token/],
    [{ naming_template: '../{file}' }, 'naming_template', /would lead out/],
    [{ secrets: { private_key: 'x' } }, 'secrets.private_key', /has no “private_key”/],
    [{ connection: { kind: 'webdav', url: 'file:///etc' } }, 'connection.url', /expected an address/],
    [
      { connection: { kind: 'sftp', host: 'a.example', user: 'x' }, secrets: {} },
      'secrets.password',
      /its private key/,
    ],
  ])('with %o is refused', async (given, path, message) => {
    const refused = await expectRefusal(
      createDeliveryTarget.execute(asAdmin(), {}, { ...webDav(), ...given }),
      'validation_failed',
    )
    expect(refused.facts.errors).toEqual([expect.objectContaining({ path, message: expect.stringMatching(message) })])
  })

  it('has a name of its own, is for administrators, and stays while a delivery to it is under way', async () => {
    const { target, id, of } = await requested(1)
    const on = { delivery_target_id: target.id }
    await expectRefusal(
      createDeliveryTarget.execute(asAdmin(), {}, { ...webDav(), name: 'the PUBLISHER' }),
      'validation_failed',
    )
    await expectRefusal(getDeliveryTarget.execute(asCoordinator(), on), 'forbidden')
    await expectRefusal(createDeliveryTarget.execute(asCoordinator(), {}, webDav()), 'forbidden')
    await expectRefusal(deleteDeliveryTarget.execute(asAdmin(), on), 'invalid_state')
    await transfer(id)
    await deleteDeliveryTarget.execute(asAdmin(), on)
    expect(await getDelivery.execute(asCoordinator(), of)).toMatchObject({
      status: 'delivered',
      target: { id: null, name: 'The publisher' },
    })
  })
})

describe('what is delivered', () => {
  it('is said before: which files, where to, which not and why', async () => {
    const { id: target_id } = await createDeliveryTarget.execute(asAdmin(), {}, webDav())
    const { batch, made, params } = await approved(1)
    const pending = await makeFile(batch, { name: 'late.mp4' })
    await makeFile(batch, { name: 'bad.mp4', decision: 'approved', integrity: 'quarantined' })
    await makeFile(batch, { name: 'gone.mp4', decision: 'approved', removedAt: now })
    const preview = await previewDelivery.execute(asCoordinator(), params, { target_id })
    expect(preview).toMatchObject({
      files: [{ file: { name: 'spot-1.mp4' }, path: 'Spring/spot-1_v1.mp4' }],
      left_out: [
        { file: { name: 'bad.mp4' } },
        { file: { name: 'gone.mp4' } },
        { file: { name: 'late.mp4' }, why: '“late.mp4” is not decided yet; only approved files are delivered.' },
      ],
      problems: [],
      replaces: [],
    })
    const body = { target_id }
    const refused = await expectRefusal(requestDelivery.execute(asCoordinator(), params, body), 'validation_failed')
    expect(refused.detail).toContain('2 more cannot be delivered either')
    const named = { target_id, file_ids: [made[0]?.file.id, pending.id] }
    await expectRefusal(requestDelivery.execute(asCoordinator(), params, named), 'validation_failed')
    const asked = await requestDelivery.execute(asCoordinator(), params, { ...body, leave_out_others: true })
    expect(asked.files.map(({ name }) => name)).toEqual(['spot-1.mp4'])
    expect(await listDeliveryChoices.execute(asCoordinator(), params)).toEqual({
      targets: [{ id: target_id, name: 'The publisher', kind: 'webdav' }],
    })
  })

  it('has a path for each file', async () => {
    const template = { ...webDav(), naming_template: '{project}/{name}' }
    const { id: target_id } = await createDeliveryTarget.execute(asAdmin(), {}, template)
    const { batch, params } = await approved(1)
    await makeFile(batch, { name: 'SPOT-1.png', decision: 'approved' })
    const { problems } = await previewDelivery.execute(asCoordinator(), params, { target_id })
    expect(problems).toEqual([expect.stringMatching(/differ only in capitals/)])
    await expectRefusal(requestDelivery.execute(asCoordinator(), params, { target_id }), 'validation_failed')
  })

  it('is for coordinators of the project, of files of the batch', async () => {
    const { id: target_id } = await createDeliveryTarget.execute(asAdmin(), {}, webDav())
    const { params, project } = await approved(1)
    const operator = await makeUser({ role: 'operator' })
    await testDb.insert(projectMembers).values({ projectId: project.id, userId: operator.id })
    await expectRefusal(requestDelivery.execute(as(operator, { now, ports }), params, { target_id }), 'forbidden')
    expect(await listDeliveries.execute(as(operator, { now, ports }), params)).toMatchObject({ deliveries: [] })
    const stranger = as(await makeUser({ role: 'coordinator' }), { now, ports })
    await expectRefusal(requestDelivery.execute(stranger, params, { target_id }), 'not_found')
    const elsewhere = await approved(1)
    const foreign = { target_id, file_ids: [elsewhere.made[0]?.file.id] }
    await expectRefusal(requestDelivery.execute(asCoordinator(), params, foreign), 'not_found')
  })
})

describe('a delivery', () => {
  it('sends every file, verifies it, and has a receipt of each', async () => {
    const hook = await makeWebhook({ eventTypes: ['delivery.completed'] })
    const { made, id, of, params } = await requested(3)
    await transfer(id)
    const done = await getDelivery.execute(asCoordinator(), of)
    expect(done).toMatchObject({ status: 'delivered', reason: null, attempts: 1, counts: { files: 3, delivered: 3 } })
    for (const { file, bytes } of made)
      expect(dav.files.get(`/in/Spring/${file.name.replace('.mp4', '_v1.mp4')}`)).toEqual(bytes)
    expect([...dav.files.keys()]).toHaveLength(3)
    const receipt = await getDeliveryReceipt.execute(asCoordinator(), of)
    expect(receipt).toMatchObject({ kind: 'greenroom.delivery-receipt', status: 'delivered', project: 'Spring' })
    for (const [index, row] of receipt.files.entries())
      expect(row).toMatchObject({
        status: 'delivered',
        sha256: made[index]?.file.sha256,
        size: made[index]?.bytes.length,
        place: expect.stringContaining('/in/Spring/'),
        proof: 'Size compared, read back and SHA-256 compared',
        delivered_at: expect.any(String),
      })
    expect((await eventsAbout(id)).map(({ type }) => type)).toEqual(['delivery.requested', 'delivery.completed'])
    const sent = await testDb.select().from(webhookDeliveries).where(eq(webhookDeliveries.webhookId, hook.id))
    expect(JSON.parse(sent[0]?.payload ?? '{}')).toMatchObject({
      type: 'delivery.completed',
      data: {
        url: expect.stringContaining(`/deliveries/${id}`),
        page_url: expect.stringMatching(/\/deliveries$/),
        details: { to: 'The publisher', files: 3, delivered: 3 },
      },
    })
    const { activities } = await listActivity.execute(asCoordinator(), params, { kind: 'delivery' })
    expect(activities.map(({ type, details }) => [type, details.to])).toEqual([
      ['delivery.completed', 'The publisher'],
      ['delivery.requested', 'The publisher'],
    ])
    const notified = await testDb.select().from(notifications).where(eq(notifications.userId, coordinator.id))
    expect(notified[0]?.title).toContain('was delivered to The publisher')
    // Again: nothing is sent twice.
    reads = 0
    await transfer(id)
    expect(reads).toBe(0)
  })

  it.each(['busy', 'hang', 'cut', 'truncate', 'alter'] as const)(
    'to a target that answers with “%s” is tried again, goes on where it was, and is never called done before',
    async (fault) => {
      const { id, of } = await requested(2)
      if (fault === 'hang') sender = impatient
      dav.fault = (method, path) =>
        method === 'PUT' && dav.files.size >= 1 && path.includes('.part') ? fault : undefined
      await transfer(id)
      const waiting = await getDelivery.execute(asCoordinator(), of)
      expect(waiting).toMatchObject({
        status: 'queued',
        reason: expect.any(String),
        counts: { files: 2, delivered: 1 },
        next_attempt_at: expect.any(String),
      })
      expect(waiting.files[1]).toMatchObject({ status: 'queued', reason: waiting.reason, delivered_at: null })
      // Not before it is due.
      reads = 0
      await transfer(id)
      expect(reads).toBe(0)
      dav.fault = () => undefined
      sender = patient
      pass(60_000)
      await transfer(id)
      expect(await getDelivery.execute(asCoordinator(), of)).toMatchObject({ status: 'delivered', attempts: 2 })
      expect(reads).toBe(1)
    },
  )

  it('that is refused is not tried again by itself, but by a person', async () => {
    const { id, of } = await requested(1)
    dav.fault = () => 'unauthorized'
    await transfer(id)
    expect(await getDelivery.execute(asCoordinator(), of)).toMatchObject({
      status: 'failed',
      reason: 'The server answered 401: Wrong user or password.',
      next_attempt_at: null,
      files: [{ status: 'failed', reason: 'The server answered 401: Wrong user or password.' }],
    })
    expect((await eventsAbout(id)).map(({ type }) => type)).toContain('delivery.failed')
    dav.fault = () => undefined
    await retryDelivery.execute(asCoordinator(), of)
    await transfer(id)
    expect(await getDelivery.execute(asCoordinator(), of)).toMatchObject({ status: 'delivered', reason: null })
    await expectRefusal(retryDelivery.execute(asCoordinator(), of), 'invalid_state')
    await expectRefusal(cancelDelivery.execute(asCoordinator(), of), 'invalid_state')
  })

  it('fails after its last attempt, with the reason', async () => {
    const { id, of } = await requested(1)
    dav.fault = () => 'busy'
    for (let attempt = 1; attempt <= 6; attempt++) {
      await transfer(id)
      pass(3 * 3_600_000)
    }
    const failed = await getDelivery.execute(asCoordinator(), of)
    expect(failed).toMatchObject({ status: 'failed', attempts: 6, reason: 'The server answered 503: Come back later.' })
  })

  it('stops when it is cancelled: before it began, and while it is sent', async () => {
    const first = await requested(1)
    await cancelDelivery.execute(asCoordinator(), first.of)
    await transfer(first.id)
    expect(dav.files.size).toBe(0)
    // Cancelled after the first file: the second is not sent.
    await retryDelivery.execute(asCoordinator(), first.of)
    const { params } = await approved(2)
    const asked = await requestDelivery.execute(asCoordinator(), params, { target_id: first.target.id })
    const of = { ...params, batch_delivery_id: asked.id }
    let cancelled: Promise<unknown> | undefined
    dav.fault = (method) => {
      if (method === 'MOVE') cancelled ??= cancelDelivery.execute(asCoordinator(), of)
      return undefined
    }
    await transfer(asked.id)
    await cancelled
    const after = await getDelivery.execute(asCoordinator(), of)
    expect(after.status).toBe('cancelled')
    expect(after.files[1]).toMatchObject({ status: 'cancelled', place: null })
  })

  it('sends what is approved when it is sent, not when it was asked for', async () => {
    const { id, of, made } = await requested(1)
    await testDb
      .update(files)
      .set({ decision: 'rejected' })
      .where(eq(files.id, made[0]?.file.id ?? ''))
    await transfer(id)
    expect(await getDelivery.execute(asCoordinator(), of)).toMatchObject({
      status: 'failed',
      reason: '“spot-1.mp4” is rejected; only approved files are delivered.',
    })
    expect(dav.files.size).toBe(0)
  })

  it('sends no other bytes than those that were approved', async () => {
    const { id, of, made } = await requested(1)
    const file = made[0]?.file
    stored.set(file?.objectKey ?? '', randomBytes(file?.size ?? 0))
    await transfer(id)
    const failed = await getDelivery.execute(asCoordinator(), of)
    expect(failed).toMatchObject({ status: 'failed', reason: expect.stringContaining('other bytes than those') })
    stored.clear()
    await retryDelivery.execute(asCoordinator(), of)
    await transfer(id)
    expect((await getDelivery.execute(asCoordinator(), of)).reason).toContain('holds no bytes of “spot-1.mp4”')
    expect(dav.files.size).toBe(0)
  })

  it('is carried out once by two workers, and goes on when one has died', async () => {
    const { id, of } = await requested(2)
    await Promise.all([transfer(id), transfer(id)])
    expect(reads).toBe(2)
    expect((await getDelivery.execute(asCoordinator(), of)).attempts).toBe(1)
    // A worker that died left this behind.
    const dead = await requestAgain(of)
    await testDb
      .update(deliveries)
      .set({ status: 'sending', attempts: 1, step: 1, leasedUntil: new Date(now.getTime() + 60_000) })
      .where(eq(deliveries.id, dead))
    await testDb.update(deliveryFiles).set({ status: 'sending' }).where(eq(deliveryFiles.deliveryId, dead))
    await transfer(dead)
    expect(reads).toBe(2)
    const jobs = await testSql`select 1 from graphile_worker._private_jobs where key = ${`deliver_files:${dead}`}`
    expect(jobs).toHaveLength(1)
    pass(60_001)
    await transfer(dead)
    const of2 = { ...of, batch_delivery_id: dead }
    expect(await getDelivery.execute(asCoordinator(), of2)).toMatchObject({ status: 'delivered', attempts: 2 })
  })

  it('is given back when its worker stops', async () => {
    const { id, of } = await requested(1)
    const stopping = new AbortController()
    dav.fault = (method) => {
      if (method === 'PUT') stopping.abort(new Error('The worker stops.'))
      return undefined
    }
    await transferFiles(system(), { delivery_id: id }, stopping.signal)
    expect(await getDelivery.execute(asCoordinator(), of)).toMatchObject({ status: 'queued', reason: null })
    dav.fault = () => undefined
    pass(1_000)
    await transfer(id)
    expect((await getDelivery.execute(asCoordinator(), of)).status).toBe('delivered')
  })

  it('says what it overwrites', async () => {
    const { id, target, params, batch, made } = await requested(1)
    await transfer(id)
    const file = made[0]?.file
    const again = await previewDelivery.execute(asCoordinator(), params, { target_id: target.id })
    expect(again.replaces).toEqual([])
    await testDb
      .update(files)
      .set({ sha256: '0'.repeat(64) })
      .where(eq(files.id, file?.id ?? ''))
    const changed = await previewDelivery.execute(asCoordinator(), params, { target_id: target.id })
    expect(changed.replaces).toEqual([{ path: 'Spring/spot-1_v1.mp4', at: expect.any(String) }])
    expect(batch.id).toBeDefined()
  })
})

async function requestAgain(of: { project_id: string; batch_id: string }) {
  const [target] = await testDb.select().from(deliveryTargets)
  const { project_id, batch_id } = of
  const body = { target_id: target?.id ?? '' }
  return (await requestDelivery.execute(asCoordinator(), { project_id, batch_id }, body)).id
}
