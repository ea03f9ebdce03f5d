import { and, eq, getTableColumns, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { isTrue } from '@/db/schema/columns'
import { users } from '@/db/schema/directory'
import { files, type RemovalRule } from '@/db/schema/files'
import { preQcResults } from '@/db/schema/pre-qc'
import { batches } from '@/db/schema/projects'
import { uploadLinks } from '@/db/schema/upload-links'
import type { MediaKind } from '@/lib/vocabulary'
import type { Tx } from '../kernel/operation'
import { iso, isoOrNull } from '../kernel/shapes'
import type { File } from './schema'

export type FileRow = typeof files.$inferSelect

const reviewers = alias(users, 'reviewers')
const uploaders = alias(users, 'uploaders')

/** Facts about an archive that grow with it: every name in it, and the whole text of an ad's pages. */
const LONG_FACTS = ['entries', 'documents']

/** The columns of a file for a list: its long facts stay in the database. */
const brief = {
  ...getTableColumns(files),
  media: sql<FileRow['media']>`case when ${files.kind} = 'archive'
    then (${files.media}::jsonb - ${sql.raw(`array['${LONG_FACTS.join("', '")}']`)})::json
    else ${files.media} end`.as('media'),
}

/** Files with everything the interface says of them. */
export const selectFiles = (tx: Tx, isList = false) =>
  tx.db
    .select({
      file: isList ? (brief as unknown as typeof files) : files,
      batchId: batches.id,
      reviewerName: reviewers.name,
      sourceName: sql<string>`coalesce(${uploaders.name}, ${uploadLinks.label}, '')`,
      result: { status: preQcResults.status, summary: preQcResults.summary },
    })
    .from(files)
    .innerJoin(batches, eq(batches.id, files.batchId))
    .leftJoin(reviewers, eq(reviewers.id, files.decidedBy))
    .leftJoin(uploaders, eq(uploaders.id, files.sourceUserId))
    .leftJoin(uploadLinks, eq(uploadLinks.id, files.sourceLinkId))
    .leftJoin(preQcResults, and(eq(preQcResults.fileId, files.id), isTrue(preQcResults.isCurrent)))

export type SelectedFile = Awaited<ReturnType<typeof selectFiles>>[number]

/** Path of a file in the interface, without the base address. */
export const filePath = (file: Pick<FileRow, 'id' | 'batchId' | 'projectId'>) =>
  `/api/projects/${file.projectId}/batches/${file.batchId}/files/${file.id}`

export function presentFile(tx: Tx, { file, reviewerName, sourceName, result }: SelectedFile): File {
  const url = tx.ports.baseUrl + filePath(file)
  return {
    id: file.id,
    batch_id: file.batchId,
    name: file.name,
    version: file.version,
    size: file.size,
    media_type: file.mediaType,
    sha256: file.sha256,
    media: presentMedia(file.kind, file.media),
    integrity: file.integrity,
    review: {
      decision: file.decision,
      reason: file.decisionReason,
      comment: file.decisionComment,
      reviewed_by: file.decidedBy && reviewerName ? { id: file.decidedBy, name: reviewerName } : null,
      reviewed_at: isoOrNull(file.decidedAt),
    },
    supersedes_id: file.supersedesId,
    is_current: file.isCurrent,
    source: { type: file.sourceType, id: file.sourceUserId ?? file.sourceLinkId ?? file.id, name: sourceName },
    pre_qc: result && { status: result.status, summary: result.summary },
    removed: presentRemoval(file.removedAt, file.removal?.file),
    previews_removed: presentRemoval(file.previewsRemovedAt, file.removal?.previews),
    download_url: `${url}/download`,
    preview_url: file.previews?.preview ? `${url}/preview` : null,
    preview_pages: file.previews?.preview ? (file.previews.pages ?? 1) : 0,
    thumbnail_url: file.previews?.thumbnail ? `${url}/thumbnail` : null,
    created_at: iso(file.createdAt),
    updated_at: iso(file.updatedAt),
  }
}

const presentRemoval = (at: Date | null, rule: RemovalRule | undefined): File['removed'] =>
  at && rule ? { at: iso(at), ...rule } : null

const MEASURES = ['width', 'height', 'duration_seconds', 'pages']

/**
 * The engine's facts under the interface's names: `durationSeconds` is sent as `duration_seconds`. What a file does not
 * have, a PDF's playing time, is left out.
 */
function presentMedia(kind: MediaKind, media: Record<string, unknown>): File['media'] {
  const facts = Object.entries(snakeCased(media) as Record<string, unknown>)
  const own = facts.filter(([name, value]) => !(MEASURES.includes(name) && value === null))
  return { ...Object.fromEntries(own), kind }
}

function snakeCased(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(snakeCased)
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      snakeCased(inner),
    ]),
  )
}
