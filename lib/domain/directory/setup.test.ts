import { beforeEach, describe, expect, it } from 'vitest'
import { GET, POST } from '@/app/api/public/setup/[token]/route'
import { database } from '@/db/client'
import { users } from '@/db/schema/directory'
import { emptyTables } from '@/db/testing'
import { makeUser } from '@/fixtures/factories'
import { send } from '@/lib/http/testing'
import { service } from '@/lib/service'
import { setupPath } from './setup'

beforeEach(emptyTables)

const tokenNow = () => setupPath(service().ports.secrets).split('/').at(-1) ?? ''
const body = { name: 'Ada Byron', email: 'ada@example.com', password: 'a long password' }
const call = (method: 'GET' | 'POST', token: string, given: object = body) =>
  send(method === 'GET' ? GET : POST, method, `/api/public/setup/${token}`, {
    params: { token },
    ...(method === 'POST' && { body: given }),
  })

describe('the first administrator', () => {
  it('is made by the holder of the address that was printed, once', async () => {
    const token = tokenNow()
    expect((await call('GET', token)).status).toBe(200)
    const made = await call('POST', token)
    expect([made.status, await made.json()]).toEqual([
      201,
      expect.objectContaining({
        email: 'ada@example.com',
        name: 'Ada Byron',
        role: 'administrator',
        disabled_at: null,
      }),
    ])
    expect((await call('GET', token)).status).toBe(404)
    expect((await call('POST', token)).status).toBe(404)
    // A later start's address neither.
    expect((await call('GET', tokenNow())).status).toBe(404)
  })

  it('is one, however many ask at once', async () => {
    const results = await Promise.all(
      Array.from({ length: 6 }, (_, index) => call('POST', tokenNow(), { ...body, email: `user${index}@example.com` })),
    )
    expect(results.map(({ status }) => status).sort()).toEqual([201, 404, 404, 404, 404, 404])
    expect(await database().db.$count(users)).toBe(1)
  })

  it('is no visitor who guesses, whose input is wrong, or where there are users', async () => {
    for (const token of ['x', service().ports.secrets.encrypt('something else'), tokenNow().slice(0, -2)])
      expect((await call('POST', token)).status).toBe(404)
    const short = await call('POST', tokenNow(), { ...body, password: 'short' })
    expect([short.status, (await short.json()).errors[0].path]).toEqual([422, 'password'])
    expect(await database().db.$count(users)).toBe(0)
    await makeUser({ role: 'viewer' })
    expect((await call('POST', tokenNow())).status).toBe(404)
  })
})
