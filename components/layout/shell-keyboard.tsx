'use client'

import { useRouter } from 'next/navigation'
import { useEffect } from 'react'
import { useShortcutListener, useShortcuts } from '@/lib/client/shortcuts'
import { leaveBy } from '@/lib/client/unsaved'
import { CommandPalette, type CommandSearch } from './command-palette'
import type { CommandGroup } from './commands'
import type { NavGroup } from './navigation'
import { useShell } from './shell-state'
import { ShortcutHelp } from './shortcut-help'

/** The keyboard side of the shell: palette, help, and the keys that go places. */
export function ShellKeyboard({
  nav,
  actions = [],
  search,
}: {
  nav: readonly NavGroup[]
  actions?: readonly CommandGroup['items'][number][]
  search?: CommandSearch
}) {
  const router = useRouter()
  const { isPaletteOpen, setPaletteOpen, setHelpOpen } = useShell()
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
        run: () => void leaveBy(() => (action.href ? router.push(action.href) : action.run?.())),
      })),
  ])

  function focusSearch() {
    const field = document.querySelector<HTMLInputElement>('main [data-search-shortcut]')
    if (field) field.focus()
    else setPaletteOpen(true)
  }

  // Not one of the single keys: works in fields too, and when those are turned off.
  useEffect(() => {
    function handle(event: KeyboardEvent) {
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
      items: places.map(({ href, label, icon, shortcut }) => ({ id: href, href, label, icon, shortcut })),
    },
    {
      label: 'Help',
      items: [{ id: 'shortcuts', label: 'Keyboard shortcuts', shortcut: '?', run: () => setHelpOpen(true) }],
    },
  ]
  return (
    <>
      <CommandPalette groups={groups} search={search} />
      <ShortcutHelp />
    </>
  )
}
