'use client'

import { Tooltip as Base } from '@base-ui/react/tooltip'
import type { ReactElement, ReactNode } from 'react'
import { Kbd } from './kbd'

/** Once one tooltip is open its neighbours open at once. Stands in app/providers. */
export function TooltipProvider({ children }: { children: ReactNode }) {
  return (
    <Base.Provider delay={350} timeout={300}>
      {children}
    </Base.Provider>
  )
}

/** A short label on hover and focus. Never the only place of an information: touch has no hover. */
export function Tooltip({
  label,
  shortcut,
  side = 'bottom',
  children,
}: {
  label: ReactNode
  shortcut?: string
  side?: 'top' | 'right' | 'bottom' | 'left'
  children: ReactElement
}) {
  return (
    <Base.Root>
      <Base.Trigger render={children} />
      <Base.Portal>
        <Base.Positioner side={side} sideOffset={6} collisionPadding={8} className="z-50">
          <Base.Popup className="popup-motion flex max-w-72 items-center gap-2 rounded-md border border-line-strong bg-raised px-2 py-1 text-xs text-ink shadow-popover">
            {label}
            {shortcut && <Kbd keys={shortcut} />}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}
