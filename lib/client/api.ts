import type { Call, CallOptions, ResponseTo } from '@/lib/http/calls'
import { reportNoResponse, reportSignedOut } from './connection'

export type { ResponseTo }

/** One wrong value of a request, as `errors[]` of a problem document lists them. */
export interface FieldProblem {
  path: string
  code: string
  message: string
}

/**
 * A refused or failed call to /api, read from its problem document (RFC 9457). `status` is 0 when no response came at all.
 * `body` is the whole document, for the parts only some problems have (`violations`, `current`, `allowed`).
 */
export class ApiProblem extends Error {
  declare readonly status: number
  declare readonly code: string
  declare readonly detail: string
  declare readonly errors: readonly FieldProblem[]
  declare readonly requestId: string | null
  declare readonly retryAfterSeconds: number | null
  declare readonly body: Readonly<Record<string, unknown>>

  constructor(
    problem: Pick<ApiProblem, 'status' | 'code' | 'detail'> &
      Partial<Pick<ApiProblem, 'errors' | 'requestId' | 'retryAfterSeconds' | 'body'>>,
  ) {
    super(problem.detail)
    const absent = { errors: [], requestId: null, retryAfterSeconds: null, body: {} }
    Object.assign(this, { name: 'ApiProblem', ...absent, ...problem })
  }

  /** True when the same request may succeed later without being changed. */
  get isTransient(): boolean {
    return this.status === 0 || this.status === 429 || this.status >= 500
  }
}

const NETWORK_SENTENCE = 'Greenroom could not be reached. Check your connection, then try again.'

interface SendOptions {
  /** Makes a repeated POST respond with the first result (one key per thing the person meant to do). */
  idempotencyKey?: string
  /** The `ETag` last seen: the write is refused with `stale` if another user changed the resource since. */
  ifMatch?: string
  signal?: AbortSignal
}

/** A call to /api that is ready to be sent, and the type of its response. */
export interface ApiRequest<Output> extends SendOptions {
  method: string
  path: string
  /** Sent as JSON. */
  body?: unknown
  /** Carries the type only; never set. */
  readonly result?: Output
}

/** Nothing may be given where nothing is needed. */
type OptionsOf<Line extends Call> =
  object extends CallOptions<Line>
    ? [options?: CallOptions<Line> & SendOptions]
    : [options: CallOptions<Line> & SendOptions]

/**
 * Calls Greenroom's own API from the browser and returns the parsed JSON response (`undefined` for 204):
 * `api('GET /api/projects/{project_id}', { params: { project_id } })`.
 * @throws {ApiProblem} for every response that is not 2xx, and when no response came.
 */
export const api = <Line extends Call>(call: Line, ...options: OptionsOf<Line>): Promise<ResponseTo<Line>> =>
  sendRequest(apiRequest(call, ...options))

/** The same call, to be sent later by `useApiMutation` or a form. */
export function apiRequest<Line extends Call>(call: Line, ...[options]: OptionsOf<Line>): ApiRequest<ResponseTo<Line>> {
  const { params = {}, query = {}, ...rest }: LooseOptions = options ?? {}
  const [method, pattern] = call.split(' ') as [string, string]
  let path = pattern.replace(/{(\w+)}/g, (_, name) => encodeURIComponent(params[name] as string))
  let separator = '?'
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined) continue
    path += `${separator}${name}=${encodeURIComponent(value)}`
    separator = '&'
  }
  return { ...rest, method, path }
}

type LooseOptions = SendOptions & {
  params?: Record<string, string>
  query?: Record<string, string | number | boolean | undefined>
  body?: unknown
}

/** @throws {ApiProblem} as `api` does */
export async function sendRequest<Output>(request: ApiRequest<Output>): Promise<Output> {
  const response = await fetchResponse(request)
  if (response.status === 204) return undefined as Output
  return response.json()
}

/** The response as it comes, for what is in its headers. */
export async function fetchResponse({
  method,
  path,
  body,
  idempotencyKey,
  ifMatch,
  signal,
}: ApiRequest<unknown>): Promise<Response> {
  const headers = new Headers({ Accept: 'application/json' })
  if (body !== undefined) headers.set('Content-Type', 'application/json')
  if (idempotencyKey) headers.set('Idempotency-Key', idempotencyKey)
  if (ifMatch) headers.set('If-Match', ifMatch)

  let response: Response
  try {
    response = await fetch(path, {
      method,
      headers,
      body: JSON.stringify(body),
      signal,
    })
  } catch (error) {
    if (signal?.aborted) throw error
    reportNoResponse()
    throw new ApiProblem({ status: 0, code: 'network', detail: NETWORK_SENTENCE })
  }
  if (!response.ok) throw problemFrom(response.status, await response.text().catch(() => ''), response.headers)
  return response
}

/** Turns a response that is not 2xx into an `ApiProblem`, also when a proxy in between responded with something else. */
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
    return value instanceof Object ? { ...value } : {}
  } catch {
    return {}
  }
}

function isFieldProblem(value: Partial<FieldProblem> | null): value is FieldProblem {
  return typeof value?.path === 'string' && typeof value.message === 'string'
}

function fallbackSentence(status: number): string {
  if (status === 401) return 'You were signed out. Nothing you typed is lost: sign in again, then repeat this.'
  if (status === 403) return 'You may not do this. Ask a coordinator or an administrator.'
  if (status === 404) return 'This no longer exists, or you may not see it.'
  if (status === 413) return 'What you sent is too large for the server.'
  if (status === 429) return 'Too many requests in a short time. Wait a moment, then try again.'
  if (status >= 500) return 'Greenroom had a fault while responding. Nothing is lost; try again in a moment.'
  return `The server refused the request with status ${status}.`
}
