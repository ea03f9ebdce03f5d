import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { eq, sql } from 'drizzle-orm'
import { beforeEach, describe, expect, test } from 'vitest'
import { database } from '@/db/client'
import { agencyStorage, preQcProfiles, type RetentionRules } from '@/db/schema/directory'
import { files } from '@/db/schema/files'
import { workers } from '@/db/schema/operations'
import { preQcResults } from '@/db/schema/pre-qc'
import { batches, projects } from '@/db/schema/projects'
import { emptyTables, testSql } from '@/db/testing'
import {
  makeAgency,
  makeAttachment,
  makeBatch,
  makeComment,
  makeFile,
  makeLegalHold,
  makeNotification,
  makeProject,
  makeResult,
  makeToken,
  makeUser,
  type UserRow,
} from '@/fixtures/factories'
import { storeBytes } from '@/lib/adapters/blob-store/testing/conformance'
import { verifyChain } from '@/lib/domain/audit/chain'
import { send } from '@/lib/http/testing'
import { applyRetention } from '@/lib/jobs/apply-retention'
import { takeBackupLock } from '@/lib/jobs/backup-lock'
import { sealAudit } from '@/lib/jobs/seal-audit'
import { removeExpired, sweep } from '@/lib/jobs/sweep'
import { counters } from '@/lib/maintenance/doctor/counters'
import { unfinished } from '@/lib/maintenance/doctor/jobs'
import { objects, unclaimed } from '@/lib/maintenance/doctor/objects'
import { newContext } from '@/lib/service'
import { openBanner } from '../files/banner'
import { findSameContent } from '../files/intake'
import { drawPreviews } from '../files/previews'
import { getFile } from '../files/queries'
import type { BlobKey } from '../kernel/blob-store'
import { inTransaction, reading } from '../kernel/operation'
import { rerunBatch, rerunResult } from '../pre-qc/commands'
import { getResult } from '../pre-qc/queries'
import { evidenceKey, evidencePath } from '../pre-qc/rules'
import { runPreQc } from '../pre-qc/run'
import { updateProject } from '../projects/commands'
import { reviewFile } from '../review/commands'
import { as, eventsAbout, expectRefusal } from '../testing'
import { setLegalHold } from './holds'
import { getRetentionRun, listRetentionRuns, previewRetention, startRetention } from './runs'
import { getProjectRetention, getServiceRetention, updateProjectRetention, updateServiceRetention } from './settings'

const DAY = 86_400_000
const ago = (days: number) => new Date(Date.now() - days * DAY)
const NEVER = { completed: null, cancelled: null, archived: null, rejected: null, replaced: null }
const rules = (given: Partial<Record<keyof RetentionRules, object | number | null>>): RetentionRules => ({
  files: { ...NEVER, ...(given.files as object) },
  previews: { ...NEVER, ...(given.previews as object) },
  activity: (given.activity as number | undefined) ?? null,
})

const system = () => newContext({ actor: { type: 'system', name: 'A test' }, requestId: 'test' })
const blobs = () => system().ports.blobs

let admin: UserRow
beforeEach(async () => {
  await emptyTables()
  admin = await makeUser({ role: 'administrator' })
  await database().db.insert(workers).values({ id: 'alive', heartbeatAt: new Date(), startedAt: new Date() })
})

const setRules = (given: Parameters<typeof rules>[0]) =>
  updateServiceRetention.execute(as(admin), {}, { rules: rules(given) })
const preview = () => previewRetention.execute(as(admin), {})
const start = (run_id: string) => startRetention.execute(as(admin), { run_id })

/** A file with bytes, a thumbnail, and a result whose evidence is stored. */
async function stored(
  batch: { id: string; projectId: string; mediaCategoryId: string },
  given: Partial<typeof files.$inferInsert> = {},
) {
  const bytes = randomBytes(3000)
  const file = await makeFile(batch, {
    objectKey: await storeBytes(blobs(), bytes),
    sha256: createHash('sha256').update(bytes).digest('hex'),
    size: bytes.length,
    previews: { thumbnail: true, preview: true },
    ...given,
  })
  for (const name of ['thumbnail', 'preview'])
    await storeBytes(blobs(), randomBytes(300), `derived/${file.id}/${name}.webp`)
  const [profile] = await database()
    .db.select()
    .from(preQcProfiles)
    .where(eq(preQcProfiles.mediaCategoryId, batch.mediaCategoryId))
  const result = await makeResult(file, { ...(profile && { profileId: profile.id }) })
  const line = {
    check_id: 'blank_check',
    label: 'Blank',
    status: 'fail',
    severity: 'advisory',
    confidence: 1,
    details: '',
  }
  const checks = [{ ...line, evidence: [{ kind: 'image', url: evidencePath(result.id, 1) }] }]
  await database().db.update(preQcResults).set({ checks }).where(eq(preQcResults.id, result.id))
  await storeBytes(blobs(), randomBytes(300), evidenceKey(file.id, result.id, 1))
  return { ...file, resultId: result.id, evidence: evidenceKey(file.id, result.id, 1) }
}

async function workspace(given: Partial<typeof projects.$inferInsert> = {}) {
  const coordinator = await makeUser({ role: 'coordinator' })
  const agency = await makeAgency()
  const project = await makeProject({ agencyId: agency.id, members: [coordinator], ...given })
  const batch = await makeBatch({ projectId: project.id, operatorId: coordinator.id })
  return { coordinator, agency, project, batch, at: { project_id: project.id, batch_id: batch.id } }
}

const row = async (id: string) => (await database().db.select().from(files).where(eq(files.id, id)))[0]
const isThere = (key: string) =>
  blobs()
    .size(key as BlobKey)
    .then(
      () => true,
      () => false,
    )
const storedBytes = async (agencyId: string) =>
  (await database().db.select().from(agencyStorage).where(eq(agencyStorage.agencyId, agencyId)))[0]?.bytes

/** Works the run off as the queue does: its steps one after another, then the jobs that remove objects. */
async function workOff(run_id: string) {
  while ((await getRetentionRun.execute(as(admin), { run_id })).status === 'running')
    await applyRetention(system(), { run_id })
  await removeObjectsOfRuns()
}

async function removeObjectsOfRuns() {
  const jobs = await testSql<{ payload: { file_ids: string[] } }[]>`
    select j.payload from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
    where t.identifier = 'remove_expired' order by j.run_at`
  for (const { payload } of jobs) await removeExpired(system(), payload)
}

const runNow = async () => {
  const shown = await preview()
  await start(shown.id)
  await workOff(shown.id)
  return getRetentionRun.execute(as(admin), { run_id: shown.id })
}

/** Of the examinations of `npm run doctor`, those of what a run touches. */
async function expectWell() {
  await sealAudit(system())
  const subject = { ctx: system(), isQuick: false, onProgress: () => {} } as never
  for (const check of [counters, unfinished, objects, unclaimed])
    expect(await check.examine(subject), check.id).toMatchObject({ status: 'ok' })
  expect((await verifyChain(database().db, new Date())).fault).toBeNull()
}

describe('what is due', () => {
  test.each(['completed', 'cancelled', 'archived'] as const)(
    'all files of a project that was %s, so many days after',
    async (status) => {
      await setRules({ files: { [status]: 30 } })
      const due = await workspace({ status, updatedAt: ago(31) })
      const notYet = await workspace({ status, updatedAt: ago(29) })
      const active = await workspace({ updatedAt: ago(99) })
      const file = await makeFile(due.batch, { size: 700 })
      for (const { batch } of [notYet, active]) await makeFile(batch)
      const shown = await preview()
      expect(shown.projects).toEqual([
        {
          id: due.project.id,
          name: due.project.name,
          batches: 1,
          files: 1,
          bytes: file.size,
          previews: 0,
          activity: 0,
        },
      ])
      expect(shown.totals).toEqual({ projects: 1, batches: 1, files: 1, bytes: 700, previews: 0, activity: 0 })
      expect((await row(file.id))?.removedAt).toBeNull()
    },
  )

  test('the days count from the last change of the status, by the audit trail, not from other changes', async () => {
    await setRules({ files: { completed: 30 } })
    const place = await workspace()
    await makeFile(place.batch)
    const params = { project_id: place.project.id }
    await updateProject.execute(as(place.coordinator, { now: ago(60) }), params, { status: 'completed' })
    await updateProject.execute(as(place.coordinator, { now: ago(40) }), params, { status: 'active' })
    await updateProject.execute(as(place.coordinator, { now: ago(20) }), params, { status: 'completed' })
    expect((await preview()).projects).toEqual([])
    const { files_go_at } = await getProjectRetention.execute(as(place.coordinator), params)
    expect(Date.parse(files_go_at ?? '') - Date.now()).toBeGreaterThan(9 * DAY)
    await testSql`update projects set updated_at = now()`
    await updateProject.execute(as(place.coordinator, { now: ago(1) }), params, { name: 'Renamed' })
    const later = previewRetention.execute(as(admin, { now: new Date(Date.now() + 11 * DAY) }), {})
    expect((await later).totals.files).toBe(1)
  })

  test('rejected files, those replaced by a newer version, and those of a cancelled batch', async () => {
    await setRules({ files: { rejected: 10, replaced: 20, cancelled: 30 } })
    const { batch, project } = await workspace()
    const rejected = await makeFile(batch, { decision: 'rejected', decidedAt: ago(11) })
    await makeFile(batch, { decision: 'rejected', decidedAt: ago(9) })
    const replaced = await makeFile(batch, { isCurrent: false })
    await makeFile(batch, { supersedesId: replaced.id, createdAt: ago(21), version: 2 })
    const recent = await makeFile(batch, { isCurrent: false })
    await makeFile(batch, { supersedesId: recent.id, createdAt: ago(19), version: 2 })
    const cancelled = await makeBatch({ projectId: project.id, status: 'cancelled', updatedAt: ago(31) })
    const called = await makeFile(cancelled)
    await makeFile(batch, { decision: 'approved', decidedAt: ago(99) })
    const run = await runNow()
    expect(run).toMatchObject({ status: 'completed', removed: { files: 3, kept: 0 } })
    const gone = await database().db.select().from(files).where(sql`removed_at is not null`)
    expect(new Map(gone.map(({ id, removal }) => [id, removal?.file]))).toEqual(
      new Map([
        [rejected.id, { rule: 'rejected', days: 10, of: 'service' }],
        [replaced.id, { rule: 'replaced', days: 20, of: 'service' }],
        [called.id, { rule: 'cancelled', days: 30, of: 'service' }],
      ]),
    )
  })

  test('by the rules of the project where it has its own, and nothing under legal hold or still being checked', async () => {
    await setRules({ files: { completed: 1 } })
    const keeps = await workspace({
      status: 'completed',
      updatedAt: ago(50),
      retention: rules({ files: { completed: 90 } }),
    })
    const own = await workspace({
      status: 'completed',
      updatedAt: ago(50),
      retention: rules({ files: { completed: 40 } }),
    })
    const held = await workspace({ status: 'completed', updatedAt: ago(50) })
    const ofHeldAgency = await workspace({ status: 'completed', updatedAt: ago(50) })
    await makeLegalHold({ projectId: held.project.id })
    await makeLegalHold({ agencyId: ofHeldAgency.agency.id })
    const lifted = await workspace({ status: 'completed', updatedAt: ago(50) })
    await makeLegalHold({ projectId: lifted.project.id, liftedAt: ago(1), liftedBy: admin.id, liftReason: 'Over.' })
    for (const { batch } of [keeps, own, held, ofHeldAgency, lifted]) await makeFile(batch)
    const busy = await makeFile(own.batch)
    await makeResult(busy, { status: 'running' })
    await makeFile(own.batch, { integrity: 'pending' })
    const shown = await preview()
    expect(shown.projects.map(({ id, files }) => [id, files]).sort()).toEqual(
      [
        [own.project.id, 1],
        [lifted.project.id, 1],
      ].sort(),
    )
  })

  test('notifications of a project, but not those that still go out by mail', async () => {
    await setRules({ activity: 30 })
    const { project, coordinator } = await workspace()
    const made = async (days: number) => {
      const notification = await makeNotification(coordinator, { createdAt: ago(days) })
      await testSql`alter table events disable trigger all`
      await testSql`update events set project_id = ${project.id} where id = ${notification.eventId}`
      await testSql`alter table events enable trigger all`
      return notification
    }
    await made(31)
    const [recent, waiting] = [await made(29), await made(40)]
    await testSql`insert into mail_items (id, user_id, notification_id, due_at)
      values (gen_random_uuid(), ${coordinator.id}, ${waiting.id}, now())`
    const run = await runNow()
    expect(run).toMatchObject({ totals: { activity: 1, files: 0 }, removed: { activity: 1, kept: 0 } })
    const left = await testSql<{ id: string }[]>`select id from notifications`
    expect(left.map(({ id }) => id).sort()).toEqual([recent.id, waiting.id].sort())
    const [events] = await testSql<
      { count: number }[]
    >`select count(*)::int from events where project_id = ${project.id}`
    expect(events?.count).toBeGreaterThan(2)
  })
})

describe('a run', () => {
  test('removes bytes, previews and evidence, keeps the row, gives the room back, and the doctor finds nothing', async () => {
    await setRules({ files: { completed: 30 }, previews: { completed: 30 } })
    const { batch, project, agency } = await workspace({ status: 'completed', updatedAt: ago(31) })
    const kept = await workspace()
    const [file, other] = [await stored(batch), await stored(kept.batch)]
    const gone = [file.objectKey, `derived/${file.id}/thumbnail.webp`, `derived/${file.id}/preview.webp`, file.evidence]
    const carried = { objectId: randomUUID(), size: 200, hasPicture: false }
    for (const _copy of [1, 2]) await makeAttachment(await makeComment(file), carried)
    // Counted twice by what makes rows for tests.
    await testSql`update agency_storage set bytes = bytes - 200 where agency_id = ${agency.id}`
    const single = await makeAttachment(await makeComment(file), { size: 30, hasPicture: false })
    const before = await storedBytes(agency.id)
    const run = await runNow()
    expect(run).toMatchObject({
      status: 'completed',
      totals: { projects: 1, batches: 1, files: 1, bytes: file.size, previews: 1 },
      removed: { files: 1, bytes: file.size, previews: 1, activity: 0, kept: 0 },
      started_by: { id: admin.id },
    })
    for (const key of gone) expect(await isThere(key), key).toBe(false)
    for (const key of [other.objectKey, other.evidence]) expect(await isThere(key), key).toBe(true)
    const rule = { rule: 'completed', days: 30, of: 'service' }
    expect(await row(file.id)).toMatchObject({
      name: file.name,
      sha256: file.sha256,
      size: file.size,
      previews: { thumbnail: false, preview: false },
      removal: { file: rule, previews: rule },
    })
    expect(await storedBytes(agency.id)).toBe((before ?? 0) - file.size - carried.size - single.size)
    expect((await eventsAbout(project.id)).map(({ type, data }) => [type, data.files, data.bytes])).toEqual([
      ['retention.removed', 1, file.size],
    ])
    expect((await eventsAbout(run.id)).map(({ type, actorId }) => [type, actorId])).toEqual([
      ['retention.run_started', admin.id],
      ['retention.run_completed', null],
    ])
    await expectWell()
    expect((await preview()).totals).toMatchObject({ files: 0, previews: 0 })
  })

  test('of which only previews are due leaves the bytes, and the other way round', async () => {
    await setRules({ files: { rejected: 1 }, previews: { completed: 1 } })
    const open = await workspace()
    const closed = await workspace({ status: 'completed', updatedAt: ago(2) })
    const rejected = await stored(open.batch, { decision: 'rejected', decidedAt: ago(2) })
    const approved = await stored(closed.batch, { decision: 'approved' })
    expect((await runNow()).removed).toMatchObject({ files: 1, previews: 1, bytes: rejected.size })
    expect(await isThere(rejected.objectKey)).toBe(false)
    expect(await isThere(`derived/${rejected.id}/preview.webp`)).toBe(true)
    expect(await isThere(rejected.evidence)).toBe(true)
    expect(await isThere(approved.objectKey)).toBe(true)
    expect(await isThere(`derived/${approved.id}/preview.webp`)).toBe(false)
    expect(await isThere(approved.evidence)).toBe(false)
    expect(await storedBytes(closed.agency.id)).toBe(approved.size)
    await expectWell()
  })

  test('removes exactly what its preview showed, or is refused with what changed', async () => {
    await setRules({ files: { completed: 30, rejected: 30 } })
    const first = await workspace({ status: 'completed', updatedAt: ago(31) })
    const second = await workspace({ status: 'completed', updatedAt: ago(31) })
    const open = await workspace()
    for (const { batch } of [first, first, second]) await makeFile(batch)
    const rejected = await makeFile(open.batch, { decision: 'rejected', decidedAt: ago(31) })
    await database().db.update(batches).set({ status: 'in_review' }).where(eq(batches.id, open.batch.id))

    const beforeHold = await preview()
    await setLegalHold.execute(as(admin), {}, { project_id: second.project.id, reason: 'A case.' })
    const refused = await expectRefusal(start(beforeHold.id), 'preview_outdated')
    expect(refused.detail).toContain(`“${second.project.name}”: 1 item of it no longer goes as shown`)

    const beforeReview = await preview()
    expect(beforeReview.totals).toMatchObject({ projects: 2, files: 3 })
    await reviewFile.execute(as(open.coordinator), { ...open.at, file_id: rejected.id }, { decision: 'approve' })
    expect((await expectRefusal(start(beforeReview.id), 'preview_outdated')).detail).toContain(open.project.name)

    const beforeRule = await preview()
    await setRules({ files: { completed: 20, rejected: 30 } })
    expect((await expectRefusal(start(beforeRule.id), 'preview_outdated')).detail).toContain(first.project.name)
    await expectRefusal(start(beforeReview.id), 'preview_outdated')
    expect(await testSql`select id from files where removed_at is not null`).toHaveLength(0)

    const last = await preview()
    // What comes due later is not in it, and does not keep it from being started.
    const later = await workspace({ status: 'completed', updatedAt: new Date() })
    await makeFile(later.batch)
    await start(last.id)
    await expectRefusal(start(last.id), 'invalid_state')
    await expectRefusal(start((await preview()).id), 'invalid_state')
    await workOff(last.id)
    expect((await getRetentionRun.execute(as(admin), { run_id: last.id })).removed).toMatchObject({ files: 2, kept: 0 })
    await expectRefusal(start(last.id), 'invalid_state')
    await expectRefusal(start((await preview()).id), 'invalid_state')
    const { retention_runs } = await listRetentionRuns.execute(as(admin), {}, {})
    expect(retention_runs.filter(({ status }) => status === 'completed').map(({ id }) => id)).toEqual([last.id])
  })

  test('goes on where it stopped, counts nothing twice, and keeps what was put under hold while it ran', async () => {
    await setRules({ files: { completed: 30 }, previews: { completed: 30 } })
    const many = await workspace({ status: 'completed', updatedAt: ago(31) })
    const held = await workspace({ status: 'completed', updatedAt: ago(31) })
    await Promise.all(Array.from({ length: 150 }, () => makeFile(many.batch, { size: 10 })))
    const saved = await stored(held.batch)
    const shown = await preview()
    expect(shown.totals.files).toBe(151)
    await start(shown.id)
    const so = () => getRetentionRun.execute(as(admin), { run_id: shown.id })
    await applyRetention(system(), { run_id: shown.id })
    expect((await so()).removed).toMatchObject({ files: 100, bytes: 1000 })
    await setLegalHold.execute(as(admin), {}, { agency_id: held.agency.id, reason: 'A case.' })
    // The same job delivered twice, at once.
    await Promise.all([1, 2, 3].map(() => applyRetention(system(), { run_id: shown.id })))
    await workOff(shown.id)
    expect(await so()).toMatchObject({
      status: 'completed',
      removed: { files: 150, bytes: 1500, previews: 0, kept: 1 },
    })
    await applyRetention(system(), { run_id: shown.id })
    expect(await storedBytes(many.agency.id)).toBe(0)
    expect(await storedBytes(held.agency.id)).toBe(saved.size)
    expect(await isThere(saved.objectKey)).toBe(true)
    expect((await row(saved.id))?.removedAt).toBeNull()
    const [completed] = await testSql<{ count: number }[]>`
      select count(*)::int from events where type = 'retention.run_completed'`
    expect(completed?.count).toBe(1)
  })

  test('waits for a backup, and an object whose job was lost is found', async () => {
    await setRules({ files: { completed: 30 } })
    const { batch } = await workspace({ status: 'completed', updatedAt: ago(31) })
    const file = await stored(batch)
    const shown = await preview()
    await start(shown.id)
    await inTransaction(system(), async (tx) => {
      expect(await takeBackupLock(tx.db)).toBe(true)
      await applyRetention(system(), { run_id: shown.id })
      expect((await row(file.id))?.removedAt).toBeNull()
    })
    await applyRetention(system(), { run_id: shown.id })
    expect((await row(file.id))?.removedAt).not.toBeNull()
    await inTransaction(system(), async (tx) => {
      await takeBackupLock(tx.db)
      await removeExpired(system(), { file_ids: [file.id] })
    })
    expect(await isThere(file.objectKey)).toBe(true)
    await applyRetention(system(), { run_id: shown.id })
    await testSql`delete from graphile_worker._private_jobs`
    await sweep({ ...system(), now: new Date(Date.now() + 2 * 3_600_000) })
    expect(await isThere(file.objectKey)).toBe(false)
    expect(await isThere(file.evidence)).toBe(true)
    await expectWell()
  })
})

describe('a file that was removed', () => {
  async function removed(given: Partial<typeof files.$inferInsert> = {}) {
    await setRules({ files: { completed: 30 }, previews: { completed: 30 } })
    const place = await workspace({ status: 'completed', updatedAt: ago(31) })
    const file = await stored(place.batch, given)
    await runNow()
    await database().db.update(projects).set({ status: 'active' }).where(eq(projects.id, place.project.id))
    return { ...place, file, params: { ...place.at, file_id: file.id } }
  }

  test('is answered with 410, which says since when and by which rule', async () => {
    const { coordinator, file, params } = await removed()
    const { token } = await makeToken(coordinator)
    const routes = [
      await import('@/app/api/projects/[project_id]/batches/[batch_id]/files/[file_id]/download/route'),
      await import('@/app/api/projects/[project_id]/batches/[batch_id]/files/[file_id]/preview/route'),
      await import('@/app/api/projects/[project_id]/batches/[batch_id]/files/[file_id]/thumbnail/route'),
    ]
    const path = `/api/projects/${params.project_id}/batches/${params.batch_id}/files/${file.id}`
    for (const [index, part] of ['download', 'preview', 'thumbnail'].entries()) {
      const response = await send(routes[index]?.GET as never, 'GET', `${path}/${part}`, { token, params })
      expect(response.status, part).toBe(410)
      expect(await response.json()).toMatchObject({
        code: 'removed',
        detail: expect.stringMatching(
          new RegExp(
            `“${file.name}” was removed on .* 30 days after its project was completed, by the retention rule of the service`,
          ),
        ),
      })
    }
    const evidence = await import('@/app/api/pre-qc/results/[result_id]/evidence/[number]/route')
    const answer = await send(evidence.GET, 'GET', `/api/pre-qc/results/${file.resultId}/evidence/1`, {
      token,
      params: { result_id: file.resultId, number: '1' },
    })
    expect(answer.status).toBe(410)
    const rule = { rule: 'completed', days: 30, of: 'service' }
    expect(await getFile.execute(as(coordinator), params)).toMatchObject({
      removed: rule,
      previews_removed: rule,
      preview_url: null,
      thumbnail_url: null,
    })
    const result = await getResult.execute(as(coordinator), { result_id: file.resultId })
    expect(result.checks).toMatchObject([{ check_id: 'blank_check', status: 'fail' }])
    expect(result.checks[0]).not.toHaveProperty('evidence')
  })

  test('is not approved, run or checked again; its hash still finds the same bytes', async () => {
    const { coordinator, file, params, batch, project, at } = await removed()
    await database().db.update(batches).set({ status: 'in_review' }).where(eq(batches.id, batch.id))
    const me = as(coordinator)
    await expectRefusal(reviewFile.execute(me, params, { decision: 'approve' }), 'removed')
    await expectRefusal(rerunResult.execute(me, { result_id: file.resultId }), 'removed')
    const { results, left } = await rerunBatch.execute(me, at, { file_ids: [file.id] })
    expect(results).toEqual([])
    expect(left).toMatchObject([{ file: { id: file.id }, reason: 'It was removed by a retention rule.' }])
    const same = await findSameContent(reading(system()), { project, batch }, file.sha256)
    expect(same?.id).toBe(file.id)
    // Jobs that were enqueued before end, and bring nothing back.
    await drawPreviews(system(), { file_id: file.id })
    await testSql`update pre_qc_results set status = 'queued' where id = ${file.resultId}`
    await runPreQc(system(), { result_id: file.resultId })
    const failed = await getResult.execute(me, { result_id: file.resultId })
    expect(failed).toMatchObject({ status: 'failed', failure: expect.stringContaining('was removed on') })
    expect((await row(file.id))?.previews).toEqual({ thumbnail: false, preview: false })
  })

  test('is no banner to be run', async () => {
    const { coordinator, params } = await removed({ kind: 'archive', media: { entryPoints: ['index.html'] } })
    await expectRefusal(openBanner.execute(as(coordinator), params), 'removed')
  })
})

describe('rules', () => {
  test('are for administrators, whole days or for ever, and each change is in the audit trail', async () => {
    const { coordinator, project } = await workspace()
    const params = { project_id: project.id }
    expect(await getServiceRetention.execute(as(admin), {})).toEqual({ rules: rules({}), updated_at: null })
    await expectRefusal(updateServiceRetention.execute(as(coordinator), {}, { rules: rules({}) }), 'forbidden')
    await expectRefusal(updateProjectRetention.execute(as(coordinator), params, { rules: null }), 'forbidden')
    for (const days of [0, -1, 1.5, 36_501, '30']) {
      const wrong = { ...rules({}), files: { ...NEVER, completed: days } }
      await expectRefusal(updateServiceRetention.execute(as(admin), {}, { rules: wrong }), 'validation_failed', [
        'rules.files.completed',
      ])
    }
    await setRules({ files: { archived: 365 }, activity: 90 })
    expect(await getProjectRetention.execute(as(coordinator), params)).toMatchObject({
      of: 'service',
      rules: rules({ files: { archived: 365 }, activity: 90 }),
      files_go_at: null,
    })
    const own = rules({ files: { completed: 7 } })
    expect(await updateProjectRetention.execute(as(admin), params, { rules: own })).toMatchObject({
      of: 'project',
      rules: own,
    })
    await updateProjectRetention.execute(as(admin), params, { rules: own })
    expect(await updateProjectRetention.execute(as(admin), params, { rules: null })).toMatchObject({ of: 'service' })
    expect((await eventsAbout(project.id)).map(({ type, data }) => [type, data.after])).toEqual([
      ['retention.updated', own],
      ['retention.updated', null],
    ])
  })
})
