'use client'

import { useEffect, useRef, useState } from 'react'
import { pause } from './connection'

/**
 * A part of the program that is loaded once it is wanted; null until it is there. A network that fails meanwhile costs
 * time and never the page: it is asked for again.
 */
export function useLoaded<Module extends object>(load: () => Promise<Module>, isWanted: boolean): Module | null {
  const [loaded, setLoaded] = useState<Module | null>(null)
  const source = useRef(load)
  source.current = load
  useEffect(() => {
    if (!isWanted || loaded) return
    let isOver = false
    async function get() {
      for (let attempt = 0; !isOver; attempt++) {
        try {
          const found = await source.current()
          if (!isOver) setLoaded(found)
          return
        } catch {
          await pause(attempt)
        }
      }
    }
    void get()
    return () => {
      isOver = true
    }
  }, [isWanted, loaded])
  return loaded
}

const TOUCHES = ['pointermove', 'pointerdown', 'touchstart', 'keydown', 'focusin', 'dragenter'] as const

/** True once the user touched the page in any way. */
export function useTouched(): boolean {
  const [isTouched, setTouched] = useState(false)
  useEffect(() => {
    if (isTouched) return
    const touch = () => setTouched(true)
    for (const type of TOUCHES) window.addEventListener(type, touch, { once: true, passive: true })
    return () => {
      for (const type of TOUCHES) window.removeEventListener(type, touch)
    }
  }, [isTouched])
  return isTouched
}
