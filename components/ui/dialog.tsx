'use client'

import { type ComponentProps, cloneElement, type ReactElement, use } from 'react'
import { cn } from './cn'
import { DialogCloser } from './dialog-parts'
import { withHandlers } from './handlers'
import type { DialogProps } from './openable-dialog'
import { loadedPart, WhenUsed } from './when-used'

export { backdropStyles, DialogFooter } from './dialog-parts'

const part = loadedPart(() => import('./openable-dialog'))

/**
 * A short task in front of the page, loaded when it is first used; a sheet from below on phones. Content goes in
 * `DialogBody`, buttons in `DialogFooter`.
 */
export function Dialog(props: DialogProps) {
  return (
    <WhenUsed part={part} trigger={props.trigger} opens="dialog" open={props.open}>
      {({ OpenableDialog }, press) => <OpenableDialog {...props} press={press} />}
    </WhenUsed>
  )
}

export function DialogBody({ className, ...props }: ComponentProps<'div'>) {
  return <div className={cn('flex flex-col gap-4 px-5 py-4', className)} {...props} />
}

/** Closes the dialog it stands in. */
export function DialogClose({ children }: { children: ReactElement }) {
  const close = use(DialogCloser)
  return cloneElement(children, withHandlers(children, { onClick: () => close() }))
}
