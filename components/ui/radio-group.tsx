'use client'

import { Radio } from '@base-ui/react/radio'
import { RadioGroup as Base } from '@base-ui/react/radio-group'
import { type ReactNode, useId } from 'react'
import { cn } from './cn'

export interface RadioOption<Value extends string = string> {
  value: Value
  label: ReactNode
  description?: ReactNode
  disabled?: boolean
}

/** One of a few values, all visible. `cards` frames each choice when it needs a sentence. */
export function RadioGroup<Value extends string>({
  options,
  value,
  defaultValue,
  onValueChange,
  name,
  variant = 'list',
  'aria-label': ariaLabel,
  'aria-labelledby': ariaLabelledBy,
  className,
}: {
  options: readonly RadioOption<Value>[]
  value?: Value
  defaultValue?: Value
  onValueChange?: (value: Value) => void
  name?: string
  variant?: 'list' | 'cards'
  'aria-label'?: string
  'aria-labelledby'?: string
  className?: string
}) {
  return (
    <Base<Value>
      value={value}
      defaultValue={defaultValue}
      name={name}
      onValueChange={(next) => onValueChange?.(next)}
      aria-label={ariaLabel}
      aria-labelledby={ariaLabelledBy}
      className={cn('flex flex-col', variant === 'cards' ? 'gap-2' : 'gap-1', className)}
    >
      {options.map((option) => (
        <RadioItem key={option.value} option={option} variant={variant} />
      ))}
    </Base>
  )
}

function RadioItem({ option, variant }: { option: RadioOption; variant: 'list' | 'cards' }) {
  const labelId = useId()
  const descriptionId = useId()
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the radio below is the control
    <label
      className={cn(
        'flex min-h-6 items-start gap-2.5 text-sm has-data-disabled:opacity-50 pointer-coarse:min-h-9',
        variant === 'cards' &&
          'rounded-lg border border-line-strong bg-surface p-3 hover:bg-hover has-data-checked:border-accent has-data-checked:bg-accent-soft',
      )}
    >
      <Radio.Root
        value={option.value}
        disabled={option.disabled ?? false}
        aria-labelledby={labelId}
        aria-describedby={option.description ? descriptionId : undefined}
        className="relative -m-1 -mt-0.5 grid size-6 shrink-0 place-items-center rounded-full before:absolute before:inset-1 before:rounded-full before:border before:border-line-control before:bg-surface before:shadow-xs hover:before:border-ink-subtle focus-visible:-outline-offset-1 data-checked:before:border-accent data-checked:before:bg-accent"
      >
        <Radio.Indicator className="relative size-1.5 rounded-full bg-on-accent data-unchecked:hidden forced-colors:bg-[CanvasText]" />
      </Radio.Root>
      <span className="min-w-0">
        <span id={labelId} className="block text-ink">
          {option.label}
        </span>
        {option.description && (
          <span id={descriptionId} className="block text-xs text-ink-muted">
            {option.description}
          </span>
        )}
      </span>
    </label>
  )
}
