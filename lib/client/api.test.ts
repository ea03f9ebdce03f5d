import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http'
import { afterEach, expect, it } from 'vitest'
import { ApiProblem, api, apiRequest, problemFrom } from './api'
import { readVersion } from './use-edit-form'

let server: Server | undefined
const realFetch = globalThis.fetch

afterEach(async () => {
  globalThis.fetch = realFetch
  await new Promise((done) => (server ? server.close(done) : done(undefined)))
  server = undefined
})

/** A server on the loopback address; relative addresses lead to it, as they lead to the page's own origin in a browser. */
async function serve(listener: RequestListener): Promise<void> {
  server = createServer({ keepAliveTimeout: 65_000 }, listener)
  await new Promise<void>((done) => server?.listen(0, '127.0.0.1', done))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The test server has no port')
  globalThis.fetch = (input, init) => realFetch(new URL(String(input), `http://127.0.0.1:${address.port}`), init)
}

async function problemOf(promise: Promise<unknown>): Promise<ApiProblem> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (!(error instanceof ApiProblem)) throw new Error('The call was expected to be refused')
  return error
}

it('sends JSON with its idempotency key and gives back the response', async () => {
  let seen: IncomingMessage | undefined
  let sent = ''
  await serve((request, response) => {
    seen = request
    request.on('data', (chunk) => {
      sent += chunk
    })
    request.on('end', () => response.writeHead(201, { 'content-type': 'application/json' }).end('{"id":"7"}'))
  })
  const body = { name: 'Spring', agency_id: 'a' }
  await expect(api('POST /api/projects', { body, idempotencyKey: 'k1' })).resolves.toEqual({ id: '7' })
  expect(seen?.method).toBe('POST')
  expect(seen?.headers).toMatchObject({ 'content-type': 'application/json', 'idempotency-key': 'k1' })
  expect(JSON.parse(sent)).toEqual(body)
})

it('reads a problem document with its fields and request id', async () => {
  await serve((_, response) =>
    response.writeHead(422, { 'content-type': 'application/problem+json' }).end(
      JSON.stringify({
        status: 422,
        code: 'validation_failed',
        detail: 'One value is wrong.',
        request_id: 'r-1',
        errors: [{ path: 'name', code: 'too_small', message: 'Name is empty.' }, 'nonsense'],
      }),
    ),
  )
  const problem = await problemOf(api('POST /api/projects', { body: { name: '', agency_id: '' } }))
  expect(problem).toMatchObject({
    status: 422,
    code: 'validation_failed',
    detail: 'One value is wrong.',
    requestId: 'r-1',
  })
  expect(problem.errors).toEqual([{ path: 'name', code: 'too_small', message: 'Name is empty.' }])
  expect(problem.isTransient).toBe(false)
})

it('explains a response that is no problem document, such as the page of a proxy', async () => {
  await serve((_, response) => response.writeHead(502, { 'x-request-id': 'r-2' }).end('<h1>Bad gateway</h1>'))
  const problem = await problemOf(api('GET /api/projects'))
  expect(problem).toMatchObject({ status: 502, code: 'unexpected', requestId: 'r-2', isTransient: true })
  expect(problem.detail).not.toContain('<')
})

it('says in a sentence that the server could not be reached', async () => {
  await serve((request) => request.socket.destroy())
  const problem = await problemOf(api('GET /api/projects'))
  expect(problem).toMatchObject({ status: 0, code: 'network', isTransient: true })
  expect(problem.detail).toContain('could not be reached')
})

it('lets a cancelled call reject as cancelled, not as a lost connection', async () => {
  await serve(() => {})
  const abort = new AbortController()
  const call = api('GET /api/projects', { signal: abort.signal })
  abort.abort()
  await expect(call).rejects.toMatchObject({ name: 'AbortError' })
})

it('gives undefined for a response without content', async () => {
  await serve((_, response) => response.writeHead(204).end())
  await expect(api('POST /api/notifications/read-all')).resolves.toBeUndefined()
})

it('keeps the parts that only some problems have', () => {
  const problem = problemFrom(409, '{"code":"invalid_state","current":"approved"}', new Headers({ 'Retry-After': '7' }))
  expect(problem.body.current).toBe('approved')
  expect(problem.retryAfterSeconds).toBe(7)
})

it('writes parameters and query into the path, each encoded', () => {
  expect(apiRequest('GET /api/projects')).toEqual({ method: 'GET', path: '/api/projects' })
  const params = { result_id: 'r 1', check_id: 'a/b' }
  expect(
    apiRequest('POST /api/pre-qc/results/{result_id}/checks/{check_id}/waive', { params, body: { reason: 'known' } }),
  ).toEqual({ method: 'POST', path: '/api/pre-qc/results/r%201/checks/a%2Fb/waive', body: { reason: 'known' } })
  expect(apiRequest('GET /api/search', { query: { q: 'a b&c' } }).path).toBe('/api/search?q=a%20b%26c')
  const query = { batchId: 'b', fileId: undefined, limit: 5 }
  expect(apiRequest('GET /api/pre-qc/results', { query }).path).toBe('/api/pre-qc/results?batchId=b&limit=5')
})

it('reads what a request would change, with its ETag', async () => {
  let seen: IncomingMessage | undefined
  await serve((request, response) => {
    seen = request
    response.writeHead(200, { 'content-type': 'application/json', etag: '"v2"' }).end('{"name":"Spring"}')
  })
  const change = apiRequest('PATCH /api/projects/{project_id}', {
    params: { project_id: '7' },
    body: {},
    ifMatch: '"v1"',
  })
  await expect(readVersion(change)).resolves.toEqual({ body: { name: 'Spring' }, etag: '"v2"' })
  expect([seen?.method, seen?.url, seen?.headers['if-match']]).toEqual(['GET', '/api/projects/7', undefined])
})
