import { createTransport } from 'nodemailer'
import type { MailResult, OutgoingMail } from '@/lib/domain/notifications/port'

/** What nodemailer says of a failure, as far as it is of use. */
type SmtpError = Error & { code?: string; responseCode?: number; command?: string }

const NEVER_CONNECTED = /ECONNREFUSED|ENOTFOUND|EHOSTUNREACH|ENETUNREACH|EAI_AGAIN|EDNS/

const TIMEOUT_MS = 20_000

const transportTo = (url: string, timeoutMs: number) =>
  createTransport({
    url,
    pool: false,
    disableFileAccess: true,
    disableUrlAccess: true,
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs * 2,
  })

/** Connects and signs in without sending anything. Says what goes wrong, null when nothing does. */
export async function explainMailProblem(url: string): Promise<string | null> {
  try {
    await transportTo(url, TIMEOUT_MS).verify()
    return null
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

/**
 * Sends by SMTP (RFC 5321). Never throws: a server that is away or refuses is a result. `from` is the sender's address.
 * Letters are taken apart here only: no file and no address of the network is ever read into one.
 */
export function smtpMailer({ url, from, timeoutMs = TIMEOUT_MS }: { url: string; from: string; timeoutMs?: number }) {
  const transport = transportTo(url, timeoutMs)
  return async (mail: OutgoingMail): Promise<MailResult> => {
    try {
      await transport.sendMail({
        from,
        to: { name: mail.to.name, address: mail.to.email },
        subject: mail.subject,
        text: mail.text,
        html: mail.html,
        messageId: mail.messageId,
        ...(mail.thread && { inReplyTo: mail.thread, references: mail.thread }),
        headers: mail.headers,
      })
      return { kind: 'sent' }
    } catch (error) {
      return resultOf(error as SmtpError)
    }
  }
}

function resultOf({ message, code = '', responseCode, command = '' }: SmtpError): MailResult {
  const error = `${responseCode ?? code} ${message}`.trim()
  // RFC 5321 section 4.2.1: 5yz is for good, unless it is about how we sign in, which an administrator will fix.
  const isForGood =
    responseCode !== undefined && responseCode >= 500 && !/^(AUTH|CONN|EHLO|HELO|STARTTLS)/.test(command)
  if (isForGood && code !== 'EAUTH') return { kind: 'refused', error }
  const wasRefused = responseCode !== undefined || code === 'EAUTH' || NEVER_CONNECTED.test(`${code} ${message}`)
  return { kind: 'failed', error, mayHaveArrived: !wasRefused }
}
