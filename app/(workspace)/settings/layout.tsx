import { type ReactNode, Suspense } from 'react'
import { Page } from '@/components/layout/page'
import { Skeleton, TableSkeleton } from '@/components/ui/skeleton'

/** A page of the settings, with their shape until it has come. */
export default function SettingsLayout({ children }: { children: ReactNode }) {
  return <Suspense fallback={<SettingsSkeleton />}>{children}</Suspense>
}

const SettingsSkeleton = () => (
  <Page crumbs={[{ label: 'Settings' }]}>
    <Skeleton className="h-7 w-56" />
    <TableSkeleton label="settings" rows={6} columns={4} />
  </Page>
)
