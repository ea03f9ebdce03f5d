import { Layers, ShieldCheck } from 'lucide-react'
import type { Metadata } from 'next'
import { Suspense } from 'react'
import { BatchName, FileProgress } from '@/components/batches/covers'
import { TurnWords } from '@/components/batches/turn'
import { ProjectEstimates } from '@/components/cost-estimates/project-estimates'
import { Page } from '@/components/layout/page'
import { MembersPanel } from '@/components/projects/members-panel'
import { NewBatchButton } from '@/components/projects/new-batch-button'
import { EditProjectButton } from '@/components/projects/project-buttons'
import { BatchStatusBadge, PreQcWords, ProjectStatusBadge } from '@/components/projects/status'
import { ProjectRulesDialog } from '@/components/settings/retention-dialogs'
import { Button } from '@/components/ui/button'
import { Callout } from '@/components/ui/callout'
import { DataTable } from '@/components/ui/data-table'
import { EmptyState } from '@/components/ui/empty-state'
import { LinkButton } from '@/components/ui/link-button'
import { PageHeader, Section } from '@/components/ui/page-header'
import { PageLinks } from '@/components/ui/pagination'
import { DateTime } from '@/components/ui/relative-time'
import { TableSkeleton } from '@/components/ui/skeleton'
import { browseBatches } from '@/lib/domain/batches/browse'
import { listBatches } from '@/lib/domain/batches/queries'
import { listEstimates } from '@/lib/domain/cost-estimates/queries'
import { getProjectScope } from '@/lib/domain/cost-estimates/scope'
import { listMembers } from '@/lib/domain/projects/members'
import { getProject } from '@/lib/domain/projects/queries'
import { isClosed } from '@/lib/domain/projects/rules'
import type { Project } from '@/lib/domain/projects/schema'
import type { ProjectRetention } from '@/lib/domain/retention/schema'
import { getProjectRetention } from '@/lib/domain/retention/settings'
import { formatCount, formatDate } from '@/lib/format'
import { entityTag } from '@/lib/http/etag'
import { load, mayI, requireUser } from '@/lib/http/load'
import { LABELS } from '@/lib/vocabulary'
import { ProjectSkeleton } from './skeleton'

const BATCHES_SHOWN = 50

type Props = { params: Promise<{ project_id: string }>; searchParams: Promise<{ cursor?: string }> }

export async function generateMetadata({ params }: Pick<Props, 'params'>): Promise<Metadata> {
  const project = await load(getProject, await params)
  return { title: project.name }
}

export default function ProjectPage(props: Props) {
  return (
    <Suspense fallback={<ProjectSkeleton />}>
      <ProjectContent {...props} />
    </Suspense>
  )
}

async function ProjectContent({ params, searchParams }: Props) {
  const [{ cursor }, project] = await Promise.all([searchParams, load(getProject, await params)])
  return (
    <Page crumbs={[{ label: 'Projects', href: '/projects' }, { label: project.name }]}>
      <PageHeader
        title={project.name}
        badge={<ProjectStatusBadge status={project.status} />}
        meta={[project.agency.name, project.campaign?.name, project.media_category?.name]}
        back={{ href: '/projects', label: 'Projects' }}
        actions={
          <>
            <LinkButton href={`/projects/${project.id}/waivers`}>
              <ShieldCheck />
              Waived
            </LinkButton>
            <Suspense>
              <Actions project={project} />
            </Suspense>
          </>
        }
      />
      <StatusNotice project={project} />
      <Suspense>
        <HoldNotice project={project} />
      </Suspense>
      <div className="grid gap-6 lg:grid-cols-[minmax(0,1fr)_17rem]">
        <Section title="Batches">
          <Suspense key={cursor} fallback={<TableSkeleton label="batches" rows={4} columns={5} />}>
            <Batches project={project} cursor={cursor} />
          </Suspense>
        </Section>
        <div className="flex min-w-0 flex-col gap-6 self-start">
          <Suspense>
            <Members project={project} />
          </Suspense>
          <Suspense>
            <Estimates project={project} />
          </Suspense>
          <Suspense>
            <Retention project={project} />
          </Suspense>
        </div>
      </div>
    </Page>
  )
}

async function Actions({ project }: { project: Project }) {
  if (!(await mayI('projects.update'))) return null
  const [me, { batches }] = await Promise.all([
    requireUser(),
    load(listBatches, { project_id: project.id }, { limit: 1 }),
  ])
  return (
    <>
      <EditProjectButton project={project} etag={entityTag(project)} />
      {!isClosed(project.status) && (
        <NewBatchButton project={project} coordinator={me} operator={batches[0]?.operator ?? null} />
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

async function HoldNotice({ project }: { project: Project }) {
  const [{ legal_hold }, mayManage] = await Promise.all([
    load(getProjectRetention, { project_id: project.id }),
    mayI('retention.manage'),
  ])
  if (!legal_hold) return null
  return (
    <Callout
      tone="warn"
      title={
        <>
          {legal_hold.on === 'project' ? 'This project is' : `All projects of ${project.agency.name} are`} under legal
          hold since <DateTime value={legal_hold.since} />
        </>
      }
      actions={
        mayManage && (
          <LinkButton href="/settings/retention" size="sm">
            Legal holds
          </LinkButton>
        )
      }
    >
      Nothing in it is deleted until an administrator lifts the hold.
    </Callout>
  )
}

/** When files and previews go, where a rule says so; for administrators the way to change it. */
async function Retention({ project }: { project: Project }) {
  const [retention, mayManage] = await Promise.all([
    load(getProjectRetention, { project_id: project.id }),
    mayI('retention.manage'),
  ])
  const sentences = retentionSentences(retention)
  if (sentences.length === 0 && !mayManage) return null
  return (
    <Section
      title="Retention"
      actions={
        mayManage && (
          <ProjectRulesDialog
            projectId={project.id}
            retention={retention}
            etag={entityTag(retention)}
            trigger={
              <Button size="sm" variant="ghost" aria-label="Edit the retention of this project">
                Edit
              </Button>
            }
          />
        )
      }
    >
      <ul className="flex flex-col gap-1 text-sm text-ink-muted">
        {sentences.length === 0 ? <li>Everything is kept.</li> : sentences.map((each) => <li key={each}>{each}</li>)}
      </ul>
    </Section>
  )
}

function retentionSentences({ rules, of, files_go_at, previews_go_at, legal_hold }: ProjectRetention): string[] {
  const goes = (what: string, at: string | null) => {
    if (at === null) return []
    const isDue = Date.parse(at) <= Date.now()
    return [isDue ? `${what} go with the next retention run.` : `${what} are kept until ${formatDate(at)}.`]
  }
  const kept = (what: string, after: string, days: number | null) =>
    days === null ? [] : [`${what} are kept for ${formatCount(days, 'day')} after ${after}.`]
  const said = [
    ...goes('Files', files_go_at),
    ...goes('Previews', previews_go_at),
    ...(files_go_at ? [] : kept('Files', 'the project is completed', rules.files.completed)),
    ...kept('Rejected files', 'they were rejected', rules.files.rejected),
    ...kept('Earlier versions', 'they were replaced', rules.files.replaced),
  ]
  if (said.length === 0) return []
  return [
    ...said,
    ...(of === 'project' ? ['The project has rules of its own.'] : []),
    ...(legal_hold ? ['While the legal hold is on, nothing goes.'] : []),
  ]
}

async function Batches({ project, cursor }: { project: Project; cursor: string | undefined }) {
  const { batches, next_cursor } = await load(
    browseBatches,
    {},
    { project_id: project.id, limit: String(BATCHES_SHOWN), ...(cursor && { cursor }) },
  )
  const here = `/projects/${project.id}`
  return (
    <>
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
              <BatchName batch={batch}>{batch.operator ? batch.operator.name : 'No operator yet'}</BatchName>
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
            width: '9.5rem',
            cell: (batch) => <FileProgress counts={batch.counts} />,
          },
          {
            key: 'turn',
            header: 'Turn',
            width: '12.5rem',
            wideOnly: 'in tables',
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
      <PageLinks
        newerHref={cursor ? here : null}
        olderHref={next_cursor && `${here}?${new URLSearchParams({ cursor: next_cursor })}`}
      />
    </>
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
  const [{ members }, mayManage] = await Promise.all([
    load(listMembers, { project_id: project.id }),
    mayI('members.manage'),
  ])
  return <MembersPanel projectId={project.id} members={members} mayManage={mayManage} />
}
