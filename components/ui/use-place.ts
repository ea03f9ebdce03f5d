'use client'

import { type RefObject, useLayoutEffect, useState } from 'react'

/** Below this width, in pixels, a table's rows are cards (`@max-2xl`). */
const NARROW = 672

/** Where an element begins in the document and how wide it is, in pixels, and whether a table there has cards as rows. */
export function usePlace(element: RefObject<HTMLElement | null>) {
  const [place, setPlace] = useState({ margin: 0, width: 0, isNarrow: false })
  useLayoutEffect(() => {
    const measure = () => {
      const box = element.current?.getBoundingClientRect()
      if (!box) return
      const next = { margin: Math.round(box.top + window.scrollY), width: box.width, isNarrow: box.width < NARROW }
      setPlace((last) => (last.margin === next.margin && last.width === next.width ? last : next))
    }
    measure()
    // What stands above may grow or go: a notice, a head that wraps.
    const observer = new ResizeObserver(measure)
    observer.observe(document.body)
    return () => observer.disconnect()
  }, [element])
  return place
}
