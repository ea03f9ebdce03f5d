'use client'

import { Switch as Base } from '@base-ui/react/switch'
import { type ComponentProps, type ReactNode, useId } from 'react'
import { cn } from './cn'

/** A setting that takes effect at once. The label stands left, the switch right, as in a list of settings. */
export function Switch({
  label,
  description,
  labelHidden = false,
  className,
  ...props
}: Omit<ComponentProps<typeof Base.Root>, 'className' | 'children'> & {
  label: ReactNode
  description?: ReactNode
  labelHidden?: boolean
  className?: string
}) {
  const labelId = useId()
  const descriptionId = useId()
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the switch below is the control
    <label className={cn('flex min-h-6 items-start justify-between gap-4 text-sm', className)}>
      <span className={labelHidden ? 'sr-only' : 'min-w-0'}>
        <span id={labelId} className="block text-ink">
          {label}
        </span>
        {description && (
          <span id={descriptionId} className="block text-xs text-ink-muted">
            {description}
          </span>
        )}
      </span>
      <Base.Root
        aria-labelledby={labelId}
        aria-describedby={description ? descriptionId : undefined}
        className={cn(
          'relative inline-flex h-5 w-9 shrink-0 items-center rounded-full border border-line-control bg-sunken p-px transition-colors duration-150',
          'after:absolute after:-inset-0.5 data-checked:border-accent data-checked:bg-accent data-disabled:opacity-50',
        )}
        {...props}
      >
        <Base.Thumb className="block size-4 rounded-full bg-ink-subtle transition-transform duration-150 ease-out data-checked:translate-x-4 data-checked:bg-on-accent rtl:data-checked:-translate-x-4 forced-colors:bg-[CanvasText] forced-colors:data-checked:bg-[Highlight]" />
      </Base.Root>
    </label>
  )
}
