'use client'

import { Field as Base } from '@base-ui/react/field'
import { Fieldset as BaseFieldset } from '@base-ui/react/fieldset'
import { CircleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { cn } from './cn'

export interface FieldProps {
  label: ReactNode
  /** The path of the value in the request (`line_items.0.quantity`): names the control, and the error summary finds it. */
  name?: string
  /** What to type, before it is typed wrong. */
  hint?: ReactNode
  /** Why the value was refused and what would be right. */
  error?: string | undefined
  /** Says "optional" beside the label; what is needed is not marked. */
  optional?: boolean
  /** Keeps the label for screen readers only (filter bars, tables). */
  labelHidden?: boolean
  disabled?: boolean
  className?: string
  children: ReactNode
}

/** Label, control, hint and error of one value, wired for assistive technology. Holds any control of components/ui. */
export function Field({ label, name, hint, error, optional, labelHidden, disabled, className, children }: FieldProps) {
  return (
    <Base.Root
      invalid={Boolean(error)}
      name={name}
      disabled={disabled}
      className={cn('flex min-w-0 flex-col gap-1.5', className)}
    >
      <Base.Label className={labelHidden ? 'sr-only' : 'text-sm font-medium text-ink'}>
        {label}
        {optional && <span className="font-normal text-ink-subtle"> (optional)</span>}
      </Base.Label>
      {hint && <Base.Description className="-mt-1 text-xs text-ink-muted">{hint}</Base.Description>}
      {children}
      {error && (
        <Base.Error match className="flex items-start gap-1.5 text-xs text-fail-ink">
          <CircleAlert aria-hidden="true" className="mt-px size-3.5 shrink-0" />
          <span className="min-w-0 wrap-anywhere">{error}</span>
        </Base.Error>
      )}
    </Base.Root>
  )
}

/** Several controls under one legend, such as a group of checkboxes. */
export function FieldGroup({
  legend,
  hint,
  className,
  children,
}: {
  legend: ReactNode
  hint?: ReactNode
  className?: string
  children: ReactNode
}) {
  return (
    <BaseFieldset.Root className={cn('flex min-w-0 flex-col gap-2', className)}>
      <BaseFieldset.Legend className="text-sm font-medium text-ink">{legend}</BaseFieldset.Legend>
      {hint && <p className="-mt-1.5 text-xs text-ink-muted">{hint}</p>}
      {children}
    </BaseFieldset.Root>
  )
}
