import { Bell } from 'lucide-react'
import Link from 'next/link'
import { buttonStyles } from '@/components/ui/button-styles'
import { cn } from '@/components/ui/cn'

/** The bell of the top bar: how many notices are unread, and the way to them. Without a count it holds the place. */
export function BellLink({ href, unread = 0 }: { href: string; unread?: number }) {
  return (
    <Link
      href={href}
      aria-label={unread > 0 ? `Notices, ${unread} unread` : 'Notices'}
      className={cn(buttonStyles({ variant: 'ghost', shape: 'icon' }), 'relative')}
    >
      <Bell aria-hidden="true" />
      {unread > 0 && (
        <span
          aria-hidden="true"
          className="absolute -top-0.5 -right-0.5 grid h-3.75 min-w-3.75 place-items-center rounded-full bg-accent px-0.75 text-[0.5625rem] leading-none font-semibold text-on-accent tabular-nums ring-2 ring-canvas pointer-coarse:top-1 pointer-coarse:right-1"
        >
          {unread > 99 ? '99+' : unread}
        </span>
      )}
    </Link>
  )
}
