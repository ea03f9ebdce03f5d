import '@/db/testing'
import { randomUUID } from 'node:crypto'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { encode } from 'next-auth/jwt'
import { afterAll } from 'vitest'
import { closeDatabase } from '@/db/client'
import type { UserRow } from '@/fixtures/factories'
import type { Handler } from './endpoint'
import { openApiDocument } from './openapi'

/** What tests of routes stand on: requests as they arrive, handled by the route's own handlers. */

export const BASE_URL = 'http://localhost:4400'
const SECRET = 'the secret of a test, long enough for anybody'
const dataDir = mkdtempSync(path.join(tmpdir(), 'greenroom-http-'))
Object.assign(process.env, { BASE_URL, AUTH_SECRET: SECRET, DATA_DIR: dataDir, RATE_LIMITS: 'off' })
afterAll(async () => {
  await closeDatabase()
  rmSync(dataDir, { recursive: true, force: true })
})

/** Paths that belong to the sign-in library, or catch what is no path at all. */
const NOT_OURS = ['/api/auth/{...nextauth}', '/api/{...unknown}']

const api = path.join(process.cwd(), 'app', 'api')
/** Every path the service serves, as the table of the interface writes it, with the file that does. */
export const routes: Record<string, string> = Object.fromEntries(
  readdirSync(api, { recursive: true, encoding: 'utf8' })
    .filter((file) => path.basename(file) === 'route.ts')
    .map((file) => {
      const folder = path.posix.join('/api', path.dirname(file).replaceAll(path.sep, '/'))
      // A resumable upload is served below its own path, too.
      const name = folder
        .replace('/[[...tus]]', '')
        .replace('[...path]', '[path]')
        .replaceAll('[', '{')
        .replaceAll(']', '}')
      return [name, path.join(api, file)] as const
    })
    .filter(([folder]) => !NOT_OURS.includes(folder)),
)

type Sent = {
  /** An API token. */
  token?: string
  /** The value of a session cookie. */
  session?: string
  /** Sent as JSON, unless it is text or bytes already. */
  body?: unknown
  headers?: Record<string, string>
  params?: Record<string, string>
}

/** What the description says of each path: its form, and the statuses of each method. */
const declared = Object.entries(openApiDocument(BASE_URL).paths).map(([folder, methods]) => ({
  form: new RegExp(`^${folder.replace(/\{path\}/, '.+').replace(/\{\w+\}/g, '[^/]+')}$`),
  folder,
  methods: methods as Record<string, { responses: Record<string, unknown> }>,
}))

/** Fails when the description does not name a status that an operation responded with. */
function expectDeclared(method: string, pathname: string, status: number) {
  const found = declared.find(({ form }) => form.test(pathname))
  const operation = found?.methods[method.toLowerCase()]
  if (!operation || status in operation.responses) return
  throw new Error(`${method} ${found?.folder} responds with ${status}, which lib/http/openapi.ts does not declare.`)
}

/** Sends a request to a route's handler, as the server would; the description must know of the status it gets. */
export async function send(handler: Handler, method: string, url: string, sent: Sent = {}): Promise<Response> {
  const isRaw = typeof sent.body === 'string' || sent.body instanceof Uint8Array || sent.body instanceof ReadableStream
  const body = sent.body === undefined || isRaw ? sent.body : JSON.stringify(sent.body)
  const headers = {
    ...(sent.body !== undefined && { 'content-type': 'application/json' }),
    ...(sent.token && { authorization: `Bearer ${sent.token}` }),
    ...(sent.session && { cookie: `next-auth.session-token=${sent.session}` }),
    ...sent.headers,
  }
  const init = { method, headers, body: body as BodyInit | undefined, duplex: 'half' }
  const request = new Request(`${BASE_URL}${url}`, init as RequestInit)
  const response = await handler(request, { params: Promise.resolve(sent.params) })
  expectDeclared(method, new URL(request.url).pathname, response.status)
  return response
}

/** The cookie of a user who signed in. */
export const sessionOf = (user: Pick<UserRow, 'id' | 'sessionVersion'>, secret = SECRET) =>
  encode({ token: { sub: user.id, sessionVersion: user.sessionVersion, sid: randomUUID() }, secret, maxAge: 3600 })
