'use client'

import type { DrawerProps } from './openable-drawer'
import { loadedPart, WhenUsed } from './when-used'

const part = loadedPart(() => import('./openable-drawer'))

/**
 * A panel from the side for viewing one thing without leaving the list (`right`) or for navigation (`left`), loaded when
 * it is first used.
 */
export function Drawer(props: DrawerProps) {
  return (
    <WhenUsed part={part} trigger={props.trigger} opens="dialog" open={props.open}>
      {({ OpenableDrawer }, press) => <OpenableDrawer {...props} press={press} />}
    </WhenUsed>
  )
}
