// node:cluster listens until the last of its processes has closed its server. A connection on its way to that process at
// that moment is sent back to the first process, which keeps it open and gives it to no other process: its client waits until the
// whole service has ended (Node's round_robin_handle.js, `distribute` after `remove`). So the first process stops
// listening by itself, and only then notifies the others: what it has dealt to them before is served.

/**
 * Watches where a process listens. Call it when the process is forked.
 *
 * @param {import('node:cluster').Worker} worker
 * @returns {() => void} stops listening for this process; it still gets what was dealt to it before
 */
export function watchListening(worker) {
  const keys = new Set()
  const { process } = worker
  const send = process.send
  process.send = function (message, ...rest) {
    if (message?.cmd === 'NODE_CLUSTER' && message.key !== undefined) keys.add(message.key)
    return send.call(this, message, ...rest)
  }
  // What the process itself sends when it closes its server.
  return () => {
    for (const key of keys) process.emit('internalMessage', { cmd: 'NODE_CLUSTER', act: 'close', key })
  }
}
