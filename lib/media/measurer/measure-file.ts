import { startDocument, statedSize } from '@/lib/checks/archive/start-document'
import { type IntegrityReport, isFailure, type Subject } from '@/lib/checks/check'
import { extensionOf } from '@/lib/domain/files/media-types'
import type { FileReader } from '@/lib/domain/files/port'
import type { HowToMeasure, Measured } from '@/lib/domain/pre-qc/port'
import type { MeasureName } from '@/lib/media/measurements'
import type { PreQcDepth } from '@/lib/vocabulary'
import type { WatchBanner } from '../ads/watch-ad'
import type { MediaFacts, MediaKind } from '../facts'
import type { Failure } from '../measurements'
import { examineAndDraw, examineImage, inspectImageFile, readFile } from './measurer'

/** What a measurement covers, by kind: when it fails, each of these has failed. */
const MEASURES_OF: { [K in MediaKind]?: readonly MeasureName[] } = {
  image: ['pixels', 'codes'],
  video: ['pixels'],
  document: ['pixels', 'codes', 'placed'],
}

/** Long media are decoded to their last frame here: no client waits for a result. */
const TIMEOUT_MS = 2 * 60 * 60_000

let ahead = new AbortController()

/** Gives up what is measured before anybody waits for it, so that a process that is to end need not wait for a long decode. */
export function stopMeasuringAhead(): void {
  ahead.abort()
  ahead = new AbortController()
}

/**
 * Measures a stored file for its checks: the inspector reads it to its end once more (a disk may have changed what was
 * intact at its arrival), images, pages and a frame of a video are inspected, and HTML5 ads are run. What could not be measured is a reason, not an exception.
 */
export async function measureFile(
  inspect: FileReader['inspect'],
  path: string,
  file: { name: string; kind: MediaKind; mediaType: string },
  { depth = 'full', copy = [], isAhead = false, agencyId }: HowToMeasure = {},
  watchBanner?: WatchBanner,
): Promise<Measured> {
  const how = { depth, isAhead, agencyId }
  if (file.kind === 'image' && file.mediaType !== 'application/postscript') {
    const extension = extensionOf(file.name)
    const { seen, text } = await examineImage(path, { mediaType: file.mediaType, extension }, copy, isAhead)
    const read = text && { text }
    // A process that dies on an image says nothing about it: the inspector, which reads it alone, decides.
    if (!isFailure(seen)) return reported(seen.inspection, { ...seen.inspected, ...read })
    const [inspected, pixels] = await Promise.all([
      examine(inspect, path, file.name, how),
      inspectImage(path, file, isAhead),
    ])
    return withPixels(inspected, { ...pixels, ...read })
  }
  if (file.kind === 'video') {
    const inspected = await examine(inspect, path, file.name, how)
    // The frame that shows what the video is was taken from the decode; only a video that was not decoded is opened again.
    const pixels = inspected.measures?.pixels ? {} : await inspectImage(path, file, isAhead)
    const read = depth === 'full' ? await readText(path, file, copy, isAhead) : {}
    return withPixels(inspected, { ...pixels, ...read })
  }
  if (file.kind === 'archive') {
    const inspected = await examine(inspect, path, file.name, how)
    return depth === 'full' && watchBanner ? withBanner(inspected, path, file.name, watchBanner) : inspected
  }
  const [inspected, pixels, read] = await Promise.all([
    examine(inspect, path, file.name, how),
    inspectImage(path, file, isAhead),
    file.kind === 'document' ? readText(path, file, copy, isAhead) : {},
  ])
  return withPixels(inspected, { ...pixels, ...read })
}

/** Measures a small image for its checks, all but its text, and draws it, by one decode; `drawn`: null where that failed. */
export async function measureAndDraw(path: string, { name, mediaType }: { name: string; mediaType: string }) {
  const { seen, drawn } = await examineAndDraw(path, { mediaType, extension: extensionOf(name) })
  const measured: Measured = isFailure(seen)
    ? { integrity: seen, media: seen, measures: {} }
    : reported(seen.inspection, seen.inspected)
  return { measured, drawn }
}

const readText = async (
  path: string,
  file: { kind: MediaKind; mediaType: string },
  copy: readonly string[],
  isAhead: boolean,
) => (copy.length > 0 ? { text: await readFile(path, file, copy, isAhead) } : {})

const withPixels = (inspected: Measured, pixels: Measured['measures']): Measured => ({
  ...inspected,
  measures: { ...inspected.measures, ...pixels },
})

/** An HTML5 ad is run once, in a frame of the size it states, else of the one its name says. */
async function withBanner(inspected: Measured, path: string, name: string, watch: WatchBanner): Promise<Measured> {
  const { media, integrity } = inspected
  if (isFailure(media) || media.kind !== 'archive' || isFailure(integrity) || integrity.violations.length > 0)
    return inspected
  const start = startDocument(media)
  if (!start) return inspected
  const frame = statedSize(start.text)?.size ?? sizeInName(name) ?? UNKNOWN_FRAME
  const watched = await watch(path, { start: start.path, frame: within(frame) })
  if (isFailure(watched)) return withPixels(inspected, { banner: watched })
  return { ...withPixels(inspected, { banner: watched.facts }), contactSheet: watched.strip, still: watched.still }
}

/** For an ad that says nowhere how large it is. */
const UNKNOWN_FRAME = { width: 1024, height: 768 }
const LONGEST_SIDE = 4096

const within = ({ width, height }: { width: number; height: number }) => ({
  width: Math.min(LONGEST_SIDE, Math.max(1, width)),
  height: Math.min(LONGEST_SIDE, Math.max(1, height)),
})

function sizeInName(name: string) {
  const size = /(?:^|\D)([1-9]\d{1,3})x([1-9]\d{1,3})(?:\D|$)/i.exec(name)
  return size ? { width: Number(size[1]), height: Number(size[2]) } : null
}

async function examine(
  inspect: FileReader['inspect'],
  path: string,
  name: string,
  { depth, isAhead, agencyId }: { depth: PreQcDepth; isAhead: boolean; agencyId: string | undefined },
): Promise<Measured> {
  try {
    const inspection = await inspect(path, {
      extension: extensionOf(name),
      agencyId,
      timeoutMs: TIMEOUT_MS,
      deep: depth === 'full',
      quick: depth === 'quick',
      ...(isAhead && { isAhead, signal: ahead.signal }),
    })
    return reported(inspection, inspection.measures)
  } catch (error) {
    const failure: Failure = {
      failed: `the file could not be inspected (${error instanceof Error ? error.message : error})`,
      again: true,
    }
    return { integrity: failure, media: failure, measures: {} }
  }
}

function reported(
  {
    violations,
    complete,
    media,
  }: { violations: { code: string; message: string }[]; complete: boolean; media: MediaFacts | null },
  measures: Subject['measures'] = {},
): Measured {
  const integrity: IntegrityReport = {
    violations: violations.map(({ code, message }) => ({ code, message })),
    complete,
  }
  return { integrity, media: media ?? { failed: 'the file could not be read far enough to be measured' }, measures }
}

async function inspectImage(
  path: string,
  { kind, mediaType }: { kind: MediaKind; mediaType: string },
  isAhead: boolean,
) {
  if (!(kind in MEASURES_OF) || mediaType === 'application/postscript') return {}
  const seen = await inspectImageFile(path, { kind, mediaType }, isAhead)
  if (!isFailure(seen)) return seen
  return Object.fromEntries((MEASURES_OF[kind] ?? []).map((measure) => [measure, seen]))
}
