import { createHash, createHmac, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import busboy from 'busboy'

export type UploadThingOperation = 'upload' | 'read' | 'delete' | 'list' | 'notified'
export type UploadThingFault = 'error' | 'hang' | 'cut' | 'forbidden' | 'full' | 'altered'

type Announced = { metadata: object; callbackUrl: string; callbackSlug: string }
type StoredFile = { path: string; name: string; size: number; customId: string | null; uploadedAt: number }

/**
 * What UploadThing's own client needs of the hosted service: signed uploads (multipart PUT to the ingest server), signed
 * reads, and `/v6/deleteFiles` and `/v6/listFiles` under the API key. Signatures are verified; everything else is refused.
 */
export async function startUploadThingServer() {
  const folder = await mkdtemp(path.join(tmpdir(), 'greenroom-ut-'))
  const apiKey = `sk_test_${randomUUID().replaceAll('-', '')}`
  const appId = 'greenroomtest'
  const files = new Map<string, StoredFile>()
  /** What the product said of uploads to come, and what it made of those that came. */
  const announced = new Map<string, Announced>()
  const results = new Map<string, unknown>()
  let fault: (operation: UploadThingOperation) => UploadThingFault | undefined = () => undefined

  function isSigned(url: URL, base: string): boolean {
    const signature = url.searchParams.get('signature') ?? ''
    const unsigned = new URL(base + url.pathname + url.search)
    unsigned.searchParams.delete('signature')
    const expected = `hmac-sha256=${createHmac('sha256', apiKey).update(unsigned.href).digest('hex')}`
    return signature === expected && Number(url.searchParams.get('expires')) > Date.now()
  }

  async function upload(request: IncomingMessage, response: ServerResponse, url: URL, how?: UploadThingFault) {
    const key = url.pathname.slice(1)
    const declared = Number(url.searchParams.get('x-ut-file-size'))
    const target = path.join(folder, randomUUID())
    const hash = createHash('md5')
    const form = busboy({ headers: request.headers })
    const received = new Promise<number>((resolve, reject) => {
      form.on('file', (_name, file) => {
        let size = 0
        file.on('data', (chunk: Buffer) => {
          size += chunk.length
          hash.update(chunk)
          if (how === 'cut') request.socket.destroy()
        })
        file
          .pipe(createWriteStream(target))
          .on('finish', () => resolve(size))
          .on('error', reject)
      })
      form.on('error', reject)
      request.on('error', reject)
    })
    request.pipe(form)
    const size = await received
    if (size !== declared) return json(response, 400, { error: `Declared ${declared} bytes, got ${size}` })
    if (how === 'altered') await writeFile(target, Buffer.alloc(size, 'x'))
    const name = decodeURIComponent(url.searchParams.get('x-ut-file-name') ?? '')
    files.set(key, {
      path: target,
      name,
      size,
      customId: url.searchParams.get('x-ut-custom-id'),
      uploadedAt: Date.now(),
    })
    const address = `${base()}/a/${appId}/${key}`
    const announcement = announced.get(key)
    const links = { url: address, appUrl: address, ufsUrl: address, fileHash: hash.digest('hex') }
    if (announcement) {
      const file = {
        name,
        size,
        type: 'application/octet-stream',
        customId: null,
        lastModified: Date.now(),
        key,
        ...links,
      }
      await notify(announcement, { status: 'uploaded', metadata: announcement.metadata, file, origin: base() })
      return json(response, 200, { ...links, serverData: results.get(key) ?? null })
    }
    json(response, 200, { ...links, serverData: null })
  }

  /** The callback, signed by the app's key over its body. */
  async function notify({ callbackUrl, callbackSlug }: Announced, body: object, key = apiKey): Promise<Response> {
    const text = JSON.stringify(body)
    const signature = `hmac-sha256=${createHmac('sha256', key).update(text).digest('hex')}`
    return fetch(`${callbackUrl}${callbackUrl.includes('?') ? '' : `?slug=${callbackSlug}`}`, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        'uploadthing-hook': 'callback',
        'x-uploadthing-signature': signature,
      },
      body: text,
    })
  }

  async function read(request: IncomingMessage, response: ServerResponse, key: string, how?: UploadThingFault) {
    const stored = files.get(key)
    if (!stored) return json(response, 404, { error: 'File not found' })
    const { size } = await stat(stored.path)
    const range = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '')
    const [start, end] = range ? [Number(range[1]), Math.min(Number(range[2]), size - 1)] : [0, size - 1]
    response.writeHead(range ? 206 : 200, { 'Content-Length': end - start + 1 })
    if (size === 0) return void response.end()
    if (how === 'cut') return void response.write('x', () => response.destroy())
    createReadStream(stored.path, { start, end }).pipe(response)
  }

  async function call(request: IncomingMessage, response: ServerResponse, url: URL) {
    if (request.headers['x-uploadthing-api-key'] !== apiKey) return json(response, 401, { error: 'Invalid API key' })
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const body = JSON.parse(Buffer.concat(chunks).toString()) as {
      fileKeys?: string[]
      limit?: number
      offset?: number
    }
    if (url.pathname === '/route-metadata') {
      for (const key of body.fileKeys ?? []) announced.set(key, body as never)
      return json(response, 200, { ok: true })
    }
    if (url.pathname === '/callback-result') {
      const { fileKey, callbackData } = body as unknown as { fileKey: string; callbackData: unknown }
      results.set(fileKey, callbackData)
      return json(response, 200, { ok: true })
    }
    if (url.pathname === '/v6/deleteFiles') {
      const deletedCount = (body.fileKeys ?? []).filter((key) => files.delete(key)).length
      return json(response, 200, { success: true, deletedCount })
    }
    const all = [...files].map(([key, { name, size, customId, uploadedAt }]) => {
      return { id: key, key, name, size, customId, uploadedAt, status: 'Uploaded' }
    })
    const { limit = 500, offset = 0 } = body
    json(response, 200, { files: all.slice(offset, offset + limit), hasMore: offset + limit < all.length })
  }

  async function respond(request: IncomingMessage, response: ServerResponse) {
    const url = new URL(request.url ?? '/', base())
    const operation = operationOf(request.method ?? 'GET', url)
    if (operation === null) return json(response, 404, { error: 'Not found' })
    const how = fault(operation)
    if (how === 'hang') return
    // The body of what is refused is read all the same, so that the client gets to hear why.
    if (how !== undefined && how !== 'cut' && how !== 'altered') await text(request)
    if (how === 'error') return json(response, 500, { error: 'Internal error' })
    if (how === 'full') return json(response, 413, { error: 'Quota exceeded' })
    if (how === 'forbidden') return json(response, 403, { error: 'Forbidden' })
    if (operation === 'delete' || operation === 'list' || operation === 'notified') return call(request, response, url)
    // Uploads are signed for the ingest server's address, reads for the host that serves files.
    const signedFor = operation === 'read' ? base('localhost') : base()
    if (!isSigned(url, signedFor)) return json(response, 403, { error: 'Bad signature' })
    if (operation === 'upload') return upload(request, response, url, how)
    return read(request, response, url.pathname.split('/').at(-1) ?? '', how)
  }

  const server = createServer({ keepAliveTimeout: 65_000 }, (request, response) => {
    respond(request, response).catch(() => response.destroy())
  })
  // Both names of the loopback: reads go to `localhost`, because the client speaks http to a local host only.
  server.listen(0, 'localhost')
  await once(server, 'listening')
  const { port, address } = server.address() as AddressInfo
  const numeric = address.includes(':') ? `[${address}]` : address
  function base(host = numeric) {
    return `http://${host}:${port}`
  }
  return {
    files,
    announced,
    notify,
    breaks(what: typeof fault = () => undefined) {
      fault = what
    },
    options: {
      token: Buffer.from(JSON.stringify({ apiKey, appId, regions: ['test'] })).toString('base64'),
      apiUrl: base(),
      ingestUrl: base(),
      ufsHost: `localhost:${port}`,
      ufsAppIdLocation: 'path' as const,
    },
    async stop() {
      server.closeAllConnections()
      server.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

function operationOf(method: string, { pathname }: URL): UploadThingOperation | null {
  if (pathname === '/v6/deleteFiles') return 'delete'
  if (pathname === '/v6/listFiles') return 'list'
  if (pathname === '/route-metadata' || pathname === '/callback-result') return 'notified'
  if (method === 'PUT') return 'upload'
  return method === 'GET' ? 'read' : null
}

function json(response: ServerResponse, status: number, body: object) {
  response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body))
}
