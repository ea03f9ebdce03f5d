import type { Context } from '@/lib/domain/kernel/operation'
import { claimMail, finishMail } from '@/lib/domain/notifications/mail'
import { log } from '@/lib/log'

/** One attempt to mail a user what is due. The server is spoken to between two short transactions, never inside one. */
export async function sendMail(ctx: Context, { user_id }: { user_id: string }) {
  const { mail } = ctx.ports
  if (!mail.isSetUp) return
  const began = performance.now()
  const taken = await claimMail(ctx, user_id)
  if (!taken) return
  const outcome = await mail.send(taken.letter)
  if (outcome.kind !== 'sent') log.warn({ mail_id: taken.id, reason: outcome.error }, 'a mail was not taken')
  await finishMail({ ...ctx, now: new Date(ctx.now.getTime() + performance.now() - began) }, taken, outcome)
}
