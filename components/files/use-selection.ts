'use client'

import { useEffect, useRef, useState } from 'react'
import { ApiProblem, api } from '@/lib/client/api'
import { isTypingTarget } from '@/lib/client/shortcut-sequence'
import { useShortcuts } from '@/lib/client/shortcuts'
import { toastProblem } from '@/lib/client/use-api-mutation'
import type { FileFilters, FileSummary } from '@/lib/domain/files/schema'
import type { FileSummaries } from './use-file-summaries'

/** So many files can be selected: as many as one request takes. */
export const MOST_SELECTED = 500

export type Selection = {
  /** As they were when they were selected. */
  files: readonly FileSummary[]
  has: (fileId: string) => boolean
  /** `isRange`: all from the last one that was pressed to this one. */
  toggle: (index: number, file: FileSummary, isRange: boolean) => void
  selectAll: () => void
  /** Only these, and those at these places of the list. What of them was not loaded yet comes with `isLast`. */
  setTo: (files: readonly FileSummary[], places: readonly number[], isLast: boolean) => void
  clear: () => void
}

/** Files chosen to do something with all of them: one by one, a range with Shift, all with Ctrl+A. */
export function useSelection(
  batch: { project_id: string; batch_id: string },
  filters: FileFilters,
  list: FileSummaries,
  isEnabled: boolean,
): Selection {
  const [chosen, setChosen] = useState<ReadonlyMap<string, FileSummary>>(new Map())
  const anchor = useRef(-1)
  const add = (files: readonly (FileSummary | null)[]) => setChosen((before) => withFiles(before, files))
  const clear = () => setChosen(new Map())
  const orSay = (loading: Promise<void>) =>
    void loading.catch((error) => {
      if (error instanceof ApiProblem) toastProblem(error)
      else throw error
    })
  const selectAll = () =>
    orSay(
      api('GET /api/projects/{project_id}/batches/{batch_id}/file-summaries', {
        params: batch,
        query: { ...filters, limit: MOST_SELECTED },
      }).then(({ files }) => add(files)),
    )
  const toggle = (index: number, file: FileSummary, isRange: boolean) => {
    const from = anchor.current
    anchor.current = index
    if (isRange && from >= 0) {
      const [first, last] = [Math.min(from, index), Math.max(from, index)]
      const places = Array.from({ length: Math.min(MOST_SELECTED, last - first + 1) }, (_, at) => first + at)
      orSay(Promise.all(places.map((place) => list.fetchAt(place))).then(add))
    } else if (chosen.has(file.id)) {
      setChosen((before) => new Map([...before].filter(([id]) => id !== file.id)))
    } else add([file])
  }

  const setTo = (files: readonly FileSummary[], places: readonly number[], isLast: boolean) => {
    const chosen = withFiles(new Map(), files)
    setChosen(withFiles(chosen, places.map(list.at)))
    if (isLast) {
      const wanted = places.slice(0, MOST_SELECTED)
      orSay(Promise.all(wanted.map(list.fetchAt)).then((found) => setChosen(withFiles(chosen, found))))
    }
  }

  const all = useRef(selectAll)
  useEffect(() => {
    all.current = selectAll
  })
  useEffect(() => {
    if (!isEnabled) return
    function onKeyDown(event: KeyboardEvent) {
      if (event.key.toLowerCase() !== 'a' || !(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey) return
      const target = event.target as HTMLElement
      // A dialog that is open has texts of its own to select.
      if (isTypingTarget(target) || target.closest('[role=dialog], [role=alertdialog]')) return
      event.preventDefault()
      all.current()
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [isEnabled])
  useShortcuts(
    [
      {
        keys: 'x',
        label: 'Select all files, or none',
        group: 'Files',
        run: () => (chosen.size > 0 ? clear() : selectAll()),
      },
    ],
    isEnabled,
  )

  return { files: [...chosen.values()], has: (id) => chosen.has(id), toggle, selectAll, setTo, clear }
}

/** As many of them as can be selected. */
function withFiles(chosen: ReadonlyMap<string, FileSummary>, files: readonly (FileSummary | null)[]) {
  const next = new Map(chosen)
  for (const file of files) if (file && next.size < MOST_SELECTED) next.set(file.id, file)
  return next
}
