'use client'

import { X } from 'lucide-react'
import { type ReactNode, useRef } from 'react'
import { IconButton } from './icon-button'
import { useHeightVariable } from './use-height-variable'

/** The bar below a list of which something is selected: how much, and what can be done with it. Toasts lie above it on a phone. */
export function SelectionFrame({
  label,
  words,
  clear,
  children,
}: {
  label: string
  /** “5 files selected”. */
  words: ReactNode
  clear: () => void
  children: ReactNode
}) {
  const bar = useRef<HTMLElement>(null)
  useHeightVariable(bar, '--selection-height')
  return (
    <section
      ref={bar}
      aria-label={label}
      className="sticky bottom-3 z-3 flex flex-wrap items-center gap-2 rounded-xl border border-line-strong bg-raised px-3 py-2 shadow-lg max-xl:bottom-[calc(0.75rem+var(--upload-tray-height,0px))] max-sm:bottom-[calc(5rem+var(--upload-tray-height,0px))] print:hidden"
    >
      <div className="mr-auto flex items-center gap-1 max-sm:w-full max-sm:justify-between">
        <span className="text-sm font-medium tabular-nums" aria-live="polite">
          {words}
        </span>
        <IconButton label="Clear the selection" size="sm" icon={<X />} onClick={clear} />
      </div>
      {children}
    </section>
  )
}
