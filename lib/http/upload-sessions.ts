import { randomUUID } from 'node:crypto'
import { closeUploadSession, getPublicUploadLink, unlockUploadLink } from '@/lib/domain/upload-links/public'
import { acting, type Exchange, respond } from './endpoint'
import { bodyOf, jsonOf, LINK_KEY_COOKIE, SESSION_COOKIE } from './request'

/** What the upload page's browser keeps: which session it is in, and that it knew the password. */

const cookie = ({ ctx, params }: Exchange, name: string, value: string, seconds: number) =>
  `${name}=${value}; Path=/api/public/upload-links/${params.token}; HttpOnly; SameSite=Strict; Max-Age=${seconds}${ctx.outside.baseUrl.startsWith('https://') ? '; Secure' : ''}`

const DAY = 24 * 3600

/** Opens a session, or goes on with the one the browser is in. */
export async function openSession(exchange: Exchange): Promise<Response> {
  const ctx = await acting(getPublicUploadLink, exchange)
  await getPublicUploadLink.execute(ctx, exchange.params as never)
  const session = ctx.presented.uploadSession ?? randomUUID()
  return respond(201, { session }, { 'Set-Cookie': cookie(exchange, SESSION_COOKIE, session, 7 * DAY) })
}

/** "Done". */
export async function closeSession(exchange: Exchange): Promise<Response> {
  const ctx = await acting(closeUploadSession, exchange)
  return respond(200, await closeUploadSession.execute(ctx, exchange.params as never), {
    'Set-Cookie': cookie(exchange, SESSION_COOKIE, '', 0),
  })
}

export async function unlock(exchange: Exchange): Promise<Response> {
  const ctx = await acting(unlockUploadLink, exchange)
  const { key } = await unlockUploadLink.execute(
    ctx,
    exchange.params as never,
    jsonOf(exchange.request, await bodyOf(exchange.request)),
  )
  return respond(200, { unlocked: true }, { 'Set-Cookie': cookie(exchange, LINK_KEY_COOKIE, key, DAY) })
}
