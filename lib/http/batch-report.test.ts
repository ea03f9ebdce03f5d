import { gunzipSync } from 'node:zlib'
import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { database } from '@/db/client'
import { files } from '@/db/schema/files'
import { fillBatch, makeBatch, makeFile, makeProject, makeResult, makeToken, makeUser } from '@/fixtures/factories'
import { BatchReport, getBatchReport, REPORTED_AT_ONCE } from '@/lib/domain/pre-qc/report'
import { as } from '../domain/testing'
import { send } from './testing'

/** The report of a batch as JSON, sent in parts. */

async function scene() {
  const viewer = await makeUser({ role: 'viewer' })
  const project = await makeProject({ members: [viewer] })
  const batch = await makeBatch({ projectId: project.id, name: 'Posters' })
  const { token } = await makeToken(viewer)
  const route = await import('@/app/api/projects/[project_id]/batches/[batch_id]/report/route')
  const params = { project_id: project.id, batch_id: batch.id }
  const ask = (search = '', given: { as?: string; headers?: Record<string, string> } = {}) =>
    send(route.GET, 'GET', `/report${search}`, { token: given.as ?? token, params, headers: given.headers })
  const whole = () => getBatchReport.execute(as(viewer), params)
  return { batch, ask, whole }
}

const line = (check_id: string, status: string) => ({
  ...{ check_id, label: check_id, status, confidence: 1 },
  ...{ details: 'Over\nseveral lines, “quoted”.', severity: 'blocking' },
})

test('holds of every file what the whole of it does, over several parts', async () => {
  const { batch, ask, whole } = await scene()
  await fillBatch(batch, 2 * REPORTED_AT_ONCE + 1)
  const failing = await makeFile(batch, { name: 'a.png' })
  await makeResult(failing, { summary: 'fail', checks: [line('a_check', 'fail')] })
  await makeResult(await makeFile(batch, { name: 'z.png' }), { status: 'running', summary: null, completedAt: null })
  const response = await ask('?format=json')
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toBe('application/json')
  expect(response.headers.get('content-disposition')).toContain('Posters, Pre-QC.json')
  const text = await response.text()
  const report = BatchReport.parse(JSON.parse(text))
  const { generated_at: _, ...expected } = await whole()
  expect(report).toMatchObject(expected)
  expect(report.files.map(({ id }) => id)).toEqual(expected.files.map(({ id }) => id))
  expect(report.counts).toMatchObject({ fail: 1, not_checked: 2 * REPORTED_AT_ONCE + 2 })
  expect(text.trimEnd()).toBe(JSON.stringify(JSON.parse(text), null, 2))
})

test('is whole where there is no file, or all of a part were removed meanwhile', async () => {
  const { batch, ask } = await scene()
  expect(JSON.parse(await (await ask()).text())).toMatchObject({ files: [], counts: { pass: 0, not_checked: 0 } })
  await fillBatch(batch, 8 * REPORTED_AT_ONCE)
  const response = await ask()
  await database().db.delete(files).where(eq(files.batchId, batch.id))
  // A part may have been read before; the last one was not.
  const report = BatchReport.parse(JSON.parse(await response.text()))
  expect(report.files.length).toBeLessThanOrEqual(7 * REPORTED_AT_ONCE)
  expect(report.counts).toMatchObject({ pass: 0, not_checked: report.files.length })
})

test('is compressed for who can read it so', async () => {
  const { batch, ask } = await scene()
  await fillBatch(batch, 3)
  const response = await ask('', { headers: { 'Accept-Encoding': 'gzip' } })
  expect(response.headers.get('content-encoding')).toBe('gzip')
  expect(response.headers.get('vary')).toContain('Accept-Encoding')
  const text = gunzipSync(Buffer.from(await response.arrayBuffer())).toString()
  expect(BatchReport.parse(JSON.parse(text)).files).toHaveLength(3)
})

test('is for who sees the batch, as JSON or PDF', async () => {
  const { ask } = await scene()
  const { token } = await makeToken(await makeUser())
  expect((await ask('', { as: token })).status).toBe(404)
  expect((await ask('?format=xml')).status).toBe(406)
  expect((await ask('?format=')).status).toBe(406)
})
