'use client'

import { Drawer } from '@/components/ui/drawer'
import type { NavGroup } from './navigation'
import { useShell } from './shell-state'
import { NavList } from './sidebar'

/** On phones: all places, from behind "More". */
export function NavDrawer({ nav }: { nav: readonly NavGroup[] }) {
  const { isNavOpen, setNavOpen } = useShell()
  return (
    <Drawer title="Greenroom" side="left" size="nav" open={isNavOpen} onOpenChange={setNavOpen}>
      <NavList nav={nav} onNavigate={() => setNavOpen(false)} className="-mx-2.5" />
    </Drawer>
  )
}
