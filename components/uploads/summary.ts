import type { Totals } from '@/lib/client/uploader/upload-item'

/** What became of the files that are no longer on their way: `3 accepted, 1 refused`; empty while there are none. */
export function summaryOf({ stored, refused, failed }: Totals): string {
  const parts = [
    (stored > 0 || refused + failed > 0) && `${stored} accepted`,
    refused > 0 && `${refused} refused`,
    failed > 0 && `${failed} did not arrive`,
  ]
  return parts.filter(Boolean).join(', ')
}
