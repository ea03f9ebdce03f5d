import { createHash, generateKeyPairSync, type KeyObject, randomUUID, sign } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import type { AuthOptions } from 'next-auth'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { emptyTables } from '@/db/testing'
import { makeUser } from '@/fixtures/factories'
import { authOptions, findActor } from './auth'
import { BASE_URL } from './http/testing'

/**
 * Signing in through an identity provider, over the network: a provider that does what OpenID Connect Core asks of one,
 * unless a test has it misbehave.
 */

type AuthResponse = {
  status?: number
  redirect?: string
  body?: unknown
  cookies?: { name: string; value: string }[]
}
/** The library's own handler, without the server around it, which its package does not offer by name. */
const { AuthHandler } = createRequire(import.meta.url)(path.resolve('node_modules/next-auth/core/index.js')) as {
  AuthHandler(asked: { req: Request; options: AuthOptions }): Promise<AuthResponse>
}

const CLIENT = { id: 'greenroom', secret: 'a client secret with a : and a %' }
const REDIRECT = `${BASE_URL}/api/auth/callback/oidc`
const keys = generateKeyPairSync('rsa', { modulusLength: 2048 })
const foreignKeys = generateKeyPairSync('rsa', { modulusLength: 2048 })

type Misbehaviour = {
  /** What the ID token claims besides, or instead. */
  claims?: Record<string, unknown>
  userinfo?: Record<string, unknown> | null
  key?: KeyObject
  tokenStatus?: number
}
let person: Record<string, unknown> = {}
let misbehaviour: Misbehaviour = {}
let asked: string[] = []
const codes = new Map<string, URLSearchParams>()

const base64 = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
function signed(claims: object, key: KeyObject = keys.privateKey) {
  const text = `${base64({ alg: 'RS256', typ: 'JWT', kid: 'the-key' })}.${base64(claims)}`
  return `${text}.${sign('sha256', Buffer.from(text), key).toString('base64url')}`
}

let issuer = ''
const server = createServer({ keepAliveTimeout: 65_000 }, (request, response) => {
  provide(request, response).catch((error) => response.writeHead(500).end(String(error)))
})

async function provide(request: IncomingMessage, response: ServerResponse) {
  const url = new URL(request.url ?? '', issuer)
  asked.push(url.pathname)
  const json = (value: object, status = 200) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
  switch (url.pathname) {
    case '/.well-known/openid-configuration':
      return json({
        issuer,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        jwks_uri: `${issuer}/jwks`,
        ...(misbehaviour.userinfo !== null && { userinfo_endpoint: `${issuer}/userinfo` }),
        response_types_supported: ['code'],
        subject_types_supported: ['public'],
        id_token_signing_alg_values_supported: ['RS256'],
      })
    case '/jwks':
      return json({ keys: [{ ...keys.publicKey.export({ format: 'jwk' }), kid: 'the-key', use: 'sig', alg: 'RS256' }] })
    case '/authorize': {
      const code = randomUUID()
      codes.set(code, url.searchParams)
      const back = new URL(url.searchParams.get('redirect_uri') ?? '')
      back.search = new URLSearchParams({ code, state: url.searchParams.get('state') ?? '' }).toString()
      return response.writeHead(302, { location: back.href }).end()
    }
    case '/token': {
      const form = new URLSearchParams(await text(request))
      const [id, secret] = Buffer.from(request.headers.authorization?.replace(/^Basic /, '') ?? '', 'base64')
        .toString()
        .split(':')
        .map((part) => decodeURIComponent(part.replaceAll('+', ' ')))
      const grant = codes.get(form.get('code') ?? '')
      codes.delete(form.get('code') ?? '')
      const challenge = createHash('sha256')
        .update(form.get('code_verifier') ?? '')
        .digest('base64url')
      if (id !== CLIENT.id || secret !== CLIENT.secret) return json({ error: 'invalid_client' }, 401)
      if (grant?.get('code_challenge') !== challenge || grant.get('redirect_uri') !== form.get('redirect_uri'))
        return json({ error: 'invalid_grant' }, 400)
      const seconds = Math.floor(Date.now() / 1000)
      const claims = { iss: issuer, aud: id, sub: 'ann-1', iat: seconds, exp: seconds + 300, nonce: grant.get('nonce') }
      return json(
        {
          access_token: 'an access token',
          token_type: 'Bearer',
          id_token: signed({ ...claims, ...misbehaviour.claims }, misbehaviour.key),
        },
        misbehaviour.tokenStatus,
      )
    }
    case '/userinfo':
      if (request.headers.authorization !== 'Bearer an access token') return json({}, 401)
      return json({ sub: 'ann-1', ...person, ...misbehaviour.userinfo })
    default:
      return response.writeHead(404).end()
  }
}

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  Object.assign(process.env, {
    AUTH_OIDC_ISSUER: issuer,
    AUTH_OIDC_CLIENT_ID: CLIENT.id,
    AUTH_OIDC_CLIENT_SECRET: CLIENT.secret,
  })
})
afterAll(() => server.close())
beforeEach(async () => {
  await emptyTables()
  person = { email: 'ann@example.test', email_verified: true, name: 'Ann' }
  misbehaviour = {}
  asked = []
})

/** A browser, as far as signing in asks for one: it keeps cookies and knows where it was sent. */
class Browser {
  cookies = new Map<string, string>()

  async ask(method: 'GET' | 'POST', url: string, body?: Record<string, string>) {
    const request = new Request(url, {
      method,
      headers: { cookie: this.cookie, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    })
    const response = await AuthHandler({ req: request, options: authOptions() })
    for (const { name, value } of response.cookies ?? []) {
      if (value === '') this.cookies.delete(name)
      else this.cookies.set(name, value)
    }
    return response
  }

  get cookie() {
    return [...this.cookies].map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('; ')
  }

  async post(action: string) {
    const { body } = await this.ask('GET', `${BASE_URL}/api/auth/csrf`)
    return this.ask('POST', `${BASE_URL}/api/auth/${action}`, {
      csrfToken: (body as { csrfToken: string }).csrfToken,
      callbackUrl: '/projects',
    })
  }

  /** To the provider and back. `onTheWay` may change the address it comes back with. */
  async signIn(onTheWay: (address: URL) => void = () => {}) {
    const sent = await this.post('signin/oidc')
    if (!sent.redirect?.startsWith(issuer)) return sent
    const atProvider = await fetch(sent.redirect, { redirect: 'manual' })
    const back = new URL(atProvider.headers.get('location') ?? '')
    onTheWay(back)
    let response = await this.ask('GET', back.href)
    while (response.redirect?.startsWith(`${BASE_URL}/api/auth/`)) response = await this.ask('GET', response.redirect)
    return response
  }

  whoami = (cookie = this.cookie) => findActor(new Headers({ cookie }), null, new Date())
}

const errorOf = (response: { redirect?: string }) =>
  new URL(response.redirect ?? '', BASE_URL).searchParams.get('error')

describe('signing in through an identity provider, over the network', () => {
  it('leads to the account of the verified address, wherever the provider states it', async () => {
    const ann = await makeUser({ email: 'Ann@example.test', passwordHash: null })
    const browser = new Browser()
    const response = await browser.signIn()
    expect(response.redirect).toBe(`${BASE_URL}/projects`)
    expect(await browser.whoami()).toMatchObject({ id: ann.id, via: 'session' })
    expect(asked).toContain('/userinfo')

    misbehaviour = { claims: person, userinfo: null }
    asked = []
    const another = new Browser()
    await another.signIn()
    expect(await another.whoami()).toMatchObject({ id: ann.id })
    expect(asked).not.toContain('/userinfo')
  })

  it('asks with PKCE, state and nonce, and for the address', async () => {
    const { redirect = '' } = await new Browser().post('signin/oidc')
    const query = new URL(redirect).searchParams
    expect(query.get('redirect_uri')).toBe(REDIRECT)
    expect(query.get('scope')).toBe('openid email profile')
    expect(query.get('code_challenge_method')).toBe('S256')
    for (const name of ['code_challenge', 'state', 'nonce']) expect(query.get(name)?.length).toBeGreaterThan(20)
  })

  it.each<[string, () => void]>([
    ['has no account here', () => Object.assign(person, { email: 'unknown@example.test' })],
    ['has an address that is not verified', () => Object.assign(person, { email_verified: false })],
    ['has no address', () => delete person.email],
  ])('is not for a user who %s', async (_, arrange) => {
    await makeUser({ email: 'ann@example.test' })
    arrange()
    const browser = new Browser()
    expect(errorOf(await browser.signIn())).toBe('AccessDenied')
    expect(await browser.whoami()).toBeNull()
  })

  it.each<[string, () => Misbehaviour]>([
    ['a token signed with another key', () => ({ key: foreignKeys.privateKey })],
    ['a token for another nonce', () => ({ claims: { nonce: 'another' } })],
    ['a token for another client', () => ({ claims: { aud: 'another' } })],
    ['a token of another issuer', () => ({ claims: { iss: 'https://login.example.com' } })],
    ['a token that has expired', () => ({ claims: { exp: 1_000_000_000 } })],
    ['facts about another person', () => ({ userinfo: { sub: 'bob-2' } })],
    ['a failure', () => ({ tokenStatus: 500 })],
  ])('ends at the sign-in page when the provider responds with %s', async (_, arrange) => {
    await makeUser({ email: 'ann@example.test' })
    misbehaviour = arrange()
    const browser = new Browser()
    const response = await browser.signIn()
    expect(response.redirect).toMatch(/^\/sign-in\?/)
    expect(errorOf(response)).toBe('OAuthCallback')
    expect(await browser.whoami()).toBeNull()
  })

  it('takes no response that this browser did not ask for', async () => {
    await makeUser({ email: 'ann@example.test' })
    const browser = new Browser()
    expect(errorOf(await browser.signIn((back) => back.searchParams.set('state', 'forged')))).toBe('OAuthCallback')
    let stolen = ''
    await new Browser().signIn((back) => {
      stolen = back.href
    })
    expect(errorOf(await browser.ask('GET', stolen))).toBe('OAuthCallback')
    expect(await browser.whoami()).toBeNull()
  })

  it('says so when the provider is away', async () => {
    process.env.AUTH_OIDC_ISSUER = issuer
    await new Promise((resolve) => server.close(resolve))
    server.closeAllConnections()
    const response = await new Browser().post('signin/oidc')
    expect(errorOf(response)).toBe('OAuthSignin')
    await new Promise<void>((resolve) => server.listen(Number(new URL(issuer).port), '127.0.0.1', resolve))
  })
})

describe('signing out', () => {
  it('ends the session itself: a copy of its cookie opens nothing, on any server, and cannot be renewed', async () => {
    const ann = await makeUser({ email: 'ann@example.test' })
    const [browser, elsewhere] = [new Browser(), new Browser()]
    await browser.signIn()
    await elsewhere.signIn()
    const copy = new Browser()
    copy.cookies = new Map(browser.cookies)
    // A renewed cookie is still the same session.
    await copy.ask('GET', `${BASE_URL}/api/auth/session`)
    expect(copy.cookie).not.toBe(browser.cookie)
    expect(await copy.whoami()).toMatchObject({ id: ann.id })

    await browser.post('signout')
    expect([...browser.cookies.keys()].filter((name) => name.includes('session-token'))).toEqual([])
    expect(await copy.whoami()).toBeNull()
    const renewed = await copy.ask('GET', `${BASE_URL}/api/auth/session`)
    expect(renewed.status ?? 200).toBe(200)
    expect(await copy.whoami()).toBeNull()

    expect(await elsewhere.whoami()).toMatchObject({ id: ann.id })
  })
})
