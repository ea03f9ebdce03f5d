import { randomUUID } from 'node:crypto'
import { pipeline } from 'node:stream/promises'
import { eq } from 'drizzle-orm'
import { afterEach, describe, expect, it } from 'vitest'
import { GET as watch } from '@/app/api/public/review-links/[token]/live/route'
import { database } from '@/db/client'
import { playbackProxies } from '@/db/schema/playback'
import { makeBatch, makeFile, makePlaybackProxy, makeProject, makeReviewLink, makeUser } from '@/fixtures/factories'
import { updateBatch } from '@/lib/domain/batches/commands'
import { sha256Hex } from '@/lib/domain/kernel/sha256'
import { pieceKey } from '@/lib/domain/playback/pieces'
import { deactivateReviewLink, updateReviewLink } from '@/lib/domain/review-links/staff'
import { as } from '@/lib/domain/testing'
import { service } from '@/lib/service'
import { currentSnapshot } from './snapshot'
import { send } from './testing'

async function scene(given: Parameters<typeof makeReviewLink>[1] = {}) {
  const coordinator = await makeUser({ role: 'coordinator' })
  const project = await makeProject({ members: [coordinator] })
  const batch = await makeBatch({ projectId: project.id, status: 'in_review' })
  const token = randomUUID()
  const sealed = { tokenHash: sha256Hex(token), tokenEncrypted: service().ports.secrets.encrypt(token) }
  const link = await makeReviewLink(batch, { ...sealed, createdBy: coordinator.id, ...given }, token)
  return { coordinator, project, batch, token, link }
}

const open: ReadableStreamDefaultReader<Uint8Array>[] = []
afterEach(async () => {
  for (const reader of open.splice(0)) await reader.cancel()
})

/** What an open page of the link hears, one event after the other; null once the line was closed. */
async function listen(token: string, query = '') {
  const response = await send(watch, 'GET', `/api/public/review-links/${token}/live${query}`, { params: { token } })
  expect(response.status).toBe(200)
  const reader = response.body?.getReader()
  if (!reader) throw new Error('There is no stream.')
  open.push(reader)
  let buffer = ''
  const next = async (): Promise<string | null> => {
    for (;;) {
      const end = buffer.indexOf('\n\n')
      if (end >= 0) {
        const said = buffer.slice(0, end)
        buffer = buffer.slice(end + 2)
        if (said.includes('data: ')) return said
        continue
      }
      const { value, done } = await reader.read()
      if (done) return null
      buffer += new TextDecoder().decode(value)
    }
  }
  return next
}

const ENDED = 'event: ended\ndata: {}'

describe('the open page of a review link', () => {
  it('hears that something changed, and nothing of what it was', async () => {
    const { coordinator, project, batch, token } = await scene()
    // The first of this process to listen: without this, what happens before the database is heard would be missed.
    const next = await listen(token, `?since=${await currentSnapshot()}`)
    const at = { project_id: project.id, batch_id: batch.id }
    await updateBatch.execute(as(coordinator), at, { name: 'Another name' })
    expect(await next()).toBe('data: {}')
  })

  it('hears that its link was switched off, and its line is closed', async () => {
    const { coordinator, token, link } = await scene()
    const next = await listen(token)
    await deactivateReviewLink.execute(as(coordinator), { review_link_id: link.id })
    expect(await next()).toBe(ENDED)
    expect(await next()).toBeNull()
    const after = await send(watch, 'GET', `/api/public/review-links/${token}/live`, { params: { token } })
    expect(after.status).toBe(410)
  })

  it('hears that its link expires, also where the expiry was moved', async () => {
    const { coordinator, token, link } = await scene()
    const next = await listen(token)
    const soon = new Date(Date.now() + 1500).toISOString()
    await updateReviewLink.execute(as(coordinator), { review_link_id: link.id }, { expires_at: soon })
    expect(await next()).toBe('data: {}')
    expect(await next()).toBe(ENDED)
  })

  it('plays a file inline with a head that runs nothing, whatever its name', async () => {
    const { batch, token } = await scene({ mayDownload: true })
    const { GET } = await import('@/app/api/public/review-links/[token]/files/[file_id]/media/route')
    const file = await makeFile(batch, { name: 'a"\r\nx: y;<b>.mp4', kind: 'video', mediaType: 'video/mp4' })
    const params = { token, file_id: file.id }
    const response = await send(GET, 'HEAD', `/api/public/review-links/${token}/files/${file.id}/media`, { params })
    expect(response.status).toBe(200)
    expect(response.headers.get('content-security-policy')).toContain('sandbox')
    expect(response.headers.get('content-disposition')).toMatch(
      /^inline; filename="a___x: y;<b>.mp4"; filename\*=UTF-8''/,
    )
    expect(response.headers.has('x')).toBe(false)
  })

  it('shows the playback copy of what browsers do not play, under the rules of the file', async () => {
    const { batch, token, link, coordinator } = await scene({})
    const { GET } = await import('@/app/api/public/review-links/[token]/files/[file_id]/playback/media/route')
    const file = await makeFile(batch, {
      name: 'master.mov',
      kind: 'video',
      mediaType: 'video/quicktime',
      media: { kind: 'video', codec: 'prores' },
    })
    const params = { token, file_id: file.id }
    const path = `/api/public/review-links/${token}/files/${file.id}/playback/media`
    expect((await send(GET, 'HEAD', path, { params })).status).toBe(404)
    await makePlaybackProxy(file, { size: 4321 })
    const response = await send(GET, 'HEAD', path, { params })
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('video/mp4')
    expect(response.headers.get('content-length')).toBe('4321')
    expect(response.headers.get('cache-control')).toBe('private, no-cache')
    expect(response.headers.get('content-disposition')).toMatch(/^inline; filename="master.playback.mp4"/)
    const part = await send(GET, 'HEAD', path, { params, headers: { range: 'bytes=0-99' } })
    expect([part.status, part.headers.get('content-range')]).toEqual([206, 'bytes 0-99/4321'])
    await deactivateReviewLink.execute(as(coordinator), { review_link_id: link.id })
    expect((await send(GET, 'HEAD', path, { params })).status).toBe(410)
  })

  it('plays the pieces of a copy while it is made', async () => {
    const { batch, token, link, coordinator } = await scene({})
    const { GET } = await import(
      '@/app/api/public/review-links/[token]/files/[file_id]/playback/pieces/[pieces_id]/[number]/route'
    )
    const file = await makeFile(batch, { name: 'master.mov', kind: 'video', mediaType: 'video/quicktime' })
    const pieces_id = randomUUID()
    const { id } = await makePlaybackProxy(file, {
      status: 'running',
      piecesId: pieces_id,
      pieceStarts: [0],
      piecesEnd: 1,
      piecesWhole: 60,
    })
    const { blobs } = service().ports
    const staged = await blobs.stage()
    await pipeline(['a piece'], await staged.writable())
    await blobs.commit(staged, pieceKey(pieces_id, 0))
    const ask = (number: string, of = pieces_id) =>
      send(GET, 'GET', `/api/public/review-links/${token}/files/${file.id}/playback/pieces/${of}/${number}`, {
        params: { token, file_id: file.id, pieces_id: of, number },
      })
    const response = await ask('0')
    expect([response.status, response.headers.get('content-type'), await response.text()]).toEqual([
      200,
      'video/mp4',
      'a piece',
    ])
    expect(response.headers.get('cache-control')).toBe('private, no-cache')
    for (const number of ['1', '-1', 'x', '0.0']) expect((await ask(number)).status).toBe(404)
    expect((await ask('0', randomUUID())).status).toBe(404)
    await database()
      .db.update(playbackProxies)
      .set({ piecesId: null, pieceStarts: [] })
      .where(eq(playbackProxies.id, id))
    expect((await ask('0')).status).toBe(404)
    await deactivateReviewLink.execute(as(coordinator), { review_link_id: link.id })
    expect((await ask('0')).status).toBe(410)
  })
})
