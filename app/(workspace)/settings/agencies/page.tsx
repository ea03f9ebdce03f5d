import { Building2, Plus } from 'lucide-react'
import type { Metadata } from 'next'
import { Page } from '@/components/layout/page'
import { AgencyDialog } from '@/components/settings/agency-dialog'
import { Button } from '@/components/ui/button'
import { DataTable } from '@/components/ui/data-table'
import { EmptyState } from '@/components/ui/empty-state'
import { FilterBar } from '@/components/ui/filter-bar'
import { LinkButton } from '@/components/ui/link-button'
import { PageHeader } from '@/components/ui/page-header'
import { PageLinks } from '@/components/ui/pagination'
import { RelativeTime } from '@/components/ui/relative-time'
import { listAgencies } from '@/lib/domain/directory/queries'
import { entityTag } from '@/lib/http/etag'
import { load, requirePermission } from '@/lib/http/load'

const PAGE_SIZE = 50

export const metadata: Metadata = { title: 'Agencies' }

export default async function AgenciesPage({
  searchParams,
}: {
  searchParams: Promise<{ q?: string; cursor?: string }>
}) {
  await requirePermission('directory.manage')
  const { q, cursor } = await searchParams
  const chosen = { ...(q && { q }) }
  const { agencies, next_cursor } = await load(
    listAgencies,
    {},
    { limit: String(PAGE_SIZE), ...chosen, ...(cursor && { cursor }) },
  )
  const hrefOf = (more: Record<string, string>) => `/settings/agencies?${new URLSearchParams({ ...chosen, ...more })}`
  return (
    <Page crumbs={[{ label: 'Settings' }, { label: 'Agencies' }]}>
      <PageHeader
        title="Agencies"
        description="Who delivers files. The code stands in their file names."
        actions={
          <AgencyDialog
            trigger={
              <Button variant="primary">
                <Plus />
                New agency
              </Button>
            }
          />
        }
      />
      <FilterBar
        search={{ label: 'Search agencies' }}
        noun={['agency', 'agencies']}
        shown={cursor || next_cursor ? undefined : agencies.length}
      />
      <DataTable
        caption="Agencies"
        rows={agencies}
        rowKey={(agency) => agency.id}
        columns={[
          { key: 'name', header: 'Agency', cell: (agency) => agency.name },
          {
            key: 'code',
            header: 'Code',
            width: '12rem',
            cell: (agency) => <code className="font-mono">{agency.code}</code>,
          },
          {
            key: 'created',
            header: 'Created',
            width: '9rem',
            wideOnly: true,
            cell: (agency) => <RelativeTime value={agency.created_at} />,
          },
        ]}
        rowActions={(agency) => (
          <>
            <LinkButton
              href={`/settings/agencies/${agency.id}/scorecard`}
              size="sm"
              variant="ghost"
              aria-label={`Scorecard of ${agency.name}`}
            >
              Scorecard
            </LinkButton>
            <AgencyDialog
              agency={agency}
              etag={entityTag(agency)}
              trigger={
                <Button size="sm" variant="ghost" aria-label={`Edit ${agency.name}`}>
                  Edit
                </Button>
              }
            />
          </>
        )}
        empty={
          <EmptyState icon={<Building2 />} title={q ? 'No agency matches' : 'No agencies yet'}>
            {q ? 'Try another word.' : 'A project belongs to an agency; make the first one here.'}
          </EmptyState>
        }
      />
      <PageLinks newerHref={cursor ? hrefOf({}) : null} olderHref={next_cursor && hrefOf({ cursor: next_cursor })} />
    </Page>
  )
}
