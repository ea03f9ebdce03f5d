import { Inbox } from 'lucide-react'
import type { Metadata } from 'next'
import { Suspense } from 'react'
import { NotificationList } from '@/components/account/notification-list'
import { ReadAllButton } from '@/components/account/read-all-button'
import { Page } from '@/components/layout/page'
import { Card } from '@/components/ui/card'
import { EmptyState } from '@/components/ui/empty-state'
import { LinkButton } from '@/components/ui/link-button'
import { PageHeader } from '@/components/ui/page-header'
import { PageLinks } from '@/components/ui/pagination'
import { TableSkeleton } from '@/components/ui/skeleton'
import { listNotifications } from '@/lib/domain/notifications/inbox'
import { load } from '@/lib/http/load'

export const metadata: Metadata = { title: 'Inbox' }

type Search = { show?: string; cursor?: string }

export default async function InboxPage({ searchParams }: { searchParams: Promise<Search> }) {
  const search = await searchParams
  return (
    <Page crumbs={[{ label: 'Inbox' }]} width="narrow">
      <PageHeader title="Inbox" actions={<ReadAllButton />} />
      <nav aria-label="Which notifications" className="flex gap-1">
        <LinkButton
          href="/inbox"
          size="sm"
          variant={search.show === 'unread' ? 'ghost' : 'soft'}
          aria-current={search.show === 'unread' ? undefined : 'page'}
        >
          All
        </LinkButton>
        <LinkButton
          href="/inbox?show=unread"
          size="sm"
          variant={search.show === 'unread' ? 'soft' : 'ghost'}
          aria-current={search.show === 'unread' ? 'page' : undefined}
        >
          Unread
        </LinkButton>
      </nav>
      <Suspense key={JSON.stringify(search)} fallback={<TableSkeleton label="Notifications" rows={6} columns={1} />}>
        <Notifications {...search} />
      </Suspense>
    </Page>
  )
}

async function Notifications({ show, cursor }: Search) {
  const { notifications, next_cursor } = await load(
    listNotifications,
    {},
    { limit: '30', ...(show === 'unread' && { unread: 'true' }), ...(cursor && { cursor }) },
  )
  if (notifications.length === 0) {
    return (
      <EmptyState icon={<Inbox />} title={show === 'unread' ? 'Everything is read' : 'Nothing here yet'}>
        You are notified here when a batch is submitted to you, when its checks have finished, when another user
        comments, and when a review is complete.
      </EmptyState>
    )
  }
  return (
    <>
      <Card className="overflow-hidden p-0">
        <NotificationList notifications={notifications} />
      </Card>
      <PageLinks
        newerHref={cursor ? `/inbox${show ? `?show=${show}` : ''}` : null}
        olderHref={next_cursor && `/inbox?${new URLSearchParams({ ...(show && { show }), cursor: next_cursor })}`}
      />
    </>
  )
}
