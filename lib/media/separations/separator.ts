import { chmod } from 'node:fs/promises'
import path from 'node:path'
import type { Readable } from 'node:stream'
import { DomainError } from '@/lib/domain/kernel/errors'
import { ProcessPool } from '@/lib/sandbox/pool'
import { SANDBOXED_PROGRAMS } from '@/lib/sandbox/programs'
import { openWritten, withScratchFolder } from '@/lib/sandbox/scratch'
import type { Separated, SeparatorJobs } from './protocol'

const LIMITS = { cpuMs: 60_000, wallMs: 120_000 }
/** Pages that may wait their turn before we say that there are too many. */
const MAX_WAITING = 20

/** A process for each page: nothing of one document reaches the next. */
const separators = new ProcessPool<SeparatorJobs>({
  program: SANDBOXED_PROGRAMS.separator,
  label: 'the process',
  maxBytes: 1024 * 1024 * 1024,
  maxResultBytes: 1024 * 1024,
  parallel: 1,
  jobsEach: 1,
  nice: 5,
})

/**
 * The plates of a page of a PDF, and one of them as a PDF, made in a sandboxed process. The stream outlives the folder it was
 * written in.
 * @param page from 1
 * @param plate of those listed, from 0; null: none is drawn, and there is no `pdf`
 * @throws DomainError `unavailable` when it could not be done, or too many wait
 */
export async function separatePdf(
  source: string,
  page: number,
  plate: number | null,
): Promise<{ separated: Separated; pdf: { size: number; body: Readable } | null }> {
  if (separators.waiting >= MAX_WAITING)
    throw unavailable('Too many pages are being separated at the moment. Try again shortly.')
  return withScratchFolder('separate', async (folder) => {
    // The program runs as another user, who may write nowhere else.
    await chmod(folder, 0o777)
    const into = path.join(folder, 'plate.pdf')
    const ended = await separators.run('separate', { path: source, page, plate, into }, LIMITS)
    if (ended.end === 'failed' || ended.end === 'crashed')
      return { separated: { refused: `Its structure does not allow it (${ended.why}).` }, pdf: null }
    if (ended.end !== 'completed')
      throw unavailable(`The page could not be separated: ${ended.why}. Try again shortly.`)
    const separated = ended.result
    if (plate === null || !('plates' in separated)) return { separated, pdf: null }
    const written = await openWritten(into)
    if (!written) throw unavailable('The plate could not be written. Try again shortly.')
    return { separated, pdf: { size: written.size, body: written.handle.createReadStream({ start: 0 }) } }
  })
}

const unavailable = (message: string) => new DomainError('unavailable', message, { retryAfter: 10 })

/** Ends the waiting processes, so that a process that is done can leave at once. */
export function closeSeparator(): void {
  separators.close()
}
