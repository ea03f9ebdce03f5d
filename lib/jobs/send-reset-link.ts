import { linkForMail } from '@/lib/domain/directory/password-resets'
import type { Context } from '@/lib/domain/kernel/operation'
import { composeResetLetter } from '@/lib/domain/notifications/letter'

/**
 * Mails a link to a new password, where the address belongs to a user. Each attempt makes a link of its own, which
 * ends those before: none has to be kept until the mail server responds.
 */
export async function sendResetLink(ctx: Context, { email }: { email: string }) {
  const { mail, secrets, baseUrl } = ctx.ports
  if (!mail.isSetUp) return
  const link = await linkForMail(ctx, secrets.decrypt(email))
  if (!link) return
  const outcome = await mail.send(composeResetLetter({ to: link, url: link.url, baseUrl, at: ctx.now }))
  // The queue tries again; an address the server refuses will not become right by that.
  if (outcome.kind === 'failed') throw new Error(`The mail with a reset link was not taken: ${outcome.error}`)
}
