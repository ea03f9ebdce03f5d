import { describe, expect, test } from 'vitest'
import { GET, POST } from '@/app/api/auth/[...nextauth]/route'
import '@/db/testing'
import { BASE_URL } from './testing'

const ADDRESS = `${BASE_URL}/api/auth/session`
const route = { params: Promise.resolve({ nextauth: ['session'] }) }

async function expectProblem(response: Response | Promise<Response>, code: string) {
  const { status, headers } = await response
  expect([status, headers.get('content-type')]).toEqual([400, 'application/problem+json'])
  expect(await (await response).json()).toMatchObject({ status: 400, code, request_id: expect.any(String) })
}

describe('what the sign-in library cannot read is refused, not a fault of ours', () => {
  test.each(['javascript:1', 'ftp://x', 'http://', '//', 'x'])('an address to go on to: %s', async (target) => {
    await expectProblem(
      GET(new Request(`${ADDRESS}?callbackUrl=${encodeURIComponent(target)}`), route),
      'invalid_query',
    )
  })

  test.each(['{', '', '{"a":'])('a body that is no JSON: %j', async (body) => {
    const headers = { 'Content-Type': 'application/json' }
    await expectProblem(POST(new Request(ADDRESS, { method: 'POST', headers, body }), route), 'invalid_json')
  })

  test.each(['next-auth.callback-url', '__Secure-next-auth.callback-url'])(
    'a cookie with no address, which is removed: %s',
    async (name) => {
      const response = await GET(new Request(ADDRESS, { headers: { cookie: `a=1; ${name}=javascript%3A1` } }), route)
      expect(response.headers.get('set-cookie')).toBe(`${name}=; Path=/; Max-Age=0`)
      await expectProblem(response, 'invalid_query')
    },
  )
})
