import { Layers } from 'lucide-react'
import type { Metadata } from 'next'
import { Suspense } from 'react'
import { BatchBoard, selectedOf } from '@/components/batches/batch-board'
import { BatchCalendar } from '@/components/batches/batch-calendar'
import { BatchSelection, SelectBatch } from '@/components/batches/batch-selection'
import { BatchViews } from '@/components/batches/batch-views'
import { daysOf, monthOf } from '@/components/batches/calendar-days'
import { BatchName, FileProgress } from '@/components/batches/covers'
import { TurnWords } from '@/components/batches/turn'
import { WorkLive } from '@/components/batches/work-live'
import { ChoiceFilter } from '@/components/forms/choice-filter'
import { ListKeys } from '@/components/layout/list-keys'
import { Page } from '@/components/layout/page'
import { BatchStatusBadge } from '@/components/projects/status'
import { SavedViewsMenu } from '@/components/saved-views/saved-views-menu'
import { Callout } from '@/components/ui/callout'
import { DataTable } from '@/components/ui/data-table'
import { EmptyState } from '@/components/ui/empty-state'
import { FilterBar } from '@/components/ui/filter-bar'
import { LinkButton } from '@/components/ui/link-button'
import { PageHeader } from '@/components/ui/page-header'
import { PageLinks } from '@/components/ui/pagination'
import { Skeleton, TableSkeleton } from '@/components/ui/skeleton'
import { browseBatches, browseBoard } from '@/lib/domain/batches/browse'
import { BrowseBatches } from '@/lib/domain/batches/schema'
import { getAgency } from '@/lib/domain/directory/queries'
import { getMediaCategory } from '@/lib/domain/settings/queries'
import { load, loadIfThere, mayI } from '@/lib/http/load'
import { BATCH_STATUSES, LABELS } from '@/lib/vocabulary'

export const metadata: Metadata = { title: 'Batches' }

const LISTED = 50
const ON_BOARD = 25
const IN_CALENDAR = 500
const FILTERS = ['q', 'mine', 'agency_id', 'media_category_id'] as const
const VIEW_PARAMS = ['view', 'month', 'status', ...FILTERS]

type Search = Partial<Record<(typeof FILTERS)[number] | 'view' | 'month' | 'status' | 'cursor', string>>

/** What of the address can be asked for; what means nothing, of an old link or a saved view, is left out. */
function filtersOf(search: Search) {
  const read = FILTERS.flatMap((name) => {
    const value = search[name] ? BrowseBatches.shape[name].safeParse(search[name]).data : undefined
    return value ? [[name, value] as const] : []
  })
  return Object.fromEntries(read) as Partial<Record<(typeof FILTERS)[number], string>>
}

export default async function BatchesPage({ searchParams }: { searchParams: Promise<Search> }) {
  const search = await searchParams
  const view = search.view === 'calendar' || search.view === 'list' ? search.view : 'board'
  return (
    <Page crumbs={[{ label: 'Batches' }]} width="full">
      <PageHeader title="Batches" actions={<BatchViews />} />
      <WorkLive />
      <ListKeys noun="batch" />
      <Suspense fallback={<Skeleton className="h-8 w-full max-w-md" />}>
        <Filters search={search} view={view} />
      </Suspense>
      <Suspense key={JSON.stringify(search)} fallback={<TableSkeleton label="batches" rows={8} columns={5} />}>
        {view === 'board' ? (
          <Board search={search} />
        ) : view === 'calendar' ? (
          <Calendar search={search} />
        ) : (
          <List search={search} />
        )}
      </Suspense>
    </Page>
  )
}

async function Filters({ search, view }: { search: Search; view: string }) {
  const { agency_id, media_category_id } = filtersOf(search)
  const [agency, category, mayShare] = await Promise.all([
    agency_id ? loadIfThere(getAgency, { agency_id }) : null,
    media_category_id ? loadIfThere(getMediaCategory, { media_category_id }) : null,
    mayI('views.share'),
  ])
  return (
    <>
      <FilterBar
        search={{ label: 'Search batches' }}
        filters={[
          { param: 'mine', label: 'People', options: [{ value: 'true', label: 'Mine' }] },
          ...(view === 'list'
            ? [
                {
                  param: 'status',
                  label: 'Status',
                  options: BATCH_STATUSES.map((value) => ({ value, label: LABELS.batchStatus[value] })),
                },
              ]
            : []),
        ]}
        more={{
          params: ['agency_id', 'media_category_id'],
          children: (
            <>
              <ChoiceFilter param="agency_id" label="Agency" from="agencies" chosen={refOf(agency)} />
              <ChoiceFilter
                param="media_category_id"
                label="Media category"
                from="categories"
                chosen={refOf(category)}
              />
            </>
          ),
        }}
        noun={['batch', 'batches']}
        actions={
          <span className="ml-auto">
            <SavedViewsMenu place="batches" params={VIEW_PARAMS} mayShare={mayShare} />
          </span>
        }
      />
      {((agency_id && !agency) || (media_category_id && !category)) && (
        <Callout tone="warn">
          {agency_id && !agency ? 'The agency' : 'The media category'} of this view is not there any more, so no batch
          matches. Choose another one, or clear the filters.
        </Callout>
      )}
    </>
  )
}

/** Of what is known the browser needs no more. */
const refOf = (named: { id: string; name: string } | null) => named && { id: named.id, name: named.name }

const hrefOf = (search: Search, more: Search) =>
  `/batches?${new URLSearchParams(
    Object.entries({ ...filtersOf(search), ...more }).filter((entry): entry is [string, string] => Boolean(entry[1])),
  )}`

async function Board({ search }: { search: Search }) {
  const board = await load(browseBoard, {}, { ...filtersOf(search), limit: String(ON_BOARD) })
  return (
    <BatchSelection isAllowed={await mayI('batches.update')}>
      <BatchBoard {...board} hrefOf={(status) => hrefOf(search, { view: 'list', status })} />
    </BatchSelection>
  )
}

async function Calendar({ search }: { search: Search }) {
  const today = new Date().toISOString().slice(0, 10)
  const month = monthOf(search.month) ?? today.slice(0, 7)
  const days = daysOf(month)
  const { batches, next_cursor } = await load(
    browseBatches,
    {},
    { ...filtersOf(search), due_from: days[0], due_to: days.at(-1), limit: String(IN_CALENDAR) },
  )
  return (
    <>
      <BatchCalendar
        month={month}
        today={today}
        batches={batches}
        hrefOf={(other) => hrefOf(search, { view: 'calendar', month: other })}
      />
      {next_cursor && (
        <p className="text-sm text-ink-muted">
          More than {IN_CALENDAR} batches are due in these weeks; the newest are shown. Filter by agency or category.
        </p>
      )}
    </>
  )
}

async function List({ search: { cursor, ...search } }: { search: Search }) {
  const status = BATCH_STATUSES.find((each) => each === search.status)
  const { batches, next_cursor } = await load(
    browseBatches,
    {},
    { ...filtersOf(search), status, limit: String(LISTED), ...(cursor && { cursor }) },
  )
  const here = { view: 'list', ...(status && { status }) }
  const mayAssign = await mayI('batches.update')
  const isFiltered = Boolean(status) || Object.keys(filtersOf(search)).length > 0
  return (
    <BatchSelection isAllowed={mayAssign}>
      <DataTable
        caption="Batches, newest first"
        rows={batches}
        rowActions={mayAssign ? (batch) => <SelectBatch batch={selectedOf(batch)} /> : undefined}
        rowKey={(batch) => batch.id}
        rowHref={(batch) => `/projects/${batch.project_id}/batches/${batch.id}`}
        columns={[
          {
            key: 'name',
            header: 'Batch',
            cell: (batch) => (
              <BatchName batch={batch}>
                {batch.project.name}, {batch.agency.name}
              </BatchName>
            ),
          },
          {
            key: 'status',
            header: 'Status',
            width: '10.5rem',
            cell: (batch) => <BatchStatusBadge status={batch.status} />,
          },
          {
            key: 'files',
            header: 'Files',
            width: '10rem',
            cell: (batch) => <FileProgress counts={batch.counts} />,
          },
          {
            key: 'operator',
            header: 'Operator',
            width: '9rem',
            wideOnly: true,
            cell: (batch) => batch.operator?.name ?? <span className="text-ink-subtle">No one yet</span>,
          },
          {
            key: 'turn',
            header: 'Turn',
            width: '14rem',
            cell: (batch) =>
              batch.turn.holder || batch.due ? (
                <TurnWords turn={batch.turn} due={batch.due} />
              ) : (
                <span className="text-ink-subtle">No one’s</span>
              ),
          },
        ]}
        empty={
          isFiltered ? (
            <EmptyState
              icon={<Layers />}
              title="No batch matches"
              action={<LinkButton href="/batches?view=list">Clear the filters</LinkButton>}
            />
          ) : (
            <EmptyState icon={<Layers />} title="No batches yet">
              Batches of the projects you are a member of appear here.
            </EmptyState>
          )
        }
      />
      <PageLinks
        newerHref={cursor ? hrefOf(search, here) : null}
        olderHref={next_cursor && hrefOf(search, { ...here, cursor: next_cursor })}
      />
    </BatchSelection>
  )
}
