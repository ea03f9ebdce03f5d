import { Megaphone, Plus } from 'lucide-react'
import type { Metadata } from 'next'
import { ChoiceFilter } from '@/components/forms/choice-filter'
import { Page } from '@/components/layout/page'
import { CampaignDialog } from '@/components/settings/campaign-dialog'
import { Button } from '@/components/ui/button'
import { DataTable } from '@/components/ui/data-table'
import { EmptyState } from '@/components/ui/empty-state'
import { FilterBar } from '@/components/ui/filter-bar'
import { PageHeader } from '@/components/ui/page-header'
import { PageLinks } from '@/components/ui/pagination'
import { getAgency, listCampaigns } from '@/lib/domain/directory/queries'
import { entityTag } from '@/lib/http/etag'
import { load, loadIfThere, requirePermission } from '@/lib/http/load'

const PAGE_SIZE = 50

export const metadata: Metadata = { title: 'Campaigns' }

type Search = { q?: string; agency_id?: string; cursor?: string }

export default async function CampaignsPage({ searchParams }: { searchParams: Promise<Search> }) {
  await requirePermission('directory.manage')
  const { q, agency_id, cursor } = await searchParams
  const chosen = { ...(q && { q }), ...(agency_id && { agency_id }) }
  const [{ campaigns, next_cursor }, agency] = await Promise.all([
    load(listCampaigns, {}, { limit: String(PAGE_SIZE), ...chosen, ...(cursor && { cursor }) }),
    agency_id ? loadIfThere(getAgency, { agency_id }) : null,
  ])
  const hrefOf = (more: Record<string, string>) => `/settings/campaigns?${new URLSearchParams({ ...chosen, ...more })}`
  return (
    <Page crumbs={[{ label: 'Settings' }, { label: 'Campaigns' }]}>
      <PageHeader
        title="Campaigns"
        description="What agencies deliver for. A project may name one; its code then stands in file names."
        actions={
          <CampaignDialog
            agency={agency}
            trigger={
              <Button variant="primary">
                <Plus />
                New campaign
              </Button>
            }
          />
        }
      />
      <FilterBar
        search={{ label: 'Search campaigns' }}
        more={{
          params: ['agency_id'],
          children: (
            <ChoiceFilter
              param="agency_id"
              label="Agency"
              from="agencies"
              chosen={agency && { id: agency.id, name: agency.name }}
            />
          ),
        }}
        noun={['campaign', 'campaigns']}
        shown={cursor || next_cursor ? undefined : campaigns.length}
      />
      <DataTable
        caption="Campaigns"
        rows={campaigns}
        rowKey={(campaign) => campaign.id}
        columns={[
          { key: 'name', header: 'Campaign', cell: (campaign) => campaign.name },
          { key: 'agency', header: 'Agency', width: '16rem', cell: (campaign) => campaign.agency.name },
          {
            key: 'code',
            header: 'Code',
            width: '12rem',
            cell: (campaign) => <code className="font-mono">{campaign.code}</code>,
          },
        ]}
        rowActions={(campaign) => (
          <CampaignDialog
            campaign={campaign}
            etag={entityTag(campaign)}
            trigger={
              <Button size="sm" variant="ghost" aria-label={`Edit ${campaign.name}`}>
                Edit
              </Button>
            }
          />
        )}
        empty={
          <EmptyState icon={<Megaphone />} title={q || agency_id ? 'No campaign matches' : 'No campaigns yet'}>
            {q || agency_id
              ? 'Try another word or another agency.'
              : 'Make one for an agency, and file names can carry its code.'}
          </EmptyState>
        }
      />
      <PageLinks newerHref={cursor ? hrefOf({}) : null} olderHref={next_cursor && hrefOf({ cursor: next_cursor })} />
    </Page>
  )
}
