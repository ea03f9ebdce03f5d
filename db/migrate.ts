import { existsSync } from 'node:fs'
import path from 'node:path'
import { drizzle } from 'drizzle-orm/postgres-js'
import { migrate } from 'drizzle-orm/postgres-js/migrator'
import { runMigrations } from 'graphile-worker'
import postgres from 'postgres'

// Any constant will do, as long as every version of the product uses the same one.
const LOCK = 7_466_733_624_510_377n

/**
 * Brings the database at `url` up to this version: our own tables, then those of the job queue.
 * Safe to run from several processes at once (one works, the others wait) and to repeat after being killed.
 */
export async function migrateDatabase(url: string, folder = path.resolve('db/migrations')): Promise<void> {
  // One connection: the lock belongs to the session, and drizzle takes none itself.
  const sql = postgres(url, { max: 1, onnotice: () => {}, connection: { application_name: 'greenroom migrate' } })
  try {
    await sql`select pg_advisory_lock(${LOCK.toString()}::bigint)`
    // From here on nothing may queue behind a long reader and block everybody else with it.
    await sql`set lock_timeout = '15s'`
    if (existsSync(path.join(folder, 'meta', '_journal.json'))) {
      await migrate(drizzle(sql), { migrationsFolder: folder })
    }
    await runMigrations({ connectionString: url })
  } finally {
    await sql.end({ timeout: 5 })
  }
}
