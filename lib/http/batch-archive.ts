import { createHash } from 'node:crypto'
import { addAbortSignal, Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import { makeZip, predictLength } from 'client-zip'
import { getCertificate } from '@/lib/domain/certificates/certificates'
import type { Certificate } from '@/lib/domain/certificates/schema'
import { uniqueNames } from '@/lib/domain/files/archive-names'
import type { FileRow } from '@/lib/domain/files/present'
import { openApprovedFiles, openSelectedFiles } from '@/lib/domain/files/queries'
import type { BlobKey } from '@/lib/domain/kernel/blob-store'
import { DomainError } from '@/lib/domain/kernel/errors'
import { unauthenticated } from '@/lib/domain/kernel/permissions'
import { isoOrNull } from '@/lib/domain/kernel/shapes'
import { assertBytes } from '@/lib/domain/retention/rules'
import { downloadShare, resumeShare } from '@/lib/domain/share-links/public'
import { formatCount } from '@/lib/format'
import { toCsv } from './csv'
import { askedRange, attachment, INERT, isBegun } from './downloads'
import { acting, type Exchange, executeFor } from './endpoint'
import { bodyOf, jsonOf } from './request'
import type { RouteResponse } from './response'

type Entry = {
  name: string
  size: number
  lastModified: Date
  /** Changes with its bytes. */
  sha256: string
  input: (signal: AbortSignal) => AsyncIterable<Uint8Array> | string
}
type Stored = Pick<
  FileRow,
  'name' | 'version' | 'size' | 'sha256' | 'mediaType' | 'decision' | 'decidedAt' | 'createdAt' | 'objectKey'
>
type Named = { id: string; name: string }
/** What the manifest says beside its files. */
type Head = {
  project: Named
  batch: Named & { round: number }
  /** Shared files that are not offered any more. */
  left_out?: readonly { name: string; version: number; sha256: string; why: string }[]
}

/**
 * The files of an approved batch as one ZIP: `files/…`, `SHA256SUMS` (for `sha256sum -c`), `manifest.json` and
 * `manifest.csv`, and `certificate.json` once one was issued.
 */
export async function batchArchive({ request, ctx, params }: Exchange): Promise<RouteResponse> {
  const { project, batch, files } = await executeFor(openApprovedFiles, { ctx, params })
  for (const file of files) assertBytes(file)
  const certificate = await executeFor(getCertificate, { ctx, params }).catch((error) => {
    if (error instanceof DomainError && error.code === 'invalid_state') return null
    throw error
  })
  const lastModified = batch.reviewedAt ?? batch.updatedAt
  const entries = [
    ...statedOf({ project, batch }, files, lastModified),
    ...certified(certificate, lastModified),
    ...files.map((file) => fileEntry(ctx, file)),
  ]
  return zipResponse(`${batch.name}.zip`, entries, request)
}

/**
 * The files that a share link offers, as the same ZIP. A download is counted where it begins, not where one that broke off
 * goes on.
 */
export async function shareArchive(exchange: Exchange): Promise<RouteResponse> {
  const { request, params } = exchange
  const ctx = await acting(downloadShare, exchange)
  const operation = isBegun(request) ? downloadShare : resumeShare
  const { project, batch, link, files, leftOut, certificate } = await executeFor(operation, { ctx, params })
  const names = uniqueNames(files)
  const named = files.map((file, index) => ({ ...file, name: names[index] ?? file.name }))
  const head = { project, batch, ...(leftOut.length > 0 && { left_out: leftOut }) }
  const entries = [
    ...statedOf(head, named, link.createdAt),
    ...certified(certificate, link.createdAt),
    ...named.map((file) => fileEntry(ctx, file)),
  ]
  return zipResponse(`${batch.name}.zip`, entries, request)
}

/** Chosen files of a batch as one ZIP, in any state of the batch: `files/…`, `SHA256SUMS` and the manifest. */
export async function selectionArchive({ request, ctx, params }: Exchange): Promise<RouteResponse> {
  // Said before the body is read.
  if (ctx.actor.type === 'anonymous') throw unauthenticated()
  const { project, batch, files } = await executeFor(openSelectedFiles, { ctx, params }, await idsOf(request))
  const names = uniqueNames(files)
  const named = files.map((file, index) => ({ ...file, name: names[index] ?? file.name }))
  const entries = [...statedOf({ project, batch }, named, ctx.now), ...named.map((file) => fileEntry(ctx, file))]
  return zipResponse(`${batch.name}, ${formatCount(files.length, 'file')}.zip`, entries, null)
}

/**
 * A form of a page sends the ids as `file_ids`, separated by commas: a browser saves what answers a form as it arrives,
 * and what a script has asked for only once all of it is in memory.
 */
async function idsOf(request: Request): Promise<unknown> {
  const body = await bodyOf(request)
  if (request.headers.get('content-type')?.split(';')[0]?.trim() !== 'application/x-www-form-urlencoded')
    return jsonOf(request, body)
  const { file_ids: ids, ...others } = Object.fromEntries(new URLSearchParams(body.toString()))
  return { ...others, ...(ids !== undefined && { file_ids: ids.split(',') }) }
}

const textEntry = (name: string, content: string, lastModified: Date): Entry => ({
  name,
  size: Buffer.byteLength(content),
  lastModified,
  sha256: createHash('sha256').update(content).digest('hex'),
  input: () => content,
})

/** What is said of the files beside them: hashes as `sha256sum` reads them, and the manifest for programs and for tables. */
function statedOf({ project, batch, ...more }: Head, files: readonly Stored[], lastModified: Date): Entry[] {
  const rows = files.map(({ name, version, size, sha256, mediaType, decision, decidedAt }) => ({
    path: `files/${name}`,
    version,
    size,
    sha256,
    media_type: mediaType,
    decision,
    decided_at: isoOrNull(decidedAt),
  }))
  const manifest = {
    kind: 'greenroom.file-manifest',
    version: 1,
    project: { id: project.id, name: project.name },
    batch: { id: batch.id, name: batch.name },
    round: batch.round,
    files: rows,
    ...more,
  }
  const table = [
    ['path', 'version', 'bytes', 'sha256', 'media_type', 'decision', 'decided_at'],
    ...rows.map((row) => [
      ...[row.path, row.version, row.size, row.sha256, row.media_type, row.decision, row.decided_at],
    ]),
  ]
  return [
    textEntry('SHA256SUMS', rows.map(({ path, sha256 }) => `${sha256}  ${path}\n`).join(''), lastModified),
    textEntry('manifest.json', JSON.stringify(manifest, null, 2), lastModified),
    textEntry('manifest.csv', toCsv(table), lastModified),
  ]
}

const certified = (certificate: Certificate | null, lastModified: Date) =>
  certificate ? [textEntry('certificate.json', JSON.stringify(certificate, null, 2), lastModified)] : []

const fileEntry = (ctx: Exchange['ctx'], { name, size, sha256, createdAt, objectKey }: Stored): Entry => ({
  name: `files/${name}`,
  size,
  sha256,
  lastModified: createdAt,
  input: (signal) => read(ctx, objectKey as BlobKey, signal),
})

async function* read({ ports }: Exchange['ctx'], key: BlobKey, signal: AbortSignal): AsyncIterable<Uint8Array> {
  yield* addAbortSignal(signal, await ports.blobs.read(key))
}

/**
 * A ZIP (not compressed, ZIP64 where it is long), made while it is sent. A file that cannot be read breaks the connection
 * before its announced length. The same entries give the same bytes, so that a download that broke off goes on by `Range`:
 * what comes before is made again and left out, as the sums of all files stand at the end.
 * @param request null where no range can be asked for
 */
function zipResponse(name: string, entries: readonly Entry[], request: Request | null): RouteResponse {
  const length = Number(predictLength(entries.map(({ name, size }) => ({ name, size }))))
  const etag = tagOf(entries)
  const headers = new Headers({
    ...INERT,
    'Content-Type': 'application/zip',
    'Content-Disposition': attachment(name),
    ...(request && { 'Accept-Ranges': 'bytes', ETag: etag }),
  })
  const range = request && askedRange(request, etag, length)
  headers.set('Content-Length', String(range ? range.end - range.start + 1 : length))
  if (range) headers.set('Content-Range', `bytes ${range.start}-${range.end}/${length}`)
  const status = range ? 206 : 200
  if (request?.method === 'HEAD') return { status, headers, body: null }
  // One file is opened at a time, when it is its turn. client-zip leaves it open when the reader has gone.
  const reading = new AbortController()
  const zip = makeZip(
    (function* () {
      for (const { name, size, lastModified, input } of entries)
        yield { name, size, lastModified, input: input(reading.signal) }
    })(),
  )
  const body = Readable.fromWeb(zip as ReadableStream<Uint8Array>)
  body.once('close', () => reading.abort())
  return { status, headers, body: range ? Readable.from(partOf(body, range), { objectMode: false }) : body }
}

/** Times in a ZIP are local ones. */
function tagOf(entries: readonly Entry[]): string {
  const stated = entries.map(({ name, size, sha256, lastModified }) => [
    ...[name, size, sha256, lastModified.getTime(), lastModified.getTimezoneOffset()],
  ])
  return `"${createHash('sha256').update(JSON.stringify(stated)).digest('hex').slice(0, 32)}"`
}

async function* partOf(body: AsyncIterable<Uint8Array>, { start, end }: { start: number; end: number }) {
  let at = 0
  for await (const piece of body) {
    const part = piece.subarray(Math.max(start - at, 0), Math.max(end + 1 - at, 0))
    if (part.length > 0) yield part
    at += piece.length
    if (at > end) return
  }
}
