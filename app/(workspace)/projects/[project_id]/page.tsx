import { Layers } from 'lucide-react'
import type { Metadata } from 'next'
import { Suspense } from 'react'
import { TurnWords } from '@/components/batches/turn'
import { ProjectEstimates } from '@/components/cost-estimates/project-estimates'
import { Page } from '@/components/layout/page'
import { NewBatchButton } from '@/components/projects/batch-dialog'
import { MembersPanel } from '@/components/projects/members-panel'
import { EditProjectButton } from '@/components/projects/project-dialog'
import { BatchStatusBadge, PreQcWords, ProjectStatusBadge } from '@/components/projects/status'
import { Callout } from '@/components/ui/callout'
import { DataTable } from '@/components/ui/data-table'
import { EmptyState } from '@/components/ui/empty-state'
import { PageHeader, Section } from '@/components/ui/page-header'
import { TableSkeleton } from '@/components/ui/skeleton'
import { listBatches } from '@/lib/domain/batches/queries'
import { listEstimates } from '@/lib/domain/cost-estimates/queries'
import { getProjectScope } from '@/lib/domain/cost-estimates/scope'
import { listAgencies, listCampaigns, listUsers } from '@/lib/domain/directory/queries'
import { listMembers } from '@/lib/domain/projects/members'
import { getProject } from '@/lib/domain/projects/queries'
import { isClosed } from '@/lib/domain/projects/rules'
import type { Project } from '@/lib/domain/projects/schema'
import { listMediaCategories } from '@/lib/domain/settings/queries'
import { entityTag } from '@/lib/http/etag'
import { load, mayI } from '@/lib/http/load'
import { LABELS } from '@/lib/vocabulary'

type Props = { params: Promise<{ project_id: string }> }

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const project = await load(getProject, await params)
  return { title: project.name }
}

export default async function ProjectPage({ params }: Props) {
  const project = await load(getProject, await params)
  return (
    <Page crumbs={[{ label: 'Projects', href: '/projects' }, { label: project.name }]}>
      <PageHeader
        title={project.name}
        badge={<ProjectStatusBadge status={project.status} />}
        meta={[project.agency.name, project.campaign?.name, project.media_category?.name]}
        back={{ href: '/projects', label: 'Projects' }}
        actions={
          <Suspense>
            <Actions project={project} />
          </Suspense>
        }
      />
      <StatusNotice project={project} />
      <div className="grid gap-6 lg:grid-cols-[minmax(0,1fr)_17rem]">
        <Section title="Batches">
          <Suspense fallback={<TableSkeleton label="batches" rows={4} columns={5} />}>
            <Batches project={project} />
          </Suspense>
        </Section>
        <div className="flex min-w-0 flex-col gap-6 self-start">
          <Suspense>
            <Members project={project} />
          </Suspense>
          <Suspense>
            <Estimates project={project} />
          </Suspense>
        </div>
      </div>
    </Page>
  )
}

async function Actions({ project }: { project: Project }) {
  if (!(await mayI('projects.update'))) return null
  const [{ agencies }, { campaigns }, { media_categories }, { users }] = await Promise.all([
    load(listAgencies),
    load(listCampaigns),
    load(listMediaCategories),
    load(listUsers),
  ])
  return (
    <>
      <EditProjectButton
        project={project}
        etag={entityTag(project)}
        agencies={agencies}
        campaigns={campaigns}
        mediaCategories={media_categories}
      />
      {!isClosed(project.status) && (
        <NewBatchButton project={project} mediaCategories={media_categories} users={users} />
      )}
    </>
  )
}

function StatusNotice({ project }: { project: Project }) {
  if (project.status === 'on_hold') {
    return (
      <Callout tone="warn" title="This project is on hold">
        Uploads by link and submitting are paused until it is active again.
      </Callout>
    )
  }
  if (!isClosed(project.status)) return null
  return (
    <Callout tone="neutral" title={`This project is ${LABELS.projectStatus[project.status].toLowerCase()}`}>
      Nothing in it can change any more. Set it to active to go on.
    </Callout>
  )
}

async function Batches({ project }: { project: Project }) {
  const { batches } = await load(listBatches, { project_id: project.id })
  return (
    <DataTable
      caption="Batches, newest first"
      rows={batches}
      rowKey={(batch) => batch.id}
      rowHref={(batch) => `/projects/${project.id}/batches/${batch.id}`}
      columns={[
        {
          key: 'name',
          header: 'Batch',
          cell: (batch) => (
            <>
              {batch.name}
              <span className="block text-xs font-normal text-ink-subtle">
                {batch.operator ? batch.operator.name : 'No operator yet'}
              </span>
            </>
          ),
        },
        {
          key: 'status',
          header: 'Status',
          width: '10.5rem',
          cell: (batch) => <BatchStatusBadge status={batch.status} />,
        },
        { key: 'pre_qc', header: 'Pre-QC', width: '8.5rem', cell: (batch) => <PreQcWords preQc={batch.pre_qc} /> },
        {
          key: 'files',
          header: 'Files',
          align: 'end',
          width: '4rem',
          cell: (batch) => <span className="tabular-nums">{batch.counts.files}</span>,
        },
        {
          key: 'turn',
          header: 'Turn',
          width: '12.5rem',
          wideOnly: true,
          cell: (batch) =>
            batch.turn.holder || batch.due ? (
              <TurnWords turn={batch.turn} due={batch.due} />
            ) : (
              <span className="text-ink-subtle">No one’s</span>
            ),
        },
      ]}
      empty={
        <EmptyState icon={<Layers />} title="No batches yet">
          A batch is one delivery: files of one kind, with an operator who reviews them. Make the first one, then send
          the agency an upload link.
        </EmptyState>
      }
    />
  )
}

async function Estimates({ project }: { project: Project }) {
  const [{ cost_estimates, next_cursor }, scope, mayManage] = await Promise.all([
    load(listEstimates, {}, { project_id: project.id, limit: '5' }),
    load(getProjectScope, { project_id: project.id }),
    mayI('estimates.manage'),
  ])
  return (
    <ProjectEstimates
      projectId={project.id}
      isMore={next_cursor !== null}
      estimates={cost_estimates}
      scope={scope}
      mayManage={mayManage && !isClosed(project.status)}
    />
  )
}

async function Members({ project }: { project: Project }) {
  const mayManage = await mayI('members.manage')
  const [{ members }, people] = await Promise.all([
    load(listMembers, { project_id: project.id }),
    mayManage ? load(listUsers) : null,
  ])
  return <MembersPanel projectId={project.id} members={members} people={people?.users ?? null} />
}
