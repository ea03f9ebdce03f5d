import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { closeCopier, copyForPlayback } from '@/lib/media/playback/copier'
import { bundleChildren } from '@/server/build/bundle'
import { median } from './median'

/**
 * `npm run bench:playback -- [seconds]`: how long the copy takes that browsers play of a ProRes master of 1080p with stereo
 * audio, 60 s of it, against the same transcoding by the ffmpeg command, with the settings of lib/media/playback/make-copy.ts;
 * and how long after its start the first piece of it can be played. On the clock, alternating; the process of ours is started
 * for each file, as a worker does. Wanted: at most 2.0 times, and 3 s. Needs `ffmpeg` with libx264 on the PATH, which also makes
 * the master; another build of it may be faster or slower than ours.
 */
const seconds = Number(process.argv[2] ?? 60)
const ROUNDS = 3
const MOST_RATIO = 2
const MOST_SECONDS_TO_PLAY = 3
/** Seconds from the start of each copy to its first piece that can be played. */
const firstPieces: number[] = []

if (spawnSync('ffmpeg', ['-version']).error) {
  console.error('Cannot run here: ffmpeg is not on the PATH.')
  process.exit(2)
}
Object.assign(process.env, { NODE_ENV: 'production' })
const folder = mkdtempSync(path.join(tmpdir(), 'playback-'))
const at = (name: string) => path.join(folder, name)
const ffmpeg = (...args: string[]) => execFileSync('ffmpeg', ['-v', 'error', '-y', ...args])

try {
  await bundleChildren(process.cwd())
  // Coding ProRes takes longer than all that is measured: ten seconds of it are repeated.
  const [part, master] = [at('part.mov'), at('master.mov')]
  ffmpeg(
    ...['-f', 'lavfi', '-i', 'testsrc2=size=1920x1080:rate=25:duration=10,noise=alls=12:allf=t'],
    ...['-f', 'lavfi', '-i', 'sine=frequency=440:sample_rate=48000:duration=10'],
    ...['-c:v', 'prores_ks', '-profile:v', 'hq', '-pix_fmt', 'yuv422p10le', '-c:a', 'pcm_s24le', '-ac', '2', part],
  )
  ffmpeg('-stream_loop', '-1', '-i', part, '-t', String(seconds), '-c', 'copy', master)
  const times = { ffmpeg: [] as number[], ours: [] as number[] }
  for (let round = 0; round < ROUNDS; round += 1) {
    times.ffmpeg.push(await timed(() => transcode(master)))
    times.ours.push(await timed(() => copy(master)))
  }
  const [floor, own] = [median(times.ffmpeg), median(times.ours)]
  const ratio = own / floor
  console.log(
    `${seconds} s of ProRes 422 HQ, 1080p, ${(statSync(master).size / 1e6).toFixed(0)} MB; ${ROUNDS} rounds, medians`,
  )
  console.log(`ffmpeg  ${floor.toFixed(1)} s`)
  console.log(`copy    ${own.toFixed(1)} s`)
  console.log(
    `ratio   ${ratio.toFixed(2)} (at most ${MOST_RATIO.toFixed(1)}) ${ratio <= MOST_RATIO ? 'kept' : 'missed'}`,
  )
  const first = median(firstPieces)
  const isSoon = first <= MOST_SECONDS_TO_PLAY
  console.log(
    `plays   ${first.toFixed(1)} s after the start (at most ${MOST_SECONDS_TO_PLAY}) ${isSoon ? 'kept' : 'missed'}`,
  )
  process.exitCode = ratio <= MOST_RATIO && isSoon ? 0 : 1
} finally {
  closeCopier()
  rmSync(folder, { recursive: true, force: true })
}

function transcode(master: string) {
  ffmpeg(
    ...[
      '-i',
      master,
      '-c:v',
      'libx264',
      '-preset',
      'veryfast',
      '-crf',
      '21',
      '-profile:v',
      'high',
      '-pix_fmt',
      'yuv420p',
    ],
    ...[
      '-bf',
      '0',
      '-g',
      '25',
      '-threads',
      '2',
      '-c:a',
      'aac',
      '-b:a',
      '160k',
      '-movflags',
      '+faststart',
      at('floor.mp4'),
    ],
  )
}

async function copy(master: string) {
  const began = performance.now()
  const made = await copyForPlayback(
    master,
    { mediaType: 'video/quicktime', kind: 'video' },
    {
      progress: () => {},
      async piece({ number }) {
        if (number === 0) firstPieces.push((performance.now() - began) / 1000)
        return true
      },
    },
    async () => ({}),
  )
  if ('failed' in made) throw new Error(made.failed)
}

async function timed(work: () => unknown): Promise<number> {
  const began = performance.now()
  await work()
  return (performance.now() - began) / 1000
}
