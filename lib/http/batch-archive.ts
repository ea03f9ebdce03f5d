import { addAbortSignal, Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import { makeZip, predictLength } from 'client-zip'
import { getCertificate } from '@/lib/domain/certificates/certificates'
import { uniqueNames } from '@/lib/domain/files/archive-names'
import type { FileRow } from '@/lib/domain/files/present'
import { openApprovedFiles, openSelectedFiles } from '@/lib/domain/files/queries'
import type { BlobKey } from '@/lib/domain/kernel/blob-store'
import { DomainError } from '@/lib/domain/kernel/errors'
import { unauthenticated } from '@/lib/domain/kernel/permissions'
import { assertBytes } from '@/lib/domain/retention/rules'
import { formatCount } from '@/lib/format'
import { attachment, INERT } from './downloads'
import type { Exchange } from './endpoint'
import { bodyOf, jsonOf } from './request'
import type { RouteResponse } from './response'

type Entry = {
  name: string
  size: number
  lastModified: Date
  input: (signal: AbortSignal) => AsyncIterable<Uint8Array> | string
}
type Stored = Pick<FileRow, 'name' | 'size' | 'sha256' | 'createdAt' | 'objectKey'>

/**
 * The files of an approved batch as one ZIP: `files/…`, `SHA256SUMS` (for `sha256sum -c`), and `certificate.json` once one
 * was issued.
 */
export async function batchArchive({ request, ctx, params }: Exchange): Promise<RouteResponse> {
  const { batch, files } = await openApprovedFiles.execute(ctx, params as never)
  for (const file of files) assertBytes(file)
  const certificate = await getCertificate.execute(ctx, params as never).catch((error) => {
    if (error instanceof DomainError && error.code === 'invalid_state') return null
    throw error
  })
  const lastModified = batch.reviewedAt ?? batch.updatedAt
  const entries = [
    sums(files, lastModified),
    ...(certificate ? [textEntry('certificate.json', JSON.stringify(certificate, null, 2), lastModified)] : []),
    ...files.map((file) => fileEntry(ctx, file)),
  ]
  return zipResponse(`${batch.name}.zip`, entries, request.method === 'HEAD')
}

/** Chosen files of a batch as one ZIP, in any state of the batch: `files/…` and `SHA256SUMS`. */
export async function selectionArchive({ request, ctx, params }: Exchange): Promise<RouteResponse> {
  // Said before the body is read.
  if (ctx.actor.type === 'anonymous') throw unauthenticated()
  const { batch, files } = await openSelectedFiles.execute(ctx, params as never, await idsOf(request))
  const names = uniqueNames(files)
  const named = files.map((file, index) => ({ ...file, name: names[index] ?? file.name }))
  const entries = [sums(named, ctx.now), ...named.map((file) => fileEntry(ctx, file))]
  return zipResponse(`${batch.name}, ${formatCount(files.length, 'file')}.zip`, entries, false)
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
  input: () => content,
})

const sums = (files: readonly Stored[], lastModified: Date) =>
  textEntry('SHA256SUMS', files.map(({ name, sha256 }) => `${sha256}  files/${name}\n`).join(''), lastModified)

const fileEntry = (ctx: Exchange['ctx'], { name, size, createdAt, objectKey }: Stored): Entry => ({
  name: `files/${name}`,
  size,
  lastModified: createdAt,
  input: (signal) => read(ctx, objectKey as BlobKey, signal),
})

async function* read({ ports }: Exchange['ctx'], key: BlobKey, signal: AbortSignal): AsyncIterable<Uint8Array> {
  yield* addAbortSignal(signal, await ports.blobs.read(key))
}

/**
 * A ZIP (not compressed, ZIP64 where it is long), made while it is sent. A file that cannot be read breaks the connection
 * before its announced length.
 */
function zipResponse(name: string, entries: readonly Entry[], isHead: boolean): RouteResponse {
  const headers = new Headers({
    ...INERT,
    'Content-Type': 'application/zip',
    'Content-Disposition': attachment(name),
    'Content-Length': String(predictLength(entries.map(({ name, size }) => ({ name, size })))),
  })
  if (isHead) return { status: 200, headers, body: null }
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
  return { status: 200, headers, body }
}
