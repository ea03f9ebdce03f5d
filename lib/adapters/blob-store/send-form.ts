import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createReadStream } from 'node:fs'
import { request as requestPlain } from 'node:http'
import { request as requestSecure } from 'node:https'
import { buffer } from 'node:stream/consumers'

/**
 * Sends a form (RFC 7578) whose one part `file` is a file on the disk, read as it is sent: `fetch` would gather all of
 * it in memory first. The response is the one `fetch` would give.
 */
export async function sendForm(
  url: URL,
  headers: Record<string, string>,
  file: { path: string; name: string; size: number },
  options: { signal: AbortSignal; idleTimeoutMs: number },
): Promise<Response> {
  const boundary = `greenroom-${randomUUID()}`
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${file.name}"\r\nContent-Type: application/octet-stream\r\n\r\n`
  const tail = `\r\n--${boundary}--\r\n`
  const request = (url.protocol === 'https:' ? requestSecure : requestPlain)(url, {
    method: 'PUT',
    signal: options.signal,
    // Refused halfway, a connection waits for bytes that never come; none is kept.
    agent: false,
    // Counts silence only: a large file may take its time as long as it moves.
    timeout: options.idleTimeoutMs,
    headers: {
      ...headers,
      'Content-Type': `multipart/form-data; boundary=${boundary}`,
      'Content-Length': Buffer.byteLength(head) + file.size + Buffer.byteLength(tail),
    },
  })
  request.on('timeout', () => request.destroy(new Error(`nothing moved for ${options.idleTimeoutMs / 1000} s`)))
  let hasResponse = false
  const responded = once(request, 'response').then((args) => {
    hasResponse = true
    return args
  })
  responded.catch(() => {}) // heard below, when the bytes are out
  request.write(head)
  try {
    for await (const chunk of createReadStream(file.path, { highWaterMark: 256 * 1024 })) {
      // A refusal may come before the last byte, and nothing is read after it.
      if (hasResponse || request.destroyed) break
      if (!request.write(chunk)) await Promise.race([once(request, 'drain'), responded])
    }
    request.end(tail)
    const [response] = await responded
    const body = await buffer(response)
    return new Response(body, { status: response.statusCode, headers: { 'Content-Type': 'application/json' } })
  } finally {
    request.destroy()
  }
}
