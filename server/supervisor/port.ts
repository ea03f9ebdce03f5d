import { createServer } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'

/**
 * Makes sure the web server will get its port. Throws with a sentence when another program has it, or it is not allowed.
 * `waitMs`: how long to wait for a predecessor that is just ending.
 */
export async function requirePort(port: number, waitMs: number) {
  const deadline = Date.now() + waitMs
  for (;;) {
    const problem = await tryPort(port)
    if (!problem) return
    if (problem === 'EACCES')
      throw new Error(`Port ${port} may only be used by root. Choose another: PORT=3000 npm start`)
    if (problem !== 'EADDRINUSE') throw new Error(`Port ${port} cannot be used (${problem}).`)
    if (Date.now() >= deadline) {
      throw new Error(
        `Port ${port} is already used by another program. Stop that, or choose another: PORT=${port + 1} npm start`,
      )
    }
    await delay(100)
  }
}

function tryPort(port: number): Promise<string | null> {
  return new Promise((resolve) => {
    const probe = createServer()
    probe.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
    probe.listen(port, () => probe.close(() => resolve(null)))
  })
}
