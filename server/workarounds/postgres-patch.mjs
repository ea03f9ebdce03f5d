// Repairs of the driver, postgres 3.4.9, whose connections do not survive a socket that closes at the wrong moment.
// Reported upstream (porsager/postgres 1066, 1154, 1208) and not released; postgres-patch.test.ts fails when they are.
// Runs before anything is installed: Node's own modules only.
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import path from 'node:path'

export const REPAIRS = [
  {
    // A statement of a transaction whose connection was lost would be written to no socket, and end the process.
    file: 'connection.js',
    found: "      return queryError(q, Errors.connection('CONNECTION_DESTROYED', options))\n\n    if (stream)",
    fixed:
      "      return queryError(q, Errors.connection('CONNECTION_DESTROYED', options))\n\n" +
      "    if (!socket)\n      return queryError(q, Errors.connection('CONNECTION_CLOSED', options)), true\n\n    if (stream)",
  },
  {
    // What waited to be written when a socket closed would go before all that follows on the next one, which then is
    // never flushed: the timer counts as set.
    file: 'connection.js',
    found: '    remaining = 0\n    incomings = null\n    clearImmediate(nextWriteTimer)\n    socket.removeListener',
    fixed:
      '    remaining = 0\n    incomings = null\n    clearImmediate(nextWriteTimer)\n' +
      '    chunk = nextWriteTimer = null\n    socket.removeListener',
  },
  {
    file: 'connection.js',
    found: '    clearImmediate(nextWriteTimer)\n    if (socket) {',
    fixed: '    clearImmediate(nextWriteTimer)\n    chunk = nextWriteTimer = null\n    if (socket) {',
  },
  {
    // A statement begun between the error of a socket and its end heard of neither: the next connection gave it no
    // rows, or those of another statement. And what the lost connection said last, 57P01 for one, was the response to the
    // first statement on the next one.
    file: 'connection.js',
    found:
      "    !hadError && (query || sent.length) && error(Errors.connection('CONNECTION_CLOSED', options, socket))\n",
    fixed:
      "    if (query || sent.length) error(Errors.connection('CONNECTION_CLOSED', options, socket))\n" +
      '    query = results = errorResponse = null\n',
  },
  {
    // A connection lost while the driver asks for the types of arrays would end the process.
    file: 'connection.js',
    found: '        return fetchArrayTypes()\n',
    fixed: '        return fetchArrayTypes().catch(noop)\n',
  },
  {
    // The statements of a transaction that still wait when its connection is lost would wait for ever; later ones would
    // run on the next connection, outside of any transaction.
    file: 'index.js',
    found: '        new Promise((_, reject) => connection.onclose = reject)\n',
    fixed:
      '        new Promise((_, reject) => connection.onclose = error => {\n' +
      '          lost = error\n          while (queries.length) queries.shift().reject(error)\n' +
      '          reject(error)\n        })\n',
  },
  {
    file: 'index.js',
    found: '        q.catch(e => uncaughtError || (uncaughtError = e))\n',
    fixed:
      '        q.catch(e => uncaughtError || (uncaughtError = e))\n        if (lost)\n          return q.reject(lost)\n',
  },
  {
    file: 'index.js',
    found: '      , connection\n      , prepare = null\n',
    fixed: '      , connection\n      , lost = null\n      , prepare = null\n',
  },
]

/**
 * Repairs the installed driver, once. `root`: the folder of package.json.
 *
 * @param {string} root
 * @throws {Error} when it is another version, or cannot be written
 */
export function patchPostgres(root) {
  for (const folder of ['src', path.join('cjs', 'src')])
    for (const name of new Set(REPAIRS.map(({ file }) => file)))
      rewrite(path.join(root, 'node_modules', 'postgres', folder, name), name)
}

/**
 * @param {string} file
 * @param {string} name
 */
function rewrite(file, name) {
  const text = readFileSync(file, 'utf8')
  const patched = REPAIRS.filter((repair) => repair.file === name).reduce((before, { found, fixed }) => {
    if (before.includes(fixed)) return before
    if (!before.includes(found))
      throw new Error(
        `${file} is not of postgres 3.4.9: see whether server/workarounds/postgres-patch.mjs is still needed.`,
      )
    return before.replace(found, fixed)
  }, text)
  if (patched === text) return
  // Renamed, so that a process that starts now reads the one or the other.
  const draft = `${file}.${process.pid}`
  writeFileSync(draft, patched)
  renameSync(draft, file)
}
