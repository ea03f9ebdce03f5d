import { cookies } from 'next/headers'
import type { ReactNode } from 'react'
import { AccountMenu } from '@/components/account/account-menu'
import { NotificationBell } from '@/components/account/notification-bell'
import { WorkspaceKeyboard } from '@/components/account/workspace-keyboard'
import { workspaceNav } from '@/components/account/workspace-nav'
import { AppShell } from '@/components/layout/app-shell'
import { NeedsSession } from '@/components/layout/connection-bar'
import { SIDEBAR_COOKIE } from '@/components/layout/navigation'
import { CountBadge } from '@/components/ui/badge'
import { UploadTrayHost } from '@/components/uploads/upload-tray-host'
import { can } from '@/lib/domain/kernel/permissions'
import { newestNotifications } from '@/lib/domain/notifications/inbox'
import { load, readFrom, requireUser } from '@/lib/http/load'
import { LABELS } from '@/lib/vocabulary'
import { ScreenProviders } from '../screen-providers'

/**
 * Every signed-in screen. What of it needs the database is little and comes with it: parts that stream in one by one are
 * each laid out and taken over by the browser anew, which costs more than they do.
 */
export default async function WorkspaceLayout({ children }: { children: ReactNode }) {
  const user = await requireUser()
  const [isFolded, { notifications, unread_count }] = await Promise.all([
    cookies().then((all) => all.get(SIDEBAR_COOKIE)?.value === 'folded'),
    load(newestNotifications),
  ])
  const nav = workspaceNav(user, { unread: <CountBadge count={unread_count} label="unread" tone="accent" /> })
  return (
    <ScreenProviders>
      <NeedsSession readFrom={await readFrom()} />
      <AppShell
        nav={nav}
        homeHref="/"
        isSidebarFolded={isFolded}
        bell={<NotificationBell notifications={notifications} unreadCount={unread_count} />}
        userMenu={<AccountMenu name={user.name} email={user.email} role={LABELS.role[user.role]} />}
        keyboard={
          <WorkspaceKeyboard nav={nav} mayCreate={can(user, 'projects.create')} mayManage={can(user, 'users.manage')} />
        }
      >
        {children}
      </AppShell>
      <UploadTrayHost />
    </ScreenProviders>
  )
}
