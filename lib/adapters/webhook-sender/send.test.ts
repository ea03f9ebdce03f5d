import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { explainTarget, isPublicAddress } from './addresses'
import { publicLookup, webhookSender } from './send'

const servers: Server[] = []
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    server.close()
  }
})

async function receiver(listener: RequestListener) {
  const server = createServer({ keepAliveTimeout: 65_000 }, listener)
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`
}

const send = webhookSender({ allowsPrivate: true, timeoutMs: 10_000 })
const sendPublic = webhookSender({ allowsPrivate: false, timeoutMs: 10_000 })
const to = (url: string) => ({ url, headers: { 'webhook-id': 'msg_1' }, body: '{"ü":1}' })

describe('sending', () => {
  it('says what came back, and only the beginning of much', async () => {
    let got = ''
    const url = await receiver((request, response) => {
      request.setEncoding('utf8').on('data', (text) => {
        got += `${request.method} ${request.headers['webhook-id']} ${text}`
      })
      request.on('end', () => response.writeHead(418, { 'retry-after': '7' }).end('x'.repeat(100_000)))
    })
    const received = await send(to(url))
    expect(got).toBe('POST msg_1 {"ü":1}')
    expect(received).toMatchObject({ status: 418, retryAfter: '7', error: null })
    expect(received.body).toHaveLength(4096)
  })

  it('follows no redirect', async () => {
    let followed = false
    const elsewhere = await receiver((_, response) => {
      followed = true
      response.end()
    })
    const url = await receiver((_, response) => response.writeHead(302, { location: elsewhere }).end())
    expect((await send(to(url))).status).toBe(302)
    expect(followed).toBe(false)
  })

  it('gives up on a receiver that hangs, also in the middle of its response, and on one that resets', async () => {
    const silent = await receiver(() => {})
    const endless = await receiver((_, response) => {
      response.writeHead(200).write('a beginning')
    })
    const sendInHaste = webhookSender({ allowsPrivate: true, timeoutMs: 300 })
    for (const url of [silent, endless])
      expect(await sendInHaste(to(url))).toMatchObject({ status: null, error: 'No complete response within 0.3 s.' })
    const resetting = await receiver((request) => void request.socket.resetAndDestroy())
    expect((await send(to(resetting))).error).toContain('ECONNRESET')
    expect((await send(to('http://127.0.0.1:1/'))).error).toContain('ECONNREFUSED')
    expect((await send(to('http://nowhere.invalid/'))).error).toMatch(/ENOTFOUND|EAI_AGAIN/)
  })

  it('goes to no private address, whichever way it is written or found', async () => {
    let reached = 0
    const url = await receiver((_, response) => {
      reached++
      response.end()
    })
    const port = new URL(url).port
    for (const host of ['127.0.0.1', '2130706433', '0x7f.1', '0177.0.0.1', '127.1', '[::1]', '[::ffff:127.0.0.1]', '0'])
      expect((await sendPublic(to(`https://${host}:${port}/`))).error).toContain('Not sent')
    // A name that leads home: seen when it is looked up, before anything is sent.
    const found = await new Promise<Error | null>((resolve) => publicLookup('localhost', {}, (error) => resolve(error)))
    expect(found?.message).toMatch(/^localhost leads to (127\.|::1)/)
    expect(reached).toBe(0)
    expect((await send(to(url))).status).toBe(200)
    expect(reached).toBe(1)
  })
})

describe('addresses', () => {
  it.each([
    '0.0.0.0',
    '10.1.2.3',
    '100.64.0.1',
    '127.0.0.1',
    '169.254.169.254',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '192.0.0.8',
    '198.18.0.1',
    '203.0.113.5',
    '224.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::ffff:8.8.8.8',
    'fe80::1',
    'fc00::1',
    'fd00:ec2::254',
    'ff02::1',
    '64:ff9b::7f00:1',
    '2002:7f00:1::',
    '2001:db8::1',
    '2001::1',
    'localhost',
    '',
  ])('%s is not public', (address) => expect(isPublicAddress(address)).toBe(false))

  it.each(['8.8.8.8', '1.1.1.1', '172.32.0.1', '100.128.0.1', '2606:4700::1111', '2a00:1450::1'])(
    '%s is public',
    (address) => expect(isPublicAddress(address)).toBe(true),
  )

  it.each([
    'ftp://example.com',
    'javascript:alert(1)',
    'https://',
    'example.com/hooks',
    'https://user:secret@example.com/',
    'https://example.com/#part',
    'http://example.com/',
    'https://localhost/',
    'https://db.internal/',
    'https://intranet/',
    'https://169.254.169.254/latest/meta-data/',
    'https://3232235777/',
    'https://[fd00::1]/',
  ])('%s is refused as a target', (url) => expect(explainTarget(url, false)).not.toBeNull())

  it('public ones are taken, private ones where the server allows them', () => {
    expect(explainTarget('https://example.com:8443/hooks?a=1', false)).toBeNull()
    expect(explainTarget('http://127.0.0.1:4000/', true)).toBeNull()
    expect(explainTarget('file:///etc/passwd', true)).not.toBeNull()
  })
})
