import { PackageCheck } from 'lucide-react'
import type { Metadata } from 'next'
import { NewTargetDialog } from '@/components/deliveries/target-dialogs'
import { placeOf } from '@/components/deliveries/target-words'
import { Page } from '@/components/layout/page'
import { StatusText } from '@/components/ui/badge'
import { DataTable } from '@/components/ui/data-table'
import { EmptyState } from '@/components/ui/empty-state'
import { PageHeader } from '@/components/ui/page-header'
import { PageLinks } from '@/components/ui/pagination'
import type { DeliveryTarget } from '@/lib/domain/deliveries/schema'
import { listDeliveryTargets } from '@/lib/domain/deliveries/targets'
import { load, requirePermission } from '@/lib/http/load'
import { LABELS } from '@/lib/vocabulary'

const PAGE_SIZE = 50

export const metadata: Metadata = { title: 'Delivery targets' }

export default async function DeliveryTargetsPage({ searchParams }: { searchParams: Promise<{ cursor?: string }> }) {
  await requirePermission('settings.manage')
  const { cursor } = await searchParams
  const { delivery_targets, next_cursor } = await load(
    listDeliveryTargets,
    {},
    { limit: String(PAGE_SIZE), ...(cursor && { cursor }) },
  )
  return (
    <Page crumbs={[{ label: 'Settings' }, { label: 'Delivery targets' }]}>
      <PageHeader
        title="Delivery targets"
        description="Where coordinators may deliver approved files to: buckets, SFTP, WebDAV and HTTP servers."
        actions={<NewTargetDialog />}
      />
      <DataTable
        caption="Delivery targets"
        rows={delivery_targets}
        rowKey={({ id }) => id}
        rowHref={({ id }) => `/settings/delivery-targets/${id}`}
        columns={[
          {
            key: 'name',
            header: 'Name',
            cell: (target) => (
              <span className="flex min-w-0 flex-col">
                <span className="wrap-anywhere">{target.name}</span>
                <span className="text-xs font-normal text-ink-subtle wrap-anywhere">{placeOf(target)}</span>
              </span>
            ),
          },
          { key: 'kind', header: 'Way', width: '7rem', cell: ({ connection }) => LABELS.targetKind[connection.kind] },
          {
            key: 'verified',
            header: 'Verified by',
            width: '13rem',
            cell: (target) => LABELS.verification[target.verification],
          },
          { key: 'test', header: 'Last test', width: '9rem', cell: (target) => <TestState {...target} /> },
        ]}
        empty={
          <EmptyState icon={<PackageCheck />} title="No delivery targets yet">
            Add one for each place approved files go to. Coordinators then deliver a batch with one click.
          </EmptyState>
        }
      />
      <PageLinks
        newerHref={cursor ? '/settings/delivery-targets' : null}
        olderHref={next_cursor && `/settings/delivery-targets?cursor=${next_cursor}`}
      />
    </Page>
  )
}

function TestState({ last_test }: Pick<DeliveryTarget, 'last_test'>) {
  if (!last_test) return <StatusText tone="neutral">Not tested</StatusText>
  return last_test.steps.every(({ ok }) => ok) ? (
    <StatusText tone="pass">Worked</StatusText>
  ) : (
    <StatusText tone="fail">Failed</StatusText>
  )
}
