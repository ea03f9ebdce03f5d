import { createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { sql } from 'drizzle-orm'
import type postgres from 'postgres'
import type { Database } from '@/db/client'
import { appliedMigrations } from '@/db/migrate'
import type { BlobKey } from '@/lib/domain/kernel/blob-store'
import { copyOut } from '@/server/workarounds/copy-out'
import { namedObjects } from '../named-objects'
import type { Manifest } from './manifest'
import { type Sum, summing, through } from './streams'
import { idOf, rowsName, type Target } from './target'

/**
 * What does not belong into another database: which workers live, and where UploadThing has our objects. The counts of
 * batches and of the service and the verdicts are made again by the triggers of the rows that come, the sums of analytics by a worker.
 */
export const NOT_EXPORTED = [
  ...['workers', 'remote_objects', 'batch_counts', 'service_counts', 'verdicts'],
  ...['analytics_changes', 'analytics_results', 'analytics_findings', 'analytics_rounds', 'analytics_turns'],
  ...['analytics_months', 'analytics_month_results', 'analytics_month_findings', 'analytics_month_rounds'],
  'analytics_month_turns',
]
/** Bytes of uploads under way are not stored yet; such an upload begins anew. */
const ONLY: Record<string, string> = {
  resumable_uploads: 'where verdict is not null',
  direct_uploads: 'where verdict is not null',
}
/** The queue in the words of its own interface, add_job, so that another version of it can be given them. */
export const JOBS = {
  name: 'jobs_of_queue',
  columns: ['identifier', 'queue_name', 'payload', 'run_at', 'priority', 'max_attempts', 'attempts', 'key', 'flags'],
}
const JOB_ROWS = `
  select t.identifier, q.queue_name, j.payload, j.run_at, j.priority, j.max_attempts,
    case when j.locked_at is null then j.attempts else greatest(j.attempts - 1, 0) end as attempts, j.key, j.flags
  from graphile_worker._private_jobs j
  join graphile_worker._private_tasks t on t.id = j.task_id
  left join graphile_worker._private_job_queues q on q.id = j.job_queue_id
  order by j.id`

/** An object as it is named by the rows of the snapshot; `uploaded` as in `NamedObject`. One a line of the spool, as JSON. */
export type SpooledObject = { key: BlobKey; uploaded: Sum | null }

export type Snapshot = Pick<
  Manifest,
  'taken_at' | 'installation' | 'migrations' | 'tables' | 'sequences' | 'audit_head'
>

/**
 * Writes the rows of every table, and the list of the objects they name into the file `spool`, all as they are at one
 * moment. `onBegin` hears of which installation, before anything is written; what it throws ends it.
 */
export async function takeSnapshot(
  { db, sql: pool }: { db: Database; sql: postgres.Sql },
  target: Target,
  spool: string,
  onBegin: (installation: string | null) => Promise<void>,
): Promise<Snapshot> {
  return db.transaction(
    async (tx) => {
      await tx.execute(
        sql`select set_config('statement_timeout', '0', true), set_config('idle_in_transaction_session_timeout', '0', true)`,
      )
      const [at] = await tx.execute<{ snapshot: string; taken_at: string }>(sql`
        select pg_export_snapshot() as snapshot, to_char(now() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as taken_at`)
      if (!at) throw new Error('The database gave no snapshot.')
      const chain = await tx.execute<{ position: number; hash: string }>(sql`
        (select position::int, hash from audit_seals where position = 1)
        union (select position::int, hash from audit_seals order by position desc limit 1) order by position`)
      const installation = chain.find(({ position }) => position === 1)?.hash ?? null
      await onBegin(installation)
      const migrations = (await appliedMigrations(tx)).map(({ madeAt, sha256 }) => ({ made_at: madeAt, sha256 }))
      const tables = await pool.begin('isolation level repeatable read read only', async (copying) => {
        await copying.unsafe(`set transaction snapshot '${at.snapshot}'`)
        await copying`select set_config('statement_timeout', '0', true)`
        return copyTables(copying, target, idOf(new Date(at.taken_at)))
      })
      const sequences = await tx.execute<{ name: string; last: string }>(sql`
        select sequencename as name, last_value::text as last from pg_sequences
        where schemaname = 'public' and last_value is not null order by 1`)
      await pipeline(spooled(namedObjects(tx)), createWriteStream(spool, { mode: 0o600 }))
      return {
        taken_at: at.taken_at,
        installation,
        migrations,
        tables,
        sequences: [...sequences],
        audit_head: chain.at(-1) ?? null,
      }
    },
    { isolationLevel: 'repeatable read', accessMode: 'read only' },
  )
}

async function* spooled(objects: ReturnType<typeof namedObjects>) {
  for await (const { key, uploaded } of objects) {
    const line: SpooledObject = { key, uploaded: uploaded && { bytes: uploaded.size, sha256: uploaded.sha256 } }
    yield `${JSON.stringify(line)}\n`
  }
}

async function copyTables(copying: postgres.TransactionSql, target: Target, id: string): Promise<Manifest['tables']> {
  const found = await copying<{ name: string; columns: string[] }[]>`
    select c.relname as name, array_agg(a.attname::text order by a.attnum) as columns
    from pg_class c join pg_attribute a on a.attrelid = c.oid
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'
      and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
    group by c.relname order by c.relname`
  const quoted = (names: readonly string[]) => names.map((name) => `"${name}"`).join(', ')
  const tables: Manifest['tables'] = []
  const copy = async (name: string, columns: string[], rows: string) => {
    const [counted] = await copying.unsafe<{ rows: number }[]>(`select count(*)::float8 as rows from (${rows}) r`)
    const stream = await copying.unsafe(`copy (${rows}) to stdout`).readable()
    let sum: Sum | undefined
    await target.put(
      rowsName(id, name),
      summing(through(copyOut(stream), createGzip()), (found) => {
        sum = found
      }),
    )
    tables.push({ name, columns, rows: counted?.rows ?? 0, ...(sum as unknown as Sum) })
  }
  for (const { name, columns } of found) {
    if (NOT_EXPORTED.includes(name)) continue
    await copy(name, columns, `select ${quoted(columns)} from "${name}" ${ONLY[name] ?? ''}`)
  }
  await copy(JOBS.name, JOBS.columns, JOB_ROWS)
  return tables
}
