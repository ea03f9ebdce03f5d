'use client'

import { useEffect } from 'react'
import { addUnsaved } from './unsaved'

/**
 * A user who would leave unsaved work is asked first, whichever way they go: see unsaved.ts. `isOfTab`: work that goes on
 * while other pages are shown, as uploads of staff do; they are asked only before the tab is closed or loaded anew.
 */
export function useUnsavedGuard(hasUnsavedWork: boolean, isOfTab = false): void {
  useEffect(() => {
    if (hasUnsavedWork) return addUnsaved({ isUnsaved: () => true, isOfTab })
  }, [hasUnsavedWork, isOfTab])
}
