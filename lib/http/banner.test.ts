import { randomUUID } from 'node:crypto'
import { finished } from 'node:stream/promises'
import { expect, test } from 'vitest'
import { makeBatch, makeFile, makeProject, makeToken, makeUser } from '@/fixtures/factories'
import { zip } from '@/fixtures/zip'
import { service } from '@/lib/service'
import type { Handler } from './endpoint'
import { BASE_URL, routes, send } from './testing'

const PART = '/api/banners/{token}/{path}'
const BANNER = '/api/projects/{project_id}/batches/{batch_id}/files/{file_id}/banner'

async function ask(route: string, params: Record<string, string>, token?: string) {
  const handlers: Record<string, Handler> = await import(routes[route] ?? '')
  if (!handlers.GET) throw new Error(`${route} has no GET.`)
  return send(handlers.GET, 'GET', '/', { params, token })
}

async function ad() {
  const user = await makeUser({ role: 'viewer' })
  const { token } = await makeToken(user)
  const project = await makeProject({ members: [user] })
  const batch = await makeBatch({ projectId: project.id })
  const { blobs } = service().ports
  const staged = await blobs.stage()
  const writable = await staged.writable()
  writable.end(
    zip([
      ['index.html', '<script src="a b.js"></script>'],
      ['a b.js', 'document.title = 1'],
      ['notes.exe', 'MZ'],
    ]),
  )
  await finished(writable)
  const objectKey = `files/${randomUUID()}` as const
  await blobs.commit(staged, objectKey)
  const file = await makeFile(batch, {
    name: 'ad.zip',
    kind: 'archive',
    mediaType: 'application/zip',
    objectKey,
    media: { entryPoints: ['index.html'] },
  })
  const params = { project_id: project.id, batch_id: batch.id, file_id: file.id }
  const opened = await (await ask(BANNER, params, token)).json()
  return { pass: opened.url.slice(`${BASE_URL}/api/banners/`.length, -'/index.html'.length) as string }
}

test('a part of an ad comes without a session, and can load nothing but its own archive', async () => {
  const { pass } = await ad()
  const page = await ask(PART, { token: pass, path: 'index.html' })
  expect(page.status).toBe(200)
  expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8')
  expect(page.headers.get('x-content-type-options')).toBe('nosniff')
  expect(page.headers.get('referrer-policy')).toBe('no-referrer')
  const policy = page.headers.get('content-security-policy') ?? ''
  expect(policy).toContain('sandbox allow-scripts;')
  expect(policy).not.toContain('allow-same-origin')
  expect(policy).not.toContain("'self' data:")
  expect(policy).toContain(`/api/banners/${pass}/ data: blob:`)
  expect(policy).toContain("form-action 'none'")

  const script = await ask(PART, { token: pass, path: 'a b.js' })
  expect(await script.text()).toBe('document.title = 1')
  expect(script.headers.get('content-type')).toBe('text/javascript; charset=utf-8')
  const unknown = await ask(PART, { token: pass, path: 'notes.exe' })
  expect(unknown.headers.get('content-type')).toBe('application/octet-stream')
})

test('what is not in the archive, and what was not sealed by us, is not found', async () => {
  const { pass } = await ad()
  for (const path of ['none.js', '../index.html', '/etc/passwd', 'INDEX.HTML', '']) {
    expect((await ask(PART, { token: pass, path })).status, path).toBe(404)
  }
  for (const token of ['x', `${pass.slice(0, -2)}AA`, pass.toLowerCase(), '..%2f..']) {
    expect((await ask(PART, { token, path: 'index.html' })).status, token).toBe(404)
  }
})
