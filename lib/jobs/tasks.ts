import { settleUpload } from '@/lib/domain/direct-uploads/settle'
import { finishIntegrity } from '@/lib/domain/files/integrity'
import { drawPages, drawPreviews } from '@/lib/domain/files/previews'
import type { Context } from '@/lib/domain/kernel/operation'
import { makePlaybackCopy } from '@/lib/domain/playback/run'
import { decodeAndMeasure, drawAndMeasure, measureAhead, queueMeasuring } from '@/lib/domain/pre-qc/ahead'
import { checkKnown } from '@/lib/domain/pre-qc/known'
import { runPreQc } from '@/lib/domain/pre-qc/run'
import { applyScopedWaiver } from '@/lib/domain/pre-qc/scoped-waivers'
import { removeCopies, repairFile } from '@/lib/domain/repairs/run'
import { remindStage } from '@/lib/domain/review-stages/stages'
import { makeImageTiles } from '@/lib/domain/tiles/run'
import { applyRetention } from './apply-retention'
import { deliverFiles } from './deliver-files'
import { deliverWebhook } from './deliver-webhook'
import { sendMail } from './send-mail'
import { sendResetLink } from './send-reset-link'
import { removeAttachments, removeExpired, removeObjects, sweep } from './sweep'

/**
 * The job that each upload enqueues brings the one that measures the file ahead, where it does not measure it itself: the upload asks
 * the database no more.
 */
async function drawAndQueueMeasuring(ctx: Context, payload: { file_id: string }) {
  await queueMeasuring(ctx, payload)
  await drawPreviews(ctx, payload, drawAndMeasure)
}

/** What decodes files, by the name it is enqueued under: as many at once as WORKER_CONCURRENCY says. Handlers may run more than once for one job. */
export const tasks = {
  check_known: checkKnown,
  check_file: runPreQc,
  make_pictures: drawAndQueueMeasuring,
  draw_pages: drawPages,
  finish_integrity: (ctx: Context, payload: { file_id: string }) => finishIntegrity(ctx, payload, decodeAndMeasure),
  settle_upload: settleUpload,
  repair_file: repairFile,
  make_tiles: makeImageTiles,
} satisfies Record<string, (ctx: Context, payload: never) => Promise<void>>

/** What takes minutes and no verdict waits for: one at a time beside the others, so that it never stands in their way. */
export const slow = {
  make_playback: makePlaybackCopy,
} satisfies Record<string, (ctx: Context, payload: never) => Promise<void>>

/** What sends files to other systems, for as long as it takes: a few at a time, beside webhooks and mail. */
export const transfers = {
  deliver_files: deliverFiles,
} satisfies Record<string, (ctx: Context, payload: never) => Promise<void>>

/** What no user waits for yet: one at a time, behind everything else. */
export const ahead = {
  measure_ahead: measureAhead,
} satisfies Record<string, (ctx: Context, payload: never) => Promise<void>>

/** What waits for other systems. It does not stand in line with the checks: a receiver that hangs must not delay one. */
export const background = {
  remove_objects: removeObjects,
  remove_attachments: removeAttachments,
  remove_copies: removeCopies,
  apply_retention: applyRetention,
  apply_scoped_waiver: applyScopedWaiver,
  remove_expired: removeExpired,
  sweep,
  deliver_webhook: deliverWebhook,
  send_mail: sendMail,
  send_reset_link: sendResetLink,
  remind_stage: remindStage,
} satisfies Record<string, (ctx: Context, payload: never) => Promise<void>>
