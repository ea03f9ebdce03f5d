import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

/** One request at a time may touch an upload; whoever waits asks the holder to let go. */
export interface UploadLocks {
  /**
   * Waits up to `waitMs` and gives the function that lets go, or null when the upload stayed locked.
   * `onWanted` is called, perhaps more than once, when somebody else waits for it.
   */
  acquire(id: string, onWanted: () => void, waitMs: number): Promise<(() => Promise<void>) | null>
}

let ownLocks: UploadLocks | undefined

/** Locks as far as this system can give them: among the machine's processes on Linux, within this one elsewhere. */
export function uploadLocks(scope: string): UploadLocks {
  if (process.platform === 'linux') return socketLocks(scope)
  ownLocks ??= memoryLocks()
  return ownLocks
}

/**
 * Locks among all processes of this machine, which is as far as staged bytes reach. Each is a socket in Linux's abstract
 * namespace: the kernel gives a name to one process only and takes it back when that process dies, however it dies, so
 * there is nothing stale to clean up. Connecting to it is how a waiting request asks for the lock, and the end of that
 * connection is how it learns that the lock is free. `scope` keeps installations on one machine apart.
 */
export function socketLocks(scope: string): UploadLocks {
  const prefix = createHash('sha256').update(scope).digest('hex').slice(0, 16)
  return {
    async acquire(id, onWanted, waitMs) {
      const name = `\0greenroom-${prefix}-${id}`
      const deadline = Date.now() + waitMs
      for (;;) {
        const release = await take(name, onWanted)
        if (release) return release
        if (Date.now() >= deadline) return null
        await waitForRelease(name, deadline - Date.now())
      }
    },
  }
}

async function take(name: string, onWanted: () => void): Promise<(() => Promise<void>) | null> {
  const waiting = new Set<Socket>()
  const server = createServer((socket) => {
    waiting.add(socket)
    socket.on('error', () => {}).on('close', () => waiting.delete(socket))
    onWanted()
  })
  try {
    server.listen(name)
    await once(server, 'listening')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') return null
    throw error
  }
  server.unref()
  return async () => {
    const closed = once(server, 'close')
    server.close() // the name is free from here on; only then do the waiting ones hear of it
    for (const socket of waiting) socket.destroy()
    await closed
  }
}

/** Resolves when the holder lets go, is gone already, or the time is over. */
async function waitForRelease(name: string, ms: number): Promise<void> {
  const socket = connect(name)
  const timeout = setTimeout(() => socket.destroy(), ms)
  await new Promise<void>((done) => {
    socket.on('error', () => {}).on('close', () => done())
  })
  clearTimeout(timeout)
}

/** Locks within one process: for systems without abstract sockets, where one web process serves all. */
export function memoryLocks(): UploadLocks {
  const held = new Map<string, { wanted: () => void; released: Promise<void> }>()
  return {
    async acquire(id, onWanted, waitMs) {
      const deadline = Date.now() + waitMs
      for (let holder = held.get(id); holder; holder = held.get(id)) {
        holder.wanted()
        const left = deadline - Date.now()
        if (left <= 0) return null
        await Promise.race([holder.released, new Promise((done) => setTimeout(done, left).unref())])
      }
      let released = () => {}
      const done = new Promise<void>((resolve) => {
        released = resolve
      })
      held.set(id, { wanted: onWanted, released: done })
      return async () => {
        held.delete(id)
        released()
      }
    },
  }
}
