'use client'

import { type PointerEvent, type RefObject, useCallback, useEffect, useRef, useState } from 'react'

/** `null`: the whole image, as large as it fits but never larger than it is. */
type View = { scale: number; x: number; y: number } | null
type Size = { width: number; height: number }

const MOST = 32
const STEP = 1.25

/**
 * Zoom and pan of an image in a frame. `scale` is screen pixels of CSS per pixel of the image; `actual` is the one at
 * which one pixel of the image is one of the screen.
 */
export function useZoom(frame: RefObject<HTMLElement | null>, box: RefObject<HTMLElement | null>, size: Size) {
  const [view, setView] = useState<View>(null)
  const drag = useRef<{ x: number; y: number } | null>(null)
  /** Fingers on the image, where they are now. */
  const fingers = useRef(new Map<number, { x: number; y: number }>())

  const now = useCallback((): NonNullable<View> => {
    const outer = frame.current?.getBoundingClientRect()
    const inner = box.current?.getBoundingClientRect()
    if (!outer || !inner) return { scale: 1, x: 0, y: 0 }
    return { scale: inner.width / size.width, x: inner.left - outer.left, y: inner.top - outer.top }
  }, [frame, box, size.width])

  /** Scales around a point of the frame, which stays where it is. */
  const zoomTo = useCallback(
    (scale: number, around?: { x: number; y: number }) => {
      const outer = frame.current?.getBoundingClientRect()
      if (!outer) return
      const from = now()
      const centre = around ?? { x: outer.width / 2, y: outer.height / 2 }
      const next = Math.min(MOST, Math.max(0.02, scale))
      const ratio = next / from.scale
      setView({ scale: next, x: centre.x - (centre.x - from.x) * ratio, y: centre.y - (centre.y - from.y) * ratio })
    },
    [frame, now],
  )

  const actual = () => 1 / (globalThis.devicePixelRatio || 1)
  const whole = useCallback(() => setView(null), [])

  useEffect(() => {
    const outer = frame.current
    if (!outer) return
    // React listens to wheels passively, and the page must not scroll below the image.
    const wheel = (event: WheelEvent) => {
      event.preventDefault()
      const { left, top } = outer.getBoundingClientRect()
      const factor = Math.exp(-event.deltaY * (event.deltaMode === 1 ? 0.05 : 0.0015))
      zoomTo(now().scale * factor, { x: event.clientX - left, y: event.clientY - top })
    }
    outer.addEventListener('wheel', wheel, { passive: false })
    return () => outer.removeEventListener('wheel', wheel)
  }, [frame, now, zoomTo])

  /** Two fingers zoom around the middle between them. */
  const pinch = (event: PointerEvent): boolean => {
    const before = fingers.current.get(event.pointerId)
    if (!before) return false
    const here = { x: event.clientX, y: event.clientY }
    const [other] = [...fingers.current].flatMap(([id, finger]) => (id === event.pointerId ? [] : [finger]))
    fingers.current.set(event.pointerId, here)
    const outer = frame.current?.getBoundingClientRect()
    if (!other || !outer) return false
    drag.current = null
    const apart = (finger: { x: number; y: number }) => Math.hypot(finger.x - other.x, finger.y - other.y) || 1
    const middle = { x: (here.x + other.x) / 2 - outer.left, y: (here.y + other.y) / 2 - outer.top }
    zoomTo((now().scale * apart(here)) / apart(before), middle)
    return true
  }

  return {
    view,
    whole,
    actual: () => zoomTo(actual()),
    zoomIn: () => zoomTo(now().scale * STEP),
    zoomOut: () => zoomTo(now().scale / STEP),
    toggle: (around?: { x: number; y: number }) => (view ? whole() : zoomTo(actual(), around)),
    pan: {
      onPointerDown(event: PointerEvent) {
        if (event.pointerType === 'touch') fingers.current.set(event.pointerId, { x: event.clientX, y: event.clientY })
        if (!view || event.button !== 0) return
        drag.current = { x: event.clientX - view.x, y: event.clientY - view.y }
        event.currentTarget.setPointerCapture(event.pointerId)
      },
      onPointerMove(event: PointerEvent) {
        if (pinch(event)) return
        const from = drag.current
        if (from) setView((held) => held && { ...held, x: event.clientX - from.x, y: event.clientY - from.y })
      },
      onPointerUp(event?: PointerEvent) {
        if (event) fingers.current.delete(event.pointerId)
        drag.current = null
      },
    },
    shift: (dx: number, dy: number) => setView((held) => held && { ...held, x: held.x + dx, y: held.y + dy }),
  }
}
