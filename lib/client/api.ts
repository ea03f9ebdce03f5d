import { reportSignedOut, reportUnanswered } from './connection'

/** One wrong value of a request, as `errors[]` of a problem document lists them. */
export interface FieldProblem {
  path: string
  code: string
  message: string
}

/**
 * A refused or failed call to /api, read from its problem document (RFC 9457). `status` is 0 when no answer came at all.
 * `body` is the whole document, for the parts only some problems have (`violations`, `current`, `allowed`).
 */
export class ApiProblem extends Error {
  readonly status: number
  readonly code: string
  readonly detail: string
  readonly errors: readonly FieldProblem[]
  readonly requestId: string | null
  readonly retryAfterSeconds: number | null
  readonly body: Readonly<Record<string, unknown>>

  constructor(problem: {
    status: number
    code: string
    detail: string
    errors?: readonly FieldProblem[]
    requestId?: string | null
    retryAfterSeconds?: number | null
    body?: Readonly<Record<string, unknown>>
  }) {
    super(problem.detail)
    this.name = 'ApiProblem'
    this.status = problem.status
    this.code = problem.code
    this.detail = problem.detail
    this.errors = problem.errors ?? []
    this.requestId = problem.requestId ?? null
    this.retryAfterSeconds = problem.retryAfterSeconds ?? null
    this.body = problem.body ?? {}
  }

  /** True when the same request may succeed later without being changed. */
  get isTransient(): boolean {
    return this.status === 0 || this.status === 429 || this.status >= 500
  }
}

const NETWORK_SENTENCE = 'Greenroom could not be reached. Check your connection, then try again.'

export interface ApiRequest {
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Sent as JSON. */
  body?: unknown
  /** Makes a repeated POST answer with the first result (one key per thing the person meant to do). */
  idempotencyKey?: string
  /** The `ETag` last seen: the write is refused with `stale` if somebody changed the resource since. */
  ifMatch?: string
  signal?: AbortSignal
}

/**
 * Calls Greenroom's own API from the browser and returns the parsed JSON answer (`undefined` for 204).
 * The caller names the answer's type; the server validated it with the same schema.
 * @throws {ApiProblem} for every answer that is not 2xx, and when no answer came.
 */
export async function api<Answer>(path: `/api/${string}`, request: ApiRequest = {}): Promise<Answer> {
  const response = await send(path, request)
  if (response.status === 204) return undefined as Answer
  return (await response.json()) as Answer
}

/** A single resource as it is now, with its ETag. */
export async function readVersion<Resource>(path: `/api/${string}`): Promise<{ body: Resource; etag: string }> {
  const response = await send(path, {})
  return { body: (await response.json()) as Resource, etag: response.headers.get('ETag') ?? '' }
}

async function send(path: `/api/${string}`, request: ApiRequest): Promise<Response> {
  const headers = new Headers({ Accept: 'application/json' })
  if (request.body !== undefined) headers.set('Content-Type', 'application/json')
  if (request.idempotencyKey) headers.set('Idempotency-Key', request.idempotencyKey)
  if (request.ifMatch) headers.set('If-Match', request.ifMatch)

  let response: Response
  try {
    response = await fetch(path, {
      method: request.method ?? (request.body === undefined ? 'GET' : 'POST'),
      headers,
      credentials: 'same-origin',
      body: request.body === undefined ? null : JSON.stringify(request.body),
      signal: request.signal ?? null,
    })
  } catch (error) {
    if (request.signal?.aborted) throw error
    reportUnanswered()
    throw new ApiProblem({ status: 0, code: 'network', detail: NETWORK_SENTENCE })
  }
  if (!response.ok) throw await readProblem(response)
  return response
}

/** Turns an answer that is not 2xx into an `ApiProblem`, also when a proxy in between answered with something else. */
export async function readProblem(response: Response): Promise<ApiProblem> {
  const text = await response.text().catch(() => '')
  return problemFrom(response.status, text, response.headers)
}

/** The same for transports without a `Response`, such as XMLHttpRequest and tus. */
export function problemFrom(status: number, text: string, headers: Pick<Headers, 'get'>): ApiProblem {
  const body = parseObject(text)
  if (status === 401) reportSignedOut()
  const retryAfter = Number(headers.get('Retry-After') ?? Number.NaN)
  return new ApiProblem({
    status,
    code: typeof body.code === 'string' ? body.code : 'unexpected',
    // What the server says of a 401 is for programs that send tokens.
    detail: status !== 401 && typeof body.detail === 'string' && body.detail ? body.detail : fallbackSentence(status),
    errors: Array.isArray(body.errors) ? body.errors.filter(isFieldProblem) : [],
    requestId: typeof body.request_id === 'string' ? body.request_id : headers.get('X-Request-Id'),
    retryAfterSeconds: Number.isFinite(retryAfter) ? retryAfter : null,
    body,
  })
}

function parseObject(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text)
    return value !== null && typeof value === 'object' && !Array.isArray(value) ? { ...value } : {}
  } catch {
    return {}
  }
}

function isFieldProblem(value: unknown): value is FieldProblem {
  if (value === null || typeof value !== 'object') return false
  const { path, message } = value as Partial<FieldProblem>
  return typeof path === 'string' && typeof message === 'string'
}

function fallbackSentence(status: number): string {
  if (status === 401) return 'You were signed out. Nothing you typed is lost: sign in again, then repeat this.'
  if (status === 403) return 'You may not do this. Ask a coordinator or an administrator.'
  if (status === 404) return 'This no longer exists, or you may not see it.'
  if (status === 413) return 'What you sent is too large for the server.'
  if (status === 429) return 'Too many requests in a short time. Wait a moment, then try again.'
  if (status >= 500) return 'Greenroom had a fault while answering. Nothing is lost; try again in a moment.'
  return `The server refused the request with status ${status}.`
}
