// `npm run bench:claims`: what the queue itself costs when many workers take jobs from it. A SIMULATION: the workers sleep
// for as long as a file takes on average instead of decoding it, because 64 that decode need more machines than one.
// Claims count from when all workers run: while they start, 32 processes' worth of connections open in this one.
// Floor, in the same run: the same sleeps without a queue. Wanted: at least 95 % busy, claim p99 under 100 ms.
//
// WORKERS=64 FILES=40 (of each worker) FILE_MS=290 (median of bench:batch: 200 files, 2 at once, 29 s)
import { EventEmitter } from 'node:events'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Logger, run, type WorkerEvents } from 'graphile-worker'
import { createDatabase } from '@/db/client'
import { migrateDatabase } from '@/db/migrate'
import { newId } from '@/db/schema/columns'
import { agencies, users } from '@/db/schema/directory'
import { projects } from '@/db/schema/projects'
import { enqueueJobs } from '@/lib/domain/kernel/jobs'
import { clusterIn, startCluster } from '@/server/embedded-database/cluster'

const WORKERS = Number(process.env.WORKERS ?? 64)
const FILES = WORKERS * Number(process.env.FILES ?? 40)
const FILE_MS = Number(process.env.FILE_MS ?? 290)
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
  const floorMs = await floor()
  const { elapsedMs, claims } = await work()
  const busy = (FILES * FILE_MS) / (WORKERS * elapsedMs)
  const sorted = claims.sort((a, b) => a - b)
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
  console.log(`simulation: ${WORKERS} workers that sleep ${FILE_MS} ms a file, ${FILES} files of ${AGENCIES} agencies`)
  console.log(`enqueued in ${enqueueMs.toFixed(0)} ms`)
  console.log(
    `floor, the sleeps alone: ${(floorMs / 1000).toFixed(2)} s; with the queue: ${(elapsedMs / 1000).toFixed(2)} s`,
  )
  console.log(`busy ${(busy * 100).toFixed(1)} % (want 95), of the floor ${((floorMs / elapsedMs) * 100).toFixed(1)} %`)
  console.log(`claim p50 ${at(0.5).toFixed(1)} ms, p99 ${at(0.99).toFixed(1)} ms (want under 100)`)
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

async function floor(): Promise<number> {
  const began = performance.now()
  await Promise.all(
    Array.from({ length: WORKERS }, async () => {
      for (let file = 0; file < FILES / WORKERS; file++) await sleep(FILE_MS)
    }),
  )
  return performance.now() - began
}

async function work(): Promise<{ elapsedMs: number; claims: number[] }> {
  const claims: number[] = []
  let areAllRunning = false
  let left = FILES
  let done = () => {}
  const finished = new Promise<void>((resolve) => {
    done = resolve
  })
  const task = async () => {
    await sleep(FILE_MS)
    if (--left === 0) done()
  }
  const began = performance.now()
  const runners = await Promise.all(
    Array.from({ length: WORKERS / SLOTS }, () => {
      const events: WorkerEvents = new EventEmitter()
      const asked = new Map<string, number>()
      events.on('worker:getJob:start', ({ worker }) => {
        if (areAllRunning) asked.set(worker.workerId, performance.now())
      })
      events.on('job:start', ({ worker }) => {
        const at = asked.get(worker.workerId)
        if (at !== undefined) claims.push(performance.now() - at)
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
  areAllRunning = true
  await finished
  const elapsedMs = performance.now() - began
  await Promise.all(runners.map((runner) => runner.stop()))
  return { elapsedMs, claims }
}
