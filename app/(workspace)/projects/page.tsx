import { FolderKanban } from 'lucide-react'
import type { Metadata } from 'next'
import { Suspense } from 'react'
import { Page } from '@/components/layout/page'
import { NewProjectButton } from '@/components/projects/project-dialog'
import { ProjectStatusBadge } from '@/components/projects/status'
import { DataTable } from '@/components/ui/data-table'
import { EmptyState } from '@/components/ui/empty-state'
import { FilterBar } from '@/components/ui/filter-bar'
import { LinkButton } from '@/components/ui/link-button'
import { PageHeader } from '@/components/ui/page-header'
import { PageLinks } from '@/components/ui/pagination'
import { RelativeTime } from '@/components/ui/relative-time'
import { Skeleton, TableSkeleton } from '@/components/ui/skeleton'
import { listAgencies, listCampaigns } from '@/lib/domain/directory/queries'
import { listProjects } from '@/lib/domain/projects/queries'
import { listMediaCategories } from '@/lib/domain/settings/queries'
import { load, mayI } from '@/lib/http/load'
import { LABELS, PROJECT_STATUSES } from '@/lib/vocabulary'

export const metadata: Metadata = { title: 'Projects' }

const PAGE_SIZE = 50

type Search = { q?: string; status?: string; agency_id?: string; cursor?: string; new?: string }

export default async function ProjectsPage({ searchParams }: { searchParams: Promise<Search> }) {
  const { new: _new, ...search } = await searchParams
  return (
    <Page crumbs={[{ label: 'Projects' }]}>
      <PageHeader
        title="Projects"
        actions={
          <Suspense>
            <NewProject />
          </Suspense>
        }
      />
      <Suspense fallback={<Skeleton className="h-8 w-full max-w-md" />}>
        <Filters />
      </Suspense>
      <Suspense key={JSON.stringify(search)} fallback={<TableSkeleton label="projects" rows={8} columns={5} />}>
        <Projects {...search} />
      </Suspense>
    </Page>
  )
}

async function NewProject() {
  if (!(await mayI('projects.create'))) return null
  const [{ agencies }, { campaigns }, { media_categories }] = await Promise.all([
    load(listAgencies),
    load(listCampaigns),
    load(listMediaCategories),
  ])
  return <NewProjectButton agencies={agencies} campaigns={campaigns} mediaCategories={media_categories} />
}

async function Filters() {
  const { agencies } = await load(listAgencies)
  return (
    <FilterBar
      search={{ label: 'Search projects' }}
      filters={[
        {
          param: 'status',
          label: 'Status',
          options: PROJECT_STATUSES.map((value) => ({ value, label: LABELS.projectStatus[value] })),
        },
        { param: 'agency_id', label: 'Agency', options: agencies.map(({ id, name }) => ({ value: id, label: name })) },
      ]}
      noun={['project', 'projects']}
    />
  )
}

async function Projects({ cursor, ...filters }: Search) {
  const chosen = Object.fromEntries(Object.entries(filters).filter(([, value]) => value))
  const { projects, next_cursor } = await load(
    listProjects,
    {},
    { limit: String(PAGE_SIZE), ...chosen, ...(cursor && { cursor }) },
  )
  const isFiltered = Object.keys(chosen).length > 0
  const hrefOf = (more: Record<string, string>) => `/projects?${new URLSearchParams({ ...chosen, ...more })}`
  return (
    <>
      <DataTable
        caption="Projects, newest first"
        rows={projects}
        rowKey={(project) => project.id}
        rowHref={(project) => `/projects/${project.id}`}
        columns={[
          { key: 'name', header: 'Project', cell: (project) => project.name },
          { key: 'agency', header: 'Agency', width: '14rem', cell: (project) => project.agency.name },
          {
            key: 'campaign',
            header: 'Campaign',
            width: '13rem',
            cell: (project) => project.campaign?.name ?? <span className="text-ink-subtle">None</span>,
          },
          {
            key: 'status',
            header: 'Status',
            width: '8.5rem',
            cell: (project) => <ProjectStatusBadge status={project.status} />,
          },
          {
            key: 'created',
            header: 'Created',
            width: '8rem',
            wideOnly: true,
            cell: (project) => <RelativeTime value={project.created_at} />,
          },
        ]}
        empty={
          isFiltered ? (
            <EmptyState
              icon={<FolderKanban />}
              title="No project matches"
              action={<LinkButton href="/projects">Clear the filters</LinkButton>}
            >
              Try another word, or search in another status.
            </EmptyState>
          ) : (
            <EmptyState icon={<FolderKanban />} title="No projects yet">
              A project belongs to an agency and holds the batches of files it delivers. You see those you are a member
              of.
            </EmptyState>
          )
        }
      />
      <PageLinks newerHref={cursor ? hrefOf({}) : null} olderHref={next_cursor && hrefOf({ cursor: next_cursor })} />
    </>
  )
}
