'use client'

import type { ComponentProps, ReactNode } from 'react'
import { type ButtonStyle, buttonStyles } from './button-styles'
import { cn } from './cn'
import { Spinner } from './spinner'
import { Tooltip } from './tooltip'

export interface IconButtonProps extends Omit<ComponentProps<'button'>, 'aria-label' | 'children'>, ButtonStyle {
  /** What it does: the accessible name and the tooltip. */
  label: string
  icon: ReactNode
  /** Shown in the tooltip, for example `g p`. */
  shortcut?: string
  side?: 'top' | 'right' | 'bottom' | 'left'
  loading?: boolean
}

/** A button with an image only. The label is required, since an image alone has no name. */
export function IconButton({
  label,
  icon,
  shortcut,
  side,
  variant = 'ghost',
  size,
  loading = false,
  className,
  ...props
}: IconButtonProps) {
  return (
    <Tooltip label={label} shortcut={shortcut} side={side}>
      <button
        type="button"
        aria-label={label}
        aria-busy={loading || undefined}
        disabled={loading}
        className={cn(buttonStyles({ variant, size, shape: 'icon' }), className)}
        {...props}
      >
        {loading ? <Spinner /> : icon}
      </button>
    </Tooltip>
  )
}
