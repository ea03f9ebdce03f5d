import { Page } from '@/components/layout/page'
import { Skeleton, TableSkeleton } from '@/components/ui/skeleton'

export function ProjectSkeleton() {
  return (
    <Page crumbs={[{ label: 'Projects', href: '/projects' }]}>
      <Skeleton className="h-7 w-72 max-w-full" />
      <TableSkeleton label="project" rows={5} columns={5} />
    </Page>
  )
}
