import type { Executor } from '@/db/client'
import { findActor } from '@/lib/auth'
import type { Beside } from '@/lib/domain/kernel/events'
import type { AnyIntake } from '@/lib/domain/kernel/intake'
import type { AnyOperation, Context, Hooks, Operation } from '@/lib/domain/kernel/operation'
import { type Actor, unauthenticated } from '@/lib/domain/kernel/permissions'
import { BUILD } from '@/lib/env'
import { log } from '@/lib/log'
import { newContext, service } from '@/lib/service'
import { noteOnTrace } from '@/lib/tracing'
import { entityTag, preconditionOf } from './etag'
import { currentExchange } from './exchange'
import { HttpError } from './http-error'
import { assertSameRequest, Claim, fingerprintOf, idempotencyKeyOf, replay, routeOf } from './idempotency'
import { asRefusal, outageOf, problemResponse } from './problem'
import { countRequest } from './process-metrics.mjs'
import { addressOf, bodyOf, jsonOf, presentedBy, queryOf, requestIdOf } from './request'
import { deliver, type RouteResponse, type TextResponse } from './response'

export const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const
export type Method = (typeof METHODS)[number]
/** `params` holds nothing at all on a path without parameters. */
type RouteContext = { params: Promise<Record<string, string | string[] | undefined> | undefined> }
/** An operation, or a handler of its own; `serves`: the intake it brings files to. */
type Target = AnyOperation | (((exchange: Exchange) => Promise<RouteResponse | Response>) & { serves?: AnyIntake })
export type Handler = ((request: Request, route: RouteContext) => Promise<Response>) & {
  /** Uses nothing that Next keeps for a request (`cookies()`, `headers()`, `after()`): the web server calls it by itself. */
  isStandalone?: true
  /** What runs, so that the table of the interface can be compared with the routes. */
  serves?: Target | AnyIntake
}

/** A request on its way: who asks, in which context, with which path parameters. */
export type Exchange = { request: Request; ctx: Context; params: Record<string, string> }

/**
 * The route of one path: an operation or a handler of its own for each method it has.
 * OPTIONS, for which the web server calls GET, says in `Allow` which these are (RFC 9110, 9.3.7). Every other method gets
 * a 405 with `Allow`; every failure is a problem document.
 */
export function endpoint(methods: Partial<Record<Method, Target>>): Record<Method, Handler> {
  const allowed = METHODS.filter((method) => methods[method])
  return Object.fromEntries(
    METHODS.map((method) => {
      const target = methods[method]
      const respond = handle(async (exchange) => {
        if (exchange.request.method === 'OPTIONS') return { status: 204, headers: allowing(allowed), body: '' }
        if (!target) throw notAllowed(method, allowed)
        return typeof target === 'function' ? target(exchange) : perform(target, exchange)
      }, allowed)
      if (!target) return [method, respond]
      return [method, Object.assign(respond, { serves: (typeof target === 'function' && target.serves) || target })]
    }),
  ) as Record<Method, Handler>
}

const allowing = (allowed: readonly Method[]) => ({ Allow: allowed.join(', ') })

function notAllowed(method: string, allowed: readonly Method[]) {
  return new HttpError(
    'method_not_allowed',
    `${method} is not possible here; use ${allowed.join(' or ') || 'another path'}.`,
    { headers: allowing(allowed) },
  )
}

/** Wraps a handler: identity in, problem documents and the headers every response carries out. */
export function handle(
  run: (exchange: Exchange) => Promise<RouteResponse | Response>,
  allowed: readonly Method[] = METHODS,
): Handler {
  const respond: Handler = async (request, route) => {
    const requestId = requestIdOf(request)
    noteOnTrace({ 'greenroom.request.id': requestId })
    const started = performance.now()
    const foreignMethod = currentExchange()?.foreignMethod
    let outcome: RouteResponse | Response
    let actor: Actor = { type: 'anonymous' }
    try {
      if (foreignMethod) throw notAllowed(foreignMethod, allowed)
      const address = addressOf(request)
      const now = new Date()
      actor = (await findActor(request.headers, address, now)) ?? actor
      noteOnTrace({ 'greenroom.actor.type': actor.type })
      refuseCrossSite(request, actor)
      const ctx = newContext({
        actor,
        now,
        requestId,
        address,
        precondition: preconditionOf(request),
        credentials: presentedBy(request),
      })
      const params = Object.fromEntries(
        Object.entries((await route.params) ?? {}).map(([key, value]) => [
          key,
          Array.isArray(value) ? value.join('/') : (value ?? ''),
        ]),
      )
      outcome = await run({ request, ctx, params })
    } catch (error) {
      const known = asRefusal(error)
      if (known.code === 'internal') log.error({ request_id: requestId, err: error }, 'unexpected failure')
      const outage = outageOf(error)
      if (outage !== null) log.error({ request_id: requestId, reason: outage }, 'not available')
      outcome = problemResponse(known, requestId, service().ports.baseUrl)
    }
    const response = outcome instanceof Response ? outcome : deliver(outcome)
    response.headers.set('X-Request-Id', requestId)
    if (!response.headers.has('Cache-Control')) response.headers.set('Cache-Control', 'private, no-store')
    response.headers.set('X-Content-Type-Options', 'nosniff')
    // Opened as a page of its own, no response of the interface runs or frames anything.
    if (!response.headers.has('Content-Security-Policy'))
      response.headers.set('Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'")
    if (BUILD) response.headers.set('X-Greenroom-Build', BUILD)
    const ms = Math.round(performance.now() - started)
    countRequest(request.method, response.status, ms)
    log.info({
      request_id: requestId,
      method: foreignMethod ?? request.method,
      // The path of a public link holds its token, which no log may keep.
      path: new URL(request.url).pathname.replace(
        /(\/public\/(?:upload-links|review-links|share-links|cost-estimates|scorecards)\/|\/banners\/)[^/]+/,
        '$1[token]',
      ),
      status: response.status,
      ms,
      actor: actor.type === 'user' ? actor.id : actor.type,
    })
    return response
  }
  return Object.assign(respond, { isStandalone: true as const })
}

/** A browser sends the session cookie along with whatever page makes it; only pages of our own may write. */
function refuseCrossSite(request: Request, actor: Actor) {
  if (actor.type !== 'user' || actor.via !== 'session' || request.method === 'GET' || request.method === 'HEAD') return
  const site = request.headers.get('sec-fetch-site')
  const origin = request.headers.get('origin')
  const hosts = [request.headers.get('host'), new URL(service().ports.baseUrl).host]
  const isSame = origin !== null ? URL.canParse(origin) && hosts.includes(new URL(origin).host) : site === 'same-origin'
  if (isSame && (site === null || site === 'same-origin')) return
  throw new HttpError(
    'csrf',
    'Changes with a browser session are taken from our own pages only. Other systems use an API token.',
  )
}

/** The context with the actor of this path: the holder of a link acts as the link, signed in or not. */
export async function acting(
  op: Pick<AnyOperation, 'authenticateAs'>,
  { ctx, params }: Pick<Exchange, 'ctx' | 'params'>,
): Promise<Context> {
  return op.authenticateAs ? { ...ctx, actor: await op.authenticateAs(ctx, params) } : ctx
}

/** Runs an operation for a request and shapes its response. */
async function perform(op: AnyOperation, exchange: Exchange): Promise<RouteResponse> {
  const { request, params } = exchange
  const ctx = await acting(op, exchange)
  // Said before the body is read: a stranger's body is not read.
  if (op.permission !== 'anyone' && ctx.actor.type === 'anonymous') throw unauthenticated()
  if (op.kind === 'query') {
    const value = await op.execute(
      ctx,
      params,
      op.inputInBody ? jsonOf(request, await bodyOf(request)) : queryOf(request),
    )
    return respond(200, value, op.isVersioned ? { ETag: entityTag(value) } : {})
  }
  const body = await bodyOf(request)
  const run = (hooks?: Hooks) => op.execute(ctx, params, jsonOf(request, body), hooks)
  const key = request.method === 'POST' ? idempotencyKeyOf(request) : null
  if (key === null) return shape(op, await run(), params)
  return once(ctx, routeOf(op.name, params), key, fingerprintOf(body), async (keep) => {
    let stored: TextResponse | undefined
    await run({
      beforeCommit: async (tx, value) => {
        stored = shape(op, value, params)
        await keep.store(tx.db, stored)
      },
    })
    if (!stored) throw new Error('A command ended without a response.')
    return stored
  })
}

/** Keeps a response: by a statement of its own, or by the one that writes the event. */
type Keep = {
  store(db: Executor, response: TextResponse): Promise<void>
  beside(db: Executor, response: TextResponse): Beside[]
}

/**
 * Runs something at most once per key (contract of `Idempotency-Key`). `run` has its response kept inside its transaction.
 * A refusal by the rules is stored, too, once there is something to compare a repetition by; a failure of ours is not, so
 * that trying again makes sense.
 */
export async function once(
  ctx: Context,
  route: string,
  key: string,
  fingerprint: string | (() => string),
  run: (keep: Keep) => Promise<TextResponse>,
  /** Reads what a repetition must be compared by (the hash of an upload), when it is not known beforehand. */
  fingerprintOfRepetition?: (stored: string) => Promise<string>,
): Promise<RouteResponse> {
  const { actor } = ctx
  if (!('id' in actor)) return run({ store: async () => {}, beside: () => [] })
  const claim = new Claim(ctx.db, ctx.ports.secrets, `${actor.type}:${actor.id}`, route, key)
  const stored = await claim.take()
  if (stored) {
    assertSameRequest(
      stored.fingerprint,
      fingerprintOfRepetition
        ? await fingerprintOfRepetition(stored.fingerprint)
        : typeof fingerprint === 'string'
          ? fingerprint
          : fingerprint(),
    )
    return replay(stored.response)
  }
  const print = () => (typeof fingerprint === 'string' ? fingerprint : fingerprint())
  try {
    return await run({
      store: (db, response) => claim.store(db, print(), response),
      beside: (db, response) => [claim.storeBeside(db, print(), response)],
    })
  } catch (error) {
    const known = asRefusal(error)
    if (STORED_REFUSALS.has(known.code) && print() !== '') {
      await claim.store(ctx.db, print(), problemResponse(known, ctx.requestId, ctx.ports.baseUrl))
    } else {
      await claim.release()
    }
    throw error
  } finally {
    claim.stopRenewing()
  }
}

const STORED_REFUSALS = new Set([
  'invalid_state',
  'file_rejected',
  'batch_empty',
  'operator_not_assigned',
  'project_closed',
  'project_on_hold',
  'link_expired',
  'link_used_up',
  'link_deactivated',
])

const shape = (op: Operation, value: unknown, params: Record<string, string>): TextResponse =>
  op.created
    ? respond(201, value, { Location: op.created(value, params) })
    : value === undefined
      ? { status: 204, headers: {}, body: '' }
      : respond(200, value)

/** Runs an operation for a route that answers with something else than its JSON; the route's folders name the parameters. */
export const executeFor = <P extends string, A>(
  operation: Pick<Operation<P, A>, 'execute'>,
  { ctx, params }: Pick<Exchange, 'ctx' | 'params'>,
  input?: unknown,
): Promise<A> => operation.execute(ctx, params as Record<P, string>, input)

export const respond = (status: number, value: unknown, headers: Record<string, string> = {}): TextResponse => ({
  status,
  headers: { 'Content-Type': 'application/json', ...headers },
  body: JSON.stringify(value),
})
