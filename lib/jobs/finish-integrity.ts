import { and, eq } from 'drizzle-orm'
import { files } from '@/db/schema/files'
import { extensionOf } from '@/lib/domain/files/media-types'
import type { BlobKey } from '@/lib/domain/kernel/blob-store'
import { type Context, inTransaction } from '@/lib/domain/kernel/operation'

const TWO_HOURS = 2 * 3_600_000

/** The rest of a long decode whose upload was answered before: the file is sound now, or it goes into quarantine and everyone concerned is told. */
export async function finishIntegrity(ctx: Context, { file_id }: { file_id: string }) {
  const [file] = await ctx.db
    .select()
    .from(files)
    .where(and(eq(files.id, file_id), eq(files.integrity, 'pending')))
  if (!file) return
  const inspection = await ctx.outside.blobs.localPath(file.objectKey as BlobKey, (path) =>
    ctx.outside.inspect(path, { extension: extensionOf(file.name), timeoutMs: TWO_HOURS, deep: true }),
  )
  const [violation] = inspection.violations
  await inTransaction({ ...ctx, now: new Date() }, async (tx) => {
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
