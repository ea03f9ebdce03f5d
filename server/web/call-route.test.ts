import { once } from 'node:events'
import http, { type IncomingMessage } from 'node:http'
import { beforeEach, describe, expect, it } from 'vitest'
import type { Exchange } from '@/lib/http/exchange'
import { exchangeServer } from '../testing/exchange-server'
import { callRoute } from './call-route.mjs'

let respond: (request: Request, route: { params: Record<string, string> }) => Promise<Response>
let underWay: Exchange
const server = exchangeServer((_req, _res, exchange) => {
  underWay = exchange
  return callRoute(respond, exchange, { thing_id: 'one' })
})

async function ask(method = 'GET') {
  const { port } = server
  const request = http.request({ host: '127.0.0.1', port, path: '/api/things/one?a=1', method, agent: false }).end()
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  return { request, response }
}

it('a route gets the address, the headers and the parameters of the path', async () => {
  respond = async (request, { params }) =>
    Response.json([request.method, new URL(request.url).search, request.headers.get('connection'), params])
  const { response } = await ask()
  const text = await response.setEncoding('utf8').reduce((all, part) => all + part, '')
  expect(JSON.parse(text)).toEqual(['GET', '?a=1', 'close', { thing_id: 'one' }])
})

describe('a stream', () => {
  let isCancelled = false
  const open = () =>
    new ReadableStream({
      start: (controller) => controller.enqueue(new TextEncoder().encode('first')),
      cancel: () => {
        isCancelled = true
      },
    })
  beforeEach(() => {
    isCancelled = false
  })

  it('is cancelled where the head alone is asked for', async () => {
    respond = async () => new Response(open(), { headers: { 'Content-Type': 'text/event-stream' } })
    const { response } = await ask('HEAD')
    expect(response.headers['content-type']).toBe('text/event-stream')
    expect(isCancelled).toBe(true)
  })

  it('is sent as it comes, and cancelled when the client leaves', async () => {
    respond = async () => new Response(open())
    const { request, response } = await ask()
    const [first] = await once(response, 'data')
    expect([String(first), isCancelled]).toEqual(['first', false])
    response.on('error', () => {})
    request.destroy()
    await expect.poll(() => isCancelled).toBe(true)
  })

  it('is cancelled when the client has left before it began', async () => {
    const { port } = server
    const request = http.get({ host: '127.0.0.1', port, agent: false })
    request.on('error', () => {})
    respond = async () => {
      request.destroy()
      await once(underWay.res, 'close')
      return new Response(open())
    }
    await expect.poll(() => isCancelled).toBe(true)
  })
})
