import { describe, expect, it } from 'vitest'
import { pageHeaders } from './page-headers.mjs'

type Headers = Record<string, string | undefined>

function ask(url: string, env: Headers = {}, sent: Headers = {}, dev = false) {
  const headers = { ...sent }
  const responseHeaders: Headers = {}
  const res = {
    setHeader: (name: string, value: string) => Object.assign(responseHeaders, { [name.toLowerCase()]: value }),
  }
  pageHeaders({ BASE_URL: 'http://qc.example.com', ...env }, dev)({ url, headers }, res)
  const policy = Object.fromEntries(
    (responseHeaders['content-security-policy'] ?? '').split('; ').map((each) => {
      const [name = '', ...sources] = each.split(' ')
      return [name, sources]
    }),
  )
  return { asked: headers, responseHeaders, policy }
}

describe('what a page says to the browser', () => {
  it('runs scripts of this response only, and cannot be framed', () => {
    const { asked, responseHeaders, policy } = ask('/projects?q=1')
    expect(policy['script-src']).toEqual([
      "'self'",
      expect.stringMatching(/^'nonce-[\w+/]{22}=='$/),
      "'strict-dynamic'",
    ])
    expect(policy).toMatchObject({
      'frame-ancestors': ["'none'"],
      'object-src': ["'none'"],
      'base-uri': ["'none'"],
      'form-action': ["'self'"],
      'worker-src': ["'self'"],
    })
    expect(responseHeaders).toMatchObject({
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'strict-origin-when-cross-origin',
      'permissions-policy': expect.stringContaining('camera=()'),
    })
    // What Next reads the nonce from.
    expect(asked['content-security-policy']).toBe(responseHeaders['content-security-policy'])
  })

  it('has a nonce of its own each time, whatever the caller sends', () => {
    const forged = { 'content-security-policy': "script-src 'nonce-mine'" }
    const nonces = [1, 2, 3].map(() => ask('/', {}, forged).policy['script-src']?.[1])
    expect(new Set(nonces).size).toBe(3)
    expect(nonces).not.toContain("'nonce-mine'")
    expect(ask('/api/projects', {}, forged).asked).toEqual({})
  })

  it.each(['/u/token', '/r/token', '/e/token', '/s/token', '/d/token', '/verify/id', '/setup/token'])(
    'gives no other site a referrer from %s',
    (url) => {
      expect(ask(url).responseHeaders['referrer-policy']).toBe('no-referrer')
    },
  )

  it('is kept to https where it is served so, by us or by a proxy that is trusted', () => {
    const headerOf = (env: Headers, sent: Headers = {}) =>
      ask('/', env, sent).responseHeaders['strict-transport-security']
    expect(headerOf({ BASE_URL: 'https://qc.example.com' })).toBe('max-age=31536000')
    expect(headerOf({})).toBeUndefined()
    expect(headerOf({}, { 'x-forwarded-proto': 'https' })).toBeUndefined()
    expect(headerOf({ TRUST_PROXY: 'true' }, { 'x-forwarded-proto': 'https' })).toBe('max-age=31536000')
  })

  it('leaves alone what sets its own headers', () => {
    for (const url of [
      '/api/projects',
      '/api/banners/token/index.html',
      '/_next/static/chunk.js',
      '/pdfjs/5.6.205/build/worker.mjs',
    ]) {
      expect(Object.keys(ask(url).responseHeaders)).toEqual(['x-content-type-options'])
    }
    expect(ask('/api/auth/signout').policy['frame-ancestors']).toEqual(["'none'"])
  })

  it('may load files from the bucket when downloads are redirected there', () => {
    const env = { STORAGE: 's3', S3_BUCKET: 'files', S3_REGION: 'eu-central-1' }
    expect(ask('/', env).policy['media-src']).toEqual(["'self'", 'blob:'])
    expect(ask('/', { ...env, DOWNLOADS: 'redirect' }).policy['media-src']).toEqual([
      "'self'",
      'blob:',
      'https://s3.eu-central-1.amazonaws.com',
      'https://files.s3.eu-central-1.amazonaws.com',
    ])
  })

  it('may send files to the bucket, and load none from there, when uploads go there', () => {
    const env = { STORAGE: 's3', S3_BUCKET: 'files', S3_REGION: 'eu-central-1', UPLOADS: 'direct' }
    const { policy } = ask('/', env)
    expect(policy['connect-src']).toEqual([
      "'self'",
      'https://s3.eu-central-1.amazonaws.com',
      'https://files.s3.eu-central-1.amazonaws.com',
    ])
    expect(policy['media-src']).toEqual(["'self'", 'blob:'])
    expect(ask('/', { ...env, UPLOADS: 'server' }).policy['connect-src']).toEqual(["'self'"])
  })

  it('may evaluate only where it is developed', () => {
    expect(ask('/').policy['script-src']).not.toContain("'unsafe-eval'")
    expect(ask('/', {}, {}, true).policy['script-src']).toContain("'unsafe-eval'")
  })
})
