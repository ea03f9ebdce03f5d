import { createHash, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { crc32 } from 'node:zlib'
import { refusalOf } from './s3-signature'

/** What a request does, so that a test can let one kind of them fail. */
export type S3Operation =
  | 'put'
  | 'create'
  | 'part'
  | 'complete'
  | 'abort'
  | 'uploads'
  | 'get'
  | 'head'
  | 'list'
  | 'delete'
/** `cut` breaks the connection in the middle of the body, of the answer for reads. */
export type S3Fault = 'error' | 'hang' | 'cut' | 'forbidden' | 'full' | 'altered'

type Stored = { file: string; size: number; etag: string; crc: string | null; modifiedAt: Date }
type Multipart = { key: string; initiated: Date; parts: Map<number, Stored> }

const MIN_PART_BYTES = 5 * 1024 * 1024
const NAMESPACE = 'http://s3.amazonaws.com/doc/2006-03-01/'

/**
 * An S3 server for tests: signatures are verified, checksums too; conditional writes, multipart uploads, ranges,
 * listing in pages and presigned reads behave as the Amazon S3 API reference describes them.
 */
export async function startS3Server(options: { bucket: string; accessKeyId: string; secretAccessKey: string }) {
  const folder = await mkdtemp(path.join(tmpdir(), 'greenroom-s3-'))
  const objects = new Map<string, Stored>()
  const uploads = new Map<string, Multipart>()
  const state = {
    objects,
    uploads,
    /** Asked for every request; what it names happens. */
    fault: (_operation: S3Operation): S3Fault | undefined => undefined,
    /** Servers that neither know checksums nor conditions exist. */
    isSimple: false,
    pageSize: 1000,
    requests: [] as S3Operation[],
  }

  async function store(request: IncomingMessage): Promise<Stored | string> {
    const file = path.join(folder, randomUUID())
    const md5 = createHash('md5')
    const sha256 = createHash('sha256')
    const declared = String(request.headers['x-amz-content-sha256'] ?? '')
    const isHashed = /^[0-9a-f]{64}$/.test(declared)
    const asked = request.headers['x-amz-checksum-crc32']
    let sum = 0
    let size = 0
    request.on('data', (chunk: Buffer) => {
      size += chunk.length
      sum = crc32(chunk, sum)
      md5.update(chunk)
      if (isHashed) sha256.update(chunk)
    })
    await pipeline(request, createWriteStream(file))
    const crc = base64OfCrc(sum)
    if (isHashed && sha256.digest('hex') !== declared) return 'XAmzContentSHA256Mismatch'
    if (!state.isSimple && asked !== undefined && asked !== crc) return 'BadDigest'
    return { file, size, etag: md5.digest('hex'), crc: asked && !state.isSimple ? crc : null, modifiedAt: new Date() }
  }

  function isTaken(request: IncomingMessage, key: string): boolean {
    return !state.isSimple && request.headers['if-none-match'] === '*' && objects.has(key)
  }

  async function complete(request: IncomingMessage, response: ServerResponse, key: string, id: string) {
    const upload = uploads.get(id)
    if (!upload) return fail(response, 404, 'NoSuchUpload')
    const body = (await readAll(request)).toString('utf8')
    const wanted = [...body.matchAll(/<Part>.*?<\/Part>/gs)].map(([part]) => ({
      number: Number(/<PartNumber>(\d+)</.exec(part)?.[1]),
      etag: /<ETag>(?:&quot;|")?([0-9a-f]+)/.exec(part)?.[1],
    }))
    const parts = wanted.map(({ number }) => upload.parts.get(number))
    if (parts.some((part, index) => part === undefined || part.etag !== wanted[index]?.etag))
      return fail(response, 400, 'InvalidPart')
    const found = parts as Stored[]
    if (found.slice(0, -1).some(({ size }) => size < MIN_PART_BYTES)) return fail(response, 400, 'EntityTooSmall')
    if (isTaken(request, key)) return fail(response, 412, 'PreconditionFailed')
    const [first] = found
    if (!first) return fail(response, 400, 'MalformedXML')
    for (const part of found.slice(1)) {
      await pipeline(createReadStream(part.file), createWriteStream(first.file, { flags: 'a' }))
      await rm(part.file)
    }
    uploads.delete(id)
    const etag = `${createHash('md5')
      .update(Buffer.from(found.map((part) => part.etag).join(''), 'hex'))
      .digest('hex')}-${found.length}`
    const sums = found.map(({ crc }) => crc)
    const crc = sums.every((sum) => sum !== null)
      ? `${base64OfCrc(crc32(Buffer.concat(sums.map((sum) => Buffer.from(sum as string, 'base64')))))}-${found.length}`
      : null
    objects.set(key, { file: first.file, size: (await stat(first.file)).size, etag, crc, modifiedAt: new Date() })
    const checksum = crc ? `<ChecksumCRC32>${crc}</ChecksumCRC32><ChecksumType>COMPOSITE</ChecksumType>` : ''
    xml(response, 'CompleteMultipartUploadResult', `<Key>${key}</Key><ETag>"${etag}"</ETag>${checksum}`)
  }

  function list(response: ServerResponse, query: URLSearchParams) {
    const prefix = query.get('prefix') ?? ''
    const after = query.get('continuation-token') ?? ''
    const keys = [...objects.keys()].filter((key) => key.startsWith(prefix) && key > after).sort()
    const page = keys.slice(0, state.pageSize)
    const contents = page.map((key) => {
      const { size, etag, modifiedAt } = objects.get(key) as Stored
      return `<Contents><Key>${key}</Key><Size>${size}</Size><ETag>"${etag}"</ETag><LastModified>${modifiedAt.toISOString()}</LastModified></Contents>`
    })
    const isTruncated = page.length < keys.length
    const next = isTruncated ? `<NextContinuationToken>${page.at(-1)}</NextContinuationToken>` : ''
    xml(response, 'ListBucketResult', `<IsTruncated>${isTruncated}</IsTruncated>${next}${contents.join('')}`)
  }

  function get(request: IncomingMessage, response: ServerResponse, key: string, query: URLSearchParams, how?: S3Fault) {
    const stored = objects.get(key)
    if (!stored) return fail(response, 404, request.method === 'HEAD' ? 'NotFound' : 'NoSuchKey')
    const range = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '')
    const [start, end] = range ? [Number(range[1]), Math.min(Number(range[2]), stored.size - 1)] : [0, stored.size - 1]
    response.statusCode = range ? 206 : 200
    response.setHeader('Content-Length', Math.max(0, end - start + 1))
    response.setHeader('ETag', `"${stored.etag}"`)
    if (range) response.setHeader('Content-Range', `bytes ${start}-${end}/${stored.size}`)
    for (const name of ['content-type', 'content-disposition', 'cache-control']) {
      const value = query.get(`response-${name}`)
      if (value) response.setHeader(name, value)
    }
    if (request.method === 'HEAD' || stored.size === 0) return response.end()
    const bytes = createReadStream(stored.file, { start, end, highWaterMark: how === 'cut' ? 1024 : 65_536 })
    if (how === 'cut') {
      bytes.once('data', (chunk) => response.write(Buffer.from(chunk).subarray(0, 1), () => response.destroy()))
      return
    }
    bytes.pipe(response)
  }

  async function put(request: IncomingMessage, response: ServerResponse, key: string) {
    if (isTaken(request, key)) return fail(response, 412, 'PreconditionFailed')
    const stored = await store(request)
    if (typeof stored === 'string') return fail(response, 400, stored)
    if (isTaken(request, key)) return fail(response, 412, 'PreconditionFailed')
    objects.set(key, stored)
    if (state.fault('put') === 'altered') await writeFile(stored.file, Buffer.alloc(stored.size, 'x'))
    response.setHeader('ETag', `"${stored.etag}"`)
    if (stored.crc) response.setHeader('x-amz-checksum-crc32', stored.crc)
    response.end()
  }

  async function part(request: IncomingMessage, response: ServerResponse, query: URLSearchParams) {
    const upload = uploads.get(query.get('uploadId') ?? '')
    if (!upload) return fail(response, 404, 'NoSuchUpload')
    const stored = await store(request)
    if (typeof stored === 'string') return fail(response, 400, stored)
    upload.parts.set(Number(query.get('partNumber')), stored)
    response.setHeader('ETag', `"${stored.etag}"`)
    if (stored.crc) response.setHeader('x-amz-checksum-crc32', stored.crc)
    response.end()
  }

  async function respond(request: IncomingMessage, response: ServerResponse) {
    const url = new URL(request.url ?? '/', 'http://localhost')
    const [bucket, ...rest] = decodeURIComponent(url.pathname).slice(1).split('/')
    const key = rest.join('/')
    const operation = operationOf(request.method ?? 'GET', key, url.searchParams)
    state.requests.push(operation)
    const how = state.fault(operation)
    if (how === 'hang') return
    if (how === 'error') return fail(response, 500, 'InternalError')
    if (how === 'full') return fail(response, 507, 'InsufficientStorage')
    if (how === 'cut' && operation !== 'get') return void request.socket.destroy()
    const refusal = how === 'forbidden' ? 'AccessDenied' : await refusalOf(request, options)
    if (refusal) return fail(response, 403, refusal)
    if (bucket !== options.bucket) return fail(response, 404, 'NoSuchBucket')
    switch (operation) {
      case 'put':
        return put(request, response, key)
      case 'create': {
        const id = randomUUID()
        uploads.set(id, { key, initiated: new Date(), parts: new Map() })
        return xml(response, 'InitiateMultipartUploadResult', `<Key>${key}</Key><UploadId>${id}</UploadId>`)
      }
      case 'part':
        return part(request, response, url.searchParams)
      case 'complete':
        return complete(request, response, key, url.searchParams.get('uploadId') ?? '')
      case 'abort':
        uploads.delete(url.searchParams.get('uploadId') ?? '')
        return void response.writeHead(204).end()
      case 'uploads': {
        const open = [...uploads].map(
          ([id, upload]) =>
            `<Upload><Key>${upload.key}</Key><UploadId>${id}</UploadId><Initiated>${upload.initiated.toISOString()}</Initiated></Upload>`,
        )
        return xml(response, 'ListMultipartUploadsResult', `<IsTruncated>false</IsTruncated>${open.join('')}`)
      }
      case 'list':
        return list(response, url.searchParams)
      case 'delete':
        objects.delete(key)
        return void response.writeHead(204).end()
      default:
        get(request, response, key, url.searchParams, how)
    }
  }

  const server = createServer((request, response) => {
    respond(request, response).catch(() => response.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    ...state,
    /** Sets what goes wrong from now on; nothing, to make it well again. */
    breaks(fault: typeof state.fault = () => undefined) {
      state.fault = fault
    },
    set(changes: Partial<Pick<typeof state, 'isSimple' | 'pageSize'>>) {
      Object.assign(state, changes)
    },
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    bytesOf: (key: string) => readFile((objects.get(key) as Stored).file),
    async stop() {
      server.closeAllConnections()
      server.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

function operationOf(method: string, key: string, query: URLSearchParams): S3Operation {
  if (key === '') return query.has('uploads') ? 'uploads' : 'list'
  if (method === 'POST') return query.has('uploads') ? 'create' : 'complete'
  if (method === 'PUT') return query.has('partNumber') ? 'part' : 'put'
  if (method === 'DELETE') return query.has('uploadId') ? 'abort' : 'delete'
  return method === 'HEAD' ? 'head' : 'get'
}

async function readAll(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

function base64OfCrc(sum: number): string {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(sum)
  return bytes.toString('base64')
}

function xml(response: ServerResponse, name: string, content: string) {
  response.setHeader('Content-Type', 'application/xml')
  response.end(`<?xml version="1.0" encoding="UTF-8"?><${name} xmlns="${NAMESPACE}">${content}</${name}>`)
}

function fail(response: ServerResponse, status: number, code: string) {
  response.statusCode = status
  // The rest of a refused body is not read; the connection cannot be used again.
  response.setHeader('Connection', 'close')
  response.setHeader('Content-Type', 'application/xml')
  const body = `<?xml version="1.0" encoding="UTF-8"?><Error><Code>${code}</Code><Message>${code}</Message></Error>`
  response.end(response.req.method === 'HEAD' ? undefined : body)
}
