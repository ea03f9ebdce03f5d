import { randomUUID } from 'node:crypto'
import { drizzle, type PostgresJsDatabase } from 'drizzle-orm/postgres-js'
import postgres from 'postgres'
import { afterAll, inject } from 'vitest'

/**
 * Real PostgreSQL for tests. Importing this file gives the importing test file a database of its own, migrated and
 * empty, and points DATABASE_URL at it, so that the product's own pool opens there too. It is dropped afterwards.
 */
export type TestDatabase = { url: string; sql: postgres.Sql; db: PostgresJsDatabase; drop(): Promise<void> }

declare module 'vitest' {
  interface ProvidedContext {
    /** Connection URL of the maintenance database of this run's cluster. */
    testCluster: string
    /** Name of the migrated database every test database is copied from. */
    testTemplate: string
  }
}

/** A fresh copy of the migrated template (some 20 ms). The caller drops it. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const name = `test_${randomUUID().replaceAll('-', '')}`
  await inCluster((sql) => sql.unsafe(`create database ${name} template ${inject('testTemplate')} strategy file_copy`))
  const url = new URL(inject('testCluster'))
  url.pathname = `/${name}`
  const sql = postgres(url.href, { max: 4, onnotice: () => {}, connection: { TimeZone: 'UTC' } })
  return {
    url: url.href,
    sql,
    db: drizzle(sql, { casing: 'snake_case' }),
    async drop() {
      await sql.end({ timeout: 5 })
      await inCluster((cluster) => cluster.unsafe(`drop database if exists ${name} with (force)`))
    },
  }
}

/** Runs `work` on a database of its own: for tests that need a second one, or leave theirs in ruins. */
export async function withTestDatabase<T>(work: (database: TestDatabase) => Promise<T>): Promise<T> {
  const database = await createTestDatabase()
  try {
    return await work(database)
  } finally {
    await database.drop()
  }
}

const own = await createTestDatabase()
process.env.DATABASE_URL = own.url
afterAll(() => own.drop())

/** The database of this test file. */
export const testDb = own.db
export const testSql = own.sql
export const testDatabaseUrl = own.url

export type Statement = { text: string; parameters: unknown[] }

/** Every statement that this pool sends from now on, in a list that grows. */
export function recordStatements(sql: postgres.Sql): Statement[] {
  const sent: Statement[] = []
  const debug = (_connection: number, text: string, parameters: unknown[]) => sent.push({ text, parameters })
  Object.assign(sql.options, { debug })
  return sent
}

export type Plan = { Plans?: Plan[] } & Record<string, string | number>

/** How many rows of the table a SELECT reads, returned or not, as PostgreSQL counts them; 0 for any other statement. */
export async function rowsRead({ text, parameters }: Statement, table: string): Promise<number> {
  const isWriting = /\b(insert into|update "?\w+"? set|delete from|add_jobs)\b/i.test(text)
  if (isWriting || !/^\s*(select|with)\b/i.test(text)) return 0
  const [row] = await testSql.unsafe(`explain (analyze, timing off, format json) ${text}`, parameters as never[])
  return rowsInPlan(row?.['QUERY PLAN'][0].Plan, table)
}

/** How many rows of the table were read where a statement went by this plan (`explain (analyze, format json)`). */
export function rowsInPlan(plan: Plan, table: string): number {
  const read = ['Actual Rows', 'Rows Removed by Filter', 'Rows Removed by Index Recheck'].map((key) =>
    Number(plan[key] ?? 0),
  )
  const own =
    plan['Relation Name'] === table ? read.reduce((sum, rows) => sum + rows, 0) * Number(plan['Actual Loops']) : 0
  return own + (plan.Plans ?? []).reduce((sum, inner) => sum + rowsInPlan(inner, table), 0)
}

/** Empties every table of the product in this test file's database, jobs included; for tests that commit. */
export async function emptyTables() {
  const tables = await testSql<{ name: string }[]>`
    select format('%I.%I', schemaname, tablename) as name from pg_tables
    where (schemaname = 'public') or (schemaname = 'graphile_worker' and tablename = '_private_jobs')`
  if (tables.length > 0)
    // The audit trail refuses to be emptied; a replica's session is not asked.
    await testSql.unsafe(
      `set session_replication_role = replica; truncate ${tables.map(({ name }) => name).join(', ')} restart identity cascade; set session_replication_role = origin`,
    )
}

async function inCluster<T>(work: (sql: postgres.Sql) => Promise<T>): Promise<T> {
  const sql = postgres(inject('testCluster'), { max: 1, onnotice: () => {} })
  try {
    return await work(sql)
  } finally {
    await sql.end({ timeout: 5 })
  }
}
