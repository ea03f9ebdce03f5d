import { eq } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { database } from '@/db/client'
import { notifications } from '@/db/schema/events'
import { files } from '@/db/schema/files'
import { batches } from '@/db/schema/projects'
import { makeBatch, makeFile, makeMediaCategory, makeProject, makeUploadLink, makeUser } from '@/fixtures/factories'
import type { BatchStatus, IntegrityState } from '@/lib/vocabulary'
import { receiveFile } from '../files/commands'
import { arrived, image, uploadPorts } from '../files/testing'
import { DomainError } from '../kernel/errors'
import { reviewFile, reviewFiles, undoReviews } from '../review/commands'
import { as, eventsAbout, expectRefusal } from '../testing'
import { completeReview, replaceManifest, submitBatch, updateBatch } from './commands'
import { listMyWork } from './my-work'
import { getBatch } from './queries'

async function round(status: BatchStatus = 'in_review', template: string | null = null) {
  const operator = await makeUser({ role: 'operator' })
  const coordinator = await makeUser({ role: 'coordinator' })
  const project = await makeProject({ members: [operator, coordinator] })
  const category = await makeMediaCategory({ namingTemplate: template })
  const people = { operatorId: operator.id, coordinatorId: coordinator.id }
  const batch = await makeBatch({
    projectId: project.id,
    mediaCategoryId: category.id,
    status,
    round: status === 'open' ? 0 : 1,
    ...people,
  })
  const at = { project_id: project.id, batch_id: batch.id }
  return {
    operator,
    coordinator,
    batch,
    at,
    complete: () => completeReview.execute(as(operator), at, {}),
    upload: async (name: string, given: Parameters<typeof as>[1] = {}) =>
      receiveFile.execute(
        as(operator, { ...given, ports: { ...uploadPorts, ...given?.ports } }),
        at,
        await arrived(name, await image()),
      ),
    read: () => getBatch.execute(as(operator), at),
  }
}

describe('a file that is not known to decode to its end', () => {
  test.each<IntegrityState>(['pending', 'quarantined'])(
    'is not approved while it is %s, alone or with others',
    async (integrity) => {
      const { operator, batch, at, complete } = await round()
      const [file, intact] = [await makeFile(batch, { integrity }), await makeFile(batch)]
      const one = { ...at, file_id: file.id }
      await expectRefusal(reviewFile.execute(as(operator), one, { decision: 'approve' }), 'integrity_unsettled')
      const both = { file_ids: [file.id, intact.id], decision: 'approve' }
      await expectRefusal(reviewFiles.execute(as(operator), at, both), 'integrity_unsettled')
      const decisions = await database().db.select({ d: files.decision }).from(files).where(eq(files.batchId, batch.id))
      expect(decisions.map(({ d }) => d)).toEqual(['pending', 'pending'])
      await reviewFile.execute(as(operator), one, { decision: 'reject', comment: 'Broken' })
      await reviewFile.execute(as(operator), { ...at, file_id: intact.id }, { decision: 'approve' })
      expect((await complete()).status).toBe('awaiting_resupply')
    },
  )

  test('approved before that was refused, it keeps the review open', async () => {
    const { batch, complete } = await round()
    await makeFile(batch, { integrity: 'pending', decision: 'approved', name: 'video.mov' })
    const refused = await expectRefusal(complete(), 'integrity_unsettled')
    expect(refused.detail).toContain('video.mov')
  })
})

describe('the end of a review', () => {
  test('an approved batch takes files only in a round of its own', async () => {
    const { operator, at, batch, upload } = await round('approved')
    await makeFile(batch, { decision: 'approved' })
    const refused = await expectRefusal(upload('late.png'), 'invalid_state')
    expect(refused).toMatchObject({
      facts: { current: 'approved' },
      detail: expect.stringContaining('Submit it again'),
    })
    await submitBatch.execute(as(operator), at)
    expect(await upload('late.png')).toMatchObject({ review: { decision: 'pending' } })
    await expectRefusal(completeReview.execute(as(operator), at, {}), 'invalid_state')
  })

  test('an upload at the same moment is in the round or refused, never undecided in an approved batch', async () => {
    const outcomes = { uploaded: 0, completed: 0 }
    for (let round_ = 0; round_ < 40; round_++) {
      const { batch, complete, upload, read } = await round()
      await makeFile(batch, { decision: 'approved' })
      // The upload has been evaluated, its bytes are stored: now both go for the batch.
      let open = () => {}
      const gate = new Promise<void>((resolve) => {
        open = resolve
      })
      const blobs = new Proxy(uploadPorts.blobs as object, {
        get: (target, name) =>
          name === 'commit'
            ? async (...args: unknown[]) => {
                await Reflect.get(target, name).apply(target, args)
                open()
              }
            : typeof Reflect.get(target, name) === 'function'
              ? Reflect.get(target, name).bind(target)
              : Reflect.get(target, name),
      }) as NonNullable<typeof uploadPorts.blobs>
      const refusal = (error: unknown) => {
        if (error instanceof DomainError && error.code === 'invalid_state') return null
        throw error
      }
      const [uploaded, completed] = await Promise.all([
        upload('same-time.png', { ports: { blobs } }).catch(refusal),
        gate.then(complete).catch(refusal),
      ])
      const { status, counts } = await read()
      expect(uploaded === null || completed === null).toBe(true)
      expect(status === 'approved' ? counts.pending : 0).toBe(0)
      expect(status).toBe(completed ? 'approved' : 'in_review')
      if (uploaded) outcomes.uploaded++
      if (completed) outcomes.completed++
    }
    expect(outcomes.uploaded + outcomes.completed).toBe(40)
  })

  test('of a decision and its end at the same moment the decision is in, or is refused', async () => {
    for (let round_ = 0; round_ < 20; round_++) {
      const { operator, batch, at, complete, read } = await round()
      const file = await makeFile(batch, { decision: 'approved', decidedBy: operator.id, decidedAt: new Date() })
      const [undone] = await Promise.allSettled([
        undoReviews.execute(as(operator), at, { file_ids: [file.id] }),
        complete(),
        reviewFile.execute(as(operator), { ...at, file_id: file.id }, { decision: 'reject', comment: 'No' }),
      ])
      const { status, counts } = await read()
      if (status !== 'in_review') expect(counts.pending).toBe(0)
      if (status === 'approved') expect(counts).toMatchObject({ approved: 1, rejected: 0 })
      expect(['fulfilled', 'rejected']).toContain(undone.status)
    }
  })
})

describe('a complete resupply', () => {
  test('stops the clock of the agency, notifies who submits, once, and becomes their task', async () => {
    const { operator, coordinator, batch, upload, read } = await round('awaiting_resupply')
    await makeUploadLink(batch, { createdAt: batch.createdAt })
    await makeFile(batch, { name: 'a.png', decision: 'rejected' })
    await makeFile(batch, { name: 'b.png', decision: 'rejected' })
    expect((await read()).turn.holder).toBe('agency')
    await upload('a.png')
    expect((await read()).turn.holder).toBe('agency')
    await upload('b.png')
    await upload('another.png')
    expect((await read()).turn.holder).toBe('service')
    const happened = (await eventsAbout(batch.id)).filter(({ type }) => type === 'batch.resupplied')
    expect(happened).toMatchObject([{ data: { next_round: 2 } }])
    const notified = await database().db.select().from(notifications).where(eq(notifications.userId, coordinator.id))
    expect(notified).toMatchObject([{ title: `The resupply of ${batch.name} is complete` }])
    expect((await listMyWork.execute(as(operator), {})).batches).toMatchObject([{ id: batch.id, task: 'submit' }])
  })

  test('a batch is with us until the agency has a link', async () => {
    const { batch, read } = await round('open')
    expect((await read()).turn).toMatchObject({ holder: 'service', since: batch.createdAt.toISOString() })
    const linkedAt = new Date(batch.createdAt.getTime() + 3_600_000)
    await makeUploadLink(batch, { createdAt: linkedAt })
    expect((await read()).turn).toMatchObject({
      holder: 'agency',
      since: linkedAt.toISOString(),
      service_seconds: 3600,
      agency_seconds: 0,
    })
  })
})

describe('names of a manifest', () => {
  const TEMPLATE = '{title}_{width}x{height}_v{version}.{ext}'

  test('under which no file could arrive are refused, each with its line, the fault and a name that could', async () => {
    const { coordinator, batch, at } = await round('open', TEMPLATE)
    const put = (...names: string[]) =>
      replaceManifest.execute(as(coordinator), at, { files: names.map((name) => ({ name })) })
    const refused = await expectRefusal(
      put('Hero_300x250_v1.png', 'Hero 300x250.png', 'hero.exe', 'HERO_300X250_v1.png', 'CON_300x250_v1.png'),
      'validation_failed',
    )
    const [second, third] = refused.facts.errors ?? []
    expect(refused.facts.errors?.map(({ path }) => path)).toEqual(['files.1.name', 'files.2.name', 'files.3.name'])
    expect(second).toMatchObject({ code: 'invalid_name' })
    expect(second?.message).toMatch(/^Line 2: no file can arrive as “Hero 300x250.png”\. .*Expected: .*version/)
    expect(third?.message).toContain('“hero.exe”')
    // What came before the convention did stays on the list.
    await makeFile(batch, { name: 'old name.png' })
    expect((await put('Hero_300x250_v1.png', 'old name.png')).counts).toMatchObject({ expected: 2, received: 1 })
  })

  test('are kept possible when the template changes', async () => {
    const { coordinator, at } = await round('open')
    await replaceManifest.execute(as(coordinator), at, { files: [{ name: 'hero final.png' }] })
    const refused = await expectRefusal(
      updateBatch.execute(as(coordinator), at, { naming_template: TEMPLATE }),
      'validation_failed',
      ['naming_template'],
    )
    expect(refused.detail).toContain('“hero final.png”')
    await database().db.update(batches).set({ namingTemplate: null })
    await replaceManifest.execute(as(coordinator), at, { files: [] })
    await updateBatch.execute(as(coordinator), at, { naming_template: TEMPLATE })
  })
})
