'use client'

import { Building2, FileImage, FolderKanban, FolderPlus, Layers, Plus, ReceiptText, UserRound } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Command, CommandGroup } from '@/components/layout/commands'
import type { NavGroup } from '@/components/layout/navigation'
import { ShellKeyboard } from '@/components/layout/shell-keyboard'
import { api } from '@/lib/client/api'
import type { SearchResult } from '@/lib/domain/search/schema'

/** What the keyboard reaches from every screen: places, the most common actions, and everything that has a name. */
export function WorkspaceKeyboard({
  nav,
  mayCreate,
  isRoom = false,
}: {
  nav: readonly NavGroup[]
  mayCreate: boolean
  /** In the review room the single keys are its own. */
  isRoom?: boolean
}) {
  const actions: Command[] = [
    ...(mayCreate
      ? [
          {
            id: 'new-project',
            label: 'New project',
            icon: <FolderPlus />,
            shortcut: isRoom ? undefined : 'c',
            href: '/projects?new=true',
          },
          { id: 'new-estimate', label: 'New estimate', icon: <Plus />, href: '/cost-estimates/new' },
        ]
      : []),
    {
      id: 'account',
      label: 'Your account',
      keywords: 'settings password mail notifications',
      icon: <UserRound />,
      href: '/settings/account',
    },
  ]
  return <ShellKeyboard nav={nav} actions={actions} search={find} />
}

type Kind = SearchResult['kind']

const GROUPS: Record<Kind, { label: string; icon: ReactNode; href: (found: SearchResult) => string }> = {
  project: { label: 'Projects', icon: <FolderKanban />, href: ({ id }) => `/projects/${id}` },
  batch: { label: 'Batches', icon: <Layers />, href: ({ id, project_id }) => `/projects/${project_id}/batches/${id}` },
  file: {
    label: 'Files',
    icon: <FileImage />,
    href: ({ id, project_id, batch_id }) => `/projects/${project_id}/batches/${batch_id}#file=${id}`,
  },
  estimate: { label: 'Estimates', icon: <ReceiptText />, href: ({ id }) => `/cost-estimates/${id}` },
  person: {
    label: 'People',
    icon: <UserRound />,
    href: ({ hint }) => `/settings/users?q=${encodeURIComponent(hint)}`,
  },
  agency: {
    label: 'Agencies',
    icon: <Building2 />,
    href: ({ hint }) => `/settings/agencies?q=${encodeURIComponent(hint)}`,
  },
}

async function find(query: string, signal: AbortSignal): Promise<CommandGroup[]> {
  const { results } = await api('GET /api/search', { query: { q: query }, signal })
  return (Object.keys(GROUPS) as Kind[]).map((kind) => ({
    label: GROUPS[kind].label,
    items: results
      .filter((found) => found.kind === kind)
      .map((found) => ({
        id: `${kind} ${found.id}`,
        label: found.name,
        hint: found.hint,
        icon: GROUPS[kind].icon,
        href: GROUPS[kind].href(found),
      })),
  }))
}
