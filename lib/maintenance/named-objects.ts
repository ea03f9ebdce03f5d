import { and, asc, gt, inArray, sql } from 'drizzle-orm'
import type { Executor } from '@/db/client'
import { files } from '@/db/schema/files'
import { preQcResults } from '@/db/schema/pre-qc'
import { DRAWN_PAGES, pageImage } from '@/lib/domain/files/rules'
import type { BlobKey } from '@/lib/domain/kernel/blob-store'
import { evidenceKey } from '@/lib/domain/pre-qc/rules'

const CHUNK = 500

/**
 * An object that a row names. What a user uploaded has its size in bytes and its SHA-256 (hex) in the row; of what is
 * derived from it, nothing is known but the key.
 */
export type NamedObject = {
  key: BlobKey
  file: { id: string; name: string; batchId: string }
  uploaded: { size: number; sha256: string } | null
  /** The Pre-QC result that shows it as evidence. */
  resultId: string | null
}

/** Every object that rows name and that is kept, in the order of their files; rows are read a chunk at a time. */
export async function* namedObjects(db: Executor): AsyncGenerator<NamedObject> {
  const hasRemovals = await knowsRemovals(db)
  let last: string | null = null
  for (;;) {
    const rows: FileColumns[] = await readFiles(db, last, hasRemovals)
    const evidence = await readEvidence(
      db,
      rows.map(({ id }) => id),
    )
    for (const row of rows) {
      const file = { id: row.id, name: row.name, batchId: row.batchId }
      if (!row.removedAt)
        yield { key: row.objectKey as BlobKey, file, uploaded: { size: row.size, sha256: row.sha256 }, resultId: null }
      if (row.previewsRemovedAt) continue
      for (const key of previewKeys(row)) yield { key, file, uploaded: null, resultId: null }
      for (const { resultId, number } of evidence.get(row.id) ?? [])
        yield { key: evidenceKey(row.id, resultId, number), file, uploaded: null, resultId }
    }
    last = rows.at(-1)?.id ?? null
    if (rows.length < CHUNK) return
  }
}

type FileColumns = Pick<
  typeof files.$inferSelect,
  'id' | 'name' | 'batchId' | 'size' | 'sha256' | 'objectKey' | 'previews'
> & { removedAt: unknown; previewsRemovedAt: unknown }

function readFiles(db: Executor, after: string | null, hasRemovals: boolean): Promise<FileColumns[]> {
  const { id, name, batchId, size, sha256, objectKey, previews } = files
  const removals = hasRemovals
    ? { removedAt: files.removedAt, previewsRemovedAt: files.previewsRemovedAt }
    : { removedAt: sql`null`, previewsRemovedAt: sql`null` }
  return db
    .select({ id, name, batchId, size, sha256, objectKey, previews, ...removals })
    .from(files)
    .where(after === null ? undefined : gt(id, after))
    .orderBy(asc(id))
    .limit(CHUNK)
}

/** Whether the database can hold removals: a backup may be taken of one that was not migrated yet. */
async function knowsRemovals(db: Executor): Promise<boolean> {
  const [found] = await db.execute<{ known: boolean }>(sql`
    select exists (
      select from information_schema.columns
      where table_schema = current_schema() and table_name = 'files' and column_name = 'previews_removed_at'
    ) as known`)
  return found?.known === true
}

function previewKeys({ id, previews }: FileColumns): BlobKey[] {
  if (!previews) return []
  const pages = previews.preview ? Math.min(previews.pages ?? 1, DRAWN_PAGES) : 1
  const names = [
    ...(previews.thumbnail ? ['thumbnail'] : []),
    ...(previews.preview ? ['preview'] : []),
    ...Array.from({ length: pages - 1 }, (_, index) => pageImage(index + 2)),
  ]
  return names.map((name): BlobKey => `derived/${id}/${name}.webp`)
}

type Evidence = { resultId: string; number: number }

async function readEvidence(db: Executor, fileIds: string[]): Promise<Map<string, Evidence[]>> {
  const found = new Map<string, Evidence[]>()
  if (fileIds.length === 0) return found
  const rows = await db
    .select({ id: preQcResults.id, fileId: preQcResults.fileId, checks: preQcResults.checks })
    .from(preQcResults)
    .where(and(inArray(preQcResults.fileId, fileIds), sql`${preQcResults.checks}::text like '%"evidence"%'`))
    .orderBy(asc(preQcResults.id))
  for (const { id, fileId, checks } of rows) {
    const urls = checks.flatMap(({ evidence }) => (Array.isArray(evidence) ? evidence : []) as { url?: unknown }[])
    const numbers = new Set(urls.flatMap(({ url }) => /\/evidence\/(\d{1,4})$/.exec(String(url))?.[1] ?? []))
    const named = [...numbers].map((number) => ({ resultId: id, number: Number(number) }))
    found.set(fileId, [...(found.get(fileId) ?? []), ...named])
  }
  return found
}
