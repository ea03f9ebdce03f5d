import { createHash } from 'node:crypto'
import { type FileHandle, open } from 'node:fs/promises'
import type { Writable } from 'node:stream'
import { log } from '@/lib/log'
import type { SandboxedProcess } from '@/lib/sandbox/process'
import type { DecodeDone } from '../decode/decode-done'
import type { Arrived, InspectorJobs } from './protocol'

type Inspector = SandboxedProcess<InspectorJobs, Arrived>

/** What could be long to decode. By its name only: what it is says its content, in the sandbox. */
const LONG = /^(mp4|m4v|m4a|mov|wav|mxf|webm|mkv)$/
/** Begun once so much is there; what is smaller is decoded in seconds. */
const FROM_BYTES = 16 * 1024 * 1024
/** It begins within these bytes or not at all: what was given up is not decoded a second time from its beginning on. */
const BEGINS_WITHIN_BYTES = 16 * 1024 * 1024
/** So many bytes within so long, or the place goes to others. */
const STEP_BYTES = 4 * 1024 * 1024
const STEP_MS = 30_000
/** Whatever comes in for so long, the place is free then. */
const LONGEST_MS = 4 * 3_600_000
/** At once in each process that takes uploads, of which there are several: each holds a process more, behind everything else. */
const MOST = 1
/** How often it is asked whether waiting for the rest is worth it. */
const PACE_MS = 1000
const BLOCK_BYTES = 256 * 1024
/** More than waits in pipes for a process that still starts, and enough to know its pace by. */
const STARTED_BYTES = 4 * 1024 * 1024

/** By the path of the file. */
const underWay = new Map<string, MediaAhead>()

/** Hears that the bytes before `upTo` are in a file that may be video or audio. `take` gives a process that takes bytes. */
export function followMedia(path: string, extension: string, upTo: number, take: () => Inspector): void {
  const known = underWay.get(path)
  known?.note(upTo)
  if (known || upTo < FROM_BYTES || upTo > FROM_BYTES + BEGINS_WITHIN_BYTES) return
  if (!LONG.test(extension) || underWay.size >= MOST) return
  const ahead = new MediaAhead(path, take(), () => underWay.delete(path))
  underWay.set(path, ahead)
  ahead.note(upTo)
}

/**
 * What was decoded of a file that is there as a whole now; null where nothing was, where it was of other bytes, and where
 * it would not be done within `waitMs`.
 */
export async function mediaDone(
  path: string,
  file: { size: number; sha256: string | undefined },
  waitMs: number,
): Promise<DecodeDone | null> {
  const ahead = underWay.get(path)
  if (!ahead) return null
  try {
    return await ahead.finish(file, waitMs)
  } finally {
    ahead.end()
  }
}

export function stopFollowingMedia(): void {
  for (const ahead of [...underWay.values()]) ahead.end()
}

/**
 * One file that is decoded and measured while it comes in. The bytes are sent to a sandboxed process as they arrive, and
 * hashed on the way: what comes out is of the content with that hash, and of no other.
 */
class MediaAhead {
  private readonly done: Promise<DecodeDone | null>
  private readonly hash = createHash('sha256')
  /** When its process had begun to read. */
  private pace: { at: number; sent: number } | undefined
  private file: FileHandle | undefined
  private arrived = 0
  private stepAt = 0
  private sent = 0
  private sending: Promise<void> | undefined
  private isWhole = false
  private hasEnded = false
  private readonly clock: NodeJS.Timeout

  constructor(
    private readonly path: string,
    private readonly inspector: Inspector,
    private readonly onEnd: () => void,
  ) {
    this.clock = setTimeout(() => this.end(), STEP_MS).unref()
    this.done = inspector
      .run('decodeArriving', { path }, { cpuMs: Number.POSITIVE_INFINITY, wallMs: LONGEST_MS })
      .then((end) => {
        if (end.end !== 'completed')
          log.debug({ reason: end.end, why: end.why }, 'a file was not decoded while it came in')
        const result = end.end === 'completed' ? end.result : null
        // A format that cannot be read so, or damage, which is found again when the whole file is examined.
        if (result === null) this.end()
        return result
      })
  }

  note(upTo: number): void {
    // Taken back, to be sent anew.
    if (upTo < this.arrived) {
      this.end()
      return
    }
    this.arrived = upTo
    if (upTo - this.stepAt >= STEP_BYTES) {
      this.stepAt = upTo
      this.clock.refresh()
    }
    this.send()
  }

  async finish(
    { size, sha256 }: { size: number; sha256: string | undefined },
    waitMs: number,
  ): Promise<DecodeDone | null> {
    if (sha256 === undefined || size < this.arrived) return null
    clearTimeout(this.clock)
    this.isWhole = true
    this.arrived = size
    this.send()
    const deadline = performance.now() + waitMs
    const isTooSlow = () => performance.now() + this.restMs(size - this.sent) > deadline
    const late = setInterval(() => isTooSlow() && this.end(), Math.min(PACE_MS, Math.max(1, waitMs)))
    try {
      if (isTooSlow()) return null

      const done = await this.done
      await this.sending
      return this.sent === size && this.hash.digest('hex') === sha256 ? done : null
    } finally {
      clearInterval(late)
    }
  }

  /** Gives up the place, with what was done. */
  end(): void {
    if (this.hasEnded) return
    this.hasEnded = true
    clearTimeout(this.clock)
    this.inspector.kill()
    this.onEnd()
    void Promise.resolve(this.sending)
      .then(() => this.file?.close())
      .catch(() => {})
  }

  /** How long so many bytes take at the pace it had, which may have been that of the upload; 0 where it had none yet. */
  private restMs(bytes: number): number {
    if (!this.pace || this.sent === this.pace.sent) return 0
    return (bytes * (performance.now() - this.pace.at)) / (this.sent - this.pace.sent)
  }

  private send(): void {
    this.sending ??= this.sendArrived()
      .catch((error) => {
        log.debug({ err: error }, 'a file could not be read while it came in')
        this.end()
      })
      .finally(() => {
        this.sending = undefined
        if (!this.hasEnded && this.sent < this.arrived) this.send()
      })
  }

  private async sendArrived(): Promise<void> {
    const { bytes } = this.inspector
    if (!bytes) throw new Error('The process takes no bytes.')
    this.file ??= await open(this.path, 'r')
    while (this.sent < this.arrived && !this.hasEnded) {
      const wanted = Math.min(BLOCK_BYTES, this.arrived - this.sent)
      const { bytesRead, buffer } = await this.file.read(Buffer.allocUnsafe(wanted), 0, wanted, this.sent)
      if (bytesRead === 0) throw new Error(`The file ends at byte ${this.sent}.`)
      const block = buffer.subarray(0, bytesRead)
      this.hash.update(block)
      this.sent += bytesRead
      if (!bytes.write(block)) await drained(bytes)
      if (this.sent >= STARTED_BYTES) this.pace ??= { at: performance.now(), sent: this.sent }
    }
    if (this.isWhole && this.sent === this.arrived) bytes.end()
  }
}

/** Resolves when it takes more, or never will. */
function drained(stream: Writable): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      stream.off('drain', done)
      stream.off('close', done)
      resolve()
    }
    if (stream.destroyed) return resolve()
    stream.on('drain', done)
    stream.on('close', done)
  })
}
