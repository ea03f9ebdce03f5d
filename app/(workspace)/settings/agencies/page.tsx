import { Building2, Plus } from 'lucide-react'
import type { Metadata } from 'next'
import { Page } from '@/components/layout/page'
import { AgencyDialog } from '@/components/settings/agency-dialog'
import { Button } from '@/components/ui/button'
import { cn } from '@/components/ui/cn'
import { DataTable } from '@/components/ui/data-table'
import { EmptyState } from '@/components/ui/empty-state'
import { FilterBar } from '@/components/ui/filter-bar'
import { LinkButton } from '@/components/ui/link-button'
import { PageHeader } from '@/components/ui/page-header'
import { PageLinks } from '@/components/ui/pagination'
import { RelativeTime } from '@/components/ui/relative-time'
import { listAgencies, listAgencyStorage } from '@/lib/domain/directory/queries'
import type { AgencyStorage } from '@/lib/domain/directory/schema'
import { formatBytes } from '@/lib/format'
import { entityTag } from '@/lib/http/etag'
import { load, requirePermission } from '@/lib/http/load'

const PAGE_SIZE = 50
/** From this part of a quota on it stands out. */
const NEARLY_FULL = 0.9

export const metadata: Metadata = { title: 'Agencies' }

export default async function AgenciesPage({
  searchParams,
}: {
  searchParams: Promise<{ q?: string; cursor?: string }>
}) {
  await requirePermission('directory.manage')
  const { q, cursor } = await searchParams
  const chosen = { ...(q && { q }) }
  const asked = { limit: String(PAGE_SIZE), ...chosen, ...(cursor && { cursor }) }
  const [{ agencies, next_cursor }, { agency_storage }] = await Promise.all([
    load(listAgencies, {}, asked),
    load(listAgencyStorage, {}, asked),
  ])
  const storageOf = new Map(agency_storage.map((row) => [row.agency.id, row]))
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
            key: 'stored',
            header: 'Stored',
            width: '12rem',
            cell: (agency) => <Stored storage={storageOf.get(agency.id)} />,
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

function Stored({ storage }: { storage: AgencyStorage | undefined }) {
  if (!storage) return null
  const { stored_bytes, storage_quota } = storage
  if (storage_quota === null) return <span className="tabular-nums">{formatBytes(stored_bytes)}</span>
  return (
    <span className={cn('tabular-nums', stored_bytes >= storage_quota * NEARLY_FULL && 'text-warn-ink')}>
      {formatBytes(stored_bytes)} of {formatBytes(storage_quota)}
    </span>
  )
}
