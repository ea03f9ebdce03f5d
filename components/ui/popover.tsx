'use client'

import type { PopoverProps } from './openable-popover'
import { loadedPart, WhenUsed } from './when-used'

const part = loadedPart(() => import('./openable-popover'))

/** A small panel beside a button for details or a short form, loaded when it is first used. */
export function Popover(props: PopoverProps) {
  return (
    <WhenUsed part={part} trigger={props.trigger} opens="dialog" open={props.open}>
      {({ OpenablePopover }, press) => <OpenablePopover {...props} press={press} />}
    </WhenUsed>
  )
}
