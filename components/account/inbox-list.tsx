'use client'

import { Archive, ArchiveRestore, Clock, MailOpen } from 'lucide-react'
import Link from 'next/link'
import { useRouter } from 'next/navigation'
import { useRef, useState } from 'react'
import { moveInRows, rowInFocus } from '@/components/layout/list-keys'
import { cn } from '@/components/ui/cn'
import { IconButton } from '@/components/ui/icon-button'
import { Menu, MenuItem } from '@/components/ui/menu'
import { RelativeTime } from '@/components/ui/relative-time'
import { apiRequest } from '@/lib/client/api'
import { refreshSoon } from '@/lib/client/refresh'
import { useShortcuts } from '@/lib/client/shortcuts'
import { toast } from '@/lib/client/toast'
import { useApiMutation } from '@/lib/client/use-api-mutation'
import type { Notification } from '@/lib/domain/notifications/schema'
import { snoozesFrom } from './snooze'

type Change = { id: string; archived?: boolean; snoozed_until?: string | null; read?: boolean }

/** Notifications by batch, the newest first: read, put off or archived by mouse and by keys. */
export function InboxList({ notifications }: { notifications: readonly Notification[] }) {
  const router = useRouter()
  /** What was put away a moment ago: it leaves at once, and comes back where that could not be done. */
  const [gone, setGone] = useState<ReadonlySet<string>>(new Set())
  const [menuFor, setMenuFor] = useState<string | null>(null)
  const put = (id: string, isGone: boolean) =>
    setGone((held) => {
      const next = new Set(held)
      if (isGone) next.add(id)
      else next.delete(id)
      return next
    })
  const change = useApiMutation({
    request: ({ id, ...body }: Change) =>
      apiRequest('PATCH /api/notifications/{notification_id}', { params: { notification_id: id }, body }),
    refresh: false,
    onSuccess: () => refreshSoon(router),
    onProblem: () => setGone(new Set()),
  })
  const away = (id: string, to: Change, said: string) => {
    if (rowInFocus()?.dataset.id === id) moveInRows(1)
    put(id, true)
    change.mutate(to)
    toast(said, {
      action: {
        label: 'Undo',
        onClick: () => {
          put(id, false)
          change.mutate({ id, archived: false, snoozed_until: null })
        },
      },
    })
  }
  const archive = (id: string) => away(id, { id, archived: true }, 'Archived')
  const snooze = (id: string, until: Date, label: string) =>
    away(id, { id, snoozed_until: until.toISOString() }, `Comes back: ${label.toLowerCase()}`)
  const inFocus = () => rowInFocus()?.dataset.id
  useShortcuts([
    { keys: 'j', label: 'Next notification', group: 'Inbox', run: () => moveInRows(1) },
    { keys: 'k', label: 'Previous notification', group: 'Inbox', run: () => moveInRows(-1) },
    { keys: 'e', label: 'Archive', group: 'Inbox', run: () => withId(inFocus(), archive) },
    { keys: 's', label: 'Snooze', group: 'Inbox', run: () => withId(inFocus(), setMenuFor) },
    {
      keys: 'r',
      label: 'Mark as read',
      group: 'Inbox',
      run: () => withId(inFocus(), (id) => change.mutate({ id, read: true })),
    },
  ])
  const shown = notifications.filter(({ id }) => !gone.has(id))
  return (
    <div className="flex flex-col gap-4">
      {groupsOf(shown).map(({ key, batch, items }) => (
        <section key={key} aria-label={batch?.name} className="rounded-xl border border-line bg-surface shadow-xs">
          {batch && (
            <h2 className="border-b border-line px-4 py-2 text-xs font-medium text-ink-muted wrap-anywhere">
              {batch.project.name}, {batch.name}
            </h2>
          )}
          <ul className="divide-y divide-line">
            {items.map((notification) => (
              <Row
                key={notification.id}
                notification={notification}
                isMenuOpen={menuFor === notification.id}
                setMenuOpen={(isOpen) => setMenuFor(isOpen ? notification.id : null)}
                follow={() => !notification.read_at && change.mutate({ id: notification.id, read: true })}
                archive={() => archive(notification.id)}
                restore={() =>
                  away(
                    notification.id,
                    { id: notification.id, archived: false, snoozed_until: null },
                    'Back in the inbox',
                  )
                }
                markRead={() => change.mutate({ id: notification.id, read: true })}
                snooze={(until, label) => snooze(notification.id, until, label)}
              />
            ))}
          </ul>
        </section>
      ))}
    </div>
  )
}

const withId = (id: string | undefined, run: (id: string) => void) => {
  if (id) run(id)
}

type Group = { key: string; batch: Notification['batch']; items: Notification[] }

/** One group a batch, at the place of its newest; what is about no batch stands by itself. */
function groupsOf(notifications: readonly Notification[]): Group[] {
  const groups = new Map<string, Group>()
  for (const notification of notifications) {
    const key = notification.batch?.id ?? notification.id
    const group = groups.get(key)
    if (group) group.items.push(notification)
    else groups.set(key, { key, batch: notification.batch, items: [notification] })
  }
  return [...groups.values()]
}

function Row({
  notification: { id, title, body, href, read_at, archived_at, snoozed_until, created_at },
  isMenuOpen,
  setMenuOpen,
  follow,
  archive,
  restore,
  markRead,
  snooze,
}: {
  notification: Notification
  isMenuOpen: boolean
  setMenuOpen: (isOpen: boolean) => void
  follow: () => void
  archive: () => void
  restore: () => void
  markRead: () => void
  snooze: (until: Date, label: string) => void
}) {
  const link = useRef<HTMLAnchorElement>(null)
  const isAway = archived_at !== null || (snoozed_until !== null && Date.parse(snoozed_until) > Date.now())
  return (
    <li className="relative flex gap-3 px-4 py-3 hover:bg-hover has-[[data-row-link]:focus-visible]:bg-hover">
      <span
        aria-hidden="true"
        className={cn('mt-1.5 size-2 shrink-0 rounded-full', read_at ? 'bg-transparent' : 'bg-accent')}
      />
      <div className="min-w-0 flex-1">
        <Link
          ref={link}
          href={href}
          data-row-link
          data-id={id}
          onClick={follow}
          className="text-sm font-medium text-ink wrap-anywhere after:absolute after:inset-0"
        >
          {!read_at && <span className="sr-only">Unread: </span>}
          {title}
        </Link>
        {body && <p className="mt-0.5 line-clamp-3 text-sm text-ink-muted wrap-anywhere">{body}</p>}
        <p className="mt-0.5 text-xs text-ink-subtle">
          <RelativeTime value={created_at} />
          {snoozed_until && isAway && (
            <>
              , comes back <RelativeTime value={snoozed_until} />
            </>
          )}
        </p>
      </div>
      <div className="relative z-1 flex shrink-0 items-start gap-0.5">
        {!read_at && <IconButton label="Mark as read" size="sm" icon={<MailOpen />} onClick={markRead} />}
        {isAway ? (
          <IconButton label="Back to the inbox" size="sm" icon={<ArchiveRestore />} onClick={restore} />
        ) : (
          <>
            <Menu
              open={isMenuOpen}
              onOpenChange={setMenuOpen}
              trigger={<IconButton label="Snooze" size="sm" icon={<Clock />} />}
            >
              {snoozesFrom(new Date()).map(({ key, label, until }) => (
                <MenuItem key={key} onClick={() => snooze(until, label)}>
                  {label}
                </MenuItem>
              ))}
            </Menu>
            <IconButton label="Archive" size="sm" icon={<Archive />} onClick={archive} />
          </>
        )}
      </div>
    </li>
  )
}
