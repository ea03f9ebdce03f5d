import { createHash } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { afterAll, describe, expect, it } from 'vitest'
import { database } from '@/db/client'
import { files } from '@/db/schema/files'
import { contentMeasurements, preQcResults } from '@/db/schema/pre-qc'
import { wav } from '@/fixtures/audio'
import { makeBatch, makeMediaCategory, makeResult, makeToken, makeUser } from '@/fixtures/factories'
import { runPreQc } from '@/lib/domain/pre-qc/run'
import { send } from '@/lib/http/testing'
import { closeInspector } from '@/lib/media/inspect/inspect'
import { newContext } from '@/lib/service'

/** Long media by the real routes and decoders: what was measured while they came in is what their checks evaluate. */

// However busy the machine is.
process.env.INTEGRITY_WAIT = '600'
afterAll(closeInspector)

const MB = 1024 * 1024
let pitch = 300
const sound = () => {
  pitch += 20
  return wav(120, (time) => 0.2 * Math.sin(2 * Math.PI * pitch * time))
}

async function place(namingTemplate: string | null = null) {
  const category = await makeMediaCategory({ namingTemplate, mediaTypes: ['audio/wav'], maxFileSize: null })
  const batch = await makeBatch({ mediaCategoryId: category.id })
  const { token } = await makeToken(await makeUser({ role: 'administrator' }))
  return {
    token,
    params: { project_id: batch.projectId, batch_id: batch.id },
    url: `/api/projects/${batch.projectId}/batches/${batch.id}`,
  }
}
type Place = Awaited<ReturnType<typeof place>>

async function sendForm({ token, params, url }: Place, name: string, bytes: Buffer) {
  const { POST } = await import('@/app/api/projects/[project_id]/batches/[batch_id]/files/route')
  const head = `--b\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\n\r\n`
  const body = Buffer.concat([Buffer.from(head), bytes, Buffer.from('\r\n--b--\r\n')])
  const headers = { 'content-type': 'multipart/form-data; boundary=b' }
  return send(POST, 'POST', `${url}/files`, { params, token, body, headers })
}

async function sendResumable({ token, params, url }: Place, name: string, bytes: Buffer) {
  const { POST, PATCH } = await import('@/app/api/projects/[project_id]/batches/[batch_id]/tus/[[...tus]]/route')
  const tus = { 'tus-resumable': '1.0.0' }
  const metadata = `filename ${Buffer.from(name).toString('base64')}`
  const size = { 'upload-length': String(bytes.length), 'upload-metadata': metadata }
  const created = await send(POST, 'POST', `${url}/tus`, { params, token, headers: { ...tus, ...size } })
  const target = created.headers.get('location') ?? ''
  let response = created
  for (let from = 0; from < bytes.length; from += 8 * MB) {
    const headers = { ...tus, 'upload-offset': String(from), 'content-type': 'application/offset+octet-stream' }
    const body = bytes.subarray(from, from + 8 * MB)
    response = await send(PATCH, 'PATCH', target, { params, token, headers, body })
  }
  return response
}

const measured = (bytes: Buffer) =>
  database()
    .db.select()
    .from(contentMeasurements)
    .where(eq(contentMeasurements.sha256, createHash('sha256').update(bytes).digest('hex')))

describe.each([
  ['a form', sendForm],
  ['a resumable upload', sendResumable],
])('a long file that comes by %s', (_way, sendBy) => {
  it('is measured by the time it is accepted, and its checks find that', async () => {
    const bytes = sound()
    const response = await sendBy(await place(), 'a.wav', bytes)
    expect(response.status).toBe(201)
    const [row] = await measured(bytes)
    expect(row).toMatchObject({ way: 'audio audio/wav wav full', claim: null })
    expect(row?.document).not.toBeNull()

    const { id } = (await response.json()) as { id: string }
    const ctx = newContext({ actor: { type: 'system', name: 'A test' } })
    const measure = () => Promise.reject(new Error('It was measured again.'))
    const ports = { ...ctx.ports, preQc: { ...ctx.ports.preQc, measure } }
    const [stored] = await database().db.select().from(files).where(eq(files.id, id))
    if (!stored) throw new Error('There is no such file.')
    const queued = await makeResult(stored, { status: 'queued', summary: null, completedAt: null })
    await runPreQc({ ...ctx, ports }, { result_id: queued.id })
    const [result] = await database().db.select().from(preQcResults).where(eq(preQcResults.id, queued.id))
    expect(result).toMatchObject({ status: 'completed', measuredAt: row?.madeAt })
  })
})

it('what is refused leaves no measurement', async () => {
  const bytes = sound()
  const response = await sendForm(await place('{brand}_{version}.{ext}'), 'a.wav', bytes)
  expect(response.status).toBe(422)
  expect(await measured(bytes)).toEqual([])
})
