import { eq, sql } from 'drizzle-orm'
import postgres from 'postgres'
import { afterEach, describe, expect, it, vi } from 'vitest'
import * as unknownPath from '@/app/api/[...unknown]/route'
import * as agenciesRoute from '@/app/api/agencies/route'
import * as projectRoute from '@/app/api/projects/[project_id]/route'
import * as projectsRoute from '@/app/api/projects/route'
import * as tokensRoute from '@/app/api/tokens/route'
import { database } from '@/db/client'
import { apiTokens, users } from '@/db/schema/directory'
import { idempotencyKeys } from '@/db/schema/operations'
import { projects } from '@/db/schema/projects'
import { makeAgency, makeProject, makeToken, makeUser, type UserRow } from '@/fixtures/factories'
import { StorageUnavailable } from '@/lib/domain/kernel/blob-store'
import { log } from '@/lib/log'
import { endpoint } from './endpoint'
import { routeOf } from './idempotency'
import { BASE_URL, send, sessionOf } from './testing'

afterEach(() => vi.restoreAllMocks())

const problemOf = async (response: Response) => {
  expect(response.headers.get('content-type')).toBe('application/problem+json')
  const problem = await response.json()
  expect(problem).toMatchObject({ status: response.status, type: `${BASE_URL}/docs/errors#${problem.code}` })
  expect(problem.request_id).toBe(response.headers.get('x-request-id'))
  return problem
}

async function someone(role: UserRow['role'] = 'coordinator') {
  const user = await makeUser({ role })
  return { user, token: (await makeToken(user)).token }
}

const list = (token?: string, query = '', headers?: Record<string, string>) =>
  send(projectsRoute.GET, 'GET', `/api/projects${query}`, { token, headers })

describe('who asks', () => {
  it('must be said: no client gets a 401 that says how', async () => {
    const response = await list()
    expect(response.status).toBe(401)
    expect(response.headers.get('www-authenticate')).toMatch(/^Bearer/)
    expect(await problemOf(response)).toMatchObject({ code: 'unauthenticated' })
  })

  it('is asked before the body is read', async () => {
    const response = await send(projectsRoute.POST, 'POST', '/api/projects', { body: '{"broken' })
    expect(response.status).toBe(401)
  })

  it('is known by a token, until it expires, is revoked or its user is disabled', async () => {
    const { user, token } = await someone()
    expect((await list(token)).status).toBe(200)
    const change = async (values: Partial<typeof apiTokens.$inferInsert>) => {
      await database().db.update(apiTokens).set(values).where(eq(apiTokens.userId, user.id))
      return (await list(token)).status
    }
    expect(await change({ expiresAt: new Date(Date.now() - 1) })).toBe(401)
    expect(await change({ expiresAt: new Date(Date.now() + 60_000) })).toBe(200)
    expect(await change({ revokedAt: new Date() })).toBe(401)
    expect(await change({ revokedAt: null })).toBe(200)
    await database().db.update(users).set({ disabledAt: new Date() }).where(eq(users.id, user.id))
    expect((await list(token)).status).toBe(401)
  })

  it('is not guessed from anything else', async () => {
    const { token } = await someone()
    const wrong = [`Bearer ${token}x`, `Basic ${token}`, token, 'Bearer', 'Bearer ', `Bearer ${token} ${token}`, '']
    for (const authorization of wrong) {
      const response = await list(undefined, '', { authorization })
      expect({ authorization, status: response.status }).toEqual({ authorization, status: 401 })
    }
  })

  it('is known by a session, until it ends everywhere', async () => {
    const { user } = await someone()
    const session = await sessionOf(user)
    const status = async (cookie: string) =>
      (await send(projectsRoute.GET, 'GET', '/api/projects', { session: cookie })).status
    expect(await status(session)).toBe(200)
    expect(await status(await sessionOf(user, 'another secret, of an attacker who would like to sign in'))).toBe(401)
    expect(await status('rubbish')).toBe(401)
    await database().db.update(users).set({ sessionVersion: 2 }).where(eq(users.id, user.id))
    expect(await status(session)).toBe(401)
    expect(await status(await sessionOf({ ...user, sessionVersion: 2 }))).toBe(200)
    await database().db.update(users).set({ disabledAt: new Date() }).where(eq(users.id, user.id))
    expect(await status(await sessionOf({ ...user, sessionVersion: 2 }))).toBe(401)
  })
})

describe('a change with a browser session', () => {
  const attempt = async (headers: Record<string, string>) => {
    const { user } = await someone('administrator')
    const response = await send(agenciesRoute.POST, 'POST', '/api/agencies', {
      session: await sessionOf(user),
      headers: { host: 'localhost:4400', ...headers },
      body: { name: `Agency of ${user.name}`, code: user.id.slice(-12) },
    })
    if (response.status !== 403) return response.status
    return (await problemOf(response)).code
  }

  it.each<Record<string, string>>([
    { origin: BASE_URL },
    { origin: BASE_URL, 'sec-fetch-site': 'same-origin' },
    { 'sec-fetch-site': 'same-origin' },
  ])('is taken from our own pages: %j', async (headers) => expect(await attempt(headers)).toBe(201))

  it.each<Record<string, string>>([
    {},
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { origin: '' },
    { origin: 'http://localhost:4401' },
    { origin: `${BASE_URL}.evil.example` },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-site': 'none' },
    { origin: BASE_URL, 'sec-fetch-site': 'cross-site' },
    { origin: 'https://evil.example', 'sec-fetch-site': 'same-origin' },
  ])('is taken from nowhere else: %j', async (headers) => expect(await attempt(headers)).toBe('csrf'))

  it('is another matter than reading, and than a token', async () => {
    const { user, token } = await someone('administrator')
    const headers = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }
    expect(
      (await send(projectsRoute.GET, 'GET', '/api/projects', { session: await sessionOf(user), headers })).status,
    ).toBe(200)
    const body = { name: 'By token', code: 'BYTOKEN' }
    expect((await send(agenciesRoute.POST, 'POST', '/api/agencies', { token, headers, body })).status).toBe(201)
  })
})

describe('every response', () => {
  it('carries a request id, the caller’s own when it is a sane one, and is never cached', async () => {
    const { token } = await someone()
    const own = await list(token, '', { 'x-request-id': 'job-7:step.2_a' })
    expect(own.headers.get('x-request-id')).toBe('job-7:step.2_a')
    for (const insane of ['a b', 'x'.repeat(129), 'a"b', '<script>']) {
      const response = await list(token, '', { 'x-request-id': insane })
      expect(response.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
    }
    for (const response of [own, await list()]) {
      expect(response.headers.get('cache-control')).toBe('private, no-store')
      expect(response.headers.get('x-content-type-options')).toBe('nosniff')
    }
  })

  it('to a method that is not there says which are', async () => {
    const { token } = await someone()
    for (const [method, handler] of [
      ['PUT', projectsRoute.PUT],
      ['PATCH', projectsRoute.PATCH],
      ['DELETE', projectsRoute.DELETE],
    ] as const) {
      const response = await send(handler, method, '/api/projects', { token })
      expect(response.status).toBe(405)
      expect(response.headers.get('allow')).toBe('GET, POST')
      expect(await problemOf(response)).toMatchObject({ code: 'method_not_allowed' })
    }
  })

  it('to OPTIONS says which methods there are, by their own', async () => {
    const take = async () => new Response()
    for (const [handler, path, allowed] of [
      [projectsRoute.GET, '/api/projects', 'GET, POST'],
      [endpoint({ POST: take }).GET, '/api/only-post', 'POST'],
    ] as const) {
      const response = await send(handler, 'OPTIONS', path)
      expect([response.status, response.headers.get('allow'), await response.text()]).toEqual([204, allowed, ''])
    }
  })

  it('to a path that is not there is a problem, too', async () => {
    const response = await send(unknownPath.POST, 'POST', '/api/nothing/here')
    expect(response.status).toBe(404)
    expect((await problemOf(response)).detail).toContain('/api/nothing/here')
  })

  it('to a fault of ours shows nothing of its inside', async () => {
    const fail = () => Promise.reject(new Error('password=hunter2 at /srv/secret.ts'))
    const response = await send(endpoint({ GET: fail }).GET, 'GET', '/api/broken')
    expect(response.status).toBe(500)
    expect(JSON.stringify(await problemOf(response))).not.toMatch(/hunter2|secret\.ts/)
  })

  it('while the database is gone says so, and when to try again', async () => {
    const ask = async () => {
      await postgres('postgresql://unknown@127.0.0.1:1/none', { max: 1 })`select 1`
      return new Response()
    }
    const noted = vi.spyOn(log, 'error')
    const response = await send(endpoint({ GET: ask }).GET, 'GET', '/api/gone')
    expect(response.status).toBe(503)
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0)
    const problem = await problemOf(response)
    expect(problem).toMatchObject({ code: 'unavailable' })
    const reason = expect.stringContaining('ECONNREFUSED')
    expect(noted.mock.calls).toEqual([[{ request_id: problem.request_id, reason }, 'not available']])
  })

  it('that the storage has no room for says so, and the log has the reason', async () => {
    const noted = vi.spyOn(log, 'error')
    const fail = () => Promise.reject(new StorageUnavailable('full', 'The disk has 3 MiB free.'))
    const response = await send(endpoint({ POST: fail }).POST, 'POST', '/api/full')
    expect(response.status).toBe(503)
    const problem = await problemOf(response)
    expect(problem.detail).toMatch(/^The file storage is full\. Nothing was stored;/)
    expect(noted.mock.calls).toEqual([
      [{ request_id: problem.request_id, reason: 'The disk has 3 MiB free.' }, 'not available'],
    ])
  })
})

describe('a body', () => {
  const post = async (body: unknown, headers?: Record<string, string>) => {
    const { token } = await someone('administrator')
    return send(agenciesRoute.POST, 'POST', '/api/agencies', { token, body, headers })
  }

  it.each([
    ['{"name": "A"', 'invalid_json', 400],
    ['name=A', 'invalid_json', 400],
    [new Uint8Array([0x7b, 0xff, 0x7d]), 'invalid_json', 400],
    ['[]', 'validation_failed', 422],
    ['null', 'validation_failed', 422],
    ['"text"', 'validation_failed', 422],
    ['', 'validation_failed', 422],
    ['{}', 'validation_failed', 422],
  ])('that reads %j is refused as %s', async (body, code, status) => {
    const response = await post(body)
    expect(response.status).toBe(status)
    expect(await problemOf(response)).toMatchObject({ code })
  })

  it('is JSON and says so', async () => {
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x']) {
      const response = await post('{"name":"A","code":"A"}', { 'content-type': type })
      expect(response.status).toBe(415)
      expect((await problemOf(response)).detail).toContain(type.split(';')[0])
    }
    const named = { 'content-type': 'application/vnd.api+json; charset=utf-8' }
    expect((await post('{"name":"Named","code":"NAMED"}', named)).status).toBe(201)
  })

  it('names each wrong field with a path, a code and a sentence', async () => {
    const response = await post({ name: '', code: 'A B', colour: 'red' })
    expect(response.status).toBe(422)
    const { errors } = await problemOf(response)
    expect(errors.map((error: { path: string; code: string }) => [error.path, error.code]).sort()).toEqual([
      ['code', 'invalid_format'],
      ['colour', 'unrecognized_keys'],
      ['name', 'too_small'],
    ])
    for (const { message } of errors) expect(message).toMatch(/\.$/)
  })

  it('has an end: a larger one is refused, whether it says its length or not', async () => {
    const large = `{"name":"${'x'.repeat(9 * 1024 * 1024)}","code":"L"}`
    expect((await post(large, { 'content-length': String(large.length) })).status).toBe(413)
    const streamed = new ReadableStream({
      start(controller) {
        for (let i = 0; i < 9; i++) controller.enqueue(new Uint8Array(1024 * 1024).fill(0x20))
        controller.close()
      },
    })
    const response = await post(streamed)
    expect(response.status).toBe(413)
    expect(await problemOf(response)).toMatchObject({ code: 'body_too_large' })
  })
})

describe('a query', () => {
  it.each(['?limit=0', '?limit=501', '?limit=x', '?limit=1&limit=2', '?colour=red', '?cursor=zzz', '?__proto__=1'])(
    'of %s is refused',
    async (query) => {
      const { token } = await someone()
      const response = await list(token, query)
      expect(response.status).toBe(400)
      const problem = await problemOf(response)
      expect(problem.code).toBe('invalid_query')
      expect(problem.errors).toHaveLength(1)
    },
  )
})

describe('what was created and what is there', () => {
  it('comes with its address, and is found there the same, with a tag', async () => {
    const { token } = await someone()
    const agency = await makeAgency()
    const created = await send(projectsRoute.POST, 'POST', '/api/projects', {
      token,
      body: { name: 'Here', agency_id: agency.id },
    })
    expect(created.status).toBe(201)
    const project = await created.json()
    expect(created.headers.get('location')).toBe(`/api/projects/${project.id}`)
    const got = await send(projectRoute.GET, 'GET', `/api/projects/${project.id}`, {
      token,
      params: { project_id: project.id },
    })
    expect(await got.json()).toEqual(project)
    expect(got.headers.get('etag')).toMatch(/^"[\w-]+"$/)
    const listed = await (await list(token)).json()
    expect(listed).toMatchObject({ projects: [{ id: project.id, name: 'Here', status: 'active' }], next_cursor: null })
    expect(Object.keys(listed.projects[0])).toEqual(
      expect.arrayContaining(['id', 'name', 'status', 'agency', 'created_at']),
    )
  })

  it('changes only from what was read, when the tag is sent along', async () => {
    const { user, token } = await someone()
    const other = await someone()
    const { id } = await makeProject({ members: [user, other.user] })
    const at = { token, params: { project_id: id } }
    const tag = (await send(projectRoute.GET, 'GET', `/api/projects/${id}`, at)).headers.get('etag') ?? ''
    const patch = (name: string, ifMatch: string) =>
      send(projectRoute.PATCH, 'PATCH', `/api/projects/${id}`, {
        ...at,
        body: { name },
        headers: { 'if-match': ifMatch },
      })
    const both = await Promise.all([patch('One', tag), patch('Two', tag)])
    expect(both.map(({ status }) => status).sort()).toEqual([200, 412])
    const refused = both.find(({ status }) => status === 412)
    expect(await problemOf(refused as Response)).toMatchObject({
      code: 'stale',
      changed_by: { name: user.name, is_you: true },
    })
    const late = await send(projectRoute.PATCH, 'PATCH', `/api/projects/${id}`, {
      ...at,
      token: other.token,
      body: { name: 'Three' },
      headers: { 'if-match': tag },
    })
    expect(await problemOf(late)).toMatchObject({ changed_by: { name: user.name, is_you: false } })
    const next = (await send(projectRoute.GET, 'GET', `/api/projects/${id}`, at)).headers.get('etag') ?? ''
    expect((await patch('Three', next)).status).toBe(200)
    expect((await patch('Four', next)).status).toBe(412)
  })
})

describe('an Idempotency-Key', () => {
  const create = (token: string, key: string, body: unknown) =>
    send(projectsRoute.POST, 'POST', '/api/projects', { token, body, headers: { 'idempotency-key': key } })
  const named = async (name: string) => database().db.select().from(projects).where(eq(projects.name, name))

  it('makes a repetition get the first response, and nothing happen twice', async () => {
    const { token } = await someone()
    const body = { name: 'Once', agency_id: (await makeAgency()).id }
    const first = await create(token, 'k1', body)
    const second = await create(token, 'k1', body)
    expect(first.headers.get('idempotency-replayed')).toBeNull()
    expect(second.headers.get('idempotency-replayed')).toBe('true')
    expect(second.status).toBe(201)
    expect(second.headers.get('location')).toBe(first.headers.get('location'))
    expect(await second.text()).toBe(await first.text())
    expect(await named('Once')).toHaveLength(1)
  })

  it('lets one of many at the same moment through; the others get its response or are asked to wait', async () => {
    const { token } = await someone()
    const body = { name: 'Of many', agency_id: (await makeAgency()).id }
    const responses = await Promise.all(Array.from({ length: 12 }, () => create(token, 'many', body)))
    expect(await named('Of many')).toHaveLength(1)
    expect(responses.filter((a) => a.status === 201 && !a.headers.has('idempotency-replayed'))).toHaveLength(1)
    for (const response of responses.filter(({ status }) => status !== 201)) {
      expect(response.status).toBe(409)
      expect(response.headers.get('retry-after')).toBe('1')
      expect(await problemOf(response)).toMatchObject({ code: 'idempotency_in_progress' })
    }
  })

  it('stands for one body, one user and one route', async () => {
    const [ann, bob] = [await someone('administrator'), await someone('administrator')]
    const body = { name: 'Shared key', agency_id: (await makeAgency()).id }
    expect((await create(ann.token, 'same', body)).status).toBe(201)
    const other = await create(ann.token, 'same', { ...body, name: 'Another' })
    expect(other.status).toBe(422)
    expect(await problemOf(other)).toMatchObject({ code: 'idempotency_key_reused' })
    expect((await create(bob.token, 'same', body)).headers.has('idempotency-replayed')).toBe(false)
    const elsewhere = await send(agenciesRoute.POST, 'POST', '/api/agencies', {
      token: ann.token,
      body: { name: 'Same key, other route', code: 'SKOR' },
      headers: { 'idempotency-key': 'same' },
    })
    expect(elsewhere.status).toBe(201)
  })

  it('is free again after a refusal that can be fixed', async () => {
    const { token } = await someone()
    expect((await create(token, 'fix', { name: '' })).status).toBe(422)
    expect((await create(token, 'fix', { name: 'Fixed', agency_id: (await makeAgency()).id })).status).toBe(201)
  })

  it('is forgotten after a day, and taken over from a process that died', async () => {
    const { user, token } = await someone()
    const body = { name: 'Later', agency_id: (await makeAgency()).id }
    await create(token, 'day', body)
    await database()
      .db.update(idempotencyKeys)
      .set({ expiresAt: sql`now() - interval '1 second'` })
      .where(eq(idempotencyKeys.key, 'day'))
    expect((await create(token, 'day', body)).headers.has('idempotency-replayed')).toBe(false)
    expect(await named('Later')).toHaveLength(2)

    const claimed = async (lease: string) =>
      database()
        .db.insert(idempotencyKeys)
        .values({
          owner: `user:${user.id}`,
          route: routeOf('createProject', {}),
          key: lease,
          claim: '01890000-0000-7000-8000-000000000000',
          leaseUntil: sql`now() + ${lease}::interval`,
          expiresAt: sql`now() + interval '1 day'`,
        })
    await claimed('10 seconds')
    expect((await create(token, '10 seconds', body)).status).toBe(409)
    await claimed('-1 second')
    expect((await create(token, '-1 second', body)).status).toBe(201)
  })

  it('has 1 to 255 characters', async () => {
    const { token } = await someone()
    const body = { name: 'Long key', agency_id: (await makeAgency()).id }
    expect((await create(token, 'k'.repeat(255), body)).status).toBe(201)
    for (const key of ['k'.repeat(256), '']) expect((await create(token, key, body)).status).toBe(422)
  })

  it('keeps a response that is shown once encrypted', async () => {
    const { user } = await someone()
    const create = async () =>
      send(tokensRoute.POST, 'POST', '/api/tokens', {
        session: await sessionOf(user),
        body: { name: 'Sealed' },
        headers: { 'idempotency-key': 'sealed', origin: BASE_URL },
      })
    const { token } = await (await create()).json()
    const [stored] = await database().db.select().from(idempotencyKeys).where(eq(idempotencyKeys.key, 'sealed'))
    expect(stored?.body).toBeTruthy()
    expect(JSON.stringify(stored)).not.toContain(token)
    expect((await (await create()).json()).token).toBe(token)
  })
})
