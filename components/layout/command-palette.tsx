'use client'

import { Autocomplete } from '@base-ui/react/autocomplete'
import { Dialog } from '@base-ui/react/dialog'
import { Clock, Search } from 'lucide-react'
import { useRouter } from 'next/navigation'
import { useEffect, useMemo, useState } from 'react'
import { cn } from '@/components/ui/cn'
import { popupItemStyles } from '@/components/ui/control-styles'
import { backdropStyles } from '@/components/ui/dialog'
import { Kbd } from '@/components/ui/kbd'
import { Spinner } from '@/components/ui/spinner'
import { useRegisteredShortcuts } from '@/lib/client/shortcuts'
import { leaveBy } from '@/lib/client/unsaved'
import { type Command, type CommandGroup, commandsOf, matchCommands, readRecent, rememberCommand } from './commands'
import { useShell } from './shell-state'

/** Finds things on the server: projects, batches, files. Called 150 ms after the last key; `signal` cancels the older call. */
export type CommandSearch = (query: string, signal: AbortSignal) => Promise<readonly CommandGroup[]>

/** Ctrl/Cmd K: go anywhere, do anything, find anything, with the keyboard alone. */
export function CommandPalette({
  groups,
  search,
  searchPage,
}: {
  groups: readonly CommandGroup[]
  search?: CommandSearch
  searchPage?: (query: string) => string
}) {
  const { isPaletteOpen, setPaletteOpen } = useShell()
  return (
    <Dialog.Root open={isPaletteOpen} onOpenChange={(isOpen) => setPaletteOpen(isOpen)}>
      <Dialog.Portal>
        <Dialog.Backdrop className={backdropStyles} />
        <Dialog.Viewport className="fixed inset-0 z-50 flex items-start justify-center p-3 pt-[12dvh]">
          <Dialog.Popup
            aria-label="Command palette"
            className="popup-motion flex max-h-[min(28rem,70dvh)] w-full max-w-xl flex-col overflow-hidden rounded-xl border border-line-strong bg-raised text-ink shadow-dialog outline-none"
          >
            <PaletteBody groups={groups} search={search} searchPage={searchPage} close={() => setPaletteOpen(false)} />
          </Dialog.Popup>
        </Dialog.Viewport>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

function PaletteBody({
  groups,
  search,
  searchPage,
  close,
}: {
  groups: readonly CommandGroup[]
  search: CommandSearch | undefined
  searchPage: ((query: string) => string) | undefined
  close: () => void
}) {
  const router = useRouter()
  const [query, setQuery] = useState('')
  const { found, isSearching, hasFailed } = useServerSearch(query, search)

  const registered = useRegisteredShortcuts()
  const shown = useMemo(() => {
    const here: CommandGroup = { label: 'On this screen', items: commandsOf(registered) }
    const text = query.trim()
    const all: CommandGroup = {
      label: 'Search',
      items:
        searchPage && text
          ? [{ id: 'search page', label: `Search everything for “${text}”`, icon: <Search />, href: searchPage(text) }]
          : [],
    }
    const recent: CommandGroup = {
      label: 'Recent',
      items: query.trim() ? [] : readRecent().map((each) => ({ ...each, id: `recent ${each.id}`, icon: <Clock /> })),
    }
    const local = [...groups, here].map((group) => ({ ...group, items: matchCommands(query, group.items) }))
    return [recent, ...local, ...found, all].filter((group) => group.items.length > 0)
  }, [query, groups, found, registered, searchPage])

  function choose(command: Command) {
    close()
    if (command.id !== 'search page') rememberCommand({ ...command, id: command.id.replace(/^recent /, '') })
    const { href } = command
    if (href) void leaveBy(() => router.push(href))
    command.run?.()
  }

  return (
    <Autocomplete.Root
      open
      inline
      mode="none"
      items={shown}
      itemToStringValue={(command: Command) => command.label}
      autoHighlight="always"
      keepHighlight
      value={query}
      onValueChange={(text, details) => {
        if (details.reason !== 'item-press') setQuery(text)
      }}
    >
      <div className="flex h-12 shrink-0 items-center gap-2.5 border-b border-line px-4">
        {isSearching ? (
          <Spinner className="text-ink-subtle" />
        ) : (
          <Search aria-hidden="true" className="size-4 shrink-0 text-ink-subtle" />
        )}
        <Autocomplete.Input
          aria-label="Search and commands"
          placeholder="Go to, find or do"
          className="h-full min-w-0 flex-1 bg-transparent text-base outline-none pointer-coarse:text-[1rem]"
        />
        <Dialog.Close className="rounded-md p-1 pointer-coarse:p-2" aria-label="Close, Esc">
          <Kbd keys="Esc" />
        </Dialog.Close>
      </div>
      <div className="flex min-h-0 flex-1 flex-col">
        <Autocomplete.Empty>
          <p className="px-4 py-8 text-center text-sm text-ink-muted empty:hidden">
            {isSearching ? 'Searching' : `Nothing found for “${query.trim()}”`}
          </p>
        </Autocomplete.Empty>
        {hasFailed && <p className="px-4 pt-3 text-sm text-fail-ink">Search did not respond. Commands still work.</p>}
        <Autocomplete.List className="min-h-0 scroll-py-1.5 overflow-y-auto overscroll-contain p-1.5 data-empty:hidden">
          {(group: CommandGroup) => (
            <Autocomplete.Group key={group.label} items={group.items} className="not-last:mb-1.5">
              <Autocomplete.GroupLabel className="px-2 pt-1.5 pb-1 text-xs font-medium text-ink-subtle">
                {group.label}
              </Autocomplete.GroupLabel>
              <Autocomplete.Collection>
                {(command: Command) => (
                  <Autocomplete.Item
                    key={command.id}
                    value={command}
                    onClick={() => choose(command)}
                    className={cn(popupItemStyles, 'scroll-my-1.5 gap-2.5 [&>svg]:text-ink-subtle')}
                  >
                    {command.icon}
                    <span className="min-w-0 truncate">{command.label}</span>
                    {command.hint && <span className="min-w-0 flex-1 truncate text-ink-subtle">{command.hint}</span>}
                    {command.shortcut && <Kbd keys={command.shortcut} className="ml-auto" />}
                  </Autocomplete.Item>
                )}
              </Autocomplete.Collection>
            </Autocomplete.Group>
          )}
        </Autocomplete.List>
      </div>
    </Autocomplete.Root>
  )
}

const NOTHING: readonly CommandGroup[] = []

function useServerSearch(query: string, search: CommandSearch | undefined) {
  const [matches, setMatches] = useState({ query: '', found: NOTHING, hasFailed: false })
  const wanted = query.trim()
  useEffect(() => {
    if (!search || wanted.length < 2) return
    const abort = new AbortController()
    const timer = setTimeout(async () => {
      try {
        const found = await search(wanted, abort.signal)
        if (!abort.signal.aborted) setMatches({ query: wanted, found, hasFailed: false })
      } catch {
        if (!abort.signal.aborted) setMatches({ query: wanted, found: NOTHING, hasFailed: true })
      }
    }, 150)
    return () => {
      clearTimeout(timer)
      abort.abort()
    }
  }, [wanted, search])
  const isWanted = Boolean(search) && wanted.length >= 2
  const isSearching = isWanted && matches.query !== wanted
  // Older results stay while the next ones are on their way: the list does not jump at each key.
  return {
    found: isWanted ? matches.found : NOTHING,
    isSearching,
    hasFailed: isWanted && !isSearching && matches.hasFailed,
  }
}
