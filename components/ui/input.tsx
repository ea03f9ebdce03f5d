'use client'

import { Input as Base } from '@base-ui/react/input'
import type { ComponentProps, ReactNode } from 'react'
import { cn } from './cn'
import { type ControlSize, controlSize, controlStyles } from './control-styles'

export interface InputProps extends Omit<ComponentProps<typeof Base>, 'size' | 'className'> {
  size?: ControlSize
  className?: string
  /** Stands inside the field before the text: an icon or a unit such as `https://`. */
  leading?: ReactNode
  /** Stands inside the field after the text: a unit such as `px`, or a small button. */
  trailing?: ReactNode
}

/** A one-line field. Inside `Field` it is labelled and described; takes react-hook-form's `register`. */
export function Input({ size = 'md', leading, trailing, className, ...props }: InputProps) {
  const control = (
    <Base
      className={cn(
        controlStyles,
        controlSize[size],
        leading ? 'pl-8' : undefined,
        trailing ? 'pr-9' : undefined,
        className,
      )}
      {...props}
    />
  )
  if (!leading && !trailing) return control
  return (
    <span className="relative block w-full">
      {leading && (
        <span className="pointer-events-none absolute inset-y-0 left-2.5 z-1 flex items-center text-sm text-ink-subtle [&_svg]:size-4">
          {leading}
        </span>
      )}
      {control}
      {trailing && (
        <span className="absolute inset-y-0 right-1 z-1 flex items-center text-sm text-ink-subtle [&>span]:pr-1.5">
          {trailing}
        </span>
      )}
    </span>
  )
}
