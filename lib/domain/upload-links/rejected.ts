import { and, asc, eq, gt, inArray, isNull, sql } from 'drizzle-orm'
import { isTrue } from '@/db/schema/columns'
import { fileComments } from '@/db/schema/comments'
import { files } from '@/db/schema/files'
import { preQcResults } from '@/db/schema/pre-qc'
import { describeSteps } from '@/lib/repairs/steps'
import type { FileRow } from '../files/present'
import type { Tx } from '../kernel/operation'
import { sha256Hex } from '../kernel/sha256'
import { decodeCursor, page } from '../kernel/shapes'
import { serializeResults } from '../pre-qc/queries'
import { wordsOutside } from '../pre-qc/rules'
import type { PreQcResult } from '../pre-qc/schema'
import { type ProposedRepair, proposedRepairs, stepsOf } from '../repairs/find'
import { attachmentsByComment, presentAttachment } from '../review/attachments'
import type { Anchor, Shape } from '../review/schema'
import type { LinkRow } from './find'
import type { RejectedFile } from './schema'

/** As many are shown with what helps to fix them until more are asked for. */
const REJECTED_AT_ONCE = 50

const isRejectedOf = (batchId: string) =>
  and(eq(files.batchId, batchId), isTrue(files.isCurrent), sql`${files.decision} = 'rejected'`)

/** All rejected files of a batch, by name. */
export const rejectedNames = (tx: Tx, batchId: string) =>
  tx.db
    .select({ id: files.id, name: files.name, reason: files.decisionComment })
    .from(files)
    .where(isRejectedOf(batchId))
    .orderBy(files.nameKey)

/**
 * A page of the rejected files of a batch, by name, as the agency is shown them: reasons, marks and recipes, nothing kept for the
 * team.
 */
export async function rejectedFiles(
  tx: Tx,
  link: LinkRow,
  batchId: string,
  { cursor, limit = REJECTED_AT_ONCE }: { cursor?: string | undefined; limit?: number | undefined } = {},
): Promise<{ files: RejectedFile[]; next_cursor: string | null }> {
  const last = cursor ? sql`(select f.name_key from files f where f.id = ${decodeCursor(cursor)})` : null
  const found = await tx.db
    .select()
    .from(files)
    .where(and(isRejectedOf(batchId), last ? gt(files.nameKey, last) : undefined))
    .orderBy(files.nameKey)
    .limit(limit + 1)
  const { rows, next_cursor } = page(found, limit)
  return { files: await describeRejected(tx, link, rows), next_cursor }
}

async function describeRejected(tx: Tx, link: LinkRow, rejected: readonly FileRow[]): Promise<RejectedFile[]> {
  const ids = rejected.map(({ id }) => id)
  if (ids.length === 0) return []
  const said = await tx.db
    .select()
    .from(fileComments)
    .where(and(inArray(fileComments.fileId, ids), eq(fileComments.isInternal, false), isNull(fileComments.resolvedAt)))
    .orderBy(asc(fileComments.id))
  const attached = await attachmentsByComment(
    tx,
    said.map(({ id }) => id),
  )
  const current = await tx.db
    .select({ id: preQcResults.id })
    .from(preQcResults)
    .where(and(inArray(preQcResults.fileId, ids), isTrue(preQcResults.isCurrent)))
  const results = await serializeResults(
    tx,
    current.map(({ id }) => id),
  )
  const copies = await proposedRepairs(tx, ids)
  const address = `${tx.ports.baseUrl}/api/public/upload-links/${tokenOf(tx, link)}/files`
  return rejected.map((file) => ({
    file_id: file.id,
    name: file.name,
    reason: file.decisionComment,
    version: file.version,
    code: file.decisionReason,
    picture_url: file.previews?.preview ? `${address}/${file.id}/picture` : null,
    picture_pages: file.previews?.preview ? (file.previews.pages ?? 1) : 0,
    media_url:
      file.kind === 'video' && file.previews?.preview && !file.removedAt ? `${address}/${file.id}/media` : null,
    marks: said
      .filter(({ fileId, parentId }) => fileId === file.id && parentId === null)
      .map(({ id, body, anchor, shapes }) => ({
        body,
        anchor: anchor as Anchor | null,
        shapes: (shapes ?? []) as Shape[],
        answers: said.filter(({ parentId }) => parentId === id).map((reply) => reply.body),
        attachments: said
          .filter((comment) => comment.id === id || comment.parentId === id)
          .flatMap((comment) =>
            (attached.get(comment.id) ?? []).map((row) =>
              presentAttachment(row, file, `${address}/${file.id}/comments/${comment.id}`),
            ),
          ),
      })),
    findings: findingsOf(results.find((result) => result.file_id === file.id)),
    repaired_copy: copyOf(
      copies.find(({ repair }) => repair.fileId === file.id),
      `${address}/${file.id}/repair`,
    ),
  }))
}

function copyOf(found: ProposedRepair | undefined, address: string): RejectedFile['repaired_copy'] {
  if (!found) return null
  const { id, name, size, sha256, sentence, objectKey, media } = found.repair
  if (size === null || sha256 === null || objectKey === null) return null
  const outside = (check_id: string, said: { details: string } | null) =>
    said && wordsOutside({ check_id, details: said.details, fix: null }).details
  return {
    id,
    name,
    size,
    sha256,
    changes: sentence ?? describeSteps(stepsOf(found.repair)),
    destination: found.destination?.title ?? null,
    checks: found.checks.map(({ check_id, label, before, after }) => ({
      label,
      before: outside(check_id, before),
      after: outside(check_id, after),
    })),
    preview_url: media?.hasPicture === true ? `${address}/preview` : null,
    download_url: `${address}/download`,
  }
}

/** What the checks found and no user waived, what blocks first. */
function findingsOf(result: PreQcResult | undefined): RejectedFile['findings'] {
  return (result?.checks ?? [])
    .filter(({ status }) => status === 'fail' || status === 'warning')
    .sort((a, b) => Number(b.status === 'fail') - Number(a.status === 'fail'))
    .map(({ check_id, label, details, fix, status }) => ({
      label,
      ...wordsOutside({ check_id, details, fix }),
      is_blocking: status === 'fail',
    }))
}

function tokenOf(tx: Tx, link: LinkRow): string {
  const token = tx.ports.secrets.decrypt(link.tokenEncrypted)
  if (sha256Hex(token) !== link.tokenHash) throw new Error(`The kept token of link ${link.id} is not its own.`)
  return token
}
