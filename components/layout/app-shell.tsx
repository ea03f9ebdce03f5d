import type { ReactNode } from 'react'
import { BottomBar } from './bottom-bar'
import type { NavGroup } from './navigation'
import { ShellStateProvider } from './shell-state'
import { Sidebar } from './sidebar'
import { SkipLink } from './skip-link'
import { TopBar } from './top-bar'

/** The frame of every signed-in screen. What of it needs data (unread count, account, bell) comes in as slots. */
export function AppShell({
  nav,
  homeHref = '/',
  bell,
  userMenu,
  keyboard,
  isSidebarFolded = false,
  children,
}: {
  nav: readonly NavGroup[]
  homeHref?: string
  bell?: ReactNode
  userMenu?: ReactNode
  /** `<ShellKeyboard>`, with the workspace's actions and search. */
  keyboard?: ReactNode
  isSidebarFolded?: boolean
  children: ReactNode
}) {
  return (
    <ShellStateProvider>
      <SkipLink />
      <div className="flex min-h-dvh [--topbar-height:3rem] max-md:[--bottombar-height:calc(3.5rem+env(safe-area-inset-bottom))]">
        <Sidebar nav={nav} homeHref={homeHref} isInitiallyFolded={isSidebarFolded} />
        <div className="flex min-w-0 flex-1 flex-col max-md:pb-(--bottombar-height)">
          <TopBar bell={bell} userMenu={userMenu} />
          <main id="main" tabIndex={-1} className="flex min-w-0 flex-1 flex-col outline-none">
            {children}
          </main>
        </div>
        <BottomBar nav={nav} />
      </div>
      {keyboard}
    </ShellStateProvider>
  )
}
