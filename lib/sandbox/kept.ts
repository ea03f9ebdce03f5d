import type { SandboxedProcess } from './process'

/** What of a process decides whether it is kept. */
type Kept = Pick<SandboxedProcess<never>, 'isAlive' | 'served' | 'kill'>

export type KeepOptions = {
  /** Jobs a process does in all. */
  jobsEach: number
  /** How long one waits for the next job of its owner. */
  keptMs: number
  /** How many wait, of all owners together. */
  most: number
}

/** Processes that have done a job of one owner and wait for the next of the same. No other owner's is ever given to them. */
export class KeptProcesses<P extends Kept> {
  private readonly waiting: { owner: string; process: P; expiry: NodeJS.Timeout }[] = []

  constructor(private readonly options: KeepOptions) {}

  take(owner: string): P | undefined {
    for (;;) {
      const at = this.waiting.findLastIndex((each) => each.owner === owner)
      const [found] = at < 0 ? [] : this.waiting.splice(at, 1)
      if (!found) return undefined
      clearTimeout(found.expiry)
      if (found.process.isAlive) return found.process
    }
  }

  keep(owner: string, process: P): void {
    if (!process.isAlive || process.served >= this.options.jobsEach) {
      process.kill()
      return
    }
    const expiry = setTimeout(() => this.end(process), this.options.keptMs).unref()
    this.waiting.push({ owner, process, expiry })
    const oldest = this.waiting.length > this.options.most ? this.waiting[0] : undefined
    if (oldest) this.end(oldest.process)
  }

  /** Ends the processes that wait. */
  close(): void {
    for (const { process } of [...this.waiting]) this.end(process)
  }

  private end(process: P): void {
    const at = this.waiting.findIndex((each) => each.process === process)
    const [ended] = at < 0 ? [] : this.waiting.splice(at, 1)
    clearTimeout(ended?.expiry)
    process.kill()
  }
}
