import path from 'node:path'
import { database } from '@/db/client'
import { storeOf } from '@/lib/adapters/blob-store/choose'
import { tracedStore } from '@/lib/adapters/blob-store/traced-store'
import { explainDeliveryTarget } from '@/lib/adapters/delivery/addresses'
import { explainPrivateKey } from '@/lib/adapters/delivery/keys'
import { targetSender } from '@/lib/adapters/delivery/send'
import { drawLogo } from '@/lib/adapters/logo/draw-logo'
import { smtpMailer } from '@/lib/adapters/mailer/smtp'
import { printerWith } from '@/lib/adapters/printer/printer'
import { clamdScanner } from '@/lib/adapters/scanner/clamd'
import { secretsUnder } from '@/lib/adapters/secrets'
import { tracedMailer, tracedSender } from '@/lib/adapters/traced-senders'
import { explainTarget } from '@/lib/adapters/webhook-sender/addresses'
import { webhookSender } from '@/lib/adapters/webhook-sender/send'
import type { Context } from '@/lib/domain/kernel/operation'
import type { Ports } from '@/lib/domain/kernel/ports'
import { keepMeasures } from '@/lib/domain/pre-qc/ahead'
import { jobOf, react } from '@/lib/domain/reactions'
import { env } from '@/lib/env'
import { chromiumCache } from '@/lib/media/ads/chromium'
import { bannerWatcher } from '@/lib/media/ads/watch-ad'
import { annotatePdfFile } from '@/lib/media/annotate/annotator'
import { followArrival, inspectFile } from '@/lib/media/inspect/inspect'
import { measureAndDraw, measureFile } from '@/lib/media/measurer/measure-file'
import { drawEvidence, drawFile } from '@/lib/media/measurer/measurer'
import { MEASURE_VERSION } from '@/lib/media/measurer/version'
import { copyForPlayback } from '@/lib/media/playback/copier'
import { repairFile } from '@/lib/media/repair/repairer'
import { separatePdf } from '@/lib/media/separations/separator'
import { tileImage } from '@/lib/media/tiles/tiler'
import { markTile } from '@/lib/media/tiles/watermark'

/** Where the parts are put together: the domain gets its database, its ports and its reactions here, and nowhere else. */

/** Standard Webhooks asks for 15 to 30 seconds. */
const WEBHOOK_TIMEOUT_MS = 20_000
/** A target on which nothing moves for so long is given up. */
const DELIVERY_IDLE_MS = 60_000

/**
 * `print` draws documents as PDF, `annotate` writes comments into a PDF, `separate` makes plates of its pages: entry points do so
 * with what operations return, the domain never does.
 */
type Service = {
  ports: Ports
  print: ReturnType<typeof printerWith>
  annotate: typeof annotatePdfFile
  separate: typeof separatePdf
}

let assembled: Service | undefined

export function service(): Service {
  assembled ??= assemble()
  return assembled
}

function assemble(): Service {
  const blobs = tracedStore(
    storeOf(env, () => database().db),
    env.STORAGE,
  )
  const watchBanner = bannerWatcher({
    named: env.CHROMIUM_PATH,
    cacheFolder: chromiumCache(path.join(env.DATA_DIR, 'browser')),
  })
  const allowsPrivate = env.WEBHOOK_PRIVATE_ADDRESSES === 'allow'
  const reachesPrivate = env.DELIVERY_PRIVATE_ADDRESSES === 'allow'
  const ports: Ports = {
    baseUrl: env.BASE_URL,
    secrets: secretsUnder(env.AUTH_SECRET),
    limitsRates: env.RATE_LIMITS,
    blobs,
    files: {
      maxFileSize: env.MAX_FILE_SIZE,
      integrityWaitMs: env.INTEGRITY_WAIT * 1000,
      takesDirectUploads: env.UPLOADS === 'direct',
      inspect: inspectFile,
      followArrival: (path, extension, upTo, { mayChange }) =>
        followArrival(path, extension, upTo, { measures: env.MEASURE_AHEAD, mayChange }),
      keepMeasures,
      scan: env.CLAMD_URL ? clamdScanner(env.CLAMD_URL) : null,
      drawPreviews: drawFile,
    },
    preQc: {
      version: MEASURE_VERSION,
      measuresAhead: env.MEASURE_AHEAD,
      measure: (path, file, how) => measureFile(inspectFile, path, file, how, watchBanner),
      measureAndDraw,
      drawEvidence,
    },
    repairs: { repair: repairFile },
    playback: { copy: copyForPlayback },
    tiles: { tile: tileImage, mark: markTile },
    settings: { drawLogo },
    mail: {
      isSetUp: env.SMTP_URL !== undefined,
      send: env.SMTP_URL ? tracedMailer(smtpMailer({ url: env.SMTP_URL, from: senderOf(env) })) : refuseToSend,
    },
    deliveries: {
      explainTarget: (connection) => explainDeliveryTarget(connection, reachesPrivate),
      explainPrivateKey,
      ...targetSender({ allowsPrivate: reachesPrivate, idleMs: DELIVERY_IDLE_MS }),
    },
    webhooks: {
      explainUrl: (url) => explainTarget(url, allowsPrivate),
      post: tracedSender(webhookSender({ allowsPrivate, timeoutMs: WEBHOOK_TIMEOUT_MS })),
    },
  }
  return { ports, print: printerWith(blobs), annotate: annotatePdfFile, separate: separatePdf }
}

const refuseToSend = () => Promise.reject(new Error('SMTP_URL is not set: this service sends no mail.'))

const senderOf = ({ MAIL_FROM, BASE_URL }: typeof env) =>
  `Greenroom <${MAIL_FROM ?? `greenroom@${new URL(BASE_URL).hostname}`}>`

/** A context for an actor: a request, a screen, a job. */
export function newContext(
  asked: Pick<Context, 'actor'> &
    Partial<Pick<Context, 'now' | 'requestId' | 'address' | 'precondition' | 'credentials'>>,
): Context {
  return {
    actor: asked.actor,
    now: asked.now ?? new Date(),
    requestId: asked.requestId ?? 'internal',
    address: asked.address ?? null,
    precondition: asked.precondition ?? null,
    credentials: asked.credentials ?? { uploadSession: null, linkPassword: null, linkKey: null },
    db: database().db,
    ports: service().ports,
    jobOf,
    react,
  }
}
