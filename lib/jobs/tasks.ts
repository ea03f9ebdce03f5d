import type { Context } from '@/lib/domain/kernel/operation'
import { checkFile } from './check-file'
import { deliverWebhook } from './deliver-webhook'
import { finishIntegrity } from './finish-integrity'
import { makePictures } from './make-pictures'
import { sendMail } from './send-mail'
import { sendResetLink } from './send-reset-link'
import { removeObjects, sweep } from './sweep'

/** Every background task by the name it is enqueued under. Handlers may run more than once for one job. */
export const tasks = {
  check_file: checkFile,
  make_pictures: makePictures,
  finish_integrity: finishIntegrity,
  remove_objects: removeObjects,
  sweep,
} satisfies Record<string, (ctx: Context, payload: never) => Promise<void>>

/** What waits for systems elsewhere. A worker of its own: a receiver that hangs must not hold up a check. */
export const telling = {
  deliver_webhook: deliverWebhook,
  send_mail: sendMail,
  send_reset_link: sendResetLink,
} satisfies Record<string, (ctx: Context, payload: never) => Promise<void>>
