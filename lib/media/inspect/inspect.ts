import { statSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { findMediaType } from '@/lib/domain/files/media-types'
import { DomainError } from '@/lib/domain/kernel/errors'
import { log } from '@/lib/log'
import { KeptProcesses } from '@/lib/sandbox/kept'
import { Lane } from '@/lib/sandbox/lane'
import { ProcessPool } from '@/lib/sandbox/pool'
import { AHEAD_NICE } from '@/lib/sandbox/priority'
import type { JobFailure, SandboxedProcess } from '@/lib/sandbox/process'
import { SANDBOXED_PROGRAMS } from '@/lib/sandbox/programs'
import { usageOf } from '@/lib/sandbox/usage'
import type { DecodeDone } from '../decode/decode-done'
import type { Inspection, InspectionViolation, InspectOptions } from '../inspection'
import { followMedia, mediaDone, stopFollowingMedia } from './media-ahead'
import type { Arrived, InspectorJobs } from './protocol'

const DEFAULT_TIMEOUT_MS = 60_000
const DEEP_TIMEOUT_MS = 60 * 60_000
/** Images, documents, archives and fonts: an intact one takes a second or two of the processor, a bomb takes all it is given. */
const STILL_BASE_CPU_MS = 8_000
const STILL_BYTES_PER_CPU_MS = 10_000

/** A large archive is unpacked while it comes in, so that its sender does not wait for that after its last byte. */
const FOLLOW_FROM_BYTES = 32 * 1024 * 1024
const FOLLOW_STEP_BYTES = 4 * 1024 * 1024
/** An upload that brings nothing for so long has ended without a word. */
const FOLLOW_TIMEOUT_MS = 120_000

/** What a decoder could not finish is tried so often, one after the other. */
const ATTEMPTS = 2
/** However little time is left, a file may be opened and its packets walked. */
const LEAST_WALL_MS = 30_000
const RETRY_SECONDS = 20

const INSPECTOR = {
  program: SANDBOXED_PROGRAMS.inspector,
  label: 'it',
  maxBytes: 1024 * 1024 * 1024,
  maxResultBytes: 32 * 1024 * 1024,
  // Counted by the lanes below: a file keeps its place for all its attempts.
  parallel: Number.POSITIVE_INFINITY,
  jobsEach: 1,
}
/** A process for each file but those below, started ahead of it, so that nothing of one file reaches the next and no upload waits. */
const inspectors = new ProcessPool<InspectorJobs, Arrived>({ ...INSPECTOR, startsAhead: true })
/** For files that are measured: each loads what its file needs, which a video does not wait for. */
const measuringInspectors = new ProcessPool<InspectorJobs, Arrived>(INSPECTOR)
/** For what no user waits for yet. */
const patientInspectors = new ProcessPool<InspectorJobs, Arrived>({ ...INSPECTOR, nice: AHEAD_NICE })
/** For media that are still coming in. */
const takingInspectors = new ProcessPool<InspectorJobs, Arrived>({ ...INSPECTOR, nice: AHEAD_NICE, takesBytes: true })
/** Videos that are decoded to their end for minutes do not keep uploads waiting: they queue by themselves. */
const quickLane = new Lane(Math.max(1, availableParallelism()))
const deepLane = new Lane(1)
/** What no user waits for yet keeps neither of them waiting. */
const aheadLane = new Lane(1)

type Inspector = SandboxedProcess<InspectorJobs, Arrived>
/**
 * Thousands of small files of one agency are read by few processes, one after the other: starting one takes 0.2 s of the
 * processor, reading an image of 50 kB a fiftieth of that. So are files that are measured, whose measures V8 would compile
 * anew for each: of a video of 30 s that takes a tenth of decoding it. Only after a file that was found intact, and never for
 * another agency.
 */
const kept = new KeptProcesses<Inspector>({ jobsEach: 500, keptMs: 5_000, most: 2 * availableParallelism() })
const SMALL_BYTES = 4 * 1024 * 1024
/** Memory, resident, above which a process makes room for a fresh one. */
const LEAN_BYTES = 384 * 1024 * 1024
type Follower = { inspector: Inspector; notedUpTo: number; expiry: NodeJS.Timeout }
/** By the path of the file; each holds a process, so there are few. */
const followers = new Map<string, Follower>()

/** Of the time an upload may take to be examined, the rest is for opening the file, walking its packets and sending the result. */
const DECODING_SHARE = 0.7

/**
 * Hears of a file that is still coming in: the bytes before `upTo` are there. Costs nothing where it does not help.
 * `measures`: media may be decoded and measured meanwhile. `mayChange`: what is there may yet be replaced.
 */
export function followArrival(
  path: string,
  extension: string,
  upTo: number,
  { measures = false, mayChange = false }: { measures?: boolean; mayChange?: boolean } = {},
): void {
  // Its sender does not wait for the start of a process, which takes 0.3 s, after the last byte.
  if (upTo >= FOLLOW_FROM_BYTES) inspectors.prepare()
  if (measures) followMedia(path, extension, upTo, () => takingInspectors.take())
  if (mayChange) return
  const follower = followers.get(path) ?? startFollower(path, extension, upTo)
  if (!follower || upTo - follower.notedUpTo < FOLLOW_STEP_BYTES) return
  follower.notedUpTo = upTo
  follower.expiry.refresh()
  follower.inspector.note({ upTo })
}

function startFollower(path: string, extension: string, upTo: number): Follower | undefined {
  if (upTo < FOLLOW_FROM_BYTES || extension !== 'zip' || followers.size >= availableParallelism()) return undefined
  const inspector = inspectors.take()
  const expiry = setTimeout(() => takeFollower(path)?.kill(), FOLLOW_TIMEOUT_MS)
  expiry.unref()
  const follower = { inspector, notedUpTo: 0, expiry }
  followers.set(path, follower)
  inspector.note({ path })
  return follower
}

/** The process that has followed a file, unless there is none or it has died. */
function takeFollower(path: string): Inspector | undefined {
  const follower = followers.get(path)
  followers.delete(path)
  clearTimeout(follower?.expiry)
  return follower?.inspector.isAlive ? follower.inspector : undefined
}

/**
 * Reads one local file to its end in a process that no other agency's file has reached: its real type, what can be measured of it, and every reason
 * to refuse it. Nothing passes unread, and nothing is said of a file that could not be read for a reason of ours: a
 * decoder that is killed, out of memory or too slow gets a second try, then this rejects. Only a file on which the decoder
 * crashes twice by itself is refused for it.
 *
 * Rejects with the signal's reason when stopped, and with ENOENT when there is no such file.
 * @throws DomainError `unavailable`
 */
export async function inspectFile(path: string, options: InspectOptions): Promise<Inspection> {
  const { size } = statSync(path)
  options.signal?.throwIfAborted()
  const allMs = options.timeoutMs ?? (options.deep ? DEEP_TIMEOUT_MS : DEFAULT_TIMEOUT_MS)
  const beganAt = performance.now()
  const done = await mediaDone(path, { size, sha256: options.sha256 }, allMs * DECODING_SHARE)
  const timeoutMs = allMs - (performance.now() - beganAt)
  const lane = options.isAhead ? aheadLane : options.deep ? deepLane : quickLane
  return lane.run(() => inspect(path, size, { ...options, timeoutMs, done }))
}

async function inspect(
  path: string,
  size: number,
  options: InspectOptions & { timeoutMs: number; done: DecodeDone | null },
): Promise<Inspection> {
  const { signal, deep, timeoutMs, done } = options
  const isMeasured = deep || options.quick
  // A process that lets others go first is no help to one that somebody waits for.
  const owner =
    (isMeasured || size <= SMALL_BYTES) && options.agencyId
      ? `${options.isAhead ? 'ahead' : 'now'} ${options.agencyId}`
      : undefined
  const beganAt = performance.now()
  const leftMs = () => timeoutMs - (performance.now() - beganAt)
  const pool = poolFor(options)
  let mediaType: string | undefined
  let crashes = 0
  for (let attempt = 1; ; attempt += 1) {
    signal?.throwIfAborted()
    mediaType = undefined
    const request = {
      path,
      extension: options.extension.replace(/^\./, ''),
      decodeForMs: deep ? null : Math.max(0, leftMs()) * DECODING_SHARE,
      isQuick: options.quick ?? false,
      ...(done && { done }),
    }
    // A second attempt says something about the file only in a process that has read no other.
    const follower = takeFollower(path)
    const inspector = follower ?? (owner && attempt === 1 ? kept.take(owner) : undefined) ?? pool.take()
    const end = await inspector.run('examine', request, {
      // By the type, once that is known: a busy machine makes no file a bomb.
      cpuMs: () => (isMedia(mediaType) ? Number.POSITIVE_INFINITY : STILL_BASE_CPU_MS + size / STILL_BYTES_PER_CPU_MS),
      wallMs: Math.max(LEAST_WALL_MS, leftMs()),
      onProgress: (sniffed) => {
        mediaType = sniffed.mediaType
      },
      signal,
    })
    const isIntact = end.end === 'completed' && end.result.violations.length === 0
    if (owner && isIntact && !follower && isLean(inspector)) kept.keep(owner, inspector)
    else pool.giveBack(inspector)
    if (end.end === 'completed') return end.result
    if (end.end === 'stopped') signal?.throwIfAborted()
    if (end.end === 'flooded') return refusal(mediaType, ENDLESS)
    if (end.end === 'crashed') crashes += 1
    if (attempt < ATTEMPTS && leftMs() > 0) continue
    if (end.end === 'crashed' && crashes === ATTEMPTS) return refusal(mediaType, CRASHES)
    throw unread(end)
  }
}

function poolFor({ isAhead, deep, quick }: InspectOptions) {
  if (isAhead) return patientInspectors
  return deep || quick ? measuringInspectors : inspectors
}

const isLean = ({ pid }: Inspector) => pid !== undefined && (usageOf(pid)?.residentBytes ?? 0) < LEAN_BYTES

/** Ends the processes that wait, so that a process that is done can leave at once. */
export function closeInspector(): void {
  inspectors.close()
  kept.close()
  patientInspectors.close()
  measuringInspectors.close()
  stopFollowingMedia()
  takingInspectors.close()
  for (const path of [...followers.keys()]) takeFollower(path)?.kill()
}

function isMedia(mediaType: string | undefined): boolean {
  return mediaType === undefined || /^(video|audio)\//.test(mediaType)
}

const ENDLESS: InspectionViolation = {
  rule: 'integrity',
  code: 'decompression_bomb',
  message:
    'The file could not be unpacked within the limits of the service: its result does not end. Send a smaller or simpler file.',
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

function unread({ end, why }: JobFailure): DomainError {
  log.warn({ reason: end, why }, 'a file could not be read to its end')
  const limit =
    end === 'out_of_time' || end === 'out_of_memory'
      ? ` The file was not read to its end because ${why}; if that stays so, send a smaller or simpler one.`
      : ''
  return new DomainError(
    'unavailable',
    `The file could not be examined at the moment, which says nothing against it. Nothing was stored; try again shortly.${limit}`,
    { retryAfter: RETRY_SECONDS },
  )
}
