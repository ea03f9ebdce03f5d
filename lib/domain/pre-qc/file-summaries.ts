import { and, asc, count, desc, eq, inArray, isNull, like, or, type SQL, sql } from 'drizzle-orm'
import type { z } from 'zod'
import { isTrue } from '@/db/schema/columns'
import { fileComments } from '@/db/schema/comments'
import { users } from '@/db/schema/directory'
import { files, nameOrderOf } from '@/db/schema/files'
import { preQcResults, verdicts } from '@/db/schema/pre-qc'
import { uploadLinks } from '@/db/schema/upload-links'
import { type BatchCounts, countsOf } from '../batches/counts'
import { onBatch } from '../batches/find'
import { presentFile, type SelectedFile, selectFiles } from '../files/present'
import { directionOf } from '../files/rules'
import { BrowseFiles, FileFacets, type FileSummary, FileSummaryList } from '../files/schema'
import { query, type Tx } from '../kernel/operation'
import { isAmong } from '../kernel/rows'
import { contains } from '../kernel/shapes'
import { nameKey } from '../naming/portable-name'
import { serializeResults } from './queries'
import { mainFinding } from './rules'
import type { PreQcResult } from './schema'

type Input = z.output<typeof BrowseFiles>

/** What a list says of a file's content; the other facts are long, and read with the file itself. */
const SHORT_FACTS = ['width', 'height', 'duration_seconds', 'pages', 'frame_rate', 'sample_rate', 'audio'] as const

export const browseFiles = query({
  name: 'browseFiles',
  summary:
    'The current files of a batch in short, any part of the list: filtered, counted, with what their checks found first',
  permission: 'projects.read',
  resource: onBatch,
  input: BrowseFiles,
  output: FileSummaryList,
  async run(tx, { resource: { batch }, input }) {
    const ofBatch = and(eq(files.batchId, batch.id), isTrue(files.isCurrent)) as SQL
    const matching = and(
      ofBatch,
      input.q ? like(files.nameKey, contains(nameKey(input.q))) : undefined,
      input.verdict ? and(eq(preQcResults.status, 'completed'), eq(preQcResults.summary, input.verdict)) : undefined,
      input.decision ? eq(files.decision, input.decision) : undefined,
      input.kind ? eq(files.kind, input.kind) : undefined,
      input.check ? foundBy(tx, input.check, batch.id) : undefined,
      input.sender ? or(eq(files.sourceUserId, input.sender), eq(files.sourceLinkId, input.sender)) : undefined,
    ) as SQL
    const list = listOf(input)
    const isJoined = input.verdict !== undefined || input.order === 'verdict'
    const offset = input.at
      ? await placeOf(tx, list, await keyOf(tx, input, input.at, batch.id), matching, isJoined, input.limit)
      : input.offset
    const from = input.after ? await keyOf(tx, input, input.after, batch.id) : null
    // Which files, from an index alone; what is passed over is not read.
    const base = tx.db.select({ id: files.id }).from(files).$dynamic()
    const shown = await (isJoined ? base.leftJoin(preQcResults, IS_CURRENT_RESULT) : base)
      .where(and(matching, from ? list.isAfter(from) : undefined))
      .orderBy(...list.order)
      .limit(input.limit)
      .offset(offset)
    const ids = shown.map(({ id }) => id)
    const selected = ids.length === 0 ? [] : await selectFiles(tx, true).where(inArray(files.id, ids))
    const byId = new Map(selected.map((row) => [row.file.id, row]))
    const rows = ids.flatMap((id) => byId.get(id) ?? [])
    const results = await resultsOf(tx, ids)
    const comments = input.comments === 'open' ? await openComments(tx, batch.id, ids) : null
    const counts = await countsOf(tx, batch.id)
    return {
      files: rows.map((row) => ({
        ...serializeRow(tx, row, results.get(row.file.id) ?? null, input.checks === 'all'),
        ...(comments && { open_comments: comments.get(row.file.id) ?? 0 }),
      })),
      offset,
      total: knownTotal(counts, input) ?? (await countOf(tx, matching, isJoined)),
      could_not_run: counts.couldNotRun,
    }
  },
})

/** By the batch, too: what results came to is read from the index of it alone. */
const IS_CURRENT_RESULT = and(
  eq(preQcResults.fileId, files.id),
  eq(preQcResults.batchId, files.batchId),
  isTrue(preQcResults.isCurrent),
)

/** Where a file stands in the list: what the list is ordered by, as text, and its id. */
type Key = { value: string; id: string }
type List = { order: SQL[]; isBefore: (key: Key) => SQL; isAfter: (key: Key) => SQL }

/** What each order goes by, and the type of it. */
const ORDERS: Record<Exclude<Input['order'], 'newest'>, { by: SQL; type: SQL }> = {
  name: { by: nameOrderOf('files.name_key'), type: sql`text` },
  size: { by: sql`${files.size}`, type: sql`bigint` },
  duration: { by: sql`coalesce((${files.media} ->> 'duration_seconds')::float8, 0)`, type: sql`float8` },
  version: { by: sql`${files.version}`, type: sql`int` },
  decision: { by: sql`array_position(array['pending', 'rejected', 'approved'], ${files.decision})`, type: sql`int` },
  verdict: {
    by: sql`case when ${preQcResults.status} = 'failed' then 0 when ${preQcResults.status} = 'completed'
      then coalesce(array_position(array['fail', 'warning', 'not_applicable', 'pass'], ${preQcResults.summary}), 0)
      else 9 end`,
    type: sql`int`,
  },
}

function listOf({ order, direction = directionOf(order) }: Input): List {
  const isUp = direction === 'asc'
  const [up, down] = isUp ? [sql`>`, sql`<`] : [sql`<`, sql`>`]
  const put = isUp ? asc : desc
  if (order === 'newest') {
    return {
      order: [put(files.id)],
      isBefore: ({ id }) => sql`${files.id} ${down} ${id}::uuid`,
      isAfter: ({ id }) => sql`${files.id} ${up} ${id}::uuid`,
    }
  }
  const { by, type } = ORDERS[order]
  const isBeyond = (key: Key, way: SQL) => sql`(${by}, ${files.id}) ${way} (${key.value}::${type}, ${key.id}::uuid)`
  return {
    order: [put(by), put(files.id)],
    isBefore: (key) => isBeyond(key, down),
    isAfter: (key) => isBeyond(key, up),
  }
}

/** Null where the batch has no such file. */
async function keyOf(tx: Tx, { order }: Input, fileId: string, batchId: string): Promise<Key | null> {
  const [found] = await tx.db
    .select({ id: files.id, value: order === 'newest' ? sql<string>`''` : sql<string>`(${ORDERS[order].by})::text` })
    .from(files)
    .leftJoin(preQcResults, IS_CURRENT_RESULT)
    .where(and(eq(files.id, fileId), eq(files.batchId, batchId)))
  return found ?? null
}

/**
 * What completed results of a batch found that is not waived: result and check, one a row. Read from the index of verdicts
 * alone, but for what a worker has yet to fill in there after an upgrade.
 */
const findingsIn = (batchId: string) => sql`(
  select v.result_id, f.check_id from ${verdicts} v cross join unnest(v.findings) as f (check_id)
  where v.batch_id = ${batchId} and v.findings <> '{}'
  union all
  select v.result_id, f.check_id from ${verdicts} v join ${preQcResults} r on r.id = v.result_id
    cross join unnest(findings_of_result(r.id, r.checks)) as f (check_id)
  where v.batch_id = ${batchId} and v.findings is null and v.summary in ('fail', 'warning'))`

/** Of files of the batch: whether the newest result found something by this check. */
const foundBy = (tx: Tx, checkId: string, batchId: string) =>
  isAmong(
    files.id,
    tx.db
      .select({ id: preQcResults.fileId })
      .from(preQcResults)
      .where(
        and(
          eq(preQcResults.batchId, batchId),
          isTrue(preQcResults.isCurrent),
          isAmong(preQcResults.id, sql`select result_id from ${findingsIn(batchId)} found where check_id = ${checkId}`),
        ),
      ),
  )

/** So many files of a kind, where there is one, or else of a sender. */
type Counted = FileFacets['senders'][number] & { kind: FileFacets['kinds'][number]['kind'] | null }

export const listFileFacets = query({
  name: 'listFileFacets',
  summary: 'What the files of a batch can be filtered by: kinds, senders and checks with findings, each with its count',
  permission: 'projects.read',
  resource: onBatch,
  output: FileFacets,
  async run(tx, { resource: { batch } }) {
    const ofBatch = and(eq(files.batchId, batch.id), isTrue(files.isCurrent))
    // Kinds and senders are counted together, and named when they are counted: the files are read once.
    const counted = await tx.db.execute<Counted>(sql`
      select counted.kind, coalesce(source_user_id, source_link_id) as id, source_type as type,
        coalesce((select ${users.name} from ${users} where ${users.id} = source_user_id),
          (select nullif(${uploadLinks.label}, '') from ${uploadLinks} where ${uploadLinks.id} = source_link_id), 'Upload link') as name, files
      from (
        select kind, source_type, source_user_id, source_link_id, count(*)::int as files from ${files} where ${ofBatch}
        group by grouping sets ((kind), (source_type, source_user_id, source_link_id))
      ) counted order by files desc, counted.kind, name`)
    const kinds = counted.flatMap(({ kind, files }) => (kind ? [{ kind, files }] : []))
    const senders = counted.flatMap(({ kind, ...sender }) => (kind ? [] : [sender]))
    const current = tx.db
      .select({ id: preQcResults.id })
      .from(preQcResults)
      .where(
        and(
          eq(preQcResults.batchId, batch.id),
          isTrue(preQcResults.isCurrent),
          eq(preQcResults.status, 'completed'),
          isAmong(preQcResults.fileId, tx.db.select({ id: files.id }).from(files).where(ofBatch)),
        ),
      )
    // What a check is called is read of the newest result in which it found something.
    const checks = await tx.db.execute<FileFacets['checks'][number]>(sql`
      select check_id, (select c ->> 'label' from ${preQcResults} cross join json_array_elements(${preQcResults.checks}) as c
        where ${preQcResults.id} = counted.newest_id and c ->> 'check_id' = counted.check_id limit 1) as label, files
      from (
        select check_id, max(result_id::text)::uuid as newest_id, count(*)::int as files
        from ${findingsIn(batch.id)} found where ${isAmong(sql`result_id`, current)} group by check_id
      ) counted order by files desc, 1`)
    return { kinds, senders, checks: [...checks] }
  },
})

/** How many files stand before the part of the list that holds this file; 0 where the list does not hold it. */
async function placeOf(tx: Tx, list: List, key: Key | null, matching: SQL, isJoined: boolean, limit: number) {
  if (!key || (await countOf(tx, and(matching, eq(files.id, key.id)) as SQL, isJoined)) === 0) return 0
  const before = await countOf(tx, and(matching, list.isBefore(key)) as SQL, isJoined)
  return before - (before % limit)
}

async function openComments(tx: Tx, batchId: string, fileIds: readonly string[]): Promise<Map<string, number>> {
  if (fileIds.length === 0) return new Map()
  const rows = await tx.db
    .select({ fileId: fileComments.fileId, count: count() })
    .from(fileComments)
    .where(
      and(
        eq(fileComments.batchId, batchId),
        inArray(fileComments.fileId, [...fileIds]),
        isNull(fileComments.parentId),
        isNull(fileComments.resolvedAt),
      ),
    )
    .groupBy(fileComments.fileId)
  return new Map(rows.map(({ fileId, count }) => [fileId, count]))
}

const OF_VERDICT = { pass: 'pass', warning: 'warning', fail: 'fail', not_applicable: 'notApplicable' } as const

/** What the counts of the batch say of one filter; null for a name, and for several together. */
function knownTotal(counts: BatchCounts, { q, verdict, decision, kind, check, sender }: Input): number | null {
  if (q || kind || check || sender || (verdict && decision)) return null
  if (verdict) return counts[OF_VERDICT[verdict]]
  return decision ? counts[decision] : counts.files
}

async function countOf(tx: Tx, where: SQL, isJoined: boolean): Promise<number> {
  const base = tx.db.select({ count: count() }).from(files).$dynamic()
  const [found] = await (isJoined ? base.leftJoin(preQcResults, IS_CURRENT_RESULT) : base).where(where)
  return found?.count ?? 0
}

async function resultsOf(tx: Tx, fileIds: readonly string[]): Promise<Map<string, PreQcResult>> {
  if (fileIds.length === 0) return new Map()
  const current = await tx.db
    .select({ id: preQcResults.id })
    .from(preQcResults)
    .where(and(inArray(preQcResults.fileId, [...fileIds]), isTrue(preQcResults.isCurrent)))
  const results = await serializeResults(
    tx,
    current.map(({ id }) => id),
  )
  return new Map(results.map((result) => [result.file_id, result]))
}

function serializeRow(tx: Tx, selected: SelectedFile, result: PreQcResult | null, hasChecks: boolean): FileSummary {
  const { id, name, version, size, media, integrity, review, source, thumbnail_url, created_at } = presentFile(
    tx,
    selected,
  )
  const facts = Object.fromEntries(
    SHORT_FACTS.flatMap((fact) => (media[fact] === undefined ? [] : [[fact, media[fact]]])),
  )
  return {
    id,
    name,
    version,
    size,
    media: { ...facts, kind: media.kind },
    integrity,
    decision: review.decision,
    source: { type: source.type, name: source.name },
    thumbnail_url,
    pre_qc: result && {
      status: result.status,
      summary: result.summary,
      progress: result.progress,
      ...mainFinding(result.checks),
      ...(hasChecks && {
        checks: result.checks.map(({ check_id, label, status, details }) => ({ check_id, label, status, details })),
      }),
    },
    created_at,
  }
}
