import { availableParallelism } from 'node:os'
import type { EvidenceWanted } from '@/lib/checks/check'
import { ProcessPool } from '@/lib/sandbox/pool'
import { AHEAD_NICE } from '@/lib/sandbox/priority'
import type { JobEnd } from '@/lib/sandbox/process'
import { SANDBOXED_PROGRAMS } from '@/lib/sandbox/programs'
import type { Failure } from '../measurements'
import type { DrawnImages, FileToMeasure, InspectedImage, MeasurerJobs } from './protocol'

/** Processor time a file may take; how long that takes by the clock depends on what else the machine does. */
const INSPECT_LIMITS = { cpuMs: 90_000, wallMs: 60 * 60_000 }
/** Recognising letters takes longer than decoding; the child itself begins nothing new after 75 s of its time. */
const READ_LIMITS = { cpuMs: 180_000, wallMs: 60 * 60_000 }

/** A process decodes one file after the other, so that its start is paid for once; whatever a hostile file did to it goes with it. */
const MEASURER = {
  program: SANDBOXED_PROGRAMS.measurer,
  label: 'the decoder',
  maxBytes: 1280 * 1024 * 1024,
  // Two images in base64 stay far below.
  maxResultBytes: 64 * 1024 * 1024,
  parallel: Math.max(1, availableParallelism()),
  jobsEach: 100,
}
const measurers = new ProcessPool<MeasurerJobs>(MEASURER)
/** For what no user waits for yet. */
const patientMeasurers = new ProcessPool<MeasurerJobs>({ ...MEASURER, parallel: 1, nice: AHEAD_NICE })

const poolFor = (isAhead: boolean) => (isAhead ? patientMeasurers : measurers)

type File = Omit<FileToMeasure, 'path'>
type Result<K extends keyof MeasurerJobs> = MeasurerJobs[K]['result']

/** What an image, a page or a frame of a video shows, or why that was not possible. Never rejects. */
export async function inspectImageFile(path: string, file: File, isAhead = false): Promise<InspectedImage | Failure> {
  return resultOf(await poolFor(isAhead).run('inspect', { path, ...file }, INSPECT_LIMITS))
}

/**
 * What an image is and what it shows, by one decode; with `copy` what is written in it, too, by the same
 * decode, and an image that cannot be read has still been measured. Never rejects.
 */
export function examineImage(
  path: string,
  file: { mediaType: string; extension: string },
  copy: readonly string[] = [],
  isAhead = false,
): Promise<{ seen: Result<'examine'> | Failure; text?: Result<'read'> | Failure }> {
  const request = { path, kind: 'image', ...file } as const
  return poolFor(isAhead).use(async (process) => {
    const seen = resultOf(await process.run('examine', { ...request, stores: copy.length > 0 }, INSPECT_LIMITS))
    if (copy.length === 0) return { seen }
    return { seen, text: resultOf(await process.run('read', { ...request, copy }, READ_LIMITS), NOT_READ) }
  })
}

/** What a small image is and what it shows, and both sizes in which it is shown, by one decode. Never rejects. */
export async function examineAndDraw(
  path: string,
  file: { mediaType: string; extension: string },
): Promise<{ seen: Result<'examine'> | Failure; drawn: { thumbnail: Buffer; preview: Buffer } | null }> {
  const request = { path, kind: 'image', ...file, draws: true } as const
  const seen = resultOf(await measurers.run('examine', request, INSPECT_LIMITS))
  const drawn = 'failed' in seen ? null : seen.drawn
  return { seen, drawn: drawn ? fromBase64(drawn) : null }
}

/** What is written in a document or a video, as far as it bears on the copy. Never rejects. */
export async function readFile(
  path: string,
  file: File,
  copy: readonly string[],
  isAhead = false,
): Promise<Result<'read'> | Failure> {
  return resultOf(await poolFor(isAhead).run('read', { path, ...file, copy }, READ_LIMITS), NOT_READ)
}

/**
 * A thumbnail of 320 px and a preview of 1600 px, WebP; null where the file shows nothing or could not be drawn.
 * Never rejects.
 */
export async function drawFile(
  path: string,
  file: File & { page?: number },
): Promise<{ thumbnail: Buffer | null; preview: Buffer | null }> {
  const drawn = resultOf(await measurers.run('previews', { path, ...file }, INSPECT_LIMITS))
  if (!drawn || 'failed' in drawn) return { thumbnail: null, preview: null }
  return fromBase64(drawn)
}

const fromBase64 = ({ thumbnail, preview }: DrawnImages) => ({
  thumbnail: Buffer.from(thumbnail, 'base64'),
  preview: Buffer.from(preview, 'base64'),
})

/** An image drawn anew as PNG, without its empty edges; null where that could not be done. Never rejects. */
export async function drawPng(
  path: string,
  mediaType: string,
  largest: { width: number; height: number },
): Promise<{ png: Buffer; width: number; height: number } | null> {
  const drawn = resultOf(await measurers.run('logo', { path, kind: 'image', mediaType, largest }, INSPECT_LIMITS))
  return drawn && !('failed' in drawn) ? { ...drawn, png: Buffer.from(drawn.png, 'base64') } : null
}

/** Images of what the checks found, WebP; null where one could not be drawn. Never rejects. */
export async function drawEvidence(path: string, file: File, wanted: EvidenceWanted[]): Promise<(Buffer | null)[]> {
  const drawn = resultOf(await measurers.run('evidence', { path, ...file, wanted }, INSPECT_LIMITS))
  return 'failed' in drawn ? wanted.map(() => null) : drawn.map((each) => (each ? Buffer.from(each, 'base64') : null))
}

/** Ends the waiting processes, so that a process that is done can leave at once. */
export function closeMeasurer(): void {
  measurers.close()
  patientMeasurers.close()
}

const NOT_READ = 'its text could not be read'

/** A failure that may be the machine's, and not the file's, is marked `again`. */
function resultOf<A>(end: JobEnd<A>, failed = 'the file could not be decoded'): A | Failure {
  if (end.end === 'completed') return end.result
  if (end.end === 'failed') return { failed: `${failed} (${end.why})` }
  return { failed: end.why, ...(end.end !== 'flooded' && { again: true as const }) }
}
