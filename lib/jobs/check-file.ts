import { eq } from 'drizzle-orm'
import { files } from '@/db/schema/files'
import { judgeOn } from '@/lib/checks/announced'
import { isFailure, type Neighbour, type NextNames, type Subject } from '@/lib/checks/check'
import { type CheckResult, ENGINE_VERSION } from '@/lib/checks/engine'
import { planEvidence } from '@/lib/checks/evidence'
import { nameMatchesMediaCheck } from '@/lib/checks/file/name-matches-media-check'
import { knownFactsOf } from '@/lib/checks/known-facts'
import { requiredTextCheck } from '@/lib/checks/picture/required-text-check'
import { allowedExtensions } from '@/lib/domain/files/media-types'
import type { FileRow } from '@/lib/domain/files/present'
import { nameChanges } from '@/lib/domain/files/rules'
import { type BlobKey, StorageUnavailable } from '@/lib/domain/kernel/blob-store'
import type { Context } from '@/lib/domain/kernel/operation'
import type { Measured } from '@/lib/domain/kernel/ports'
import { dayOf } from '@/lib/domain/kernel/shapes'
import { nameClaims, type TokenValues } from '@/lib/domain/naming/claims'
import { judgeName } from '@/lib/domain/naming/judge-name'
import { type Naming, nextName } from '@/lib/domain/naming/next-version'
import { findNeighbours, findSimilarFilms, keepFrames, signed } from '@/lib/domain/pre-qc/neighbours'
import { evidenceKey, evidencePath } from '@/lib/domain/pre-qc/rules'
import { finishResult, reportProgress, type Taken, takeResult, tryAgain } from '@/lib/domain/pre-qc/work'
import { log } from '@/lib/log'
import type { MediaFacts } from '@/lib/media/facts'
import { keepPicture, keepPictures } from './make-pictures'

/** Bits of 64 in which the hashes of two pictures that look the same may differ. */
const LOOKS_THE_SAME = 6

/** What the quick profile reads in part, or does not run; the others are read in full anyway. */
const LONG: ReadonlySet<string> = new Set(['video', 'audio', 'archive'])

/** Where a film strip of a running ad belongs: the first of these that was judged. */
const STRIP_BELONGS_TO = ['ad_animation_check', 'ad_behaviour_check', 'ad_size_check', 'archive_check']

/**
 * Measures one file and evaluates it; whatever goes wrong on the way is the result, never a lost job. What may be the
 * machine's fault is tried again later; `tries`: how often that was done.
 */
export async function checkFile(ctx: Context, { result_id, tries = 0 }: { result_id: string; tries?: number }) {
  const taken = await takeResult(ctx, result_id)
  if (!taken) return
  const began = performance.now()
  /** The context as time goes on while the file is measured. */
  const later = () => ({ ...ctx, now: new Date(ctx.now.getTime() + performance.now() - began) })
  try {
    const { filmStrip, still, ...subject } = await measure(later, taken)
    if (deservesAnotherTry(subject) && (await tryAgain(later(), taken, tries))) return
    if (still) await keepStill(ctx, taken.file, still)
    const verdict = judgeOn(subject, taken.settings, dayOf(ctx.now))
    const checks = await withEvidence(ctx, taken, subject, verdict.checks, filmStrip ?? null)
    await finishResult(later(), taken, {
      status: 'completed',
      summary: verdict.summary,
      checks,
      engineVersion: ENGINE_VERSION,
      measurements: subject,
    })
  } catch (error) {
    if (error instanceof StorageUnavailable && (await tryAgain(later(), taken, tries))) return
    log.error({ err: error, result_id }, 'the checks of a file could not be run')
    const reason = error instanceof Error ? error.message : String(error)
    await finishResult(later(), taken, {
      status: 'failed',
      failure: `The checks could not be run: ${reason.slice(0, 500)}`,
    })
  }
}

const deservesAnotherTry = ({ media, integrity, measures }: Subject) =>
  [media, integrity, ...Object.values(measures)].some((each) => each && isFailure(each) && each.again)

/** What an ad looks like is known once it has run; where that cannot be kept, it is shown by its kind. */
async function keepStill(ctx: Context, file: FileRow, still: NonNullable<Measured['still']>) {
  try {
    await keepPictures(ctx, file, still)
  } catch (error) {
    log.error({ err: error, file_id: file.id }, 'the picture of an ad could not be kept')
  }
}

/** The lines with the pictures that show what was found; where none can be drawn or kept the finding stands without. */
async function withEvidence(
  ctx: Context,
  { file, resultId }: Taken,
  subject: Subject,
  checks: CheckResult[],
  filmStrip: Buffer | null,
) {
  const wanted = planEvidence(subject, checks)
  const stripCheck = STRIP_BELONGS_TO.find((id) => checks.some(({ check_id }) => check_id === id))
  try {
    const drawn =
      wanted.length === 0
        ? []
        : await ctx.outside.blobs.localPath(file.objectKey as BlobKey, (path) =>
            ctx.outside.drawEvidence(path, { kind: file.kind, mediaType: file.mediaType }, wanted),
          )
    const pictures = [
      ...wanted.map(({ checkId, draw }, index) => ({ checkId, draw, picture: drawn[index] ?? null })),
      ...(stripCheck ? [{ checkId: stripCheck, draw: 'strip', picture: filmStrip }] : []),
    ]
    const kept = new Map<string, { kind: 'image' | 'chart'; url: string }[]>()
    for (const [index, { checkId, draw, picture }] of pictures.entries()) {
      if (!picture) continue
      await keepPicture(ctx, evidenceKey(file.id, resultId, index + 1), picture)
      const shown = { kind: draw === 'curve' ? 'chart' : 'image', url: evidencePath(resultId, index + 1) } as const
      kept.set(checkId, [...(kept.get(checkId) ?? []), shown])
    }
    return checks.map((check) => ({
      ...check,
      ...(kept.has(check.check_id) && { evidence: kept.get(check.check_id) }),
    }))
  } catch (error) {
    log.error({ err: error, result_id: resultId }, 'evidence could not be kept')
    return checks
  }
}

async function measure(later: () => Context, taken: Taken): Promise<Subject & Pick<Measured, 'filmStrip' | 'still'>> {
  const { file } = taken
  const ctx = later()
  const progress = (percent: number) => reportProgress(later(), taken, percent)
  await progress(5)
  const { requiredCopy, settings } = taken
  const readsText = settings.checks[requiredTextCheck.id]?.enabled ?? requiredTextCheck.enabledByDefault
  const measured = await ctx.outside.blobs.localPath(file.objectKey as BlobKey, (path) =>
    ctx.outside.measure(
      path,
      { name: file.name, kind: file.kind, mediaType: file.mediaType },
      { depth: settings.depth, copy: readsText ? requiredCopy : [] },
    ),
  )
  await progress(80)
  const neighbours = await lookAlikes(ctx, taken, measured.measures)
  const naming: Naming = {
    template: taken.template,
    context: {
      agencyCode: taken.agencyCode,
      campaignCodes: taken.campaignCodes,
      extensions: allowedExtensions(taken.mediaTypes),
    },
  }
  const { values } = judgeName({ ...naming, name: file.name })
  return {
    name: file.name,
    bytes: file.size,
    mediaType: file.mediaType,
    kind: file.kind,
    media: measured.media,
    integrity: measured.integrity,
    ...(taken.settings.depth === 'quick' && LONG.has(file.kind) && { depth: 'quick' as const }),
    measures: measured.measures,
    filmStrip: measured.filmStrip ?? null,
    still: measured.still ?? null,
    claims: nameClaims(values),
    ...(taken.template !== null &&
      !isFailure(measured.media) && { nextNames: nextNamesOf(naming, file.name, values, measured.media) }),
    ...(neighbours && { neighbours }),
    expectations: { mediaTypes: taken.mediaTypes, maxFileBytes: taken.maxFileSize, requiredCopy },
  }
}

/** Under which names the file would be taken again, should it be rejected. */
function nextNamesOf(naming: Naming, name: string, values: TokenValues, media: MediaFacts): NextNames {
  const { proposed, changeable } = nameChanges(null, [nameMatchesMediaCheck.id], values, knownFactsOf(media))
  return {
    asMeasured: nextName(naming, { name, changeable, proposed }),
    asClaimed: nextName(naming, { name, changeable: [] }),
  }
}

/** Keeps what the file looks like, and finds the others of the project that look the same; undefined where it is too plain. */
async function lookAlikes(
  ctx: Context,
  { file }: Taken,
  { pixels, keyFrames }: Measured['measures'],
): Promise<Neighbour[] | undefined> {
  if (file.kind === 'video') {
    if (!keyFrames || isFailure(keyFrames)) return undefined
    await keepFrames(ctx, file, keyFrames.frames)
    if (keyFrames.frames.length === 0) return undefined
    const films = await findSimilarFilms(ctx, file, keyFrames.frames, LOOKS_THE_SAME)
    return films.map(({ fileId, name, distance, ...film }) => ({ fileId, name, distance, film }))
  }
  if (!pixels || isFailure(pixels) || pixels.perceptualHash === null) return undefined
  const hash = signed(pixels.perceptualHash)
  await ctx.db.update(files).set({ perceptualHash: hash }).where(eq(files.id, file.id))
  return findNeighbours(ctx, file, hash, LOOKS_THE_SAME)
}
