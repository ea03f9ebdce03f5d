import { eq } from 'drizzle-orm'
import { afterAll, describe, expect, it } from 'vitest'
import { database } from '@/db/client'
import { files } from '@/db/schema/files'
import { preQcResults } from '@/db/schema/pre-qc'
import { makeBatch, makeMediaCategory, makeResult, makeToken, makeUser } from '@/fixtures/factories'
import { vast } from '@/fixtures/vast'
import { drawPreviews } from '@/lib/domain/files/previews'
import { runPreQc } from '@/lib/domain/pre-qc/run'
import type { CheckLine } from '@/lib/domain/pre-qc/schema'
import { send } from '@/lib/http/testing'
import { closeInspector } from '@/lib/media/inspect/inspect'
import { closeMeasurer } from '@/lib/media/measurer/measurer'
import { newContext } from '@/lib/service'

/** A VAST tag on its whole way: uploaded, stored, shown as text, checked. */

afterAll(() => {
  closeInspector()
  closeMeasurer()
})

const context = () => newContext({ actor: { type: 'system', name: 'A test' } })

async function upload(name: string, text: string) {
  const category = await makeMediaCategory({ namingTemplate: null, mediaTypes: [] })
  const batch = await makeBatch({ mediaCategoryId: category.id })
  const { token } = await makeToken(await makeUser({ role: 'administrator' }))
  const form = new FormData()
  form.append('file', new Blob([text]), name)
  const written = new Request('http://localhost', { method: 'POST', body: form })
  const params = { project_id: batch.projectId, batch_id: batch.id }
  const { POST } = await import('@/app/api/projects/[project_id]/batches/[batch_id]/files/route')
  const url = `/api/projects/${batch.projectId}/batches/${batch.id}/files`
  const response = await send(POST, 'POST', url, {
    params,
    token,
    body: Buffer.from(await written.arrayBuffer()),
    headers: { 'content-type': written.headers.get('content-type') ?? '' },
  })
  return { response, params, token }
}

describe('a VAST tag', () => {
  it('is taken, shown as text, and checked for what players need', async () => {
    const tag = vast({ files: [{ address: 'http://cdn.example/spot.mp4' }], events: ['start', 'complete'] })
    const { response, params, token } = await upload('spring.xml', tag)
    expect(response.status, await response.clone().text()).toBe(201)
    const { id, media } = (await response.json()) as { id: string; media: { type: string; kind: string } }
    expect(media).toMatchObject({ kind: 'other' })

    await drawPreviews(context(), { file_id: id })
    const { GET } = await import('@/app/api/projects/[project_id]/batches/[batch_id]/files/[file_id]/preview/route')
    const url = `/api/projects/${params.project_id}/batches/${params.batch_id}/files/${id}/preview`
    const preview = await send(GET, 'GET', url, { params: { ...params, file_id: id }, token })
    expect(preview.status).toBe(200)
    expect(preview.headers.get('content-type')).toBe('image/webp')

    const [file] = await database().db.select().from(files).where(eq(files.id, id))
    if (!file) throw new Error('The file is gone.')
    const queued = await makeResult(file, { status: 'queued', summary: null, completedAt: null })
    await runPreQc(context(), { result_id: queued.id })
    const [result] = await database().db.select().from(preQcResults).where(eq(preQcResults.id, queued.id))
    const lines = result?.checks as CheckLine[]
    const found = Object.fromEntries(lines.map(({ check_id, status }) => [check_id, status]))
    expect(found).toMatchObject({ integrity_check: 'pass', vast_structure_check: 'pass' })
    expect(['fail', 'warning']).toContain(found.vast_address_check)
    expect(lines.find(({ check_id }) => check_id === 'vast_address_check')?.details).toContain('http://cdn.example')
  })

  it('with a document type is refused before it is stored, and says how to fix it', async () => {
    const { response, params } = await upload('spring.xml', vast().replace('<VAST', '<!DOCTYPE VAST>\n<VAST'))
    expect(response.status).toBe(422)
    expect(await response.text()).toContain('DOCTYPE')
    expect(await database().db.select().from(files).where(eq(files.batchId, params.batch_id))).toEqual([])
  })
})
