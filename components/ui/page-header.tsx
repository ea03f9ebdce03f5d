import { ChevronLeft } from 'lucide-react'
import Link from 'next/link'
import type { ReactNode } from 'react'
import { cn } from './cn'

/** Head of a screen: its one `h1`, what state it is in, facts in a line, and what can be done. */
export function PageHeader({
  title,
  badge,
  description,
  meta,
  actions,
  back,
  className,
}: {
  title: ReactNode
  /** A `StatusBadge`, right of the title. */
  badge?: ReactNode
  description?: ReactNode
  /** Short facts, divided by dots. */
  meta?: readonly ReactNode[]
  actions?: ReactNode
  /** The page above, for narrow screens, where the breadcrumb has no room. */
  back?: { href: string; label: string }
  className?: string
}) {
  return (
    <header className={cn('flex flex-wrap items-start justify-between gap-x-6 gap-y-3', className)}>
      <div className="min-w-0 flex-1 basis-72">
        {back && (
          <Link
            href={back.href}
            className="-ml-1 mb-1 inline-flex min-h-6 items-center gap-0.5 rounded-md pr-1.5 text-sm text-ink-muted hover:text-ink md:hidden"
          >
            <ChevronLeft aria-hidden="true" className="size-4" />
            {back.label}
          </Link>
        )}
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <h1 className="text-xl font-semibold text-balance wrap-anywhere">{title}</h1>
          {badge}
        </div>
        {description && <p className="mt-0.5 max-w-prose text-base text-ink-muted">{description}</p>}
        {meta && meta.length > 0 && <MetaLine items={meta} className="mt-1" />}
      </div>
      {actions && <div className="flex flex-wrap items-center gap-2 print:hidden">{actions}</div>}
    </header>
  )
}

/** Facts in one line, divided by dots; empty ones are left out. */
function MetaLine({ items, className }: { items: readonly ReactNode[]; className?: string }) {
  const present = items.filter((item) => item !== null && item !== undefined && item !== false && item !== '')
  return (
    <div className={cn('flex flex-wrap items-center gap-y-0.5 text-sm text-ink-muted', className)}>
      {present.map((item, index) => (
        <span
          // biome-ignore lint/suspicious/noArrayIndexKey: a fixed sequence of facts
          key={index}
          className="inline-flex min-w-0 items-center not-last:after:mx-2 not-last:after:text-ink-subtle not-last:after:content-['·']"
        >
          {item}
        </span>
      ))}
    </div>
  )
}

/** A part of a screen under its own heading. */
export function Section({
  title,
  description,
  actions,
  className,
  children,
}: {
  title: ReactNode
  description?: ReactNode
  actions?: ReactNode
  className?: string
  children: ReactNode
}) {
  return (
    <section className={cn('flex min-w-0 flex-col gap-3', className)}>
      <div className="flex flex-wrap items-end justify-between gap-x-4 gap-y-2">
        <div className="min-w-0">
          <h2 className="text-base font-semibold">{title}</h2>
          {description && <p className="text-sm text-ink-muted">{description}</p>}
        </div>
        {actions && <div className="flex flex-wrap items-center gap-2">{actions}</div>}
      </div>
      {children}
    </section>
  )
}
