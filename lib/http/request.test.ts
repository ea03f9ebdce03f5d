import { once } from 'node:events'
import http, { type IncomingMessage } from 'node:http'
import { afterAll, expect, it } from 'vitest'
import { exchangeServer } from '@/server/testing/exchange-server'
import { callRoute } from '@/server/web/call-route.mjs'
import { asRefusal, problemResponse } from './problem'
import { bodyOf } from './request'
import { deliver } from './response'

/** What became of each request: that it began, how long its body is, or why it is refused. */
const outcomes: string[] = []
const server = exchangeServer((_req, _res, exchange) =>
  callRoute(
    async (request: Request) => {
      outcomes.push('began')
      try {
        const { length } = await bodyOf(request)
        outcomes.push(String(length))
        return deliver({ status: 200, body: String(length) })
      } catch (error) {
        const refusal = asRefusal(error)
        outcomes.push(refusal.code)
        return deliver(problemResponse(refusal, 'r', 'http://localhost'))
      }
    },
    exchange,
    {},
  ),
)

/** As clients and proxies keep them: the connection stays when a response came before all was sent. */
const agent = new http.Agent({ keepAlive: true })
afterAll(() => agent.destroy())

const MEGABYTE = Buffer.alloc(1024 * 1024, 'x')

/** Sends so many megabytes in parts, without saying how many, and reads the response. */
async function send(megabytes: number) {
  const { port } = server
  const request = http.request({ host: '127.0.0.1', port, method: 'POST', agent })
  const response = once(request, 'response') as Promise<[IncomingMessage]>
  for (let sent = 0; sent < megabytes; sent++) request.write(MEGABYTE)
  request.end()
  const [got] = await response
  return { status: got.statusCode, text: await got.setEncoding('utf8').reduce((text, part) => text + part, '') }
}

it('a body of unknown length is read to its end', async () => {
  expect(await send(3)).toEqual({ status: 200, text: String(3 * MEGABYTE.length) })
})

it('a body that grows too large is refused in words that its sender gets to read', async () => {
  const { status, text } = await send(20)
  expect([status, JSON.parse(text).code]).toEqual([413, 'body_too_large'])
})

it('a sender who leaves before the end is no failure of ours', async () => {
  outcomes.length = 0
  const { port } = server
  const request = http.request({ host: '127.0.0.1', port, method: 'POST', headers: { 'Content-Length': '100' } })
  request.on('error', () => {})
  request.write('{"name":')
  await expect.poll(() => outcomes).toEqual(['began'])
  request.destroy()
  await expect.poll(() => outcomes).toEqual(['began', 'invalid_json'])
})
