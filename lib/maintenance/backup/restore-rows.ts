import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import postgres from 'postgres'
import type { Database } from '@/db/client'
import { appliedMigrations, knownMigrations, migrateDatabase } from '@/db/migrate'
import type { FoundBackup, Manifest } from './manifest'
import { JOBS, NOT_EXPORTED } from './snapshot'
import { expecting } from './streams'
import { BackupError, rowsName, type Target } from './target'

/** Tables in which a start leaves rows before its first use; they do not make a database used, and go. */
const SCRATCH = ['workers', 'rate_limits', 'signing_keys']
const MIGRATIONS = path.resolve('db/migrations')

const quoted = (names: readonly string[]) => names.map((name) => `"${name}"`).join(', ')

/** How many of this version's migrations the backup has. @throws BackupError when it is of a newer version, or of another */
export function migrationsIn({ id, manifest }: FoundBackup): number {
  const known = knownMigrations()
  manifest.migrations.forEach(({ made_at, sha256 }, index) => {
    const own = known[index]
    if (own?.madeAt === made_at && own.sha256 === sha256) return
    throw new BackupError(
      own && own.madeAt >= made_at
        ? `The backup ${id} was made by a Greenroom whose migrations were others than this version's. Restore it with that one.`
        : `The backup ${id} is newer than this Greenroom (${manifest.version}, ${manifest.migrations.length} migrations; here ${known.length}). Restore it with that version or a newer one.`,
    )
  })
  return manifest.migrations.length
}

/**
 * Makes sure that the database is unused, and gives it the tables as they were when the backup was made.
 * @throws BackupError when there are rows, a worker is alive, or its tables are newer than the backup
 */
export async function prepareEmpty(db: Database, url: string, backup: FoundBackup): Promise<void> {
  const sql = postgres(url, { max: 1, onnotice: () => {} })
  try {
    await assertEmpty(sql)
  } finally {
    await sql.end({ timeout: 5 })
  }
  const wanted = migrationsIn(backup)
  const applied = (await appliedMigrations(db)).length
  if (applied > wanted)
    throw new BackupError(
      `The database has no rows, but the tables of a newer version than the backup (${applied} migrations, the backup has ${wanted}). Name a database without tables.`,
    )
  const folder = mkdtempSync(path.join(tmpdir(), 'greenroom-migrations-'))
  try {
    const journal = JSON.parse(readFileSync(path.join(MIGRATIONS, 'meta', '_journal.json'), 'utf8'))
    const entries: { tag: string }[] = journal.entries.slice(0, wanted)
    mkdirSync(path.join(folder, 'meta'))
    writeFileSync(path.join(folder, 'meta', '_journal.json'), JSON.stringify({ ...journal, entries }))
    for (const { tag } of entries) copyFileSync(path.join(MIGRATIONS, `${tag}.sql`), path.join(folder, `${tag}.sql`))
    await migrateDatabase(url, folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function assertEmpty(sql: postgres.Sql | postgres.TransactionSql): Promise<void> {
  const tables = (await tablesOf(sql)).filter(({ name }) => ![...SCRATCH, ...NOT_EXPORTED].includes(name))
  for (const { name } of tables) {
    const [row] = await sql.unsafe<{ used: boolean }[]>(`select exists (select 1 from "${name}") as used`)
    if (row?.used)
      throw new BackupError(
        `The database is not empty: the table ${name} has rows. A backup is only restored into an empty database; make one, or start with another DATA_DIR.`,
      )
  }
  if ((await tablesOf(sql)).some(({ name }) => name === 'workers')) {
    const [alive] = await sql<{ count: number }[]>`
      select count(*)::int as count from workers where heartbeat_at > now() - interval '30 seconds'`
    if (alive?.count) throw new BackupError('A worker uses this database. Stop Greenroom first.')
  }
}

/** Each after those it refers to. */
async function tablesOf(sql: postgres.Sql | postgres.TransactionSql): Promise<{ name: string; columns: string[] }[]> {
  const tables = await sql<{ name: string; columns: string[]; needs: string[] }[]>`
    select c.relname as name,
      array(select a.attname::text from pg_attribute a
        where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '' order by a.attnum) as columns,
      array(select distinct r.relname::text from pg_constraint k join pg_class r on r.oid = k.confrelid
        where k.conrelid = c.oid and k.contype = 'f' and r.oid <> c.oid) as needs
    from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' order by 1`
  const sorted: { name: string; columns: string[] }[] = []
  const left = new Map(tables.map((table) => [table.name, table]))
  while (left.size > 0) {
    const ready = [...left.values()].filter(({ needs }) => needs.every((name) => !left.has(name)))
    if (ready.length === 0)
      throw new Error('Tables refer to each other in a circle; they cannot be filled in any order.')
    for (const { name, columns } of ready) {
      sorted.push({ name, columns })
      left.delete(name)
    }
  }
  return sorted
}

/** Fails when the rows are not those that the manifest names. */
export async function verifyRows(target: Target, { id, manifest }: FoundBackup): Promise<void> {
  for (const table of manifest.tables) for await (const _ of packedRows(target, id, table)) void _
}

async function* packedRows(target: Target, id: string, table: Manifest['tables'][number]) {
  const name = rowsName(id, table.name)
  yield* expecting(name, table, await target.read(name))
}

/** Writes all rows, in one transaction: it has them all, or none. */
export async function writeRows(url: string, target: Target, { id, manifest }: FoundBackup): Promise<void> {
  const sql = postgres(url, {
    max: 1,
    onnotice: () => {},
    connection: { TimeZone: 'UTC', application_name: 'greenroom restore' },
  })
  try {
    await sql.begin(async (tx) => {
      const tables = await tablesOf(tx)
      await tx.unsafe(`lock table ${quoted(tables.map(({ name }) => name))} in access exclusive mode`)
      // Checked once more, now that no other session can write.
      await assertEmpty(tx)
      for (const name of SCRATCH)
        if (tables.some((table) => table.name === name)) await tx.unsafe(`delete from "${name}"`)
      const stored = new Map(manifest.tables.map((table) => [table.name, table]))
      for (const { name, columns } of tables) {
        if (NOT_EXPORTED.includes(name)) continue
        const table = stored.get(name)
        if (!table) throw new BackupError(`The backup has no rows of the table ${name}.`)
        stored.delete(name)
        const unknown = table.columns.filter((column) => !columns.includes(column))
        if (unknown.length > 0) throw new BackupError(`The table ${name} has no column ${unknown.join(', ')}.`)
        await copyIn(tx, target, id, table, name)
      }
      const jobs = stored.get(JOBS.name)
      stored.delete(JOBS.name)
      if (!jobs || stored.size > 0)
        throw new BackupError(
          `The backup has ${jobs ? `rows of unknown tables: ${[...stored.keys()].join(', ')}` : 'no jobs'}.`,
        )
      await queueJobs(tx, target, id, jobs)
      await setSequences(tx, manifest)
    })
  } finally {
    await sql.end({ timeout: 5 })
  }
}

/** `into`: a table, as it is in this database. The columns were compared with it. */
async function copyIn(
  tx: postgres.TransactionSql,
  target: Target,
  id: string,
  table: Manifest['tables'][number],
  into: string,
): Promise<void> {
  const packed = Readable.from(packedRows(target, id, table), { objectMode: false })
  const sink = await tx.unsafe(`copy "${into}" (${quoted(table.columns)}) from stdin`).writable()
  await pipeline(packed, createGunzip(), sink)
  const [counted] = await tx.unsafe<{ rows: number }[]>(`select count(*)::float8 as rows from "${into}"`)
  if (counted?.rows !== table.rows)
    throw new BackupError(`The table ${table.name} got ${counted?.rows} rows, the manifest names ${table.rows}.`)
}

/** By the queue's own functions, which know how their tables are now. */
async function queueJobs(tx: postgres.TransactionSql, target: Target, id: string, jobs: Manifest['tables'][number]) {
  if (jobs.columns.join() !== JOBS.columns.join()) throw new BackupError('The jobs of the backup have unknown columns.')
  await tx`create temporary table restored_jobs (
    identifier text, queue_name text, payload json, run_at timestamptz, priority int, max_attempts int, attempts int,
    key text, flags jsonb) on commit drop`
  await copyIn(tx, target, id, jobs, 'restored_jobs')
  await tx`
    with added as materialized (
      select r.attempts, (graphile_worker.add_job(r.identifier, r.payload, r.queue_name, r.run_at, r.max_attempts, r.key, r.priority,
        (select array_agg(flag) from jsonb_object_keys(r.flags) flag))).id
      from restored_jobs r
    )
    select graphile_worker.reschedule_jobs(array[a.id], attempts => a.attempts) from added a where a.attempts > 0`
}

async function setSequences(tx: postgres.TransactionSql, { sequences }: Manifest) {
  const known = await tx<{ name: string }[]>`select sequencename as name from pg_sequences where schemaname = 'public'`
  for (const { name, last } of sequences) {
    if (!known.some((sequence) => sequence.name === name)) throw new BackupError(`There is no sequence ${name}.`)
    await tx`select setval(${`public."${name}"`}::regclass, ${last}::bigint)`
  }
}
