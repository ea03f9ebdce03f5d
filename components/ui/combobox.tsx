'use client'

import { Combobox as Base } from '@base-ui/react/combobox'
import { Check, ChevronsUpDown, X } from 'lucide-react'
import type { ReactNode } from 'react'
import { cn } from './cn'
import { controlSize, controlStyles, popupItemStyles, popupStyles } from './control-styles'

export interface ComboboxOption {
  value: string
  label: string
  description?: string
  icon?: ReactNode
}

/** One of many, found by typing. Inside `Field` it is labelled; sends `value` under `name`. */
export function Combobox({
  options,
  value,
  onValueChange,
  onBlur,
  name,
  placeholder = 'Search',
  emptyText = 'Nothing found',
  onSearch,
  chosen,
  disabled = false,
  clearable = false,
  className,
  'aria-label': ariaLabel,
}: {
  options: readonly ComboboxOption[]
  value: string | null
  onValueChange: (value: string | null) => void
  onBlur?: () => void
  name?: string
  placeholder?: string
  emptyText?: string
  /** Where `options` are those that match already: called with what is typed, and with nothing when the list closes. */
  onSearch?: (text: string) => void
  /** The option of `value`, where `options` may lack it. */
  chosen?: ComboboxOption
  disabled?: boolean
  clearable?: boolean
  className?: string
  'aria-label'?: string
}) {
  const selected = options.find((option) => option.value === value) ?? chosen ?? null
  return (
    <Base.Root
      items={options}
      value={selected}
      onValueChange={(next: ComboboxOption | null) => onValueChange(next?.value ?? null)}
      isItemEqualToValue={(a, b) => a?.value === b?.value}
      name={name}
      disabled={disabled}
      autoHighlight
      {...(onSearch && {
        filter: null,
        onInputValueChange: (text: string, { reason }: { reason: string }) => {
          if (reason === 'input-change') onSearch(text)
        },
        onOpenChange: (isOpen: boolean) => {
          if (!isOpen) onSearch('')
        },
      })}
    >
      <Base.InputGroup className={cn('relative', className)}>
        <Base.Input
          aria-label={ariaLabel}
          placeholder={placeholder}
          onBlur={onBlur}
          className={cn(controlStyles, controlSize.md, 'pr-9', clearable && 'pr-15')}
        />
        <span className="absolute inset-y-0 right-1 flex items-center text-ink-subtle">
          {clearable && (
            <Base.Clear
              aria-label="Clear"
              className="grid size-6 place-items-center rounded-md hover:bg-hover hover:text-ink"
            >
              <X className="size-3.5" />
            </Base.Clear>
          )}
          <Base.Trigger
            aria-label="Show choices"
            className="grid size-6 place-items-center rounded-md hover:bg-hover hover:text-ink"
          >
            <ChevronsUpDown className="size-3.5" />
          </Base.Trigger>
        </span>
      </Base.InputGroup>
      <Base.Portal>
        <Base.Positioner sideOffset={4} collisionPadding={8} className="z-50 outline-none">
          <Base.Popup className={cn(popupStyles, 'w-(--anchor-width) max-w-(--available-width) min-w-56')}>
            <Base.Empty>
              <div className="px-3 py-4 text-sm text-ink-muted">{emptyText}</div>
            </Base.Empty>
            <Base.List className="max-h-[min(20rem,var(--available-height))] overflow-y-auto overscroll-contain p-1 data-empty:p-0">
              {(option: ComboboxOption) => (
                <Base.Item key={option.value} value={option} className={cn(popupItemStyles, 'pr-8')}>
                  {option.icon}
                  <span className="min-w-0">
                    <span className="block truncate">{option.label}</span>
                    {option.description && (
                      <span className="block truncate text-xs text-ink-muted">{option.description}</span>
                    )}
                  </span>
                  <Base.ItemIndicator className="absolute right-2 text-accent-ink">
                    <Check />
                  </Base.ItemIndicator>
                </Base.Item>
              )}
            </Base.List>
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}
