import { createWriteStream } from 'node:fs'
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type postgres from 'postgres'
import { BlobNotFound, type BlobStore, isBlobKey } from '@/lib/domain/kernel/blob-store'
import { openEvent, type PersonKeys } from '@/lib/domain/kernel/personal'
import type { EventType } from '@/lib/vocabulary'
import { Altered, expecting } from './backup/streams'

/** What is asked for cannot be exported, or not there. The message is for the administrator. */
export class ExportError extends Error {
  override readonly name = 'ExportError'
}

const PROJECTS = 'select id from projects where agency_id = $1'
const BATCHES = `select id from batches where project_id in (${PROJECTS})`
const LINKS = `select id from upload_links where batch_id in (${BATCHES})`
const STAGES = `select id from review_stages where batch_id in (${BATCHES})`
const ESTIMATES = `select id from cost_estimates where project_id in (${PROJECTS})`
const RESULTS = `select id from pre_qc_results where project_id in (${PROJECTS})`
const COMMENTS = `select id from file_comments where project_id in (${PROJECTS})`
const ofProjects = `project_id in (${PROJECTS})`
const ofBatches = `batch_id in (${BATCHES})`
const ofEstimates = `estimate_id in (${ESTIMATES})`

/** Rows that belong to the agency `$1`, by table; `without`: columns that are secrets or addresses of persons. */
export const EXPORTED: Readonly<Record<string, { where: string; without?: readonly string[] }>> = {
  agencies: { where: 'id = $1' },
  campaigns: { where: 'agency_id = $1' },
  scorecard_links: { where: 'agency_id = $1', without: ['token_hash', 'token_encrypted'] },
  projects: { where: 'agency_id = $1' },
  project_members: { where: ofProjects },
  batches: { where: ofProjects },
  manifest_entries: { where: ofBatches },
  upload_links: { where: ofBatches, without: ['token_hash', 'token_encrypted', 'password_hash'] },
  upload_sessions: { where: `link_id in (${LINKS})`, without: ['key'] },
  files: { where: ofProjects },
  pre_qc_results: { where: ofProjects },
  pre_qc_waiver_proposals: { where: `result_id in (${RESULTS})` },
  pre_qc_scoped_waivers: { where: ofProjects },
  pre_qc_waivers: { where: `result_id in (${RESULTS})` },
  file_comments: { where: ofProjects },
  comment_attachments: { where: `comment_id in (${COMMENTS})` },
  review_links: { where: ofBatches, without: ['token_hash', 'token_encrypted', 'password_hash', 'email'] },
  guest_decisions: { where: ofBatches },
  review_stages: { where: ofBatches },
  review_stage_members: { where: `stage_id in (${STAGES})` },
  stage_decisions: { where: `stage_id in (${STAGES})` },
  certificates: { where: ofBatches },
  deliveries: { where: ofBatches },
  share_links: { where: ofBatches, without: ['token_hash', 'token_encrypted', 'password_hash'] },
  share_link_files: { where: `link_id in (select id from share_links where ${ofBatches})` },
  delivery_files: { where: `delivery_id in (select id from deliveries where ${ofBatches})` },
  cost_estimates: { where: ofProjects, without: ['token_hash', 'token_encrypted'] },
  cost_estimate_lines: { where: ofEstimates },
  cost_estimate_revisions: { where: ofEstimates },
  cost_estimate_decisions: { where: ofEstimates, without: ['address'] },
  events: {
    // Why something is under legal hold is not for the agency.
    where: `(${ofProjects} or subject_id = $1) and type not like 'legal_hold.%'`,
    without: ['address', 'request_id'],
  },
}

/** Tables of which an export holds nothing, with the reason. */
export const NOT_EXPORTED: Readonly<Record<string, string>> = {
  users: 'accounts are the service’s own; people.jsonl names those who appear',
  api_tokens: 'of an account',
  password_resets: 'of an account',
  ended_sessions: 'of an account',
  mail_preferences: 'of an account',
  saved_views: 'of an account',
  notifications: 'of an account',
  person_keys: 'of accounts and clients',
  mails: 'of an account',
  mail_items: 'of an account',
  media_categories: 'a setting of the service',
  destinations: 'a setting of the service',
  pre_qc_profiles: 'a setting of the service',
  service_settings: 'a setting of the service',
  approval_workflow: 'a setting of the service',
  letterhead: 'a setting of the service',
  delivery_targets: 'a setting of the service',
  webhooks: 'a setting of the service',
  webhook_deliveries: 'of a webhook',
  webhook_attempts: 'of a webhook',
  signing_keys: 'a secret of the service',
  legal_holds: 'kept by the service for its own reasons',
  retention_runs: 'of all agencies',
  retention_items: 'of a run under way',
  audit_seals: 'hashes over the events of all agencies',
  agency_storage: 'the sum of the sizes of the files',
  batch_counts: 'numbers of files and results',
  service_counts: 'numbers of the files and results of all agencies',
  verdicts: 'made from the results',
  analytics_changes: 'which sums are to be made anew',
  analytics_results: 'sums of the results',
  analytics_findings: 'sums of the results',
  analytics_rounds: 'made from the events',
  analytics_turns: 'made from the events',
  analytics_months: 'which sums of months there are',
  analytics_month_results: 'sums of the results',
  analytics_month_findings: 'sums of the results',
  analytics_month_rounds: 'made from the events',
  analytics_month_turns: 'made from the events',
  cost_estimate_numbers: 'numbers of all agencies',
  video_frames: 'made from the files',
  playback_proxies: 'made from the files',
  image_tiles: 'made from the files',
  pre_qc_measurements: 'made from the files',
  content_measurements: 'made from the files',
  recognised_texts: 'made from the files',
  repairs: 'proposals made from the files; those that were taken are versions of them',
  idempotency_keys: 'of requests under way',
  resumable_uploads: 'of uploads under way',
  direct_uploads: 'of uploads under way',
  rate_limits: 'of requests under way',
  workers: 'of processes',
  remote_objects: 'of the storage',
}

/** Columns of exported tables that name a user. */
const USER_COLUMNS = [
  ['project_members', 'user_id'],
  ['projects', 'created_by'],
  ['batches', 'operator_id'],
  ['batches', 'coordinator_id'],
  ['upload_links', 'created_by'],
  ['files', 'source_user_id'],
  ['files', 'decided_by'],
  ['file_comments', 'created_by'],
  ['cost_estimates', 'created_by'],
  ['pre_qc_scoped_waivers', 'created_by'],
  ['pre_qc_scoped_waivers', 'confirmed_by'],
  ['pre_qc_waivers', 'created_by'],
  ['pre_qc_waivers', 'confirmed_by'],
  ['pre_qc_waiver_proposals', 'created_by'],
  ['review_links', 'created_by'],
  ['review_stages', 'created_by'],
  ['review_stages', 'skipped_by'],
  ['review_stage_members', 'user_id'],
  ['stage_decisions', 'user_id'],
  ['deliveries', 'requested_by'],
  ['share_links', 'created_by'],
] as const

const PEOPLE = `select to_jsonb(p) as row from (select id, name from users where id in (${USER_COLUMNS.map(
  ([table, column]) => `select ${column} from ${table} where ${EXPORTED[table]?.where}`,
).join(' union ')}) order by id) p`

const rowsOf = (table: string) => {
  const { where = 'false', without = [] } = EXPORTED[table] ?? {}
  return `select to_jsonb(t) - array[${without.map((column) => `'${column}'`).join(', ')}]::text[] as row from ${table} t where ${where} order by 1`
}

export type Agency = { id: string; name: string; code: string }

/** @param wanted id, code or name, in any case. @throws ExportError where there is none, or several */
export async function findAgency(sql: postgres.Sql | postgres.TransactionSql, wanted: string): Promise<Agency> {
  const found = await sql<Agency[]>`
    select id, name, code from agencies
    where id::text = lower(${wanted}) or lower(code) = lower(${wanted}) or lower(name) = lower(${wanted})`
  const [agency, ...others] = found
  if (!agency) {
    throw new ExportError(
      `There is no agency with the id, code or name “${wanted}”. Settings, Agencies lists them with their codes.`,
    )
  }
  if (others.length > 0) {
    throw new ExportError(
      `“${wanted}” means several agencies. Name one by its id: ${found.map(({ id }) => id).join(', ')}`,
    )
  }
  return agency
}

/** Objects of what users sent, whose bytes are kept: a line each for files, and for what comments on them carry. */
const STORED = `
  select 'files' as place, id, name, size, sha256, object_key, id as order_id from files where ${ofProjects} and removed_at is null
  union all
  select 'attachments', a.id, a.name, a.size, a.sha256, 'files/' || a.object_id, f.id
  from comment_attachments a join file_comments c on c.id = a.comment_id join files f on f.id = c.file_id
  where f.${ofProjects} and f.removed_at is null`

export type Contents = { rows: Record<string, number>; files: number; bytes: number }

/** What an export would hold: rows by table, the files whose bytes are kept, and those bytes. */
export async function previewExport(sql: postgres.Sql, agency: Agency): Promise<Contents> {
  const rows: Record<string, number> = {}
  for (const [table, { where }] of Object.entries(EXPORTED)) {
    const [counted] = await sql.unsafe(`select count(*)::float8 as count from ${table} where ${where}`, [agency.id])
    rows[table] = counted?.count
  }
  const [sum] = await sql.unsafe<{ files: number; bytes: string }[]>(
    `select (count(*) filter (where place = 'files'))::int as files, coalesce(sum(size), 0) as bytes from (${STORED}) stored`,
    [agency.id],
  )
  return { rows, files: sum?.files ?? 0, bytes: Number(sum?.bytes) }
}

type Options = { sql: postgres.Sql; blobs: BlobStore; agency: Agency; folder: string; version: string }

/**
 * Writes everything of one agency into an empty folder: `rows/TABLE.jsonl`, one row a line, all of one moment and without
 * secrets; `files/ID/NAME` and, of comments, `attachments/ID/NAME`, each compared with its SHA-256; `manifest.json` last, with what is missing in the store and how
 * many files a retention rule had removed.
 * @throws ExportError when the folder holds anything
 */
export async function exportAgency({ sql, blobs, agency, folder, version }: Options) {
  await mkdir(path.join(folder, 'rows'), { recursive: true, mode: 0o700 }).catch(cannotWrite(folder))
  const found = (await readdir(folder)).filter((name) => name !== 'rows')
  const inRows = await readdir(path.join(folder, 'rows'))
  if (found.length + inRows.length > 0)
    throw new ExportError(`The folder “${folder}” is not empty. Name one that is, or one that is not there yet.`)
  const rows: Record<string, number> = {}
  const missing: { id: string; name: string; reason: string }[] = []
  let files = 0
  let missingFiles = 0
  let attachments = 0
  let bytes = 0
  const takenAt = await sql.begin('isolation level repeatable read read only', async (tx) => {
    await tx`select set_config('statement_timeout', '0', true), set_config('idle_in_transaction_session_timeout', '0', true)`
    const [at] = await tx<{ now: string }[]>`
      select to_char(now() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as now`
    for (const table of [...Object.keys(EXPORTED), 'people']) {
      rows[table] = await writeRows(tx, folder, table, table === 'people' ? PEOPLE : rowsOf(table), agency.id)
    }
    const stored = tx
      .unsafe<StoredFile[]>(
        `select place, id, name, size::float8 as size, sha256, object_key from (${STORED}) stored order by order_id, id`,
        [agency.id],
      )
      .cursor(200)
    for await (const chunk of stored) {
      for (const file of chunk) {
        const reason = await copyFile(blobs, folder, file)
        if (reason) {
          missing.push({ id: file.id, name: file.name, reason })
          if (file.place === 'files') missingFiles += 1
          continue
        }
        bytes += file.size
        if (file.place === 'files') files += 1
        else attachments += 1
      }
    }
    return at?.now
  })
  const removed = (rows.files ?? 0) - files - missingFiles
  const manifest = { format: 1, version, taken_at: takenAt, agency, rows, files, attachments, bytes, removed, missing }
  await writeFile(path.join(folder, 'manifest.json'), `${JSON.stringify(manifest, null, 2)}\n`, { mode: 0o600 })
  return manifest
}

const cannotWrite = (folder: string) => (error: NodeJS.ErrnoException) => {
  throw new ExportError(`The folder “${folder}” cannot be written to: ${error.message}`)
}

/** One row a line; says how many. */
async function writeRows(tx: postgres.TransactionSql, folder: string, table: string, query: string, agencyId: string) {
  let count = 0
  const keys = table === 'events' ? await readKeys(tx) : null
  async function* lines() {
    for await (const chunk of tx.unsafe<{ row: Row }[]>(query, [agencyId]).cursor(500)) {
      count += chunk.length
      yield chunk.map(({ row }) => `${JSON.stringify(keys ? opened(row, keys) : row)}\n`).join('')
    }
  }
  await pipeline(lines, createWriteStream(path.join(folder, 'rows', `${table}.jsonl`), { flags: 'wx', mode: 0o600 }))
  return count
}

type Row = Record<string, unknown>

/** Read before the events: while a cursor is open, its connection answers nothing else. */
async function readKeys(tx: postgres.TransactionSql): Promise<PersonKeys> {
  const rows = await tx<{ person_id: string; key: Buffer | null }[]>`select person_id, key from person_keys`
  return new Map(rows.map(({ person_id, key }) => [person_id, key]))
}

/** The row of an event with the names of persons, which are stored sealed. */
function opened(row: Row, keys: PersonKeys): Row {
  const { actorName, data } = openEvent(
    {
      type: row.type as EventType,
      actorType: String(row.actor_type),
      actorId: row.actor_id as string | null,
      subjectId: row.subject_id as string | null,
      actorName: String(row.actor_name),
      address: null,
      data: row.data as Row,
    },
    keys,
  )
  return { ...row, actor_name: actorName, data }
}

type StoredFile = {
  place: 'files' | 'attachments'
  id: string
  name: string
  size: number
  sha256: string
  object_key: string
}

/** Gives the reason where the file is not as it was uploaded: then it is left out. */
async function copyFile(blobs: BlobStore, folder: string, file: StoredFile): Promise<string | null> {
  // Names are validated as portable when a file comes in; the id alone stands for one that is not.
  const name = path.basename(file.name) === file.name && !['', '.', '..'].includes(file.name) ? file.name : 'file'
  const to = path.join(folder, file.place, file.id)
  if (!isBlobKey(file.object_key)) return 'is missing'
  await mkdir(to, { recursive: true, mode: 0o700 })
  const target = path.join(to, name)
  try {
    const bytes = await blobs.read(file.object_key)
    await pipeline(
      Readable.from(expecting(file.name, { bytes: file.size, sha256: file.sha256 }, bytes)),
      createWriteStream(target, { flags: 'wx', mode: 0o600 }),
    )
    return null
  } catch (error) {
    await rm(to, { recursive: true, force: true })
    if (error instanceof BlobNotFound) return 'is missing'
    if (error instanceof Altered) return 'is damaged'
    throw error
  }
}
