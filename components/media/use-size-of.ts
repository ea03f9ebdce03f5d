'use client'

import { type RefObject, useLayoutEffect, useState } from 'react'

/** CSS pixels of an element, as they change. */
export function useSizeOf(element: RefObject<HTMLElement | null>) {
  const [size, setSize] = useState<{ width: number; height: number } | null>(null)
  useLayoutEffect(() => {
    const observed = element.current
    if (!observed) return
    const { width, height } = observed.getBoundingClientRect()
    setSize({ width, height })
    const observer = new ResizeObserver(([entry]) => entry && setSize(entry.contentRect))
    observer.observe(observed)
    return () => observer.disconnect()
  }, [element])
  return size
}
