import {
  Activity,
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
import type { ReactNode } from 'react'
import type { NavGroup } from '@/components/layout/navigation'
import { can, type UserActor } from '@/lib/domain/kernel/permissions'

/** The places of the workspace that this person may go to. */
export function workspaceNav(user: UserActor, { unread }: { unread?: ReactNode } = {}): NavGroup[] {
  return [
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
          badge: unread,
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
              { href: '/settings/status', label: 'Status', icon: <Activity /> },
            ]
          : []),
        { href: '/settings/tokens', label: 'API tokens', icon: <KeyRound />, shortcut: 'g t' },
      ],
    },
  ]
}
