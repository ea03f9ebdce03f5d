import type { ReactNode } from 'react'

export interface NavItem {
  href: string
  label: string
  icon: ReactNode
  /** Other words the palette finds it by. */
  keywords?: string
  /** Keys that go there: `g p`. */
  shortcut?: string
  /** After the label: a `CountBadge`; may stream in later inside `<Suspense>`. */
  badge?: ReactNode
  /** Stands in the bottom bar of phones; at most four do. */
  isPrimary?: boolean
  /** True when only this very address is it, not those below. */
  exact?: boolean
}

export interface NavGroup {
  label?: string
  items: readonly NavItem[]
}

/** Name of the cookie that remembers a folded sidebar (`folded`); the layout reads it, so that the first paint is right. */
export const SIDEBAR_COOKIE = 'sidebar'

/** Whether the page at `pathname` belongs to the item. */
export function isCurrent(item: Pick<NavItem, 'href' | 'exact'>, pathname: string): boolean {
  return pathname === item.href || (!item.exact && pathname.startsWith(`${item.href}/`))
}
