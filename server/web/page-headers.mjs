// What every page asks of the browser: whose scripts may run, who may frame it, what else it may do (W3C CSP Level 3,
// Referrer Policy, Permissions Policy; RFC 6797). Set before Next responds, so that redirects, error pages and pages that
// are not there carry the same. Responses under /api and /pdfjs set their own; of /api only the sign-in library's are pages.
import { randomBytes } from 'node:crypto'

/** Addresses that grant access by themselves: no other site may learn them. */
const SECRET_ADDRESS = /^\/(?:u|r|e|s|d|verify|setup)\//
const IS_PAGE = /^\/(?!api\/(?!auth\/)|_next\/static\/|pdfjs\/)/

const UNUSED = ['accelerometer', 'camera', 'display-capture', 'geolocation', 'gyroscope', 'magnetometer']
const PERMISSIONS = [...UNUSED, 'microphone', 'midi', 'payment', 'usb'].map((name) => `${name}=()`).join(', ')

/**
 * Settings of the whole process, read once.
 * @param {Record<string, string | undefined>} env
 */
export function pageHeaders(env, dev = false) {
  const base = new URL(env.BASE_URL || 'http://localhost')
  const bucket = env.STORAGE === 's3' ? storageOrigins(env) : []
  const downloads = env.DOWNLOADS === 'redirect' ? bucket : []
  const calls = env.UPLOADS === 'direct' ? bucket : downloads
  const from = (...sources) => [...sources, ...downloads].join(' ')
  const fixed = [
    "default-src 'self'",
    // Colours and sizes that are measured stand in style attributes, and the toasts bring a style sheet of their own.
    "style-src 'self' 'unsafe-inline'",
    `img-src ${from("'self'", 'data:', 'blob:')}`,
    `media-src ${from("'self'", 'blob:')}`,
    `connect-src ${["'self'", ...calls].join(' ')}`,
    // Without it the rule for scripts holds, which refuses a worker that has no nonce.
    "worker-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ]
  const trustsProxy = env.TRUST_PROXY === 'true'
  const isLocal = ['localhost', '127.0.0.1', '[::1]'].includes(base.hostname)

  /** Gives the response its headers, and the request the nonce under which Next writes its scripts. */
  return (req, res) => {
    res.setHeader('X-Content-Type-Options', 'nosniff')
    const isSecure =
      base.protocol === 'https:' ||
      (trustsProxy && String(req.headers['x-forwarded-proto']).split(',').at(-1)?.trim() === 'https')
    if (isSecure) res.setHeader('Strict-Transport-Security', 'max-age=31536000')
    // Next takes the nonce from this header of the request; a caller's own must not reach it.
    delete req.headers['content-security-policy']
    delete req.headers['content-security-policy-report-only']
    const pathname = req.url.split('?', 1)[0]
    if (!IS_PAGE.test(pathname)) return
    const nonce = randomBytes(16).toString('base64')
    const scripts = `script-src 'self' 'nonce-${nonce}' 'strict-dynamic'${dev ? " 'unsafe-eval'" : ''}`
    const policy = [...fixed, scripts].join('; ')
    req.headers['content-security-policy'] = policy
    res.setHeader('Content-Security-Policy', policy)
    res.setHeader('X-Frame-Options', 'DENY')
    res.setHeader('Referrer-Policy', SECRET_ADDRESS.test(pathname) ? 'no-referrer' : 'strict-origin-when-cross-origin')
    res.setHeader('Permissions-Policy', PERMISSIONS)
    // Browsers follow it only where the connection is not open to forgery.
    if (isSecure || isLocal) res.setHeader('Cross-Origin-Opener-Policy', 'same-origin')
  }
}

/** Where downloads are redirected to and files are sent: the bucket, by its path and by its host. */
function storageOrigins({ S3_ENDPOINT, S3_REGION, S3_BUCKET }) {
  const { protocol, host } = new URL(S3_ENDPOINT || `https://s3.${S3_REGION || 'us-east-1'}.amazonaws.com`)
  return [`${protocol}//${host}`, `${protocol}//${S3_BUCKET}.${host}`]
}
