import { cn } from './cn'

/** A grey shape in the place of something that is on its way. Give it the size of what will come. */
export function Skeleton({ className }: { className?: string }) {
  return <span aria-hidden="true" className={cn('block h-4 animate-skeleton rounded-md bg-active', className)} />
}

/** Announces once to screen readers what is loading; the shapes inside are silent. */
export function Loading({
  label,
  className,
  children,
}: {
  label: string
  className?: string
  children: React.ReactNode
}) {
  return (
    <div role="status" aria-label={`Loading ${label}`} className={className}>
      {children}
    </div>
  )
}

const CELL_WIDTHS = ['w-3/5', 'w-2/5', 'w-1/2', 'w-1/3'] as const

/** The shape of a `DataTable` before its rows. */
export function TableSkeleton({ label, rows = 6, columns = 4 }: { label: string; rows?: number; columns?: number }) {
  return (
    <Loading label={label} className="overflow-hidden rounded-xl border border-line bg-surface shadow-xs">
      <div className="h-8 border-b border-line" />
      {Array.from({ length: rows }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: placeholders have no identity
        <div key={row} className="flex h-10 items-center gap-6 border-b border-line px-4 last:border-b-0">
          {Array.from({ length: columns }, (_, column) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: placeholders have no identity
            <span key={column} className={cn('flex-1', column === 0 && 'flex-2', column > 1 && 'max-sm:hidden')}>
              <Skeleton className={cn('h-3', CELL_WIDTHS[(row + column) % CELL_WIDTHS.length])} />
            </span>
          ))}
        </div>
      ))}
    </Loading>
  )
}
