import { chmod } from 'node:fs/promises'
import path from 'node:path'
import { type ImageTiler, TilingStopped } from '@/lib/domain/tiles/port'
import { ProcessPool } from '@/lib/sandbox/pool'
import { SANDBOXED_PROGRAMS } from '@/lib/sandbox/programs'
import { withScratchFolder, withWritten } from '@/lib/sandbox/scratch'
import type { TilerJobs } from './protocol'

const LIMITS = { cpuMs: 10 * 60_000, wallMs: 30 * 60_000 }

/** A process for each image: nothing of one file reaches the next. It lets checks have the processor first. */
const tilers = new ProcessPool<TilerJobs>({
  program: SANDBOXED_PROGRAMS.tiler,
  label: 'the tiler',
  nice: 10,
  maxBytes: 2 * 1024 * 1024 * 1024,
  maxResultBytes: 16 * 1024 * 1024,
  parallel: 1,
  jobsEach: 1,
})

const stopping = new AbortController()

/**
 * Cuts an image into tiles in a sandboxed process, and gives the file of them to `use`; it is gone once that settles. What
 * could not be done is a reason, not an exception.
 */
export const tileImage: ImageTiler['tile'] = (source, mediaType, use) =>
  withScratchFolder('tiles', async (folder): Promise<Awaited<ReturnType<typeof use>> | { failed: string }> => {
    // The program runs as another user, who may write nowhere else.
    await chmod(folder, 0o777)
    const into = path.join(folder, 'tiles.bin')
    const ended = await tilers.run(
      'tile',
      { path: source, folder, into, mediaType },
      { ...LIMITS, signal: stopping.signal },
    )
    if (ended.end === 'stopped') throw new TilingStopped(ended.why)
    if (ended.end !== 'completed') return { failed: `${capital(ended.why)}.` }
    return withWritten(into, 'The tiler left no file.', (written) => use({ ...ended.result, ...written }))
  })

const capital = (clause: string) => clause.charAt(0).toUpperCase() + clause.slice(1)

/** Gives up what is being cut; for a worker that stops. */
export function stopTiling(): void {
  stopping.abort()
}

/** Ends the waiting processes, so that a process that is done can leave at once. */
export function closeTiler(): void {
  tilers.close()
}
