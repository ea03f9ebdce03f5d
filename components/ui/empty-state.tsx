import type { ReactNode } from 'react'
import { cn } from './cn'

/** A place where nothing is yet: what it is for and the one thing to do next. With `framed` it stands in for a card. */
export function EmptyState({
  icon,
  title,
  children,
  action,
  framed = true,
  className,
}: {
  icon?: ReactNode
  title: ReactNode
  children?: ReactNode
  action?: ReactNode
  framed?: boolean
  className?: string
}) {
  return (
    <div
      className={cn(
        'flex flex-col items-center justify-center px-6 py-12 text-center',
        framed && 'rounded-xl border border-dashed border-line-strong bg-surface',
        className,
      )}
    >
      {icon && (
        <div
          aria-hidden="true"
          className="mb-3.5 grid size-10 place-items-center rounded-xl border border-line bg-sunken text-ink-subtle [&_svg]:size-5"
        >
          {icon}
        </div>
      )}
      <div className="text-base font-semibold text-ink">{title}</div>
      {children && <div className="mt-1 max-w-md text-sm text-balance text-ink-muted">{children}</div>}
      {action && <div className="mt-4 flex flex-wrap justify-center gap-2">{action}</div>}
    </div>
  )
}
