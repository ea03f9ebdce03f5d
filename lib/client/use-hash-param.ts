'use client'

import { useCallback, useSyncExternalStore } from 'react'

const listeners = new Set<() => void>()

function subscribe(listener: () => void) {
  listeners.add(listener)
  window.addEventListener('hashchange', listener)
  return () => {
    listeners.delete(listener)
    window.removeEventListener('hashchange', listener)
  }
}

/**
 * State in the address behind `#`: what is open on a page can be linked to, and nothing has to be asked of the server
 * when it changes.
 */
export function useHashParam(name: string): [string | null, (value: string | null) => void] {
  const value = useSyncExternalStore(
    subscribe,
    () => new URLSearchParams(window.location.hash.slice(1)).get(name),
    () => null,
  )
  const set = useCallback(
    (next: string | null) => {
      const params = new URLSearchParams(window.location.hash.slice(1))
      if (next === null) params.delete(name)
      else params.set(name, next)
      const hash = params.toString()
      // State of its own is left to the router: it then takes note of the new address.
      window.history.replaceState(
        null,
        '',
        `${window.location.pathname}${window.location.search}${hash ? `#${hash}` : ''}`,
      )
      for (const listener of listeners) listener()
    },
    [name],
  )
  return [value, set]
}
