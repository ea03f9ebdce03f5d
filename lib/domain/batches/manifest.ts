import { eq, sql } from 'drizzle-orm'
import { files } from '@/db/schema/files'
import { manifestEntries } from '@/db/schema/projects'
import { query, type Tx } from '../kernel/operation'
import { countsOf } from './counts'
import { onBatch } from './find'
import { namesOfVersions } from './rules'
import { Manifest, type ManifestInShort } from './schema'

/** What was expected, what came, what is missing, what came unasked. */
export async function manifestOf(tx: Tx, batchId: string): Promise<Manifest> {
  const entries = await tx.db
    .select()
    .from(manifestEntries)
    .where(eq(manifestEntries.batchId, batchId))
    .orderBy(manifestEntries.position)
  const versions = await tx.db
    .select({
      id: files.id,
      name: files.name,
      nameKey: files.nameKey,
      decision: files.decision,
      isCurrent: files.isCurrent,
      supersedesId: files.supersedesId,
    })
    .from(files)
    .where(eq(files.batchId, batchId))
    .orderBy(files.nameKey)
  // A file counts for the names of its earlier versions, too: a resupply may have another name.
  const received = namesOfVersions(versions)
  const byKey = new Map(received.flatMap(({ file, keys }) => keys.map((key) => [key, file] as const)))
  const expected = new Set(entries.map((entry) => entry.nameKey))
  const listedFiles = entries.map((entry) => {
    const file = byKey.get(entry.nameKey)
    const status = !file
      ? ('missing' as const)
      : file.decision === 'rejected'
        ? ('rejected' as const)
        : ('received' as const)
    return { name: entry.name, note: entry.note, status }
  })
  const unexpected =
    entries.length === 0
      ? []
      : received.filter(({ keys }) => !keys.some((key) => expected.has(key))).map(({ file }) => ({ name: file.name }))
  const missing = listedFiles.filter((file) => file.status === 'missing').length
  return {
    files: listedFiles,
    unexpected,
    counts: { expected: entries.length, received: entries.length - missing, missing, unexpected: unexpected.length },
  }
}

export const getManifest = query({
  name: 'getManifest',
  summary: 'The delivery manifest of a batch: expected, received, missing, unexpected',
  permission: 'projects.read',
  resource: onBatch,
  isVersioned: true,
  output: Manifest,
  run: (tx, { resource }) => manifestOf(tx, resource.batch.id),
})

/**
 * Each line with the current file that counts for it: one of that name, or else a later version of one that had it. The
 * few that replaced others are found once, and not line by line.
 */
const linesOf = (batchId: string) => sql`
  select e.position, e.name, e.note, coalesce(c.id, r.id) as file_id,
    case coalesce(c.decision, r.decision, 'missing') when 'missing' then 'missing' when 'rejected' then 'rejected' else 'received' end as status
  from manifest_entries e
    left join files c on c.batch_id = ${batchId} and c.is_current and c.name_key = e.name_key
    left join (
      select distinct on (v.name_key) v.name_key, n.id, n.decision
      from files v join files n on n.batch_id = v.batch_id and n.is_current
        and coalesce(n.series_key, n.name_key) = coalesce(v.series_key, v.name_key)
      where v.batch_id = ${batchId} and not v.is_current
        and v.name_key in (select name_key from manifest_entries where batch_id = ${batchId})
      order by v.name_key, n.id) r on r.name_key = e.name_key
  where e.batch_id = ${batchId}`

/** The counts of a manifest, its first lines, those that are missing before others, and the first names that came unasked. */
export async function manifestInShort(
  tx: Tx,
  batchId: string,
  most: number,
  { withUnexpected = true } = {},
): Promise<ManifestInShort> {
  const [found] = await tx.db.execute<{
    expected: number
    missing: number
    matched: number
    lines: ManifestInShort['lines'] | null
  }>(sql`
    with lines as materialized (${linesOf(batchId)})
    select count(*)::int as expected, count(*) filter (where status = 'missing')::int as missing,
      count(distinct file_id)::int as matched, (
        select json_agg(json_build_object('name', name, 'note', note, 'status', status)) from (
          select name, note, status from lines order by status <> 'missing', position limit ${most}) first) as lines
    from lines`)
  const { expected, missing, matched } = found ?? { expected: 0, missing: 0, matched: 0 }
  if (expected === 0) return { lines: [], unexpected: [], counts: { expected, received: 0, missing, unexpected: 0 } }
  const lines = found?.lines ?? []
  const unexpected = (await countsOf(tx, batchId)).files - matched
  const names =
    unexpected === 0 || lines.length >= most || !withUnexpected
      ? []
      : await tx.db.execute<{ name: string }>(sql`
          select f.name from files f where f.batch_id = ${batchId} and f.is_current and not exists (
            select from files v join manifest_entries e on e.batch_id = v.batch_id and e.name_key = v.name_key
            where v.batch_id = f.batch_id and coalesce(v.series_key, v.name_key) = coalesce(f.series_key, f.name_key))
          order by f.name_key limit ${most - lines.length}`)
  return {
    lines,
    unexpected: [...names],
    counts: { expected, received: expected - missing, missing, unexpected },
  }
}

/** As many lines the page of a batch begins with; the others are asked for when they are wanted. */
const LINES_SHOWN = 50

export const getManifestInShort = query({
  name: 'getManifestInShort',
  summary: 'The counts of the delivery manifest of a batch, and its first lines',
  permission: 'projects.read',
  resource: onBatch,
  run: (tx, { resource }) => manifestInShort(tx, resource.batch.id, LINES_SHOWN),
})
