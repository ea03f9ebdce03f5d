'use client'

import { type ReactNode, useId } from 'react'
import { cn } from './cn'

/** Two to four views of the same thing, one pressed (table or grid). Icons alone need `ariaLabel` per option. */
export function SegmentedControl<Value extends string>({
  label,
  options,
  value,
  onValueChange,
  className,
}: {
  label: string
  options: readonly { value: Value; label: ReactNode; ariaLabel?: string; icon?: ReactNode }[]
  value: Value
  onValueChange: (value: Value) => void
  className?: string
}) {
  const name = useId()
  return (
    <div
      role="radiogroup"
      aria-label={label}
      className={cn('inline-flex h-8 items-center gap-0.5 rounded-lg bg-active p-0.5 pointer-coarse:h-10', className)}
    >
      {options.map((option) => (
        <label
          key={option.value}
          className="relative inline-flex h-full min-w-7 items-center justify-center gap-1.5 rounded-md px-2.5 text-sm font-medium text-ink-muted select-none hover:text-ink has-checked:bg-surface has-checked:text-ink has-checked:shadow-sm forced-colors:has-checked:outline-1 forced-colors:has-checked:-outline-offset-1 has-focus-visible:outline-2 has-focus-visible:outline-offset-1 has-focus-visible:outline-focus dark:has-checked:bg-raised [&_svg]:size-4"
        >
          <input
            type="radio"
            name={name}
            value={option.value}
            checked={option.value === value}
            onChange={() => onValueChange(option.value)}
            aria-label={option.ariaLabel}
            className="absolute inset-0 appearance-none rounded-md outline-none"
          />
          {option.icon}
          {option.label}
        </label>
      ))}
    </div>
  )
}
