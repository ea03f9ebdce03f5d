'use client'

import { Select as Base } from '@base-ui/react/select'
import { Check, ChevronsUpDown } from 'lucide-react'
import type { ReactNode } from 'react'
import { cn } from './cn'
import { type ControlSize, controlSize, controlStyles, popupItemStyles, popupStyles } from './control-styles'

interface SelectOption<Value extends string = string> {
  value: Value
  label: string
  /** A second, quieter line. */
  description?: string
  icon?: ReactNode
  disabled?: boolean
}

export interface SelectProps<Value extends string> {
  options: readonly SelectOption<Value>[]
  value?: Value | null
  defaultValue?: Value | null
  onValueChange?: (value: Value) => void
  onBlur?: () => void
  name?: string
  placeholder?: string
  disabled?: boolean
  size?: ControlSize
  className?: string
  /** Only outside `Field`. */
  'aria-label'?: string
}

/** One of a handful of values. For more than about ten use `Combobox`, for two or three `SegmentedControl`. */
export function Select<Value extends string>({
  options,
  value,
  defaultValue,
  onValueChange,
  onBlur,
  name,
  placeholder = 'Choose',
  disabled = false,
  size = 'md',
  className,
  'aria-label': ariaLabel,
}: SelectProps<Value>) {
  return (
    <Base.Root
      items={options}
      value={value}
      defaultValue={defaultValue}
      onValueChange={(next) => {
        if (next !== null) onValueChange?.(next)
      }}
      name={name}
      disabled={disabled}
      modal={false}
    >
      <Base.Trigger
        aria-label={ariaLabel}
        onBlur={onBlur}
        className={cn(
          controlStyles,
          controlSize[size],
          'flex items-center justify-between gap-2 text-left select-none data-popup-open:border-focus',
          className,
        )}
      >
        <Base.Value placeholder={placeholder} className="min-w-0 truncate data-placeholder:text-ink-subtle" />
        <Base.Icon className="text-ink-subtle">
          <ChevronsUpDown className="size-3.5" />
        </Base.Icon>
      </Base.Trigger>
      <Base.Portal>
        <Base.Positioner sideOffset={4} collisionPadding={8} alignItemWithTrigger={false} className="z-50 outline-none">
          <Base.Popup className={cn(popupStyles, 'max-w-[min(28rem,var(--available-width))] min-w-(--anchor-width)')}>
            <Base.List className="max-h-[min(22rem,var(--available-height))] overflow-y-auto overscroll-contain p-1">
              {options.map((option) => (
                <Base.Item
                  key={option.value}
                  value={option.value}
                  disabled={option.disabled ?? false}
                  className={cn(popupItemStyles, 'pr-8')}
                >
                  {option.icon}
                  <span className="min-w-0">
                    <Base.ItemText className="block truncate">{option.label}</Base.ItemText>
                    {option.description && <span className="block text-xs text-ink-muted">{option.description}</span>}
                  </span>
                  <Base.ItemIndicator className="absolute right-2 text-accent-ink">
                    <Check />
                  </Base.ItemIndicator>
                </Base.Item>
              ))}
            </Base.List>
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}
