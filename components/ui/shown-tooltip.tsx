'use client'

import { Tooltip as Base } from '@base-ui/react/tooltip'
import { useState } from 'react'
import { Kbd } from './kbd'
import type { ShownTooltip as Shown } from './tooltip-state'

/** The tooltip of the moment beside its button; null while none is. It may be pointed at without going away. */
export function ShownTooltip({
  tooltip,
  hide,
  keep,
  hideSoon,
}: {
  tooltip: Shown | null
  hide: () => void
  keep: () => void
  hideSoon: () => void
}) {
  // What goes away keeps its words and its place meanwhile.
  const [last, setLast] = useState(tooltip)
  if (tooltip && tooltip !== last) setLast(tooltip)
  const { anchor, label, shortcut, side } = tooltip ?? last ?? {}
  return (
    <Base.Root open={tooltip !== null} onOpenChange={(isOpen) => !isOpen && hide()}>
      <Base.Portal>
        <Base.Positioner anchor={anchor} side={side} sideOffset={6} collisionPadding={8} className="z-50">
          <Base.Popup
            onPointerEnter={keep}
            onPointerLeave={hideSoon}
            className="popup-motion flex max-w-72 items-center gap-2 rounded-md border border-line-strong bg-raised px-2 py-1 text-xs text-ink shadow-popover"
          >
            {label}
            {shortcut && <Kbd keys={shortcut} />}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}
