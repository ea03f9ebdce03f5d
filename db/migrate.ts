import { existsSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { type SQL, sql as statement } from 'drizzle-orm'
import { readMigrationFiles } from 'drizzle-orm/migrator'
import { drizzle } from 'drizzle-orm/postgres-js'
import { migrate } from 'drizzle-orm/postgres-js/migrator'
import { runMigrations } from 'graphile-worker'
import postgres from 'postgres'

// Any constant will do, as long as every version of the product uses the same one.
const LOCK = 7_466_733_624_510_377n

/**
 * For so long a statement of a migration waits for a lock, and all requests to that table behind it: less than the 10 s
 * after which they would fail. Then all is taken back, so that they pass, and tried again.
 */
const LOCK_WAIT = '3s'
const LOCK_TRIES = 30
const LOCK_PAUSE_MS = 1_000
/** PostgreSQL, appendix A: error codes. */
const LOCK_NOT_AVAILABLE = '55P03'

const FOLDER = path.resolve('db/migrations')

/**
 * What finds whose turn is next among the jobs that wait (lib/domain/kernel/jobs.ts): of each kind of turn the first job,
 * and the last of an agency. Without them each upload read all jobs that wait: 35 ms where 10,000 do.
 */
const INDEXES_OF_TURNS = (['agency_id', 'ahead_agency_id'] as const).flatMap((of) => {
  const waits = `where is_available and payload ->> '${of}' is not null`
  const on = 'on graphile_worker._private_jobs'
  const [first, last] = [`greenroom_first_turn_of_${of}`, `greenroom_last_turn_of_${of}`]
  return [
    { name: first, create: `create index if not exists ${first} ${on} (priority) ${waits}` },
    { name: last, create: `create index if not exists ${last} ${on} ((payload ->> '${of}'), priority) ${waits}` },
  ]
})

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
 * Brings the database at `url` up to this version: our own tables, those of the job queue, and our indexes of its jobs.
 * Safe to run from several processes at once (one works, the others wait) and to repeat after being killed.
 */
export async function migrateDatabase(url: string, folder = FOLDER): Promise<void> {
  // One connection: the lock belongs to the session, and drizzle takes none itself.
  const sql = postgres(url, { max: 1, onnotice: () => {}, connection: { application_name: 'greenroom migrate' } })
  try {
    // The role may have a limit of its own, and a migration, or the wait for another process that migrates, takes longer.
    await sql`set statement_timeout = 0`
    await sql`select pg_advisory_lock(${LOCK.toString()}::bigint)`
    await sql.unsafe(`set lock_timeout = '${LOCK_WAIT}'`)
    if (existsSync(path.join(folder, 'meta', '_journal.json'))) {
      await whenUnlocked(() => migrate(drizzle(sql), { migrationsFolder: folder }))
    }
    await runMigrations({ connectionString: url })
    // Asked for first: “if not exists” locks the table all the same, and each upload writes to it.
    const there = await sql`select indexname as name from pg_indexes where schemaname = 'graphile_worker'`
    for (const { name, create } of INDEXES_OF_TURNS)
      if (!there.some((index) => index.name === name)) await whenUnlocked(() => sql.unsafe(create))
  } finally {
    await sql.end({ timeout: 5 })
  }
}

/** All migrations are one transaction: what waits too long for a lock leaves nothing behind. */
async function whenUnlocked(work: () => Promise<unknown>): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await work()
      return
    } catch (error) {
      const isLocked = codeOf(error) === LOCK_NOT_AVAILABLE
      if (!isLocked || attempt === LOCK_TRIES) throw error
      await delay(LOCK_PAUSE_MS)
    }
  }
}

/** The code of PostgreSQL, which drizzle puts into an error of its own. */
function codeOf(error: unknown): string | undefined {
  const { code, cause } = error as { code?: string; cause?: { code?: string } }
  return code ?? cause?.code
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
