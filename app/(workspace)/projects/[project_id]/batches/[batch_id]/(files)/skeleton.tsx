import { Page } from '@/components/layout/page'
import { Skeleton, TableSkeleton } from '@/components/ui/skeleton'

export function BatchSkeleton() {
  return (
    <Page crumbs={[{ label: 'Projects', href: '/projects' }]} width="full">
      <Skeleton className="h-7 w-80 max-w-full" />
      <div className="grid gap-6 xl:grid-cols-[minmax(0,1fr)_19rem] 2xl:grid-cols-[minmax(0,1fr)_20rem]">
        <TableSkeleton label="batch" rows={8} columns={5} />
        <Skeleton className="h-64 w-full max-xl:hidden" />
      </div>
    </Page>
  )
}
