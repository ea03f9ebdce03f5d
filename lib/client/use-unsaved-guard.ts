'use client'

import { useEffect } from 'react'
import { addUnsaved } from './unsaved'

/** A user who would leave unsaved work (or a running upload) is asked first, whichever way they go: see unsaved.ts. */
export function useUnsavedGuard(hasUnsavedWork: boolean): void {
  useEffect(() => {
    if (hasUnsavedWork) return addUnsaved({ isUnsaved: () => true })
  }, [hasUnsavedWork])
}
