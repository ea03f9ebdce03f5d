'use client'

import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from 'react'
import type { Command } from './commands'

interface ShellState {
  isPaletteOpen: boolean
  setPaletteOpen: (isOpen: boolean) => void
  isHelpOpen: boolean
  setHelpOpen: (isOpen: boolean) => void
  isNavOpen: boolean
  setNavOpen: (isOpen: boolean) => void
  pageCommands: readonly Command[]
  setPageCommands: (commands: readonly Command[]) => void
}

const ShellContext = createContext<ShellState | null>(null)

/** What is open in the shell, and what the page on screen adds to the command palette. */
export function ShellStateProvider({ children }: { children: ReactNode }) {
  const [isPaletteOpen, setPaletteOpen] = useState(false)
  const [isHelpOpen, setHelpOpen] = useState(false)
  const [isNavOpen, setNavOpen] = useState(false)
  const [pageCommands, setPageCommands] = useState<readonly Command[]>([])
  const state = useMemo(
    () => ({
      isPaletteOpen,
      setPaletteOpen,
      isHelpOpen,
      setHelpOpen,
      isNavOpen,
      setNavOpen,
      pageCommands,
      setPageCommands,
    }),
    [isPaletteOpen, isHelpOpen, isNavOpen, pageCommands],
  )
  return <ShellContext value={state}>{children}</ShellContext>
}

export function useShell(): ShellState {
  const state = useContext(ShellContext)
  if (!state) throw new Error('useShell works inside <AppShell> only.')
  return state
}

/** Adds actions of the page on screen to the palette ("Submit batch"). Give a memoised list. */
export function usePageCommands(commands: readonly Command[]): void {
  const { setPageCommands } = useShell()
  useEffect(() => {
    setPageCommands(commands)
    return () => setPageCommands([])
  }, [commands, setPageCommands])
}
