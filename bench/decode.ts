import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import path from 'node:path'
import sharp from 'sharp'
import { writeMedia } from '@/fixtures/video'
import { closeStream, eachFrame, openStream } from '@/lib/media/decode/video'
import { closeInspector, inspectFile } from '@/lib/media/inspect/inspect'
import { measureFile } from '@/lib/media/measurer/measure-file'
import { closeMeasurer } from '@/lib/media/measurer/measurer'
import type { PreQcDepth } from '@/lib/vocabulary'
import { bundleChildren } from '@/server/build/bundle'
import { median } from './median'

/**
 * What Pre-QC of a file costs beside decoding it once: a video of 1080p with stereo audio, and photos of 12 megapixels. In
 * seconds of the processor, all processes together, as another program's minute is not ours. The floor is one plain
 * decode of every stream by FFmpeg in this process, or of every photo by sharp; the other side goes the way of an upload:
 * sandboxed processes as a build leaves them, their start included; videos of one agency that follow one another share one.
 * Seconds of video and number of photos may be given.
 */
const seconds = Number(process.argv[2] ?? 30)
const photos = Number(process.argv[3] ?? 100)
const ROUNDS = 3
const VIDEOS = 4

Object.assign(process.env, { NODE_ENV: 'production' })
sharp.cache(false)
sharp.concurrency(1)
const folder = mkdtempSync(path.join(tmpdir(), 'decode-'))
const at = (name: string) => path.join(folder, name)

/**
 * Seconds of this process and of its children, those that have ended and those that live (proc(5), fields 14 to 17). The
 * inspector keeps one started process waiting for the next file: each file that takes it pays for another start.
 */
function processorSeconds(): number {
  const children = readFileSync(`/proc/self/task/${process.pid}/children`, 'utf8').split(' ').filter(Boolean)
  return ['self', ...children].reduce((sum, id) => sum + secondsOf(id), 0)
}

function secondsOf(id: string): number {
  const stat = readFileSync(`/proc/${id}/stat`, 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return [11, 12, 13, 14].reduce((sum, field) => sum + Number(fields[field]), 0) / 100
}

async function cpuSeconds(work: () => unknown): Promise<number> {
  const began = processorSeconds()
  await work()
  closeMeasurer()
  // What was started meanwhile has come to rest; a killed child counts once it has been waited for.
  await new Promise((resolve) => setTimeout(resolve, 500))
  return processorSeconds() - began
}

/** Alternating, so that a busy minute of the machine hits both; the median of the rounds. */
async function compare(
  what: string,
  floor: () => unknown,
  rows: { name: string; work: () => unknown; limit: number; files?: number }[],
) {
  const floors: number[] = []
  for (const { work } of rows) await work()
  const works = rows.map(() => [] as number[])
  for (let round = 0; round < ROUNDS; round++) {
    floors.push(await cpuSeconds(floor))
    for (const [index, { work, files = 1 }] of rows.entries()) works[index]?.push((await cpuSeconds(work)) / files)
  }
  const base = median(floors)
  console.log(`${what.padEnd(44)} one decode ${base.toFixed(2).padStart(7)} s`)
  for (const [index, { name, limit }] of rows.entries()) {
    const used = median(works[index] ?? [])
    const ratio = used / base
    console.log(
      `  ${name.padEnd(42)} ${used.toFixed(2).padStart(18)} s  ${ratio.toFixed(2)}x (at most ${limit}x) ${ratio <= limit ? 'kept' : 'missed'}`,
    )
  }
}

function plainDecode(file: string) {
  for (const kind of ['video', 'audio'] as const) {
    const opened = openStream(file, 'video/mp4', kind)
    try {
      eachFrame(opened, () => false)
    } finally {
      closeStream(opened)
    }
  }
}

type How = { depth?: PreQcDepth; agencyId?: string }

async function measured(file: string, kind: 'video' | 'image', mediaType: string, how: How = {}) {
  const { measures, integrity } = await measureFile(
    inspectFile,
    file,
    { name: path.basename(file), kind, mediaType },
    how,
  )
  const pixels = measures.pixels
  if ('failed' in integrity || integrity.violations.length > 0 || !pixels || 'failed' in pixels) {
    throw new Error(`${file} was not measured: ${JSON.stringify({ integrity, pixels })}`)
  }
}

async function ofOneAgency() {
  for (let index = 0; index < VIDEOS; index++)
    await measured(at('video.mp4'), 'video', 'video/mp4', { agencyId: 'one' })
}

try {
  await bundleChildren(process.cwd())
  const paint = (frame: number, x: number, y: number) =>
    40 + ((x + frame * 5) & 127) + ((y * 3 + frame) & 31) + ((x * y) & 7)
  const sample = (time: number, channel: number) => 0.3 * Math.sin(time * (2000 + channel * 500)) * Math.sin(time)
  writeMedia(at('video.mp4'), {
    video: { width: 1920, height: 1080, frames: Math.round(seconds * 25), threads: 0, paint },
    audio: [{ seconds, sample, bitRate: 160_000 }],
  })
  const cores = spawnSync('nproc').stdout.toString().trim()
  console.log(`${cores} cores, load ${loadavg()[0]?.toFixed(1)}`)
  await compare(`video, ${seconds} s of 1080p with stereo audio`, () => plainDecode(at('video.mp4')), [
    { name: 'full profile', work: () => measured(at('video.mp4'), 'video', 'video/mp4'), limit: 1.3 },
    { name: `full profile, each of ${VIDEOS} of one agency`, work: ofOneAgency, files: VIDEOS, limit: 1.2 },
    {
      name: 'quick profile',
      work: () => measured(at('video.mp4'), 'video', 'video/mp4', { depth: 'quick' }),
      limit: 0.5,
    },
  ])
  const noise = { type: 'gaussian' as const, mean: 128, sigma: 30 }
  for (let index = 0; index < photos; index++) {
    const small = sharp({ create: { width: 1000 + index, height: 750, channels: 3, background: '#888', noise } })
    const image = await small
      .blur(0.3 + (index % 7))
      .png()
      .toBuffer()
    await sharp(image)
      .resize(4000, 3000, { fit: 'fill' })
      .jpeg({ quality: 85 })
      .toFile(at(`${index}.jpg`))
  }
  const each = async (work: (file: string) => Promise<unknown>) => {
    for (let index = 0; index < photos; index++) await work(at(`${index}.jpg`))
  }
  await compare(`${photos} photos of 12 megapixels`, () => each((file) => sharp(file).raw().toBuffer()), [
    { name: 'full profile', work: () => each((file) => measured(file, 'image', 'image/jpeg')), limit: 1.5 },
  ])
} finally {
  closeInspector()
  closeMeasurer()
  rmSync(folder, { recursive: true })
}
