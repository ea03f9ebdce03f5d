import { Lane } from './lane'
import { type JobEnd, type JobOptions, type ProcessOptions, SandboxedProcess } from './process'
import type { Jobs } from './protocol'

export type PoolOptions = ProcessOptions & {
  /** Processes that work at once. */
  parallel: number
  /** Jobs a process does before it makes room for a fresh one: 1 where nothing of one file may reach the next. */
  jobsEach: number
  /** One more is started as soon as one is taken, so that the next job need not wait for it to load. */
  startsAhead?: boolean
}

/** A process without work gives its memory back. */
const IDLE_MS = 60_000

/** How a process ends that may have been used up, or left unwell, by an earlier job. */
const LOST: ReadonlySet<JobEnd<unknown>['end']> = new Set(['crashed', 'killed', 'out_of_memory', 'hung', 'malformed'])

/** The sandboxed processes of one program. Those that wait for a job do not keep this process alive. */
export class ProcessPool<J extends Jobs, Note = never> {
  private readonly idle: SandboxedProcess<J, Note>[] = []
  private idleClock: NodeJS.Timeout | undefined
  private readonly lane: Lane
  private readonly options: PoolOptions

  constructor(options: PoolOptions) {
    this.options = { ...options, loadsFirst: options.startsAhead }
    this.lane = new Lane(options.parallel)
  }

  /** Jobs that wait for a process. */
  get waiting(): number {
    return this.lane.waiting
  }

  /**
   * One job in whichever process is free. Where a process did not survive it that had done others before, or did not even
   * start, nothing is known about the job: it is done once more, in another process. Never rejects.
   */
  async run<K extends keyof J & string>(
    job: K,
    request: J[K]['request'],
    options: JobOptions<J[K]['progress']>,
  ): Promise<JobEnd<J[K]['result']>> {
    let wasFresh = true
    const attempt = () =>
      this.use((process) => {
        wasFresh = process.served === 0
        return process.run(job, request, options)
      })
    const ended = await attempt()
    const isOfProcess = ended.end === 'unable' || (!wasFresh && LOST.has(ended.end))
    return isOfProcess ? attempt() : ended
  }

  /** A process to itself for as long as `work` takes. */
  use<R>(work: (process: SandboxedProcess<J, Note>) => Promise<R>): Promise<R> {
    return this.lane.run(async () => {
      const process = this.take()
      try {
        return await work(process)
      } finally {
        this.giveBack(process)
      }
    })
  }

  /** A process outside the count, for who gives it back. */
  take(): SandboxedProcess<J, Note> {
    let process = this.idle.pop()
    while (process && !process.isAlive) process = this.idle.pop()
    process ??= new SandboxedProcess(this.options)
    if (this.options.startsAhead) this.prepare()
    else this.rest()
    return process
  }

  /** Has a process wait that has loaded, for a job that will come within the minute. */
  prepare(): void {
    if (!this.idle.some(({ isAlive }) => isAlive)) this.idle.push(new SandboxedProcess(this.options))
    this.rest()
  }

  giveBack(process: SandboxedProcess<J, Note>): void {
    if (process.isAlive && process.served < this.options.jobsEach) this.idle.push(process)
    else process.kill()
    this.rest()
  }

  /** Ends the processes that wait, so that a process that is done can leave at once. */
  close(): void {
    clearTimeout(this.idleClock)
    for (const process of this.idle.splice(0)) process.kill()
  }

  private rest(): void {
    clearTimeout(this.idleClock)
    this.idleClock = setTimeout(() => this.close(), IDLE_MS).unref()
  }
}
