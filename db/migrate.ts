import { existsSync } from 'node:fs'
import path from 'node:path'
import { type SQL, sql as statement } from 'drizzle-orm'
import { readMigrationFiles } from 'drizzle-orm/migrator'
import { drizzle } from 'drizzle-orm/postgres-js'
import { migrate } from 'drizzle-orm/postgres-js/migrator'
import { runMigrations } from 'graphile-worker'
import postgres from 'postgres'

// Any constant will do, as long as every version of the product uses the same one.
const LOCK = 7_466_733_624_510_377n

const FOLDER = path.resolve('db/migrations')

/** A migration of ours by the time it was made, in milliseconds, which is also what it is ordered by. */
export type Migration = { madeAt: number; sha256: string }

/** The migrations of this version, in their order. */
export const knownMigrations = (folder = FOLDER): Migration[] =>
  readMigrationFiles({ migrationsFolder: folder }).map(({ folderMillis, hash }) => ({
    madeAt: folderMillis,
    sha256: hash,
  }))

/** Those that the database went through, in their order; none where it is empty. */
export async function appliedMigrations(db: { execute(query: SQL): Promise<unknown> }): Promise<Migration[]> {
  const isThere = (await db.execute(
    statement`select to_regclass('drizzle.__drizzle_migrations') is not null as there`,
  )) as { there: boolean }[]
  if (!isThere[0]?.there) return []
  const rows = (await db.execute(
    statement`select created_at::text as at, hash from drizzle.__drizzle_migrations order by created_at`,
  )) as { at: string; hash: string }[]
  return rows.map(({ at, hash }) => ({ madeAt: Number(at), sha256: hash }))
}

/**
 * Brings the database at `url` up to this version: our own tables, then those of the job queue.
 * Safe to run from several processes at once (one works, the others wait) and to repeat after being killed.
 */
export async function migrateDatabase(url: string, folder = FOLDER): Promise<void> {
  // One connection: the lock belongs to the session, and drizzle takes none itself.
  const sql = postgres(url, { max: 1, onnotice: () => {}, connection: { application_name: 'greenroom migrate' } })
  try {
    // The role may have a limit of its own, and a migration, or the wait for another process that migrates, takes longer.
    await sql`set statement_timeout = 0`
    await sql`select pg_advisory_lock(${LOCK.toString()}::bigint)`
    // From here on nothing may queue behind a long reader and block all others with it.
    await sql`set lock_timeout = '15s'`
    if (existsSync(path.join(folder, 'meta', '_journal.json'))) {
      await migrate(drizzle(sql), { migrationsFolder: folder })
    }
    await runMigrations({ connectionString: url })
  } finally {
    await sql.end({ timeout: 5 })
  }
}

/** How many migrations of this version the database at `url` has not had; 0 as well when it has had those of a later one. */
export async function missingMigrations(url: string): Promise<number> {
  const sql = postgres(url, { max: 1, connect_timeout: 10, onnotice: () => {} })
  try {
    const newest = (await appliedMigrations(drizzle(sql))).at(-1)?.madeAt ?? 0
    return knownMigrations().filter(({ madeAt }) => madeAt > newest).length
  } finally {
    await sql.end({ timeout: 5 })
  }
}
