'use client'

import { useEffect } from 'react'

/** The browser asks before a tab with unsaved work (or a running upload) is closed or reloaded. */
export function useUnsavedGuard(hasUnsavedWork: boolean): void {
  useEffect(() => {
    if (!hasUnsavedWork) return
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', ask)
    return () => window.removeEventListener('beforeunload', ask)
  }, [hasUnsavedWork])
}
