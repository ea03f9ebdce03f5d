// `npm run bench:batch`: a batch of 200 files through Pre-QC. How busy it keeps the cores, and what the API's slowest
// responses cost meanwhile, beside the same requests while nothing is checked.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { availableParallelism, loadavg, tmpdir } from 'node:os'
import path from 'node:path'
import sharp from 'sharp'
import { wav } from '@/fixtures/audio'
import { writeMedia } from '@/fixtures/video'
import { ask, openProduct, type Product } from './product'

const FILES = Number(process.env.FILES ?? 200)
const IDLE_SECONDS = 20
const ASKERS = 2
/** Between two requests of one person. */
const PAUSE_MS = 50

type Sample = { milliseconds: number[]; busy: number; seconds: number }

// What is measured is what checking costs: nothing is measured before.
const product = await openProduct({ MEASURE_AHEAD: 'off' })
const folder = mkdtempSync(path.join(tmpdir(), 'batch-'))
try {
  const place = await fill(product)
  await product.untilIdle()
  const idle = await askWhile(
    place,
    async () => void (await new Promise((done) => setTimeout(done, IDLE_SECONDS * 1000))),
  )
  const busy = await askWhile(place, async () => {
    await ask(product, 'POST', `${place}/submit`, {})
    await untilChecked(place)
  })
  const ratio = at(busy.milliseconds, 0.99) / at(idle.milliseconds, 0.99)
  console.log(
    `files     ${FILES} checked in ${busy.seconds.toFixed(0)} s; load of the machine ${loadavg()[0]?.toFixed(1)}`,
  )
  console.log(
    `cores     ${availableParallelism()}, busy ${(busy.busy * 100).toFixed(0)} % (idle: ${(idle.busy * 100).toFixed(0)} %)`,
  )
  console.log(`idle      ${report(idle)}`)
  console.log(`checking  ${report(busy)}`)
  console.log(`ratio     ${ratio.toFixed(2)}x of the 99th percentile (at most 2x) ${ratio <= 2 ? 'kept' : 'missed'}`)
} finally {
  rmSync(folder, { recursive: true })
  await product.stop()
}

/** Nine in ten are images; of the others half are audio files and half videos. The path of the batch. */
async function fill(asked: Product): Promise<string> {
  const make = async (where: string, body: object) => ask<{ id: string }>(asked, 'POST', where, body)
  const name = `Bench ${Date.now()}`
  const agency = await make('/api/agencies', { name, code: `Q${Date.now()}` })
  const category = await make('/api/media-categories', { name })
  const { users } = await ask<{ users: { id: string }[] }>(asked, 'GET', '/api/users?role=operator')
  const project = await make('/api/projects', { name, agency_id: agency.id, media_category_id: category.id })
  const batch = await make(`/api/projects/${project.id}/batches`, { name, operator_id: users[0]?.id })
  const where = `/api/projects/${project.id}/batches/${batch.id}`
  for (let number = 0; number < FILES; number++) {
    const { bytes, type, extension } = await draw(number)
    const form = new FormData()
    form.append('file', new Blob([new Uint8Array(bytes)], { type }), `file-${number}.${extension}`)
    const response = await fetch(`${asked.url}${where}/files`, { method: 'POST', headers: asked.headers, body: form })
    if (!response.ok) throw new Error(`An upload got ${response.status}: ${await response.text()}`)
  }
  return where
}

async function draw(number: number) {
  const file = path.join(folder, 'drawn')
  if (number % 20 === 0) {
    const paint = (frame: number, x: number, y: number) => 40 + ((x + y * 2 + frame * 5 + number) & 127)
    writeMedia(`${file}.mp4`, { video: { width: 640, height: 360, frames: 100, paint } })
    return { bytes: readFileSync(`${file}.mp4`), type: 'video/mp4', extension: 'mp4' }
  }
  if (number % 20 === 10) {
    const bytes = wav(5, (time) => 0.2 * Math.sin(time * (2000 + number)))
    return { bytes, type: 'audio/wav', extension: 'wav' }
  }
  const noise = { type: 'gaussian' as const, mean: 128, sigma: 30 }
  const grain = sharp({ create: { width: 500 + number, height: 375, channels: 3, background: '#888', noise } })
  const image = await grain.png().toBuffer()
  const bytes = await sharp(image).resize(3000, 2000, { fit: 'fill' }).jpeg({ quality: 85 }).toBuffer()
  return { bytes, type: 'image/jpeg', extension: 'jpg' }
}

/** What people ask for while `work` goes on: lists, the batch, its results. */
async function askWhile(place: string, work: () => Promise<void>): Promise<Sample> {
  const paths = ['/api/projects', place, `${place}/files`]
  const milliseconds: number[] = []
  let isOver = false
  const began = performance.now()
  const before = processorTime()
  const asker = async (first: number) => {
    for (let next = first; !isOver; next++) {
      const asked = performance.now()
      await ask(product, 'GET', paths[next % paths.length] ?? '/')
      milliseconds.push(performance.now() - asked)
      await new Promise((done) => setTimeout(done, PAUSE_MS))
    }
  }
  const askers = Array.from({ length: ASKERS }, (_, index) => asker(index))
  try {
    await work()
  } finally {
    isOver = true
  }
  await Promise.all(askers)
  const after = processorTime()
  return {
    milliseconds,
    busy: (after.busy - before.busy) / Math.max(1, after.all - before.all),
    seconds: (performance.now() - began) / 1000,
  }
}

async function untilChecked(place: string) {
  const deadline = Date.now() + 15 * 60_000
  for (;;) {
    const { pre_qc } = await ask<{ pre_qc: { status: string } }>(product, 'GET', place)
    if (pre_qc.status === 'completed') return
    if (Date.now() > deadline) throw new Error('The files were not checked within 15 minutes.')
    await new Promise((done) => setTimeout(done, 500))
  }
}

/** Ticks of all cores since the start of the machine (proc(5), /proc/stat): idle and waiting for disks are the fourth and fifth. */
function processorTime() {
  const [, ...ticks] = (readFileSync('/proc/stat', 'utf8').split('\n')[0] ?? '').trim().split(/\s+/)
  const values = ticks.slice(0, 8).map(Number)
  const all = values.reduce((sum, value) => sum + value, 0)
  return { all, busy: all - (values[3] ?? 0) - (values[4] ?? 0) }
}

function at(values: number[], share: number): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length * share)] ?? 0
}

function report({ milliseconds }: Sample): string {
  return `${at(milliseconds, 0.5).toFixed(0)} ms median, ${at(milliseconds, 0.99).toFixed(0)} ms at 99 % of ${milliseconds.length} requests`
}
