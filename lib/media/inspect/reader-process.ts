import type { ChildProcess } from 'node:child_process'
import type { Readable } from 'node:stream'
import { spawnCaged } from '@/lib/sandbox/command'
import { residentBytes, usedMilliseconds } from '@/lib/sandbox/process-use'
import type { ChildMessage, ChildOrder, ChildRequest } from './protocol'

/** An answer longer than this is not one of ours. */
const MAX_ANSWER_BYTES = 32 * 1024 * 1024
const POLL_MS = 40

export type ReaderEnd =
  | { reason: 'answered'; message: Extract<ChildMessage, { type: 'inspection' }> }
  /** Its decoder ended it, by a fault of its own: a crash. */
  | { reason: 'crashed'; mediaType: string | undefined }
  /** It was ended from outside, ran into a limit, or could not go on: nothing is known about the file. */
  | { reason: 'killed' | 'out_of_time' | 'out_of_memory' | 'unable'; detail: string }
  | { reason: 'too_much_output' | 'stopped'; mediaType: string | undefined }

export type ReaderLimits = {
  maxBytes: number
  /** Milliseconds on the clock for the whole file, from the moment the reader is ready. */
  wallMs: number
  /** Milliseconds of processor time, decided by the type: a busy machine makes no file a bomb. */
  cpuMsFor: (mediaType: string | undefined) => number
}

/** Signals by which a program ends itself (signal(7)); all others come from somebody else: a person, the system, a limit. */
const FAULTS: ReadonlySet<NodeJS.Signals> = new Set([
  'SIGSEGV',
  'SIGBUS',
  'SIGILL',
  'SIGFPE',
  'SIGABRT',
  'SIGTRAP',
  'SIGSYS',
])

const overtime = (ms: number, of: string): ReaderEnd => ({
  reason: 'out_of_time',
  detail: `it took more than ${Math.round(ms / 1000)} s${of}`,
})

/** A reader that has not loaded its decoders by then never will. */
const MAX_START_MS = 120_000

/** One caged process for one file. It is started ahead of its file, so that nobody waits for it to load. */
export class ReaderProcess {
  private readonly child: ChildProcess
  private readonly answers: Readable
  private received = 0
  private pending = ''
  private errors = ''
  private mediaType: string | undefined
  private settle: ((end: ReaderEnd) => void) | undefined
  private onMessage: (message: ChildMessage) => void = () => undefined
  private hasExited = false
  private isReady = false

  constructor() {
    this.child = spawnCaged('inspector')
    this.answers = this.child.stdio[3] as Readable
    this.answers.setEncoding('utf8')
    this.answers.on('data', (text: string) => this.receive(text))
    this.child.stderr?.on('data', (bytes: Buffer) => {
      if (this.errors.length < 4000) this.errors += bytes.toString('utf8')
    })
    // Writing to a reader that has just died reports itself through its exit.
    this.child.stdin?.on('error', () => undefined)
    this.child.on('error', (error) => {
      this.errors += error.message
      this.end(this.failure())
    })
    this.child.on('close', (_code, signal) => {
      this.hasExited = true
      this.end(this.failure(signal))
    })
    this.setIdle(true)
  }

  get isAlive(): boolean {
    return !this.hasExited && this.child.exitCode === null && this.child.signalCode === null
  }

  /** An idle reader does not keep its parent alive. */
  private setIdle(isIdle: boolean): void {
    const streams = [this.child, this.child.stdin, this.child.stderr, this.answers]
    for (const part of streams as ({ ref?: () => void; unref?: () => void } | null)[]) {
      if (isIdle) part?.unref?.()
      else part?.ref?.()
    }
  }

  /** Begins with a file that is still coming in; it may be told before the reader is ready. */
  follow(path: string): void {
    this.tell({ type: 'follow', path })
  }

  /** Of the file it follows, the bytes before `upTo` are there. */
  arrived(upTo: number): void {
    this.tell({ type: 'arrived', upTo })
  }

  private tell(order: ChildOrder): void {
    this.child.stdin?.write(`${JSON.stringify(order)}\n`)
  }

  /** Reads one file. Never rejects: every end of the process is an answer. */
  read(request: ChildRequest, limits: ReaderLimits, signal?: AbortSignal): Promise<ReaderEnd> {
    return new Promise((resolve) => {
      const stop = () => this.end({ reason: 'stopped', mediaType: this.mediaType })
      let clock = setTimeout(() => this.end(this.failure()), MAX_START_MS)
      let watch: NodeJS.Timeout | undefined
      this.settle = (end) => {
        clearTimeout(clock)
        clearInterval(watch)
        signal?.removeEventListener('abort', stop)
        this.kill()
        resolve(end)
      }
      const start = () => {
        clearTimeout(clock)
        clock = setTimeout(() => this.end(overtime(limits.wallMs, '')), limits.wallMs)
        watch = this.watch(limits)
        this.tell({ type: 'read', ...request })
      }
      this.onMessage = (message) => {
        if (message.type === 'ready') start()
        if (message.type === 'sniffed') this.mediaType = message.mediaType
        if (message.type === 'inspection') this.end({ reason: 'answered', message })
        if (message.type === 'unable') this.end({ reason: 'unable', detail: message.reason })
      }
      signal?.addEventListener('abort', stop, { once: true })
      this.setIdle(false)
      if (signal?.aborted) stop()
      else if (!this.isAlive) this.end(this.failure())
      else if (this.isReady) start()
    })
  }

  /** Memory and processor time are watched from outside: a reader that is busy cannot watch itself. */
  private watch(limits: ReaderLimits): NodeJS.Timeout {
    const { pid } = this.child
    const started = usedMilliseconds(pid)
    return setInterval(() => {
      const cpuMs = limits.cpuMsFor(this.mediaType)
      const detail = `it took more than ${limits.maxBytes / 2 ** 20} MB of memory`
      if (residentBytes(pid) > limits.maxBytes) this.end({ reason: 'out_of_memory', detail })
      if (usedMilliseconds(pid) - started > cpuMs) this.end(overtime(cpuMs, ' of the processor'))
    }, POLL_MS)
  }

  kill(): void {
    const { pid } = this.child
    if (pid === undefined || this.hasExited) return
    try {
      process.kill(-pid, 'SIGKILL')
    } catch {
      // The group is gone already.
    }
  }

  private end(end: ReaderEnd): void {
    const settle = this.settle
    this.settle = undefined
    settle?.(end)
  }

  private failure(signal: NodeJS.Signals | null = this.child.signalCode): ReaderEnd {
    const said = this.errors.trim().slice(0, 1000)
    // V8 and C++ end the process by themselves when they get no memory.
    if (/out of memory|bad_alloc/i.test(said)) return { reason: 'out_of_memory', detail: 'it got no memory' }
    if (!this.isReady) return { reason: 'unable', detail: `it could not start: ${said || 'it ended without a word'}` }
    if (signal !== null && !FAULTS.has(signal)) return { reason: 'killed', detail: `it was ended by ${signal}` }
    return { reason: 'crashed', mediaType: this.mediaType }
  }

  private receive(text: string): void {
    this.received += text.length
    if (this.received > MAX_ANSWER_BYTES) {
      this.end({ reason: 'too_much_output', mediaType: this.mediaType })
      return
    }
    this.pending += text
    for (let cut = this.pending.indexOf('\n'); cut >= 0; cut = this.pending.indexOf('\n')) {
      const line = this.pending.slice(0, cut)
      this.pending = this.pending.slice(cut + 1)
      const message: ChildMessage = JSON.parse(line)
      if (message.type === 'ready') this.isReady = true
      this.onMessage(message)
    }
  }
}
