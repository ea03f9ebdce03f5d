'use client'

import { FolderPlus } from 'lucide-react'
import type { CommandGroup } from '@/components/layout/commands'
import type { NavGroup } from '@/components/layout/navigation'
import { ShellKeyboard } from '@/components/layout/shell-keyboard'
import { api } from '@/lib/client/api'
import type { ListedProject } from '@/lib/domain/projects/schema'
import { LABELS } from '@/lib/vocabulary'

/** What the keyboard reaches from every screen: places, the most common action, and projects by name. */
export function WorkspaceKeyboard({ nav, mayCreate }: { nav: readonly NavGroup[]; mayCreate: boolean }) {
  return (
    <ShellKeyboard
      nav={nav}
      actions={
        mayCreate
          ? [
              {
                id: 'new-project',
                label: 'New project',
                icon: <FolderPlus />,
                shortcut: 'c',
                href: '/projects?new=true',
              },
            ]
          : []
      }
      search={findProjects}
    />
  )
}

async function findProjects(query: string, signal: AbortSignal): Promise<CommandGroup[]> {
  const { projects } = await api<{ projects: ListedProject[] }>(
    `/api/projects?limit=8&q=${encodeURIComponent(query)}`,
    { signal },
  )
  return [
    {
      label: 'Projects',
      items: projects.map(({ id, name, agency, status }) => ({
        id,
        label: name,
        hint: status === 'active' ? agency.name : `${agency.name}, ${LABELS.projectStatus[status].toLowerCase()}`,
        href: `/projects/${id}`,
      })),
    },
  ]
}
