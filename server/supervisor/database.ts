import { setTimeout as delay } from 'node:timers/promises'
import postgres from 'postgres'
import type { Cluster } from '@/server/embedded-database/cluster'
import { startEmbeddedDatabase } from '@/server/embedded-database/embedded-database'
import { say } from './screen'

/** The database the product runs on, as the supervisor sees it. */
export type RunningDatabase = { url: string; stop(): Promise<void> }

/** An external server: it has to answer, and runs on when we stop. Throws with a sentence when it does not. */
export async function openServer(url: string): Promise<RunningDatabase> {
  const sql = postgres(url, { max: 1, connect_timeout: 10, onnotice: () => {} })
  try {
    await sql`select 1`
  } catch (error) {
    const shown = url.replace(/(:\/\/[^:@/]*:)[^@/]*@/, '$1...@')
    const reason = error instanceof Error ? error.message || (error as NodeJS.ErrnoException).code : String(error)
    throw new Error(`DATABASE_URL is "${shown}", and that database does not answer: ${reason}.`)
  } finally {
    await sql.end({ timeout: 1 })
  }
  return { url, stop: async () => {} }
}

/**
 * Our own server, kept running: when it ends by itself it is started again. `onMove` gets the new URL when its port
 * was taken in between.
 */
export async function runOwn(dataDir: string, onMove: (url: string) => Promise<void>): Promise<RunningDatabase> {
  let cluster: Cluster = await startEmbeddedDatabase(dataDir)
  let stopping = false
  let restarting: Promise<void> = Promise.resolve()
  const watch = () =>
    cluster.exited.then(() => {
      if (!stopping) restarting = restart()
    })
  const restart = async () => {
    for (let pause = 200; !stopping; pause = Math.min(pause * 2, 10_000)) {
      say('The database ended unexpectedly; starting it again.')
      await delay(pause)
      const previous = cluster.url
      try {
        cluster = await startEmbeddedDatabase(dataDir)
      } catch (error) {
        say(error instanceof Error ? error.message : String(error))
        continue
      }
      watch()
      if (cluster.url !== previous) await onMove(cluster.url)
      return
    }
  }
  watch()
  return {
    url: cluster.url,
    async stop() {
      stopping = true
      await restarting
      await cluster.stop()
    },
  }
}
