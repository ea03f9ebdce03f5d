import type { ChildProcess } from 'node:child_process'
import type { Readable, Writable } from 'node:stream'
import { span } from '@/lib/tracing'
import { killUntilGone } from './kill'
import { type LaunchOptions, launch } from './launch'
import type { Program } from './programs'
import { BYTES, type FromChild, type Jobs, parseMessage, RESULTS, type ToChild } from './protocol'
import { type Overuse, type UsageLimits, watchUsage } from './usage'

export type ProcessOptions = LaunchOptions & {
  program: Program
  /** How reasons call it: “the decoder”. */
  label: string
  /** Resident memory. */
  maxBytes: number
  maxResultBytes: number
}

export type JobOptions<Progress> = {
  /** Processor time it may use; a function where that depends on what it reports. */
  cpuMs: number | (() => number)
  /** The clock, as a last resort, from the moment the process is ready. */
  wallMs: number
  onProgress?: (progress: Progress) => void
  signal?: AbortSignal
}

/** How a job ended; `why` is a clause for people that begins with the label of the process. */
export type JobEnd<Result> =
  | { end: 'completed'; result: Result }
  /** The program says so itself. */
  | { end: 'failed'; why: string }
  /** It ended itself, by a fault. */
  | { end: 'crashed'; why: string }
  /** Ended from outside, out of something, or not itself any more: nothing is known about its file. */
  | { end: 'killed' | 'out_of_time' | 'out_of_memory' | 'hung' | 'unable' | 'malformed'; why: string }
  /** Its result did not end. */
  | { end: 'flooded'; why: string }
  /** The signal asked for it. */
  | { end: 'stopped'; why: string }

/** How a job ends that gave no result. */
export type JobFailure = Exclude<JobEnd<never>, { end: 'completed' }>

/** Signals by which a program ends itself (signal(7)); all others come from outside: a person, the system, a limit. */
const FAULTS: ReadonlySet<NodeJS.Signals> = new Set([
  'SIGSEGV',
  'SIGBUS',
  'SIGILL',
  'SIGFPE',
  'SIGABRT',
  'SIGTRAP',
  'SIGSYS',
])
/** A process that uses no processor time for so long waits for something that never comes. */
const IDLE_MS = 5 * 60_000
/** One that has not loaded its decoders by then never will. */
const START_MS = 120_000
const LONGEST_ERRORS = 4_000

type Part = { ref?: () => void; unref?: () => void } | null | undefined

/**
 * One sandboxed process. It does one job at a time; whatever becomes of it is the end of a job, never an exception. After
 * any end but a result or a failure that it reported itself it is gone.
 */
export class SandboxedProcess<J extends Jobs, Note = never> {
  /** Jobs it has been given. */
  served = 0
  private child: ChildProcess | undefined
  private isReady = false
  private isKilled = false
  private isGone = false
  /** What has come of a line whose end has not. */
  private readonly pieces: string[] = []
  private received = 0
  private errors = ''
  private onReady: (() => void) | undefined
  private onMessage: ((message: FromChild) => void) | undefined
  private settle: ((end: JobEnd<unknown>) => void) | undefined

  constructor(private readonly options: ProcessOptions) {
    try {
      this.child = launch(options.program, options)
    } catch (error) {
      this.errors = String(error)
      return
    }
    const { child } = this
    const results = child.stdio?.[RESULTS] as Readable | undefined
    results?.setEncoding('utf8')
    results?.on('data', (text: string) => this.receive(text))
    child.stderr?.on('data', (bytes: Buffer) => {
      this.errors = (this.errors + bytes.toString('utf8')).slice(-LONGEST_ERRORS)
    })
    // Writing to a process that has just died reports itself through its end.
    child.stdin?.on('error', () => undefined)
    this.bytes?.on('error', () => undefined)
    child.on('error', (error) => {
      this.errors += error.message
      this.lose(null)
    })
    // Whatever it has started goes with it, and lets go of our pipes.
    child.on('exit', () => {
      this.kill()
      this.isGone = true
    })
    child.on('close', (_code, signal) => this.lose(signal))
    this.keepsParentAlive(false)
  }

  get pid(): number | undefined {
    return this.child?.pid
  }

  /** What is written here is read by a program that takes bytes; null for any other. */
  get bytes(): Writable | null {
    return (this.child?.stdio?.[BYTES] as Writable | undefined) ?? null
  }

  get isAlive(): boolean {
    const { child } = this
    return child?.pid !== undefined && child.exitCode === null && child.signalCode === null && !this.isKilled
  }

  /** Something it should know, before a job or during one; it gets no reply. */
  note(note: Note): void {
    this.send({ type: 'note', note })
  }

  /** Never rejects. */
  run<K extends keyof J & string>(
    job: K,
    request: J[K]['request'],
    options: JobOptions<J[K]['progress']>,
  ): Promise<JobEnd<J[K]['result']>> {
    return span(`${this.options.program.name} ${job}`, async (note) => {
      const ended = await this.perform(job, request, options)
      note({ 'greenroom.sandbox.end': ended.end })
      return ended
    })
  }

  private perform<K extends keyof J & string>(
    job: K,
    request: J[K]['request'],
    options: JobOptions<J[K]['progress']>,
  ): Promise<JobEnd<J[K]['result']>> {
    const { cpuMs, wallMs, onProgress, signal } = options
    const cpuLimit = typeof cpuMs === 'number' ? () => cpuMs : cpuMs
    return new Promise((resolve) => {
      if (this.settle) throw new Error('A sandboxed process does one job at a time.')
      let endWatch = () => {}
      const stop = () => this.fail('stopped', 'was stopped')
      this.settle = (end) => {
        this.settle = undefined
        this.onReady = undefined
        this.onMessage = undefined
        endWatch()
        signal?.removeEventListener('abort', stop)
        this.keepsParentAlive(false)
        if (end.end !== 'completed' && end.end !== 'failed') this.kill()
        resolve(end)
      }
      const watch = (limits: Pick<UsageLimits, 'cpuMs' | 'wallMs'>, over: (limit: Overuse) => void) => {
        endWatch()
        const all = { ...limits, idleMs: IDLE_MS, residentBytes: this.options.maxBytes }
        endWatch = watchUsage(this.child?.pid ?? 0, all, over)
      }
      const begin = () => {
        this.received = 0
        this.onMessage = (message) => {
          if (message.type === 'progress') onProgress?.(message.progress as J[K]['progress'])
          if (message.type === 'result') this.settle?.({ end: 'completed', result: message.result })
          if (message.type === 'failed') this.settle?.({ end: 'failed', why: message.why })
        }
        watch({ cpuMs: cpuLimit, wallMs }, (limit) => this.overuse(limit, limit === 'wall_clock' ? wallMs : cpuLimit()))
        this.send({ type: 'job', job, request })
      }
      this.served += 1
      this.keepsParentAlive(true)
      signal?.addEventListener('abort', stop, { once: true })
      if (signal?.aborted) return stop()
      if (!this.isAlive) return this.lose(this.child?.signalCode ?? null)
      if (this.isReady) return begin()
      this.onReady = begin
      watch({ cpuMs: () => START_MS, wallMs: START_MS }, () => this.fail('unable', 'did not start in time'))
    })
  }

  /** With all it has started. */
  kill(): void {
    this.isKilled = true
    if (!this.isGone) this.signalGroup('SIGKILL')
  }

  /** Resolves when it is gone, with all it has started and left in its group. */
  async killed(): Promise<void> {
    await killUntilGone(() => this.signalGroup('SIGKILL'))
  }

  /** False when no process is left in the group. */
  private signalGroup(signal: NodeJS.Signals): boolean {
    const pid = this.child?.pid
    if (pid === undefined) return false
    try {
      return process.kill(-pid, signal)
    } catch {
      return false
    }
  }

  private send(message: ToChild): void {
    this.child?.stdin?.write(`${JSON.stringify(message)}\n`)
  }

  private receive(text: string): void {
    this.received += text.length
    if (this.received > this.options.maxResultBytes) {
      this.fail('flooded', 'gave a result without end')
      return
    }
    let from = 0
    for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', from)) {
      this.hear(this.pieces.splice(0).join('') + text.slice(from, end))
      from = end + 1
    }
    this.pieces.push(text.slice(from))
  }

  private hear(line: string): void {
    const message = parseMessage(line)
    if (message?.type === 'ready' && !this.isReady) {
      this.isReady = true
      this.onReady?.()
    } else if (message && message.type !== 'ready' && this.onMessage) this.onMessage(message)
    // One that speaks unasked, or not as agreed, is not itself any more.
    else this.fail('malformed', 'gave a result that is none')
  }

  private overuse(limit: Overuse, ms: number): void {
    const seconds = `${Math.max(1, Math.round(ms)) / 1000} s`
    if (limit === 'processor_time') this.fail('out_of_time', `took more than ${seconds} of processor time`)
    if (limit === 'wall_clock') this.fail('out_of_time', `took more than ${seconds}`)
    if (limit === 'hung') this.fail('hung', 'stopped responding')
    if (limit === 'memory') this.fail('out_of_memory', `took more than ${this.options.maxBytes / 2 ** 20} MB of memory`)
  }

  private fail(end: JobFailure['end'], why: string): void {
    if (this.settle) this.settle({ end, why: `${this.options.label} ${why}` })
    else this.kill()
  }

  /** It has ended, or never began. */
  private lose(signal: NodeJS.Signals | null): void {
    const last = this.errors.trim().split('\n').at(-1)?.slice(0, 200)
    const ended = `ended without a result${last ? ` (${last})` : ''}`
    // V8 and C++ end a process by themselves when they get no memory.
    if (/out of memory|bad_alloc/i.test(this.errors)) this.fail('out_of_memory', 'got no memory')
    else if (!this.isReady) this.fail('unable', `could not start: it ${ended}`)
    else if (signal !== null && !FAULTS.has(signal)) this.fail('killed', `was ended by ${signal}`)
    else this.fail('crashed', ended)
  }

  /** One that waits for a job does not. */
  private keepsParentAlive(does: boolean): void {
    for (const part of [this.child, ...(this.child?.stdio ?? [])] as Part[]) does ? part?.ref?.() : part?.unref?.()
  }
}
