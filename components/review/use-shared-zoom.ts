'use client'

import { type PointerEvent, type RefObject, useCallback, useEffect, useRef, useState } from 'react'

/**
 * What all images of a comparison show: `zoom` times as large as the whole fits, with the place at `x`, `y` (shares of its
 * sides) in the middle. Null: the whole.
 */
export type SharedView = { zoom: number; x: number; y: number } | null

const MOST = 64
const STEP = 1.25
const WHOLE = { zoom: 1, x: 0.5, y: 0.5 }
const share = (value: number) => Math.min(1, Math.max(0, value))

type Point = { x: number; y: number }

/** The box of the image of the pane that is pointed at: it says how large the whole is there. Buttons are pressed, not dragged. */
const boxAt = (target: EventTarget | null): HTMLElement | null =>
  target instanceof Element && target.closest('button') === null
    ? (target.closest('[data-pane]')?.querySelector<HTMLElement>('[data-compared]') ?? null)
    : null

/** As large as the whole is of the file that is viewed, which stands last; transforms do not count. */
const fitOf = (frame: HTMLElement | null) =>
  [...(frame?.querySelectorAll<HTMLElement>('[data-compared]') ?? [])].at(-1)?.offsetWidth ?? 0

/**
 * Zoom and place of several images at once, whatever their sizes: by wheel, by two fingers, by dragging, and by the buttons
 * and keys of a single image. `frame` holds all of them; `width`: pixels of the file that is viewed, for pixel for pixel.
 */
export function useSharedZoom(frame: RefObject<HTMLElement | null>, width: number) {
  const [view, setView] = useState<SharedView>(null)
  const held = useRef(view)
  held.current = view
  const [fit, setFit] = useState(0)
  const pointers = useRef(new Map<number, Point>())

  /** Zooms around a point of a pane, which stays where it is. Without one, around the middle. */
  const zoomTo = useCallback((zoom: number, around?: { point: Point; pane: DOMRect; whole: Point }) => {
    const from = held.current ?? WHOLE
    const next = Math.min(MOST, zoom)
    if (next <= 1) return setView(null)
    if (!around) return setView({ ...from, zoom: next })
    const { point, pane, whole } = around
    const off = { x: point.x - (pane.left + pane.width / 2), y: point.y - (pane.top + pane.height / 2) }
    setView({
      zoom: next,
      x: share(from.x + off.x / (from.zoom * whole.x) - off.x / (next * whole.x)),
      y: share(from.y + off.y / (from.zoom * whole.y) - off.y / (next * whole.y)),
    })
  }, [])
  const measure = useCallback((target: EventTarget | null, point: Point) => {
    const box = boxAt(target)
    // What it stands in the middle of.
    const pane = box?.parentElement?.getBoundingClientRect()
    if (!box || !pane) return null
    return { point, pane, whole: { x: box.offsetWidth, y: box.offsetHeight } }
  }, [])

  useEffect(() => {
    const outer = frame.current
    if (!outer) return
    const wheel = (event: WheelEvent) => {
      const around = measure(event.target, { x: event.clientX, y: event.clientY })
      if (!around) return
      event.preventDefault()
      const factor = Math.exp(-event.deltaY * (event.deltaMode === 1 ? 0.05 : 0.0015))
      zoomTo((held.current?.zoom ?? 1) * factor, around)
    }
    // React listens to wheels passively, and the page must not scroll below the images.
    outer.addEventListener('wheel', wheel, { passive: false })
    const observer = new ResizeObserver(() => setFit(fitOf(outer)))
    observer.observe(outer)
    return () => {
      outer.removeEventListener('wheel', wheel)
      observer.disconnect()
    }
  }, [frame, measure, zoomTo])

  // Another number of images, or other ones, stand in the frame.
  useEffect(() => setFit(fitOf(frame.current)))

  function move(event: PointerEvent) {
    const known = pointers.current
    const before = known.get(event.pointerId)
    if (!before) return
    const here = { x: event.clientX, y: event.clientY }
    const around = measure(event.target, here)
    const other = [...known].find(([id]) => id !== event.pointerId)?.[1]
    known.set(event.pointerId, here)
    if (!around) return
    const from = held.current ?? WHOLE
    if (other) {
      const apart = (point: Point) => Math.hypot(point.x - other.x, point.y - other.y) || 1
      const middle = { x: (here.x + other.x) / 2, y: (here.y + other.y) / 2 }
      zoomTo((from.zoom * apart(here)) / apart(before), { ...around, point: middle })
    } else if (held.current) {
      setView({
        ...from,
        x: share(from.x - (here.x - before.x) / (from.zoom * around.whole.x)),
        y: share(from.y - (here.y - before.y) / (from.zoom * around.whole.y)),
      })
    }
  }
  const release = (event: PointerEvent) => void pointers.current.delete(event.pointerId)
  const ratio = globalThis.devicePixelRatio || 1
  const actual = fit > 0 ? width / ratio / fit : 1
  return {
    shared: view,
    /** As the controls of a single image take it. */
    controls: {
      view: view && fit > 0 ? { scale: (view.zoom * fit) / width } : null,
      zoomIn: () => zoomTo((held.current?.zoom ?? 1) * STEP),
      zoomOut: () => zoomTo((held.current?.zoom ?? 1) / STEP),
      whole: () => setView(null),
      actual: () => zoomTo(actual),
    },
    handlers: {
      onPointerDown(event: PointerEvent) {
        if (event.button !== 0 || boxAt(event.target) === null) return
        pointers.current.set(event.pointerId, { x: event.clientX, y: event.clientY })
        ;(event.target as Element).setPointerCapture(event.pointerId)
      },
      onPointerMove: move,
      onPointerUp: release,
      onPointerCancel: release,
    },
  }
}

/** Where the box of an image stands that fits into the middle of its pane. */
export const transformOf = (view: SharedView) =>
  view
    ? `translate(${(0.5 - view.x) * view.zoom * 100}%, ${(0.5 - view.y) * view.zoom * 100}%) scale(${view.zoom})`
    : undefined
