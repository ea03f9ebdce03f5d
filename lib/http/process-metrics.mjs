// What each web process measures of itself, added up over those behind one port by prom-client. Plain JavaScript: the
// server, which has no TypeScript loader, begins to measure before the first route is loaded. prom-client is never bundled
// (next.config.mjs), so that every bundle of a route finds the same metrics in it.
import cluster from 'node:cluster'
import { AggregatorRegistry, Counter, Gauge, register } from 'prom-client'

const METRICS = [
  {
    type: Counter,
    name: 'greenroom_http_requests_total',
    help: 'API requests handled.',
    labelNames: ['method', 'status'],
  },
  {
    type: Counter,
    name: 'greenroom_http_request_seconds_total',
    help: 'Time taken by them.',
    labelNames: ['method', 'status'],
  },
  {
    type: Gauge,
    name: 'greenroom_web_processes',
    help: 'Processes that respond behind this port.',
    read: () => 1,
  },
  {
    type: Gauge,
    name: 'greenroom_takes_direct_uploads',
    help: 'Whether clients may send files to the storage itself: 1 or 0.',
    aggregator: 'max',
    // The start finds out which way, for all processes.
    read: () => (process.env.UPLOADS === 'direct' ? 1 : 0),
  },
  {
    type: Gauge,
    name: 'process_resident_memory_bytes',
    help: 'Memory of the web processes.',
    read: () => process.memoryUsage.rss(),
  },
  {
    type: Gauge,
    name: 'nodejs_heap_size_used_bytes',
    help: 'Heap of the web processes.',
    read: () => process.memoryUsage().heapUsed,
  },
  {
    type: Counter,
    name: 'process_cpu_seconds_total',
    help: 'Processor time of the web processes.',
    read() {
      const { user, system } = process.cpuUsage()
      return (user + system) / 1e6
    },
  },
  {
    type: Gauge,
    name: 'process_start_time_seconds',
    help: 'When the first of them began.',
    aggregator: 'min',
    read: () => Math.round(Date.now() / 1000 - process.uptime()),
  },
]

for (const { type: Metric, read, ...options } of METRICS) {
  if (register.getSingleMetric(options.name)) continue
  const collect = function () {
    this.reset()
    this.inc(read())
  }
  new Metric(read ? { ...options, collect } : options)
}
// In each process: it replies to the first one, which asks for these metrics.
const registry = new AggregatorRegistry()

const requests = register.getSingleMetric('greenroom_http_requests_total')
const seconds = register.getSingleMetric('greenroom_http_request_seconds_total')

/**
 * @param {string} method
 * @param {number} status
 * @param {number} milliseconds
 */
export function countRequest(method, status, milliseconds) {
  requests.inc({ method, status })
  seconds.inc({ method, status }, milliseconds / 1000)
}

let underWay

/**
 * Of every web process behind our port, as Prometheus reads them; of this one alone where it is the only one. Empty when
 * one of them does not respond: sums without it would look like counters that began anew.
 * @returns {Promise<string>}
 */
export function collectProcessMetrics() {
  if (!cluster.isWorker) return register.metrics()
  underWay ??= askFirstProcess().finally(() => {
    underWay = undefined
  })
  return underWay
}

function askFirstProcess() {
  return new Promise((resolve) => {
    const receive = ({ collectedMetrics }) => {
      if (collectedMetrics === undefined) return
      process.off('message', receive)
      resolve(collectedMetrics)
    }
    process.on('message', receive)
    process.send({ collectMetrics: true })
  })
}

/** In the first process, for each of the others: only it can ask all of them. */
export function respondToCollections() {
  cluster.on('message', async (worker, { collectMetrics }) => {
    if (!collectMetrics) return
    const collectedMetrics = await registry.clusterMetrics().catch(() => '')
    if (worker.isConnected()) worker.send({ collectedMetrics })
  })
}
