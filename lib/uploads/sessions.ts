import { randomUUID } from 'node:crypto'
import { closeUploadSession, openUploadSession, unlockUploadLink } from '@/lib/domain/upload-links/public'
import { acting, type Exchange, respond } from '@/lib/http/endpoint'
import { withLinkCookie } from '@/lib/http/link-cookies'
import { bodyOf, jsonOf, LINK_KEY_COOKIE, SESSION_COOKIE } from '@/lib/http/request'
import type { RouteResponse, TextResponse } from '@/lib/http/response'

/** What the upload page's browser keeps: which session it is in, and that it knew the password. */

/** For both paths: the page reads it to show itself, the interface to let files in. */
const PATHS = ['/api/public/upload-links', '/u']

const withCookie = (exchange: Exchange, response: TextResponse, name: string, value: string, seconds: number) =>
  withLinkCookie(exchange, PATHS, response, { name, value, seconds })

const DAY = 24 * 3600

const tokenOf = ({ params: { token = '' } }: Exchange) => ({ token })

/** Opens a session, or goes on with the one the browser is in. */
export async function openSession(exchange: Exchange): Promise<RouteResponse> {
  const ctx = await acting(openUploadSession, exchange)
  await openUploadSession.execute(ctx, tokenOf(exchange))
  const session = ctx.credentials.uploadSession ?? randomUUID()
  return withCookie(exchange, respond(201, { session }), SESSION_COOKIE, session, 7 * DAY)
}

/** "Done". */
export async function closeSession(exchange: Exchange): Promise<RouteResponse> {
  const ctx = await acting(closeUploadSession, exchange)
  const response = respond(200, await closeUploadSession.execute(ctx, tokenOf(exchange)))
  return withCookie(exchange, response, SESSION_COOKIE, '', 0)
}

export async function unlock(exchange: Exchange): Promise<RouteResponse> {
  const ctx = await acting(unlockUploadLink, exchange)
  const { key } = await unlockUploadLink.execute(
    ctx,
    tokenOf(exchange),
    jsonOf(exchange.request, await bodyOf(exchange.request)),
  )
  return withCookie(exchange, respond(200, { unlocked: true }), LINK_KEY_COOKIE, key, DAY)
}
