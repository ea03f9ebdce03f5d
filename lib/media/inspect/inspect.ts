import { statSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { findMediaType } from '@/lib/domain/files/media-types'
import { DomainError } from '@/lib/domain/kernel/errors'
import { log } from '@/lib/log'
import type { Inspection, InspectionViolation, InspectOptions } from '../inspection'
import { type ReaderEnd, ReaderProcess } from './reader-process'

const DEFAULT_TIMEOUT_MS = 60_000
const DEEP_TIMEOUT_MS = 60 * 60_000
/** Pictures, documents, archives and fonts: a sound one takes a second or two of the processor, a bomb takes all it is given. */
const STILL_BASE_CPU_MS = 8_000
const STILL_BYTES_PER_CPU_MS = 10_000
const MAX_RESIDENT_BYTES = 1024 * 1024 * 1024

/** A large archive is unpacked while it comes in, so that its sender does not wait for that after its last byte. */
const FOLLOW_FROM_BYTES = 32 * 1024 * 1024
const FOLLOW_STEP_BYTES = 4 * 1024 * 1024
/** An upload that brings nothing for so long has ended without a word. */
const FOLLOW_PATIENCE_MS = 120_000

/** What a reader could not finish is tried so often, one after the other. */
const ATTEMPTS = 2
/** However little time is left, a file may be opened and its packets walked. */
const LEAST_WALL_MS = 30_000
const RETRY_SECONDS = 20

/** A started reader that waits for its file; without one for so long it gives its memory back. */
let spare: ReaderProcess | undefined
let spareClock: NodeJS.Timeout | undefined
const SPARE_MS = 60_000
/** Films that are decoded to their end for minutes do not keep uploads waiting: they queue by themselves. */
const quickLane = { limit: Math.max(1, availableParallelism()), running: 0, queue: [] as (() => void)[] }
const deepLane: typeof quickLane = { limit: 1, running: 0, queue: [] }

type Follower = { reader: ReaderProcess; told: number; patience: NodeJS.Timeout }
/** By the path of the file; each holds a process, so there are few. */
const followers = new Map<string, Follower>()

/** Hears of a file that is still coming in: the bytes before `upTo` are there. Costs nothing where it does not help. */
export function followArrival(path: string, extension: string, upTo: number): void {
  const follower = followers.get(path) ?? startFollower(path, extension, upTo)
  if (!follower || upTo - follower.told < FOLLOW_STEP_BYTES) return
  follower.told = upTo
  follower.patience.refresh()
  follower.reader.arrived(upTo)
}

function startFollower(path: string, extension: string, upTo: number): Follower | undefined {
  if (upTo < FOLLOW_FROM_BYTES || extension !== 'zip' || followers.size >= availableParallelism()) return undefined
  const reader = takeReader()
  const patience = setTimeout(() => takeFollower(path)?.kill(), FOLLOW_PATIENCE_MS)
  patience.unref()
  const follower = { reader, told: 0, patience }
  followers.set(path, follower)
  reader.follow(path)
  return follower
}

/** The reader that has followed a file, unless there is none or it has died. */
function takeFollower(path: string): ReaderProcess | undefined {
  const follower = followers.get(path)
  followers.delete(path)
  clearTimeout(follower?.patience)
  return follower?.reader.isAlive ? follower.reader : undefined
}

/**
 * Reads one local file to its end in a process of its own: its real type, what can be measured of it, and every reason
 * to refuse it. Nothing passes unread, and nothing is said of a file that could not be read for a reason of ours: a
 * reader that is killed, starved or too slow gets a second try, then this rejects. Only a file on which the decoder
 * crashes twice by itself is refused for it.
 *
 * Rejects with the signal's reason when stopped, and with ENOENT when there is no such file.
 * @throws DomainError `unavailable`
 */
export async function inspectFile(path: string, options: InspectOptions): Promise<Inspection> {
  const { size } = statSync(path)
  options.signal?.throwIfAborted()
  const timeoutMs = options.timeoutMs ?? (options.deep ? DEEP_TIMEOUT_MS : DEFAULT_TIMEOUT_MS)
  const lane = options.deep ? deepLane : quickLane
  if (lane.running >= lane.limit) await new Promise<void>((resolve) => lane.queue.push(resolve))
  lane.running += 1
  try {
    options.signal?.throwIfAborted()
    const cpuMsFor = (type: string | undefined) =>
      isMedia(type) ? Number.POSITIVE_INFINITY : STILL_BASE_CPU_MS + size / STILL_BYTES_PER_CPU_MS
    const beganAt = performance.now()
    let crashes = 0
    for (let attempt = 1; ; attempt += 1) {
      const wallMs = Math.max(LEAST_WALL_MS, timeoutMs - (performance.now() - beganAt))
      const request = {
        path,
        extension: options.extension.replace(/^\./, ''),
        // The rest is for opening the file, walking its packets and answering.
        decodeForMs: options.deep ? null : Math.max(0, timeoutMs - (performance.now() - beganAt)) * 0.7,
        isQuick: options.quick ?? false,
      }
      const limits = { maxBytes: MAX_RESIDENT_BYTES, wallMs, cpuMsFor }
      const end = await (takeFollower(path) ?? takeReader()).read(request, limits, options.signal)
      if (end.reason === 'answered') return end.message.inspection
      if (end.reason === 'stopped') options.signal?.throwIfAborted()
      if (end.reason === 'too_much_output') return refusal(end.mediaType, ENDLESS)
      if (end.reason === 'crashed') crashes += 1
      const isLate = performance.now() - beganAt >= timeoutMs
      if (attempt < ATTEMPTS && !isLate) continue
      if (end.reason === 'crashed' && crashes === ATTEMPTS) return refusal(end.mediaType, CRASHES)
      throw unread(end)
    }
  } finally {
    lane.running -= 1
    lane.queue.shift()?.()
  }
}

/** Ends the readers that wait, so that a process that is done can leave at once. */
export function closeInspector(): void {
  dropSpare()
  for (const path of [...followers.keys()]) takeFollower(path)?.kill()
}

function dropSpare(): void {
  clearTimeout(spareClock)
  spare?.kill()
  spare = undefined
}

function takeReader(): ReaderProcess {
  const reader = spare?.isAlive ? spare : new ReaderProcess()
  spare = new ReaderProcess()
  clearTimeout(spareClock)
  spareClock = setTimeout(dropSpare, SPARE_MS).unref()
  return reader
}

function isMedia(mediaType: string | undefined): boolean {
  return mediaType === undefined || /^(video|audio)\//.test(mediaType)
}

const ENDLESS: InspectionViolation = {
  rule: 'integrity',
  code: 'decompression_bomb',
  message:
    'The file could not be unpacked within the limits of the service: it gives an answer without end. Send a smaller or simpler file.',
}
const CRASHES: InspectionViolation = {
  rule: 'integrity',
  code: 'corrupt',
  message: 'The file is damaged in a way that stops its decoder. Export it again and send the new copy.',
}

function refusal(mediaType = 'application/octet-stream', violation: InspectionViolation): Inspection {
  return {
    mediaType,
    kind: findMediaType(mediaType)?.kind ?? 'other',
    media: null,
    violations: [violation],
    complete: false,
    engine: '',
  }
}

function unread(end: ReaderEnd): DomainError {
  const why = 'detail' in end ? end.detail : 'it ended without an answer'
  log.warn({ reason: end.reason, why }, 'a file could not be read to its end')
  const limit =
    end.reason === 'out_of_time' || end.reason === 'out_of_memory'
      ? ` The file was not read to its end because ${why}; if that stays so, send a smaller or simpler one.`
      : ''
  return new DomainError(
    'unavailable',
    `The file could not be examined at the moment, which says nothing against it. Nothing was stored; try again shortly.${limit}`,
    { retryAfter: RETRY_SECONDS },
  )
}
