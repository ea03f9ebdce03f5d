import type { ReactNode } from 'react'
import { ThumbnailImage } from '@/components/files/thumbnail-image'
import { cn } from '@/components/ui/cn'
import { StackedBar } from '@/components/ui/progress'
import { ownPath } from '@/lib/client/own-path'
import { formatCount } from '@/lib/format'

/** Images of the newest files of a batch or a project side by side; an icon where there is none yet, or it cannot be had. */
export function Covers({ urls, className }: { urls: readonly string[]; className?: string }) {
  return (
    <span
      aria-hidden="true"
      className={cn(
        'grid shrink-0 overflow-hidden rounded-md border border-line bg-media text-ink-subtle',
        urls.length > 1 && 'grid-cols-2',
        className,
      )}
    >
      {urls.length === 0 ? (
        <span className="grid icon-images place-items-center before:w-4.5" />
      ) : (
        (urls.length === 3 ? urls.slice(0, 2) : urls).map((url) => (
          <span key={url} className="relative grid min-h-0 icon-images place-items-center">
            <ThumbnailImage src={ownPath(url)} />
          </span>
        ))
      )}
    </span>
  )
}

/** A batch in a table: its images, its name, and a line below it. */
export function BatchName({
  batch,
  children,
}: {
  batch: { name: string; covers: readonly string[] }
  children: ReactNode
}) {
  return (
    <span className="flex min-w-0 items-center gap-3">
      <Covers urls={batch.covers} className="h-10 w-14" />
      <span className="min-w-0">
        <span className="line-clamp-2 wrap-anywhere">{batch.name}</span>
        <span className="block text-xs font-normal text-ink-subtle">{children}</span>
      </span>
    </span>
  )
}

type Counts = { files: number; approved: number; rejected: number; pending: number }

/** How many files are decided, as a bar and in words: `5 of 16 decided`. */
export function FileProgress({
  counts: { files, approved, rejected, pending },
  className,
}: {
  counts: Counts
  className?: string
}) {
  if (files === 0) return <span className="text-sm text-ink-subtle">No files yet</span>
  return (
    <span className={cn('flex w-full max-w-36 flex-col gap-1 text-xs text-ink-muted tabular-nums', className)}>
      {approved + rejected === 0
        ? formatCount(files, 'file')
        : `${approved + rejected} of ${files} decided${rejected > 0 ? `, ${rejected} rejected` : ''}`}
      <StackedBar
        label="Files"
        parts={[
          { value: approved, tone: 'pass', label: 'approved' },
          { value: rejected, tone: 'fail', label: 'rejected' },
          { value: pending, tone: 'neutral', label: 'to decide' },
        ]}
      />
    </span>
  )
}
