import { pipeline } from 'node:stream/promises'
import { and, eq, isNull } from 'drizzle-orm'
import { files, type Previews } from '@/db/schema/files'
import type { BlobKey } from '../kernel/blob-store'
import { giveHint } from '../kernel/events'
import { advancing, type Context, inTransaction, type Tx } from '../kernel/operation'
import type { FileRow } from './present'
import { DRAWN_PAGES, pageImage } from './rules'

/** Draws what a stored file looks like, both sizes. */
export type Draw = (
  ctx: Context,
  file: FileRow,
  path: string,
) => Promise<{ thumbnail: Buffer | null; preview: Buffer | null }>

export const drawAlone: Draw = ({ ports }, { kind, mediaType }, path) =>
  ports.files.drawPreviews(path, { kind, mediaType })

/** So many pages are drawn by one job: then those of other files have their turn. */
const PAGES_AT_ONCE = 20

/**
 * A thumbnail for lists and a preview to view; what cannot be drawn has neither, and says so once. The further pages
 * of a document come after, when its first can be seen already. `draw`: a decode that is of use to others, too.
 */
export async function drawPreviews(ctx: Context, { file_id }: { file_id: string }, draw: Draw = drawAlone) {
  const file = await fileToDraw(ctx, file_id)
  if (!file) return
  const later = advancing(ctx)
  const drawn = file.previews ?? (await drawFirst(ctx, file, draw))
  if (hasMorePages(file, drawn)) await inTransaction(later(), (tx) => queuePages(tx, file))
}

/** The next pages of a document. */
export async function drawPages(ctx: Context, { file_id }: { file_id: string }) {
  const file = await fileToDraw(ctx, file_id)
  const drawn = file?.previews
  if (!file || !drawn || !hasMorePages(file, drawn)) return
  const later = advancing(ctx)
  const first = (drawn.pages ?? 1) + 1
  const last = Math.min(pagesToDraw(file), first + PAGES_AT_ONCE - 1)
  await ctx.ports.blobs.localPath(file.objectKey as BlobKey, async (path) => {
    for (let page = first; page <= last; page++) {
      const { preview } = await ctx.ports.files.drawPreviews(path, { kind: file.kind, mediaType: file.mediaType, page })
      // What the file cannot show is not searched for again, nor are the pages behind it.
      if (!preview) return
      await storePreview(ctx, file, pageImage(page), preview)
      await setPreviews(later(), file, { ...drawn, pages: page }, page === last && page < pagesToDraw(file))
    }
  })
}

async function fileToDraw(ctx: Context, id: string): Promise<FileRow | null> {
  const [file] = await ctx.db.select().from(files).where(eq(files.id, id))
  return file && !file.removedAt && !file.previewsRemovedAt ? file : null
}

const pagesToDraw = ({ kind, media }: FileRow) =>
  kind === 'document' ? Math.min(Number(media.pages ?? 1), DRAWN_PAGES) : 1

const hasMorePages = (file: FileRow, drawn: Previews) => drawn.preview && (drawn.pages ?? 1) < pagesToDraw(file)

const queuePages = (tx: Tx, { id, projectId }: FileRow) =>
  tx.enqueue('draw_pages', { file_id: id }, { key: `draw_pages:${id}`, inTurnFor: projectId })

async function drawFirst(ctx: Context, file: FileRow, draw: Draw): Promise<Previews> {
  const later = advancing(ctx)
  const made = await ctx.ports.blobs.localPath(file.objectKey as BlobKey, (path) => draw(ctx, file, path))
  return storePreviews(later(), file, made)
}

/** Stores both sizes, as far as there are any, and notifies the live screens. */
export async function storePreviews(
  ctx: Context,
  file: FileRow,
  made: { thumbnail: Buffer | null; preview: Buffer | null },
): Promise<Previews> {
  for (const part of ['thumbnail', 'preview'] as const) {
    const image = made[part]
    if (image) await storePreview(ctx, file, part, image)
  }
  const previews = { thumbnail: made.thumbnail !== null, preview: made.preview !== null }
  await setPreviews(ctx, file, previews)
  return previews
}

const storePreview = (ctx: Context, file: FileRow, name: string, image: Buffer) =>
  storeImage(ctx, `derived/${file.id}/${name}.webp`, image)

/** Stores a drawn image under its key, in place of what lies there. */
export async function storeImage(ctx: Context, key: BlobKey, image: Buffer) {
  const staged = await ctx.ports.blobs.stage()
  try {
    await pipeline([image], await staged.writable())
    await ctx.ports.blobs.commit(staged, key, { replace: true })
  } finally {
    await staged.discard()
  }
}

async function setPreviews(ctx: Context, file: FileRow, previews: Previews, goesOn = false) {
  await inTransaction(ctx, async (tx) => {
    await tx.db
      .update(files)
      .set({ previews, updatedAt: tx.now })
      // Removed while they were drawn: `removeExpired` comes by once more.
      .where(and(eq(files.id, file.id), isNull(files.previewsRemovedAt)))
    await giveHint(tx, 'file.previewed', file)
    if (goesOn) await queuePages(tx, file)
  })
}
