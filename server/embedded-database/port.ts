import { createServer } from 'node:net'

/** The preferred TCP port of the loopback address if no program listens there, else one the system picks. */
export async function freePort(preferred?: number): Promise<number> {
  if (preferred && (await tryPort(preferred))) return preferred
  const port = await tryPort(0)
  if (!port) throw new Error('No free TCP port on 127.0.0.1.')
  return port
}

function tryPort(port: number): Promise<number | null> {
  return new Promise((resolve) => {
    const probe = createServer()
    probe.once('error', () => resolve(null))
    probe.listen(port, '127.0.0.1', () => {
      const address = probe.address()
      probe.close(() => resolve(typeof address === 'object' && address ? address.port : null))
    })
  })
}
