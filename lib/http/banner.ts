import { openBannerPart } from '@/lib/domain/files/banner'
import type { BlobKey } from '@/lib/domain/kernel/blob-store'
import { notFound } from '@/lib/domain/kernel/errors'
import { partType, readArchivePart } from '@/lib/media/formats/archive/part'
import { type Exchange, executeFor } from './endpoint'
import type { RouteResponse } from './response'

/**
 * A part of an uploaded HTML5 ad. Its document has no origin (the sandbox directive holds in a tab of its own, too), loads
 * nothing but the parts of the same archive, talks to no server, and opens neither windows nor forms.
 */
export async function bannerPart({ request, ctx, params }: Exchange): Promise<RouteResponse> {
  const { file, path } = await executeFor(openBannerPart, { ctx, params })
  const bytes = await ctx.ports.blobs.localPath(file.objectKey as BlobKey, (local) => readArchivePart(local, path))
  if (!bytes) throw notFound('part of this banner', path)
  return {
    status: 200,
    headers: {
      'Content-Type': partType(path),
      'Content-Security-Policy': policy(
        request.headers.get('host') ?? new URL(ctx.ports.baseUrl).host,
        params.token ?? '',
      ),
      // Without an origin everything is foreign to the ad, its own fonts and modules, too. The address is the secret.
      'Access-Control-Allow-Origin': '*',
      'Cross-Origin-Resource-Policy': 'cross-origin',
      'Referrer-Policy': 'no-referrer',
      'Permissions-Policy': 'camera=(), microphone=(), geolocation=(), payment=()',
      'Cache-Control': 'private, max-age=3600',
    },
    body: bytes,
  }
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
