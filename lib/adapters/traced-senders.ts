import type { Mailer } from '@/lib/domain/notifications/port'
import type { WebhookSender } from '@/lib/domain/webhooks/port'
import { span } from '@/lib/tracing'

/** The same with a span each. Neither addresses nor what was said are in it: both may hold names and secrets. */

export function tracedMailer(send: Mailer['send']): Mailer['send'] {
  return (mail) =>
    span(
      'send mail',
      async (note) => {
        const result = await send(mail)
        note({ 'greenroom.mail.result': result.kind })
        return result
      },
      { kind: 'client' },
    )
}

export function tracedSender(post: WebhookSender['post']): WebhookSender['post'] {
  return (request) =>
    span(
      'POST webhook',
      async (note) => {
        const response = await post(request)
        note(
          response.status === null ? { 'error.type': 'no_response' } : { 'http.response.status_code': response.status },
        )
        return response
      },
      { kind: 'client', facts: { 'http.request.method': 'POST' } },
    )
}
