import { headers } from 'next/headers'
import { notFound, redirect } from 'next/navigation'
import { cache } from 'react'
import { findActor } from '@/lib/auth'
import { DomainError } from '@/lib/domain/kernel/errors'
import type { Operation } from '@/lib/domain/kernel/operation'
import { can, type Permission, type UserActor } from '@/lib/domain/kernel/permissions'
import { newContext } from '@/lib/service'
import { currentExchange } from './exchange'
import { addressOf, presentedBy } from './request'
import { currentSnapshot } from './snapshot'

/** The entry point of the screens: server components read through it, never past it. */

const currentRequest = cache(async () => {
  const all = await headers()
  return { headers: all, address: addressOf({ headers: all } as Request) }
})

/** What the database holds as a page begins to be read, as `pg_snapshot`: what its live updates go on from. */
export const readFrom = cache(currentSnapshot)

/** Who is signed in, or null. Asked once per page, before anything else is read. */
export const currentUser = cache(async (): Promise<UserActor | null> => {
  const { headers: all, address } = await currentRequest()
  const [user] = await Promise.all([
    findActor(new Headers({ cookie: all.get('cookie') ?? '' }), address, new Date()),
    readFrom(),
  ])
  return user
})

/** Who is signed in; anybody else is sent to sign in, and comes back afterwards to the address they asked for. */
export async function requireUser(): Promise<UserActor> {
  const user = await currentUser()
  if (!user) {
    const asked = askedFor()
    redirect(asked === '/' ? '/sign-in' : `/sign-in?callbackUrl=${encodeURIComponent(asked)}`)
  }
  return user
}

/** Path and query of the page that is being rendered. What stands behind `#` the browser keeps by itself. */
function askedFor(): string {
  const url = currentExchange()?.address
  if (!url || !URL.canParse(url, 'http://own.invalid')) return '/'
  const { pathname, searchParams } = new URL(url, 'http://own.invalid')
  searchParams.delete('_rsc')
  return searchParams.size > 0 ? `${pathname}?${searchParams}` : pathname
}

/** Whether the current user may do this; for showing buttons. The operation asks again. */
export const mayI = async (permission: Permission) => {
  const user = await currentUser()
  return user !== null && can(user, permission)
}

/** For pages that are not for every role: users who may not see them read that there is no such page. */
export async function requirePermission(permission: Permission): Promise<UserActor> {
  const user = await requireUser()
  if (!can(user, permission)) notFound()
  return user
}

/**
 * Runs a query for the page that is being rendered. What does not exist, or may not be seen, is the not-found page;
 * everything else is the error page of its segment.
 */
export async function load<P extends string, A>(...query: Query<P, A>): Promise<A> {
  try {
    return await execute(...query)
  } catch (error) {
    // A filter or a cursor that cannot be is a mistyped address, not a fault of ours.
    if (error instanceof DomainError && ['not_found', 'invalid_query'].includes(error.code)) notFound()
    throw error
  }
}

/** The same for a page that has something to say when it is gone: null then. */
export async function loadIfThere<P extends string, A>(...query: Query<P, A>): Promise<A | null> {
  try {
    return await execute(...query)
  } catch (error) {
    if (error instanceof DomainError && error.code === 'not_found') return null
    throw error
  }
}

/** What `loadWithin` returns when a limit is reached: the whole seconds until it may be asked again. */
export class TooSoon {
  constructor(readonly seconds: number) {}
}

/** The same for a page that says itself how long to wait; its response is a 429 with `Retry-After`. */
export async function loadWithin<P extends string, A>(...query: Query<P, A>): Promise<A | TooSoon> {
  try {
    return await load(...query)
  } catch (error) {
    if (!(error instanceof DomainError) || error.code !== 'rate_limited') throw error
    const seconds = error.facts.retryAfter ?? 1
    const response = currentExchange()?.res
    if (response && !response.headersSent) {
      response.statusCode = 429
      response.setHeader('Retry-After', String(seconds))
    }
    return new TooSoon(seconds)
  }
}

type Query<P extends string, A> = [operation: Operation<P, A>, params?: Record<P, string>, input?: unknown]

/** What was read for the page that is being rendered: its title and its parts ask for the same. */
const readSoFar = cache(() => new Map<string, Promise<unknown>>())

function execute<P extends string, A>(...query: Query<P, A>): Promise<A> {
  const [operation, ...asked] = query
  const read = readSoFar()
  const key = JSON.stringify([operation.name, ...asked])
  const known = read.get(key) ?? run(...query)
  read.set(key, known)
  return known as Promise<A>
}

async function run<P extends string, A>(
  ...[operation, params = {} as Record<P, string>, input]: Query<P, A>
): Promise<A> {
  const { headers: all, address } = await currentRequest()
  const user = operation.permission === 'anyone' ? null : await requireUser()
  const asked = newContext({
    actor: user ?? { type: 'anonymous' },
    address,
    requestId: all.get('x-request-id') ?? 'page',
    credentials: presentedBy({ headers: all }),
  })
  const ctx = operation.authenticateAs ? { ...asked, actor: await operation.authenticateAs(asked, params) } : asked
  return operation.execute(ctx, params, input)
}
