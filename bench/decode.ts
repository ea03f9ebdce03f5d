import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import sharp from 'sharp'
import { decodeMedia } from '@/lib/adapters/inspector/media-decoder'
import { MediaMeter } from '@/lib/adapters/inspector/media-meter'
import { closeStream, eachFrame, openStream } from '@/lib/checks/measure/film'
import { lookAt } from '@/lib/checks/measure/look'
import { writeFilm } from '@/lib/checks/measure/testing-film'
import { writeSound } from './labelled'

/**
 * What looking costs beside decoding: a film of 1080p, its sound, and photos of 12 megapixels, each against one plain
 * decode of the same file in the same process. Seconds of the film and number of photos may be given as arguments.
 */
const seconds = Number(process.argv[2] ?? 30)
const photos = Number(process.argv[3] ?? 20)
const ROUNDS = 3

const folder = mkdtempSync(path.join(tmpdir(), 'decode-'))
const at = (name: string) => path.join(folder, name)

async function timed(work: () => unknown): Promise<number> {
  const began = performance.now()
  await work()
  return performance.now() - began
}

/** Alternating, so that a busy minute of the machine hits both; the median of the rounds. */
async function compare(what: string, plain: () => unknown, full: () => unknown, limit: number) {
  const times: { plain: number; full: number }[] = []
  await plain()
  for (let round = 0; round < ROUNDS; round++) times.push({ plain: await timed(plain), full: await timed(full) })
  const median = (values: number[]) => values.sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
  const [base, looked] = [median(times.map((each) => each.plain)), median(times.map((each) => each.full))]
  const ratio = looked / base
  console.log(
    `${what.padEnd(34)} plain ${base.toFixed(0).padStart(6)} ms  looked at ${looked.toFixed(0).padStart(6)} ms  ${ratio.toFixed(2)}x (at most ${limit}x) ${ratio <= limit ? 'kept' : 'missed'}`,
  )
}

function plainDecode(file: string, mediaType: string, kind: 'video' | 'audio') {
  const opened = openStream(file, mediaType, kind)
  try {
    eachFrame(opened, () => false)
  } finally {
    closeStream(opened)
  }
}

function measured(file: string, demuxer: string) {
  const meter = new MediaMeter()
  const report = decodeMedia(file, demuxer, Number.POSITIVE_INFINITY, meter)
  report.format.closeInputSync()
  meter.finish()
}

try {
  const film = { width: 1920, height: 1080, frames: Math.round(seconds * 25), framesPerSecond: 25 }
  writeFilm(
    at('film.mp4'),
    film,
    (frame, x, y) => 40 + ((x + frame * 5) & 127) + ((y * 3 + frame) & 31) + ((x * y) & 7),
  )
  const tone = (time: number, channel: number) => 0.3 * Math.sin(time * (2000 + channel * 500)) * Math.sin(time)
  writeSound(at('sound.wav'), seconds, tone)
  await compare(
    `film, ${seconds} s of 1080p, no sound`,
    () => plainDecode(at('film.mp4'), 'video/mp4', 'video'),
    () => measured(at('film.mp4'), 'mov'),
    1.3,
  )
  const silent = await timed(() => measured(at('sound.wav'), 'wav'))
  console.log(`${`sound, ${seconds} s of stereo`.padEnd(34)} measured in ${silent.toFixed(0)} ms, on top of the film`)
  const noise = { type: 'gaussian' as const, mean: 128, sigma: 30 }
  for (let index = 0; index < photos; index++) {
    const small = sharp({ create: { width: 1000 + index, height: 750, channels: 3, background: '#888', noise } })
    const picture = await small.png().toBuffer()
    await sharp(picture)
      .resize(4000, 3000, { fit: 'fill' })
      .jpeg({ quality: 85 })
      .toFile(at(`${index}.jpg`))
  }
  const each = async (work: (file: string) => Promise<unknown>) => {
    for (let index = 0; index < photos; index++) await work(at(`${index}.jpg`))
  }
  await compare(
    `${photos} photos of 12 megapixels`,
    () => each((file) => sharp(file).raw().toBuffer()),
    () => each((file) => lookAt(file, 'image', 'image/jpeg')),
    1.5,
  )
} finally {
  rmSync(folder, { recursive: true })
}
