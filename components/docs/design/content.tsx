'use client'

import { FolderOpen } from 'lucide-react'
import { Avatar, Person } from '@/components/ui/avatar'
import { Badge, CountBadge, StatusBadge, StatusText } from '@/components/ui/badge'
import { Breadcrumb } from '@/components/ui/breadcrumb'
import { Button } from '@/components/ui/button'
import { Callout } from '@/components/ui/callout'
import { Card, CardBody, CardFooter, CardHeader } from '@/components/ui/card'
import { CodeBlock, CopyField } from '@/components/ui/code-block'
import { DataTable } from '@/components/ui/data-table'
import { DescriptionList } from '@/components/ui/description-list'
import { EmptyState } from '@/components/ui/empty-state'
import { ErrorState } from '@/components/ui/error-state'
import { FilterBar } from '@/components/ui/filter-bar'
import { Kbd } from '@/components/ui/kbd'
import { Logo, LogoMark } from '@/components/ui/logo'
import { NearLink } from '@/components/ui/near-link'
import { PageHeader, Section } from '@/components/ui/page-header'
import { PageLinks } from '@/components/ui/pagination'
import { ProgressBar, StackedBar } from '@/components/ui/progress'
import { QrCode } from '@/components/ui/qr-code'
import { DateTime, RelativeTime } from '@/components/ui/relative-time'
import { SelectionFrame } from '@/components/ui/selection-frame'
import { Loading, Skeleton, TableSkeleton } from '@/components/ui/skeleton'
import { Spinner } from '@/components/ui/spinner'
import { formatBytes } from '@/lib/format'
import { Group, Sample } from './sample'

const TONES = ['pass', 'warn', 'fail', 'info', 'neutral', 'accent', 'busy'] as const
const FILES = [
  { id: '1', name: 'HALDEN_GLOW_Hero_300x250_v1.jpg', tone: 'pass', verdict: 'Passed', bytes: 148_000 },
  { id: '2', name: 'HALDEN_GLOW_Hero_728x90_v1.jpg', tone: 'fail', verdict: 'Too large', bytes: 412_000 },
] as const
const AT = '2026-03-02T10:30:00.000Z'

/** What says how something stands. */
export function States() {
  return (
    <Group id="states" title="States">
      <Sample name="StatusBadge">
        {TONES.map((tone) => (
          <StatusBadge key={tone} tone={tone}>
            {tone}
          </StatusBadge>
        ))}
      </Sample>
      <Sample name="StatusText, Badge, CountBadge">
        {TONES.map((tone) => (
          <StatusText key={tone} tone={tone}>
            {tone}
          </StatusText>
        ))}
        <Badge>Draft</Badge>
        <CountBadge count={12} label="unread" />
        <CountBadge count={3} label="late" tone="accent" />
      </Sample>
      <Sample name="ProgressBar, StackedBar, Spinner" stacked>
        <ProgressBar value={40} label="Hero_300x250.jpg" />
        <ProgressBar value={null} label="Waiting" />
        <ProgressBar value={70} label="Not sent" tone="warn" />
        <StackedBar
          label="Files"
          parts={[
            { value: 5, tone: 'pass', label: 'approved' },
            { value: 2, tone: 'fail', label: 'rejected' },
            { value: 9, tone: 'neutral', label: 'pending' },
          ]}
        />
        <Spinner />
      </Sample>
      <Sample name="Callout" stacked>
        {(['info', 'pass', 'warn', 'fail', 'neutral'] as const).map((tone) => (
          <Callout key={tone} tone={tone} title={`Of tone ${tone}`} actions={<Button size="sm">Act</Button>}>
            What is so, and what to do about it.
          </Callout>
        ))}
      </Sample>
      <Sample name="EmptyState, ErrorState" stacked>
        <EmptyState icon={<FolderOpen />} title="No batches yet" action={<Button>New batch</Button>} framed>
          A batch holds the files of one delivery.
        </EmptyState>
        <ErrorState requestId="01976a3e-5c2f-7d10-9b4e-3f8a2c6d7e10" onRetry={() => {}} framed />
      </Sample>
      <Sample name="Skeleton, TableSkeleton" stacked>
        <Loading label="Loading the file">
          <Skeleton className="h-24 w-40" />
        </Loading>
        <TableSkeleton label="Loading the files" rows={2} />
      </Sample>
    </Group>
  )
}

/** What pages are made of. */
export function Pages() {
  return (
    <Group id="pages" title="Pages and lists">
      <Sample name="PageHeader, Section, Breadcrumb" stacked>
        <Breadcrumb crumbs={[{ label: 'Projects', href: '/projects' }, { label: 'Luma Skin' }]} />
        <PageHeader
          title="Spring banners"
          badge={<StatusBadge tone="info">In review</StatusBadge>}
          description="Twelve formats for the launch."
          meta={['Due on Friday', '5 of 16 decided']}
          actions={<Button variant="primary">Submit</Button>}
        />
        <Section title="Links" description="For the agency." actions={<Button size="sm">New link</Button>}>
          <p className="text-sm">None yet.</p>
        </Section>
      </Sample>
      <Sample name="Card, DescriptionList" stacked>
        <Card>
          <CardHeader title="File" description="As it was sent" level="h3" />
          <CardBody>
            <DescriptionList
              columns={2}
              items={[
                { label: 'Size', value: formatBytes(148_000) },
                { label: 'Dimensions', value: '300 × 250 px' },
              ]}
            />
          </CardBody>
          <CardFooter>
            <Button size="sm">Download</Button>
          </CardFooter>
        </Card>
      </Sample>
      <Sample name="FilterBar, DataTable, SelectionFrame, PageLinks" stacked>
        <FilterBar
          search={{ label: 'Search files' }}
          filters={[
            {
              param: 'verdict',
              label: 'Verdict',
              options: [
                { value: 'pass', label: 'Passed' },
                { value: 'fail', label: 'Failed' },
              ],
            },
          ]}
          shown={2}
          total={2}
          noun={['file', 'files']}
        />
        <DataTable
          caption="Files"
          rows={FILES}
          rowKey={({ id }) => id}
          rowHref={() => '/docs/design'}
          empty={null}
          columns={[
            { key: 'name', header: 'Name', cell: ({ name }) => name },
            {
              key: 'verdict',
              header: 'Verdict',
              cell: ({ tone, verdict }) => <StatusText tone={tone}>{verdict}</StatusText>,
            },
            { key: 'size', header: 'Size', align: 'end', cell: ({ bytes }) => formatBytes(bytes) },
          ]}
        />
        <SelectionFrame label="Selected files" words="2 files selected" clear={() => {}}>
          <Button size="sm" variant="primary">
            Approve
          </Button>
        </SelectionFrame>
        <PageLinks newerHref={null} olderHref="/docs/design" />
      </Sample>
      <Sample name="Avatar, Person">
        <Avatar name="Clara Lindt" labelled />
        <Person name="Omar Haddad" />
      </Sample>
      <Sample name="RelativeTime, DateTime, Kbd">
        <RelativeTime value={AT} />
        <DateTime value={AT} />
        <Kbd keys="Ctrl K" />
      </Sample>
      <Sample name="CodeBlock, CopyField, QrCode" stacked>
        <CodeBlock label="A request" code="GET /api/projects" />
        <CopyField label="Link" value="https://greenroom.example/u/4bXk2Jw9Qm7TzR1s" />
        <QrCode label="Code of the link" value="https://greenroom.example/u/4bXk2Jw9Qm7TzR1s" className="size-28" />
      </Sample>
      <Sample name="Logo, NearLink">
        <Logo />
        <LogoMark className="size-8" />
        <NearLink href="/docs/errors" className="link">
          Errors
        </NearLink>
      </Sample>
    </Group>
  )
}
