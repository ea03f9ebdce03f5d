'use client'

import { ChevronLeft, ChevronRight } from 'lucide-react'
import { Button } from './button'
import { LinkButton } from './link-button'

/** "12 of 340 shown" and a button for more, for lists that grow in place. */
export function LoadMore({
  shown,
  total,
  noun,
  hasMore,
  loading = false,
  onLoadMore,
}: {
  shown: number
  total?: number
  noun: readonly [one: string, many: string]
  hasMore: boolean
  loading?: boolean
  onLoadMore: () => void
}) {
  return (
    <div className="flex items-center justify-between gap-3">
      <p aria-live="polite" className="text-sm text-ink-muted tabular-nums">
        {total === undefined
          ? `${shown} ${shown === 1 ? noun[0] : noun[1]} shown`
          : `${shown} of ${total} ${total === 1 ? noun[0] : noun[1]}`}
      </p>
      {hasMore && (
        <Button size="sm" loading={loading} onClick={onLoadMore}>
          Show more
        </Button>
      )}
    </div>
  )
}

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
