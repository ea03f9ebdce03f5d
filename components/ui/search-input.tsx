'use client'

import type { ComponentProps, ReactNode } from 'react'
import { cn } from './cn'
import { controlSize, controlStyles } from './control-styles'

/** What a list is searched by: a field of its own, outside any form, without the code that fields of forms need. */
export function SearchInput({
  label,
  leading,
  onValueChange,
  className,
  ...props
}: Omit<ComponentProps<'input'>, 'type' | 'size' | 'onChange'> & {
  /** Its name, and what stands in it while it is empty. */
  label: string
  /** Stands before the text. */
  leading: ReactNode
  onValueChange: (value: string) => void
}) {
  return (
    <span className="relative block w-full">
      <span className="pointer-events-none absolute inset-y-0 left-2.5 z-1 flex items-center text-sm text-ink-subtle [&_svg]:size-4">
        {leading}
      </span>
      <input
        type="search"
        aria-label={label}
        placeholder={label}
        data-search-shortcut
        className={cn(controlStyles, controlSize.md, 'pl-8', className)}
        onChange={(event) => onValueChange(event.currentTarget.value)}
        {...props}
      />
    </span>
  )
}
