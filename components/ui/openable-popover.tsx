'use client'

import { Popover as Base } from '@base-ui/react/popover'
import type { ReactElement, ReactNode } from 'react'
import { cn } from './cn'
import { popupStyles } from './control-styles'
import { stopSubmit } from './dialog-parts'
import { type Press, useRepeatedPress } from './when-used'

export interface PopoverProps {
  trigger: ReactElement
  title?: ReactNode
  open?: boolean
  onOpenChange?: (open: boolean) => void
  align?: 'start' | 'center' | 'end'
  side?: 'top' | 'bottom' | 'left' | 'right'
  className?: string
  children: ReactNode
}

export function OpenablePopover({
  trigger,
  title,
  open,
  onOpenChange,
  align = 'start',
  side = 'bottom',
  className,
  press,
  children,
}: PopoverProps & { press: Press | null }) {
  const triggerRef = useRepeatedPress(press)
  return (
    <Base.Root open={open} onOpenChange={(next) => onOpenChange?.(next)}>
      <Base.Trigger ref={triggerRef} render={trigger} />
      <Base.Portal>
        <Base.Positioner align={align} side={side} sideOffset={6} collisionPadding={8} className="z-50">
          <Base.Popup
            onSubmit={stopSubmit}
            className={cn(
              popupStyles,
              'max-h-(--available-height) w-80 max-w-(--available-width) overflow-y-auto overscroll-contain p-4',
              className,
            )}
          >
            {title && <Base.Title className="mb-2 text-sm font-semibold">{title}</Base.Title>}
            {children}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}
