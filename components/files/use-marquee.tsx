'use client'

import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react'
import type { FileSummary } from '@/lib/domain/files/schema'
import { type Box, boxBetween, isDrag, type Point, scrollStep } from './marquee'
import type { Selection } from './use-selection'

/**
 * Selects the files that a box touches, drawn from a press on empty space: with Shift, Ctrl or Cmd besides those that are
 * selected, Escape takes it back. At the edges of the window the page scrolls. Returns the box while it is drawn.
 */
export function useMarquee(
  area: RefObject<HTMLElement | null>,
  placesIn: (box: Box) => number[],
  selection: Selection,
): ReactNode {
  const [shown, setShown] = useState<Box | null>(null)
  const now = useRef({ placesIn, selection })
  useEffect(() => {
    now.current = { placesIn, selection }
  })
  useEffect(() => {
    const element = area.current
    if (!element) return
    let end: (() => void) | null = null

    function begin(event: PointerEvent) {
      const isEmptySpace = event.target === element || (event.target as Element).parentElement === element
      // A finger scrolls.
      if (!isEmptySpace || event.button !== 0 || event.pointerType === 'touch') return
      end?.()
      end = follow(event)
    }

    /** From the press to the release. Returns what ends it. */
    function follow(press: PointerEvent): () => void {
      const from: Point = { x: press.pageX, y: press.pageY }
      const before = now.current.selection.files
      const kept: readonly FileSummary[] = press.shiftKey || press.ctrlKey || press.metaKey ? before : []
      let pointer: Point = { x: press.clientX, y: press.clientY }
      let places: number[] = []
      let isDrawn = false
      let frame = 0

      function draw() {
        const to = { x: pointer.x + window.scrollX, y: pointer.y + window.scrollY }
        if (!isDrawn && !isDrag(from, to)) return
        isDrawn = true
        const box = boxBetween(from, to)
        setShown(box)
        const next = now.current.placesIn(box)
        if (next.join() === places.join() && next.length > 0) return
        places = next
        now.current.selection.setTo(kept, places, false)
      }
      function scroll() {
        const step = isDrawn ? scrollStep(pointer.y, window.innerHeight) : 0
        if (step !== 0) {
          window.scrollBy(0, step)
          draw()
        }
        frame = requestAnimationFrame(scroll)
      }
      function move(event: PointerEvent) {
        pointer = { x: event.clientX, y: event.clientY }
        draw()
      }
      function release() {
        stop()
        if (isDrawn) now.current.selection.setTo(kept, places, true)
      }
      function cancel() {
        stop()
        if (isDrawn) now.current.selection.setTo(before, [], false)
      }
      function key(event: KeyboardEvent) {
        if (event.key !== 'Escape') return
        event.stopPropagation()
        cancel()
      }
      function stop() {
        cancelAnimationFrame(frame)
        setShown(null)
        end = null
        window.removeEventListener('pointermove', move)
        window.removeEventListener('pointerup', release)
        window.removeEventListener('pointercancel', cancel)
        window.removeEventListener('keydown', key, true)
      }
      window.addEventListener('pointermove', move)
      window.addEventListener('pointerup', release)
      window.addEventListener('pointercancel', cancel)
      window.addEventListener('keydown', key, true)
      frame = requestAnimationFrame(scroll)
      return stop
    }

    /** Or the words of the cards would be selected. */
    function keepWords(event: MouseEvent) {
      if (end) event.preventDefault()
    }
    element.addEventListener('pointerdown', begin)
    element.addEventListener('mousedown', keepWords)
    return () => {
      end?.()
      element.removeEventListener('pointerdown', begin)
      element.removeEventListener('mousedown', keepWords)
    }
  }, [area])

  if (!shown) return null
  const place = area.current?.getBoundingClientRect()
  if (!place) return null
  return (
    <div
      aria-hidden="true"
      data-marquee
      className="pointer-events-none absolute z-2 rounded-sm border border-accent bg-accent/15"
      style={{
        left: shown.left - window.scrollX - place.left,
        top: shown.top - window.scrollY - place.top,
        width: shown.right - shown.left,
        height: shown.bottom - shown.top,
      }}
    />
  )
}
