import { eq } from 'drizzle-orm'
import { files } from '@/db/schema/files'
import { evaluateOn } from '@/lib/checks/announced'
import { isFailure, type Neighbour, type Subject } from '@/lib/checks/check'
import { type CheckResult, ENGINE_VERSION } from '@/lib/checks/engine'
import { planEvidence } from '@/lib/checks/evidence'
import { requiredTextCheck } from '@/lib/checks/visual/required-text-check'
import { safeAreaCheck } from '@/lib/checks/visual/safe-area-check'
import { textLegibilityCheck } from '@/lib/checks/visual/text-legibility-check'
import { log } from '@/lib/log'
import { noteOnTrace } from '@/lib/tracing'
import { allowedExtensions, extensionOf } from '../files/media-types'
import type { FileRow } from '../files/present'
import { storeImage, storePreviews } from '../files/previews'
import { type BlobKey, StorageUnavailable } from '../kernel/blob-store'
import { isUnavailable } from '../kernel/database-errors'
import { advancing, type Context } from '../kernel/operation'
import { dayOf } from '../kernel/shapes'
import { nameClaims } from '../naming/claims'
import type { Naming } from '../naming/next-version'
import { validateName } from '../naming/validate-name'
import { assertBytes } from '../retention/rules'
import { type AtPath, type MeasuredOnce, measureOnce } from './measure-once'
import { LONG, type WayOfMeasuring } from './measuring-rules'
import { findNeighbours, findSimilarVideos, NEAR_DUPLICATE_BITS, signed, storeKeyFrames } from './neighbours'
import { nextNamesOf } from './next-names'
import type { Measured } from './port'
import { evidenceKey, evidencePath } from './rules'
import { type CheckedFile, type Claim, claimResult, finishResult, reportProgress, tryAgain, type Verdict } from './work'

/** Which check shows the strip of frames of a running ad: the first of these that was evaluated. */
const STRIP_BELONGS_TO = ['ad_animation_check', 'ad_behaviour_check', 'ad_size_check', 'archive_check']

/**
 * The Pre-QC run of one file: claim the result, measure, evaluate, store. Whatever goes wrong on the way is the result,
 * never a lost job. What may be the machine's fault is tried again later; `tries`: how often that was done.
 */
export async function runPreQc(ctx: Context, { result_id, tries = 0 }: { result_id: string; tries?: number }) {
  const claim = await claimResult(ctx, result_id)
  if (!claim) return
  const later = advancing(ctx)
  try {
    assertBytes(claim.file)
    const { contactSheet, still, measuredAt, ...subject } = await measure(later, claim)
    if (deservesAnotherTry(subject) && (await tryAgain(later(), claim, { tries, why: 'busy' }))) return
    const evaluated = evaluateOn(subject, claim.settings, dayOf(ctx.now))
    if (still && !claim.file.previewsRemovedAt) await storeStill(ctx, claim.file, still)
    const checks = await storeEvidence(ctx, claim, subject, evaluated.checks, contactSheet ?? null)
    await finishResult(later(), claim, {
      status: 'completed',
      summary: evaluated.summary,
      checks,
      engineVersion: ENGINE_VERSION,
      measurements: subject,
      measuredAt,
    })
    noteOnTrace({ 'greenroom.verdict': evaluated.summary })
  } catch (error) {
    const isOutage = error instanceof StorageUnavailable || isUnavailable(error)
    if (isOutage && (await tryAgain(later(), claim, { tries, why: 'outage' }))) return
    log.error({ err: error, result_id }, 'the checks of a file could not be run')
    const reason = error instanceof Error ? error.message : String(error)
    await finishResult(later(), claim, {
      status: 'failed',
      failure: `The checks could not be run: ${reason.slice(0, 500)}`,
    })
    noteOnTrace({ 'greenroom.verdict': 'failed' })
  }
}

/**
 * What the checks say of a file that was measured before. Null where that takes more than what is known: an image of what was found
 * is drawn from the file itself.
 */
export async function judgeMeasured(
  ctx: Context,
  claim: Claim,
  { measured, measuredAt }: MeasuredOnce,
): Promise<Verdict | null> {
  const subject = await comparedSubject(ctx, claim, measured)
  const evaluated = evaluateOn(subject, claim.settings, dayOf(ctx.now))
  if (!claim.file.previewsRemovedAt && planEvidence(subject, evaluated.checks).length > 0) return null
  noteOnTrace({ 'greenroom.verdict': evaluated.summary })
  return { ...evaluated, engineVersion: ENGINE_VERSION, measurements: subject, measuredAt }
}

const deservesAnotherTry = ({ media, integrity, measures }: Subject) =>
  [media, integrity, ...Object.values(measures)].some((each) => each && isFailure(each) && each.again)

/** What an ad looks like is known once it has run; where that cannot be stored, an icon of its kind is shown. */
async function storeStill(ctx: Context, file: FileRow, still: NonNullable<Measured['still']>) {
  try {
    await storePreviews(ctx, file, still)
  } catch (error) {
    log.error({ err: error, file_id: file.id }, 'the still image of an ad could not be stored')
  }
}

/** Stores the images that show what was found, and names them in the lines; where none can be drawn the finding stands alone. */
async function storeEvidence(
  ctx: Context,
  { file, resultId }: Claim,
  subject: Subject,
  checks: CheckResult[],
  contactSheet: Buffer | null,
) {
  if (file.previewsRemovedAt) return checks
  const wanted = planEvidence(subject, checks)
  const stripCheck = STRIP_BELONGS_TO.find((id) => checks.some(({ check_id }) => check_id === id))
  try {
    const drawn =
      wanted.length === 0
        ? []
        : await ctx.ports.blobs.localPath(file.objectKey as BlobKey, (path) =>
            ctx.ports.preQc.drawEvidence(path, { kind: file.kind, mediaType: file.mediaType }, wanted),
          )
    const images = [
      ...wanted.map(({ checkId, draw }, index) => ({ checkId, draw, image: drawn[index] ?? null })),
      ...(stripCheck ? [{ checkId: stripCheck, draw: 'strip', image: contactSheet }] : []),
    ]
    const stored = new Map<string, { kind: 'image' | 'chart'; url: string }[]>()
    for (const [index, { checkId, draw, image }] of images.entries()) {
      if (!image) continue
      await storeImage(ctx, evidenceKey(file.id, resultId, index + 1), image)
      const shown = { kind: draw === 'curve' ? 'chart' : 'image', url: evidencePath(resultId, index + 1) } as const
      stored.set(checkId, [...(stored.get(checkId) ?? []), shown])
    }
    return checks.map((check) => ({
      ...check,
      ...(stored.has(check.check_id) && { evidence: stored.get(check.check_id) }),
    }))
  } catch (error) {
    log.error({ err: error, result_id: resultId }, 'evidence could not be stored')
    return checks
  }
}

async function measure(
  later: () => Context,
  claim: Claim,
): Promise<Subject & Pick<Measured, 'contactSheet' | 'still'> & { measuredAt: Date | null }> {
  const { file } = claim
  const ctx = later()
  const progress = (percent: number) => reportProgress(later(), claim, percent)
  // What is known takes a moment, of which nothing is said.
  const { measured, measuredAt } = await measureStored(later, claim, async (use) => {
    await progress(5)
    return ctx.ports.blobs.localPath(file.objectKey as BlobKey, use)
  })
  if (measuredAt === null) await progress(80)
  return {
    ...(await comparedSubject(ctx, claim, measured)),
    contactSheet: measured.contactSheet ?? null,
    still: measured.still ?? null,
    measuredAt,
  }
}

/** What the checks evaluate of a file, with the others of the project that look the same. */
async function comparedSubject(ctx: Context, claim: Claim, measured: Measured): Promise<Subject> {
  const neighbours = await findLookAlikes(ctx, claim, measured.measures)
  return { ...subjectOf(claim, claim.file, measured), ...(neighbours && { neighbours }) }
}

type OneFile = Pick<FileRow, 'name' | 'size' | 'kind' | 'mediaType'>

/** Measures a stored file as the settings ask, unless its content was measured so before. */
export const measureStored = (later: () => Context, checked: CheckedFile, atPath: AtPath) =>
  measureOnce(later, atPath, { sha256: checked.file.sha256, way: wayFor(checked, checked.file) }, (path) =>
    measureFor(later(), checked, path, checked.file),
  )

/** Measures a file as the settings ask, which may be a copy of the one that is checked. */
export function measureFor(
  { ports }: Context,
  checked: CheckedFile,
  path: string,
  file: Omit<OneFile, 'size'>,
  { isAhead = false }: { isAhead?: boolean } = {},
): Promise<Measured> {
  const { name, kind, mediaType } = file
  const { depth, copy } = wayFor(checked, file)
  return ports.preQc.measure(path, { name, kind, mediaType }, { depth, copy, isAhead, agencyId: checked.agencyId })
}

/** Checks of the text in an image, a video or a document. */
const READING_CHECKS = [requiredTextCheck, safeAreaCheck, textLegibilityCheck]

export function wayFor(
  { settings, requiredCopy }: Pick<CheckedFile, 'settings' | 'requiredCopy'>,
  { name, kind, mediaType }: Omit<OneFile, 'size'>,
) {
  const readsText = READING_CHECKS.some(({ id, enabledByDefault }) => settings.checks[id]?.enabled ?? enabledByDefault)
  return {
    kind,
    mediaType,
    extension: extensionOf(name),
    depth: settings.depth ?? 'full',
    copy: readsText ? requiredCopy : [],
  } satisfies WayOfMeasuring
}

/** What the checks evaluate: what was measured of a file, and what is expected of it. */
export function subjectOf(checked: CheckedFile, file: OneFile, measured: Measured): Subject {
  const naming: Naming = {
    template: checked.template,
    context: {
      agencyCode: checked.agencyCode,
      campaignCodes: checked.campaignCodes,
      extensions: allowedExtensions(checked.mediaTypes),
    },
  }
  const { values } = validateName({ ...naming, name: file.name })
  return {
    name: file.name,
    bytes: file.size,
    mediaType: file.mediaType,
    kind: file.kind,
    media: measured.media,
    integrity: measured.integrity,
    ...(checked.settings.depth === 'quick' && LONG.has(file.kind) && { depth: 'quick' as const }),
    measures: measured.measures,
    claims: nameClaims(values),
    ...(checked.template !== null &&
      !isFailure(measured.media) && { nextNames: nextNamesOf(naming, file.name, values, measured.media) }),
    expectations: {
      mediaTypes: checked.mediaTypes,
      maxFileBytes: checked.maxFileSize,
      requiredCopy: checked.requiredCopy,
    },
  }
}

/** Stores what the file looks like, and finds the others of the project that look the same; undefined where it is too plain. */
async function findLookAlikes(
  ctx: Context,
  { file }: Claim,
  { pixels, keyFrames }: Measured['measures'],
): Promise<Neighbour[] | undefined> {
  if (file.kind === 'video') {
    if (!keyFrames || isFailure(keyFrames)) return undefined
    await storeKeyFrames(ctx, file, keyFrames.frames)
    if (keyFrames.frames.length === 0) return undefined
    const videos = await findSimilarVideos(ctx, file, keyFrames.frames, NEAR_DUPLICATE_BITS)
    return videos.map(({ fileId, name, distance, ...video }) => ({ fileId, name, distance, video }))
  }
  if (!pixels || isFailure(pixels) || pixels.perceptualHash === null) return undefined
  const hash = signed(pixels.perceptualHash)
  await ctx.db.update(files).set({ perceptualHash: hash }).where(eq(files.id, file.id))
  return findNeighbours(ctx, file, hash, NEAR_DUPLICATE_BITS)
}
