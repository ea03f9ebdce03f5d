import { spawn } from 'node:child_process'
import { EventEmitter, once } from 'node:events'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import postgres from 'postgres'
import { expect, inject, it } from 'vitest'
import { knownMigrations, migrateDatabase, missingMigrations } from './migrate'

const { entries } = JSON.parse(readFileSync('db/migrations/meta/_journal.json', 'utf8')) as { entries: object[] }

/** A folder of migrations of its own: the journal's `entries`, and files by name. */
async function withFolder<T>(
  { entries, files }: { entries: object[]; files?: Record<string, string> },
  work: (folder: string) => Promise<T>,
): Promise<T> {
  const folder = mkdtempSync(path.join(tmpdir(), 'greenroom-migrations-'))
  try {
    if (!files) cpSync('db/migrations', folder, { recursive: true })
    mkdirSync(path.join(folder, 'meta'), { recursive: true })
    const journal = { version: '7', dialect: 'postgresql', entries }
    writeFileSync(path.join(folder, 'meta', '_journal.json'), JSON.stringify(journal))
    for (const [name, sql] of Object.entries(files ?? {})) writeFileSync(path.join(folder, name), sql)
    return await work(folder)
  } finally {
    rmSync(folder, { recursive: true })
  }
}
const single = { idx: 0, version: '7', when: 1, tag: '0000_single', breakpoints: true }

/** `npm run migrate`, as a process; what it says. */
async function runMigrate(url: string, dataDir: string) {
  const child = spawn(process.execPath, ['--import', 'tsx', 'scripts/migrate.ts'], {
    env: {
      PATH: process.env.PATH,
      NODE_ENV: 'production',
      DATABASE_URL: url,
      DATA_DIR: dataDir,
      AUTH_SECRET: 'the secret of a test, long enough for anybody',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const [said, complaint] = await Promise.all([text(child.stdout), text(child.stderr)])
  return said + complaint
}

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

it.each([
  ['an empty database', 0],
  ['one of an older version', Math.floor(entries.length / 2)],
])('two processes that migrate %s at once both succeed, and each migration is applied once', (_, applied) =>
  withEmptyDatabase(async (url, sql) => {
    if (applied > 0) await withFolder({ entries: entries.slice(0, applied) }, (folder) => migrateDatabase(url, folder))
    expect(await missingMigrations(url)).toBe(entries.length - applied)
    const dataDir = mkdtempSync(path.join(tmpdir(), 'greenroom-migrate-'))
    try {
      const said = await Promise.all([runMigrate(url, dataDir), runMigrate(url, dataDir)])
      expect(said).toEqual(Array(2).fill('The database is up to date.\n'))
    } finally {
      rmSync(dataDir, { recursive: true })
    }
    const rows = await sql`select hash from drizzle.__drizzle_migrations order by id`
    expect(rows.map(({ hash }) => hash)).toEqual(knownMigrations().map(({ sha256 }) => sha256))
    const [keys] = await sql`select count(*)::int as count from signing_keys`
    expect(keys?.count).toBe(1)
  }),
)

it('waits for a long reader without keeping requests waiting until they fail', () =>
  withEmptyDatabase(async (url, sql) => {
    await sql`create table wanted (id int)`
    const reader = postgres(url, { max: 1, onnotice: () => {} })
    const files = { '0000_single.sql': 'alter table wanted add column note text' }
    const steps = new EventEmitter()
    const begun = once(steps, 'begun')
    const reading = reader.begin(async (tx) => {
      await tx`select * from wanted`
      const end = once(steps, 'end')
      steps.emit('begun')
      await end
    })
    await begun
    const waiting = async () => {
      const locks = await sql`select 1 from pg_locks where relation = 'wanted'::regclass and not granted`
      return locks.length
    }
    await withFolder({ entries: [single], files }, async (folder) => {
      const migrating = migrateDatabase(url, folder)
      await expect.poll(waiting).toBe(1)
      // As a request, which gives up after 10 s; the reader is still there when it passes.
      await sql`set lock_timeout = '10s'`
      expect([...(await sql`select * from wanted`)]).toEqual([])
      steps.emit('end')
      await Promise.all([reading, migrating])
    })
    expect([...(await sql`select note from wanted`)]).toEqual([])
    await reader.end()
  }))

it('is held to no limit of time that the role has, and leaves nothing locked', () =>
  withEmptyDatabase(async (url, sql) => {
    await sql.unsafe(`alter database ${new URL(url).pathname.slice(1)} set statement_timeout = '5min'`)
    const files = {
      '0000_single.sql': "create table found as select current_setting('statement_timeout') as statement_timeout",
    }
    await withFolder({ entries: [single], files }, (folder) => migrateDatabase(url, folder))
    expect([...(await sql`select * from found`)]).toEqual([{ statement_timeout: '0' }])
    expect([
      ...(await sql`select * from pg_locks where locktype = 'advisory'
      and database = (select oid from pg_database where datname = current_database())`),
    ]).toEqual([])
  }))

it('counts none as missing in a database of a later version', () =>
  withEmptyDatabase(async (url, sql) => {
    await migrateDatabase(url)
    await sql`insert into drizzle.__drizzle_migrations (hash, created_at) values ('of a later version', ${Date.now() * 2})`
    expect(await missingMigrations(url)).toBe(0)
  }))
