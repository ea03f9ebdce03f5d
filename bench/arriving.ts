// `npm run bench:arriving`: how long after its last byte the verdict on a video is there, where it comes in as fast as a line allows
// and its batch is submitted at once. Beside it the floor: the one decode that a verdict needs, made alone on the finished file. In
// alternation with what is measured while it comes in, and with `--without` also without that. Each goes the whole way of an upload
// that passes through the service (staging, hash, inspection, row) and of the job of its check, without HTTP and the queue. The video is H.264 in
// 1080p, its index first; each upload has bytes of its own.
//
//   npm run bench:arriving -- [--size 250] [--rate 100] [--coded 50] [--rounds 3] [--without]   MB, Mbit/s, Mbit/s
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { appendFileSync, chmodSync, createReadStream, mkdtempSync, rmSync, statSync, truncateSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { parseArgs } from 'node:util'
import { eq } from 'drizzle-orm'
import { AV_OPT_SEARCH_CHILDREN, AV_OPT_TYPE_STRING } from 'node-av/constants'
import { FFmpegError, FormatContext, Packet } from 'node-av/lib'
import { database } from '@/db/client'
import { migrateDatabase } from '@/db/migrate'
import { files } from '@/db/schema/files'
import { preQcResults } from '@/db/schema/pre-qc'
import { makeBatch, makeMediaCategory, makeResult, makeUser } from '@/fixtures/factories'
import { writeMedia } from '@/fixtures/video'
import { receiveFile } from '@/lib/domain/files/commands'
import { runPreQc } from '@/lib/domain/pre-qc/run'
import { closeInspector, inspectFile } from '@/lib/media/inspect/inspect'
import { closeMeasurer } from '@/lib/media/measurer/measurer'
import { newContext } from '@/lib/service'
import { bundleChildren } from '@/server/build/bundle'
import { clusterIn, startCluster } from '@/server/embedded-database/cluster'

const { values } = parseArgs({
  options: {
    size: { type: 'string', default: '250' },
    rate: { type: 'string', default: '100' },
    coded: { type: 'string', default: '50' },
    rounds: { type: 'string', default: '3' },
    without: { type: 'boolean', default: false },
  },
})
const SIZE = Number(values.size) * 1e6
const BYTES_PER_SECOND = (Number(values.rate) * 1e6) / 8
const CODED_KBITS = Number(values.coded) * 1000
/** What is promised, at the 95th percentile. */
const LIMIT_SECONDS = 2
const CLIP_SECONDS = 10
const RATE = 25
const BLOCK_BYTES = 64 * 1024

const folder = mkdtempSync(path.join(tmpdir(), 'greenroom-arriving-'))
chmodSync(folder, 0o711)
const video = path.join(folder, 'video.mp4')
let length = 0
const cluster = await startCluster(clusterIn(folder))
Object.assign(process.env, {
  NODE_ENV: 'production',
  DATA_DIR: folder,
  DATABASE_URL: cluster.url,
  MAX_FILE_SIZE: '20GiB',
})
type Times = { answer: number; verdict: number }

try {
  await bundleChildren(process.cwd())
  await migrateDatabase(cluster.url)
  drawVideo()
  const began = performance.now()
  const decoded = await inspectFile(video, { extension: 'mp4', deep: true, timeoutMs: 3_600_000 })
  const floor = (performance.now() - began) / 1000
  if (!decoded.complete || decoded.violations.length > 0) throw new Error('The video of the bench is not intact.')
  const sending = (length / BYTES_PER_SECOND).toFixed(0)
  console.log(
    `load ${loadavg()[0]?.toFixed(1)}; ${(length / 1e6).toFixed(0)} MB in ${sending} s at ${values.rate} Mbit/s; floor (one decode) ${floor.toFixed(1)} s`,
  )
  const times = { ahead: [] as Times[], 'not ahead': [] as Times[] }
  for (let round = 0; round < Number(values.rounds); round++) {
    times.ahead.push(await upload({ isAhead: true }))
    if (values.without) times['not ahead'].push(await upload({ isAhead: false }))
  }
  for (const [name, measured] of Object.entries(times)) if (measured.length > 0) report(name, measured, floor)
} finally {
  closeInspector()
  closeMeasurer()
  await database().sql.end({ timeout: 5 })
  await cluster.stop()
  rmSync(folder, { recursive: true, force: true })
}

function report(name: string, times: readonly Times[], floor: number) {
  const at = (share: number, of: number[]) => of.sort((a, b) => a - b)[Math.ceil(share * of.length) - 1] ?? 0
  const of = (which: keyof Times) => times.map((each) => each[which])
  const worst = at(0.95, of('verdict'))
  console.log(
    `${name.padEnd(10)} seconds after the last byte: answer ${at(0.5, of('answer')).toFixed(2)}, verdict median ${at(0.5, of('verdict')).toFixed(2)}, ` +
      `p95 ${worst.toFixed(2)}, ${(worst / floor).toFixed(2)}x of one decode (at most ${LIMIT_SECONDS} s) ${worst <= LIMIT_SECONDS ? 'kept' : 'missed'}`,
  )
}

/** The video as it comes in, with its checks right after; how long both take from its last byte on. */
async function upload({ isAhead }: { isAhead: boolean }): Promise<Times> {
  await changeBytes()
  const { id, name, email } = await makeUser({ role: 'administrator' })
  const category = await makeMediaCategory({ namingTemplate: null, mediaTypes: [], maxFileSize: null })
  const batch = await makeBatch({ mediaCategoryId: category.id })
  const actor = { type: 'user', id, name, email, role: 'administrator', scope: 'write', via: 'session' } as const
  const ctx = newContext({ actor })
  const arrival = await receiveFile.open(ctx, { project_id: batch.projectId, batch_id: batch.id })
  const staged = await ctx.ports.blobs.stage()
  const hash = createHash('sha256')
  const sink = await staged.writable({
    onWritten: (upTo) => {
      if (isAhead) arrival.arriving({ name: 'video.mp4', path: staged.path, upTo })
    },
  })
  const beganAt = performance.now()
  let size = 0
  for await (const block of createReadStream(video, { highWaterMark: BLOCK_BYTES })) {
    const early = (size / BYTES_PER_SECOND) * 1000 - (performance.now() - beganAt)
    if (early > 5) await new Promise((done) => setTimeout(done, early))
    hash.update(block)
    size += block.length
    if (!sink.write(block)) await once(sink, 'drain')
  }
  const lastByteAt = performance.now()
  const since = () => (performance.now() - lastByteAt) / 1000
  sink.end()
  await once(sink, 'finish')
  const stored = await arrival.receive({ name: 'video.mp4', size, sha256: hash.digest('hex'), staged })
  const answer = since()
  await staged.discard()
  const [file] = await ctx.db.select().from(files).where(eq(files.id, stored.id))
  if (!file) throw new Error('The file was not stored.')
  const queued = await makeResult(file, { status: 'queued', summary: null, completedAt: null })
  await runPreQc(newContext({ actor: { type: 'system', name: 'A bench' } }), { result_id: queued.id })
  const verdict = since()
  const [result] = await ctx.db.select().from(preQcResults).where(eq(preQcResults.id, queued.id))
  if (result?.status !== 'completed') throw new Error(`The checks could not be run: ${result?.failure}`)
  return { answer, verdict }
}

/** Free space at its end (ISO/IEC 14496-12, 8.1.2) makes it another content. */
async function changeBytes() {
  const box = Buffer.concat([Buffer.from([0, 0, 0, 24]), Buffer.from('free', 'latin1'), randomBytes(16)])
  truncateSync(video, length)
  appendFileSync(video, box)
  // In the system's cache, as what a client sends.
  await pipeline(createReadStream(video), createHash('sha256'))
}

/** Ten seconds of noise over a drift, and those again and again until it is long enough. */
function drawVideo() {
  const [width, height] = [1920, 1080]
  const clip = path.join(folder, 'clip.mp4')
  const noise = Array.from({ length: 8 }, () => randomBytes((width * height * 3) / 2).map((byte) => 96 + (byte >> 2)))
  const settings = `bitrate=${CODED_KBITS}:vbv-maxrate=${CODED_KBITS}:vbv-bufsize=${CODED_KBITS}:keyint=${RATE}:bframes=0`
  writeMedia(clip, {
    video: {
      width,
      height,
      frames: CLIP_SECONDS * RATE,
      rate: [RATE, 1],
      threads: 0,
      options: { preset: 'ultrafast', 'x264-params': settings },
      planes: (frame) => Buffer.from(noise[frame % noise.length] as Uint8Array),
    },
  })
  repeat(clip, Math.max(1, Math.round(SIZE / statSync(clip).size)))
  length = statSync(video).size
}

function repeat(clip: string, times: number) {
  const ok = (result: number) => {
    if (result < 0) throw new FFmpegError(result)
  }
  const output = new FormatContext()
  ok(output.allocOutputContext2(null, null, video))
  const packet = new Packet()
  packet.alloc()
  for (let time = 0; time < times; time++) {
    const input = new FormatContext()
    ok(input.openInputSync(clip, null, null))
    ok(input.findStreamInfoSync())
    const from = input.streams[0]
    if (!from) throw new Error('The clip has no stream.')
    if (time === 0) {
      const into = output.newStream(null)
      ok(from.codecpar.copy(into.codecpar))
      into.timeBase = from.timeBase
      ok(output.setOption('movflags', '+faststart', AV_OPT_TYPE_STRING, AV_OPT_SEARCH_CHILDREN))
      ok(output.openOutputSync())
      ok(output.writeHeaderSync())
    }
    const into = output.streams[0]
    if (!into) throw new Error('The video has no stream.')
    const ticks = BigInt(Math.round((CLIP_SECONDS * from.timeBase.den) / from.timeBase.num)) * BigInt(time)
    while (input.readFrameSync(packet) >= 0) {
      packet.pts += ticks
      packet.dts += ticks
      packet.rescaleTs(from.timeBase, into.timeBase)
      packet.streamIndex = 0
      ok(output.interleavedWriteFrameSync(packet))
      packet.unref()
    }
    input.closeInputSync()
  }
  ok(output.writeTrailerSync())
  output.closeOutputSync()
  packet.free()
}
