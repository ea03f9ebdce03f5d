'use client'

import { Bell } from 'lucide-react'
import Link from 'next/link'
import { useState } from 'react'
import { Button } from '@/components/ui/button'
import { IconButton } from '@/components/ui/icon-button'
import { Popover } from '@/components/ui/popover'
import { apiRequest } from '@/lib/client/api'
import { useApiMutation } from '@/lib/client/use-api-mutation'
import { useLive } from '@/lib/client/use-live'
import type { NewestNotifications } from '@/lib/domain/notifications/schema'
import { NotificationList } from './notification-list'

/** A summary of the newest notifications, live. */
export function NotificationBell({
  notifications,
  unreadCount,
}: {
  notifications: NewestNotifications['notifications']
  unreadCount: number
}) {
  const [isOpen, setOpen] = useState(false)
  const readAll = useApiMutation({ request: () => apiRequest('POST /api/notifications/read-all') })
  useLive({ ignoresProgress: true })
  return (
    <Popover
      open={isOpen}
      onOpenChange={setOpen}
      align="end"
      className="w-96 max-w-[calc(100vw-1rem)] p-0"
      trigger={
        <IconButton
          label={unreadCount > 0 ? `Notifications, ${unreadCount} unread` : 'Notifications'}
          icon={
            <span className="relative">
              <Bell aria-hidden="true" className="size-4" />
              {unreadCount > 0 && (
                <span className="absolute -top-1 -right-1 size-2 rounded-full bg-accent ring-2 ring-surface" />
              )}
            </span>
          }
        />
      }
    >
      <div className="flex items-center justify-between border-b border-line py-2 pr-2 pl-4">
        <p className="text-sm font-semibold">Notifications</p>
        <Button
          variant="ghost"
          size="sm"
          disabled={unreadCount === 0}
          loading={readAll.isPending}
          onClick={() => readAll.mutate()}
        >
          Mark all read
        </Button>
      </div>
      <div className="max-h-[60dvh] overflow-y-auto">
        {notifications.length > 0 ? (
          <NotificationList notifications={notifications} onFollow={() => setOpen(false)} />
        ) : (
          <p className="px-4 py-8 text-center text-sm text-ink-muted">
            Nothing yet. You are notified here when a batch is ready for you.
          </p>
        )}
      </div>
      <div className="border-t border-line p-2 text-center">
        <Link href="/inbox" onClick={() => setOpen(false)} className="link text-sm">
          Open the inbox
        </Link>
      </div>
    </Popover>
  )
}
