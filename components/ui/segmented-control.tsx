'use client'

import { Radio } from '@base-ui/react/radio'
import { RadioGroup } from '@base-ui/react/radio-group'
import type { ReactNode } from 'react'
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
  return (
    <RadioGroup<Value>
      aria-label={label}
      value={value}
      onValueChange={(next) => onValueChange(next)}
      className={cn('inline-flex h-8 items-center gap-0.5 rounded-lg bg-active p-0.5 pointer-coarse:h-10', className)}
    >
      {options.map((option) => (
        <Radio.Root
          key={option.value}
          value={option.value}
          aria-label={option.ariaLabel}
          className="relative inline-flex h-full min-w-7 items-center justify-center gap-1.5 rounded-md px-2.5 text-sm font-medium text-ink-muted select-none hover:text-ink focus-visible:outline-offset-1 data-checked:bg-surface data-checked:text-ink data-checked:shadow-sm dark:data-checked:bg-raised [&_svg]:size-4"
        >
          {option.icon}
          {option.label}
        </Radio.Root>
      ))}
    </RadioGroup>
  )
}
