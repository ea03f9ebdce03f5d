'use client'

import { createContext, type ReactNode, useContext, useMemo, useState } from 'react'

interface ShellState {
  isPaletteOpen: boolean
  setPaletteOpen: (isOpen: boolean) => void
  isHelpOpen: boolean
  setHelpOpen: (isOpen: boolean) => void
  isNavOpen: boolean
  setNavOpen: (isOpen: boolean) => void
}

const ShellContext = createContext<ShellState | null>(null)

/** What is open in the shell. */
export function ShellStateProvider({ children }: { children: ReactNode }) {
  const [isPaletteOpen, setPaletteOpen] = useState(false)
  const [isHelpOpen, setHelpOpen] = useState(false)
  const [isNavOpen, setNavOpen] = useState(false)
  const state = useMemo(
    () => ({
      isPaletteOpen,
      setPaletteOpen,
      isHelpOpen,
      setHelpOpen,
      isNavOpen,
      setNavOpen,
    }),
    [isPaletteOpen, isHelpOpen, isNavOpen],
  )
  return <ShellContext value={state}>{children}</ShellContext>
}

export function useShell(): ShellState {
  const state = useContext(ShellContext)
  if (!state) throw new Error('useShell works inside <AppShell> only.')
  return state
}
