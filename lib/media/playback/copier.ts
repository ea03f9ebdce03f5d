import { chmod } from 'node:fs/promises'
import path from 'node:path'
import { CopyStopped, type PlaybackCopier } from '@/lib/domain/playback/port'
import { ProcessPool } from '@/lib/sandbox/pool'
import { SANDBOXED_PROGRAMS } from '@/lib/sandbox/programs'
import { withScratchFolder, withWritten } from '@/lib/sandbox/scratch'
import type { CopierJobs } from './protocol'

/** The system ends such a program after four hours of processor time (lib/sandbox/limits.ts): some 160 minutes of 1080p. */
const LIMITS = { cpuMs: (4 * 60 - 5) * 60_000, wallMs: 12 * 60 * 60_000 }

/** A process for each copy: nothing of one file reaches the next. It lets checks have the processor first. */
const copiers = new ProcessPool<CopierJobs>({
  program: SANDBOXED_PROGRAMS.copier,
  label: 'the encoder',
  nice: 15,
  maxBytes: 2 * 1024 * 1024 * 1024,
  maxResultBytes: 16 * 1024 * 1024,
  parallel: 1,
  jobsEach: 1,
})

const stopping = new AbortController()

/**
 * Writes a copy that browsers play in a sandboxed process, and gives it to `use`; it is gone once that settles. What could
 * not be done is a reason, not an exception.
 */
export const copyForPlayback: PlaybackCopier['copy'] = (source, { mediaType, kind }, onProgress, use) =>
  withScratchFolder('playback', async (folder): Promise<Awaited<ReturnType<typeof use>> | { failed: string }> => {
    // The program runs as another user, who may write nowhere else.
    await chmod(folder, 0o777)
    const into = path.join(folder, kind === 'video' ? 'copy.mp4' : 'copy.m4a')
    const ended = await copiers.run(
      'copy',
      { path: source, into, mediaType, kind },
      {
        ...LIMITS,
        onProgress,
        signal: stopping.signal,
      },
    )
    if (ended.end === 'stopped') throw new CopyStopped(ended.why)
    if (ended.end !== 'completed') return { failed: `${capital(ended.why)}.` }
    return withWritten(into, 'The encoder left no file.', (written) => use({ ...ended.result, ...written }))
  })

const capital = (clause: string) => clause.charAt(0).toUpperCase() + clause.slice(1)

/** Gives up what is being copied, as it would take minutes to end; for a worker that stops. */
export function stopCopying(): void {
  stopping.abort()
}

/** Ends the waiting processes, so that a process that is done can leave at once. */
export function closeCopier(): void {
  copiers.close()
}
