import { availableParallelism } from 'node:os'
import type { EvidenceWanted, Failure } from '@/lib/checks/check'
import type { MediaKind } from '@/lib/checks/facts'
import { MeasurerProcess } from './measurer-process'
import type { Answer, Answers, Request, Task } from './protocol'

const TIMEOUT_MS = 60_000
/** Files one process decodes before it makes room for a fresh one. */
const ROUND = 100
const MAX_PARALLEL = Math.max(1, availableParallelism())

const idle: MeasurerProcess[] = []
const waiting: (() => void)[] = []
let running = 0

type FileToMeasure = { kind: MediaKind; mediaType: string }
/** Of a document: which page, from 1. */
type FileToDraw = FileToMeasure & { page?: number }

/** What a look at a picture, a page or a frame of a film tells, or why that was not possible. Never rejects. */
export function lookAtFile(path: string, file: FileToMeasure): Promise<Answers['look'] | Failure> {
  return ask('look', { path, ...file }).then(resultOf)
}

/** What a picture is and what a look at it tells, by one decode. Never rejects. */
export function examinePicture(
  path: string,
  file: { mediaType: string; extension: string },
): Promise<Answers['examine'] | Failure> {
  return ask('examine', { path, kind: 'image', ...file }).then(resultOf)
}

/**
 * A thumbnail of 320 px and a preview of 1600 px, WebP; null where the file shows nothing or could not be drawn.
 * Never rejects.
 */
export async function drawFile(
  path: string,
  file: FileToDraw,
): Promise<{ thumbnail: Buffer | null; preview: Buffer | null }> {
  const drawn = resultOf(await ask('pictures', { path, ...file }))
  if (!drawn || 'failed' in drawn) return { thumbnail: null, preview: null }
  return { thumbnail: Buffer.from(drawn.thumbnail, 'base64'), preview: Buffer.from(drawn.preview, 'base64') }
}

/** Pictures of what the checks found, WebP; null where one could not be drawn. Never rejects. */
export async function drawEvidence(
  path: string,
  file: FileToMeasure,
  wanted: EvidenceWanted[],
): Promise<(Buffer | null)[]> {
  const drawn = resultOf(await ask('evidence', { path, ...file, wanted }))
  return 'failed' in drawn ? wanted.map(() => null) : drawn.map((each) => (each ? Buffer.from(each, 'base64') : null))
}

/** Ends the waiting processes, so that a process that is done can leave at once. */
export function closeMeasurer(): void {
  for (const process of idle.splice(0)) process.kill()
}

function resultOf<T extends Task>(answer: Answer<T>): Answers[T] | Failure {
  return 'failed' in answer ? answer : answer.done
}

async function ask<T extends Task>(task: T, request: Omit<Request, 'task'>): Promise<Answer<T>> {
  if (running >= MAX_PARALLEL) await new Promise<void>((resolve) => waiting.push(resolve))
  running += 1
  const process = idle.pop() ?? new MeasurerProcess()
  try {
    return (await process.ask({ task, ...request }, TIMEOUT_MS)) as Answer<T>
  } finally {
    if (process.isAlive && process.served < ROUND) idle.push(process)
    else process.kill()
    running -= 1
    waiting.shift()?.()
  }
}
