import { randomUUID } from 'node:crypto'
import { afterEach, expect, test } from 'vitest'
import { GET as watch } from '@/app/api/public/share-links/[token]/live/route'
import { makeBatch, makeFile, makeProject, makeShareLink, makeUser } from '@/fixtures/factories'
import { reviewFile } from '@/lib/domain/review/commands'
import { deactivateShareLink, updateShareLink } from '@/lib/domain/share-links/staff'
import { as } from '@/lib/domain/testing'
import { service } from '@/lib/service'
import { currentSnapshot } from './snapshot'
import { send } from './testing'

/** What the open page of a share link hears. */

async function scene() {
  const coordinator = await makeUser({ role: 'coordinator' })
  const project = await makeProject({ members: [coordinator] })
  const batch = await makeBatch({ projectId: project.id, status: 'in_review', round: 1 })
  const file = await makeFile(batch, { decision: 'approved' })
  const token = randomUUID()
  const tokenEncrypted = service().ports.secrets.encrypt(token)
  const link = await makeShareLink(file, { tokenEncrypted, createdBy: coordinator.id }, token)
  return { coordinator, project, batch, file, token, link }
}

const open: ReadableStreamDefaultReader<Uint8Array>[] = []
afterEach(async () => {
  for (const reader of open.splice(0)) await reader.cancel()
})

async function listen(token: string, query = '') {
  const response = await send(watch, 'GET', `/api/public/share-links/${token}/live${query}`, { params: { token } })
  expect(response.status).toBe(200)
  const reader = response.body?.getReader()
  if (!reader) throw new Error('There is no stream.')
  open.push(reader)
  let buffer = ''
  return async (): Promise<string | null> => {
    for (;;) {
      const end = buffer.indexOf('\n\n')
      if (end < 0) {
        const { value, done } = await reader.read()
        if (done) return null
        buffer += new TextDecoder().decode(value)
        continue
      }
      const said = buffer.slice(0, end)
      buffer = buffer.slice(end + 2)
      if (said.includes('data: ')) return said
    }
  }
}

const snapshot = async () => `?since=${await currentSnapshot()}`

const ENDED = 'event: ended\ndata: {}'

test('it hears that a file lost its approval, and nothing of what it was', async () => {
  const { coordinator, project, batch, file, token } = await scene()
  // The first of this process to listen: without this, what happens before the database is heard would be missed.
  const next = await listen(token, await snapshot())
  const at = { project_id: project.id, batch_id: batch.id, file_id: file.id }
  await reviewFile.execute(as(coordinator), at, { decision: 'reject', comment: 'The old logo' })
  expect(await next()).toBe('data: {}')
})

test('it hears first of what happened since the page was read, and of nothing that the page shows already', async () => {
  const { coordinator, project, batch, file, token, link } = await scene()
  const at = { project_id: project.id, batch_id: batch.id, file_id: file.id }
  const before = await snapshot()
  await reviewFile.execute(as(coordinator), at, { decision: 'reject', comment: 'The old logo' })
  const late = await listen(token, before)
  expect(await late()).toBe('data: {}')

  const after = await snapshot()
  const inTime = await listen(token, after)
  await deactivateShareLink.execute(as(coordinator), { share_link_id: link.id })
  expect(await inTime()).toBe(ENDED)
})

test('it hears within two seconds that the link was switched off, and its line is closed', async () => {
  const { coordinator, token, link } = await scene()
  const next = await listen(token)
  const began = performance.now()
  await deactivateShareLink.execute(as(coordinator), { share_link_id: link.id })
  expect(await next()).toBe(ENDED)
  expect(performance.now() - began).toBeLessThan(2000)
  expect(await next()).toBeNull()
  const after = await send(watch, 'GET', `/api/public/share-links/${token}/live`, { params: { token } })
  expect(after.status).toBe(410)
})

test('it hears that the link expires, also where the expiry was moved', async () => {
  const { coordinator, token, link } = await scene()
  const next = await listen(token)
  const soon = new Date(Date.now() + 1500).toISOString()
  await updateShareLink.execute(as(coordinator), { share_link_id: link.id }, { expires_at: soon })
  expect(await next()).toBe('data: {}')
  expect(await next()).toBe(ENDED)
})
