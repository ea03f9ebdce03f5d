import { eq, sql } from 'drizzle-orm'
import { files } from '@/db/schema/files'
import type { BlobKey } from '@/lib/domain/kernel/blob-store'
import { type Context, inTransaction } from '@/lib/domain/kernel/operation'

/** A thumbnail for lists and a preview to look at; what cannot be drawn has neither, and says so once. */
export async function makePictures(ctx: Context, { file_id }: { file_id: string }) {
  const [file] = await ctx.db.select().from(files).where(eq(files.id, file_id))
  if (!file || file.previews) return
  const made = await ctx.outside.blobs.localPath(file.objectKey as BlobKey, (path) =>
    ctx.outside.makePictures(path, { kind: file.kind, mediaType: file.mediaType }),
  )
  for (const part of ['thumbnail', 'preview'] as const) {
    const picture = made[part]
    if (!picture) continue
    const staged = await ctx.outside.blobs.stage()
    const writable = await staged.writable()
    await new Promise<void>((resolve, reject) => writable.on('error', reject).end(picture, resolve))
    await ctx.outside.blobs.commit(staged, `derived/${file.id}/${part}.webp`, { replace: true })
  }
  await inTransaction(ctx, async (tx) => {
    const previews = { thumbnail: made.thumbnail !== null, preview: made.preview !== null }
    await tx.db.update(files).set({ previews, updatedAt: new Date() }).where(eq(files.id, file.id))
    await tx.db.execute(
      sql`select pg_notify('greenroom_events', ${JSON.stringify({ type: 'file.pictured', projectId: file.projectId, batchId: file.batchId })})`,
    )
  })
}
