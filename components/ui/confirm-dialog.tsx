'use client'

import type { ConfirmDialogProps } from './openable-confirm-dialog'
import { loadedPart, WhenUsed } from './when-used'

const part = loadedPart(() => import('./openable-confirm-dialog'))

/**
 * Asks before something that destroys or is felt by others, loaded when it is first used. The safe choice has the focus.
 * Wording and action are those it was opened with, until it is opened again.
 */
export function ConfirmDialog(props: ConfirmDialogProps) {
  return (
    <WhenUsed part={part} trigger={props.trigger} opens="dialog" open={props.open}>
      {({ OpenableConfirmDialog }, press) => <OpenableConfirmDialog {...props} press={press} />}
    </WhenUsed>
  )
}
