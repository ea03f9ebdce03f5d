'use client'

import dynamic from 'next/dynamic'
import { useRouter } from 'next/navigation'
import { useEffect } from 'react'
import { useShortcutListener, useShortcuts } from '@/lib/client/shortcuts'
import { leaveBy } from '@/lib/client/unsaved'
import { useOnceTrue } from '@/lib/client/use-once-true'
import { openOnThisPage } from '@/lib/client/use-open-by-address'
import type { CommandSearch } from './command-palette'
import type { CommandGroup } from './commands'
import type { NavGroup } from './navigation'
import { useShell } from './shell-state'

const loadPalette = () => import('./command-palette').then((module) => module.CommandPalette)
const CommandPalette = dynamic(loadPalette, { ssr: false })
const ShortcutHelp = dynamic(() => import('./shortcut-help').then((module) => module.ShortcutHelp), { ssr: false })

/** The keyboard side of the shell: palette, help, and the keys that go places. */
export function ShellKeyboard({
  nav,
  actions = [],
  search,
  searchPage,
}: {
  nav: readonly NavGroup[]
  actions?: readonly CommandGroup['items'][number][]
  search?: CommandSearch
  /** The page that shows everything that is found for a text. */
  searchPage?: (query: string) => string
}) {
  const router = useRouter()
  const { isPaletteOpen, setPaletteOpen, isHelpOpen, setHelpOpen } = useShell()
  const wasPaletteOpen = useOnceTrue(isPaletteOpen)
  const wasHelpOpen = useOnceTrue(isHelpOpen)
  const places = nav.flatMap((group) => group.items)
  useShortcutListener()
  useShortcuts([
    { keys: '?', label: 'This help', group: 'Everywhere', run: () => setHelpOpen(true) },
    { keys: '/', label: 'Search in the list, or everywhere', group: 'Everywhere', run: focusSearch },
    ...places
      .filter((item) => item.shortcut)
      .map((item) => ({
        keys: item.shortcut ?? '',
        label: item.label,
        group: 'Go to',
        run: () => void leaveBy(() => router.push(item.href)),
      })),
    ...actions
      .filter((action) => action.shortcut)
      .map((action) => ({
        keys: action.shortcut ?? '',
        label: action.label,
        group: 'Do',
        run: () => runAction(action),
      })),
  ])

  function runAction({ href, run }: CommandGroup['items'][number]) {
    // Nothing is left: the router does not follow an address it may still be at.
    if (href && openOnThisPage(href)) return
    void leaveBy(() => (href ? router.push(href) : run?.()))
  }

  function focusSearch() {
    const field = document.querySelector<HTMLInputElement>('main [data-search-shortcut]')
    if (field) field.focus()
    else setPaletteOpen(true)
  }

  // Not one of the single keys: works in fields too, and when those are turned off.
  useEffect(() => {
    function handle(event: KeyboardEvent) {
      // The rest of the key is a moment later: by then the code may have come.
      if (event.key === 'Control' || event.key === 'Meta') void loadPalette()
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return
      event.preventDefault()
      setPaletteOpen(!isPaletteOpen)
    }
    window.addEventListener('keydown', handle)
    return () => window.removeEventListener('keydown', handle)
  }, [isPaletteOpen, setPaletteOpen])

  const groups: CommandGroup[] = [
    { label: 'Do', items: actions },
    {
      label: 'Go to',
      items: places.map(({ href, label, icon, shortcut, keywords }) => ({
        id: href,
        href,
        label,
        icon,
        shortcut,
        keywords,
      })),
    },
    {
      label: 'Help',
      items: [{ id: 'shortcuts', label: 'Keyboard shortcuts', shortcut: '?', run: () => setHelpOpen(true) }],
    },
  ]
  return (
    <>
      {wasPaletteOpen && <CommandPalette groups={groups} search={search} searchPage={searchPage} />}
      {wasHelpOpen && <ShortcutHelp />}
    </>
  )
}
