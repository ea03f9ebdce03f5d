import { readArchivePart } from '@/lib/adapters/archive-part'
import { openBannerPart } from '@/lib/domain/files/banner'
import type { BlobKey } from '@/lib/domain/kernel/blob-store'
import { notFound } from '@/lib/domain/kernel/errors'
import type { Exchange } from './endpoint'

/** What a part of an ad is served as; anything else is bytes that do nothing. */
const TYPES: Record<string, string> = {
  html: 'text/html; charset=utf-8',
  htm: 'text/html; charset=utf-8',
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  mjs: 'text/javascript; charset=utf-8',
  json: 'application/json',
  svg: 'image/svg+xml',
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  avif: 'image/avif',
  mp4: 'video/mp4',
  webm: 'video/webm',
  mp3: 'audio/mpeg',
  wav: 'audio/wav',
  woff: 'font/woff',
  woff2: 'font/woff2',
  ttf: 'font/ttf',
  otf: 'font/otf',
}

/**
 * A part of somebody's HTML5 ad. Its document has no origin (the sandbox directive holds in a tab of its own, too), loads
 * nothing but the parts of the same archive, talks to nobody, and opens neither windows nor forms.
 */
export async function bannerPart({ request, ctx, params }: Exchange): Promise<Response> {
  const { file, path } = await openBannerPart.execute(ctx, params as never)
  const bytes = await ctx.outside.blobs.localPath(file.objectKey as BlobKey, (local) => readArchivePart(local, path))
  if (!bytes) throw notFound('part of this banner', path)
  return new Response(request.method === 'HEAD' ? null : new Uint8Array(bytes), {
    headers: {
      'Content-Type': TYPES[path.split('.').at(-1)?.toLowerCase() ?? ''] ?? 'application/octet-stream',
      'Content-Length': String(bytes.length),
      'Content-Security-Policy': policy(
        request.headers.get('host') ?? new URL(ctx.outside.baseUrl).host,
        params.token ?? '',
      ),
      // Without an origin everything is foreign to the ad, its own fonts and modules, too. The address is the secret.
      'Access-Control-Allow-Origin': '*',
      'Cross-Origin-Resource-Policy': 'cross-origin',
      'Referrer-Policy': 'no-referrer',
      'Permissions-Policy': 'camera=(), microphone=(), geolocation=(), payment=()',
      'Cache-Control': 'private, max-age=3600',
    },
  })
}

function policy(host: string, token: string) {
  const own = /^[\w.:[\]-]+$/.test(host) ? `${host}/api/banners/${token}/` : "'none'"
  return [
    'sandbox allow-scripts',
    `default-src ${own} data: blob: 'unsafe-inline' 'unsafe-eval'`,
    "form-action 'none'",
    "base-uri 'none'",
    "frame-ancestors 'self'",
  ].join('; ')
}
