// `npm run bench:faults -- [--rounds 200] [--services] [--seed 1] [--ledger FILE]`: nothing acknowledged is lost, and nothing
// happens twice, whatever fails. Two web machines and three workers (bench/namespaces.ts); each round uploads a batch through
// both web machines, one file of it as a resumable upload (tus), and submits it, and at a random moment of it one thing fails: a machine,
// its link, PostgreSQL; with `--services` also PgBouncer, the bucket, a disk or a clock. What lasts goes on beside the rounds
// that follow. Clients do what is asked of them: they repeat what got no answer, or a 5xx, with the same Idempotency-Key, and
// go on with an upload where the service says. When all rounds are over and all machines are back, every batch is read again.
import { createHash, randomUUID } from 'node:crypto'
import { appendFileSync, rmSync } from 'node:fs'
import { parseArgs } from 'node:util'
import sharp from 'sharp'
import { tune } from '@/fixtures/deliveries'
import { build, type Machine, openSite, requireNamespaces } from './namespaces'
import { ask, makeOperator, type Product } from './product'
import type { Order } from './storage-server'

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '200' },
    services: { type: 'boolean', default: false },
    seed: { type: 'string', default: String(Date.now() % 100_000) },
    ledger: { type: 'string' },
  },
})
const ROUNDS = Number(values.rounds)
const FILES_A_ROUND = 5
/** A round takes about as long; the fault comes somewhere in it. */
const ROUND_MS = 4_000
const STOPPED_MS = 120_000
const LINK_DOWN_MS = 60_000
const FROZEN_MS = 45_000
/** Longer than the service waits for a bucket (15 s). */
const BUCKET_MS = 20_000
const DISK_FULL_MS = 15_000
const CLOCK_MS = 30_000
const CLOCK_STEPS = [-3_600, -60, 60, 3_600]
/** Bytes of a piece of a resumable upload. */
const PIECE = 32 * 1024
/** Nothing came back, the upload is gone, its offset is another, or another request holds it. */
const MAY_GO_ON = [0, 404, 409, 410, 423]
const GIVE_UP_MS = 5 * 60_000
const SETTLE_MS = 10 * 60_000

type Acknowledged = { name: string; sha256: string; fileId: string }
type Round = { number: number; fault: string; batch: string; batchId: string; files: Acknowledged[]; repeated: number }

/** With a machine, once at a time for each of them; the others once at a time. */
type Fault = { name: string; share: number; play: (machine: Machine) => unknown; isOfMachine?: true }
const FAULTS: Fault[] = values.services
  ? [
      { name: 'PgBouncer restarted', share: 2, play: () => site.restartPooler() },
      { name: 'bucket answers 500', share: 2, play: () => bucket('error') },
      { name: 'bucket hangs', share: 2, play: () => bucket('hang') },
      { name: 'bucket breaks connections', share: 2, play: () => bucket('cut') },
      { name: 'bucket full', share: 1, play: () => bucket('full') },
      { name: 'bucket loses a piece', share: 3, play: () => site.storage('lose') },
      { name: 'disk of PostgreSQL full', share: 1, play: fillDatabase },
      { name: 'disk full', share: 2, play: fillDisk, isOfMachine: true },
      { name: 'clock step', share: 3, play: stepClock, isOfMachine: true },
    ]
  : [
      { name: 'PostgreSQL restarted', share: 26, play: () => site.restartDatabase() },
      { name: 'PostgreSQL frozen', share: 6, play: freezeDatabase },
      { name: 'SIGKILL', share: 88, play: restart, isOfMachine: true },
      { name: 'SIGSTOP', share: 40, play: stall, isOfMachine: true },
      { name: 'link down', share: 40, play: cutOff, isOfMachine: true },
    ]

requireNamespaces({ services: values.services })
build()
const random = mulberry32(Number(values.seed))
const site = await openSite({ webs: 2, workers: 3, slots: 1, services: values.services })
const [first] = site.products as [Product, ...Product[]]
const busy = new Map<Machine, Promise<void>>()
const violations: string[] = []
const counted: Record<string, number> = {}
if (values.ledger) rmSync(values.ledger, { force: true })

try {
  const project = await openProject()
  const rounds: Round[] = []
  const began = performance.now()
  for (let number = 0; number < ROUNDS; number++) {
    try {
      rounds.push(await play(number, project))
    } catch (error) {
      violations.push(error instanceof Error ? error.message : String(error))
    }
  }
  await Promise.all(busy.values())
  const playedMs = performance.now() - began
  // What was put off during an outage need not wait for its time.
  const hurrying = setInterval(() => void hurry().catch(() => {}), 5_000)
  await Promise.race([untilEmpty(), sleep(SETTLE_MS)])
  clearInterval(hurrying)
  for (const round of rounds) await audit(round)
  await examine()
  const acknowledged = rounds.flatMap(({ files }) => files).length
  const repeated = rounds.reduce((sum, round) => sum + round.repeated, 0)
  const faults = Object.entries(counted).map(([name, count]) => `${name} ${count}`)
  console.log(`rounds        ${ROUNDS} in ${(playedMs / 60_000).toFixed(1)} min, seed ${values.seed}`)
  console.log(`faults        ${faults.join(', ')}`)
  console.log(`acknowledged  ${acknowledged} files of ${ROUNDS * FILES_A_ROUND}; ${repeated} requests were repeated`)
  console.log(`violations    ${violations.length}`)
  for (const violation of violations) console.log(`  ${violation}`)
} finally {
  await Promise.allSettled(busy.values())
  await site.close()
}
process.exit(violations.length > 0 ? 1 : 0)

async function openProject() {
  const make = async (path: string, body: object) => (await ask<{ id: string }>(first, 'POST', path, body)).id
  const agency = await make('/api/agencies', { name: 'Fjord & Field', code: 'FJORD' })
  const category = await make('/api/media-categories', { name: 'All kinds' })
  const operator = await makeOperator(first, 'operator@bench.test', 'a password of the bench')
  const project = await make('/api/projects', { name: 'Spring', agency_id: agency, media_category_id: category })
  return { path: `/api/projects/${project}/batches`, operator }
}

async function play(number: number, project: { path: string; operator: string }): Promise<Round> {
  const round: Round = { number, fault: '', batch: '', batchId: '', files: [], repeated: 0 }
  const fault = sleep(random() * ROUND_MS).then(() => breakSomething(round))
  const opened = await untilAnswered(round, project.path, () =>
    jsonBody({ name: `Round ${number}`, operator_id: project.operator }),
  )
  round.batchId = opened.id
  round.batch = `${project.path}/${opened.id}`
  await Promise.all(
    Array.from({ length: FILES_A_ROUND }, async (_, index) => {
      const { name, type, bytes } = await draw(number, index)
      const sha256 = createHash('sha256').update(bytes).digest('hex')
      const inOne = () => {
        const body = new FormData()
        body.append('file', new Blob([new Uint8Array(bytes)], { type }), name)
        return { body }
      }
      const stored = await (index === 1
        ? inPieces(round, name, bytes)
        : untilAnswered(round, `${round.batch}/files`, inOne))
      round.files.push({ name, sha256, fileId: stored.id })
    }),
  )
  await untilAnswered(round, `${round.batch}/submit`, () => jsonBody({}))
  await fault
  if (values.ledger) appendFileSync(values.ledger, `${JSON.stringify(round)}\n`)
  return round
}

/** Sends a file by a resumable upload, each part to the other machine; where something fails, it goes on from where the service says. */
async function inPieces(round: Round, name: string, bytes: Buffer): Promise<{ id: string }> {
  const deadline = Date.now() + GIVE_UP_MS
  let upload: string | null = null
  /** Where the next piece begins; null while the service has to be asked. */
  let offset: number | null = null
  for (let turn = round.number; Date.now() < deadline; turn++) {
    const machine = site.products[turn % site.products.length] as Product
    const response: TusResponse = await (upload === null
      ? tus(machine, 'POST', `${round.batch}/tus`, {
          'Upload-Length': String(bytes.length),
          'Upload-Metadata': `filename ${Buffer.from(name).toString('base64')}`,
        })
      : offset === null
        ? tus(machine, 'HEAD', upload)
        : tus(machine, 'PATCH', upload, { 'Upload-Offset': String(offset) }, bytes.subarray(offset).subarray(0, PIECE)))
    if (response.status === 201 && upload !== null) return JSON.parse(response.text)
    if (response.status === 201) {
      upload = new URL(response.headers.get('Location') ?? '', first.url).pathname
      offset = 0
    } else if (response.status === 200 || response.status === 204) {
      // At the end of the bytes, an empty piece asks for the verdict.
      offset = Number(response.headers.get('Upload-Offset'))
    } else {
      if (!MAY_GO_ON.includes(response.status) && response.status < 500)
        throw new Error(`Round ${round.number}: the upload of ${name} got ${response.status}: ${response.text}`)
      if (response.status === 404 || response.status === 410) upload = null
      offset = null
      round.repeated++
      await sleep(500)
    }
  }
  throw new Error(`Round ${round.number}: the upload of ${name} did not end within ${GIVE_UP_MS / 60_000} minutes.`)
}

type TusResponse = { status: number; headers: Headers; text: string }

/** Status 0 when nothing came back. */
async function tus(
  { url, headers: own }: Product,
  method: string,
  path: string,
  given: Record<string, string> = {},
  piece?: Buffer,
): Promise<TusResponse> {
  const type = piece && { 'Content-Type': 'application/offset+octet-stream' }
  const headers = { ...own, 'Tus-Resumable': '1.0.0', ...type, ...given }
  const body = piece && new Uint8Array(piece)
  try {
    const response = await fetch(url + path, { method, headers, body, signal: AbortSignal.timeout(10_000) })
    return { status: response.status, headers: response.headers, text: await response.text() }
  } catch {
    return { status: 0, headers: new Headers(), text: '' }
  }
}

function jsonBody(body: object) {
  return { body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } }
}

/** Sends one request, to the one machine or the other, with the same key until it is answered. @throws a refusal */
async function untilAnswered(
  round: Round,
  path: string,
  request: () => { body: BodyInit; headers?: Record<string, string> },
): Promise<{ id: string }> {
  const key = randomUUID()
  const deadline = Date.now() + GIVE_UP_MS
  for (let attempt = 0; Date.now() < deadline; attempt++) {
    const { url, headers } = site.products[(round.number + attempt) % site.products.length] as Product
    const sent = request()
    const response = await fetch(url + path, {
      method: 'POST',
      headers: { ...headers, ...sent.headers, 'Idempotency-Key': key },
      body: sent.body,
      signal: AbortSignal.timeout(10_000),
    }).catch(() => null)
    const text = await response?.text().catch(() => null)
    if (response?.ok && text) return JSON.parse(text)
    const isRepeatable = !response || !text || response.status >= 500 || text.includes('idempotency_in_progress')
    if (!isRepeatable) throw new Error(`Round ${round.number}: ${path} got ${response.status}: ${text}`)
    round.repeated++
    await sleep(500)
  }
  throw new Error(`Round ${round.number}: ${path} had no answer for ${GIVE_UP_MS / 60_000} minutes.`)
}

/** One of the things that fail. What a machine has goes on beside the rounds that follow; it is left alone meanwhile. */
async function breakSomething(round: Round): Promise<void> {
  // One web machine and one worker are always left.
  const free = site.machines.filter(
    (machine) =>
      !busy.has(machine) &&
      site.machines.some((other) => other !== machine && other.kind === machine.kind && !busy.has(other)),
  )
  const machine = free[Math.floor(random() * free.length)]
  const tickets = FAULTS.flatMap((each) => Array<Fault>(each.share).fill(each))
  const drawn = tickets[Math.floor(random() * tickets.length)]
  const fault = drawn?.isOfMachine && !machine ? FAULTS[0] : drawn
  if (!fault) return
  round.fault = fault.isOfMachine && machine ? `${fault.name} of ${machine.kind}` : fault.name
  counted[round.fault] = (counted[round.fault] ?? 0) + 1
  if (!fault.isOfMachine) await fault.play(machine as Machine)
  else if (machine) {
    const played = Promise.resolve(fault.play(machine))
    busy.set(
      machine,
      played.then(() => {}).finally(() => busy.delete(machine)),
    )
  }
}

async function restart(machine: Machine) {
  await machine.stop('SIGKILL')
  await sleep(random() * 2_000)
  machine.start()
  await machine.untilReady()
}

async function stall(machine: Machine) {
  machine.signal('SIGSTOP')
  await sleep(STOPPED_MS)
  machine.signal('SIGCONT')
}

async function cutOff(machine: Machine) {
  machine.link('down')
  await sleep(random() * LINK_DOWN_MS)
  machine.link('up')
}

async function freezeDatabase() {
  site.signalDatabase('SIGSTOP')
  await sleep(FROZEN_MS)
  site.signalDatabase('SIGCONT')
}

async function bucket(order: Order) {
  site.storage(order)
  await sleep(BUCKET_MS)
  site.storage('well')
}

async function fillDatabase() {
  await site.fillDatabase(true)
  await sleep(DISK_FULL_MS)
  await site.fillDatabase(false)
}

async function fillDisk(machine: Machine) {
  machine.fill(true)
  await sleep(DISK_FULL_MS)
  machine.fill(false)
}

async function stepClock(machine: Machine) {
  machine.setClock(CLOCK_STEPS[Math.floor(random() * CLOCK_STEPS.length)] ?? 0)
  await sleep(CLOCK_MS)
  machine.setClock(0)
}

/** Everything that was acknowledged is there, once, as it was sent, with one result and one notification. */
async function audit({ number, fault, batch, batchId, files }: Round) {
  const expect = (holds: boolean, what: string) => {
    if (!holds) violations.push(`round ${number} (${fault}): ${what}`)
  }
  type Result = { file_id: string; status: string; failure: string | null }
  const { results } = await ask<{ results: Result[] }>(first, 'GET', `/api/pre-qc/results?batchId=${batchId}`)
  expect(results.length === files.length, `${results.length} results for ${files.length} files`)
  for (const { name, sha256, fileId } of files) {
    const own = results.filter(({ file_id }) => file_id === fileId)
    expect(own.length === 1, `${name} has ${own.length} results`)
    expect(own[0]?.status === 'completed', `the result of ${name} is ${own[0]?.status}: ${own[0]?.failure}`)
    const response = await fetch(`${first.url}${batch}/files/${fileId}/download`, { headers: first.headers })
    const bytes = Buffer.from(await response.arrayBuffer())
    expect(response.ok, `${name} cannot be downloaded: ${response.status}`)
    expect(createHash('sha256').update(bytes).digest('hex') === sha256, `${name} has other bytes`)
  }
  const rows = await site.sql`select id from files where batch_id = ${batchId}`
  expect(rows.length === files.length, `${rows.length} files where ${files.length} were acknowledged`)
  const notified = await site.sql`select n.id from notifications n join events e on e.id = n.event_id
    where e.batch_id = ${batchId} and e.type = 'batch.submitted'`
  expect(notified.length === 1, `the operator was notified ${notified.length} times`)
}

async function hurry() {
  await site.sql`update graphile_worker._private_jobs set run_at = now() where locked_at is null and run_at > now()`
}

/** Machines that have just come back may hold all connections of PostgreSQL. */
async function untilEmpty() {
  for (;;) {
    const [left] =
      await site.sql`select count(*)::int as count from pre_qc_results where status in ('queued', 'running')`.catch(
        () => [],
      )
    if (left?.count === 0) break
    await sleep(1_000)
  }
  await first.untilIdle()
}

async function examine() {
  try {
    console.log((await site.command('doctor')).trim())
  } catch (error) {
    violations.push(`doctor: ${(error as { stdout?: string }).stdout ?? error}`)
  }
}

async function draw(number: number, index: number): Promise<{ name: string; type: string; bytes: Buffer }> {
  const name = `round-${number}-${index}`
  const pitch = 200 + number * FILES_A_ROUND + index
  if (index === 0) return { name: `${name}.wav`, type: 'audio/wav', bytes: tune([pitch, pitch + 7], 0.5) }
  const noise = { type: 'gaussian' as const, mean: 128, sigma: 40 }
  const image = sharp({ create: { width: 400 + index, height: 300, channels: 3, background: '#888', noise } })
  return { name: `${name}.jpg`, type: 'image/jpeg', bytes: await image.jpeg({ quality: 90 }).toBuffer() }
}

function sleep(ms: number) {
  return new Promise<void>((done) => setTimeout(done, ms))
}

/** Numbers from 0 to 1 that a seed repeats (Tommy Ettinger's Mulberry32, public domain). */
function mulberry32(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
}
