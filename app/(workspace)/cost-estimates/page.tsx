import { Plus, ReceiptText } from 'lucide-react'
import type { Metadata } from 'next'
import { Suspense } from 'react'
import { EstimateStatusBadge } from '@/components/cost-estimates/status'
import { ChoiceFilter } from '@/components/forms/choice-filter'
import { Page } from '@/components/layout/page'
import { DataTable } from '@/components/ui/data-table'
import { EmptyState } from '@/components/ui/empty-state'
import { FilterBar } from '@/components/ui/filter-bar'
import { LinkButton } from '@/components/ui/link-button'
import { PageHeader } from '@/components/ui/page-header'
import { PageLinks } from '@/components/ui/pagination'
import { RelativeTime } from '@/components/ui/relative-time'
import { Skeleton, TableSkeleton } from '@/components/ui/skeleton'
import { formatMoney } from '@/lib/currencies'
import { listEstimates } from '@/lib/domain/cost-estimates/queries'
import { getProject } from '@/lib/domain/projects/queries'
import { load, loadIfThere, mayI } from '@/lib/http/load'
import { ESTIMATE_STATUSES, LABELS } from '@/lib/vocabulary'

export const metadata: Metadata = { title: 'Cost estimates' }

const PAGE_SIZE = 50

type Search = { status?: string; project_id?: string; cursor?: string }

export default async function EstimatesPage({ searchParams }: { searchParams: Promise<Search> }) {
  const search = await searchParams
  const mayManage = await mayI('estimates.manage')
  return (
    <Page crumbs={[{ label: 'Cost estimates' }]}>
      <PageHeader
        title="Cost estimates"
        actions={
          mayManage && (
            <LinkButton
              href={`/cost-estimates/new${search.project_id ? `?project_id=${search.project_id}` : ''}`}
              variant="primary"
            >
              <Plus />
              New estimate
            </LinkButton>
          )
        }
      />
      <Suspense fallback={<Skeleton className="h-8 w-full max-w-md" />}>
        <Filters projectId={search.project_id} />
      </Suspense>
      <Suspense key={JSON.stringify(search)} fallback={<TableSkeleton label="cost estimates" rows={8} columns={5} />}>
        <Estimates {...search} mayManage={mayManage} />
      </Suspense>
    </Page>
  )
}

async function Filters({ projectId }: { projectId: string | undefined }) {
  const project = projectId ? await loadIfThere(getProject, { project_id: projectId }) : null
  return (
    <FilterBar
      filters={[
        {
          param: 'status',
          label: 'Status',
          options: ESTIMATE_STATUSES.map((value) => ({ value, label: LABELS.estimateStatus[value] })),
        },
      ]}
      more={{
        params: ['project_id'],
        children: (
          <ChoiceFilter
            param="project_id"
            label="Project"
            from="projects"
            chosen={project && { id: project.id, name: project.name }}
          />
        ),
      }}
      noun={['estimate', 'estimates']}
    />
  )
}

async function Estimates({ cursor, mayManage, ...filters }: Search & { mayManage: boolean }) {
  const chosen = Object.fromEntries(Object.entries(filters).filter(([, value]) => value))
  const { cost_estimates, next_cursor } = await load(
    listEstimates,
    {},
    { limit: String(PAGE_SIZE), ...chosen, ...(cursor && { cursor }) },
  )
  const hrefOf = (more: Record<string, string>) => `/cost-estimates?${new URLSearchParams({ ...chosen, ...more })}`
  return (
    <>
      <DataTable
        caption="Cost estimates, newest first"
        rows={cost_estimates}
        rowKey={(estimate) => estimate.id}
        rowHref={(estimate) => `/cost-estimates/${estimate.id}`}
        columns={[
          {
            key: 'title',
            header: 'Estimate',
            cell: (estimate) => <span className="line-clamp-2 wrap-anywhere">{estimate.title}</span>,
          },
          {
            key: 'number',
            header: 'Number',
            width: '9.5rem',
            cell: (estimate) => (
              <span className="whitespace-nowrap tabular-nums">
                {estimate.number}
                {estimate.revision > 1 && <span className="text-ink-subtle"> r{estimate.revision}</span>}
              </span>
            ),
          },
          {
            key: 'project',
            header: 'Project',
            width: '13rem',
            cell: (estimate) => <span className="line-clamp-2 wrap-anywhere">{estimate.project.name}</span>,
          },
          {
            key: 'status',
            header: 'Status',
            width: '14rem',
            cell: (estimate) => <EstimateStatusBadge status={estimate.status} />,
          },
          {
            key: 'total',
            header: 'Total',
            align: 'end',
            width: '9rem',
            cell: (estimate) => (
              <span className="whitespace-nowrap tabular-nums">{formatMoney(estimate.total, estimate.currency)}</span>
            ),
          },
          {
            key: 'created',
            header: 'Created',
            width: '7rem',
            wideOnly: true,
            cell: (estimate) => <RelativeTime value={estimate.created_at} />,
          },
        ]}
        empty={
          Object.keys(chosen).length > 0 ? (
            <EmptyState
              icon={<ReceiptText />}
              title="No estimate matches"
              action={<LinkButton href="/cost-estimates">Clear the filters</LinkButton>}
            >
              Search in another status or project.
            </EmptyState>
          ) : (
            <EmptyState
              icon={<ReceiptText />}
              title="No cost estimates yet"
              action={mayManage ? <LinkButton href="/cost-estimates/new">New estimate</LinkButton> : undefined}
            >
              Price a project line by line; it is approved inside, then by the client on a page of their own.
            </EmptyState>
          )
        }
      />
      <PageLinks newerHref={cursor ? hrefOf({}) : null} olderHref={next_cursor && hrefOf({ cursor: next_cursor })} />
    </>
  )
}
