import type { BatchPath } from './room-queries'
import type { View } from './use-view'

/** The address of a file in the review room, at the comment, the finding or the moment that is shown of it. */
export function roomAddress(batch: BatchPath, fileId: string, view?: Pick<View, 'selectedId' | 'focus' | 'time'>) {
  const place = view?.selectedId
    ? `#comment=${view.selectedId}`
    : view?.focus
      ? `#check=${view.focus.checkId}`
      : view && view.time > 0
        ? `#t=${Math.round(view.time * 1000) / 1000}`
        : ''
  return `/projects/${batch.project_id}/batches/${batch.batch_id}/review?file=${fileId}${place}`
}
