import { Skeleton } from '@/components/ui/skeleton'

export function ReviewSkeleton() {
  return (
    <div className="flex h-dvh flex-col" aria-busy="true">
      <p className="sr-only" role="status">
        Opening the review room
      </p>
      <div className="h-12 border-b border-line bg-surface" />
      <div className="flex min-h-0 flex-1">
        <div className="w-64 space-y-3 border-r border-line bg-surface p-3 max-lg:hidden">
          {['a', 'b', 'c', 'd', 'e', 'f'].map((row) => (
            <Skeleton key={row} className="h-11 w-full" />
          ))}
        </div>
        <div className="flex-1 bg-media" />
        <div className="w-96 space-y-3 border-l border-line p-4 max-lg:hidden">
          <Skeleton className="h-6 w-32" />
          <Skeleton className="h-24 w-full" />
          <Skeleton className="h-24 w-full" />
        </div>
      </div>
    </div>
  )
}
