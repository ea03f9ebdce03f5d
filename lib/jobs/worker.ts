import { EventEmitter } from 'node:events'
import { hostname } from 'node:os'
import { inArray, lt, sql } from 'drizzle-orm'
import { Logger, makeWorkerUtils, parseCronItems, run, type WorkerEvents } from 'graphile-worker'
import { database } from '@/db/client'
import { workers } from '@/db/schema/operations'
import { sumMonths } from '@/lib/domain/analytics/months'
import { foldAnalytics } from '@/lib/domain/analytics/notes'
import { fillFindings } from '@/lib/domain/analytics/verdicts'
import { WORKER_SILENT_MS } from '@/lib/domain/kernel/jobs'
import { env } from '@/lib/env'
import { log } from '@/lib/log'
import { stopMeasuringAhead } from '@/lib/media/measurer/measure-file'
import { stopCopying } from '@/lib/media/playback/copier'
import { stopTiling } from '@/lib/media/tiles/tiler'
import { stopDelivering } from './deliver-files'
import { sealAudit } from './seal-audit'
import { system, taskListOf } from './task-list'
import { ahead, background, slow, tasks, transfers } from './tasks'

/** Webhooks, mail and the store mostly wait for the other side. */
const BACKGROUND_CONCURRENCY = 8
/** Each keeps a connection busy; more would share one line. */
const TRANSFER_CONCURRENCY = 2
/** Coding video takes a core for minutes. */
const SLOW_CONCURRENCY = 1
/** It gives way to everything else by its priority, in a place of its own. */
const AHEAD_CONCURRENCY = 1
const HEARTBEAT_MS = 5_000
/** What happened stands in the chain after so long. */
const SEAL_MS = 5_000
/** What changed is counted anew after so long; questions until then compute it themselves. */
const FOLD_MS = 5_000
/** A month in which something changed is summed anew after so long; its rows are read until then. */
const SUM_MS = 60_000
/** What an upgrade left to be filled in is looked for so often; lists read the results themselves until then. */
const FILL_MS = 60_000

/** What the queue itself has to say, in the lines of the product. */
const queueLog = new Logger((scope) => (level, message, meta) => {
  const write = { error: 'error', warning: 'warn', info: 'debug', debug: 'debug' } as const
  log[write[level]]({ ...scope, ...(meta?.error instanceof Error && { err: meta.error }) }, message)
})

/** Of the time, what is computed again and again takes a tenth at most. */
const SHARE = 0.1

/** Runs it after so long, again and again, less often where it takes long. What it returns ends that. */
function repeat(run: () => Promise<unknown>, afterMs: number): () => void {
  let isStopped = false
  let timer = setTimeout(next, afterMs)
  async function next() {
    const began = performance.now()
    await run()
    if (!isStopped) timer = setTimeout(next, Math.max(afterMs, (performance.now() - began) * (1 / SHARE - 1)))
  }
  return () => {
    isStopped = true
    clearTimeout(timer)
  }
}

/**
 * Starts working off the queue. Jobs survive any end of this process: what a dead worker had taken is unlocked by the
 * living within WORKER_SILENT_MS and a heartbeat, and handlers are idempotent or fenced.
 */
export async function startWorker(): Promise<{ stop(): Promise<void> }> {
  const { db } = database()
  const own: { id: string; pool: string; isBackground: boolean }[] = []
  const counted = (isBackground: boolean): WorkerEvents => {
    const events: WorkerEvents = new EventEmitter()
    return events.on('worker:create', ({ worker: { workerId, workerPool } }) =>
      own.push({ id: workerId, pool: workerPool.id, isBackground }),
    )
  }

  const utils = await makeWorkerUtils({ connectionString: env.DATABASE_DIRECT_URL, logger: queueLog })
  const common = {
    // The queue listens for jobs and names its statements: no pooler in between.
    connectionString: env.DATABASE_DIRECT_URL,
    pollInterval: 1_000,
    noHandleSignals: true,
    logger: queueLog,
  }
  const runner = await run({
    ...common,
    events: counted(false),
    concurrency: env.WORKER_CONCURRENCY,
    // Each running job may want one while it is taken and finished, and one listens.
    maxPoolSize: env.WORKER_CONCURRENCY + 2,
    taskList: taskListOf(tasks),
    parsedCronItems: [],
  })
  const backgroundRunner = await run({
    ...common,
    events: counted(true),
    concurrency: BACKGROUND_CONCURRENCY,
    taskList: taskListOf(background),
    parsedCronItems: parseCronItems([{ task: 'sweep', match: '*/10 * * * *', identifier: 'sweep' }]),
  })
  const beside = (concurrency: number, list: Parameters<typeof taskListOf>[0]) =>
    run({
      ...common,
      events: counted(true),
      concurrency,
      maxPoolSize: concurrency + 2,
      taskList: taskListOf(list),
      parsedCronItems: [],
    })
  const slowRunner = await beside(SLOW_CONCURRENCY, slow)
  const transferRunner = await beside(TRANSFER_CONCURRENCY, transfers)
  const aheadRunner = await beside(AHEAD_CONCURRENCY, ahead)

  // What a kill left behind need not wait for the clock.
  await utils.addJob('sweep', {}, { jobKey: 'sweep at start' })

  const beat = async () => {
    const now = new Date()
    const alive = own.map((each) => ({ ...each, host: hostname(), pid: process.pid, heartbeatAt: now, startedAt: now }))
    if (alive.length > 0)
      await db
        .insert(workers)
        .values(alive)
        .onConflictDoUpdate({ target: workers.id, set: { heartbeatAt: now } })
    const dead = await db
      .delete(workers)
      .where(lt(workers.heartbeatAt, new Date(now.getTime() - WORKER_SILENT_MS)))
      .returning({ pool: workers.pool })
    // Locked by an unknown pool: one that died before its first sign of life, or was just removed.
    const locked = await db.execute<{ pool: string }>(sql`
      select distinct j.locked_by as pool from graphile_worker._private_jobs j
      where j.locked_by is not null and j.locked_at < now() - make_interval(secs => ${WORKER_SILENT_MS / 1000})
        and not exists (select 1 from workers w where w.pool = j.locked_by)`)
    const pools = [...new Set([...dead, ...locked].map(({ pool }) => pool))].filter(
      (pool) => !own.some((each) => each.pool === pool),
    )
    if (pools.length > 0) {
      log.warn({ pools }, 'taking over the jobs of workers that died')
      await utils.forceUnlockWorkers(pools)
    }
  }
  const seal = () =>
    sealAudit(system()).catch((error) => log.warn({ err: error }, 'the audit trail could not be sealed'))
  const sealing = setInterval(() => void seal(), SEAL_MS)
  const fold = () =>
    foldAnalytics(system()).catch((error) => log.warn({ err: error }, 'the sums of analytics could not be computed'))
  const stopFolding = repeat(fold, FOLD_MS)
  const sum = () =>
    sumMonths(system()).catch((error) => log.warn({ err: error }, 'the months of analytics could not be summed'))
  const summing = setInterval(() => void sum(), SUM_MS)
  const fill = () =>
    fillFindings(system()).catch((error) => log.warn({ err: error }, 'what an upgrade left could not be filled in'))
  const filling = setInterval(() => void fill(), FILL_MS)
  const failed = (error: unknown) => log.warn({ err: error }, 'the worker could not give its sign of life')
  await beat().catch(failed)
  const timer = setInterval(() => void beat().catch(failed), HEARTBEAT_MS)

  return {
    async stop() {
      clearInterval(timer)
      clearInterval(sealing)
      stopFolding()
      clearInterval(summing)
      clearInterval(filling)
      stopCopying()
      stopTiling()
      stopDelivering()
      stopMeasuringAhead()
      const runners = [runner, backgroundRunner, slowRunner, transferRunner, aheadRunner]
      await Promise.all(runners.map((one) => one.stop()))
      if (own.length > 0)
        await db
          .delete(workers)
          .where(
            inArray(
              workers.id,
              own.map(({ id }) => id),
            ),
          )
          .catch(failed)
      await utils.release()
    },
  }
}
