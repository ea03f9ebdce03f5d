import type { ReactNode } from 'react'

/** Milliseconds until it opens; once one was open its neighbours open at once; and for the way from the button to it. */
const DELAY = 350
const NEIGHBOUR = 300
const GRACE = 80

export interface ShownTooltip {
  anchor: Element
  label: ReactNode
  shortcut?: string
  side: 'top' | 'right' | 'bottom' | 'left'
}

/* One at a time is shown in the whole tab. */
let shown: ShownTooltip | null = null
let timer: ReturnType<typeof setTimeout> | undefined
let hiddenAt = Number.NEGATIVE_INFINITY
const listeners = new Set<() => void>()

export const tooltipNow = () => shown

export function setTooltip(next: ShownTooltip | null) {
  clearTimeout(timer)
  // What the button opened is not to be covered by what it is called.
  if (next?.anchor.getAttribute('aria-expanded') === 'true') return
  if (shown && !next) hiddenAt = Date.now()
  shown = next
  for (const listener of listeners) listener()
}

export function subscribeTooltip(listener: () => void) {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** After a moment, so that what the pointer only crosses stays quiet. */
export function showSoon(next: ShownTooltip) {
  clearTimeout(timer)
  if (shown || Date.now() - hiddenAt < NEIGHBOUR) setTooltip(next)
  else timer = setTimeout(() => setTooltip(next), DELAY)
}

export function hideSoon() {
  clearTimeout(timer)
  timer = setTimeout(() => setTooltip(null), GRACE)
}

export const keep = () => clearTimeout(timer)
export const hide = () => setTooltip(null)
