import { DomainError } from '@/lib/domain/kernel/errors'
import { env } from '@/lib/env'
import { type AnyRefusal, HttpError } from './http-error'
import { problemResponse } from './problem'
import { requestIdOf } from './request'

/**
 * What the sign-in library would respond with a 500: a body that is no JSON, and an address to go on to that is none. A
 * cookie that holds such an address goes with the response.
 */
export async function refusalOf(request: Request): Promise<Response | null> {
  const target = new URL(request.url).searchParams.get('callbackUrl')
  if (target && !isAddress(target)) {
    return refuse(request, new DomainError('invalid_query', 'callbackUrl is no http address and no path.'))
  }
  const cookie = readCallbackCookie(request.headers.get('cookie') ?? '')
  if (cookie && !isAddress(cookie.value)) {
    const headers = { 'Set-Cookie': `${cookie.name}=; Path=/; Max-Age=0` }
    const detail = 'The cookie of the address to go on to holds none; it is removed.'
    return refuse(request, new HttpError('invalid_query', detail, { headers }))
  }
  if (request.method === 'POST' && request.headers.get('content-type')?.includes('application/json')) {
    try {
      await request.clone().json()
    } catch {
      return refuse(request, new HttpError('invalid_json', 'The body is not JSON.'))
    }
  }
  return null
}

function refuse(request: Request, error: AnyRefusal): Response {
  const { body, ...rest } = problemResponse(error, requestIdOf(request), env.BASE_URL)
  return new Response(body, rest)
}

function isAddress(target: string): boolean {
  if (target.startsWith('/')) return URL.canParse(target, 'http://own.invalid')
  return /^https?:/i.test(target) && URL.canParse(target)
}

function readCallbackCookie(cookies: string): { name: string; value: string } | null {
  const [, name, value] = /(?:^|; *)((?:__Secure-)?next-auth\.callback-url)=([^;]*)/.exec(cookies) ?? []
  if (!name || value === undefined) return null
  try {
    return { name, value: decodeURIComponent(value) }
  } catch {
    return { name, value }
  }
}
