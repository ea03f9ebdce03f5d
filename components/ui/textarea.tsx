'use client'

import { Field as Base } from '@base-ui/react/field'
import type { ComponentProps } from 'react'
import { cn } from './cn'
import { controlStyles } from './control-styles'

/** A field of several lines that grows with its text (where the browser can) between `rows` and 24 rem. */
export function Textarea({ className, rows = 3, ...props }: ComponentProps<'textarea'>) {
  return (
    <Base.Control
      render={
        <textarea
          rows={rows}
          className={cn(
            controlStyles,
            'field-sizing-content max-h-96 min-h-[calc(1lh*var(--rows)+1rem)] resize-y px-2.5 py-1.5 leading-5',
            className,
          )}
          style={{ '--rows': rows } as Record<string, number>}
          {...props}
        />
      }
    />
  )
}
