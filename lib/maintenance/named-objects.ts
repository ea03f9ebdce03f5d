import { and, asc, eq, gt, inArray, sql } from 'drizzle-orm'
import type { Executor } from '@/db/client'
import { commentAttachments, fileComments } from '@/db/schema/comments'
import { files } from '@/db/schema/files'
import { preQcResults } from '@/db/schema/pre-qc'
import { type AttachmentRow, attachmentKey, attachmentPictureKey } from '@/lib/domain/files/attachments'
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
  /** The attachment of a comment that it belongs to. */
  attachmentId: string | null
}

/** Every object that rows name and that is kept, in the order of their files; rows are read a chunk at a time. */
export async function* namedObjects(db: Executor): AsyncGenerator<NamedObject> {
  const hasRemovals = await knowsRemovals(db)
  const hasAttachments = await knowsAttachments(db)
  let last: string | null = null
  for (;;) {
    const rows: FileColumns[] = await readFiles(db, last, hasRemovals)
    const evidence = await readEvidence(
      db,
      rows.map(({ id }) => id),
    )
    const attached = hasAttachments
      ? await readAttachments(
          db,
          rows.map(({ id }) => id),
        )
      : new Map<string, Attached[]>()
    for (const row of rows) {
      const file = { id: row.id, name: row.name, batchId: row.batchId }
      if (!row.removedAt)
        yield {
          key: row.objectKey as BlobKey,
          file,
          uploaded: { size: row.size, sha256: row.sha256 },
          resultId: null,
          attachmentId: null,
        }
      if (!row.removedAt) yield* objectsOfComments(file, attached.get(row.id) ?? [])
      if (row.previewsRemovedAt) continue
      for (const key of previewKeys(row)) yield { key, file, uploaded: null, resultId: null, attachmentId: null }
      for (const { resultId, number } of evidence.get(row.id) ?? [])
        yield { key: evidenceKey(row.id, resultId, number), file, uploaded: null, resultId, attachmentId: null }
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

async function knowsAttachments(db: Executor): Promise<boolean> {
  const [found] = await db.execute<{ known: boolean }>(
    sql`select to_regclass('comment_attachments') is not null as known`,
  )
  return found?.known === true
}

type Attached = Pick<AttachmentRow, 'id' | 'objectId' | 'size' | 'sha256' | 'hasPicture'>

/** What the comments on these files carry; objects that several comments name, once. */
async function readAttachments(db: Executor, fileIds: string[]): Promise<Map<string, Attached[]>> {
  const found = new Map<string, Attached[]>()
  if (fileIds.length === 0) return found
  const { id, objectId, size, sha256, hasPicture } = commentAttachments
  const rows = await db
    .select({ fileId: fileComments.fileId, id, objectId, size, sha256, hasPicture })
    .from(commentAttachments)
    .innerJoin(fileComments, eq(fileComments.id, commentAttachments.commentId))
    .where(inArray(fileComments.fileId, fileIds))
    .orderBy(asc(id))
  for (const { fileId, ...row } of rows) found.set(fileId, [...(found.get(fileId) ?? []), row])
  return found
}

function* objectsOfComments(file: NamedObject['file'], attached: readonly Attached[]): Generator<NamedObject> {
  for (const row of attached) {
    const { id: attachmentId, size, sha256 } = row
    const of = { file, resultId: null, attachmentId }
    yield { ...of, key: attachmentKey(row), uploaded: { size, sha256 } }
    if (row.hasPicture) yield { ...of, key: attachmentPictureKey(row), uploaded: null }
  }
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
