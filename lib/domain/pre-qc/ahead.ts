import { and, eq, isNull, sql } from 'drizzle-orm'
import { files } from '@/db/schema/files'
import { isFailure } from '@/lib/checks/check'
import { log } from '@/lib/log'
import { type DecodeWhole, decodeWhole } from '../files/integrity'
import { extensionOf } from '../files/media-types'
import type { Inspection } from '../files/port'
import type { FileRow } from '../files/present'
import { type Draw, drawAlone } from '../files/previews'
import { type BlobKey, BlobNotFound } from '../kernel/blob-store'
import { advancing, type Context, inTransaction, reading } from '../kernel/operation'
import { isTakenCareOf, measureUnlessKnown, storeMeasured } from './measure-once'
import { profileFor } from './queue'
import { measureFor, measureStored, wayFor } from './run'
import { checkedFile } from './work'

/** While verdicts are waited for, what is measured ahead is looked at again after so long. */
const AGAIN_AFTER_MS = 10_000

/** Stores what was measured of a file while it came in. It is no loss where that fails: its checks measure it themselves. */
export async function keepMeasures(
  ctx: Context,
  { name, sha256 }: { name: string; sha256: string },
  { kind, mediaType, media, violations, complete, measures }: Inspection,
) {
  // A video without the frame that shows what it is would be opened once more for it.
  if (!media || !measures || (kind === 'video' && !measures.pixels)) return
  const way = { kind, mediaType, extension: extensionOf(name), depth: 'full', copy: [] } as const
  const integrity = { violations: violations.map(({ code, message }) => ({ code, message })), complete }
  await storeMeasured(ctx, { sha256, way }, { media, integrity, measures }).catch((error) =>
    log.warn({ err: error }, 'what was measured of a file while it came in could not be stored'),
  )
}

/** Above this, the previews of an image do not wait for its measures. */
const SMALL_BYTES = 4 * 1024 * 1024

type Queued = Pick<FileRow, 'id' | 'projectId' | 'kind' | 'mediaType' | 'size'>

/** Measured by the decode that draws it. */
const isMeasuredAsDrawn = ({ kind, mediaType, size }: Queued) =>
  kind === 'image' && mediaType !== 'application/postscript' && size <= SMALL_BYTES

/** Has a file measured before its batch is submitted, where that is set and the decode that draws it does not. */
export async function queueMeasuring(ctx: Context, { file_id }: { file_id: string }) {
  if (!ctx.ports.preQc.measuresAhead) return
  const { id, projectId, kind, mediaType, size } = files
  const [file] = await ctx.db
    .select({ id, projectId, kind, mediaType, size })
    .from(files)
    .where(and(eq(files.id, file_id), isNull(files.removedAt)))
  // An HTML5 ad is run for each verdict.
  if (file && file.kind !== 'archive' && !isMeasuredAsDrawn(file)) await enqueueMeasuring(ctx, file)
}

const enqueueMeasuring = (ctx: Context, { id, projectId }: Queued, at: { runAt?: Date } = {}) =>
  inTransaction(ctx, (tx) =>
    tx.enqueue(
      'measure_ahead',
      { file_id: id },
      { key: `measure_ahead:${id}`, inTurnFor: projectId, isAhead: true, ...at },
    ),
  )

/**
 * The decode that draws a small image is the one that measures it, where it is to be checked. Where its text is read as well,
 * that comes later, and by then the image is measured anew.
 */
export const drawAndMeasure: Draw = async (ctx, file, path) => {
  const { preQc } = ctx.ports
  if (!preQc.measuresAhead || file.integrity === 'quarantined' || !isMeasuredAsDrawn(file))
    return drawAlone(ctx, file, path)
  const profile = await profileFor(reading(ctx), file.batchId)
  if (!profile) return drawAlone(ctx, file, path)
  const way = wayFor(profile, file)
  if (way.copy.length > 0) {
    await enqueueMeasuring(ctx, file)
    return drawAlone(ctx, file, path)
  }
  let drawn: Awaited<ReturnType<Draw>> | null = null
  await measureUnlessKnown(advancing(ctx), path, { sha256: file.sha256, way }, async () => {
    const both = await preQc.measureAndDraw(path, file)
    drawn = both.drawn
    return both.measured
  })
  return drawn ?? drawAlone(ctx, file, path)
}

/**
 * Measures a file as its batch would be checked by now, so that a submit finds it known. It gives way to checks that wait, and is
 * no loss where it fails: the submit then measures the file itself.
 */
export async function measureAhead(ctx: Context, { file_id }: { file_id: string }) {
  if (!ctx.ports.preQc.measuresAhead) return
  const checked = await fileBeforeItsChecks(ctx, file_id)
  // The decode of one whose integrity is pending comes first anyway, and measures it.
  if (!checked || checked.file.integrity === 'pending') return
  const content = { sha256: checked.file.sha256, way: wayFor(checked, checked.file) }
  if (await isTakenCareOf(ctx, content)) return
  if (await doChecksWait(ctx)) {
    await enqueueMeasuring(ctx, checked.file, { runAt: new Date(ctx.now.getTime() + AGAIN_AFTER_MS) })
    return
  }
  const later = advancing(ctx)
  try {
    await ctx.ports.blobs.localPath(checked.file.objectKey as BlobKey, (path) =>
      measureUnlessKnown(later, path, content, () =>
        measureFor(later(), checked, path, checked.file, { isAhead: true }),
      ),
    )
  } catch (error) {
    // Deleted meanwhile.
    if (!(error instanceof BlobNotFound)) throw error
    log.debug({ file_id }, 'a file to be measured ahead is gone')
  }
}

/** The decode that settles the integrity of a long file is the one that measures it, where it is to be checked in full. */
export const decodeAndMeasure: DecodeWhole = async (ctx, file, path) => {
  const checked = file.kind === 'video' || file.kind === 'audio' ? await fileBeforeItsChecks(ctx, file.id) : null
  if (!checked || checked.settings.depth === 'quick') return decodeWhole(ctx, file, path)
  const { measured } = await measureStored(advancing(ctx), checked, (use) => use(path))
  const { integrity, media } = measured
  // The queue tries again.
  if (isFailure(integrity)) throw new Error(`A file could not be decoded to its end: ${integrity.failed}.`)
  return { media: isFailure(media) ? null : media, violations: integrity.violations }
}

/** The file by the settings it would be checked by; null where it would not be. */
async function fileBeforeItsChecks(ctx: Context, fileId: string) {
  const tx = reading(ctx)
  const [file] = await tx.db.select().from(files).where(eq(files.id, fileId))
  if (!file || file.removedAt || file.integrity === 'quarantined') return null
  const profile = await profileFor(tx, file.batchId)
  return profile && checkedFile(tx, { fileId, profileId: profile.id })
}

/** Whether a check is due that no worker has taken yet. */
async function doChecksWait({ db }: Context): Promise<boolean> {
  const [found] = await db.execute(sql`
    select from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
    where t.identifier = 'check_file' and j.is_available and j.run_at <= now() limit 1`)
  return found !== undefined
}
