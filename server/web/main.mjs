// The web: WEB_PROCESSES processes behind one port, so that a page being rendered or a body being hashed in one does not
// keep the requests of another waiting. Connections are dealt out in turn (node:cluster).
import cluster from 'node:cluster'
import { respondToCollections } from '../../lib/http/process-metrics.mjs'
import { watchListening } from '../workarounds/cluster-stop.mjs'
import { endNow } from '../workarounds/exit.mjs'

const count = process.argv.includes('--dev') ? 1 : Number(process.env.WEB_PROCESSES ?? 1)
if (cluster.isPrimary && count > 1) lead()
else await serve()

function serve() {
  // The process that started this one was killed: the port is for its successor. Before the listener of node:cluster, which
  // would leave by `process.exit`.
  process.prependOnceListener('disconnect', endNow)
  return import('./server.mjs')
}

function lead() {
  let stopping = false
  const ready = new WeakSet()
  const stopListening = new WeakMap()
  let listening = 0
  respondToCollections()
  for (let i = 0; i < count; i += 1) start()

  cluster.on('exit', (worker, code, signal) => {
    if (stopping) {
      if (Object.keys(cluster.workers).length === 0) process.exit(0)
    } else if (ready.has(worker)) {
      console.error(`A web process ended (${signal ?? `code ${code}`}); another takes its place.`)
      start()
    } else {
      // It cannot even begin; how often that is tried is the supervisor's business.
      process.exit(1)
    }
  })
  process.once('SIGTERM', stop)
  process.once('SIGINT', stop)
  // The supervisor was killed; our processes notice when we end, and end as well.
  process.once('disconnect', () => process.exit(1))

  function start() {
    const worker = cluster.fork()
    stopListening.set(worker, watchListening(worker))
    worker.once('listening', () => {
      ready.add(worker)
      listening += 1
      if (listening === count) process.send?.({ ready: true })
    })
  }

  function stop() {
    stopping = true
    const workers = Object.values(cluster.workers)
    for (const worker of workers) stopListening.get(worker)()
    for (const worker of workers) {
      // By the channel the connections take, so that it arrives after them.
      if (ready.has(worker)) worker.send({ stop: true }, () => {})
      else worker.process.kill('SIGTERM')
    }
  }
}
