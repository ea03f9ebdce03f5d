// `npm run bench:claims`: what the queue itself costs when many workers take jobs from it. A SIMULATION: the workers sleep
// for as long as a file takes on average instead of decoding it, because 64 that decode need more machines than one.
// Counted from when every worker has a file until the last file is taken: before that, 32 processes' worth of connections
// open in this one; after it, workers stand still because nothing is left.
// Floor, in the same run: the same sleeps without a queue. Wanted: at least 95 % busy, claim p99 under 100 ms.
//
// --workers 64 --files 100 (of each worker) --file-ms 290 (median of bench:batch: 200 files, 2 at once, 29 s)
import { EventEmitter } from 'node:events'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { Logger, run, type WorkerEvents } from 'graphile-worker'
import { createDatabase } from '@/db/client'
import { migrateDatabase } from '@/db/migrate'
import { newId } from '@/db/schema/columns'
import { agencies, users } from '@/db/schema/directory'
import { projects } from '@/db/schema/projects'
import { enqueueJobs } from '@/lib/domain/kernel/jobs'
import { clusterIn, startCluster } from '@/server/embedded-database/cluster'

const { values } = parseArgs({
  options: {
    workers: { type: 'string', default: '64' },
    files: { type: 'string', default: '100' },
    'file-ms': { type: 'string', default: '290' },
  },
})
const WORKERS = Number(values.workers)
const FILES = WORKERS * Number(values.files)
const FILE_MS = Number(values['file-ms'])
/** A worker process of two slots, as `npm start` has on two cores. */
const SLOTS = 2
const AGENCIES = 5

const folder = mkdtempSync(path.join(tmpdir(), 'greenroom-claims-'))
chmodSync(folder, 0o711)
const cluster = await startCluster(clusterIn(folder))
const { db, sql } = createDatabase(cluster.url, { max: 2 })
try {
  await migrateDatabase(cluster.url)
  const enqueueMs = await fill()
  const floorMs = await sleepAlone()
  const { busy, windowMs, startMs, lateMs, claims } = await work()
  const sorted = claims.sort((a, b) => a - b)
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
  const floor = (FILES * FILE_MS) / (WORKERS * floorMs)
  console.log(`simulation: ${WORKERS} workers that sleep ${FILE_MS} ms a file, ${FILES} files of ${AGENCIES} agencies`)
  console.log(`enqueued in ${enqueueMs.toFixed(0)} ms; until every worker had a file: ${seconds(startMs)}`)
  console.log(`counted for ${seconds(windowMs)}, until the last file was taken; ${claims.length} claims`)
  console.log(`busy ${percent(busy)} (want 95); the sleeps alone ${percent(floor)}`)
  console.log(`claim p50 ${at(0.5).toFixed(1)} ms, p99 ${at(0.99).toFixed(1)} ms (want under 100)`)
  // All workers are one process here: what else the machine does delays every one of them.
  console.log(`timers of this process came late by p99 ${Math.max(0, lateMs).toFixed(1)} ms`)
} finally {
  await sql.end({ timeout: 5 })
  await cluster.stop()
  rmSync(folder, { recursive: true, force: true })
}

/** Every agency its share, each in one statement. */
async function fill(): Promise<number> {
  const began = performance.now()
  for (let number = 0; number < AGENCIES; number++) {
    const [userId, agencyId, projectId] = [newId(), newId(), newId()]
    const email = `${number}@example.test`
    await db.insert(users).values({ id: userId, name: 'Coordinator', email, role: 'coordinator' })
    await db.insert(agencies).values({ id: agencyId, name: `Agency ${number}`, code: `A${number}` })
    await db.insert(projects).values({ id: projectId, agencyId, name: 'Project', createdBy: userId })
    const jobs = Array.from({ length: Math.ceil(FILES / AGENCIES) }, (_, index) => ({ payload: { index } }))
    const share = jobs.slice(0, Math.max(0, FILES - number * jobs.length))
    await enqueueJobs(db, 'sleep', share, new Date(), { inTurnFor: projectId })
  }
  return performance.now() - began
}

async function sleepAlone(): Promise<number> {
  const began = performance.now()
  await Promise.all(
    Array.from({ length: WORKERS }, async () => {
      for (let file = 0; file < FILES / WORKERS; file++) await sleep(FILE_MS)
    }),
  )
  return performance.now() - began
}

type Claim = { askedAt: number; ms: number }

async function work(): Promise<{
  busy: number
  windowMs: number
  startMs: number
  lateMs: number
  claims: number[]
}> {
  const claims: Claim[] = []
  /** When each file was begun, in order. */
  const begun: number[] = []
  const working = new Set<string>()
  let allWorkAt = Number.NaN
  let left = FILES
  let done = () => {}
  const finished = new Promise<void>((resolve) => {
    done = resolve
  })
  const task = async () => {
    begun.push(performance.now())
    await sleep(FILE_MS)
    if (--left === 0) done()
  }
  const began = performance.now()
  const runners = await Promise.all(
    Array.from({ length: WORKERS / SLOTS }, () => {
      const events: WorkerEvents = new EventEmitter()
      const asked = new Map<string, number>()
      events.on('worker:getJob:start', ({ worker }) => asked.set(worker.workerId, performance.now()))
      events.on('job:start', ({ worker }) => {
        const askedAt = asked.get(worker.workerId)
        if (askedAt !== undefined) claims.push({ askedAt, ms: performance.now() - askedAt })
        working.add(worker.workerId)
        if (working.size === WORKERS && Number.isNaN(allWorkAt)) allWorkAt = performance.now()
      })
      return run({
        connectionString: cluster.url,
        concurrency: SLOTS,
        maxPoolSize: SLOTS,
        pollInterval: 1_000,
        noHandleSignals: true,
        events,
        taskList: { sleep: task },
        parsedCronItems: [],
        logger: new Logger(() => () => {}),
      })
    }),
  )
  const delay = monitorEventLoopDelay({ resolution: 10 })
  delay.enable()
  await finished
  delay.disable()
  await Promise.all(runners.map((runner) => runner.stop()))
  const from = allWorkAt
  const to = begun.at(-1) ?? Number.NaN
  // As long as a file takes, and no longer: a timer that comes late is no work.
  const workedMs = begun.reduce((sum, at) => sum + Math.max(0, Math.min(to, at + FILE_MS) - Math.max(from, at)), 0)
  return {
    busy: workedMs / (WORKERS * (to - from)),
    windowMs: to - from,
    startMs: from - began,
    lateMs: delay.percentile(99) / 1e6 - 10,
    claims: claims.filter(({ askedAt }) => askedAt >= from).map(({ ms }) => ms),
  }
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(2)} s`
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`
}
