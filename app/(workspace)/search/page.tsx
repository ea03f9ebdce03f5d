import { SearchX, Telescope } from 'lucide-react'
import type { Metadata } from 'next'
import Link from 'next/link'
import { Suspense } from 'react'
import { ChoiceFilter } from '@/components/forms/choice-filter'
import { DayFilter } from '@/components/forms/day-filter'
import { ListKeys } from '@/components/layout/list-keys'
import { Page } from '@/components/layout/page'
import { FoundList } from '@/components/search/found-list'
import { EmptyState } from '@/components/ui/empty-state'
import { FilterBar } from '@/components/ui/filter-bar'
import { PageHeader, Section } from '@/components/ui/page-header'
import { Skeleton, TableSkeleton } from '@/components/ui/skeleton'
import { getAgency } from '@/lib/domain/directory/queries'
import { getProject } from '@/lib/domain/projects/queries'
import { search } from '@/lib/domain/search/queries'
import { wordsOf } from '@/lib/domain/search/rules'
import { SEARCH_STATUSES } from '@/lib/domain/search/schema'
import { load, loadIfThere, mayI } from '@/lib/http/load'
import {
  BATCH_STATUSES,
  ESTIMATE_STATUSES,
  LABELS,
  PROJECT_STATUSES,
  REVIEW_DECISIONS,
  SEARCH_KINDS,
  type SearchKind,
} from '@/lib/vocabulary'

export const metadata: Metadata = { title: 'Search' }

/** Of each kind where all are shown, and of the one that is asked for. */
const OF_EACH = 8
const OF_ONE = 100

const FILTERS = ['kind', 'status', 'agency_id', 'project_id', 'from', 'to'] as const
type Asked = { q?: string } & Partial<Record<(typeof FILTERS)[number], string>>

export default async function SearchPage({ searchParams }: { searchParams: Promise<Asked> }) {
  const asked = await searchParams
  return (
    <Page crumbs={[{ label: 'Search' }]}>
      <PageHeader title="Search" />
      <ListKeys noun="result" />
      <Suspense fallback={<Skeleton className="h-8 w-full max-w-md" />}>
        <Filters {...asked} />
      </Suspense>
      <Suspense key={JSON.stringify(asked)} fallback={<TableSkeleton label="what was found" rows={8} columns={2} />}>
        <Found {...asked} />
      </Suspense>
    </Page>
  )
}

const isKind = (kind: string | undefined): kind is SearchKind => SEARCH_KINDS.some((each) => each === kind)

const STATUS_LABELS: Record<string, string> = {
  ...LABELS.projectStatus,
  ...LABELS.batchStatus,
  ...LABELS.estimateStatus,
  ...LABELS.reviewDecision,
}

async function Filters({ kind, agency_id, project_id }: Asked) {
  const [agency, project, mayManage] = await Promise.all([
    agency_id ? loadIfThere(getAgency, { agency_id }) : null,
    project_id ? loadIfThere(getProject, { project_id }) : null,
    mayI('users.manage'),
  ])
  const statuses = isKind(kind)
    ? (SEARCH_STATUSES[kind] ?? [])
    : [...new Set<string>([...PROJECT_STATUSES, ...BATCH_STATUSES, ...REVIEW_DECISIONS, ...ESTIMATE_STATUSES])]
  return (
    <FilterBar
      search={{ label: 'Names, codes, comments, text, findings' }}
      filters={[
        {
          param: 'kind',
          label: 'Kind',
          options: SEARCH_KINDS.filter((each) => each !== 'person' || mayManage).map((value) => ({
            value,
            label: LABELS.searchKind[value],
          })),
        },
        {
          param: 'status',
          label: 'Status',
          options: statuses.map((value) => ({ value, label: STATUS_LABELS[value] ?? value })),
        },
      ]}
      more={{
        params: ['agency_id', 'project_id', 'from', 'to'],
        children: (
          <>
            <ChoiceFilter
              param="agency_id"
              label="Agency"
              from="agencies"
              chosen={agency && { id: agency.id, name: agency.name }}
            />
            <ChoiceFilter
              param="project_id"
              label="Project"
              from="projects"
              chosen={project && { id: project.id, name: project.name }}
            />
            <DayFilter param="from" label="From" />
            <DayFilter param="to" label="To" />
          </>
        ),
      }}
      noun={['result', 'results']}
    />
  )
}

async function Found({ q, ...asked }: Asked) {
  const typed = q?.trim()
  const filters = Object.fromEntries(FILTERS.flatMap((name) => (asked[name] ? [[name, asked[name]]] : [])))
  if (!typed) {
    return (
      <EmptyState icon={<Telescope />} title="Find anything you may see">
        Type a part of a name, several words in any order, the number of an estimate or the code of an agency. Comments,
        text read in files and findings are found by whole words.
      </EmptyState>
    )
  }
  const limit = filters.kind ? OF_ONE : OF_EACH
  const [{ results, partial }, mayManage] = await Promise.all([
    load(search, {}, { q: typed, ...filters, limit: String(limit) }),
    mayI('users.manage'),
  ])
  if (results.length === 0) {
    return (
      <EmptyState icon={<SearchX />} title={`Nothing found for “${typed}”`}>
        {partial.length > 0 && 'Of all names the newest were compared; a longer word finds older ones, too. '}
        {Object.keys(filters).length > 0
          ? 'Nothing that fits the filters. Clear them to search everywhere.'
          : 'Try fewer words, or a part of a word. You find what belongs to the projects you are a member of.'}
      </EmptyState>
    )
  }
  const words = wordsOf(typed)
  const isGuess = results.some(({ match }) => match === 'close')
  return (
    <>
      {isGuess && <p className="text-sm text-ink-muted">Nothing is called “{typed}”. These names are close to it.</p>}
      {SEARCH_KINDS.map((kind) => {
        const own = results.filter((found) => found.kind === kind)
        if (own.length === 0) return null
        const isCut = own.length === limit
        const said = [
          isCut && filters.kind && `The first ${limit}. Narrow the search to see others.`,
          partial.includes(kind) && 'More may fit than were compared; these are the best among the newest.',
        ].filter(Boolean)
        return (
          <Section
            key={kind}
            title={LABELS.searchKind[kind]}
            description={said.length > 0 ? said.join(' ') : undefined}
            actions={
              isCut &&
              !filters.kind && (
                <Link className="link text-sm" href={`/search?${new URLSearchParams({ q: typed, ...filters, kind })}`}>
                  More {LABELS.searchKind[kind].toLowerCase()}
                </Link>
              )
            }
          >
            <FoundList results={own} words={words} mayManage={mayManage} />
          </Section>
        )
      })}
    </>
  )
}
