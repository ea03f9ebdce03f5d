'use client'

import { useCallback, useRef, useState } from 'react'

/** Rows that were gone from the list stop being chosen: nobody acts on what they cannot see. */
export function keepVisible(selected: ReadonlySet<string>, keys: readonly string[]): ReadonlySet<string> {
  const visible = keys.filter((key) => selected.has(key))
  return visible.length === selected.size ? selected : new Set(visible)
}

/** The selection after one row was pressed; `extend` (Shift) gives every row from `anchor` to it the same state. */
export function toggleRow(
  selected: ReadonlySet<string>,
  keys: readonly string[],
  key: string,
  anchor: string | null,
  extend: boolean,
): ReadonlySet<string> {
  const next = new Set(selected)
  const shouldSelect = !selected.has(key)
  const from = anchor === null ? -1 : keys.indexOf(anchor)
  const to = keys.indexOf(key)
  const range = extend && from >= 0 && to >= 0 ? keys.slice(Math.min(from, to), Math.max(from, to) + 1) : [key]
  for (const each of range) {
    if (shouldSelect) next.add(each)
    else next.delete(each)
  }
  return next
}

/** Choosing rows of a `DataTable`, with Shift ranges. `keys` are the rows shown, in their order. */
export function useRowSelection(keys: readonly string[]) {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const anchor = useRef<string | null>(null)
  const selected = keepVisible(chosen, keys)
  const toggle = useCallback(
    (key: string, extend: boolean) => {
      setChosen((last) => toggleRow(keepVisible(last, keys), keys, key, anchor.current, extend))
      anchor.current = key
    },
    [keys],
  )
  const toggleAll = useCallback(() => {
    setChosen((last) => (keys.every((key) => last.has(key)) ? new Set() : new Set(keys)))
  }, [keys])
  const clear = useCallback(() => setChosen(new Set()), [])
  return { selected, toggle, toggleAll, clear }
}
