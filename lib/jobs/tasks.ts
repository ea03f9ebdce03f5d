import { finishIntegrity } from '@/lib/domain/files/integrity'
import { drawPreviews } from '@/lib/domain/files/previews'
import type { Context } from '@/lib/domain/kernel/operation'
import { runPreQc } from '@/lib/domain/pre-qc/run'
import { deliverWebhook } from './deliver-webhook'
import { sendMail } from './send-mail'
import { sendResetLink } from './send-reset-link'
import { removeObjects, sweep } from './sweep'

/** Every background task by the name it is enqueued under. Handlers may run more than once for one job. */
export const tasks = {
  check_file: runPreQc,
  make_pictures: drawPreviews,
  finish_integrity: finishIntegrity,
  remove_objects: removeObjects,
  sweep,
} satisfies Record<string, (ctx: Context, payload: never) => Promise<void>>

/** What waits for other systems. It has a worker of its own: a receiver that hangs must not delay a check. */
export const outbound = {
  deliver_webhook: deliverWebhook,
  send_mail: sendMail,
  send_reset_link: sendResetLink,
} satisfies Record<string, (ctx: Context, payload: never) => Promise<void>>
