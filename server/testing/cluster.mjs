// For server/workarounds/cluster-stop.test.ts: one process behind a port, that is asked to stop while a connection is on
// its way to it. With the word `watched`, the first process stops listening itself.
import cluster from 'node:cluster'
import { existsSync } from 'node:fs'
import http from 'node:http'
import { watchListening } from '../workarounds/cluster-stop.mjs'

const [goOn, how] = process.argv.slice(2)

if (cluster.isPrimary) {
  const worker = cluster.fork()
  const stopListening = how === 'watched' ? watchListening(worker) : () => {}
  const send = worker.process.send
  worker.process.send = function (message, ...rest) {
    if (message.act === 'newconn') process.send('dealt')
    return send.call(this, message, ...rest)
  }
  worker.on('listening', ({ port }) => process.send({ port }))
  worker.on('message', (message) => process.send(message))
  process.on('message', (message) => {
    if (message === 'stop') stopListening()
    if (message === 'ping') process.send('pong')
    else worker.send(message)
  })
} else {
  const server = http.createServer((_, res) => res.end('served')).listen(0)
  process.on('message', (message) => {
    if (message === 'block') {
      process.send('blocked')
      // Nothing is read from the channel until the file is there.
      while (!existsSync(goOn)) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10)
      if (how !== 'watched') close()
    }
    if (message === 'stop') close()
  })
  function close() {
    server.close(() => process.send('closed'))
    setInterval(() => server.closeIdleConnections(), 20)
  }
}
