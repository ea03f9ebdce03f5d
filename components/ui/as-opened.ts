'use client'

import { useState } from 'react'

/**
 * What a dialog was opened with, held until it is opened again: neither a refresh of the page behind it, nor a request
 * in flight, nor closing changes what it asks or does. `opening` counts the openings and serves as a key for the content.
 */
export function useAsOpened<Question>(isOpen: boolean, question: Question): { question: Question; opening: number } {
  const [held, setHeld] = useState({ isOpen, question, opening: 0 })
  if (held.isOpen === isOpen) return held
  const next = isOpen ? { isOpen, question, opening: held.opening + 1 } : { ...held, isOpen }
  setHeld(next)
  return next
}
