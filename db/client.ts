import { drizzle, type PostgresJsDatabase } from 'drizzle-orm/postgres-js'
import postgres from 'postgres'
import { env } from '@/lib/env'
import { withPreparedStatements } from '@/server/workarounds/prepared-statements'
import * as schema from './schema'

export type Database = PostgresJsDatabase<typeof schema>
/** What queries run on: the pool, or the transaction of the running command. */
export type Executor = Pick<
  Database,
  'select' | 'selectDistinct' | 'insert' | 'update' | 'delete' | 'execute' | '$count'
>

/**
 * Opens a pool. `url` is a PostgreSQL connection URI.
 * Every connection speaks UTC and gives up on a statement after 30 s, on a lock after 10 s: nothing may wait for ever.
 */
export function createDatabase(url: string, options: { max?: number } = {}): { db: Database; sql: postgres.Sql } {
  const sql = postgres(url, {
    max: options.max ?? 10,
    idle_timeout: 60,
    connect_timeout: 5,
    onnotice: () => {},
    connection: { application_name: 'greenroom', TimeZone: 'UTC', statement_timeout: 30_000, lock_timeout: 10_000 },
  })
  return { db: drizzle({ client: withPreparedStatements(sql), schema, casing: 'snake_case' }), sql }
}

// One pool a process; a reloaded module in development finds the one that is open.
const shared = globalThis as typeof globalThis & { greenroomDatabase?: ReturnType<typeof createDatabase> }

/** The pool of this process, opened at first use. @throws EnvironmentError when there is no database to open. */
export function database(): ReturnType<typeof createDatabase> {
  if (!shared.greenroomDatabase) {
    // Another terminal (`npm run token`) has no DATABASE_URL; `env` finds the embedded database in the data folder.
    const url = process.env.DATABASE_URL || env.DATABASE_URL
    shared.greenroomDatabase = createDatabase(url)
  }
  return shared.greenroomDatabase
}

/** Closes the pool, for scripts that end. */
export async function closeDatabase() {
  await shared.greenroomDatabase?.sql.end({ timeout: 5 })
  shared.greenroomDatabase = undefined
}
