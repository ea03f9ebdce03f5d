import { ChevronLeft, ChevronRight } from 'lucide-react'
import { LinkButton } from './link-button'

/** Newer and older pages of a keyset list, each an address of its own. `labels` for lists in another order. */
export function PageLinks({
  newerHref,
  olderHref,
  labels = { newer: 'Newer', older: 'Older' },
}: {
  newerHref: string | null
  olderHref: string | null
  labels?: { newer: string; older: string }
}) {
  if (!newerHref && !olderHref) return null
  return (
    <nav aria-label="Pages" className="flex items-center justify-end gap-2">
      {newerHref && (
        <LinkButton href={newerHref} size="sm" rel="prev">
          <ChevronLeft />
          {labels.newer}
        </LinkButton>
      )}
      {olderHref && (
        <LinkButton href={olderHref} size="sm" rel="next">
          {labels.older}
          <ChevronRight />
        </LinkButton>
      )}
    </nav>
  )
}
