'use client'

import { PanelLeftClose, PanelLeftOpen } from 'lucide-react'
import Link from 'next/link'
import { usePathname } from 'next/navigation'
import { useState } from 'react'
import { cn } from '@/components/ui/cn'
import { IconButton } from '@/components/ui/icon-button'
import { Logo, LogoMark } from '@/components/ui/logo'
import { Tooltip } from '@/components/ui/tooltip'
import { isCurrent, type NavGroup, type NavItem, SIDEBAR_COOKIE } from './navigation'

/** Navigation at the left, foldable to icons. */
export function Sidebar({
  nav,
  homeHref,
  isInitiallyFolded = false,
}: {
  nav: readonly NavGroup[]
  homeHref: string
  isInitiallyFolded?: boolean
}) {
  const [isFolded, setFolded] = useState(isInitiallyFolded)
  function fold(next: boolean) {
    setFolded(next)
    // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing in Firefox and Safari
    document.cookie = `${SIDEBAR_COOKIE}=${next ? 'folded' : 'open'}; path=/; max-age=31536000; samesite=lax`
  }
  return (
    <aside
      className={cn(
        'sticky top-0 flex h-dvh shrink-0 flex-col border-r border-line bg-canvas transition-[width] duration-150 ease-out max-md:hidden print:hidden',
        isFolded ? 'w-14' : 'w-56',
      )}
    >
      <div className={cn('flex h-12 shrink-0 items-center', isFolded ? 'justify-center' : 'justify-between pr-2 pl-4')}>
        <Link href={homeHref} className="rounded-md" aria-label="Greenroom, start page">
          {isFolded ? <LogoMark /> : <Logo />}
        </Link>
        {!isFolded && (
          <IconButton
            label="Fold the sidebar"
            icon={<PanelLeftClose />}
            size="sm"
            side="right"
            aria-expanded
            onClick={() => fold(true)}
          />
        )}
      </div>
      {isFolded && (
        <div className="flex justify-center pt-1">
          <IconButton
            label="Unfold the sidebar"
            icon={<PanelLeftOpen />}
            size="sm"
            side="right"
            aria-expanded={false}
            onClick={() => fold(false)}
          />
        </div>
      )}
      <NavList nav={nav} isFolded={isFolded} className="min-h-0 flex-1 overflow-y-auto px-2 py-2" />
    </aside>
  )
}

/** The groups and items of the navigation, for sidebar and drawer. */
export function NavList({
  nav,
  isFolded = false,
  onNavigate,
  className,
}: {
  nav: readonly NavGroup[]
  isFolded?: boolean
  onNavigate?: () => void
  className?: string
}) {
  const pathname = usePathname()
  return (
    <nav aria-label="Main" className={cn('flex flex-col gap-4', className)}>
      {nav.map((group, index) => (
        <div key={group.label ?? index}>
          {group.label &&
            (isFolded ? (
              <div className="mx-2 mb-3 border-t border-line" />
            ) : (
              <p className="px-2.5 pb-1 text-xs font-medium text-ink-subtle">{group.label}</p>
            ))}
          <ul className="flex flex-col gap-px">
            {group.items.map((item) => (
              <li key={item.href}>
                <NavLink item={item} isActive={isCurrent(item, pathname)} isFolded={isFolded} onNavigate={onNavigate} />
              </li>
            ))}
          </ul>
        </div>
      ))}
    </nav>
  )
}

function NavLink({
  item,
  isActive,
  isFolded,
  onNavigate,
}: {
  item: NavItem
  isActive: boolean
  isFolded: boolean
  onNavigate?: () => void
}) {
  const link = (
    <Link
      href={item.href}
      onClick={onNavigate}
      aria-current={isActive ? 'page' : undefined}
      className={cn(
        'relative flex h-8 items-center gap-2.5 rounded-md px-2.5 text-sm font-medium text-ink-muted hover:bg-hover hover:text-ink max-md:h-11 [&_svg]:size-4 [&_svg]:shrink-0',
        isActive && 'bg-active text-ink hover:bg-active [&_svg]:text-accent-ink',
        isFolded && 'justify-center px-0',
      )}
    >
      {item.icon}
      <span className={isFolded ? 'sr-only' : 'min-w-0 flex-1 truncate'}>{item.label}</span>
      {item.badge && <span className={isFolded ? 'absolute -top-1 right-0 scale-85' : 'ml-auto'}>{item.badge}</span>}
    </Link>
  )
  if (!isFolded) return link
  return (
    <Tooltip label={item.label} shortcut={item.shortcut} side="right">
      {link}
    </Tooltip>
  )
}
