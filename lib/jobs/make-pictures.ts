import { pipeline } from 'node:stream/promises'
import { eq, sql } from 'drizzle-orm'
import { files, type Previews } from '@/db/schema/files'
import type { FileRow } from '@/lib/domain/files/present'
import { DRAWN_PAGES, pagePicture } from '@/lib/domain/files/rules'
import type { BlobKey } from '@/lib/domain/kernel/blob-store'
import { type Context, inTransaction } from '@/lib/domain/kernel/operation'

/**
 * A thumbnail for lists and a preview to look at; what cannot be drawn has neither, and says so once. The further pages
 * of a document come after, when its first can be seen already.
 */
export async function makePictures(ctx: Context, { file_id }: { file_id: string }) {
  const [file] = await ctx.db.select().from(files).where(eq(files.id, file_id))
  if (!file) return
  const pages = file.kind === 'document' ? Math.min(Number(file.media.pages ?? 1), DRAWN_PAGES) : 1
  const drawn = file.previews ?? (await drawFirst(ctx, file))
  if (!drawn.preview || (drawn.pages ?? 1) >= pages) return
  await ctx.outside.blobs.localPath(file.objectKey as BlobKey, async (path) => {
    for (let page = (drawn.pages ?? 1) + 1; page <= pages; page++) {
      const { preview } = await ctx.outside.makePictures(path, { kind: file.kind, mediaType: file.mediaType, page })
      // What the file cannot show is not looked for again, nor are the pages behind it.
      if (!preview) return
      await keep(ctx, file, pagePicture(page), preview)
      await tell(ctx, file, { ...drawn, pages: page })
    }
  })
}

async function drawFirst(ctx: Context, file: FileRow): Promise<Previews> {
  const made = await ctx.outside.blobs.localPath(file.objectKey as BlobKey, (path) =>
    ctx.outside.makePictures(path, { kind: file.kind, mediaType: file.mediaType }),
  )
  return keepPictures(ctx, file, made)
}

/** Keeps both sizes, as far as there are any, and says so. */
export async function keepPictures(
  ctx: Context,
  file: FileRow,
  made: { thumbnail: Buffer | null; preview: Buffer | null },
): Promise<Previews> {
  for (const part of ['thumbnail', 'preview'] as const) {
    const picture = made[part]
    if (picture) await keep(ctx, file, part, picture)
  }
  const previews = { thumbnail: made.thumbnail !== null, preview: made.preview !== null }
  await tell(ctx, file, previews)
  return previews
}

const keep = (ctx: Context, file: FileRow, name: string, picture: Buffer) =>
  keepPicture(ctx, `derived/${file.id}/${name}.webp`, picture)

/** Stores a drawn picture under its key, in place of what lies there. */
export async function keepPicture(ctx: Context, key: BlobKey, picture: Buffer) {
  const staged = await ctx.outside.blobs.stage()
  try {
    await pipeline([picture], await staged.writable())
    await ctx.outside.blobs.commit(staged, key, { replace: true })
  } finally {
    await staged.discard()
  }
}

async function tell(ctx: Context, file: FileRow, previews: Previews) {
  await inTransaction(ctx, async (tx) => {
    await tx.db.update(files).set({ previews, updatedAt: new Date() }).where(eq(files.id, file.id))
    await tx.db.execute(
      sql`select pg_notify('greenroom_events', ${JSON.stringify({ type: 'file.pictured', projectId: file.projectId, batchId: file.batchId })})`,
    )
  })
}
