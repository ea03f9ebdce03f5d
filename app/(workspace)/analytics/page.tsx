import { ChartNoAxesCombined, Download } from 'lucide-react'
import type { Metadata } from 'next'
import { Suspense } from 'react'
import { AgencyTable, type Direction, SORTS, type SortKey, sorted } from '@/components/analytics/agency-table'
import { MetricTiles } from '@/components/analytics/metric-tiles'
import { OverruledTable } from '@/components/analytics/overruled-table'
import { analyticsHref, RangeBar } from '@/components/analytics/range-bar'
import { RankedBars } from '@/components/analytics/ranked-bars'
import { TrendChart } from '@/components/analytics/trend-chart'
import { duration } from '@/components/analytics/wording'
import { Page } from '@/components/layout/page'
import { Callout } from '@/components/ui/callout'
import { Card, CardBody, CardHeader } from '@/components/ui/card'
import { EmptyState } from '@/components/ui/empty-state'
import { AnchorButton, LinkButton } from '@/components/ui/link-button'
import { PageHeader, Section } from '@/components/ui/page-header'
import { Skeleton, TableSkeleton } from '@/components/ui/skeleton'
import { getAgencyAnalytics, getOverruledChecks, getTrend } from '@/lib/domain/analytics/queries'
import { type Range, rangeOf } from '@/lib/domain/analytics/rules'
import { AnalyticsQuestion } from '@/lib/domain/analytics/schema'
import { DomainError } from '@/lib/domain/kernel/errors'
import { parseInput } from '@/lib/domain/kernel/shapes'
import { formatCount, formatDate } from '@/lib/format'
import { load, requirePermission } from '@/lib/http/load'

export const metadata: Metadata = { title: 'Analytics' }

type Search = { from?: string; to?: string; agency_id?: string; sort?: string; direction?: string; rows?: string }

/** As many agencies the table shows, unless all of them are asked for. */
const ROWS_SHOWN = 50
const OVERRULED_SHOWN = 10

export default async function AnalyticsPage({ searchParams }: { searchParams: Promise<Search> }) {
  await requirePermission('analytics.read')
  const { sort, direction, rows, ...asked } = await searchParams
  const now = new Date()
  const { range, agencyId, complaint } = understand(asked, now)
  const order = {
    key: (sort && Object.hasOwn(SORTS, sort) ? sort : 'files') as SortKey,
    direction: (direction === 'asc' || direction === 'desc' ? direction : 'desc') as Direction,
  }
  return (
    <Page crumbs={[{ label: 'Analytics' }]}>
      <PageHeader
        title="Analytics"
        meta={[`${formatDate(range.from)} to ${formatDate(range.to)}`, 'Days in UTC']}
        actions={
          <AnchorButton
            href={`/api/pre-qc/analytics/agencies/csv?${new URLSearchParams(range)}`}
            download
            variant="secondary"
          >
            <Download />
            Export CSV
          </AnchorButton>
        }
      />
      <RangeBar
        range={range}
        today={now.toISOString().slice(0, 10)}
        others={{ agency_id: agencyId, sort, direction, rows }}
      />
      {complaint && (
        <Callout tone="warn" title="Shown are the last 30 days">
          {complaint}
        </Callout>
      )}
      <Suspense key={JSON.stringify([range, agencyId])} fallback={<Shapes />}>
        <Report range={range} agencyId={agencyId} order={order} hasAllRows={rows === 'all'} />
      </Suspense>
    </Page>
  )
}

/** What the address asks for; where it cannot be, the usual range and why. */
function understand(asked: Omit<Search, 'sort' | 'direction' | 'rows'>, now: Date) {
  try {
    const { agency_id, ...days } = parseInput(AnalyticsQuestion, asked, 'invalid_query')
    return { range: rangeOf(days, now), agencyId: agency_id, complaint: null }
  } catch (error) {
    if (!(error instanceof DomainError)) throw error
    return { range: rangeOf({}, now), agencyId: undefined, complaint: error.detail }
  }
}

async function Report({
  range,
  agencyId,
  order,
  hasAllRows,
}: {
  range: Range
  agencyId: string | undefined
  order: { key: SortKey; direction: Direction }
  hasAllRows: boolean
}) {
  const asked = { ...range, ...(agencyId && { agency_id: agencyId }) }
  const [trend, { agencies }, { checks }] = await Promise.all([
    load(getTrend, {}, asked),
    load(getAgencyAnalytics, {}, range),
    load(getOverruledChecks, {}, asked),
  ])
  const chosen = agencies.find(({ agency }) => agency.id === agencyId)?.agency
  const { metrics } = trend
  const isEmpty = metrics.files_checked + metrics.not_applicable === 0
  const all = { rows: hasAllRows ? 'all' : undefined }
  const query = { ...range, ...all, sort: order.key, direction: order.direction }
  return (
    <>
      {chosen && (
        <p className="flex flex-wrap items-center gap-3 text-base">
          Only <strong className="font-semibold">{chosen.name}</strong>
          <LinkButton href={analyticsHref(query)} size="sm" scroll={false}>
            Show all agencies
          </LinkButton>
        </p>
      )}
      <MetricTiles metrics={metrics} />
      {isEmpty ? (
        <EmptyState icon={<ChartNoAxesCombined />} title="Nothing was checked in these days">
          Files count as soon as Pre-QC has a verdict on them. Choose a longer range, or submit a batch.
        </EmptyState>
      ) : (
        <>
          <Card>
            <CardHeader title="Pass rate over time" description="Share of files whose latest result is no fail" />
            <CardBody>
              <TrendChart trend={trend} />
            </CardBody>
          </Card>
          <div className="grid gap-6 lg:grid-cols-2">
            <Card>
              <CardHeader
                title="Checks that fail most"
                description="By files that still fail, without waived findings"
              />
              <CardBody>
                {metrics.top_failing_checks.length === 0 ? (
                  <p className="text-sm text-ink-muted">No check fails in these days.</p>
                ) : (
                  <RankedBars
                    bars={metrics.top_failing_checks.map(({ check_id, label, count }) => ({
                      key: check_id,
                      label,
                      parts: [{ key: 'files', length: count, swatch: 'bg-fail', text: formatCount(count, 'file') }],
                    }))}
                  />
                )}
              </CardBody>
            </Card>
            <Card>
              <CardHeader
                title="Turnaround"
                description="Median turn; the clock stands while the other side has the batch, or the project is on hold"
              />
              <CardBody>
                <Turnaround agencies={agencies.filter(({ agency }) => !chosen || agency.id === chosen.id)} />
              </CardBody>
            </Card>
          </div>
          <Section
            title="Failed checks that reviewers overrule"
            description="Waived, or in a file that was approved all the same. A check that is often overruled asks for another threshold."
          >
            <OverruledTable checks={hasAllRows ? checks : checks.slice(0, OVERRULED_SHOWN)} />
            {!hasAllRows && checks.length > OVERRULED_SHOWN && (
              <LinkButton
                href={analyticsHref({ ...query, agency_id: agencyId, rows: 'all' })}
                className="mt-3"
                scroll={false}
              >
                Show all {checks.length}
              </LinkButton>
            )}
          </Section>
        </>
      )}
      <Section title="Agencies">
        <AgencyTable
          rows={sorted(agencies, order.key, order.direction).slice(0, hasAllRows ? undefined : ROWS_SHOWN)}
          sort={order}
          rowHref={(id) => analyticsHref({ ...query, agency_id: id })}
          sortHref={(key, direction) => analyticsHref({ ...range, ...all, agency_id: agencyId, sort: key, direction })}
        />
        {!hasAllRows && agencies.length > ROWS_SHOWN && (
          <LinkButton
            href={analyticsHref({ ...query, agency_id: agencyId, rows: 'all' })}
            className="mt-3"
            scroll={false}
          >
            Show all {agencies.length}
          </LinkButton>
        )}
      </Section>
    </>
  )
}

function Turnaround({ agencies }: { agencies: Awaited<ReturnType<typeof getAgencyAnalytics.execute>>['agencies'] }) {
  const bars = agencies
    .filter(({ median_hours: { agency, review } }) => agency !== null || review !== null)
    .sort((a, b) => b.files_checked - a.files_checked)
    .slice(0, 6)
    .map(({ agency, median_hours }) => ({
      key: agency.id,
      label: agency.name,
      parts: [
        {
          key: 'agency',
          length: median_hours.agency ?? 0,
          swatch: 'bg-ink-subtle',
          text: `agency ${duration(median_hours.agency)}`,
        },
        {
          key: 'review',
          length: median_hours.review ?? 0,
          swatch: 'bg-info',
          text: `review ${duration(median_hours.review)}`,
        },
      ],
    }))
  if (bars.length === 0) return <p className="text-sm text-ink-muted">No turn ended in these days.</p>
  return <RankedBars bars={bars} />
}

function Shapes() {
  return (
    <>
      <Skeleton className="h-24 w-full rounded-xl" />
      <Skeleton className="h-96 w-full rounded-xl" />
      <TableSkeleton label="analytics" rows={5} columns={6} />
    </>
  )
}
