import { chmod } from 'node:fs/promises'
import path from 'node:path'
import {
  type ChannelPair,
  type CopyListener,
  CopyStopped,
  type PlaybackCopier,
  type WrittenFile,
} from '@/lib/domain/playback/port'
import { log } from '@/lib/log'
import { ProcessPool } from '@/lib/sandbox/pool'
import { SANDBOXED_PROGRAMS } from '@/lib/sandbox/programs'
import { openWritten, withScratchFolder, withWritten } from '@/lib/sandbox/scratch'
import { type CopierJobs, LOUDNESS_POINTS, MOST_PAIRS, PEAKS, pathOfPair } from './protocol'

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
export const copyForPlayback: PlaybackCopier['copy'] = (source, { mediaType, kind }, hears, use) =>
  withScratchFolder('playback', async (folder): Promise<Awaited<ReturnType<typeof use>> | { failed: string }> => {
    // The program runs as another user, who may write nowhere else.
    await chmod(folder, 0o777)
    const into = path.join(folder, kind === 'video' ? 'copy.mp4' : 'copy.m4a')
    const pieces = hears.piece ? path.join(folder, 'pieces.mp4') : null
    const pairs = path.join(folder, 'pair-')
    const given = pieces === null ? null : givePieces(pieces, hears)
    const ended = await copiers.run(
      'copy',
      { path: source, into, pieces, pairs, mediaType, kind },
      {
        ...LIMITS,
        onProgress: (progress) => {
          if (typeof progress === 'number') hears.progress(progress)
          else given?.take(progress)
        },
        signal: stopping.signal,
      },
    )
    await given?.stop()
    if (ended.end === 'stopped') throw new CopyStopped(ended.why)
    if (ended.end !== 'completed') return { failed: `${capital(ended.why)}.` }
    const { pairs: found, ...facts } = boundedResult(ended.result)
    return withWritten(into, 'The encoder left no file.', (written) =>
      withPairs(pairs, found, (opened) => use({ ...facts, ...written, pairs: opened })),
    )
  })

/** What the program says is not trusted: no list and no name of it is longer than ours are. */
function boundedResult({
  peaks,
  loudness,
  pairs,
  ...facts
}: CopierJobs['copy']['result']): CopierJobs['copy']['result'] {
  const numbers = (list: readonly number[], most: number) => list.slice(0, most).map((value) => Number(value) || 0)
  return {
    ...facts,
    peaks: numbers(peaks, PEAKS),
    loudness: numbers(loudness, LOUDNESS_POINTS),
    pairs: pairs.slice(0, MOST_PAIRS).map(({ channels }) => ({
      channels: channels
        .slice(0, 2)
        .map(({ track, name }) => ({ track: Math.trunc(track) || 0, name: String(name).slice(0, 8) })),
    })),
  }
}

/** Gives the files of pairs to `use`, opened one after the other. */
async function withPairs<R>(
  prefix: string,
  pairs: readonly ChannelPair[],
  use: (opened: (ChannelPair & WrittenFile)[]) => Promise<R>,
  opened: (ChannelPair & WrittenFile)[] = [],
): Promise<Awaited<R> | { failed: string }> {
  const { length: number } = opened
  const pair = pairs[number]
  if (!pair) return await use(opened)
  return withWritten(pathOfPair(prefix, number), 'The encoder left no file of some channels.', (written) =>
    withPairs(prefix, pairs, use, [...opened, { ...pair, ...written }]),
  )
}

type Report = Exclude<CopierJobs['copy']['progress'], number>

/** Gives the pieces that the program reports to who hears of them, one at a time, until it is stopped. */
function givePieces(file: string, hears: CopyListener) {
  let isWanted = true
  let next = 0
  let begin = 0
  let given = Promise.resolve()
  const give = async ({ piece: { number, from, to, start, end }, whole }: Report) => {
    const written = isWanted ? await openWritten(file) : null
    if (!written) return
    const { handle, size } = written
    try {
      // What the program says is not trusted: each piece follows the one before.
      const isNext = number === next && from === begin && to > from && to <= size && start >= 0 && end > start
      if (!isNext || !Number.isSafeInteger(to) || !Number.isFinite(end) || !Number.isFinite(whole))
        throw new Error('the pieces of a copy do not fit their file')
      next += 1
      begin = to
      const read = () => handle.createReadStream({ start: from, end: to - 1, autoClose: false })
      if (!(await hears.piece?.({ number, start, end, whole, read }))) isWanted = false
    } finally {
      await handle.close()
    }
  }
  return {
    take(report: Report) {
      given = given
        .then(() => give(report))
        .catch((error: unknown) => {
          isWanted = false
          log.warn({ err: error }, 'a copy is played once it is complete, as its pieces could not be kept')
        })
    },
    /** Those that wait are left out: the whole is there, or there will be none. */
    stop() {
      isWanted = false
      return given
    },
  }
}

const capital = (clause: string) => clause.charAt(0).toUpperCase() + clause.slice(1)

/** Gives up what is being copied, as it would take minutes to end; for a worker that stops. */
export function stopCopying(): void {
  stopping.abort()
}

/** Ends the waiting processes, so that a process that is done can leave at once. */
export function closeCopier(): void {
  copiers.close()
}
