'use client'

import { useEffect, useRef, useSyncExternalStore } from 'react'
import { createSequencer, isTypingTarget } from './shortcut-sequence'

export interface Shortcut {
  /** Keys with spaces between them: `g p`, `a`, `?`. */
  keys: string
  /** What it does, for the help sheet: `Approve the file`. */
  label: string
  /** Heading in the help sheet: `Review`. */
  group: string
  run: () => void
}

/* One list for the whole tab: components add what they can do while they are on screen, the newest wins. */
let registered: readonly Shortcut[] = []
const listeners = new Set<() => void>()
const STORAGE_KEY = 'greenroom:shortcuts'

function change(next: readonly Shortcut[]) {
  registered = next
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}

const EMPTY: readonly Shortcut[] = []

/** Every shortcut that works now, for the help sheet. */
export function useRegisteredShortcuts(): readonly Shortcut[] {
  return useSyncExternalStore(
    subscribe,
    () => registered,
    () => EMPTY,
  )
}

/** What lies over the page and takes the keys for itself; panels that have shortcuts of their own are not among it. */
export const IN_FRONT = '[role="dialog"]:not([data-shortcuts]),[role="alertdialog"],[role="menu"],[role="listbox"]'

/** Makes shortcuts work while the component is on screen. The list may change with every render. */
export function useShortcuts(shortcuts: readonly Shortcut[], isEnabled = true): void {
  const latest = useRef(shortcuts)
  useEffect(() => {
    latest.current = shortcuts
  })
  // The keys are the identity: a new `run` in each render must not register anew.
  const identity = JSON.stringify(shortcuts.map(({ keys, label, group }) => [keys, label, group]))
  useEffect(() => {
    if (!isEnabled) return
    const added: Shortcut[] = (JSON.parse(identity) as [string, string, string][]).map(([keys, label, group]) => ({
      keys,
      label,
      group,
      run: () => latest.current.find((each) => each.keys === keys)?.run(),
    }))
    change([...added, ...registered])
    return () => change(registered.filter((each) => !added.includes(each)))
  }, [identity, isEnabled])
}

/** Whether single-key shortcuts are on in this browser (WCAG 2.1.4 asks that they can be turned off). */
export function useShortcutsEnabled(): [isEnabled: boolean, setEnabled: (isEnabled: boolean) => void] {
  const isEnabled = useSyncExternalStore(subscribe, readEnabled, () => true)
  return [
    isEnabled,
    (next) => {
      try {
        localStorage.setItem(STORAGE_KEY, next ? 'on' : 'off')
      } catch {
        // Storage is blocked: the choice cannot be kept, nothing else breaks.
      }
      change([...registered])
    },
  ]
}

function readEnabled(): boolean {
  try {
    return localStorage.getItem(STORAGE_KEY) !== 'off'
  } catch {
    return true
  }
}

/**
 * Listens to the keyboard. Stands once, in the shell. Silent in fields, menus and dialogs, except in panels that have
 * shortcuts of their own (`data-shortcuts`).
 */
export function useShortcutListener(): void {
  useEffect(() => {
    const sequencer = createSequencer()
    function handle(event: KeyboardEvent) {
      if (event.defaultPrevented || event.repeat || !readEnabled()) return
      const target = event.target instanceof HTMLElement ? event.target : null
      if (target) {
        const { tagName, isContentEditable } = target
        const type = target instanceof HTMLInputElement ? target.type : undefined
        if (isTypingTarget({ tagName, type, isContentEditable, role: target.getAttribute('role') })) return
        if (target.closest(IN_FRONT)) return
      }
      const keys = sequencer.press(
        event,
        event.timeStamp,
        registered.map((each) => each.keys),
      )
      if (keys === null) return
      event.preventDefault()
      registered.find((each) => each.keys === keys)?.run()
    }
    window.addEventListener('keydown', handle)
    return () => window.removeEventListener('keydown', handle)
  }, [])
}
