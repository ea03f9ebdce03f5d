import { once } from 'node:events'
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { request } from 'node:http'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import type { Archive } from './archive'

/** Sends an archive as the part `file`; resolves with the response and the seconds from the first byte to the response. */
export async function upload(
  url: string,
  archive: Archive,
  headers: Record<string, string> = {},
): Promise<{ status: number; body: string; seconds: number }> {
  const boundary = `----bench${Math.random().toString(36).slice(2)}`
  const disposition = `form-data; name="file"; filename="${archive.name}"`
  const head = `--${boundary}\r\nContent-Disposition: ${disposition}\r\nContent-Type: application/zip\r\n\r\n`
  const tail = `\r\n--${boundary}--\r\n`
  const started = performance.now()
  const outgoing = request(url, {
    method: 'POST',
    // A connection kept from the upload before may be closed by the time of this one.
    agent: false,
    headers: {
      ...headers,
      'Content-Type': `multipart/form-data; boundary=${boundary}`,
      'Content-Length': head.length + archive.size + tail.length,
    },
  })
  const responded = once(outgoing, 'response')
  outgoing.write(head)
  for (const piece of archive.pieces()) {
    if (!outgoing.write(piece)) await Promise.race([once(outgoing, 'drain'), responded])
  }
  outgoing.end(tail)
  const [response] = await responded
  const body = await text(response)
  return { status: response.statusCode, body, seconds: (performance.now() - started) / 1000 }
}

/** The process that listens on a port of this machine (Linux), or null. */
export function processListeningOn(port: number): number | null {
  const sockets = new Set<string>()
  for (const table of ['/proc/net/tcp', '/proc/net/tcp6']) {
    for (const line of readFileSync(table, 'utf8').split('\n').slice(1)) {
      const [, local = '', , state, , , , , , inode] = line.trim().split(/\s+/)
      if (state === '0A' && Number.parseInt(local.split(':')[1] ?? '', 16) === port) sockets.add(`socket:[${inode}]`)
    }
  }
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      for (const fd of readdirSync(`/proc/${pid}/fd`)) {
        if (sockets.has(readlinkSync(`/proc/${pid}/fd/${fd}`))) return Number(pid)
      }
    } catch {
      // Another user's process, or one that has just ended.
    }
  }
  return null
}

/** What a process and those of its children that run the same program (node:cluster) hold in memory, in bytes. */
export function residentBytes(pid: number): number {
  const programOf = (each: string) => path.basename(readFileSync(`/proc/${each}/cmdline`, 'utf8').split('\0')[1] ?? '')
  const program = programOf(String(pid))
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean)
  return [String(pid), ...children].reduce((sum, each) => {
    try {
      if (programOf(each) !== program) return sum
      return sum + Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${each}/status`, 'utf8'))?.[1] ?? 0) * 1024
    } catch {
      return sum // it has just ended
    }
  }, 0)
}
