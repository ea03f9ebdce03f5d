import { addAbortSignal, Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import { makeZip, predictLength } from 'client-zip'
import { getCertificate } from '@/lib/domain/certificates/certificates'
import { openApprovedFiles } from '@/lib/domain/files/queries'
import type { BlobKey } from '@/lib/domain/kernel/blob-store'
import { DomainError } from '@/lib/domain/kernel/errors'
import { assertBytes } from '@/lib/domain/retention/rules'
import { attachment, INERT } from './downloads'
import type { Exchange } from './endpoint'
import type { RouteResponse } from './response'

type Entry = { name: string; size: number; lastModified: Date; input: () => AsyncIterable<Uint8Array> | string }

/**
 * The files of an approved batch as one ZIP (not compressed, ZIP64 where it is long), made while it is sent: `files/…`,
 * `SHA256SUMS` (for `sha256sum -c`), and `certificate.json` once one was issued. A file that cannot be read breaks the
 * connection before its announced length.
 */
export async function batchArchive({ request, ctx, params }: Exchange): Promise<RouteResponse> {
  const { batch, files } = await openApprovedFiles.execute(ctx, params as never)
  for (const file of files) assertBytes(file)
  const certificate = await getCertificate.execute(ctx, params as never).catch((error) => {
    if (error instanceof DomainError && error.code === 'invalid_state') return null
    throw error
  })
  const lastModified = batch.reviewedAt ?? batch.updatedAt
  const text = (name: string, content: string): Entry => ({
    name,
    size: Buffer.byteLength(content),
    lastModified,
    input: () => content,
  })
  const entries: Entry[] = [
    text('SHA256SUMS', files.map(({ name, sha256 }) => `${sha256}  files/${name}\n`).join('')),
    ...(certificate ? [text('certificate.json', JSON.stringify(certificate, null, 2))] : []),
    ...files.map(({ name, size, createdAt, objectKey }) => ({
      name: `files/${name}`,
      size,
      lastModified: createdAt,
      input: () => read(objectKey as BlobKey),
    })),
  ]
  const headers = new Headers({
    ...INERT,
    'Content-Type': 'application/zip',
    'Content-Disposition': attachment(`${batch.name}.zip`),
    'Content-Length': String(predictLength(entries.map(({ name, size }) => ({ name, size })))),
  })
  if (request.method === 'HEAD') return { status: 200, headers, body: null }
  // One file is opened at a time, when it is its turn. client-zip leaves it open when nobody reads on.
  const reading = new AbortController()
  async function* read(key: BlobKey): AsyncIterable<Uint8Array> {
    yield* addAbortSignal(reading.signal, await ctx.ports.blobs.read(key))
  }
  const zip = makeZip(
    (function* () {
      for (const { name, size, lastModified, input } of entries) yield { name, size, lastModified, input: input() }
    })(),
  )
  const body = Readable.fromWeb(zip as ReadableStream<Uint8Array>)
  body.once('close', () => reading.abort())
  return { status: 200, headers, body }
}
