'use client'

import { type RefObject, useEffect } from 'react'

/** A property of the page for how high an element is, with a gap of 8 px: what lies in the same corner makes way. Gone with it. */
export function useHeightVariable(element: RefObject<HTMLElement | null>, variable: `--${string}-height`) {
  useEffect(() => {
    const { style } = document.documentElement
    const observer = new ResizeObserver(([entry]) =>
      style.setProperty(variable, `${(entry?.borderBoxSize[0]?.blockSize ?? 0) + 8}px`),
    )
    if (element.current) observer.observe(element.current)
    return () => {
      observer.disconnect()
      style.removeProperty(variable)
    }
  }, [element, variable])
}
