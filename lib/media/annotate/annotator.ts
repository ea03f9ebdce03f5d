import { chmod } from 'node:fs/promises'
import path from 'node:path'
import type { Readable } from 'node:stream'
import { DomainError } from '@/lib/domain/kernel/errors'
import { ProcessPool } from '@/lib/sandbox/pool'
import { SANDBOXED_PROGRAMS } from '@/lib/sandbox/programs'
import { openWritten, withScratchFolder } from '@/lib/sandbox/scratch'
import type { AnnotatorJobs, Remark } from './protocol'

const LIMITS = { cpuMs: 60_000, wallMs: 120_000 }
/** Documents that may wait their turn before we say that there are too many. */
const MAX_WAITING = 20

/** A process for each document: nothing of one reaches the next. */
const annotators = new ProcessPool<AnnotatorJobs>({
  program: SANDBOXED_PROGRAMS.annotator,
  label: 'the process',
  maxBytes: 1536 * 1024 * 1024,
  maxResultBytes: 64 * 1024,
  parallel: 1,
  jobsEach: 1,
  nice: 5,
})

/**
 * A copy of a PDF with comments in it as annotations, written in a sandboxed process. The stream outlives the folder it was
 * written in.
 * @returns `refused`: a sentence why nothing can be written into the file
 * @throws DomainError `unavailable` when it could not be done, or too many wait
 */
export async function annotatePdfFile(
  source: string,
  remarks: readonly Remark[],
): Promise<{ size: number; body: Readable } | { refused: string }> {
  if (annotators.waiting >= MAX_WAITING)
    throw unavailable('Too many documents are being written at the moment. Try again shortly.')
  return withScratchFolder('annotate', async (folder) => {
    // The program runs as another user, who may write nowhere else.
    await chmod(folder, 0o777)
    const into = path.join(folder, 'copy')
    const ended = await annotators.run('annotate', { path: source, into, remarks }, LIMITS)
    if (ended.end === 'failed' || ended.end === 'crashed')
      return { refused: `Its structure does not allow it (${ended.why}).` }
    if (ended.end !== 'completed')
      throw unavailable(`The comments could not be written into the PDF: ${ended.why}. Try again shortly.`)
    if ('refused' in ended.result) return ended.result
    const written = await openWritten(into)
    if (written) return { size: written.size, body: written.handle.createReadStream({ start: 0 }) }
    throw unavailable('The comments could not be written into the PDF. Try again shortly.')
  })
}

const unavailable = (message: string) => new DomainError('unavailable', message, { retryAfter: 10 })

/** Ends the waiting processes, so that a process that is done can leave at once. */
export function closeAnnotator(): void {
  annotators.close()
}
