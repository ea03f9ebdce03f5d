import { ShieldCheck } from 'lucide-react'
import type { Metadata } from 'next'
import { Page } from '@/components/layout/page'
import { ConfirmScopedWaiver, WithdrawScopedWaiver } from '@/components/pre-qc/scoped-waivers'
import { ConfirmWaiver, WithdrawWaiver } from '@/components/pre-qc/waive'
import { Badge } from '@/components/ui/badge'
import { DataTable } from '@/components/ui/data-table'
import { EmptyState } from '@/components/ui/empty-state'
import { PageHeader, Section } from '@/components/ui/page-header'
import { PageLinks } from '@/components/ui/pagination'
import { RelativeTime } from '@/components/ui/relative-time'
import { can } from '@/lib/domain/kernel/permissions'
import { listScopedWaivers } from '@/lib/domain/pre-qc/scoped-waivers'
import { listWaivers } from '@/lib/domain/pre-qc/waivers'
import { getProject } from '@/lib/domain/projects/queries'
import { isClosed } from '@/lib/domain/projects/rules'
import { formatDate } from '@/lib/format'
import { load, requireUser } from '@/lib/http/load'
import { LABELS } from '@/lib/vocabulary'

type Props = { params: Promise<{ project_id: string }>; searchParams: Promise<{ cursor?: string }> }

export async function generateMetadata({ params }: Pick<Props, 'params'>): Promise<Metadata> {
  const project = await load(getProject, await params)
  return { title: `Waived in ${project.name}` }
}

export default async function WaiversPage({ params, searchParams }: Props) {
  const [path, { cursor }] = await Promise.all([params, searchParams])
  const user = await requireUser()
  const [project, { waivers, next_cursor }, { waivers: proposed }, { waivers: scoped }] = await Promise.all([
    load(getProject, path),
    load(listWaivers, path, { limit: '50', ...(cursor && { cursor }) }),
    load(listWaivers, path, { state: 'proposed', limit: '500' }),
    load(listScopedWaivers, path, { limit: '500' }),
  ])
  const mayWithdraw = (severity: string) =>
    !isClosed(project.status) && can(user, severity === 'blocking' ? 'pre_qc.waive_blocking' : 'pre_qc.waive')
  const held = (
    <Waivers
      caption="What is waived now, the newest waiver first"
      projectId={project.id}
      waivers={waivers}
      mayWithdraw={mayWithdraw}
    />
  )
  return (
    <Page
      crumbs={[
        { label: 'Projects', href: '/projects' },
        { label: project.name, href: `/projects/${project.id}` },
        { label: 'Waived' },
      ]}
    >
      <PageHeader
        title="Waived"
        description="Findings of current files that do not count, because a reviewer accepted them."
        meta={[project.name]}
        back={{ href: `/projects/${project.id}`, label: project.name }}
      />
      {scoped.length > 0 && (
        <Section title="For every file of a batch or of the project">
          <ScopedWaivers
            projectId={project.id}
            waivers={scoped}
            mayChange={!isClosed(project.status) && can(user, 'pre_qc.waive_blocking')}
          />
        </Section>
      )}
      {proposed.length > 0 && (
        <Section title="Waiting for a second person">
          <Waivers
            caption="Waivers that wait for a second person, the newest first"
            projectId={project.id}
            waivers={proposed}
            mayWithdraw={mayWithdraw}
          />
        </Section>
      )}
      {scoped.length + proposed.length > 0 ? <Section title="By file">{held}</Section> : held}
      <PageLinks newerHref={cursor ? '?' : null} olderHref={next_cursor ? `?cursor=${next_cursor}` : null} />
    </Page>
  )
}

type ScopedWaiver = Awaited<ReturnType<typeof listScopedWaivers.execute>>['waivers'][number]

function ScopedWaivers({
  projectId,
  waivers,
  mayChange,
}: {
  projectId: string
  waivers: readonly ScopedWaiver[]
  mayChange: boolean
}) {
  return (
    <DataTable
      caption="Waivers of what a check finds in every file of a batch or of the project, the newest first"
      rows={waivers}
      rowKey={({ id }) => id}
      columns={[
        {
          key: 'check',
          header: 'Check',
          cell: ({ label, state }) => (
            <span className="flex flex-wrap items-center gap-2">
              {label}
              {state === 'proposed' && <Badge tone="warn">Waits for a second person</Badge>}
            </span>
          ),
        },
        {
          key: 'covers',
          header: 'Covers',
          cell: ({ batch, files, state }) => (
            <span className="flex min-w-0 flex-col">
              <span className="wrap-anywhere">{batch ? batch.name : 'The project'}</span>
              {state === 'holds' && (
                <span className="text-xs text-ink-subtle">
                  {files === 0 ? 'Found in no file now' : `Found in ${files === 1 ? '1 file' : `${files} files`} now`}
                </span>
              )}
            </span>
          ),
        },
        REASON,
        BY,
        UNTIL,
      ]}
      rowActions={(waiver) =>
        mayChange ? (
          <span className="flex flex-wrap gap-1">
            {waiver.may_confirm && <ConfirmScopedWaiver projectId={projectId} waiver={waiver} />}
            <WithdrawScopedWaiver projectId={projectId} waiver={waiver} />
          </span>
        ) : null
      }
      empty={null}
    />
  )
}

type Said = Pick<Waiver, 'reason' | 'reason_code' | 'by' | 'at' | 'confirmed_by' | 'expires_at'>

const REASON = {
  key: 'reason',
  header: 'Reason',
  cell: ({ reason, reason_code }: Said) => (
    <span className="flex min-w-0 flex-col gap-0.5">
      <span className="wrap-anywhere">{reason}</span>
      {reason_code !== 'other' && <span className="text-xs text-ink-subtle">{LABELS.waiverReason[reason_code]}</span>}
    </span>
  ),
}

const BY = {
  key: 'by',
  header: 'By',
  width: '9rem',
  cell: ({ by, at, confirmed_by }: Said) => (
    <span className="flex flex-col">
      {by.name}
      <span className="text-xs text-ink-subtle">
        <RelativeTime value={at} />
        {confirmed_by && `, confirmed by ${confirmed_by.name}`}
      </span>
    </span>
  ),
}

const UNTIL = {
  key: 'expires',
  header: 'Until',
  width: '7.5rem',
  cell: ({ expires_at }: Said) => (expires_at ? formatDate(expires_at) : 'No end'),
}

type Waiver = Awaited<ReturnType<typeof listWaivers.execute>>['waivers'][number]

function Waivers({
  caption,
  projectId,
  waivers,
  mayWithdraw,
}: {
  caption: string
  projectId: string
  waivers: readonly Waiver[]
  mayWithdraw: (severity: string) => boolean
}) {
  return (
    <DataTable
      caption={caption}
      rows={waivers}
      rowKey={(waiver) => `${waiver.result_id} ${waiver.check_id}`}
      rowHref={(waiver) => `/projects/${projectId}/batches/${waiver.batch.id}#file=${waiver.file.id}`}
      columns={[
        {
          key: 'file',
          header: 'File',
          cell: ({ file, batch }) => (
            <span className="flex min-w-0 flex-col">
              <span className="wrap-anywhere">{file.name}</span>
              <span className="text-xs font-normal text-ink-subtle wrap-anywhere">{batch.name}</span>
            </span>
          ),
        },
        {
          key: 'check',
          header: 'Finding',
          cell: ({ label, details, severity, scope }) => (
            <span className="flex min-w-0 flex-col gap-0.5">
              <span className="flex flex-wrap items-center gap-2 @max-2xl:justify-end">
                {label}
                {severity === 'blocking' && <Badge tone="fail">Blocking</Badge>}
                {scope !== 'file' && <Badge>{scope === 'batch' ? 'Whole batch' : 'Whole project'}</Badge>}
              </span>
              <span className="text-xs text-ink-subtle wrap-anywhere">{details}</span>
            </span>
          ),
        },
        REASON,
        BY,
        UNTIL,
      ]}
      rowActions={(waiver) =>
        // One of a batch or project is withdrawn above, for all of its files.
        waiver.scope === 'file' && mayWithdraw(waiver.severity) ? (
          <span className="flex flex-wrap gap-1">
            {waiver.may_confirm && <ConfirmWaiver resultId={waiver.result_id} check={waiver} />}
            <WithdrawWaiver resultId={waiver.result_id} check={waiver} />
          </span>
        ) : null
      }
      empty={
        <EmptyState icon={<ShieldCheck />} title="Nothing is waived">
          A finding is waived in the panel of its file, with a reason, and perhaps until a day.
        </EmptyState>
      }
    />
  )
}
