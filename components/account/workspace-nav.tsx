import {
  Activity,
  ArchiveX,
  Building2,
  ChartNoAxesCombined,
  FolderKanban,
  Inbox,
  KeyRound,
  Layers,
  ListChecks,
  ListTodo,
  Megaphone,
  PackageCheck,
  ReceiptText,
  Route,
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
        { href: '/batches', label: 'Batches', icon: <Layers />, shortcut: 'g b' },
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
              {
                href: '/settings/media-categories',
                label: 'Media categories',
                keywords: 'naming templates checks thresholds pre-qc file formats',
                icon: <Shapes />,
                shortcut: 'g m',
              },
              {
                href: '/settings/destinations',
                label: 'Destinations',
                keywords: 'delivery specifications broadcast social',
                icon: <Route />,
              },
              {
                href: '/settings/delivery-targets',
                label: 'Delivery targets',
                keywords: 's3 sftp webdav http put bucket server send',
                icon: <PackageCheck />,
              },
              {
                href: '/settings/agencies',
                label: 'Agencies',
                keywords: 'codes storage quota scorecard',
                icon: <Building2 />,
                shortcut: 'g a',
              },
              {
                href: '/settings/campaigns',
                label: 'Campaigns',
                keywords: 'codes',
                icon: <Megaphone />,
                shortcut: 'g c',
              },
              {
                href: '/settings/users',
                label: 'Users',
                keywords: 'people roles members passwords erase',
                icon: <Users />,
                shortcut: 'g u',
              },
              {
                href: '/settings/approval',
                label: 'Approval',
                keywords: 'workflow steps estimates',
                icon: <ListTodo />,
              },
              {
                href: '/settings/letterhead',
                label: 'Letterhead',
                keywords: 'logo estimate pdf address',
                icon: <Stamp />,
              },
              {
                href: '/settings/audit',
                label: 'Audit trail',
                keywords: 'events history log who',
                icon: <ScrollText />,
                shortcut: 'g l',
              },
              {
                href: '/settings/retention',
                label: 'Retention',
                keywords: 'legal hold delete keep days',
                icon: <ArchiveX />,
              },
              {
                href: '/settings/webhooks',
                label: 'Webhooks',
                keywords: 'integrations deliveries',
                icon: <Webhook />,
                shortcut: 'g h',
              },
              {
                href: '/settings/service',
                label: 'Service',
                keywords: 'pre-qc on off second person waivers',
                icon: <Settings2 />,
              },
              {
                href: '/settings/status',
                label: 'Status',
                keywords: 'health jobs failed queue workers mail',
                icon: <Activity />,
              },
            ]
          : []),
        {
          href: '/settings/tokens',
          label: 'API tokens',
          keywords: 'api keys access',
          icon: <KeyRound />,
          shortcut: 'g t',
        },
      ],
    },
  ]
}
