import { afterAll, expect, test } from 'vitest'
import { makeBatch, makeFile, makeProject, makeResult, makeToken, makeUser } from '@/fixtures/factories'
import { closePrinter } from '@/lib/adapters/printer/printer'
import { readPdf } from '@/lib/pdf/testing'
import type { Handler } from './endpoint'
import { routes, send } from './testing'

afterAll(closePrinter)

const BATCH = '/api/projects/{project_id}/batches/{batch_id}'

test('a batch is printed as a certificate and as a report, for those who see it', async () => {
  const operator = await makeUser({ role: 'operator' })
  const { token } = await makeToken(operator)
  const stranger = (await makeToken(await makeUser({ role: 'coordinator' }))).token
  const project = await makeProject({ members: [operator] })
  const batch = await makeBatch({
    name: 'Banners “A/B”',
    projectId: project.id,
    status: 'approved',
    round: 1,
    reviewedAt: new Date(),
  })
  const file = await makeFile(batch, { name: 'hero.png', decision: 'approved', decidedAt: new Date() })
  await makeResult(file, { summary: 'pass' })
  const params = { project_id: project.id, batch_id: batch.id }
  const ask = async (method: 'GET' | 'POST', path: string, by = token, query = '') => {
    const handlers: Record<string, Handler> = await import(routes[`${BATCH}${path}`] ?? '')
    const handler = handlers[method]
    if (!handler) throw new Error(`${path} has no ${method}.`)
    return send(handler, method, `/${query}`, { params, token: by })
  }

  expect((await ask('GET', '/certificate/pdf')).status).toBe(409)
  expect((await ask('POST', '/certificate')).status).toBe(200)
  const certificate = await ask('GET', '/certificate/pdf')
  expect(certificate.headers.get('content-type')).toBe('application/pdf')
  expect(certificate.headers.get('content-disposition')).toMatch(/^attachment; .*filename\*=UTF-8''Banners%20/)
  const printed = await readPdf(Buffer.from(await certificate.arrayBuffer()))
  expect(JSON.stringify(printed.pages)).toContain(file.sha256)

  const report = await ask('GET', '/report', token, '?format=pdf')
  expect((await readPdf(Buffer.from(await report.arrayBuffer()))).pages[0]?.text).toContain('hero.png')
  expect((await ask('GET', '/certificate/pdf', stranger)).status).toBe(404)
  expect((await ask('GET', '/report', stranger, '?format=pdf')).status).toBe(404)
})
