declare module '../kernel/ports' {
  interface SlowPorts {
    mail: Mailer
  }
}

export interface Mailer {
  /** Hands a mail to the mail server, where one is set up. Never throws otherwise. */
  send(mail: OutgoingMail): Promise<MailResult>
}

/** One mail to one person. `thread`: the Message-ID of the conversation it belongs to. */
export type OutgoingMail = {
  to: { name: string; email: string }
  subject: string
  text: string
  html: string
  messageId: string
  thread: string | null
  headers: Record<string, string>
}

/** What became of a mail. `mayHaveArrived`: the line broke when the server could have had it all. */
export type MailResult =
  | { kind: 'sent' }
  | { kind: 'refused'; error: string }
  | { kind: 'failed'; error: string; mayHaveArrived: boolean }
