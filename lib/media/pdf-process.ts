import { chmod } from 'node:fs/promises'
import path from 'node:path'
import type { Readable } from 'node:stream'
import { DomainError } from '@/lib/domain/kernel/errors'
import { type PoolOptions, ProcessPool } from '@/lib/sandbox/pool'
import type { Jobs } from '@/lib/sandbox/protocol'
import { openWritten, withScratchFolder } from '@/lib/sandbox/scratch'

const LIMITS = { cpuMs: 60_000, wallMs: 120_000 }
/** Documents that may wait their turn before we say that there are too many. */
const MAX_WAITING = 20

type Words = {
  /** What is said when too many wait. */
  busy: string
  /** What could not be done, without a full stop. */
  failed: string
}

/** What a process wrote. The stream outlives the folder it was written in. */
export type WrittenPdf = { size: number; body: Readable }

/**
 * A sandboxed program that reads a PDF and writes one: one process at a time, and a process for each document, so that nothing
 * of one reaches the next.
 */
export class PdfProcess<J extends Jobs> {
  private readonly pool: ProcessPool<J>

  constructor(
    options: Pick<PoolOptions, 'program' | 'maxBytes' | 'maxResultBytes'>,
    private readonly words: Words,
  ) {
    this.pool = new ProcessPool<J>({ ...options, label: 'the process', parallel: 1, jobsEach: 1, nice: 5 })
  }

  /**
   * @param requestFor of the path that the program writes to
   * @param isWritten whether it wrote there, by its result
   * @returns `refused`: a sentence why the document does not allow it
   * @throws DomainError `unavailable` when it could not be done, or too many wait
   */
  async run<K extends keyof J & string>(
    job: K,
    requestFor: (into: string) => J[K]['request'],
    isWritten: (result: J[K]['result']) => boolean,
  ): Promise<{ result: J[K]['result']; written: WrittenPdf | null } | { refused: string }> {
    if (this.pool.waiting >= MAX_WAITING) throw unavailable(this.words.busy)
    return withScratchFolder(job, async (folder) => {
      // The program runs as another user, who may write nowhere else.
      await chmod(folder, 0o777)
      const into = path.join(folder, 'written.pdf')
      const ended = await this.pool.run(job, requestFor(into), LIMITS)
      if (ended.end === 'failed' || ended.end === 'crashed')
        return { refused: `Its structure does not allow it (${ended.why}).` }
      if (ended.end !== 'completed') throw unavailable(`${this.words.failed}: ${ended.why}.`)
      if (!isWritten(ended.result)) return { result: ended.result, written: null }
      const written = await openWritten(into)
      if (!written) throw unavailable(`${this.words.failed}.`)
      return {
        result: ended.result,
        written: { size: written.size, body: written.handle.createReadStream({ start: 0 }) },
      }
    })
  }

  /** Ends the waiting processes, so that a process that is done can leave at once. */
  close(): void {
    this.pool.close()
  }
}

const unavailable = (message: string) =>
  new DomainError('unavailable', `${message} Try again shortly.`, { retryAfter: 10 })
