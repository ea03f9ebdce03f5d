import { Webhook as WebhookIcon } from 'lucide-react'
import type { Metadata } from 'next'
import { Page } from '@/components/layout/page'
import { NewWebhookDialog } from '@/components/settings/webhook-dialogs'
import { StatusBadge } from '@/components/ui/badge'
import { DataTable } from '@/components/ui/data-table'
import { EmptyState } from '@/components/ui/empty-state'
import { PageHeader } from '@/components/ui/page-header'
import { PageLinks } from '@/components/ui/pagination'
import { RelativeTime } from '@/components/ui/relative-time'
import { listWebhooks } from '@/lib/domain/webhooks/queries'
import type { Webhook } from '@/lib/domain/webhooks/schema'
import { load, requirePermission } from '@/lib/http/load'
import { eventLabel } from '@/lib/vocabulary'

const PAGE_SIZE = 50

export const metadata: Metadata = { title: 'Webhooks' }

export default async function WebhooksPage({ searchParams }: { searchParams: Promise<{ cursor?: string }> }) {
  await requirePermission('settings.manage')
  const { cursor } = await searchParams
  const { webhooks, next_cursor } = await load(
    listWebhooks,
    {},
    { limit: String(PAGE_SIZE), ...(cursor && { cursor }) },
  )
  return (
    <Page crumbs={[{ label: 'Settings' }, { label: 'Webhooks' }]}>
      <PageHeader
        title="Webhooks"
        description="Other systems are notified of events as they happen, signed by the rules of Standard Webhooks."
        actions={<NewWebhookDialog />}
      />
      <DataTable
        caption="Webhooks"
        rows={webhooks}
        rowKey={({ id }) => id}
        rowHref={({ id }) => `/settings/webhooks/${id}`}
        columns={[
          {
            key: 'url',
            header: 'Address',
            cell: ({ url, description }) => (
              <span className="flex min-w-0 flex-col">
                <span className="wrap-anywhere">{url}</span>
                {description && <span className="text-xs font-normal text-ink-subtle">{description}</span>}
              </span>
            ),
          },
          { key: 'events', header: 'Events', width: '14rem', cell: (webhook) => eventsOf(webhook) },
          { key: 'status', header: 'State', width: '9rem', cell: (webhook) => <WebhookState {...webhook} /> },
          {
            key: 'created',
            header: 'Added',
            width: '9rem',
            wideOnly: true,
            cell: ({ created_at }) => <RelativeTime value={created_at} />,
          },
        ]}
        empty={
          <EmptyState icon={<WebhookIcon />} title="No webhooks yet">
            Add one for each system that should hear of uploads, reviews and estimates by itself.
          </EmptyState>
        }
      />
      <PageLinks
        newerHref={cursor ? '/settings/webhooks' : null}
        olderHref={next_cursor && `/settings/webhooks?cursor=${next_cursor}`}
      />
    </Page>
  )
}

function WebhookState({ status, failing_since }: Pick<Webhook, 'status' | 'failing_since'>) {
  if (status === 'disabled') return <StatusBadge tone="neutral">Disabled</StatusBadge>
  return failing_since ? <StatusBadge tone="warn">Failing</StatusBadge> : <StatusBadge tone="pass">Active</StatusBadge>
}

function eventsOf({ event_types: [first, ...others] }: Webhook) {
  if (!first) return 'Every event'
  return others.length === 0 ? eventLabel(first) : `${eventLabel(first)} and ${others.length} more`
}
