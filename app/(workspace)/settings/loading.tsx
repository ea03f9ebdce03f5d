import { Page } from '@/components/layout/page'
import { Skeleton, TableSkeleton } from '@/components/ui/skeleton'

export default function LoadingSettings() {
  return (
    <Page crumbs={[{ label: 'Settings' }]}>
      <Skeleton className="h-7 w-56" />
      <TableSkeleton label="settings" rows={6} columns={4} />
    </Page>
  )
}
