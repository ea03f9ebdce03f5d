'use client'

import { useEffect, useState } from 'react'

type Listener = (message: string) => void
const listeners = new Set<Listener>()

/** Says a sentence to screen readers without moving the focus ("Link copied", "12 of 340 projects"). */
export function announce(message: string): void {
  for (const listener of listeners) listener(message)
}

/** The polite live region behind `announce`. Stands once, in app/providers. */
export function Announcer() {
  const [said, setSaid] = useState({ message: '', count: 0 })
  useEffect(() => {
    const listener: Listener = (message) => setSaid((last) => ({ message, count: last.count + 1 }))
    listeners.add(listener)
    return () => {
      listeners.delete(listener)
    }
  }, [])
  // The same sentence twice must change the text, or it is said once only.
  return (
    <div role="status" aria-live="polite" className="sr-only">
      {said.message}
      {said.count % 2 === 1 ? '\u00a0' : ''}
    </div>
  )
}
