import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

/** `truncate` and `alter` accept a file and keep another; `hang` takes bytes and never answers; `stall` takes none. */
export type FileFault =
  | 'unauthorized'
  | 'busy'
  | 'too_large'
  | 'hang'
  | 'stall'
  | 'cut'
  | 'truncate'
  | 'alter'
  | 'redirect'

/**
 * A server of files for tests, in memory: PUT, GET, HEAD and DELETE, with MKCOL and MOVE where it speaks WebDAV, as strict
 * as RFC 4918: a file needs its folder, MOVE heeds Overwrite.
 */
export async function startFileServer(options: { user: string; password: string; isDav: boolean }) {
  const files = new Map<string, Buffer>()
  const folders = new Set<string>(['/', '/in'])
  const expected = `Basic ${Buffer.from(`${options.user}:${options.password}`).toString('base64')}`
  const state = {
    files,
    folders,
    fault: (_method: string, _path: string): FileFault | undefined => undefined,
    /** Whether it states the SHA-256 of what it holds (RFC 9530). */
    statesDigests: false,
    /** Whether HEAD is understood. */
    knowsHead: true,
    requests: [] as string[],
  }

  const parentOf = (path: string) => path.slice(0, path.lastIndexOf('/')) || '/'
  const answer = (response: ServerResponse, status: number, body = '', headers: Record<string, string> = {}) =>
    void response.writeHead(status, { 'Content-Type': 'text/plain', ...headers }).end(body)
  const digestOf = (bytes: Buffer): Record<string, string> =>
    state.statesDigests ? { 'Repr-Digest': `sha-256=:${createHash('sha256').update(bytes).digest('base64')}:` } : {}

  const server = createServer((request, response) => {
    // A client that breaks off in the middle of a file has its connection ended.
    serve(request, response).catch(() => request.socket.destroy())
  })

  async function serve(request: IncomingMessage, response: ServerResponse) {
    const path = decodeURIComponent(new URL(request.url ?? '/', 'http://files').pathname)
    const method = request.method ?? ''
    state.requests.push(`${method} ${path}`)
    const fault = state.fault(method, path)
    if (fault === 'unauthorized' || request.headers.authorization !== expected)
      return answer(response, 401, 'Wrong user or password')
    if (fault === 'busy') return answer(response, 503, 'Come back later')
    if (fault === 'too_large') return answer(response, 413, 'At most 1 GB')
    if (fault === 'redirect') return answer(response, 302, '', { Location: 'http://127.0.0.1:1/elsewhere' })
    if (fault === 'stall') return
    if (fault === 'cut') return void request.socket.resetAndDestroy()
    if (fault === 'hang') return void (await buffer(request))
    if (method === 'PUT') return put(request, response, path, fault)
    const bytes = files.get(path)
    if (method === 'GET' || (method === 'HEAD' && state.knowsHead)) {
      if (!bytes) return answer(response, 404, 'Not found')
      response.writeHead(200, { 'Content-Length': bytes.length, ...digestOf(bytes) })
      return void response.end(method === 'HEAD' ? undefined : bytes)
    }
    if (method === 'DELETE') return answer(response, files.delete(path) ? 204 : 404)
    if (options.isDav && method === 'MKCOL') {
      if (folders.has(path)) return answer(response, 405, 'There is one')
      if (!folders.has(parentOf(path))) return answer(response, 409, 'No parent')
      folders.add(path)
      return answer(response, 201)
    }
    if (options.isDav && method === 'MOVE') {
      const to = decodeURIComponent(new URL(String(request.headers.destination)).pathname)
      if (!bytes) return answer(response, 404)
      if (files.has(to) && request.headers.overwrite !== 'T') return answer(response, 412)
      files.set(to, bytes)
      files.delete(path)
      return answer(response, 201)
    }
    answer(response, 405, 'Not here')
  }

  async function put(request: IncomingMessage, response: ServerResponse, path: string, fault?: FileFault) {
    if (options.isDav && !folders.has(parentOf(path))) return answer(response, 409, 'No such folder')
    let bytes = await buffer(request)
    if (bytes.length !== Number(request.headers['content-length'])) return
    if (fault === 'truncate') bytes = bytes.subarray(0, Math.floor(bytes.length / 2))
    if (fault === 'alter') bytes = Buffer.concat([Buffer.from([(bytes[0] ?? 0) ^ 1]), bytes.subarray(1)])
    files.set(path, bytes)
    answer(response, 201, '', digestOf(bytes))
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return Object.assign(state, {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/in`,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  })
}
