import { ShieldCheck } from 'lucide-react'
import type { Metadata } from 'next'
import { Page } from '@/components/layout/page'
import { ConfirmWaiver, WithdrawWaiver } from '@/components/pre-qc/waive'
import { Badge } from '@/components/ui/badge'
import { DataTable } from '@/components/ui/data-table'
import { EmptyState } from '@/components/ui/empty-state'
import { PageHeader, Section } from '@/components/ui/page-header'
import { PageLinks } from '@/components/ui/pagination'
import { RelativeTime } from '@/components/ui/relative-time'
import { can } from '@/lib/domain/kernel/permissions'
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
  const [project, { waivers, next_cursor }, { waivers: proposed }] = await Promise.all([
    load(getProject, path),
    load(listWaivers, path, { limit: '50', ...(cursor && { cursor }) }),
    load(listWaivers, path, { state: 'proposed', limit: '500' }),
  ])
  const mayWithdraw = (severity: string) =>
    !isClosed(project.status) && can(user, severity === 'blocking' ? 'pre_qc.waive_blocking' : 'pre_qc.waive')
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
      <Waivers
        caption="What is waived now, the newest waiver first"
        projectId={project.id}
        waivers={waivers}
        mayWithdraw={mayWithdraw}
      />
      <PageLinks newerHref={cursor ? '?' : null} olderHref={next_cursor ? `?cursor=${next_cursor}` : null} />
    </Page>
  )
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
          cell: ({ label, details, severity }) => (
            <span className="flex min-w-0 flex-col gap-0.5">
              <span className="flex flex-wrap items-center gap-2">
                {label}
                {severity === 'blocking' && <Badge tone="fail">Blocking</Badge>}
              </span>
              <span className="text-xs text-ink-subtle wrap-anywhere">{details}</span>
            </span>
          ),
        },
        {
          key: 'reason',
          header: 'Reason',
          cell: ({ reason, reason_code }) => (
            <span className="flex min-w-0 flex-col gap-0.5">
              <span className="wrap-anywhere">{reason}</span>
              {reason_code !== 'other' && (
                <span className="text-xs text-ink-subtle">{LABELS.waiverReason[reason_code]}</span>
              )}
            </span>
          ),
        },
        {
          key: 'by',
          header: 'By',
          width: '9rem',
          cell: ({ by, at, confirmed_by }) => (
            <span className="flex flex-col">
              {by.name}
              <span className="text-xs text-ink-subtle">
                <RelativeTime value={at} />
                {confirmed_by && `, confirmed by ${confirmed_by.name}`}
              </span>
            </span>
          ),
        },
        {
          key: 'expires',
          header: 'Until',
          width: '7.5rem',
          cell: ({ expires_at }) => (expires_at ? formatDate(expires_at) : 'No end'),
        },
      ]}
      rowActions={(waiver) =>
        mayWithdraw(waiver.severity) ? (
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
