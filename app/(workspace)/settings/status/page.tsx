import { CircleCheck } from 'lucide-react'
import type { Metadata } from 'next'
import Link from 'next/link'
import { Suspense } from 'react'
import { Page } from '@/components/layout/page'
import { RefreshEvery } from '@/components/settings/refresh-every'
import { RetryJobButton } from '@/components/settings/retry-job-button'
import { StatusBadge, StatusText } from '@/components/ui/badge'
import { Card, CardBody, CardHeader } from '@/components/ui/card'
import { DataTable } from '@/components/ui/data-table'
import { DescriptionList } from '@/components/ui/description-list'
import { EmptyState } from '@/components/ui/empty-state'
import { PageHeader, Section } from '@/components/ui/page-header'
import { DateTime, RelativeTime } from '@/components/ui/relative-time'
import { Loading, Skeleton } from '@/components/ui/skeleton'
import { getServiceStatus } from '@/lib/domain/service-status/queries'
import { type ServiceStatus, SHOWN_JOBS, taskLabel } from '@/lib/domain/service-status/schema'
import { formatBytes, formatCount, formatDecimal, formatDuration } from '@/lib/format'
import { diskRoom } from '@/lib/http/disk-room'
import { readiness } from '@/lib/http/health'
import { load, requirePermission } from '@/lib/http/load'
import { sandboxLimits } from '@/lib/sandbox/limits'
import { newContext } from '@/lib/service'

export const metadata: Metadata = { title: 'Status' }

const REFRESH_SECONDS = 10

export default async function StatusPage() {
  await requirePermission('settings.manage')
  const [status, room] = await Promise.all([load(getServiceStatus), diskRoom()])
  return (
    <Page crumbs={[{ label: 'Settings' }, { label: 'Status' }]}>
      <RefreshEvery seconds={REFRESH_SECONDS} />
      <PageHeader
        title="Status"
        description={
          <>
            How the service stands, as of <DateTime value={status.at} />. Renewed every {REFRESH_SECONDS} seconds.
          </>
        }
      />
      <div className="grid gap-6 lg:grid-cols-2">
        <Card>
          <CardHeader title="Health" description="As a load balancer sees it at /api/health/ready." />
          <CardBody>
            <Suspense
              fallback={
                <Loading label="health" className="flex flex-col gap-3">
                  <Skeleton className="w-1/2" />
                  <Skeleton className="w-1/2" />
                  <Skeleton className="w-1/2" />
                </Loading>
              }
            >
              <Health />
            </Suspense>
          </CardBody>
        </Card>
        <Card>
          <CardHeader title="Mail, webhooks, files, disk" />
          <CardBody>
            <DescriptionList items={[...correspondence(status), disk(room), ...stock(status)]} />
          </CardBody>
        </Card>
      </div>
      <TroubledJobs jobs={status.troubled_jobs} />
      <Workers workers={status.workers} />
      <Queue queue={status.queue} />
      <Sandbox />
    </Page>
  )
}

const PARTS: Readonly<Record<string, string>> = {
  database: 'Database',
  storage: 'File storage',
  worker: 'Worker',
  sandbox: 'Sandbox',
  uploads: 'Uploads',
  identity_provider: 'Identity provider',
}

const STATES: Readonly<Record<string, string>> = {
  ok: 'Working',
  off: 'Switched off',
  server: 'Through the service',
  direct: 'Direct to the bucket',
}

async function Health() {
  const parts = await readiness(newContext({ actor: await requirePermission('settings.manage') }))
  return (
    <DescriptionList
      items={parts.map(({ name, state, problem }) => ({
        label: PARTS[name] ?? name,
        value:
          problem !== null ? (
            <span className="flex flex-wrap items-baseline gap-x-2">
              <StatusText tone="fail">Not available</StatusText> <span className="text-ink-muted">{problem}</span>
            </span>
          ) : (
            <StatusText tone={state === 'ok' ? 'pass' : 'neutral'}>{STATES[state] ?? state}</StatusText>
          ),
      }))}
    />
  )
}

function correspondence({ mail, webhooks }: ServiceStatus) {
  const sent = [formatCount(mail.pending, 'mail waits', 'mails wait')]
  if (mail.failed_last_day > 0) sent.push(`${formatCount(mail.failed_last_day, 'mail')} failed in the last day`)
  const isMailWell = mail.failed_last_day === 0 && mail.last_error === null
  return [
    {
      label: 'Mail',
      value: !mail.is_set_up ? (
        <span className="flex flex-wrap items-baseline gap-x-2">
          <StatusText tone="neutral">Not set up</StatusText>
          <span className="text-ink-muted">SMTP_URL is not set</span>
        </span>
      ) : (
        <span className="flex flex-col">
          <StatusText tone={isMailWell ? 'pass' : 'warn'}>{sent.join(', ')}</StatusText>
          {mail.last_error && <span className="text-ink-muted">{mail.last_error}</span>}
        </span>
      ),
    },
    {
      label: 'Webhooks',
      value: (
        <span className="flex flex-wrap items-baseline gap-x-2">
          <StatusText tone={webhooks.failing > 0 ? 'warn' : webhooks.active > 0 ? 'pass' : 'neutral'}>
            {webhooks.active} active
          </StatusText>
          <span className="text-ink-muted">
            {webhooks.failing} failing, {webhooks.disabled} disabled;{' '}
            {formatCount(webhooks.pending_deliveries, 'delivery waits', 'deliveries wait')}
          </span>
        </span>
      ),
    },
  ]
}

function disk({ free, total, reserved, low }: Awaited<ReturnType<typeof diskRoom>>) {
  const has = `${formatBytes(free)} free of ${formatBytes(total)}`
  const tone = free < reserved ? 'fail' : free < low ? 'warn' : 'pass'
  return {
    label: 'Disk of this web machine',
    value: (
      <span className="flex flex-col">
        <StatusText tone={tone}>{has}</StatusText>
        {tone !== 'pass' && (
          <span className="text-ink-muted">
            Uploads that would leave less than {formatBytes(reserved)} are refused. Free some space on it.
          </span>
        )}
      </span>
    ),
  }
}

function stock({ files, versions }: ServiceStatus) {
  return [
    { label: 'Files', value: `${formatCount(files.count, 'file')}, ${formatBytes(files.bytes)}` },
    { label: 'Greenroom', value: `${versions.greenroom}, check engine ${versions.check_engine}` },
    { label: 'PostgreSQL', value: versions.postgresql },
    { label: 'Node.js', value: versions.node },
  ]
}

function TroubledJobs({ jobs }: { jobs: ServiceStatus['troubled_jobs'] }) {
  return (
    <Section title="Failed jobs">
      <DataTable
        caption="Jobs whose last attempt failed"
        rows={jobs}
        rowKey={({ id }) => id}
        columns={[
          {
            key: 'task',
            header: 'Job',
            width: '16rem',
            cell: ({ task, about }) => <JobName task={task} about={about} />,
          },
          {
            key: 'error',
            header: 'Error',
            cell: ({ error }) => <span className="wrap-anywhere">{error ?? 'unknown'}</span>,
          },
          {
            key: 'state',
            header: 'State',
            width: '12rem',
            cell: ({ next_attempt_at, attempts, max_attempts }) =>
              next_attempt_at ? (
                <span className="flex flex-col">
                  <StatusBadge tone="warn">Tried again</StatusBadge>
                  <span className="text-xs text-ink-subtle">
                    try {attempts + 1} of {max_attempts} <RelativeTime value={next_attempt_at} />
                  </span>
                </span>
              ) : (
                <StatusBadge tone="fail">Given up</StatusBadge>
              ),
          },
        ]}
        rowActions={({ id, task }) => <RetryJobButton jobId={id} label={taskLabel(task)} />}
        empty={
          <EmptyState icon={<CircleCheck />} title="No job failed">
            A job that fails is tried again by itself. What is listed here may need you.
          </EmptyState>
        }
      />
      {jobs.length === SHOWN_JOBS && (
        <p className="text-sm text-ink-subtle">
          Only the first {SHOWN_JOBS} are listed, those that were given up before the others. On the server,{' '}
          <code>npm run doctor -- --fix</code> tries all that were given up again.
        </p>
      )}
    </Section>
  )
}

function JobName({ task, about }: Pick<ServiceStatus['troubled_jobs'][number], 'task' | 'about'>) {
  return (
    <span className="flex min-w-0 flex-col">
      <span>{taskLabel(task)}</span>
      {about && (
        <span className="text-xs font-normal text-ink-subtle wrap-anywhere">
          {about.file_name},{' '}
          <Link className="underline underline-offset-2" href={about.url}>
            {about.batch}
          </Link>
        </span>
      )}
    </span>
  )
}

function Workers({ workers }: { workers: ServiceStatus['workers'] }) {
  return (
    <Section title="Workers">
      <DataTable
        caption="Worker processes"
        rows={workers}
        rowKey={({ host, pid }) => `${host} ${pid}`}
        columns={[
          {
            key: 'process',
            header: 'Process',
            width: '16rem',
            cell: ({ host, pid }) => (
              <span className="wrap-anywhere">
                {host} <span className="text-ink-subtle">({pid})</span>
              </span>
            ),
          },
          {
            key: 'state',
            header: 'State',
            width: '12rem',
            cell: ({ is_alive, heartbeat_at }) =>
              is_alive ? (
                <StatusBadge tone="pass">Alive</StatusBadge>
              ) : (
                <span className="flex flex-col">
                  <StatusBadge tone="fail">Silent</StatusBadge>
                  <span className="text-xs text-ink-subtle">
                    since <RelativeTime value={heartbeat_at} />
                  </span>
                </span>
              ),
          },
          {
            key: 'load',
            header: 'At once',
            width: '12rem',
            cell: ({ file_slots, background_slots }) => `${formatCount(file_slots, 'file')}, ${background_slots} other`,
          },
          {
            key: 'jobs',
            header: 'Doing now',
            cell: ({ jobs }) =>
              jobs.length === 0 ? (
                <span className="text-ink-subtle">nothing</span>
              ) : (
                <ul className="flex flex-col gap-1">
                  {jobs.map(({ id, task, since, about }) => (
                    <li key={id}>
                      {taskLabel(task)}
                      {about && `: ${about.file_name}`}{' '}
                      <span className="text-xs text-ink-subtle">
                        (began <RelativeTime value={since} />)
                      </span>
                    </li>
                  ))}
                </ul>
              ),
          },
        ]}
        empty={
          <EmptyState title="No worker runs">
            Files are accepted and not checked. Start one with <code>npm run worker</code>.
          </EmptyState>
        }
      />
    </Section>
  )
}

function Queue({ queue }: Pick<ServiceStatus, 'queue'>) {
  return (
    <Section title="Queue">
      <DataTable
        caption="Jobs by task"
        rows={queue.tasks}
        rowKey={({ task }) => task}
        columns={[
          { key: 'task', header: 'Task', cell: ({ task }) => taskLabel(task) },
          {
            key: 'running',
            header: 'Running',
            align: 'end',
            width: '7rem',
            cell: ({ running }) => formatDecimal(running, 0),
          },
          {
            key: 'waiting',
            header: 'Waiting',
            align: 'end',
            width: '7rem',
            cell: ({ waiting }) => formatDecimal(waiting, 0),
          },
          {
            key: 'oldest',
            header: 'First in line for',
            align: 'end',
            width: '10rem',
            cell: ({ oldest_waiting_seconds: age }) => (age === null ? '' : formatDuration(Math.floor(age))),
          },
          {
            key: 'scheduled',
            header: 'Later',
            align: 'end',
            width: '7rem',
            cell: ({ scheduled }) => formatDecimal(scheduled, 0),
          },
          {
            key: 'failed',
            header: 'Given up',
            align: 'end',
            width: '7rem',
            cell: ({ failed }) => formatDecimal(failed, 0),
          },
        ]}
        empty={
          <EmptyState icon={<CircleCheck />} title="Nothing waits">
            Checks, previews, mail and webhooks are all done.
          </EmptyState>
        }
      />
    </Section>
  )
}

function Sandbox() {
  return (
    <Section title="Sandbox of this web machine">
      <DescriptionList
        items={sandboxLimits().map(({ what, how, isInForce }) => ({
          label: <span className="inline-block first-letter:uppercase">{what}</span>,
          value: isInForce ? (
            <StatusText tone="pass">In force</StatusText>
          ) : (
            <span className="flex flex-col">
              <StatusText tone="warn">Not in force</StatusText>
              <span className="text-ink-muted">{how}</span>
            </span>
          ),
        }))}
      />
    </Section>
  )
}
