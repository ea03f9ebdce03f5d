import type { ReactNode } from 'react'
import { cn } from './cn'

/** Names and values: facts about one thing. `columns` sets two beside each other where there is room. */
export function DescriptionList({
  items,
  columns = 1,
  className,
}: {
  items: readonly { label: ReactNode; value: ReactNode }[]
  columns?: 1 | 2
  className?: string
}) {
  return (
    <div className={cn('@container', className)}>
      <dl className={cn('grid gap-x-8', columns === 2 && '@xl:grid-cols-2')}>
        {items.map((item, index) => (
          <div
            // biome-ignore lint/suspicious/noArrayIndexKey: a fixed sequence of facts
            key={index}
            className="grid grid-cols-[minmax(7rem,1fr)_2fr] items-baseline gap-3 border-b border-line py-1.5 text-sm last:border-b-0"
          >
            <dt className="text-ink-subtle">{item.label}</dt>
            <dd className="min-w-0 text-ink wrap-anywhere">
              {item.value ?? <span className="text-ink-subtle">none</span>}
            </dd>
          </div>
        ))}
      </dl>
    </div>
  )
}
