'use client'

import { useShortcuts } from '@/lib/client/shortcuts'

/** What j and k go through: the link of each row, in the order of the page. */
const ROWS = 'main [data-row-link], main [role="row"] > [role="cell"]:first-child a[href]'

const rows = () => [...document.querySelectorAll<HTMLElement>(ROWS)].filter((row) => row.offsetParent !== null)

/** The row that has the focus, or holds it. */
export const rowInFocus = () => {
  const { activeElement } = document
  return activeElement ? rows().find((row) => row === activeElement) : undefined
}

/** Focuses the row so many steps on; the first where none has the focus. */
export function moveInRows(step: number) {
  const all = rows()
  const at = all.indexOf(document.activeElement as HTMLElement)
  const next = all[at < 0 ? 0 : Math.max(0, Math.min(all.length - 1, at + step))]
  next?.focus()
  next?.scrollIntoView({ block: 'nearest' })
}

/** j and k go through the rows of a page, Enter opens the one in focus. */
export function ListKeys({ noun }: { noun: string }) {
  useShortcuts([
    { keys: 'j', label: `Next ${noun}`, group: 'List', run: () => moveInRows(1) },
    { keys: 'k', label: `Previous ${noun}`, group: 'List', run: () => moveInRows(-1) },
  ])
  return null
}
