import type { Exchange } from './endpoint'
import type { RouteResponse, TextResponse } from './response'

/** What the browser of a person without an account keeps: for the page that shows itself by it, and for the interface. */
export function withLinkCookie(
  { ctx, params }: Exchange,
  paths: readonly string[],
  response: TextResponse,
  cookie: { name: string; value: string; seconds: number },
): RouteResponse {
  const headers = new Headers(response.headers)
  const secure = ctx.ports.baseUrl.startsWith('https://') ? '; Secure' : ''
  for (const path of paths)
    headers.append(
      'Set-Cookie',
      `${cookie.name}=${cookie.value}; Path=${path}/${params.token}; HttpOnly; SameSite=Strict; Max-Age=${cookie.seconds}${secure}`,
    )
  return { ...response, headers }
}
