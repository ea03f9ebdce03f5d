'use client'

import type { ComponentProps, MouseEvent } from 'react'
import { type ButtonStyle, buttonStyles } from './button-styles'
import { cn } from './cn'
import { Spinner } from './spinner'

export interface ButtonProps extends ComponentProps<'button'>, ButtonStyle {
  /** Work is under way: keeps its width and the focus, ignores presses, says so to screen readers. */
  loading?: boolean
}

/** A button. `secondary` unless it is the one thing the screen is for (`primary`) or cannot be undone (`danger`). */
export function Button({ variant, size, loading = false, className, children, onClick, type, ...props }: ButtonProps) {
  function handleClick(event: MouseEvent<HTMLButtonElement>) {
    // Not `disabled`: a disabled button drops the keyboard focus in the middle of the work.
    if (loading) event.preventDefault()
    else onClick?.(event)
  }
  return (
    <button
      type={type ?? 'button'}
      aria-busy={loading || undefined}
      aria-disabled={loading || undefined}
      onClick={handleClick}
      className={cn(buttonStyles({ variant, size }), className)}
      {...props}
    >
      {loading ? (
        <>
          <span className="absolute inset-0 grid place-items-center">
            <Spinner />
          </span>
          <span className="inline-flex items-center gap-1.5 opacity-0">{children}</span>
        </>
      ) : (
        children
      )}
    </button>
  )
}
