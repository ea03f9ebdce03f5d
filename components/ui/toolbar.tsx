import type { ReactNode } from 'react'
import { cn } from './cn'

/** A row of controls above a list. What does not fit goes to the next line. */
export function Toolbar({ label, className, children }: { label: string; className?: string; children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset means form values; these are actions
    <div role="group" aria-label={label} className={cn('flex flex-wrap items-center gap-2', className)}>
      {children}
    </div>
  )
}

/** Appears at the foot of the screen while rows are chosen: how many, and what can be done with them. */
export function SelectionBar({
  count,
  noun,
  onClear,
  children,
}: {
  count: number
  /** One and many: `['file', 'files']`. */
  noun: readonly [one: string, many: string]
  onClear: ReactNode
  children: ReactNode
}) {
  if (count === 0) return null
  return (
    <div className="pointer-events-none sticky bottom-(--bottombar-height,0px) z-10 flex justify-center pb-3">
      <section
        aria-label="Selection"
        className="pointer-events-auto flex max-w-full flex-wrap items-center gap-2 rounded-xl border border-line-strong bg-raised py-1.5 pr-2 pl-3.5 text-sm shadow-popover"
      >
        <span aria-live="polite" className="mr-2 font-medium tabular-nums">
          {count} {count === 1 ? noun[0] : noun[1]} selected
        </span>
        {children}
        {onClear}
      </section>
    </div>
  )
}
