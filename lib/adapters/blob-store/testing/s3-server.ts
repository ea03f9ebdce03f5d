import { createHash, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
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
  | 'copy'
  | 'copy-part'
  | 'parts'
  | 'preflight'
/** `cut` breaks the connection in the middle of the body, of the response for reads. */
export type S3Fault = 'error' | 'hang' | 'cut' | 'forbidden' | 'full' | 'altered'

/** Bytes of a file that is written once: objects share them, an object of several parts has several. */
type Segment = { file: string; from: number; size: number }
type Stored = { segments: Segment[]; size: number; etag: string; crc: string | null; modifiedAt: Date }
/** `isSummed`: begun with a checksum algorithm, which every part then must come with. */
type Multipart = { key: string; initiated: Date; isSummed: boolean; parts: Map<number, Stored> }

const MIN_PART_BYTES = 5 * 1024 * 1024
const MOST_PARTS = 10_000
/** Larger objects are copied in parts only. */
const MOST_COPY_BYTES = 5 * 1024 ** 3
const READ_BYTES = 256 * 1024
const NAMESPACE = 'http://s3.amazonaws.com/doc/2006-03-01/'

/**
 * An S3 server for tests: signatures are verified, checksums too; conditional reads, writes and copies, multipart uploads,
 * ranges, listing in pages, presigned requests and CORS behave as the Amazon S3 API reference describes them. Copies
 * share their bytes, and have an opaque ETag, as encrypted objects do there.
 */
export async function startS3Server(options: {
  bucket: string
  accessKeyId: string
  secretAccessKey: string
  /** How fast an object is read at most; without it, as fast as this machine can. */
  bytesPerSecond?: number
}) {
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
    /** Servers that answer 501 to a condition exist, too. */
    refusesConditions: false,
    /** Servers that compare an object's parts with the condition of a copy, and not the object, exist as well. */
    mistakesCopies: false,
    pageSize: 1000,
    /** Origins whose pages may send and read. */
    cors: [] as string[],
    requests: [] as S3Operation[],
  }
  let received = 0

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
      received += chunk.length
      sum = crc32(chunk, sum)
      md5.update(chunk)
      if (isHashed) sha256.update(chunk)
    })
    await pipeline(request, createWriteStream(file))
    const crc = base64OfCrc(sum)
    if (isHashed && sha256.digest('hex') !== declared) return 'XAmzContentSHA256Mismatch'
    if (!state.isSimple && asked !== undefined && asked !== crc) return 'BadDigest'
    const stored = { segments: [{ file, from: 0, size }], size, etag: md5.digest('hex'), modifiedAt: new Date() }
    return { ...stored, crc: asked && !state.isSimple ? crc : null }
  }

  function uploadOf(query: URLSearchParams, key: string): Multipart | undefined {
    const upload = uploads.get(query.get('uploadId') ?? '')
    return upload?.key === key ? upload : undefined
  }

  function isTaken(request: IncomingMessage, key: string): boolean {
    return !state.isSimple && request.headers['if-none-match'] === '*' && objects.has(key)
  }

  async function complete(request: IncomingMessage, response: ServerResponse, key: string, query: URLSearchParams) {
    const upload = uploadOf(query, key)
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
    const isAscending = wanted.every(({ number }, index) => index === 0 || number > (wanted[index - 1]?.number ?? 0))
    if (found.length === 0 || !isAscending) return fail(response, 400, 'InvalidPartOrder')
    uploads.delete(query.get('uploadId') ?? '')
    const etag = `${createHash('md5')
      .update(Buffer.from(found.map((part) => part.etag).join(''), 'hex'))
      .digest('hex')}-${found.length}`
    const sums = found.map(({ crc }) => crc)
    const crc = sums.every((sum) => sum !== null)
      ? `${base64OfCrc(crc32(Buffer.concat(sums.map((sum) => Buffer.from(sum as string, 'base64')))))}-${found.length}`
      : null
    const segments = found.flatMap((part) => part.segments)
    objects.set(key, { segments, size: sizeOf(segments), etag, crc, modifiedAt: new Date() })
    const checksum = crc ? `<ChecksumCRC32>${crc}</ChecksumCRC32><ChecksumType>COMPOSITE</ChecksumType>` : ''
    xml(response, 'CompleteMultipartUploadResult', `<Key>${key}</Key><ETag>"${etag}"</ETag>${checksum}`)
  }

  function list(response: ServerResponse, query: URLSearchParams) {
    const prefix = query.get('prefix') ?? ''
    const after = query.get('continuation-token') ?? query.get('start-after') ?? ''
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

  async function get(
    request: IncomingMessage,
    response: ServerResponse,
    key: string,
    query: URLSearchParams,
    how?: S3Fault,
  ) {
    const stored = objects.get(key)
    if (!stored) return fail(response, 404, request.method === 'HEAD' ? 'NotFound' : 'NoSuchKey')
    if (isOther(request.headers['if-match'], stored)) return fail(response, 412, 'PreconditionFailed')
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
    if (how === 'cut') {
      const [first] = stored.segments
      const bytes = createReadStream(first?.file ?? '', { highWaterMark: 1024 })
      bytes.once('data', (chunk) => response.write(Buffer.from(chunk).subarray(0, 1), () => response.destroy()))
      return
    }
    await pipeline(paced(bytesOf(rangeOf(stored.segments, start, end)), options.bytesPerSecond), response)
  }

  async function put(request: IncomingMessage, response: ServerResponse, key: string) {
    if (isTaken(request, key)) return fail(response, 412, 'PreconditionFailed')
    const stored = await store(request)
    if (typeof stored === 'string') return fail(response, 400, stored)
    if (isTaken(request, key)) return fail(response, 412, 'PreconditionFailed')
    objects.set(key, stored)
    if (state.fault('put') === 'altered')
      await writeFile(stored.segments[0]?.file ?? '', Buffer.alloc(stored.size, 'x'))
    response.setHeader('ETag', `"${stored.etag}"`)
    if (stored.crc) response.setHeader('x-amz-checksum-crc32', stored.crc)
    response.end()
  }

  async function part(request: IncomingMessage, response: ServerResponse, key: string, query: URLSearchParams) {
    const upload = uploadOf(query, key)
    if (!upload) return fail(response, 404, 'NoSuchUpload')
    const number = Number(query.get('partNumber'))
    if (!(number >= 1 && number <= MOST_PARTS)) return fail(response, 400, 'InvalidArgument')
    const isSummed = request.headers['x-amz-checksum-crc32'] !== undefined
    if (upload.isSummed && !isSummed && !state.isSimple) return fail(response, 400, 'InvalidRequest')
    const stored = await store(request)
    if (typeof stored === 'string') return fail(response, 400, stored)
    if (!uploadOf(query, key)) return fail(response, 404, 'NoSuchUpload')
    upload.parts.set(number, stored)
    response.setHeader('ETag', `"${stored.etag}"`)
    if (stored.crc) response.setHeader('x-amz-checksum-crc32', stored.crc)
    response.end()
  }

  function listParts(response: ServerResponse, key: string, query: URLSearchParams) {
    const upload = uploadOf(query, key)
    if (!upload) return fail(response, 404, 'NoSuchUpload')
    const after = Number(query.get('part-number-marker') ?? 0)
    const numbers = [...upload.parts.keys()].filter((number) => number > after).sort((a, b) => a - b)
    const page = numbers.slice(0, Math.min(state.pageSize, Number(query.get('max-parts') ?? 1000)))
    const parts = page.map((number) => {
      const { size, etag, modifiedAt } = upload.parts.get(number) as Stored
      return `<Part><PartNumber>${number}</PartNumber><ETag>"${etag}"</ETag><Size>${size}</Size><LastModified>${modifiedAt.toISOString()}</LastModified></Part>`
    })
    const isTruncated = page.length < numbers.length
    const next = isTruncated ? `<NextPartNumberMarker>${page.at(-1)}</NextPartNumberMarker>` : ''
    xml(response, 'ListPartsResult', `<IsTruncated>${isTruncated}</IsTruncated>${next}${parts.join('')}`)
  }

  /** What a copy is made of, or the code it is refused with. */
  function sourceOf(request: IncomingMessage): Stored | string {
    const [bucket, ...rest] = decodeURIComponent(String(request.headers['x-amz-copy-source']))
      .replace(/^\//, '')
      .split('/')
    const source = bucket === options.bucket ? objects.get(rest.join('/')) : undefined
    if (!source) return 'NoSuchKey'
    const isMistaken = state.mistakesCopies && request.headers['x-amz-copy-source-if-match'] !== undefined
    return isMistaken || isOther(request.headers['x-amz-copy-source-if-match'], source) ? 'PreconditionFailed' : source
  }

  async function copy(request: IncomingMessage, response: ServerResponse, key: string) {
    const source = sourceOf(request)
    if (typeof source === 'string') return fail(response, source === 'NoSuchKey' ? 404 : 412, source)
    if (source.size > MOST_COPY_BYTES) return fail(response, 400, 'InvalidRequest')
    if (isTaken(request, key)) return fail(response, 412, 'PreconditionFailed')
    const modifiedAt = new Date()
    const etag = createHash('md5').update(`${source.etag} ${modifiedAt.getTime()}`).digest('hex')
    objects.set(key, { ...source, etag, modifiedAt })
    const about = `<LastModified>${modifiedAt.toISOString()}</LastModified><ETag>"${etag}"</ETag>`
    xml(response, 'CopyObjectResult', about)
  }

  async function copyPart(request: IncomingMessage, response: ServerResponse, key: string, query: URLSearchParams) {
    const upload = uploadOf(query, key)
    if (!upload) return fail(response, 404, 'NoSuchUpload')
    const source = sourceOf(request)
    if (typeof source === 'string') return fail(response, source === 'NoSuchKey' ? 404 : 412, source)
    const range = /^bytes=(\d+)-(\d+)$/.exec(String(request.headers['x-amz-copy-source-range']))
    const [start, end] = range ? [Number(range[1]), Number(range[2])] : [0, source.size - 1]
    if (end >= source.size) return fail(response, 400, 'InvalidRange')
    const segments = rangeOf(source.segments, start, end)
    const size = end - start + 1
    const etag = createHash('md5').update(`${source.etag} ${start}-${end}`).digest('hex')
    const modifiedAt = new Date()
    upload.parts.set(Number(query.get('partNumber')), { segments, size, etag, crc: null, modifiedAt })
    const about = `<LastModified>${modifiedAt.toISOString()}</LastModified><ETag>"${etag}"</ETag>`
    xml(response, 'CopyPartResult', about)
  }

  /** Asked by a browser before it sends, without credentials ("CORS", Amazon S3 User Guide). */
  function preflight(request: IncomingMessage, response: ServerResponse) {
    if (!isAllowedOrigin(request)) return fail(response, 403, 'AccessForbidden')
    response.setHeader('Access-Control-Allow-Methods', 'GET, HEAD, PUT')
    response.setHeader('Access-Control-Allow-Headers', request.headers['access-control-request-headers'] ?? '')
    response.setHeader('Access-Control-Max-Age', '600')
    response.end()
  }

  function isAllowedOrigin({ headers: { origin } }: IncomingMessage): boolean {
    return origin !== undefined && (state.cors.includes(origin) || state.cors.includes('*'))
  }

  async function respond(request: IncomingMessage, response: ServerResponse) {
    const url = new URL(request.url ?? '/', 'http://localhost')
    const [bucket, ...rest] = decodeURIComponent(url.pathname).slice(1).split('/')
    const key = rest.join('/')
    const operation = operationOf(request, key, url.searchParams)
    state.requests.push(operation)
    if (isAllowedOrigin(request)) response.setHeader('Access-Control-Allow-Origin', request.headers.origin ?? '')
    const how = state.fault(operation)
    if (how === 'hang') return
    if (how === 'error') return fail(response, 500, 'InternalError')
    if (how === 'full') return fail(response, 507, 'InsufficientStorage')
    if (how === 'cut' && operation !== 'get') return void request.socket.destroy()
    if (operation === 'preflight') return preflight(request, response)
    const refusal = how === 'forbidden' ? 'AccessDenied' : await refusalOf(request, options)
    if (refusal) return fail(response, 403, refusal)
    if (bucket !== options.bucket) return fail(response, 404, 'NoSuchBucket')
    if (state.refusesConditions && request.headers['if-none-match']) return fail(response, 501, 'NotImplemented')
    switch (operation) {
      case 'put':
        return put(request, response, key)
      case 'create': {
        const id = randomUUID()
        const isSummed = request.headers['x-amz-checksum-algorithm'] !== undefined
        uploads.set(id, { key, initiated: new Date(), isSummed, parts: new Map() })
        return xml(response, 'InitiateMultipartUploadResult', `<Key>${key}</Key><UploadId>${id}</UploadId>`)
      }
      case 'part':
        return part(request, response, key, url.searchParams)
      case 'parts':
        return listParts(response, key, url.searchParams)
      case 'copy':
        return copy(request, response, key)
      case 'copy-part':
        return copyPart(request, response, key, url.searchParams)
      case 'complete':
        return complete(request, response, key, url.searchParams)
      case 'abort':
        if (!uploadOf(url.searchParams, key)) return fail(response, 404, 'NoSuchUpload')
        uploads.delete(url.searchParams.get('uploadId') ?? '')
        return void response.writeHead(204).end()
      case 'uploads':
        return listUploads(response, url.searchParams)
      case 'list':
        return list(response, url.searchParams)
      case 'delete':
        objects.delete(key)
        return void response.writeHead(204).end()
      default:
        return get(request, response, key, url.searchParams, how)
    }
  }

  /** In the order of their keys, a page after the markers (Amazon S3 API reference, ListMultipartUploads). */
  function listUploads(response: ServerResponse, query: URLSearchParams) {
    const place = ({ key, id }: { key: string; id: string }) => `${key}\n${id}`
    const after = place({ key: query.get('key-marker') ?? '', id: query.get('upload-id-marker') ?? '' })
    const rest = [...uploads]
      .map(([id, upload]) => ({ id, ...upload }))
      .filter((upload) => place(upload) > after && upload.key.startsWith(query.get('prefix') ?? ''))
      .sort((a, b) => (place(a) < place(b) ? -1 : 1))
    const page = rest.slice(0, state.pageSize)
    const last = page.at(-1)
    const isTruncated = last !== undefined && rest.length > page.length
    const next = isTruncated
      ? `<NextKeyMarker>${last.key}</NextKeyMarker><NextUploadIdMarker>${last.id}</NextUploadIdMarker>`
      : ''
    const listed = page.map(
      ({ id, key, initiated }) =>
        `<Upload><Key>${key}</Key><UploadId>${id}</UploadId><Initiated>${initiated.toISOString()}</Initiated></Upload>`,
    )
    xml(response, 'ListMultipartUploadsResult', `<IsTruncated>${isTruncated}</IsTruncated>${next}${listed.join('')}`)
  }

  const server = createServer({ keepAliveTimeout: 65_000 }, (request, response) => {
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
    set(
      changes: Partial<Pick<typeof state, 'isSimple' | 'refusesConditions' | 'mistakesCopies' | 'pageSize' | 'cors'>>,
    ) {
      Object.assign(state, changes)
    },
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** Bytes of all bodies that were taken so far. */
    bytesReceived: () => received,
    bytesOf: async (key: string) =>
      Buffer.concat(
        await Promise.all(
          (objects.get(key) as Stored).segments.map(async ({ file, from, size }) =>
            (await readFile(file)).subarray(from, from + size),
          ),
        ),
      ),
    async stop() {
      server.closeAllConnections()
      server.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

function operationOf({ method, headers }: IncomingMessage, key: string, query: URLSearchParams): S3Operation {
  const isCopy = headers['x-amz-copy-source'] !== undefined
  if (method === 'OPTIONS') return 'preflight'
  if (key === '') return query.has('uploads') ? 'uploads' : 'list'
  if (method === 'POST') return query.has('uploads') ? 'create' : 'complete'
  if (method === 'PUT' && isCopy) return query.has('partNumber') ? 'copy-part' : 'copy'
  if (method === 'PUT') return query.has('partNumber') ? 'part' : 'put'
  if (method === 'GET' && query.has('uploadId')) return 'parts'
  if (method === 'DELETE') return query.has('uploadId') ? 'abort' : 'delete'
  return method === 'HEAD' ? 'head' : 'get'
}

const sizeOf = (segments: Segment[]) => segments.reduce((sum, { size }) => sum + size, 0)

/** Whether a condition names another version of the object than there is (RFC 9110 section 13.1.1). */
const isOther = (condition: string | string[] | undefined, { etag }: Stored) =>
  condition !== undefined && condition !== '*' && String(condition).replaceAll('"', '') !== etag

/** The bytes from `start` to `end`, both included, of all segments. */
function rangeOf(segments: Segment[], start: number, end: number): Segment[] {
  const found: Segment[] = []
  let at = 0
  for (const { file, from, size } of segments) {
    const [first, last] = [Math.max(start - at, 0), Math.min(end - at, size - 1)]
    if (first <= last) found.push({ file, from: from + first, size: last - first + 1 })
    at += size
  }
  return found
}

async function* bytesOf(segments: Segment[]) {
  for (const { file, from, size } of segments)
    yield* createReadStream(file, { start: from, end: from + size - 1, highWaterMark: READ_BYTES })
}

async function* paced(pieces: AsyncIterable<Buffer>, bytesPerSecond = Number.POSITIVE_INFINITY) {
  let due = performance.now()
  for await (const piece of pieces) {
    const early = due - performance.now()
    if (early > 1) await sleep(early)
    due = Math.max(due, performance.now() - 100) + (piece.length / bytesPerSecond) * 1000
    yield piece
  }
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
