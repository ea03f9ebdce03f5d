'use client'

import { Checkbox as Base } from '@base-ui/react/checkbox'
import { Check, Minus } from 'lucide-react'
import { type ComponentProps, type ReactNode, useId } from 'react'
import { cn } from './cn'

type BoxProps = Omit<ComponentProps<typeof Base.Root>, 'className' | 'children'>

/** The box alone, for rows of a table; needs `aria-label`. Draws 16 px, takes 24 px (WCAG 2.5.8). */
export function CheckboxBox({ className, ...props }: BoxProps & { className?: string }) {
  return (
    <Base.Root
      className={cn(
        'relative -m-1 grid size-6 shrink-0 place-items-center rounded-md focus-visible:-outline-offset-1',
        'before:absolute before:inset-1 before:rounded-sm before:border before:border-line-control before:bg-surface before:shadow-xs hover:before:border-ink-subtle',
        'data-checked:text-on-accent data-checked:before:border-accent data-checked:before:bg-accent',
        'data-indeterminate:text-on-accent data-indeterminate:before:border-accent data-indeterminate:before:bg-accent',
        'aria-invalid:before:border-fail data-disabled:opacity-50',
        className,
      )}
      {...props}
    >
      <Base.Indicator className="relative grid place-items-center data-unchecked:hidden">
        {props.indeterminate ? (
          <Minus className="size-3" strokeWidth={3} />
        ) : (
          <Check className="size-3" strokeWidth={3} />
        )}
      </Base.Indicator>
    </Base.Root>
  )
}

/** A yes or no that is sent with a form. For one that acts at once use `Switch`. */
export function Checkbox({
  label,
  description,
  className,
  ...props
}: BoxProps & { label: ReactNode; description?: ReactNode; className?: string }) {
  const labelId = useId()
  const descriptionId = useId()
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the box below is the control
    <label className={cn('flex min-h-6 items-start gap-2.5 text-sm pointer-coarse:min-h-9', className)}>
      <CheckboxBox
        className="-mt-0.5"
        aria-labelledby={labelId}
        aria-describedby={description ? descriptionId : undefined}
        {...props}
      />
      <span className="min-w-0">
        <span id={labelId} className="block text-ink">
          {label}
        </span>
        {description && (
          <span id={descriptionId} className="block text-xs text-ink-muted">
            {description}
          </span>
        )}
      </span>
    </label>
  )
}
