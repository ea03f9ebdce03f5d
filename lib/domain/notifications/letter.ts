import { createHash } from 'node:crypto'
import type { OutgoingMail } from './port'

/** One mail about one thing or many, as text and as HTML. Pure: the same items are always the same mail. */

type LetterItem = { title: string; body: string; href: string; createdAt: Date; batchId: string | null }

export type LetterFacts = { mailId: string; to: { name: string; email: string }; items: LetterItem[]; baseUrl: string }

export function composeLetter({ mailId, to, items, baseUrl }: LetterFacts): OutgoingMail {
  const [first] = items
  if (!first) throw new Error('A mail is about something.')
  const host = new URL(baseUrl).hostname
  const settings = `${baseUrl}/settings/account#mail`
  const isDigest = items.length > 1
  const subject = isDigest ? `${items.length} updates: ${first.title} and ${others(items.length - 1)}` : first.title
  const batchId = items.every((item) => item.batchId === first.batchId) ? first.batchId : null
  return {
    to,
    subject: oneLine(subject),
    text: textOf(items, baseUrl, settings),
    html: htmlOf(items, baseUrl, settings, subject),
    messageId: `<${mailId}@${host}>`,
    // What is about one batch is one conversation in the reader's mailbox (RFC 5322 section 3.6.4).
    thread: batchId ? `<batch-${batchId}@${host}>` : null,
    headers: {
      'List-Unsubscribe': `<${settings}>`,
      // RFC 3834: no out-of-office replies to this.
      'Auto-Submitted': 'auto-generated',
      'X-Auto-Response-Suppress': 'All',
    },
  }
}

/** The mail with a link to a new password; valid for an hour. */
export function composeResetLetter({
  to,
  url,
  baseUrl,
  at,
}: {
  to: { name: string; email: string }
  url: string
  baseUrl: string
  at: Date
}): OutgoingMail {
  const lines = [
    `A person asked Greenroom (${baseUrl}) for a new password for ${to.email}.`,
    'This link works once, for one hour:',
    'If it was not you, do nothing: your password stays as it is.',
  ] as const
  const paragraph = (html: string) =>
    `<p style="margin:0 0 12px;font-size:14px;line-height:20px;color:#3d3d3a">${html}</p>`
  return {
    to: { name: to.name, email: to.email },
    subject: 'Choose a new password',
    text: `${lines[0]}\n\n${lines[1]}\n${url}\n\n${lines[2]}\n`,
    html: `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Choose a new password</title></head>
<body style="margin:0;padding:24px 12px;background:#f4f4f1;font-family:system-ui,-apple-system,'Segoe UI',Helvetica,Arial,sans-serif">
${paragraph(inHtml(lines[0]))}${paragraph(`${lines[1]} <a href="${inHtml(url)}" style="color:#17614a">Choose a new password</a>`)}${paragraph(lines[2])}
</body></html>`,
    messageId: `<reset-${at.getTime()}-${createHash('sha256').update(url).digest('hex').slice(0, 16)}@${new URL(baseUrl).hostname}>`,
    thread: null,
    headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
  }
}

const others = (count: number) => (count === 1 ? '1 more' : `${count} more`)
const oneLine = (text: string) => text.replace(/\s+/g, ' ').slice(0, 250)
const timeOf = (at: Date) => `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`

function textOf(items: LetterItem[], baseUrl: string, settings: string): string {
  const parts = items.map(({ title, body, href, createdAt }) =>
    [oneLine(title), body, `${baseUrl}${href}`, timeOf(createdAt)].filter(Boolean).join('\n'),
  )
  return `${parts.join('\n\n')}\n\n-- \nGreenroom. Choose what you are mailed, and when: ${settings}\n`
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
const inHtml = (text: string) => text.replace(/[&<>"']/g, (sign) => ENTITIES[sign] ?? sign)

/** Tables and inline styles, because that is what mail programs draw; no image and no address but our own. */
function htmlOf(items: LetterItem[], baseUrl: string, settings: string, subject: string): string {
  const rows = items.map(
    ({ title, body, href, createdAt }) => `
      <tr><td style="padding:16px 24px;border-top:1px solid #e4e4e1">
        <p style="margin:0 0 4px;font-size:16px;line-height:22px;font-weight:600"><a href="${inHtml(baseUrl + href)}" style="color:#17614a;text-decoration:none">${inHtml(title)}</a></p>
        ${body ? `<p style="margin:0 0 6px;font-size:14px;line-height:20px;color:#3d3d3a;white-space:pre-line">${inHtml(body)}</p>` : ''}
        <p style="margin:0;font-size:12px;line-height:16px;color:#73726c">${timeOf(createdAt)}</p>
      </td></tr>`,
  )
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light"><title>${inHtml(subject)}</title></head>
<body style="margin:0;padding:24px 12px;background:#f4f4f1;font-family:system-ui,-apple-system,'Segoe UI',Helvetica,Arial,sans-serif;color:#1b1b19">
  <table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:600px;margin:0 auto;background:#ffffff;border:1px solid #e4e4e1;border-radius:12px;border-collapse:separate">
    <tr><td style="padding:20px 24px 14px;font-size:14px;font-weight:600;letter-spacing:.01em;color:#17614a">Greenroom</td></tr>${rows.join('')}
    <tr><td style="padding:14px 24px 18px;border-top:1px solid #e4e4e1;font-size:12px;line-height:18px;color:#73726c">You get this mail because this is your work. <a href="${inHtml(settings)}" style="color:#73726c">Choose what you are mailed, and when</a>.</td></tr>
  </table>
</body></html>`
}
