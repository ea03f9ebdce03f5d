import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { findProviderProblem } from './identity-provider'

let response: { status: number; body: string }
let issuer: string
const server = createServer({ keepAliveTimeout: 65_000 }, (_, res) => res.writeHead(response.status).end(response.body))

beforeEach(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterEach(() => new Promise((resolve) => (server.listening ? server.close(resolve) : resolve(null))))

const configuration = (own = issuer) =>
  JSON.stringify({ issuer: own, authorization_endpoint: `${own}/authorize`, token_endpoint: `${own}/token` })

it('a provider that can be used has no problem, with or without a slash at its end', async () => {
  response = { status: 200, body: configuration() }
  expect(await findProviderProblem(issuer)).toBeNull()
  expect(await findProviderProblem(`${issuer}/`)).toBeNull()
})

it('a provider that cannot be used is reported, without its address', async () => {
  response = { status: 404, body: '' }
  expect(await findProviderProblem(issuer)).toBe('its configuration responds with 404')
  response = { status: 200, body: '<html>' }
  expect(await findProviderProblem(issuer)).toBe('its configuration is not that of an OpenID Connect provider')
  response = { status: 200, body: configuration('https://elsewhere.example.com') }
  expect(await findProviderProblem(issuer)).toBe('it calls itself by another address')
  await new Promise((resolve) => server.close(resolve))
  expect(await findProviderProblem(issuer)).toBe('it does not respond')
})
