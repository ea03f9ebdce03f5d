import { setTimeout as delay } from 'node:timers/promises'
import postgres from 'postgres'
import type { Environment } from '@/lib/env'
import type { Cluster } from '@/server/embedded-database/cluster'
import { startEmbeddedDatabase } from '@/server/embedded-database/embedded-database'
import { say } from './screen'

/** The database the product runs on, as the supervisor sees it. `directUrl`: around a pooler, if `url` leads to one. */
export type RunningDatabase = { url: string; directUrl: string; stop(): Promise<void> }

/**
 * An external server: it has to respond, and runs on when we stop. Throws with a sentence when it does not, and through a
 * pooler also when it would let statements run for ever.
 */
export async function openServer(settings: Environment): Promise<RunningDatabase> {
  const { DATABASE_URL: url, DATABASE_DIRECT_URL: directUrl, isPooled } = settings
  const [limits] = await ask('DATABASE_URL', url)
  if (isPooled) {
    await ask('DATABASE_DIRECT_URL', directUrl)
    if (limits?.statement === '0' || limits?.lock === '0') {
      throw new Error(
        'DATABASE_URL leads to a pooler, and its connections have no limits of time. Give them to the role, then let the pooler connect anew: ' +
          "ALTER ROLE greenroom SET statement_timeout = '30s'; ALTER ROLE greenroom SET lock_timeout = '10s';",
      )
    }
  }
  return { url, directUrl, stop: async () => {} }
}

async function ask(name: string, url: string) {
  const sql = postgres(url, { max: 1, prepare: false, connect_timeout: 10, onnotice: () => {} })
  try {
    return await sql<
      { statement: string; lock: string }[]
    >`select current_setting('statement_timeout') as statement, current_setting('lock_timeout') as lock`
  } catch (error) {
    const shown = url.replace(/(:\/\/[^:@/]*:)[^@/]*@/, '$1...@')
    const reason = error instanceof Error ? error.message || (error as NodeJS.ErrnoException).code : String(error)
    throw new Error(`${name} is "${shown}", and that database does not respond: ${reason}.`)
  } finally {
    await sql.end({ timeout: 1 })
  }
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
    directUrl: cluster.url,
    async stop() {
      stopping = true
      await restarting
      await cluster.stop()
    },
  }
}
