import { type AttachmentRow, attachmentKey, attachmentPictureKey } from '@/lib/domain/files/attachments'
import { DomainError } from '@/lib/domain/kernel/errors'
import { openAttachment } from '@/lib/domain/review/attach'
import { openRoomAttachment } from '@/lib/domain/review-links/public'
import { openRejectedAttachment } from '@/lib/domain/upload-links/rejected-files'
import { bytesResponse, INERT } from './downloads'
import { acting, type Exchange, executeFor } from './endpoint'
import { isKept } from './etag'
import type { RouteResponse } from './response'

/** Files that comments carry: saved as they are, shown only as images that were drawn of them here. */

type Opened = (exchange: Exchange) => Promise<{ ctx: Exchange['ctx']; attachment: AttachmentRow }>

const byTeam: Opened = async ({ ctx, params }) => ({
  ctx,
  attachment: await executeFor(openAttachment, { ctx, params }),
})

const byHolder =
  (operation: typeof openRoomAttachment | typeof openRejectedAttachment): Opened =>
  async (exchange) => {
    const ctx = await acting(operation, exchange)
    return { ctx, attachment: await executeFor(operation, { ctx, params: exchange.params }) }
  }

/** Of no type that a browser would open, whatever its name says. */
const bytesOf =
  (open: Opened) =>
  async (exchange: Exchange): Promise<RouteResponse> => {
    const { ctx, attachment } = await open(exchange)
    const { name, size, sha256 } = attachment
    const file = { name, size, sha256, mediaType: 'application/octet-stream', objectKey: attachmentKey(attachment) }
    return bytesResponse(exchange.request, ctx, file)
  }

const imageOf =
  (open: Opened) =>
  async (exchange: Exchange): Promise<RouteResponse> => {
    const { ctx, attachment } = await open(exchange)
    if (!attachment.hasPicture) throw new DomainError('not_found', 'There is no image of this attachment.')
    const etag = `"${attachment.objectId}"`
    // Asked for anew each time, as the right to see the comment may end.
    const caching = { ETag: etag, 'Cache-Control': 'private, no-cache' }
    const headers = new Headers({ ...INERT, 'Content-Type': 'image/webp', ...caching })
    if (isKept(exchange.request, etag)) return { status: 304, headers, body: null }
    return { status: 200, headers, body: await ctx.ports.blobs.read(attachmentPictureKey(attachment)) }
  }

export const attachedBytes = bytesOf(byTeam)
export const attachedImage = imageOf(byTeam)
export const roomAttachment = bytesOf(byHolder(openRoomAttachment))
export const roomAttachmentImage = imageOf(byHolder(openRoomAttachment))
export const rejectedAttachment = bytesOf(byHolder(openRejectedAttachment))
export const rejectedAttachmentImage = imageOf(byHolder(openRejectedAttachment))
