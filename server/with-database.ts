import { existsSync } from 'node:fs'
import path from 'node:path'
import { env } from '@/lib/env'
import { prepareDataFolder, startEmbeddedDatabase } from './embedded-database/embedded-database'
import { claimDataFolder } from './supervisor/claim'

/**
 * Runs `work` with the address of the database, not that of a pooler before it: the one that is set, else the embedded one of
 * the data folder, which is started for it where no Greenroom runs on the folder. `isAlone`: refuses where one does. The
 * product's own pool opens there, too.
 */
export async function withDatabase<T>(
  { dataDir, isAlone }: { dataDir: string; isAlone: boolean },
  work: (url: string) => Promise<T>,
): Promise<T> {
  if (process.env.DATABASE_URL?.trim()) return work(env.DATABASE_DIRECT_URL)
  if (!isAlone && !existsSync(path.join(dataDir, 'database-url'))) return work(env.DATABASE_URL)
  prepareDataFolder(dataDir)
  const claim = await claimDataFolder(dataDir, 'a command').catch((error: unknown) => {
    if (isAlone) throw error
    return null
  })
  // A Greenroom runs: it keeps its database running.
  if (!claim) return work(env.DATABASE_URL)
  try {
    const cluster = await startEmbeddedDatabase(dataDir)
    try {
      return await work(cluster.url)
    } finally {
      await cluster.stop()
    }
  } finally {
    claim.release()
  }
}
