import { Page } from '@/components/layout/page'
import { Skeleton, TableSkeleton } from '@/components/ui/skeleton'

/** The files, and what stands beside them. */
export const BATCH_COLUMNS = 'grid gap-6 xl:grid-cols-[minmax(0,1fr)_19rem] 2xl:grid-cols-[minmax(0,1fr)_20rem]'

export function BatchSkeleton() {
  return (
    <Page crumbs={[{ label: 'Projects', href: '/projects' }]} width="full">
      <Skeleton className="h-7 w-80 max-w-full" />
      <div className={BATCH_COLUMNS}>
        <TableSkeleton label="batch" rows={8} columns={5} />
        <Skeleton className="h-64 w-full max-xl:hidden" />
      </div>
    </Page>
  )
}
