import { createHash } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import type { FileRow } from '@/lib/domain/files/present'
import { openFile } from '@/lib/domain/files/queries'
import { pageImage } from '@/lib/domain/files/rules'
import type { BlobKey } from '@/lib/domain/kernel/blob-store'
import { DomainError, quote } from '@/lib/domain/kernel/errors'
import { proxyKey } from '@/lib/domain/playback/find'
import { openPair, openPiece, openPlayback } from '@/lib/domain/playback/operations'
import { openEvidence } from '@/lib/domain/pre-qc/queries'
import { evidenceKey } from '@/lib/domain/pre-qc/rules'
import { copyImageKey, type RepairRow } from '@/lib/domain/repairs/find'
import { openRepair } from '@/lib/domain/repairs/operations'
import { assertBytes, assertPreviews } from '@/lib/domain/retention/rules'
import { tilesKey } from '@/lib/domain/tiles/find'
import { openTile, type TileOfFile } from '@/lib/domain/tiles/operations'
import { openRejectedFile, openRepairedCopy } from '@/lib/domain/upload-links/rejected-files'
import { env } from '@/lib/env'
import { unprintable } from '@/lib/pdf/coverage'
import { acting, type Exchange, executeFor } from './endpoint'
import { isKept } from './etag'
import { HttpError } from './http-error'
import type { RouteResponse } from './response'

/** What a browser may do with a stored file, whatever it holds: nothing but save it. */
export const INERT = {
  'Content-Security-Policy': "sandbox; default-src 'none'",
  'X-Content-Type-Options': 'nosniff',
  'Cross-Origin-Resource-Policy': 'same-origin',
}

/** RFC 6266 and RFC 8187: a plain name for old clients, the real one in UTF-8. */
export function attachment(name: string, disposition: 'attachment' | 'inline' = 'attachment'): string {
  const plain = name.replace(/[^\x20-\x7e]|["\\%/]/g, '_')
  const encoded = encodeURIComponent(name).replace(/['()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`)
  return `${disposition}; filename="${plain}"; filename*=UTF-8''${encoded}`
}

/** Something made on the spot, as a file to keep. */
export const fileResponse = (name: string, type: string, body: Buffer | string): RouteResponse => ({
  status: 200,
  headers: { 'Content-Type': type, 'Content-Disposition': attachment(name) },
  body,
})

/**
 * A document as PDF. Characters that no typeface has, for which it shows a replacement, are named by their code points in
 * `Unprintable-Characters`, at most fifty.
 */
export function pdfResponse(name: string, document: object, pdf: Buffer): RouteResponse {
  const missing = unprintable(JSON.stringify(document)).slice(0, 50)
  const response = fileResponse(name, 'application/pdf', pdf)
  const codes = missing.map((character) => `U+${character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')}`)
  return codes.length === 0
    ? response
    : { ...response, headers: { ...response.headers, 'Unprintable-Characters': codes.join(', ') } }
}

/** The bytes of a file, whole or by one range (RFC 9110 section 14). */
export async function download({ request, ctx, params }: Exchange): Promise<RouteResponse> {
  const file = await executeFor(openFile, { ctx, params })
  assertBytes(file)
  return bytesResponse(request, ctx, file)
}

/** @param disposition `inline` for what a player shows; it is no name to save it under */
export async function bytesResponse(
  request: Request,
  ctx: Exchange['ctx'],
  file: { name: string; mediaType: string; sha256: string; size: number; objectKey: string },
  disposition: 'attachment' | 'inline' = 'attachment',
): Promise<RouteResponse> {
  const etag = `"${file.sha256}"`
  const headers = new Headers({
    ...INERT,
    'Content-Type': file.mediaType,
    'Content-Disposition': attachment(file.name, disposition),
    'Accept-Ranges': 'bytes',
    ETag: etag,
  })
  if (isKept(request, etag)) return { status: 304, headers, body: null }
  const range = askedRange(request, etag, file.size)
  headers.set('Content-Length', String(range ? range.end - range.start + 1 : file.size))
  if (range) headers.set('Content-Range', `bytes ${range.start}-${range.end}/${file.size}`)
  if (request.method === 'HEAD') return { status: range ? 206 : 200, headers, body: null }
  const elsewhere = mayRedirect(request) ? await addressOf(ctx, file) : null
  if (elsewhere !== null) return { status: 302, headers: { ...INERT, Location: elsewhere }, body: null }
  const body = await ctx.ports.blobs.read(file.objectKey as BlobKey, range ?? undefined)
  return { status: range ? 206 : 200, headers, body }
}

/**
 * Whether who asks may be sent to the bucket. A script of a page may not: browsers let it read what another origin answers
 * only where that allows it, which a bucket need not (Fetch Metadata, `Sec-Fetch-Mode`; browsers alone send it).
 */
const mayRedirect = ({ headers }: Request) =>
  env.DOWNLOADS === 'redirect' && !['cors', 'same-origin'].includes(headers.get('sec-fetch-mode') ?? '')

const addressOf = (ctx: Exchange['ctx'], file: { name: string; mediaType: string; objectKey: string }) =>
  ctx.ports.blobs.link(file.objectKey as BlobKey, {
    contentType: file.mediaType,
    contentDisposition: attachment(file.name),
  })

/**
 * The byte range that a request asks for of a body of this size; null where it gets the whole.
 * @throws `range_not_satisfiable`
 */
export function askedRange(request: Request, etag: string, size: number): { start: number; end: number } | null {
  const ifRange = request.headers.get('if-range')
  const range = ifRange === null || ifRange === etag ? rangeOf(request.headers.get('range'), size) : null
  if (range !== 'unsatisfiable') return range
  throw new HttpError('range_not_satisfiable', `The file has ${size} bytes; the range asked for lies outside.`, {
    headers: { 'Content-Range': `bytes */${size}` },
  })
}

/** Whether a download begins with this request, rather than goes on or is only asked about. */
export const isBegun = ({ method, headers }: Request) =>
  method === 'GET' && !/^bytes=(?!0+-)/.test(headers.get('range')?.trim() ?? '')

/** One satisfiable byte range, `null` for the whole (no range, several, or one that cannot be read), or `unsatisfiable`. */
function rangeOf(header: string | null, size: number): { start: number; end: number } | 'unsatisfiable' | null {
  const match = /^bytes=(\d*)-(\d*)$/.exec(header?.trim() ?? '')
  if (!match || (match[1] === '' && match[2] === '')) return null
  if (match[1] === '') {
    const last = Number(match[2])
    return last === 0 ? 'unsatisfiable' : { start: Math.max(0, size - last), end: size - 1 }
  }
  const start = Number(match[1])
  const end = match[2] === '' ? size - 1 : Math.min(Number(match[2]), size - 1)
  if (match[2] !== '' && Number(match[2]) < start) return null
  return start < size ? { start, end } : 'unsatisfiable'
}

/** An image made by the worker. Its address holds the content's hash nowhere, so the ETag does. */
export const previewImage =
  (part: 'thumbnail' | 'preview') =>
  async ({ request, ctx, params }: Exchange) => {
    const file = await executeFor(openFile, { ctx, params })
    assertPreviews(file)
    const page = part === 'preview' ? pageOf(request) : 1
    if (!file.previews?.[part] || page > (file.previews.pages ?? 1))
      throw new DomainError('not_found', 'There is no image of this file, or not yet.')
    const name = page === 1 ? part : pageImage(page)
    return imageResponse(request, ctx, file, name, 'private, max-age=31536000, immutable')
  }

/** An image of what a check found. A result never changes, so neither does it. */
export async function evidence({ request, ctx, params }: Exchange): Promise<RouteResponse> {
  const { fileId, resultId, number } = await executeFor(openEvidence, { ctx, params })
  const etag = `"${resultId}-${number}"`
  const caching = 'private, max-age=31536000, immutable'
  const headers = new Headers({ ...INERT, 'Content-Type': 'image/webp', ETag: etag, 'Cache-Control': caching })
  if (isKept(request, etag)) return { status: 304, headers, body: null }
  return { status: 200, headers, body: await ctx.ports.blobs.read(evidenceKey(fileId, resultId, number)) }
}

/** The copy that browsers play, whole or by range. */
export async function playbackMedia({ request, ctx, params }: Exchange): Promise<RouteResponse> {
  const { file, proxy } = await executeFor(openPlayback, { ctx, params })
  return copyResponse(request, ctx, file, proxy, cachingOf(request, proxy.copySha256))
}

/** Where its address names its content, a browser may keep it. */
const cachingOf = (request: Request, sha256: string) =>
  new URL(request.url).searchParams.get('v') === sha256.slice(0, 16)
    ? 'private, max-age=31536000, immutable'
    : 'private, no-cache'

/** Two channels of its audio, whole or by range: from this service wherever objects lie, as a script mixes them. */
export async function playbackPair({ request, ctx, params }: Exchange): Promise<RouteResponse> {
  const { file, key, sha256, size } = await executeFor(openPair, { ctx, params })
  const name = `${file.name.replace(/\.[^.]*$/, '')}.channels-${Number(params.number) + 1}.m4a`
  const pair = { name, mediaType: 'audio/mp4', sha256, size, objectKey: key }
  return playedBytes(request, ctx, pair, cachingOf(request, sha256))
}

/** A piece of a copy that is being made. */
export async function playbackPiece({ ctx, params }: Exchange): Promise<RouteResponse> {
  const piece = await executeFor(openPiece, { ctx, params })
  // What is at its address never changes.
  return pieceResponse(ctx, piece, 'private, max-age=3600, immutable')
}

/** It comes from this service wherever objects lie, as a script reads it. */
export async function pieceResponse(
  ctx: Exchange['ctx'],
  { key }: { key: BlobKey },
  caching: string,
): Promise<RouteResponse> {
  const headers = { ...INERT, 'Content-Type': 'video/mp4', 'Cache-Control': caching }
  return { status: 200, headers, body: await ctx.ports.blobs.read(key) }
}

/** One tile of a large image. What is at its address is the same for ever, as the bytes of a file are. */
export async function imageTile({ request, ctx, params }: Exchange): Promise<RouteResponse> {
  const tile = await executeFor(openTile, { ctx, params })
  return tileResponse(request, ctx, tile, 'private, max-age=31536000, immutable')
}

/** @param watermark is drawn into its pixels; null: they are those of the file */
export async function tileResponse(
  request: Request,
  ctx: Exchange['ctx'],
  { file, tilesId, place }: TileOfFile,
  caching: string,
  watermark: string | null = null,
): Promise<RouteResponse> {
  const mark = watermark === null ? '' : `-${createHash('sha256').update(watermark).digest('hex').slice(0, 16)}`
  const etag = `"${file.sha256.slice(0, 32)}-${place.start}${mark}"`
  const headers = new Headers({ ...INERT, 'Content-Type': 'image/png', ETag: etag, 'Cache-Control': caching })
  if (isKept(request, etag)) return { status: 304, headers, body: null }
  if (watermark === null) {
    headers.set('Content-Length', String(place.end - place.start + 1))
    if (request.method === 'HEAD') return { status: 200, headers, body: null }
    return { status: 200, headers, body: await ctx.ports.blobs.read(tilesKey(tilesId), place) }
  }
  const body = await ctx.ports.tiles.mark(await buffer(await ctx.ports.blobs.read(tilesKey(tilesId), place)), watermark)
  return { status: 200, headers, body }
}

/** @param proxy the ready copy of the file */
export async function copyResponse(
  request: Request,
  ctx: Exchange['ctx'],
  file: Pick<FileRow, 'name' | 'kind'>,
  { id, copySha256, size }: { id: string; copySha256: string; size: number },
  caching: string,
): Promise<RouteResponse> {
  const [extension, mediaType] = file.kind === 'video' ? ['mp4', 'video/mp4'] : ['m4a', 'audio/mp4']
  const name = `${file.name.replace(/\.[^.]*$/, '')}.playback.${extension}`
  const copy = { name, mediaType, sha256: copySha256, size, objectKey: proxyKey(id) }
  return playedBytes(request, ctx, copy, caching)
}

async function playedBytes(
  request: Request,
  ctx: Exchange['ctx'],
  file: Parameters<typeof bytesResponse>[2],
  caching: string,
): Promise<RouteResponse> {
  const response = await bytesResponse(request, ctx, file, 'inline')
  if (response.status === 302) return response
  const headers = new Headers(response.headers)
  headers.set('Cache-Control', caching)
  return { ...response, headers }
}

/** The repaired copy that waits for a decision, as it would become the next version. */
export const repairedCopy = async ({ request, ctx, params }: Exchange): Promise<RouteResponse> =>
  copyBytes(request, ctx, await executeFor(openRepair, { ctx, params }))

export const repairedImage = async ({ request, ctx, params }: Exchange): Promise<RouteResponse> =>
  copyImage(request, ctx, await executeFor(openRepair, { ctx, params }), 'private, max-age=31536000, immutable')

/** For the agency, while a new version of a rejected file is awaited: asked for anew each time, as this right may end. */
export async function repairedCopyByLink(exchange: Exchange): Promise<RouteResponse> {
  const ctx = await acting(openRepairedCopy, exchange)
  return copyBytes(exchange.request, ctx, await executeFor(openRepairedCopy, { ctx, params: exchange.params }))
}

export async function repairedImageByLink(exchange: Exchange): Promise<RouteResponse> {
  const ctx = await acting(openRepairedCopy, exchange)
  const repair = await executeFor(openRepairedCopy, { ctx, params: exchange.params })
  return copyImage(exchange.request, ctx, repair, 'private, no-cache')
}

function copyBytes(request: Request, ctx: Exchange['ctx'], repair: RepairRow) {
  const { name, mediaType, sha256, size, objectKey } = repair
  if (mediaType === null || sha256 === null || size === null || objectKey === null)
    throw new DomainError('not_found', 'There is no repaired copy of this file.')
  return bytesResponse(request, ctx, { name, mediaType, sha256, size, objectKey })
}

async function copyImage(
  request: Request,
  ctx: Exchange['ctx'],
  repair: RepairRow,
  caching: string,
): Promise<RouteResponse> {
  if (repair.media?.hasPicture !== true) throw new DomainError('not_found', 'There is no image of this copy.')
  const etag = `"${repair.id}"`
  const headers = new Headers({ ...INERT, 'Content-Type': 'image/webp', ETag: etag, 'Cache-Control': caching })
  if (isKept(request, etag)) return { status: 304, headers, body: null }
  return { status: 200, headers, body: await ctx.ports.blobs.read(copyImageKey(repair)) }
}

/** `?page=n` of a document, from 1. @throws `invalid_query` */
function pageOf(request: Request): number {
  const asked = new URL(request.url).searchParams.get('page') ?? '1'
  if (/^[1-9]\d{0,5}$/.test(asked)) return Number(asked)
  const message = `page must be the number of a page, from 1; got ${quote(asked)}.`
  throw new DomainError('invalid_query', message, { errors: [{ path: 'page', code: 'invalid_format', message }] })
}

/** What the holder of a link is shown of a file that was rejected: its images, to see what is marked on them. */
export async function rejectedImage(exchange: Exchange): Promise<RouteResponse> {
  const { file, ctx } = await openedByLink(exchange)
  return pagedImage(exchange.request, ctx, file)
}

/** The image of `?page=`, for people without an account: asked for anew each time, as their right to it may end. */
export function pagedImage(request: Request, ctx: Exchange['ctx'], file: FileRow): Promise<RouteResponse> {
  assertPreviews(file)
  const page = pageOf(request)
  if (!file.previews?.preview || page > (file.previews.pages ?? 1))
    throw new DomainError('not_found', 'There is no image of this page.')
  return imageResponse(request, ctx, file, page === 1 ? 'preview' : pageImage(page), 'private, no-cache')
}

/** The small image of it, for lists, under the same terms. */
export function smallImage(request: Request, ctx: Exchange['ctx'], file: FileRow): Promise<RouteResponse> {
  assertPreviews(file)
  if (!file.previews?.thumbnail) throw new DomainError('not_found', 'There is no image of this file, or not yet.')
  return imageResponse(request, ctx, file, 'thumbnail', 'private, no-cache')
}

/** The video itself, so that a mark at a time is seen on the frame of that time. */
export async function rejectedMedia(exchange: Exchange): Promise<RouteResponse> {
  const { file, ctx } = await openedByLink(exchange)
  if (file.kind !== 'video')
    throw new DomainError('not_found', 'Only a video is streamed here; this file has an image.')
  assertBytes(file)
  return bytesResponse(exchange.request, ctx, file)
}

async function openedByLink(exchange: Exchange) {
  const ctx = await acting(openRejectedFile, exchange)
  return { file: await executeFor(openRejectedFile, { ctx, params: exchange.params }), ctx }
}

async function imageResponse(
  request: Request,
  ctx: Exchange['ctx'],
  file: { id: string; sha256: string },
  name: string,
  caching: string,
): Promise<RouteResponse> {
  const etag = `"${file.sha256.slice(0, 32)}-${name}"`
  const headers = new Headers({ ...INERT, 'Content-Type': 'image/webp', ETag: etag, 'Cache-Control': caching })
  if (isKept(request, etag)) return { status: 304, headers, body: null }
  return { status: 200, headers, body: await ctx.ports.blobs.read(`derived/${file.id}/${name}.webp`) }
}
