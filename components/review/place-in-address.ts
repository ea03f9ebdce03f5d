import { toMillisecond } from '@/lib/timecode'
import { type Comparison, comparisonWords } from './comparing'
import type { BatchPath } from './room-queries'
import type { View } from './use-view'

/** The address of a file in the review room, at the comment, the finding or the moment that is shown of it, beside what it is compared with. */
export function roomAddress(
  batch: BatchPath,
  fileId: string,
  view?: Pick<View, 'selectedId' | 'focus' | 'time'>,
  comparison: Comparison | null = null,
) {
  const place = view?.selectedId
    ? `comment=${view.selectedId}`
    : view?.focus
      ? `check=${view.focus.checkId}`
      : view && view.time > 0
        ? `t=${toMillisecond(view.time)}`
        : ''
  const parts = [place, comparison && comparisonWords(batch, comparison)].filter(Boolean)
  const hash = parts.length > 0 ? `#${parts.join('&')}` : ''
  return `/projects/${batch.project_id}/batches/${batch.batch_id}/review?file=${fileId}${hash}`
}
