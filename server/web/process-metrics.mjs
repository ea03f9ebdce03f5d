// What the web processes behind one port measure of themselves, collected for /api/metrics: one scrape reaches one
// process, and its answer covers all. That process asks the first one, which asks every process and sends back the answers.
import cluster from 'node:cluster'

const ANSWER_MS = 1_000

/** Where lib/http/metrics.ts finds `collect`. A symbol of the registry: every bundle shares it. */
const KEY = Symbol.for('greenroom.process-metrics')

/** In each web process. */
export function offerMetrics() {
  const waiting = new Map()
  let collections = 0
  globalThis[KEY] = () => {
    if (!cluster.isWorker) return Promise.resolve([ownMetrics()])
    collections += 1
    return new Promise((resolve) => {
      waiting.set(collections, resolve)
      process.send({ collect: collections })
    })
  }
  process.on('message', ({ report, collected, metrics }) => {
    if (report !== undefined) process.send({ reported: report, metrics: ownMetrics() })
    if (collected === undefined) return
    waiting.get(collected)?.(metrics)
    waiting.delete(collected)
  })
}

/** In the first process, for each of the others. */
export function collectMetrics(worker) {
  worker.on('message', ({ collect }) => {
    if (collect === undefined) return
    const asked = Object.values(cluster.workers).filter((each) => each.isConnected())
    const report = `${worker.id}:${collect}`
    const metrics = []
    const receive = (_from, message) => {
      if (message.reported !== report) return
      metrics.push(message.metrics)
      if (metrics.length === asked.length) reply()
    }
    const reply = () => {
      clearTimeout(late)
      cluster.off('message', receive)
      if (worker.isConnected()) worker.send({ collected: collect, metrics })
    }
    const late = setTimeout(reply, ANSWER_MS)
    cluster.on('message', receive)
    for (const each of asked) each.send({ report })
  })
}

/** Seconds of processor time, bytes of memory, Unix time in seconds. */
function ownMetrics() {
  const { rss, heapUsed } = process.memoryUsage()
  const { user, system } = process.cpuUsage()
  return {
    // Counted by lib/http/request-count.ts.
    requests: [...(globalThis.greenroomRequests ?? [])],
    residentBytes: rss,
    heapBytes: heapUsed,
    cpuSeconds: (user + system) / 1e6,
    startedAt: Math.round(Date.now() / 1000 - process.uptime()),
  }
}
