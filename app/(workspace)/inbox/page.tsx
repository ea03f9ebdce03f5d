import { Inbox } from 'lucide-react'
import type { Metadata } from 'next'
import { Suspense } from 'react'
import { InboxList } from '@/components/account/inbox-list'
import { ReadAllButton } from '@/components/account/read-all-button'
import { Page } from '@/components/layout/page'
import { EmptyState } from '@/components/ui/empty-state'
import { LinkButton } from '@/components/ui/link-button'
import { PageHeader, Section } from '@/components/ui/page-header'
import { PageLinks } from '@/components/ui/pagination'
import { TableSkeleton } from '@/components/ui/skeleton'
import { listNotifications } from '@/lib/domain/notifications/inbox'
import { load } from '@/lib/http/load'

export const metadata: Metadata = { title: 'Inbox' }

type Search = { show?: string; cursor?: string }

const VIEWS = [
  { show: '', label: 'Inbox', asked: { box: 'inbox' }, empty: 'Nothing here yet' },
  { show: 'unread', label: 'Unread', asked: { box: 'inbox', unread: 'true' }, empty: 'Everything is read' },
  { show: 'snoozed', label: 'Snoozed', asked: { box: 'snoozed' }, empty: 'Nothing is snoozed' },
  { show: 'archived', label: 'Archived', asked: { box: 'archived' }, empty: 'Nothing is archived' },
] as const

const viewOf = (show: string | undefined) => VIEWS.find((view) => view.show === show) ?? VIEWS[0]

export default async function InboxPage({ searchParams }: { searchParams: Promise<Search> }) {
  const search = await searchParams
  return (
    <Page crumbs={[{ label: 'Inbox' }]} width="narrow">
      <PageHeader title="Inbox" actions={<ReadAllButton />} />
      <nav aria-label="Which notifications" className="flex gap-1">
        {VIEWS.map(({ show, label }) => {
          const isShown = viewOf(search.show).show === show
          return (
            <LinkButton
              key={label}
              href={show ? `/inbox?show=${show}` : '/inbox'}
              size="sm"
              variant={isShown ? 'soft' : 'ghost'}
              aria-current={isShown ? 'page' : undefined}
            >
              {label}
            </LinkButton>
          )
        })}
      </nav>
      <Suspense key={JSON.stringify(search)} fallback={<TableSkeleton label="Notifications" rows={6} columns={1} />}>
        <Notifications {...search} />
      </Suspense>
    </Page>
  )
}

async function Notifications({ show, cursor }: Search) {
  const { asked, empty } = viewOf(show)
  const isFirst = !show && !cursor
  const [{ notifications, next_cursor }, returned] = await Promise.all([
    load(listNotifications, {}, { limit: '30', ...asked, ...(cursor && { cursor }) }),
    isFirst ? load(listNotifications, {}, { limit: '30', box: 'returned' }) : null,
  ])
  const back = returned?.notifications ?? []
  const others = notifications.filter(({ id }) => !back.some((each) => each.id === id))
  if (notifications.length === 0) {
    return (
      <EmptyState icon={<Inbox />} title={empty}>
        You are notified here when a batch is submitted to you, when its checks have finished, when another user
        comments, and when a review is complete.
      </EmptyState>
    )
  }
  return (
    <>
      {back.length > 0 && (
        <Section title="Back from snooze">
          <InboxList notifications={back} />
        </Section>
      )}
      <InboxList notifications={others} />
      <PageLinks
        newerHref={cursor ? `/inbox${show ? `?show=${show}` : ''}` : null}
        olderHref={next_cursor && `/inbox?${new URLSearchParams({ ...(show && { show }), cursor: next_cursor })}`}
      />
    </>
  )
}
