'use client'

import { Menu as MenuIcon } from 'lucide-react'
import dynamic from 'next/dynamic'
import Link from 'next/link'
import { usePathname } from 'next/navigation'
import { cn } from '@/components/ui/cn'
import { useOnceTrue } from '@/lib/client/use-once-true'
import { isCurrent, type NavGroup } from './navigation'
import { useShell } from './shell-state'

const NavDrawer = dynamic(() => import('./nav-drawer').then((module) => module.NavDrawer), { ssr: false })

const itemStyles =
  'flex h-14 min-w-0 flex-1 flex-col items-center justify-center gap-0.5 text-2xs font-medium text-ink-muted focus-visible:-outline-offset-2 [&_svg]:size-5'

/** Navigation of phones: the four main places within reach of the thumb, everything else behind "More". */
export function BottomBar({ nav }: { nav: readonly NavGroup[] }) {
  const pathname = usePathname()
  const { isNavOpen, setNavOpen } = useShell()
  const wasNavOpen = useOnceTrue(isNavOpen)
  const primary = nav.flatMap((group) => group.items).filter((item) => item.isPrimary)
  return (
    <>
      <nav
        aria-label="Main places"
        className="fixed inset-x-0 bottom-0 z-20 flex border-t border-line bg-surface pb-[env(safe-area-inset-bottom)] md:hidden print:hidden"
      >
        {primary.map((item) => {
          const isActive = isCurrent(item, pathname)
          return (
            <Link
              key={item.href}
              href={item.href}
              aria-current={isActive ? 'page' : undefined}
              className={cn(itemStyles, isActive && 'text-ink [&_svg]:text-accent-ink')}
            >
              <span className="relative">
                {item.icon}
                {item.badge && <span className="absolute -top-1.5 left-3">{item.badge}</span>}
              </span>
              <span className="max-w-full truncate px-1">{item.label}</span>
            </Link>
          )
        })}
        <button type="button" onClick={() => setNavOpen(true)} aria-expanded={isNavOpen} className={itemStyles}>
          <MenuIcon aria-hidden="true" />
          More
        </button>
      </nav>
      {wasNavOpen && <NavDrawer nav={nav} />}
    </>
  )
}
