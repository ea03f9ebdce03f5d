import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { format } from 'node:util'
import PostalMime from 'postal-mime'
import { SMTPServer } from 'smtp-server'

/**
 * A mail server as a process of its own, for a story to read: one JSON object a line, of what is said on the wire
 * (`{ wire }`), of each mail it took (`{ mail }`), and first of all of where it listens (`{ port }`).
 */

export type MailLine =
  | { port: number }
  | { wire: string }
  | { mail: { to: string; subject: string; text: string; html: string; messageId: string } }

const report = (line: MailLine) => process.stdout.write(`${JSON.stringify(line)}\n`)
const silent = () => {}

const server = new SMTPServer({
  authOptional: true,
  disabledCommands: ['STARTTLS'],
  logger: {
    level: silent,
    trace: silent,
    debug: (facts: { tnx?: string; cid?: string }, ...words: unknown[]) => {
      if (/^[CS]:/.test(String(words[0]))) report({ wire: `${facts.cid ?? ''} ${format(...words)}`.trim() })
    },
    info: silent,
    warn: silent,
    error: silent,
    fatal: silent,
  },
  async onData(stream, session, done) {
    const mail = await PostalMime.parse(await buffer(stream))
    report({
      mail: {
        to: session.envelope.rcptTo.map(({ address }) => address).join(', '),
        subject: mail.subject ?? '',
        text: mail.text ?? '',
        html: mail.html ?? '',
        messageId: mail.messageId ?? '',
      },
    })
    done()
  },
})
server.listen(0, '127.0.0.1', () => report({ port: (server.server.address() as AddressInfo).port }))
process.on('disconnect', () => process.exit(0))
