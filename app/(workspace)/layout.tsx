import { Bell } from 'lucide-react'
import { cookies } from 'next/headers'
import { type ReactNode, Suspense } from 'react'
import { AccountMenu } from '@/components/account/account-menu'
import { NotificationBell } from '@/components/account/notification-bell'
import { WorkspaceKeyboard } from '@/components/account/workspace-keyboard'
import { workspaceNav } from '@/components/account/workspace-nav'
import { AppShell } from '@/components/layout/app-shell'
import { NeedsSession } from '@/components/layout/connection-bar'
import { SIDEBAR_COOKIE } from '@/components/layout/navigation'
import { UserMenuSkeleton } from '@/components/layout/user-menu'
import { CountBadge } from '@/components/ui/badge'
import { UploadTrayHost } from '@/components/uploads/upload-tray-host'
import { can } from '@/lib/domain/kernel/permissions'
import { listNotifications } from '@/lib/domain/notifications/inbox'
import { currentUser, load, requireUser } from '@/lib/http/load'
import { LABELS } from '@/lib/vocabulary'
import { ScreenProviders } from '../screen-providers'

/** Every signed-in screen: the frame stands first, what needs the database streams into it. */
export default async function WorkspaceLayout({ children }: { children: ReactNode }) {
  const user = await requireUser()
  const isFolded = (await cookies()).get(SIDEBAR_COOKIE)?.value === 'folded'
  const nav = workspaceNav(user, {
    unread: (
      <Suspense>
        <UnreadCount />
      </Suspense>
    ),
  })
  return (
    <ScreenProviders>
      <AppShell
        nav={nav}
        homeHref="/"
        isSidebarFolded={isFolded}
        bell={
          <Suspense fallback={<Bell aria-hidden="true" className="size-4 text-ink-subtle" />}>
            <Notifications />
          </Suspense>
        }
        userMenu={
          <Suspense fallback={<UserMenuSkeleton />}>
            <Account />
          </Suspense>
        }
        keyboard={
          <WorkspaceKeyboard nav={nav} mayCreate={can(user, 'projects.create')} mayManage={can(user, 'users.manage')} />
        }
      >
        <NeedsSession />
        {children}
      </AppShell>
      <UploadTrayHost />
    </ScreenProviders>
  )
}

async function UnreadCount() {
  const { unread_count } = await load(listNotifications, {}, { unread: 'true', limit: '1' })
  return <CountBadge count={unread_count} label="unread" tone="accent" />
}

async function Notifications() {
  const { notifications, unread_count } = await load(listNotifications, {}, { limit: '8', box: 'inbox' })
  return <NotificationBell notifications={notifications} unreadCount={unread_count} />
}

async function Account() {
  const user = await currentUser()
  return user && <AccountMenu name={user.name} email={user.email} role={LABELS.role[user.role]} />
}
