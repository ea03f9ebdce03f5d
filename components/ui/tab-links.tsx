'use client'

import Link from 'next/link'
import { usePathname } from 'next/navigation'
import type { ReactNode } from 'react'
import { cn } from './cn'
import { TabCount, tabStyles } from './tabs'

/** Tabs where each is a page with an address. `exact` for the one that is a prefix of the others. */
export function TabLinks({
  label,
  links,
  className,
}: {
  label: string
  links: readonly { href: string; label: ReactNode; count?: number; exact?: boolean }[]
  className?: string
}) {
  const pathname = usePathname()
  return (
    <nav
      aria-label={label}
      className={cn(
        'flex gap-1 overflow-x-auto border-b border-line [scrollbar-width:none] max-sm:-mx-4 max-sm:px-4',
        className,
      )}
    >
      {links.map((link) => {
        const isCurrent = pathname === link.href || (!link.exact && pathname.startsWith(`${link.href}/`))
        return (
          <Link
            key={link.href}
            href={link.href}
            aria-current={isCurrent ? 'page' : undefined}
            className={cn(
              tabStyles,
              isCurrent &&
                'text-ink after:absolute after:inset-x-0 after:bottom-0 after:h-0.5 after:rounded-full after:bg-accent',
            )}
          >
            {link.label}
            {link.count !== undefined && <TabCount count={link.count} />}
          </Link>
        )
      })}
    </nav>
  )
}
