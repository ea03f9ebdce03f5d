import { ChevronLeft, ChevronRight } from 'lucide-react'
import { LinkButton } from './link-button'

/** Newer and older pages of a keyset list, each an address of its own. */
export function PageLinks({ newerHref, olderHref }: { newerHref: string | null; olderHref: string | null }) {
  if (!newerHref && !olderHref) return null
  return (
    <nav aria-label="Pages" className="flex items-center justify-end gap-2">
      {newerHref && (
        <LinkButton href={newerHref} size="sm" rel="prev">
          <ChevronLeft />
          Newer
        </LinkButton>
      )}
      {olderHref && (
        <LinkButton href={olderHref} size="sm" rel="next">
          Older
          <ChevronRight />
        </LinkButton>
      )}
    </nav>
  )
}
