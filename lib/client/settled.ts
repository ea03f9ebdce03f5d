'use client'

import { useEffect, useState } from 'react'

const LONGEST_MS = 5_000
const TOUCHES = ['pointerdown', 'keydown', 'click'] as const

let settled: Promise<void> | undefined

/**
 * Resolves when the document is loaded and the browser has nothing to do, or when the user presses a key or a button: until then
 * what the page itself needs comes first. What may wait: pages fetched ahead, code for later, another look for news.
 */
export function whenSettled(): Promise<void> {
  settled ??= new Promise<void>((resolve) => {
    const idle = () =>
      'requestIdleCallback' in window ? requestIdleCallback(done, { timeout: LONGEST_MS }) : setTimeout(done, 200)
    const done = () => {
      window.removeEventListener('load', idle)
      for (const type of TOUCHES) window.removeEventListener(type, done, true)
      resolve()
    }
    for (const type of TOUCHES) window.addEventListener(type, done, { capture: true, passive: true })
    if (document.readyState === 'complete') idle()
    else window.addEventListener('load', idle)
  })
  return settled
}

/** False while the page loads. */
export function useSettled(): boolean {
  const [isSettled, setSettled] = useState(false)
  useEffect(() => {
    let isOver = false
    void whenSettled().then(() => isOver || setSettled(true))
    return () => {
      isOver = true
    }
  }, [])
  return isSettled
}
