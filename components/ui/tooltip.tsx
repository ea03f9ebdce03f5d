'use client'

import { cloneElement, type ReactElement, type ReactNode, useEffect, useRef, useSyncExternalStore } from 'react'
import { useOnceTrue } from '@/lib/client/use-once-true'
import { withHandlers } from './handlers'
import {
  hide,
  hideSoon,
  keep,
  type ShownTooltip,
  setTooltip,
  showSoon,
  subscribeTooltip,
  tooltipNow,
} from './tooltip-state'
import { loadedPart, useLoadedPart } from './when-used'

const part = loadedPart(() => import('./shown-tooltip'))
const comeNear = () => void part.load().catch(() => {})

/** Where the tooltip of the moment appears; stands once, in app/screen-providers. Its code comes with the first. */
export function TooltipProvider({ children }: { children: ReactNode }) {
  const now = useSyncExternalStore(subscribeTooltip, tooltipNow, () => null)
  const loaded = useLoadedPart(part, useOnceTrue(now !== null))
  return (
    <>
      {children}
      {loaded && <loaded.ShownTooltip tooltip={now} hide={hide} keep={keep} hideSoon={hideSoon} />}
    </>
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
  const anchor = useRef<Element>(null)
  const mine = () => {
    const shown = tooltipNow()
    return shown?.anchor === anchor.current ? shown : null
  }
  // What it says may change while it is read: "Copy" becomes "Copied".
  // biome-ignore lint/correctness/useExhaustiveDependencies: reads the tab's own state
  useEffect(() => {
    const shown = mine()
    if (shown && shown.label !== label) setTooltip({ ...shown, label })
  }, [label])
  // biome-ignore lint/correctness/useExhaustiveDependencies: at the end only
  useEffect(
    () => () => {
      if (mine()) hide()
    },
    [],
  )
  const tooltipAt = (element: Element): ShownTooltip => {
    anchor.current = element
    return { anchor: element, label, shortcut, side }
  }
  return cloneElement(
    children,
    withHandlers(children, {
      onPointerEnter: (event: React.PointerEvent) => {
        if (event.pointerType === 'touch') return
        comeNear()
        showSoon(tooltipAt(event.currentTarget))
      },
      onPointerLeave: hideSoon,
      onFocus: (event: React.FocusEvent) => {
        if (!event.currentTarget.matches(':focus-visible')) return
        comeNear()
        setTooltip(tooltipAt(event.currentTarget))
      },
      onBlur: hide,
      // What a press opens is not to be covered.
      onPointerDown: hide,
      onClick: hide,
    }),
  )
}
