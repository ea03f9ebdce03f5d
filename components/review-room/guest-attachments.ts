import type { RoomFile } from '@/lib/domain/review-links/schema'

type Own = { id: string; is_mine: boolean }

/** What the holder of the link said last: they come oldest first. */
export const newestOwn = (said: readonly Own[]) => said.findLast(({ is_mine }) => is_mine)

/** Where files are attached to a comment of the holder; null where there is none. */
export const guestAttachPath = (token: string, { id }: RoomFile, comment: Own | undefined) =>
  comment ? `/api/public/review-links/${token}/files/${id}/comments/${comment.id}/attachments` : null
