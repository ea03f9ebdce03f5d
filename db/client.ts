import { drizzle, type PostgresJsDatabase } from 'drizzle-orm/postgres-js'
import postgres from 'postgres'
import { env } from '@/lib/env'
import { withPreparedStatements } from '@/server/workarounds/prepared-statements'
import { closeSilentConnections } from '@/server/workarounds/silent-connections'
import * as schema from './schema'

export type Database = PostgresJsDatabase<typeof schema>
/** What queries run on: the pool, or the transaction of the running command. */
export type Executor = Pick<
  Database,
  | 'select'
  | 'selectDistinct'
  | 'selectDistinctOn'
  | 'insert'
  | 'update'
  | 'delete'
  | 'execute'
  | '$count'
  | 'with'
  | '$with'
>

const STATEMENT_MS = 30_000

/**
 * Opens a pool. `url` is a PostgreSQL connection URI.
 * Every connection speaks UTC and gives up on a statement after 30 s, on a lock after 10 s: nothing may wait for ever.
 * `isPooled`: `url` leads to a pooler in transaction mode. It gives each transaction another connection, which keeps no
 * statement of ours by name, and refuses to begin with these limits: the database's role has them (docs/deploying.md).
 * `silenceMs`: closes connections on which a statement waits as long without a byte of an answer.
 */
export function createDatabase(
  url: string,
  { max = 10, isPooled = false, silenceMs }: { max?: number; isPooled?: boolean; silenceMs?: number } = {},
): { db: Database; sql: postgres.Sql } {
  const limits = isPooled ? {} : { statement_timeout: STATEMENT_MS, lock_timeout: 10_000 }
  const silent = silenceMs ? closeSilentConnections(silenceMs) : null
  const sql = postgres(url, {
    ...silent?.options,
    max,
    prepare: !isPooled,
    idle_timeout: 60,
    connect_timeout: 5,
    onnotice: () => {},
    connection: { application_name: 'greenroom', TimeZone: 'UTC', ...limits },
  })
  return { db: drizzle({ client: withPreparedStatements(sql, silent?.wait), schema, casing: 'snake_case' }), sql }
}

/** `listener`: for LISTEN, which needs a connection of its own to the database itself. */
type Opened = ReturnType<typeof createDatabase> & { listener: postgres.Sql }

// One pool a process; a reloaded module in development finds the one that is open.
const shared = globalThis as typeof globalThis & { greenroomDatabase?: Opened }

/** The pool of this process, opened at first use. @throws EnvironmentError when there is no database to open. */
export function database(): Opened {
  if (!shared.greenroomDatabase) {
    // Another terminal (`npm run token`) has no DATABASE_URL; `env` finds the embedded database in the data folder.
    const url = process.env.DATABASE_URL || env.DATABASE_URL
    const isPooled = Boolean(process.env.DATABASE_DIRECT_URL?.trim())
    const opened = createDatabase(url, { isPooled, silenceMs: STATEMENT_MS + 5_000 })
    const listener = isPooled ? createDatabase(env.DATABASE_DIRECT_URL, { max: 1 }).sql : opened.sql
    shared.greenroomDatabase = { ...opened, listener }
  }
  return shared.greenroomDatabase
}

/** Closes the pool, for scripts that end. */
export async function closeDatabase() {
  const opened = shared.greenroomDatabase
  await Promise.all([...new Set([opened?.sql, opened?.listener])].map((sql) => sql?.end({ timeout: 5 })))
  shared.greenroomDatabase = undefined
}
