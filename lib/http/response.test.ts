import { once } from 'node:events'
import http, { type IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { gunzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { exchangeServer } from '@/server/testing/exchange-server'
import { callRoute } from '@/server/web/call-route.mjs'
import { deliver, type RouteResponse } from './response'

/** A server that calls a route as the web server does. */
const server = exchangeServer((_req, _res, exchange) => callRoute(async () => deliver(respondNext()), exchange, {}))
let respondNext: () => RouteResponse

/** What travels, byte for byte: no client decodes it on the way. */
async function ask(given: RouteResponse, options: http.RequestOptions = {}) {
  respondNext = () => given
  const { port } = server
  const request = http.request({ host: '127.0.0.1', port, agent: false, ...options }).end()
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  const chunks: Buffer[] = []
  for await (const chunk of response) chunks.push(chunk)
  return { status: response.statusCode, headers: response.headers, body: Buffer.concat(chunks) }
}

const JSON_TYPE = { 'Content-Type': 'application/json' }
const long = JSON.stringify(Array.from({ length: 200 }, (_, i) => `Žluťoučký kůň ${i}`))

describe('a text', () => {
  it('says its length in bytes', async () => {
    const { headers, body } = await ask({ status: 201, headers: JSON_TYPE, body: '{"name":"Frühling"}' })
    expect(body.toString()).toBe('{"name":"Frühling"}')
    expect(headers).toMatchObject({ 'content-length': '20', 'content-type': 'application/json' })
  })

  it.each(['gzip', 'br, gzip;q=0.8', 'GZIP', '*', 'deflate, *;q=0.1'])(
    'is compressed for who accepts “%s”',
    async (accepted) => {
      const { headers, body } = await ask(
        { status: 200, headers: JSON_TYPE, body: long },
        { headers: { 'Accept-Encoding': accepted } },
      )
      expect(headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'Accept-Encoding' })
      expect(headers['content-length']).toBe(String(body.length))
      expect(gunzipSync(body).toString()).toBe(long)
    },
  )

  it.each(['', 'identity', 'br', 'gzip;q=0', 'gzip; q=0.000, br', 'gzipped'])(
    'is not compressed for who accepts “%s”, and says that it could have been',
    async (accepted) => {
      const { headers, body } = await ask(
        { status: 200, headers: JSON_TYPE, body: long },
        { headers: { 'Accept-Encoding': accepted } },
      )
      expect(headers['content-encoding']).toBeUndefined()
      expect(headers.vary).toBe('Accept-Encoding')
      expect(body.toString()).toBe(long)
    },
  )

  it('is not compressed when it is short', async () => {
    const { headers } = await ask({ status: 200, body: 'ok' }, { headers: { 'Accept-Encoding': 'gzip' } })
    expect(headers).toMatchObject({ 'content-length': '2' })
    expect(headers['content-encoding']).toBeUndefined()
  })

  it('is only measured when the head alone is asked for', async () => {
    const { headers, body } = await ask({ status: 200, body: long }, { method: 'HEAD' })
    expect(body).toHaveLength(0)
    expect(headers['content-length']).toBe(String(Buffer.byteLength(long)))
  })
})

describe('bytes', () => {
  it('go out as they are, even to who would read them compressed', async () => {
    const bytes = Buffer.alloc(5000, 'x')
    const { headers, body } = await ask({ status: 200, body: bytes }, { headers: { 'Accept-Encoding': 'gzip' } })
    expect(body.equals(bytes)).toBe(true)
    expect(headers).toMatchObject({ 'content-length': '5000' })
  })
})

describe('a stream', () => {
  const head = { 'Content-Type': 'video/mp4', 'Content-Length': '9' }

  it('says the length its response knows', async () => {
    const { headers, body } = await ask({ status: 206, headers: head, body: Readable.from([Buffer.from('nine byte')]) })
    expect([headers['content-length'], body.toString()]).toEqual(['9', 'nine byte'])
  })

  it('is not read, but closed, when the head alone is asked for', async () => {
    const body = new Readable({ read: () => expect.unreachable('no one asked for bytes') })
    const { headers } = await ask({ status: 200, headers: head, body }, { method: 'HEAD' })
    expect(headers['content-length']).toBe('9')
    if (!body.closed) await once(body, 'close')
    expect(body.destroyed).toBe(true)
  })

  it('that breaks off is not taken for the whole', async () => {
    const body = Readable.from(
      (async function* () {
        yield Buffer.from('nine')
        throw new Error('the disk is gone')
      })(),
    )
    await expect(ask({ status: 200, headers: head, body })).rejects.toThrow(/aborted|hang up|ECONNRESET/)
  })

  it('is closed when the client goes away', async () => {
    const body = new Readable({ read() {} })
    body.push('nine')
    respondNext = () => ({ status: 200, headers: head, body })
    const { port } = server
    const request = http.get({ host: '127.0.0.1', port, agent: false })
    request.on('error', () => {})
    await once(request, 'response')
    request.destroy()
    await once(body, 'close')
    expect(body.destroyed).toBe(true)
  })
})

describe('no body', () => {
  it.each([
    [304, { ETag: '"a"' }, undefined],
    [302, { Location: '/elsewhere' }, '0'],
    [200, { 'Content-Length': '123' }, '123'],
  ])('of a %i has the head it was given', async (status, headers, length) => {
    const got = await ask({ status, headers, body: null }, { method: status === 200 ? 'HEAD' : 'GET' })
    expect([got.status, got.headers['content-length'], got.body.length]).toEqual([status, length, 0])
  })
})
