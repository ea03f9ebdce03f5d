import type { ComponentProps, ReactNode } from 'react'
import { cn } from './cn'

/** A framed surface for one subject. Cards do not nest: inside one, divide with lines. */
export function Card({ className, ...props }: ComponentProps<'section'>) {
  return <section className={cn('min-w-0 rounded-xl border border-line bg-surface shadow-xs', className)} {...props} />
}

/** Title of a card, what it is about, and what can be done with it. */
export function CardHeader({
  title,
  description,
  actions,
  level: Heading = 'h2',
  className,
}: {
  title: ReactNode
  description?: ReactNode
  actions?: ReactNode
  level?: 'h2' | 'h3'
  className?: string
}) {
  return (
    <div className={cn('flex flex-wrap items-start justify-between gap-x-4 gap-y-2 px-5 pt-4 pb-1', className)}>
      <div className="min-w-0">
        <Heading className="text-base font-semibold wrap-anywhere">{title}</Heading>
        {description && <p className="text-sm text-ink-muted">{description}</p>}
      </div>
      {actions && <div className="flex flex-wrap items-center gap-2">{actions}</div>}
    </div>
  )
}

export function CardBody({ className, ...props }: ComponentProps<'div'>) {
  return <div className={cn('px-5 py-4', className)} {...props} />
}

/** Closing line of a card: a save button, a sum, a link to everything. */
export function CardFooter({ className, ...props }: ComponentProps<'div'>) {
  return (
    <div
      className={cn(
        'flex flex-wrap items-center justify-between gap-3 rounded-b-xl border-t border-line bg-canvas px-5 py-3 text-sm text-ink-muted',
        className,
      )}
      {...props}
    />
  )
}
