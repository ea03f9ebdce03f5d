import { and, eq } from 'drizzle-orm'
import { files } from '@/db/schema/files'
import type { MediaFacts } from '@/lib/media/facts'
import type { BlobKey } from '../kernel/blob-store'
import { advancing, type Context, inTransaction } from '../kernel/operation'
import { extensionOf } from './media-types'
import type { FileRow } from './present'

const TWO_HOURS = 2 * 3_600_000

/** Decodes a file to its end: its facts, and what is wrong with it. */
export type DecodeWhole = (
  ctx: Context,
  file: FileRow,
  path: string,
) => Promise<{ media: MediaFacts | null; violations: { code: string; message: string }[] }>

export const decodeWhole: DecodeWhole = ({ ports }, { name }, path) =>
  ports.files.inspect(path, { extension: extensionOf(name), timeoutMs: TWO_HOURS, deep: true })

/**
 * The rest of a long decode whose upload got its response before: the file is intact now, or it goes into quarantine and
 * everyone concerned is notified. `decode`: one that is of use to others, too.
 */
export async function finishIntegrity(
  ctx: Context,
  { file_id }: { file_id: string },
  decode: DecodeWhole = decodeWhole,
) {
  const [file] = await ctx.db
    .select()
    .from(files)
    .where(and(eq(files.id, file_id), eq(files.integrity, 'pending')))
  if (!file || file.removedAt) return
  const later = advancing(ctx)
  const inspection = await ctx.ports.blobs.localPath(file.objectKey as BlobKey, (path) => decode(ctx, file, path))
  const [violation] = inspection.violations
  await inTransaction(later(), async (tx) => {
    const changed = await tx.db
      .update(files)
      .set({ integrity: violation ? 'quarantined' : 'sound', media: inspection.media ?? file.media, updatedAt: tx.now })
      .where(and(eq(files.id, file.id), eq(files.integrity, 'pending')))
      .returning({ id: files.id })
    if (violation && changed.length > 0) {
      await tx.record({
        type: 'file.quarantined',
        projectId: file.projectId,
        batchId: file.batchId,
        subjectId: file.id,
        data: { file: file.name, reason: violation.message, code: violation.code, sha256: file.sha256 },
      })
    }
  })
}
