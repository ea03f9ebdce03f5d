'use client'

import type { ReactNode } from 'react'
import type { ItemProps, MenuCheckboxGroupProps, MenuItemProps, MenuProps, MenuRadioGroupProps } from './openable-menu'
import { loadedPart, WhenUsed } from './when-used'

const part = loadedPart(() => import('./openable-menu'))

/**
 * A list of actions behind a button, loaded when it is first used. Items: `MenuItem`, `MenuLink`, `MenuDownload`,
 * `MenuRadioGroup`, `MenuCheckboxGroup`, `MenuGroup`, `MenuSeparator`.
 */
export function Menu(props: MenuProps) {
  return (
    <WhenUsed part={part} trigger={props.trigger} opens="menu" open={props.open}>
      {({ OpenableMenu }, press) => <OpenableMenu {...props} press={press} />}
    </WhenUsed>
  )
}

/* Items are rendered by an open menu only: their code is there. */

export function MenuItem(props: MenuItemProps) {
  return part.current && <part.current.MenuItem {...props} />
}

export function MenuLink(props: ItemProps & { href: string }) {
  return part.current && <part.current.MenuLink {...props} />
}

/** A file to keep: the browser saves it. */
export function MenuDownload(props: ItemProps & { href: string }) {
  return part.current && <part.current.MenuDownload {...props} />
}

/** Choices of which one holds: a colour scheme, an order. */
export function MenuRadioGroup<Value extends string>(props: MenuRadioGroupProps<Value>) {
  return part.current && <part.current.MenuRadioGroup {...props} />
}

/** Choices of which any number hold; the menu stays open. */
export function MenuCheckboxGroup<Value extends string>(props: MenuCheckboxGroupProps<Value>) {
  return part.current && <part.current.MenuCheckboxGroup {...props} />
}

/** Items under a common label. */
export function MenuGroup(props: { label: ReactNode; children: ReactNode }) {
  return part.current && <part.current.MenuGroup {...props} />
}

export function MenuSeparator() {
  return part.current && <part.current.MenuSeparator />
}
