'use client'

import { useCallback, useSyncExternalStore } from 'react'

const NO_PARTS: readonly string[] = []
const listeners = new Set<() => void>()
let held: { pathname: string; hash: string } | undefined

const inAddress = () => ({ pathname: window.location.pathname, hash: window.location.hash.slice(1) })

/**
 * What was last set here or chosen by the reader, not what stands in the address now: a page that was asked for
 * before a change puts the address of that time back when it arrives, until the router has taken note of the change.
 */
function heldParams(): URLSearchParams {
  if (held?.pathname !== window.location.pathname) held = inAddress()
  return new URLSearchParams(held.hash)
}

function takeNote() {
  held = inAddress()
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  if (listeners.size === 1) window.addEventListener('hashchange', takeNote)
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    window.removeEventListener('hashchange', takeNote)
    held = undefined
  }
}

/**
 * State in the address behind `#`: what is open on a page can be linked to, and nothing has to be asked of the server
 * when it changes. `parts`: names of what says more of the same value, and goes when it changes.
 */
export function useHashParam(
  name: string,
  parts: readonly string[] = NO_PARTS,
): [string | null, (value: string | null) => void] {
  const value = useSyncExternalStore(
    subscribe,
    () => heldParams().get(name),
    () => null,
  )
  const set = useCallback(
    (next: string | null) => {
      const params = heldParams()
      if (next !== params.get(name)) for (const part of parts) params.delete(part)
      if (next === null) params.delete(name)
      else params.set(name, next)
      const hash = params.toString()
      held = { pathname: window.location.pathname, hash }
      // State of its own is left to the router: it then takes note of the new address.
      window.history.replaceState(
        null,
        '',
        `${window.location.pathname}${window.location.search}${hash ? `#${hash}` : ''}`,
      )
      for (const listener of listeners) listener()
    },
    [name, parts],
  )
  return [value, set]
}
