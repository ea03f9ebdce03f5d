import { Route } from 'lucide-react'
import type { Metadata } from 'next'
import { ImportDestination } from '@/components/destinations/import-destination'
import { Page } from '@/components/layout/page'
import { StatusText } from '@/components/ui/badge'
import { DataTable } from '@/components/ui/data-table'
import { EmptyState } from '@/components/ui/empty-state'
import { FilterBar } from '@/components/ui/filter-bar'
import { PageHeader } from '@/components/ui/page-header'
import { listDestinations } from '@/lib/domain/destinations/queries'
import { load, mayI } from '@/lib/http/load'
import { DESTINATION_FAMILIES, LABELS } from '@/lib/vocabulary'

export const metadata: Metadata = { title: 'Destinations' }

export default async function DestinationsPage({
  searchParams,
}: {
  searchParams: Promise<{ q?: string; family?: string }>
}) {
  const [{ destinations }, mayImport, { q = '', family }] = await Promise.all([
    load(listDestinations),
    mayI('directory.manage'),
    searchParams,
  ])
  const isFamily = DESTINATION_FAMILIES.some((one) => one === family)
  const wanted = q.trim().toLowerCase()
  const shown = destinations.filter(
    (each) =>
      (!isFamily || each.family === family) &&
      `${each.title} ${each.source.publisher} ${each.id}`.toLowerCase().includes(wanted),
  )
  return (
    <Page crumbs={[{ label: 'Settings' }, { label: 'Destinations' }]}>
      <PageHeader
        title="Destinations"
        description="Where files are delivered to, each with its published specification. Media categories and batches name them."
        actions={mayImport && <ImportDestination />}
      />
      <FilterBar
        search={{ label: 'Search destinations' }}
        filters={[
          {
            param: 'family',
            label: 'Family',
            options: DESTINATION_FAMILIES.map((value) => ({ value, label: LABELS.destinationFamily[value] })),
          },
        ]}
        noun={['destination', 'destinations']}
        shown={shown.length}
        total={destinations.length}
      />
      <DataTable
        caption="Destinations"
        rows={shown}
        rowKey={({ id }) => id}
        rowHref={({ id }) => `/settings/destinations/${id}`}
        columns={[
          {
            key: 'title',
            header: 'Destination',
            cell: ({ title, source }) => (
              <span className="flex min-w-0 flex-col">
                <span className="wrap-anywhere">{title}</span>
                <span className="text-xs font-normal text-ink-subtle wrap-anywhere">
                  {source.publisher}, {source.date}
                </span>
              </span>
            ),
          },
          {
            key: 'family',
            header: 'Family',
            width: '10rem',
            wideOnly: true,
            cell: ({ family: of }) => LABELS.destinationFamily[of],
          },
          {
            key: 'kinds',
            header: 'Takes',
            width: '12rem',
            cell: ({ kinds }) => kinds.map((kind) => LABELS.mediaKind[kind]).join(', '),
          },
          {
            key: 'origin',
            header: 'From',
            width: '9rem',
            cell: ({ origin, version, withdrawn_at }) =>
              withdrawn_at ? (
                <StatusText tone="warn">Withdrawn</StatusText>
              ) : origin === 'library' ? (
                'Greenroom'
              ) : (
                `Imported, version ${version}`
              ),
          },
        ]}
        empty={<EmptyState icon={<Route />} title="No destination matches" />}
      />
    </Page>
  )
}
