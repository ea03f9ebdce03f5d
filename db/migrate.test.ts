import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import postgres from 'postgres'
import { expect, inject, it } from 'vitest'
import { migrateDatabase, missingMigrations } from './migrate'

const { entries } = JSON.parse(readFileSync('db/migrations/meta/_journal.json', 'utf8')) as { entries: object[] }

/** Runs `work` on an empty database, not one copied from the template. */
async function withEmptyDatabase(work: (url: string, sql: postgres.Sql) => Promise<void>) {
  const name = `empty_${Date.now()}_${process.pid}`
  const cluster = postgres(inject('testCluster'), { max: 1, onnotice: () => {} })
  await cluster.unsafe(`create database ${name}`)
  const url = new URL(inject('testCluster'))
  url.pathname = `/${name}`
  const sql = postgres(url.href, { max: 1, onnotice: () => {} })
  try {
    await work(url.href, sql)
  } finally {
    await sql.end({ timeout: 5 })
    await cluster.unsafe(`drop database ${name} with (force)`)
    await cluster.end({ timeout: 5 })
  }
}

it('migrates an empty database once, however many begin at the same time', () =>
  withEmptyDatabase(async (url, sql) => {
    expect(await missingMigrations(url)).toBe(entries.length)
    await Promise.all([1, 2, 3, 4].map(() => migrateDatabase(url)))
    const [applied] = await sql`select count(*)::int as count from drizzle.__drizzle_migrations`
    expect(applied?.count).toBe(entries.length)
    expect(await missingMigrations(url)).toBe(0)
  }))

it('is held to no limit of time that the role has, and leaves nothing locked', () =>
  withEmptyDatabase(async (url, sql) => {
    await sql.unsafe(`alter database ${new URL(url).pathname.slice(1)} set statement_timeout = '5min'`)
    const folder = mkdtempSync(path.join(tmpdir(), 'greenroom-migrations-'))
    const entry = { idx: 0, version: '7', when: 1, tag: '0000_limit', breakpoints: true }
    mkdirSync(path.join(folder, 'meta'))
    writeFileSync(
      path.join(folder, 'meta', '_journal.json'),
      JSON.stringify({ version: '7', dialect: 'postgresql', entries: [entry] }),
    )
    writeFileSync(
      path.join(folder, '0000_limit.sql'),
      "create table found as select current_setting('statement_timeout') as statement_timeout",
    )
    try {
      await migrateDatabase(url, folder)
    } finally {
      rmSync(folder, { recursive: true })
    }
    expect([...(await sql`select * from found`)]).toEqual([{ statement_timeout: '0' }])
    expect([...(await sql`select * from pg_locks where locktype = 'advisory'`)]).toEqual([])
  }))

it('counts none as missing in a database of a later version', () =>
  withEmptyDatabase(async (url, sql) => {
    await migrateDatabase(url)
    await sql`insert into drizzle.__drizzle_migrations (hash, created_at) values ('of a later version', ${Date.now() * 2})`
    expect(await missingMigrations(url)).toBe(0)
  }))
