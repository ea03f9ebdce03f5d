import { ArchiveX } from 'lucide-react'
import type { Metadata } from 'next'
import { Page } from '@/components/layout/page'
import { RefreshEvery } from '@/components/settings/refresh-every'
import { StartRunButton } from '@/components/settings/retention-run'
import { Callout } from '@/components/ui/callout'
import { DataTable } from '@/components/ui/data-table'
import { DescriptionList } from '@/components/ui/description-list'
import { EmptyState } from '@/components/ui/empty-state'
import { PageHeader, Section } from '@/components/ui/page-header'
import { DateTime } from '@/components/ui/relative-time'
import { getRetentionRun } from '@/lib/domain/retention/runs'
import type { RetentionRun } from '@/lib/domain/retention/schema'
import { formatBytes, formatCount, formatNumber } from '@/lib/format'
import { load, requirePermission } from '@/lib/http/load'
import { LABELS } from '@/lib/vocabulary'

export const metadata: Metadata = { title: 'Retention run' }

const REFRESH_SECONDS = 3

export default async function RetentionRunPage({ params }: { params: Promise<{ run_id: string }> }) {
  await requirePermission('retention.manage')
  const run = await load(getRetentionRun, await params)
  const isPreview = run.status === 'preview'
  const isEmpty = run.projects.length === 0
  return (
    <Page crumbs={[{ label: 'Settings' }, { label: 'Retention', href: '/settings/retention' }, { label: 'Run' }]}>
      <PageHeader
        title={isPreview ? 'What a run would remove' : 'Retention run'}
        description={`${LABELS.retentionRunStatus[run.status]}, by the rules as of ${run.as_of.slice(0, 16).replace('T', ' ')} UTC.`}
        back={{ href: '/settings/retention', label: 'Retention' }}
        actions={isPreview && !isEmpty && <StartRunButton run={run} />}
      />
      {run.status === 'running' && <RefreshEvery seconds={REFRESH_SECONDS} />}
      {run.status === 'outdated' && (
        <Callout tone="neutral" title="This preview is outdated">
          Another one was made since. It can no longer be started.
        </Callout>
      )}
      <Facts run={run} />
      <Section title="By project">
        <DataTable
          caption="What goes, by project"
          rows={run.projects}
          rowKey={(project) => project.id}
          rowHref={(project) => `/projects/${project.id}`}
          columns={[
            { key: 'name', header: 'Project', cell: (project) => project.name },
            ...(['batches', 'files'] as const).map((key) => ({
              key,
              header: key === 'batches' ? 'Batches' : 'Files',
              align: 'end' as const,
              width: '6rem',
              cell: (project: RetentionRun['projects'][number]) => (
                <span className="tabular-nums">{formatNumber(project[key])}</span>
              ),
            })),
            {
              key: 'bytes',
              header: 'Size',
              align: 'end',
              width: '7rem',
              cell: (project) => <span className="tabular-nums">{formatBytes(project.bytes)}</span>,
            },
            {
              key: 'previews',
              header: 'Previews',
              align: 'end',
              width: '6rem',
              cell: (project) => <span className="tabular-nums">{formatNumber(project.previews)}</span>,
            },
            {
              key: 'activity',
              header: 'Notifications',
              align: 'end',
              width: '7.5rem',
              cell: (project) => <span className="tabular-nums">{formatNumber(project.activity)}</span>,
            },
          ]}
          empty={
            <EmptyState icon={<ArchiveX />} title="Nothing is due">
              By the rules as they are now, everything is kept.
            </EmptyState>
          }
        />
      </Section>
    </Page>
  )
}

function Facts({ run }: { run: RetentionRun }) {
  const { totals, removed } = run
  const counted = (counts: { files: number; bytes: number; previews: number; activity: number }) =>
    `${formatCount(counts.files, 'file')} (${formatBytes(counts.bytes)}), previews of ${formatCount(counts.previews, 'file')}, ${formatCount(counts.activity, 'notification')}`
  return (
    <DescriptionList
      items={[
        { label: 'Shown', value: `${counted(totals)}, in ${formatCount(totals.projects, 'project')}` },
        ...(removed
          ? [
              {
                label: 'Removed',
                value: `${counted(removed)}${removed.kept > 0 ? `; ${formatCount(removed.kept, 'item')} stayed, as a hold or a rule came in between` : ''}`,
              },
            ]
          : []),
        {
          label: 'Preview by',
          value: (
            <>
              {run.created_by.name}, <DateTime value={run.created_at} />
            </>
          ),
        },
        ...(run.started_by && run.started_at
          ? [
              {
                label: 'Started by',
                value: (
                  <>
                    {run.started_by.name}, <DateTime value={run.started_at} />
                  </>
                ),
              },
            ]
          : []),
        ...(run.completed_at ? [{ label: 'Completed', value: <DateTime value={run.completed_at} /> }] : []),
      ]}
    />
  )
}
