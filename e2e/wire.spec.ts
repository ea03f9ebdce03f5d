import { once } from 'node:events'
import http, { type IncomingMessage } from 'node:http'
import { gunzipSync } from 'node:zlib'
import type { Page } from '@playwright/test'
import { expect, expectRefusals, test } from './support/test'
import { ask, photo, sendFile, signIn } from './support/workspace'

/** What travels between the product and other programs, before any client makes it agreeable. */

type Named = { id: string; name: string }
type Sent = { method?: string; headers?: Record<string, string> }

/** Asks on a connection of its own: connections are dealt out to the product's processes in turn. */
async function exchange(path: string, { method = 'GET', headers }: Sent = {}) {
  const { hostname, port } = new URL(process.env.GREENROOM_URL ?? '')
  const request = http.request({ hostname, port, path, method, headers, agent: false }).end()
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  const chunks: Buffer[] = []
  for await (const chunk of response) chunks.push(chunk)
  return { status: response.statusCode, headers: response.headers, body: Buffer.concat(chunks) }
}

/** In each of the product's processes, and at the first request of a route as at those that follow. */
async function everyTime(promise: () => Promise<void>) {
  for (let i = 0; i < 6; i++) await promise()
}

async function cookieOf(page: Page) {
  const cookies = await page.context().cookies()
  return { Cookie: cookies.map(({ name, value }) => `${name}=${value}`).join('; ') }
}

test('a download says how long it is, whole, by range, and before it begins', async ({ page }) => {
  await signIn(page, 'admin')
  const { agencies } = await ask<{ agencies: Named[] }>(page, '/api/agencies')
  const { media_categories } = await ask<{ media_categories: Named[] }>(page, '/api/media-categories')
  const project = await ask<Named>(page, '/api/projects', { name: 'Story of the wire', agency_id: agencies[0]?.id })
  const { id: media_category_id } = media_categories.find(({ name }) => name === 'Mixed deliverables') ?? {}
  const batches = `/api/projects/${project.id}/batches`
  const batch = await ask<Named>(page, batches, { name: 'Stills', media_category_id })
  const buffer = await photo(600, 500)
  const { id, size } = await sendFile<Named & { size: number }>(page, `${batches}/${batch.id}/files`, {
    name: 'still.jpg',
    mimeType: 'image/jpeg',
    buffer,
  })
  const path = `${batches}/${batch.id}/files/${id}/download`
  const headers = await cookieOf(page)
  await everyTime(async () => {
    const whole = await exchange(path, { headers: { ...headers, 'Accept-Encoding': 'gzip' } })
    expect([whole.status, whole.headers['content-length']]).toEqual([200, String(size)])
    expect(whole.body.equals(buffer)).toBe(true)
    const part = await exchange(path, { headers: { ...headers, Range: 'bytes=5-14' } })
    expect(part.headers).toMatchObject({ 'content-length': '10', 'content-range': `bytes 5-14/${size}` })
    expect(part.body.equals(whole.body.subarray(5, 15))).toBe(true)
    const head = await exchange(path, { method: 'HEAD', headers })
    expect([head.headers['content-length'], head.body.length]).toEqual([String(size), 0])
  })
})

test('a long response is compressed for who can read it so', async ({ page }) => {
  await signIn(page, 'admin')
  const headers = await cookieOf(page)
  await everyTime(async () => {
    const plain = await exchange('/api/projects', { headers })
    const packed = await exchange('/api/projects', { headers: { ...headers, 'Accept-Encoding': 'gzip, br' } })
    expect(plain.headers['content-length']).toBe(String(plain.body.length))
    expect(packed.headers).toMatchObject({
      'content-encoding': 'gzip',
      'content-length': String(packed.body.length),
      vary: expect.stringContaining('Accept-Encoding'),
      'content-type': 'application/json',
    })
    expect(packed.body.length).toBeLessThan(plain.body.length)
    expect(JSON.parse(gunzipSync(packed.body).toString())).toHaveProperty('projects')
  })
})

test('an address that cannot be decoded names nothing, and fails nothing', async () => {
  for (const path of ['/api/projects/%zz', '/api/%E0%A4%A', '/api/public/upload-links/%', '/api/%']) {
    const { status, headers, body } = await exchange(path)
    expect([path, status, headers['content-type']]).toEqual([path, expect.any(Number), 'application/problem+json'])
    expect([401, 404], path).toContain(status)
    expect(JSON.parse(body.toString()).request_id).toBe(headers['x-request-id'])
  }
  for (const [path, status] of [
    ['/u/%zz', 404],
    ['/projects/%E0%A4%A', 307],
    ['/%', 404],
    // Resolved first, as Next does with pages.
    ['/api/../%zz', 308],
    ['/%25zz', 404],
  ] as const) {
    expect([path, (await exchange(path)).status]).toEqual([path, status])
  }
})

test('what names nothing, or expects what is unknown, is no fault of ours', async () => {
  expect((await exchange('*')).status).toBe(400)
  expect((await exchange('*', { method: 'OPTIONS' })).status).toBe(400)
  expect((await exchange('/api/health/live', { headers: { Expect: '200-ok' } })).status).toBe(200)
  const { status, headers } = await exchange('/api/auth/session?callbackUrl=javascript:1')
  expect([status, headers['content-type']]).toEqual([400, 'application/problem+json'])
})

test('a router whose state cannot be read gets its page', async () => {
  for (const state of ['%zz', 'docs', '%7B%22a%22%3A1%7D']) {
    const headers = { RSC: '1', 'Next-Router-State-Tree': state }
    const first = await exchange('/docs/errors', { headers })
    expect([state, first.status]).toEqual([state, 307])
    // Next names the response by the headers of its question, in `_rsc`.
    const { pathname, search } = new URL(first.headers.location ?? '', 'http://own.invalid')
    const { status, headers: responseHeaders } = await exchange(pathname + search, { headers })
    expect([state, status, responseHeaders['content-type']]).toEqual([state, 200, 'text/x-component'])
  }
})

test('the interface responds alike however its address is written', async ({ page }) => {
  await signIn(page, 'admin')
  const headers = await cookieOf(page)
  const unknown = await exchange('/api/nothing/of/this/name')
  expect([unknown.status, JSON.parse(unknown.body.toString()).code]).toEqual([404, 'not_found'])
  await everyTime(async () => {
    const wrong = await exchange('/api/projects', { method: 'PUT' })
    expect([wrong.status, wrong.headers.allow]).toEqual([405, 'GET, POST'])
    for (const method of ['TRACE', 'PROPFIND']) {
      const { status, headers, body } = await exchange('/api/projects', { method })
      expect([method, status, headers.allow]).toEqual([method, 405, 'GET, POST'])
      expect(JSON.parse(body.toString())).toMatchObject({
        code: 'method_not_allowed',
        detail: expect.stringContaining(method),
      })
    }
    const options = await exchange('/api/projects', { method: 'OPTIONS' })
    expect([options.status, options.headers.allow]).toEqual([204, 'GET, POST'])
    // What Next writes into addresses for itself, sent by a client, is an unknown parameter.
    const meant = await exchange('/api/projects/one?nxtPproject_id=another', { headers })
    expect([meant.status, JSON.parse(meant.body.toString()).detail]).toEqual([404, 'There is no project “one”.'])
    for (const path of ['/api/projects/', '/api//projects']) {
      const { status, headers } = await exchange(path)
      expect([path, status, headers.location]).toEqual([path, 308, '/api/projects'])
    }
  })
})

test('an unknown public address is a page that says so, and a 404 to who reads no pages', async ({
  page,
  complaints,
}) => {
  for (const [path, says] of [
    ['/u/AAAAAAAAAAAAAAAA', 'There is no such upload link'],
    ['/e/AAAAAAAAAAAAAAAA', 'There is no estimate at this address'],
    ['/s/AAAAAAAAAAAAAAAA', 'There is no scorecard at this address'],
    ['/verify/AAAAAAAA', 'There is no certificate at this address'],
  ] as const) {
    expect([path, (await exchange(path)).status]).toEqual([path, 404])
    await page.goto(path)
    await expect(page.getByRole('heading', { name: says })).toBeVisible()
  }
  expectRefusals(complaints, 404)
})
