import { ArchiveX, Lock } from 'lucide-react'
import type { Metadata } from 'next'
import { Page } from '@/components/layout/page'
import { LiftHoldDialog, SetHoldDialog } from '@/components/settings/hold-dialogs'
import { ServiceRulesDialog } from '@/components/settings/retention-dialogs'
import { PreviewButton } from '@/components/settings/retention-run'
import { Badge } from '@/components/ui/badge'
import { DataTable } from '@/components/ui/data-table'
import { EmptyState } from '@/components/ui/empty-state'
import { PageHeader, Section } from '@/components/ui/page-header'
import { PageLinks } from '@/components/ui/pagination'
import { DateTime } from '@/components/ui/relative-time'
import { listLegalHolds } from '@/lib/domain/retention/holds'
import { listRetentionRuns } from '@/lib/domain/retention/runs'
import type { LegalHold, ListedRetentionRun, RetentionRules } from '@/lib/domain/retention/schema'
import { getServiceRetention } from '@/lib/domain/retention/settings'
import { formatBytes, formatCount, formatNumber } from '@/lib/format'
import { entityTag } from '@/lib/http/etag'
import { load, requirePermission } from '@/lib/http/load'
import { LABELS, RETENTION_STATUSES } from '@/lib/vocabulary'

const PAGE_SIZE = 50
const RUNS_SHOWN = 20

export const metadata: Metadata = { title: 'Retention' }

export default async function RetentionPage({ searchParams }: { searchParams: Promise<{ cursor?: string }> }) {
  await requirePermission('retention.manage')
  const { cursor } = await searchParams
  const [retention, { retention_runs }, { legal_holds, next_cursor }] = await Promise.all([
    load(getServiceRetention),
    load(listRetentionRuns, {}, { limit: String(RUNS_SHOWN) }),
    load(listLegalHolds, {}, { limit: String(PAGE_SIZE), ...(cursor && { cursor }) }),
  ])
  return (
    <Page crumbs={[{ label: 'Settings' }, { label: 'Retention' }]}>
      <PageHeader
        title="Retention"
        description="For how long files, previews and notifications are kept, and what must not be deleted. Names, hashes, verdicts, decisions and the audit trail always stay."
      />
      <Section
        title="Rules"
        description="For all projects without rules of their own; a project gets its own on its page."
        actions={<ServiceRulesDialog retention={retention} etag={entityTag(retention)} />}
      >
        <Rules rules={retention.rules} />
      </Section>
      <Section
        title="Runs"
        description="Nothing goes by itself. A preview shows what is due; you start exactly that, or leave it."
        actions={<PreviewButton />}
      >
        <Runs runs={retention_runs.filter(({ status }) => status !== 'outdated')} />
      </Section>
      <Section
        title="Legal holds"
        description="Nothing of a project under legal hold is deleted, not even by an administrator."
        actions={<SetHoldDialog />}
      >
        <Holds holds={legal_holds} />
        <PageLinks
          newerHref={cursor ? '/settings/retention' : null}
          olderHref={next_cursor && `/settings/retention?${new URLSearchParams({ cursor: next_cursor })}`}
        />
      </Section>
    </Page>
  )
}

function Holds({ holds }: { holds: readonly LegalHold[] }) {
  return (
    <DataTable
      caption="Legal holds, newest first"
      rows={holds}
      rowKey={(hold) => hold.id}
      columns={[
        {
          key: 'on',
          header: 'On',
          cell: ({ project, agency, reason }) => (
            <>
              {project?.name ?? agency?.name}
              {agency && <span className="font-normal text-ink-muted"> with all its projects</span>}
              <span className="block max-w-prose text-xs font-normal whitespace-pre-wrap text-ink-muted wrap-anywhere">
                {reason}
              </span>
            </>
          ),
        },
        {
          key: 'set',
          header: 'Set',
          width: '13rem',
          cell: ({ set_at, set_by }) => (
            <>
              <DateTime value={set_at} />
              <span className="block text-xs text-ink-muted">{set_by.name}</span>
            </>
          ),
        },
        {
          key: 'state',
          header: 'State',
          width: '15rem',
          cell: ({ lifted }) =>
            lifted ? (
              <>
                Lifted <DateTime value={lifted.at} />
                <span className="block text-xs text-ink-muted wrap-anywhere">
                  {lifted.by.name}: {lifted.reason}
                </span>
              </>
            ) : (
              <Badge tone="warn">On</Badge>
            ),
        },
      ]}
      rowActions={(hold) => (hold.lifted ? null : <LiftHoldDialog hold={hold} />)}
      empty={
        <EmptyState icon={<Lock />} title="No legal holds">
          Set one while the files of a project, or of all projects of an agency, are needed as evidence.
        </EmptyState>
      }
    />
  )
}

const daysWords = (days: number | null) => (days === null ? 'For ever' : formatCount(days, 'day'))

function Rules({ rules }: { rules: RetentionRules }) {
  return (
    <DataTable
      caption="Retention rules"
      rows={[
        ...RETENTION_STATUSES.map((status) => ({
          key: LABELS.retentionStatus[status] as string,
          files: daysWords(rules.files[status]),
          previews: daysWords(rules.previews[status]),
        })),
        { key: 'Notifications', files: daysWords(rules.activity), previews: null },
      ]}
      rowKey={({ key }) => key}
      columns={[
        { key: 'status', header: 'After', cell: ({ key }) => key },
        { key: 'files', header: 'Kept', width: '12rem', cell: ({ files }) => files },
        { key: 'previews', header: 'Previews and evidence kept', width: '16rem', cell: ({ previews }) => previews },
      ]}
      empty={null}
    />
  )
}

const RUN_TONES = { preview: 'info', outdated: 'neutral', running: 'busy', completed: 'pass' } as const

function Runs({ runs }: { runs: readonly ListedRetentionRun[] }) {
  return (
    <DataTable
      caption="Retention runs, newest first"
      rows={runs}
      rowKey={(run) => run.id}
      rowHref={(run) => `/settings/retention/runs/${run.id}`}
      columns={[
        { key: 'at', header: 'Rules as of', cell: (run) => <DateTime value={run.as_of} /> },
        {
          key: 'status',
          header: 'Status',
          width: '9rem',
          cell: ({ status }) => <Badge tone={RUN_TONES[status]}>{LABELS.retentionRunStatus[status]}</Badge>,
        },
        {
          key: 'files',
          header: 'Files',
          align: 'end',
          width: '6rem',
          cell: ({ removed, totals }) => (
            <span className="tabular-nums">{formatNumber((removed ?? totals).files)}</span>
          ),
        },
        {
          key: 'bytes',
          header: 'Size',
          align: 'end',
          width: '8rem',
          cell: ({ removed, totals }) => <span className="tabular-nums">{formatBytes((removed ?? totals).bytes)}</span>,
        },
        {
          key: 'by',
          header: 'By',
          width: '12rem',
          cell: ({ started_by, created_by }) => (started_by ?? created_by).name,
        },
      ]}
      empty={
        <EmptyState icon={<ArchiveX />} title="No runs yet">
          Set the rules, then preview a run to see what is due.
        </EmptyState>
      }
    />
  )
}
