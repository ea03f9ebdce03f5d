import { ChartNoAxesColumn, ExternalLink } from 'lucide-react'
import type { Metadata } from 'next'
import { Page } from '@/components/layout/page'
import { NewScorecardLinkDialog, WithdrawScorecardLink } from '@/components/scorecards/scorecard-link-dialogs'
import { StatusBadge } from '@/components/ui/badge'
import { CopyButton } from '@/components/ui/copy-button'
import { DataTable } from '@/components/ui/data-table'
import { EmptyState } from '@/components/ui/empty-state'
import { AnchorButton } from '@/components/ui/link-button'
import { PageHeader } from '@/components/ui/page-header'
import { PageLinks } from '@/components/ui/pagination'
import { DateTime, RelativeTime } from '@/components/ui/relative-time'
import { getAgency } from '@/lib/domain/directory/queries'
import { listScorecardLinks } from '@/lib/domain/scorecards/links'
import { load, requirePermission } from '@/lib/http/load'
import { LABELS } from '@/lib/vocabulary'

const PAGE_SIZE = 50

export const metadata: Metadata = { title: 'Scorecard links' }

export default async function ScorecardLinksPage({
  params,
  searchParams,
}: {
  params: Promise<{ agency_id: string }>
  searchParams: Promise<{ cursor?: string }>
}) {
  await requirePermission('directory.manage')
  const path = await params
  const { cursor } = await searchParams
  const [agency, { scorecard_links, next_cursor }] = await Promise.all([
    load(getAgency, path),
    load(listScorecardLinks, path, { limit: String(PAGE_SIZE), ...(cursor && { cursor }) }),
  ])
  return (
    <Page crumbs={[{ label: 'Settings' }, { label: 'Agencies', href: '/settings/agencies' }, { label: agency.name }]}>
      <PageHeader
        title={`Scorecard of ${agency.name}`}
        description="A page on which the agency reads its own first-time pass rate, what its files fail most and how to fix it, beside the median of others."
        actions={<NewScorecardLinkDialog agency={agency} />}
      />
      <DataTable
        caption={`Scorecard links of ${agency.name}`}
        rows={scorecard_links}
        rowKey={({ id }) => id}
        columns={[
          {
            key: 'created',
            header: 'Made',
            cell: ({ created_at, created_by }) => (
              // On phones the buttons of the row stand beside this.
              <span className="block max-sm:pr-20">
                <RelativeTime value={created_at} /> by {created_by.name}
              </span>
            ),
          },
          {
            key: 'status',
            header: 'State',
            width: '9rem',
            cell: ({ status }) => (
              <StatusBadge tone={status === 'active' ? 'pass' : 'neutral'}>{LABELS.linkStatus[status]}</StatusBadge>
            ),
          },
          {
            key: 'expires',
            header: 'Expires',
            width: '11rem',
            cell: ({ expires_at }) => (expires_at ? <DateTime value={expires_at} /> : 'No end date'),
          },
          {
            key: 'read',
            header: 'Last read',
            width: '9rem',
            cell: ({ last_used_at }) => (last_used_at ? <RelativeTime value={last_used_at} /> : 'Not yet'),
          },
        ]}
        rowActions={(link) =>
          link.status === 'active' ? (
            <span className="flex justify-end">
              <AnchorButton
                href={link.url}
                target="_blank"
                rel="noreferrer"
                size="sm"
                variant="ghost"
                aria-label={`Open the scorecard behind ${link.url}`}
              >
                <ExternalLink />
              </AnchorButton>
              <CopyButton text={link.url} label={`Copy ${link.url}`} />
              <WithdrawScorecardLink link={link} />
            </span>
          ) : null
        }
        empty={
          <EmptyState icon={<ChartNoAxesColumn />} title="No scorecard link yet">
            Make one and send it to the agency: it is read without an account, and shows no other agency’s metrics.
          </EmptyState>
        }
      />
      <PageLinks
        newerHref={cursor ? `/settings/agencies/${agency.id}/scorecard` : null}
        olderHref={next_cursor && `/settings/agencies/${agency.id}/scorecard?cursor=${next_cursor}`}
      />
    </Page>
  )
}
