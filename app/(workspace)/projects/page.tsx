import { FolderKanban } from 'lucide-react'
import type { Metadata } from 'next'
import { Suspense } from 'react'
import { Covers, FileProgress } from '@/components/batches/covers'
import { DueWords } from '@/components/batches/turn'
import { ChoiceFilter } from '@/components/forms/choice-filter'
import { Page } from '@/components/layout/page'
import { NewProjectButton } from '@/components/projects/project-buttons'
import { ProjectStatusBadge } from '@/components/projects/status'
import { SavedViewsMenu } from '@/components/saved-views/saved-views-menu'
import { DataTable } from '@/components/ui/data-table'
import { EmptyState } from '@/components/ui/empty-state'
import { FilterBar } from '@/components/ui/filter-bar'
import { LinkButton } from '@/components/ui/link-button'
import { PageHeader } from '@/components/ui/page-header'
import { PageLinks } from '@/components/ui/pagination'
import { RelativeTime } from '@/components/ui/relative-time'
import { Skeleton, TableSkeleton } from '@/components/ui/skeleton'
import { progressOf } from '@/lib/domain/batches/covers'
import { getAgency } from '@/lib/domain/directory/queries'
import { listProjects } from '@/lib/domain/projects/queries'
import { load, loadIfThere, mayI } from '@/lib/http/load'
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
        <Filters agencyId={search.agency_id} />
      </Suspense>
      <Suspense key={JSON.stringify(search)} fallback={<TableSkeleton label="projects" rows={8} columns={5} />}>
        <Projects {...search} />
      </Suspense>
    </Page>
  )
}

async function NewProject() {
  if (!(await mayI('projects.create'))) return null
  return <NewProjectButton />
}

async function Filters({ agencyId }: { agencyId: string | undefined }) {
  const [agency, mayShare] = await Promise.all([
    agencyId ? loadIfThere(getAgency, { agency_id: agencyId }) : null,
    mayI('views.share'),
  ])
  return (
    <FilterBar
      search={{ label: 'Search projects' }}
      filters={[
        {
          param: 'status',
          label: 'Status',
          options: PROJECT_STATUSES.map((value) => ({ value, label: LABELS.projectStatus[value] })),
        },
      ]}
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
      noun={['project', 'projects']}
      actions={
        <span className="ml-auto">
          <SavedViewsMenu place="projects" params={['q', 'status', 'agency_id']} mayShare={mayShare} />
        </span>
      }
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
  const progress = projects.length
    ? await load(progressOf, {}, { project_ids: projects.map(({ id }) => id).join() })
    : { projects: [] }
  const progressById = new Map(progress.projects.map((each) => [each.id, each]))
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
          {
            key: 'name',
            header: 'Project',
            cell: (project) => (
              <span className="flex min-w-0 items-center gap-3">
                <Covers urls={progressById.get(project.id)?.covers ?? []} className="h-10 w-14" />
                <span className="min-w-0">
                  <span className="line-clamp-2 wrap-anywhere">{project.name}</span>
                  {project.campaign && (
                    <span className="block truncate text-xs font-normal text-ink-subtle">{project.campaign.name}</span>
                  )}
                </span>
              </span>
            ),
          },
          { key: 'agency', header: 'Agency', width: '11rem', cell: (project) => project.agency.name },
          {
            key: 'batches',
            header: 'Open batches',
            width: '8rem',
            wideOnly: true,
            cell: (project) => {
              const { batches = 0, open_batches = 0 } = progressById.get(project.id) ?? {}
              return batches > 0 ? (
                <span className="tabular-nums">{`${open_batches} of ${batches}`}</span>
              ) : (
                <span className="text-ink-subtle">None yet</span>
              )
            },
          },
          {
            key: 'files',
            header: 'Files',
            width: '10rem',
            cell: (project) => {
              const counts = progressById.get(project.id)
              return counts && <FileProgress counts={counts} />
            },
          },
          {
            key: 'due',
            header: 'Next due',
            width: '10rem',
            cell: (project) => {
              const due = progressById.get(project.id)?.due
              return due ? <DueWords due={due} /> : <span className="text-ink-subtle">No date</span>
            },
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
