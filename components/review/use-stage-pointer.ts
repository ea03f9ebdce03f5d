import { type MouseEvent, type PointerEvent, type RefObject, useRef, useState } from 'react'
import { copyColour } from './loupe'
import type { View } from './use-view'
import type { useZoom } from './use-zoom'

/** Shorter drags are clicks. */
const REGION_LEAST = 0.008

type Point = { x: number; y: number }

/**
 * What pointing at an image does, by the tool in hand: moves it, shows the loupe, or marks a point or a region for a
 * comment. `frame` is what the image moves in, `box` the image itself; `page` of a document, else null. Places on the
 * image are shares of its sides, 0..1.
 */
export function useStagePointer({
  frame,
  box,
  zoom,
  view,
  page,
}: {
  frame: RefObject<HTMLDivElement | null>
  box: RefObject<HTMLDivElement | null>
  zoom: ReturnType<typeof useZoom>
  view: View
  page: number | null
}) {
  /** Where the loupe is: in the frame in pixels, and on the image. */
  const [loupe, setLoupe] = useState<(Point & { at: Point }) | null>(null)
  const [colour, setColour] = useState<string | null>(null)
  const drag = useRef<Point | null>(null)

  const at = (event: PointerEvent) => {
    const rect = box.current?.getBoundingClientRect()
    if (!rect) return { x: 0, y: 0 }
    const clamp = (value: number) => Math.round(Math.min(1, Math.max(0, value)) * 10_000) / 10_000
    return { x: clamp((event.clientX - rect.left) / rect.width), y: clamp((event.clientY - rect.top) / rect.height) }
  }
  const onPage = page === null ? {} : { page }
  const isMark = (event: PointerEvent) => (event.target as Element).closest('[data-mark]') !== null

  function onPointerDown(event: PointerEvent<HTMLDivElement>) {
    if (isMark(event)) return
    if (view.tool === 'move') return zoom.pan.onPointerDown(event)
    if (view.tool === 'loupe') {
      if (colour) void copyColour(colour)
      return
    }
    drag.current = at(event)
    event.currentTarget.setPointerCapture(event.pointerId)
  }
  function onPointerMove(event: PointerEvent<HTMLDivElement>) {
    if (view.tool === 'move') return zoom.pan.onPointerMove(event)
    const here = at(event)
    if (view.tool === 'loupe') {
      const rect = frame.current?.getBoundingClientRect()
      if (rect) setLoupe({ x: event.clientX - rect.left, y: event.clientY - rect.top, at: here })
      return
    }
    const from = drag.current
    if (!from) return
    const [width, height] = [Math.abs(here.x - from.x), Math.abs(here.y - from.y)]
    if (Math.max(width, height) < REGION_LEAST) return
    const corner = { x: Math.min(from.x, here.x), y: Math.min(from.y, here.y) }
    view.setDraft({
      kind: 'region',
      ...corner,
      width: Math.max(0.001, Math.min(width, 1 - corner.x)),
      height: Math.max(0.001, Math.min(height, 1 - corner.y)),
      ...onPage,
    })
  }
  function onPointerUp(event: PointerEvent<HTMLDivElement>) {
    zoom.pan.onPointerUp(event)
    const from = drag.current
    drag.current = null
    if (!from || view.tool !== 'comment') return
    const here = at(event)
    if (Math.max(Math.abs(here.x - from.x), Math.abs(here.y - from.y)) < REGION_LEAST)
      view.setDraft({ kind: 'point', ...from, ...onPage })
  }
  function onDoubleClick(event: MouseEvent<HTMLDivElement>) {
    const outer = event.currentTarget.getBoundingClientRect()
    if (view.tool === 'move') zoom.toggle({ x: event.clientX - outer.left, y: event.clientY - outer.top })
  }
  return {
    loupe,
    setColour,
    handlers: { onPointerDown, onPointerMove, onPointerUp, onPointerLeave: () => setLoupe(null), onDoubleClick },
  }
}
