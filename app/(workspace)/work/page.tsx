import { CircleCheckBig } from 'lucide-react'
import type { Metadata } from 'next'
import Link from 'next/link'
import { Suspense } from 'react'
import { Covers, FileProgress } from '@/components/batches/covers'
import { placeOfWork } from '@/components/batches/next-of-mine'
import { DueWords, TurnWords } from '@/components/batches/turn'
import { WorkLive } from '@/components/batches/work-live'
import { ListKeys } from '@/components/layout/list-keys'
import { Page } from '@/components/layout/page'
import { BatchStatusBadge, PreQcWords } from '@/components/projects/status'
import { DataTable } from '@/components/ui/data-table'
import { EmptyState } from '@/components/ui/empty-state'
import { LinkButton } from '@/components/ui/link-button'
import { PageHeader, Section } from '@/components/ui/page-header'
import { PageLinks } from '@/components/ui/pagination'
import { RelativeTime } from '@/components/ui/relative-time'
import { TableSkeleton } from '@/components/ui/skeleton'
import { formatMoney } from '@/lib/currencies'
import { listMyWork } from '@/lib/domain/batches/my-work'
import { partOfWork } from '@/lib/domain/batches/rules'
import type { WorkItem } from '@/lib/domain/batches/schema'
import { listEstimatesToDecide } from '@/lib/domain/cost-estimates/queries'
import { waitingStep } from '@/lib/domain/cost-estimates/rules'
import type { Estimate, EstimatesToDecide as ToDecide } from '@/lib/domain/cost-estimates/schema'
import { listNeedsEyes } from '@/lib/domain/pre-qc/needs-eyes'
import { formatCount } from '@/lib/format'
import { load, mayI } from '@/lib/http/load'
import type { WorkPart } from '@/lib/vocabulary'

export const metadata: Metadata = { title: 'My work' }

const PAGE_SIZE = 50
const MOST_ESTIMATES = 10

type Search = { cursor?: string }

export default async function WorkPage({ searchParams }: { searchParams: Promise<Search> }) {
  const { cursor } = await searchParams
  return (
    <Page crumbs={[{ label: 'My work' }]}>
      <PageHeader title="My work" />
      <WorkLive />
      <ListKeys noun="row" />
      <Suspense fallback={<TableSkeleton label="your work" rows={6} columns={5} />}>
        <Work cursor={cursor} />
      </Suspense>
      {cursor === undefined && (
        <Suspense fallback={null}>
          <NeedsEyes />
        </Suspense>
      )}
    </Page>
  )
}

/** Files on which the engine is not sure enough to decide alone. */
async function NeedsEyes() {
  const [{ files, next_cursor }, mayWaive] = await Promise.all([
    load(listNeedsEyes, {}, { limit: '20' }),
    mayI('pre_qc.waive'),
  ])
  if (files.length === 0) return null
  return (
    <Section
      title="Needs eyes"
      description={`${next_cursor ? 'The newest 20 files' : formatCount(files.length, 'file')} with findings that the engine is not sure enough of to fail a file.${mayWaive ? ' Look, then decide or waive.' : ''}`}
    >
      <ul className="divide-y divide-line overflow-hidden rounded-xl border border-line bg-surface shadow-xs">
        {files.map(({ id, name, project, batch, checks }) => (
          <li key={id} className="flex flex-col gap-1 px-4 py-3 text-sm">
            <span className="flex flex-wrap items-baseline gap-x-3">
              <Link
                href={`/projects/${project.id}/batches/${batch.id}#file=${id}`}
                className="font-medium break-all hover:underline"
              >
                {name}
              </Link>
              <span className="text-ink-muted">
                {project.name}, {batch.name}
              </span>
            </span>
            {checks.map(({ check_id, label, confidence, details }) => (
              <span key={check_id} className="text-ink-muted wrap-anywhere">
                {label}, {Math.round(confidence * 100)} % sure: {details.replace(/ Needs eyes: .*$/, '')}
              </span>
            ))}
          </li>
        ))}
      </ul>
    </Section>
  )
}

const PARTS: readonly { part: WorkPart; title: string; about: string }[] = [
  { part: 'late', title: 'Late', about: 'Past their due date, and waiting for you.' },
  { part: 'review', title: 'To review', about: 'Submitted batches that wait for your decisions.' },
  {
    part: 'submit',
    title: 'To submit',
    about: 'Open batches that hold files. Submit them when the delivery is complete.',
  },
  { part: 'wait', title: 'With others', about: 'Yours, but another user has to act first.' },
]

async function Work({ cursor }: Search) {
  const [{ batches, counts, next_cursor }, estimates] = await Promise.all([
    load(listMyWork, {}, { limit: String(PAGE_SIZE), ...(cursor && { cursor }) }),
    cursor ? null : load(listEstimatesToDecide, {}, { limit: String(MOST_ESTIMATES) }),
  ])
  if (batches.length === 0 && !estimates?.count) {
    return (
      <EmptyState
        icon={<CircleCheckBig />}
        title={cursor ? 'Nothing more waits for you' : 'Nothing waits for you'}
        action={
          cursor ? (
            <LinkButton href="/work">Go to the first page</LinkButton>
          ) : (
            <LinkButton href="/projects">Go to the projects</LinkButton>
          )
        }
      >
        Batches you review or coordinate appear here, and estimates you approve; what waits for you first.
      </EmptyState>
    )
  }
  return (
    <>
      {estimates && estimates.count > 0 && <EstimatesToDecide {...estimates} />}
      {PARTS.map(({ part, title, about }) => {
        const items = batches.filter(({ task, due }) => partOfWork(task, due?.state ?? null) === part)
        return items.length === 0 ? null : (
          <Section key={part} title={`${title} (${counts[part]})`} description={about}>
            <WorkTable title={title} items={items} />
          </Section>
        )
      })}
      <PageLinks
        newerHref={cursor ? '/work' : null}
        olderHref={next_cursor && `/work?cursor=${next_cursor}`}
        labels={{ newer: 'First page', older: 'Next page' }}
      />
    </>
  )
}

function EstimatesToDecide({ cost_estimates, count }: ToDecide) {
  const isPart = count > cost_estimates.length
  return (
    <Section
      title={`To approve (${count})`}
      description={
        isPart
          ? `The ${cost_estimates.length} cost estimates that have waited longest for your decision.`
          : 'Cost estimates that wait for your decision.'
      }
      actions={
        isPart && (
          <LinkButton href="/cost-estimates?status=awaiting_internal_approval" size="sm">
            All that await approval
          </LinkButton>
        )
      }
    >
      <EstimateTable estimates={cost_estimates} />
    </Section>
  )
}

function EstimateTable({ estimates }: { estimates: readonly Estimate[] }) {
  return (
    <DataTable
      caption="To approve, the oldest first"
      rows={estimates}
      rowKey={({ id }) => id}
      rowHref={({ id }) => `/cost-estimates/${id}`}
      columns={[
        {
          key: 'title',
          header: 'Estimate',
          cell: ({ title, number, project }) => (
            <span className="min-w-0">
              <span className="line-clamp-2 wrap-anywhere">{title}</span>
              <span className="block text-xs font-normal text-ink-subtle">
                {number}, {project.name}
              </span>
            </span>
          ),
        },
        { key: 'step', header: 'Step', width: '10rem', cell: (estimate) => waitingStep(estimate)?.name },
        {
          key: 'total',
          header: 'Total',
          align: 'end',
          width: '9rem',
          cell: ({ total, currency }) => (
            <span className="whitespace-nowrap tabular-nums">{formatMoney(total, currency)}</span>
          ),
        },
        {
          key: 'submitted',
          header: 'Submitted',
          width: '12rem',
          cell: ({ submitted_at }) => submitted_at && <RelativeTime value={submitted_at} />,
        },
      ]}
      empty={null}
    />
  )
}

function WorkTable({ title, items }: { title: string; items: readonly WorkItem[] }) {
  return (
    <DataTable
      caption={`${title}, the most urgent first`}
      rows={items}
      rowKey={(batch) => batch.id}
      rowHref={placeOfWork}
      columns={[
        {
          key: 'name',
          header: 'Batch',
          cell: (batch) => (
            <span className="flex min-w-0 items-center gap-3">
              <Covers urls={batch.covers} className="h-10 w-14" />
              <span className="min-w-0">
                <span className="block wrap-anywhere">{batch.name}</span>
                <span className="block text-xs font-normal text-ink-subtle wrap-anywhere">
                  {batch.project.name}, {batch.agency.name}
                </span>
              </span>
            </span>
          ),
        },
        { key: 'files', header: 'Files', width: '9rem', cell: (batch) => <FileProgress counts={batch.counts} /> },
        { key: 'pre_qc', header: 'Pre-QC', width: '8rem', cell: (batch) => <PreQcWords preQc={batch.pre_qc} /> },
        {
          key: 'status',
          header: 'Status',
          width: '11rem',
          cell: (batch: WorkItem) => <BatchStatusBadge status={batch.status} />,
        },
        {
          key: 'turn',
          header: 'Turn',
          width: '13rem',
          cell: (batch) => <TurnWords turn={batch.turn} due={null} />,
        },
        {
          key: 'due',
          header: 'Due',
          width: '12rem',
          cell: (batch) =>
            batch.due ? <DueWords due={batch.due} /> : <span className="text-ink-subtle">No date</span>,
        },
      ]}
      empty={null}
    />
  )
}
