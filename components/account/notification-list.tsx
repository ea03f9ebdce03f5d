'use client'

import Link from 'next/link'
import { cn } from '@/components/ui/cn'
import { RelativeTime } from '@/components/ui/relative-time'
import { apiRequest } from '@/lib/client/api'
import { useApiMutation } from '@/lib/client/use-api-mutation'
import type { NewestNotifications } from '@/lib/domain/notifications/schema'

/** Notifications, newest first. Following one marks it read. */
export function NotificationList({
  notifications,
  onFollow,
}: {
  notifications: NewestNotifications['notifications']
  onFollow?: () => void
}) {
  const markRead = useApiMutation({
    request: (notification_id: string) =>
      apiRequest('POST /api/notifications/{notification_id}/read', { params: { notification_id } }),
    onProblem: () => {},
  })
  return (
    <ul className="divide-y divide-line">
      {notifications.map(({ id, title, body, href, read_at, created_at }) => (
        <li key={id} className="relative flex gap-3 px-4 py-3 hover:bg-hover">
          <span
            aria-hidden="true"
            className={cn('mt-1.5 size-2 shrink-0 rounded-full', read_at ? 'bg-transparent' : 'bg-accent')}
          />
          <div className="min-w-0 flex-1">
            <Link
              href={href}
              onClick={() => {
                if (!read_at) markRead.mutate(id)
                onFollow?.()
              }}
              className="text-sm font-medium text-ink wrap-anywhere after:absolute after:inset-0"
            >
              {!read_at && <span className="sr-only">Unread: </span>}
              {title}
            </Link>
            {body && <p className="mt-0.5 line-clamp-3 text-sm text-ink-muted wrap-anywhere">{body}</p>}
          </div>
          <span className="shrink-0 text-xs text-ink-subtle">
            <RelativeTime value={created_at} />
          </span>
        </li>
      ))}
    </ul>
  )
}
