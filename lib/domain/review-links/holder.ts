import type { FileRow } from '../files/present'
import { type Context, reading, type Tx } from '../kernel/operation'
import { LIMITS, takeShared } from '../kernel/rate-limit'
import { isShownByTiles } from '../tiles/find'
import type { ReviewLinkRow } from './find'

/** What the holder of a review link reaches and is shown. */

/** Where a file is reached through the link, and a comment on it. */
export const addressOfFile = ({ ports }: Tx, { tokenEncrypted }: ReviewLinkRow, fileId: string) =>
  `${ports.baseUrl}/api/public/review-links/${ports.secrets.decrypt(tokenEncrypted)}/files/${fileId}`
export const addressOfComment = (tx: Tx, link: ReviewLinkRow, { id, fileId }: { id: string; fileId: string }) =>
  `${addressOfFile(tx, link, fileId)}/comments/${id}`

/** What lies over images, or in them; null: nothing. */
export const watermarkOf = ({ hasWatermark, name, email }: ReviewLinkRow): string | null =>
  hasWatermark ? [name, email].filter(Boolean).join(' · ') : null

/**
 * Whether every pixel of a large image is shown: where files may be downloaded, and where the name of the holder is drawn into
 * the pixels. Without either they would be given away untouched, which are not to be had.
 */
const showsPixels = ({ mayDownload, hasWatermark }: ReviewLinkRow) => mayDownload || hasWatermark

export const showsTiles = (link: ReviewLinkRow, file: FileRow): boolean => showsPixels(link) && isShownByTiles(file)

export const limitWrites = async (ctx: Context) => {
  if (ctx.actor.type === 'guest') await takeShared(reading(ctx), LIMITS.guestWrites, ctx.actor.id)
}
