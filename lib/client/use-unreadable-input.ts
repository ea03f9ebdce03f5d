'use client'

import { useEffect } from 'react'

/**
 * A day that was typed in part has no value for a browser (HTML, 4.10.5.1.7, bad input), and a form would save none in its place.
 * Whichever form holds it, nothing is sent, and the browser says at the field what is missing.
 */
export function useUnreadableInput() {
  useEffect(() => {
    const refuse = (event: SubmitEvent) => {
      if (!(event.target instanceof HTMLFormElement)) return
      const unreadable = [...event.target.elements].find(
        (element) => element instanceof HTMLInputElement && element.validity.badInput,
      )
      if (!(unreadable instanceof HTMLInputElement)) return
      event.preventDefault()
      // Before the form hears of it.
      event.stopPropagation()
      unreadable.reportValidity()
    }
    window.addEventListener('submit', refuse, { capture: true })
    return () => window.removeEventListener('submit', refuse, { capture: true })
  }, [])
}
