import { GitCompareArrows } from 'lucide-react'
import type { Metadata } from 'next'
import { Suspense } from 'react'
import { Thresholds } from '@/components/destinations/thresholds'
import { Page } from '@/components/layout/page'
import { Badge, type Tone } from '@/components/ui/badge'
import { DataTable } from '@/components/ui/data-table'
import { EmptyState } from '@/components/ui/empty-state'
import { FilterBar } from '@/components/ui/filter-bar'
import { PageHeader } from '@/components/ui/page-header'
import { compareVersions, getDestination } from '@/lib/domain/destinations/queries'
import type { DestinationChanges } from '@/lib/domain/destinations/schema'
import { load } from '@/lib/http/load'

type Props = {
  params: Promise<{ destination_id: string }>
  searchParams: Promise<{ from?: string; to?: string }>
}
type Change = DestinationChanges['requirements'][number]

export async function generateMetadata({ params }: Pick<Props, 'params'>): Promise<Metadata> {
  const destination = await load(getDestination, await params)
  return { title: `Changes of ${destination.title}` }
}

const FIELD_LABELS: Record<string, string> = {
  title: 'Title',
  family: 'Family',
  kinds: 'Kinds of file',
  source: 'Source',
  maintained_by: 'Maintained by',
  not_checked: 'Not measured',
}

/** Without versions in the address: the newest against the one before. */
export default async function DestinationChangesPage({ params, searchParams }: Props) {
  const [path, asked] = await Promise.all([params, searchParams])
  const destination = await load(getDestination, path)
  const { versions } = destination
  const newest = versions[0]?.version ?? destination.version
  const from = asked.from ?? String(versions[1]?.version ?? newest)
  const changes = await load(compareVersions, path, { from, to: asked.to ?? String(newest) })
  const options = versions.map(({ version }) => ({ value: String(version), label: String(version) }))
  const count = changes.fields.length + changes.requirements.length
  return (
    <Page
      crumbs={[
        { label: 'Settings' },
        { label: 'Destinations', href: '/settings/destinations' },
        { label: destination.title, href: `/settings/destinations/${destination.id}` },
        { label: 'Changes' },
      ]}
    >
      <PageHeader
        title={`Version ${changes.from} and version ${changes.to}`}
        description="What one version of the specification asks for differently than the other."
        meta={[destination.title]}
        back={{ href: `/settings/destinations/${destination.id}`, label: destination.title }}
      />
      <Suspense>
        <FilterBar
          filters={[
            { param: 'from', label: 'From version', options },
            { param: 'to', label: 'To version', options },
          ]}
          noun={['change', 'changes']}
          shown={count}
        />
      </Suspense>
      {changes.requirements.length > 0 && (
        <DataTable
          caption="Requirements that differ"
          rows={changes.requirements.map((change, index) => ({ ...change, index }))}
          rowKey={({ index }) => String(index)}
          columns={[
            {
              key: 'label',
              header: 'Check',
              width: '14rem',
              cell: (change) => (
                <span className="flex flex-wrap items-center gap-2">
                  {change.label}
                  <Kind change={change} />
                </span>
              ),
            },
            {
              key: 'before',
              header: `Version ${changes.from}`,
              cell: ({ check, before }) => <Requirement check={check} requirement={before} />,
            },
            {
              key: 'after',
              header: `Version ${changes.to}`,
              cell: ({ check, after }) => <Requirement check={check} requirement={after} />,
            },
          ]}
          empty={null}
        />
      )}
      {changes.fields.length > 0 && (
        <DataTable
          caption="What else differs"
          rows={changes.fields}
          rowKey={({ field }) => field}
          columns={[
            {
              key: 'field',
              header: 'What else differs',
              width: '14rem',
              cell: ({ field }) => FIELD_LABELS[field] ?? field,
            },
            { key: 'before', header: `Version ${changes.from}`, cell: ({ before }) => before || 'Nothing' },
            { key: 'after', header: `Version ${changes.to}`, cell: ({ after }) => after || 'Nothing' },
          ]}
          empty={null}
        />
      )}
      {count === 0 && (
        <EmptyState icon={<GitCompareArrows />} title="No changes">
          {versions.length === 1 ? 'There is one version of this destination.' : 'Both versions ask for the same.'}
        </EmptyState>
      )}
    </Page>
  )
}

function Kind({ change: { before, after } }: { change: Change }) {
  const [word, tone]: [string, Tone] = before
    ? after
      ? ['Changed', 'info']
      : ['No longer asked', 'neutral']
    : ['New', 'accent']
  return <Badge tone={tone}>{word}</Badge>
}

function Requirement({ check, requirement }: { check: string; requirement: Change['before'] }) {
  if (!requirement) return <span className="text-ink-subtle">Not asked for</span>
  return (
    <div className="flex flex-col gap-1">
      <Thresholds check={check} thresholds={requirement.thresholds} />
      <span className="text-xs text-ink-muted wrap-anywhere">
        {requirement.clause}
        {requirement.level === 'recommended' && ' (recommended)'}
      </span>
    </div>
  )
}
