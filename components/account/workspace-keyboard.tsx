'use client'

import { BookOpen, FolderPlus, Plus, UserRound } from 'lucide-react'
import { useCallback } from 'react'
import type { Command, CommandGroup } from '@/components/layout/commands'
import type { NavGroup } from '@/components/layout/navigation'
import { ShellKeyboard } from '@/components/layout/shell-keyboard'
import { iconOf, placeOf } from '@/components/search/places'
import { api } from '@/lib/client/api'
import { LABELS, SEARCH_KINDS, type SearchKind } from '@/lib/vocabulary'

/** What the keyboard reaches from every screen: places, the most common actions, and everything that has a name. */
export function WorkspaceKeyboard({
  nav,
  mayCreate,
  mayManage,
  isRoom = false,
}: {
  nav: readonly NavGroup[]
  mayCreate: boolean
  /** Agencies and people are changed in the settings. */
  mayManage: boolean
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
    {
      id: 'api-reference',
      label: 'API reference',
      keywords: 'docs documentation openapi errors',
      icon: <BookOpen />,
      href: '/docs/api',
    },
  ]
  const search = useCallback((query: string, signal: AbortSignal) => find(query, signal, mayManage), [mayManage])
  return <ShellKeyboard nav={nav} actions={actions} search={search} searchPage={searchPage} />
}

const searchPage = (query: string) => `/search?q=${encodeURIComponent(query)}`

async function find(query: string, signal: AbortSignal, mayManage: boolean): Promise<CommandGroup[]> {
  const { results } = await api('GET /api/search', { query: { q: query }, signal })
  const isGuess = results.some(({ match }) => match === 'close')
  return SEARCH_KINDS.map((kind) => ({
    label: isGuess && GUESSED.includes(kind) ? `${LABELS.searchKind[kind]} close to it` : LABELS.searchKind[kind],
    items: results
      .filter((found) => found.kind === kind)
      .map((found) => ({
        id: `${kind} ${found.id}`,
        label: found.excerpt ?? found.name,
        hint: found.excerpt === null ? found.hint : found.name,
        icon: iconOf(kind),
        href: placeOf(found, mayManage),
      })),
  }))
}

const GUESSED: readonly SearchKind[] = ['project', 'batch', 'file']
