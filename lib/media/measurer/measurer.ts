import { availableParallelism } from 'node:os'
import type { EvidenceWanted } from '@/lib/checks/check'
import type { MediaKind } from '../facts'
import type { Failure } from '../measurements'
import { MeasurerProcess } from './measurer-process'
import type { Answer, Answers, Request, Task } from './protocol'

/** Processor time a file may take; how long that takes by the clock depends on what else the machine does. */
const LOOK_CPU_MS = 90_000
/** Recognising letters takes longer than decoding; the child itself begins nothing new after 75 s of its time. */
const READ_CPU_MS = 180_000
/** Files one process decodes before it makes room for a fresh one. */
const ROUND = 100
const MAX_PARALLEL = Math.max(1, availableParallelism())

/** A process without work gives its memory back. */
const IDLE_MS = 60_000

const idle: MeasurerProcess[] = []
let idleClock: NodeJS.Timeout | undefined
const waiting: (() => void)[] = []
let running = 0

type FileToMeasure = { kind: MediaKind; mediaType: string }
/** Of a document: which page, from 1. */
type FileToDraw = FileToMeasure & { page?: number }

/** What a look at a picture, a page or a frame of a film tells, or why that was not possible. Never rejects. */
export function lookAtFile(path: string, file: FileToMeasure): Promise<Answers['look'] | Failure> {
  return ask('look', { path, ...file }).then(resultOf)
}

/**
 * What a picture is and what a look at it tells, by one decode; with `copy` what is written in it, too, by the same
 * decode, and a picture that cannot be read has still been looked at. Never rejects.
 */
export function examinePicture(
  path: string,
  file: { mediaType: string; extension: string },
  copy: readonly string[] = [],
): Promise<{ seen: Answers['examine'] | Failure; text?: Answers['read'] | Failure }> {
  const request = { path, kind: 'image', ...file } as const
  return inProcess(async (process) => {
    const seen = await process.ask({ task: 'examine', ...request, keeps: copy.length > 0 }, LOOK_CPU_MS)
    if (copy.length === 0) return { seen: resultOf(seen as Answer<'examine'>) }
    const text = await process.ask({ task: 'read', ...request, copy }, READ_CPU_MS)
    return { seen: resultOf(seen as Answer<'examine'>), text: resultOf(text as Answer<'read'>) }
  })
}

/** What is written in a document or a film, as far as it bears on the copy. Never rejects. */
export function readFile(
  path: string,
  file: FileToMeasure,
  copy: readonly string[],
): Promise<Answers['read'] | Failure> {
  return inProcess((process) => process.ask({ task: 'read', path, ...file, copy }, READ_CPU_MS)).then((answer) =>
    resultOf(answer as Answer<'read'>),
  )
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
  clearTimeout(idleClock)
  for (const process of idle.splice(0)) process.kill()
}

function resultOf<T extends Task>(answer: Answer<T>): Answers[T] | Failure {
  return 'failed' in answer ? answer : answer.done
}

async function ask<T extends Task>(task: T, request: Omit<Request, 'task'>): Promise<Answer<T>> {
  return inProcess(async (process) => (await process.ask({ task, ...request }, LOOK_CPU_MS)) as Answer<T>)
}

/** A process to itself for as long as `work` takes. */
async function inProcess<R>(work: (process: MeasurerProcess) => Promise<R>): Promise<R> {
  if (running >= MAX_PARALLEL) await new Promise<void>((resolve) => waiting.push(resolve))
  running += 1
  const process = idle.pop() ?? new MeasurerProcess()
  try {
    return await work(process)
  } finally {
    if (process.isAlive && process.served < ROUND) idle.push(process)
    else process.kill()
    running -= 1
    waiting.shift()?.()
    clearTimeout(idleClock)
    idleClock = setTimeout(closeMeasurer, IDLE_MS).unref()
  }
}
