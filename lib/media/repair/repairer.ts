import { chmod } from 'node:fs/promises'
import path from 'node:path'
import type { RepairedCopy, Repairer } from '@/lib/domain/repairs/port'
import { describeSteps } from '@/lib/repairs/steps'
import { ProcessPool } from '@/lib/sandbox/pool'
import { SANDBOXED_PROGRAMS } from '@/lib/sandbox/programs'
import { withScratchFolder, withWritten } from '@/lib/sandbox/scratch'
import type { RepairerJobs } from './protocol'

/** Coding an hour of audio again takes a minute. */
const LIMITS = { cpuMs: 15 * 60_000, wallMs: 60 * 60_000 }

/** A process for each copy: nothing of one file reaches the next. */
const repairers = new ProcessPool<RepairerJobs>({
  program: SANDBOXED_PROGRAMS.repairer,
  label: 'the repair',
  maxBytes: 1280 * 1024 * 1024,
  maxResultBytes: 16 * 1024 * 1024,
  parallel: 1,
  jobsEach: 1,
})

/**
 * Writes a repaired copy of a file in a sandboxed process, and gives it to `use` as a path that is valid until that settles.
 * What could not be done is a reason, not an exception.
 */
export const repairFile: Repairer['repair'] = (source, { mediaType, kind, steps }, use) =>
  withScratchFolder('repair', async (folder): Promise<Awaited<ReturnType<typeof use>> | { failed: string }> => {
    // The program runs as another user, who may write nowhere else.
    await chmod(folder, 0o777)
    const into = path.join(folder, 'copy')
    const ended = await repairers.run('repair', { path: source, into, mediaType, kind, steps }, LIMITS)
    if (ended.end !== 'completed') return { failed: `The copy could not be made: ${ended.why}.` }
    const { mediaType: as, before, after } = ended.result
    const damage = lost(before, after)
    if (damage) return { failed: damage }
    const copy: RepairedCopy = { mediaType: as, sentence: describeSteps(steps), parts: compare(before, after) }
    return withWritten(into, 'The copy could not be made: the repair left no file.', (written) =>
      use({ ...copy, ...written }),
    )
  })

type Part = { name: string; sha256: string }

/** Why the copy is not used: it has fewer streams than the original. */
function lost(before: readonly Part[], after: readonly Part[]): string | null {
  const isStreams = before.every(({ name }) => /^\d+: /.test(name))
  if (!isStreams || after.length === before.length) return null
  return `The copy would hold ${after.length} streams, the original holds ${before.length}: nothing may be lost on the way.`
}

/** Each part of the copy, and whether the same bytes are in the original. */
function compare(before: readonly Part[], after: readonly Part[]): RepairedCopy['parts'] {
  const originals = new Set(before.map(({ sha256 }) => sha256))
  return after.slice(0, 500).map(({ name, sha256 }) => ({ name, sha256, is_untouched: originals.has(sha256) }))
}

/** Ends the waiting processes, so that a process that is done can leave at once. */
export function closeRepairer(): void {
  repairers.close()
}
