import { type ChildProcess, spawn } from 'node:child_process'
import { createHmac, timingSafeEqual } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import type { MailLine } from './mail-server'

/** Who a Greenroom writes to besides browsers: a mail server and a receiver of webhooks, each keeping a transcript. */

type Mail = Extract<MailLine, { mail: unknown }>['mail']
export type MailServer = { url: string; mails: Mail[]; wire: string[]; stop(): void }

export async function startMailServer(): Promise<MailServer> {
  const file = path.join(import.meta.dirname, 'mail-server.ts')
  const child: ChildProcess = spawn(process.execPath, ['--import', 'tsx', file], {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  })
  const mails: Mail[] = []
  const wire: string[] = []
  if (!child.stdout) throw new Error('The mail server has no output.')
  const lines = createInterface({ input: child.stdout })
  const port = await new Promise<number>((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`The mail server ended with code ${code}.`)))
    lines.on('line', (line) => {
      const said = JSON.parse(line) as MailLine
      if ('port' in said) resolve(said.port)
      else if ('wire' in said) wire.push(said.wire)
      else {
        mails.push(said.mail)
        wire.push(`mail to ${said.mail.to}\n${said.mail.text.replace(/^/gm, '    ')}`)
      }
    })
  })
  return { url: `smtp://127.0.0.1:${port}`, mails, wire, stop: () => child.kill('SIGTERM') }
}

type WebhookPayload = {
  type: string
  timestamp: string
  data: { event_id: string; batch_id: string | null; details: Record<string, unknown> }
}
export type Delivery = { headers: Record<string, string>; body: string; payload: WebhookPayload; receivedAt: number }
export type Receiver = { url: string; deliveries: Delivery[]; stop(): void }

export async function startReceiver(): Promise<Receiver> {
  const deliveries: Delivery[] = []
  const server = createServer(async (request, response) => {
    const body = await text(request)
    const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]))
    deliveries.push({ headers, body, payload: JSON.parse(body), receivedAt: Date.now() })
    response.writeHead(204).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}/hooks`, deliveries, stop: () => server.close() }
}

const TOLERANCE_S = 5 * 60

/** Whether a request is ours and fresh, as a receiver finds out by the Standard Webhooks specification. */
export function isGenuine({ headers, body, receivedAt }: Delivery, secret: string): boolean {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures = '' } = headers
  if (Math.abs(receivedAt / 1000 - Number(timestamp)) > TOLERANCE_S) return false
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  const own = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest()
  return signatures.split(' ').some((signature) => {
    const [version, value = ''] = signature.split(',')
    const theirs = Buffer.from(value, 'base64')
    return version === 'v1' && theirs.length === own.length && timingSafeEqual(theirs, own)
  })
}
