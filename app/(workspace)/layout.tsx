import {
  Bell,
  Building2,
  ChartNoAxesCombined,
  FolderKanban,
  Inbox,
  KeyRound,
  ListChecks,
  ListTodo,
  Megaphone,
  ReceiptText,
  ScrollText,
  Settings2,
  Shapes,
  Stamp,
  Users,
  Webhook,
} from 'lucide-react'
import { cookies } from 'next/headers'
import { type ReactNode, Suspense } from 'react'
import { AccountMenu } from '@/components/account/account-menu'
import { NotificationBell } from '@/components/account/notification-bell'
import { WorkspaceKeyboard } from '@/components/account/workspace-keyboard'
import { AppShell } from '@/components/layout/app-shell'
import { NeedsSession } from '@/components/layout/connection-bar'
import { type NavGroup, SIDEBAR_COOKIE } from '@/components/layout/navigation'
import { UserMenuSkeleton } from '@/components/layout/user-menu'
import { CountBadge } from '@/components/ui/badge'
import { can } from '@/lib/domain/kernel/permissions'
import { listNotifications } from '@/lib/domain/notifications/inbox'
import { currentUser, load, requireUser } from '@/lib/http/load'
import { LABELS } from '@/lib/vocabulary'
import { ScreenProviders } from '../screen-providers'

/** Every signed-in screen: the frame stands first, what needs the database streams into it. */
export default async function WorkspaceLayout({ children }: { children: ReactNode }) {
  const user = await requireUser()
  const isFolded = (await cookies()).get(SIDEBAR_COOKIE)?.value === 'folded'
  const nav: NavGroup[] = [
    {
      items: [
        { href: '/work', label: 'My work', icon: <ListChecks />, shortcut: 'g w', isPrimary: true },
        { href: '/projects', label: 'Projects', icon: <FolderKanban />, shortcut: 'g p', isPrimary: true },
        { href: '/cost-estimates', label: 'Cost estimates', icon: <ReceiptText />, shortcut: 'g e' },
        {
          href: '/inbox',
          label: 'Inbox',
          icon: <Inbox />,
          shortcut: 'g i',
          isPrimary: true,
          badge: (
            <Suspense>
              <UnreadCount />
            </Suspense>
          ),
        },
        ...(can(user, 'analytics.read')
          ? [
              {
                href: '/analytics',
                label: 'Analytics',
                icon: <ChartNoAxesCombined />,
                shortcut: 'g n',
                isPrimary: true,
              },
            ]
          : []),
      ],
    },
    {
      label: 'Settings',
      items: [
        ...(can(user, 'directory.manage')
          ? [
              { href: '/settings/media-categories', label: 'Media categories', icon: <Shapes />, shortcut: 'g m' },
              { href: '/settings/agencies', label: 'Agencies', icon: <Building2 />, shortcut: 'g a' },
              { href: '/settings/campaigns', label: 'Campaigns', icon: <Megaphone />, shortcut: 'g c' },
              { href: '/settings/users', label: 'Users', icon: <Users />, shortcut: 'g u' },
              { href: '/settings/approval', label: 'Approval', icon: <ListTodo /> },
              { href: '/settings/letterhead', label: 'Letterhead', icon: <Stamp /> },
              { href: '/settings/audit', label: 'Audit trail', icon: <ScrollText />, shortcut: 'g l' },
              { href: '/settings/webhooks', label: 'Webhooks', icon: <Webhook />, shortcut: 'g h' },
              { href: '/settings/service', label: 'Service', icon: <Settings2 /> },
            ]
          : []),
        { href: '/settings/tokens', label: 'API tokens', icon: <KeyRound />, shortcut: 'g t' },
      ],
    },
  ]
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
        keyboard={<WorkspaceKeyboard nav={nav} mayCreate={can(user, 'projects.create')} />}
      >
        <NeedsSession />
        {children}
      </AppShell>
    </ScreenProviders>
  )
}

async function UnreadCount() {
  const { unread_count } = await load(listNotifications, {}, { unread: 'true', limit: '1' })
  return <CountBadge count={unread_count} label="unread" tone="accent" />
}

async function Notifications() {
  const { notifications, unread_count } = await load(listNotifications, {}, { limit: '8' })
  return <NotificationBell notifications={notifications} unreadCount={unread_count} />
}

async function Account() {
  const user = await currentUser()
  return user && <AccountMenu name={user.name} email={user.email} role={LABELS.role[user.role]} />
}
