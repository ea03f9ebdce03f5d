'use client'

import { Search } from 'lucide-react'
import type { ReactNode } from 'react'
import { buttonStyles } from '@/components/ui/button-styles'
import { cn } from '@/components/ui/cn'
import { Kbd } from '@/components/ui/kbd'
import { useShell } from './shell-state'

/** The bar above every screen. Its left half is free: the screen's `Page` lays its breadcrumb there. */
export function TopBar({ bell, userMenu }: { bell?: ReactNode; userMenu?: ReactNode }) {
  const { setPaletteOpen } = useShell()
  return (
    <header className="sticky top-0 z-20 flex h-(--topbar-height) items-center justify-end gap-1.5 border-b border-line bg-canvas/90 px-4 backdrop-blur-md sm:px-6 print:hidden">
      <button
        type="button"
        onClick={() => setPaletteOpen(true)}
        className={cn(
          buttonStyles({ variant: 'ghost' }),
          'gap-2 font-normal sm:mr-1.5 sm:w-52 sm:justify-start sm:border-line-strong sm:bg-surface sm:pr-1.5 sm:shadow-xs max-sm:aspect-square max-sm:px-0',
        )}
      >
        <Search aria-hidden="true" />
        <span className="flex-1 text-left text-ink-subtle max-sm:sr-only">Search or do</span>
        <Kbd keys="Ctrl K" className="pointer-coarse:hidden max-sm:hidden" />
      </button>
      {bell}
      {userMenu}
    </header>
  )
}
