'use client'

import { useQueries, useQueryClient } from '@tanstack/react-query'
import { useCallback, useState } from 'react'
import type { File, FileSummary, FileSummaryList } from '@/lib/domain/files/schema'
import { askList, keys, PART_FILES, partQuery, type RailFilter } from './room-queries'

type BatchPath = { project_id: string; batch_id: string }
type Place = { id: string; index: number }

const partOf = (index: number) => Math.floor(index / PART_FILES)

/** The list of the room, by name: the parts in sight are loaded, however long it is. `first`: the part the page came with. */
export function useRail(batch: BatchPath, filter: RailFilter, first: FileSummaryList) {
  const queryClient = useQueryClient()
  const [shown, setShown] = useState<{ of: RailFilter; parts: number[] }>({ of: 'all', parts: [partOf(first.offset)] })
  const parts = shown.of === filter ? shown.parts : [0]
  const results = useQueries({
    queries: parts.map((part) => ({
      ...partQuery(batch, filter, part),
      refetchOnWindowFocus: false,
      ...(filter === 'all' && part === partOf(first.offset) && { initialData: first }),
    })),
  })
  const lists = new Map(parts.map((part, index) => [part, results[index]?.data]))
  const counted = results.find(({ data }) => data)?.data
  const total = counted?.total ?? 0
  const at = (index: number): FileSummary | null => lists.get(partOf(index))?.files[index % PART_FILES] ?? null

  const show = useCallback(
    (from: number, to: number) => {
      const next: number[] = []
      for (let part = partOf(from); part <= partOf(to); part++) next.push(part)
      setShown((last) => (last.of === filter && last.parts.join() === next.join() ? last : { of: filter, parts: next }))
    },
    [filter],
  )
  const indexOf = (fileId: string): number => {
    for (const [part, list] of lists) {
      const found = list?.files.findIndex(({ id }) => id === fileId) ?? -1
      if (found >= 0) return part * PART_FILES + found
    }
    return -1
  }
  return {
    total,
    /** No part of the list has come yet. */
    isPending: counted === undefined,
    /** The file at a place of the list, from 0; null while it is on its way. */
    at,
    indexOf,
    /** Loads the files from one place to another, both included. */
    show,
    /** The file at a place of the list, loaded if need be; null beyond its end. */
    async fetchAt(index: number): Promise<FileSummary | null> {
      if (index < 0) return null
      const list = await queryClient.ensureQueryData(partQuery(batch, filter, partOf(index)))
      return list.files[index % PART_FILES] ?? null
    },
    /** Where a file stands in a list, whose part is loaded for it; -1 where the list does not hold it. */
    async locate(fileId: string, of: RailFilter = filter): Promise<number> {
      const list = await askList(batch, of, { at: fileId, limit: PART_FILES })
      queryClient.setQueryData(partQuery(batch, of, partOf(list.offset)).queryKey, list)
      setShown({ of, parts: [partOf(list.offset)] })
      const found = list.files.findIndex(({ id }) => id === fileId)
      return found < 0 ? -1 : list.offset + found
    },
    /** The first file behind this one that is not decided, or else the first of the list; null where there is none. */
    async nextPending(fileId: string, index: number): Promise<Place | null> {
      const isOpen = ({ id, decision }: FileSummary) => id !== fileId && decision === 'pending'
      for (let place = index + 1, file = at(place); file; place++, file = at(place))
        if (isOpen(file)) return { id: file.id, index: place }
      if (filter === 'approved' || filter === 'rejected') return null
      for (const from of [{ after: fileId }, {}]) {
        const { files } = await askList(batch, 'pending', { ...from, limit: PART_FILES })
        // What was decided a moment ago the server may not know yet.
        const next = files.find((file) => isOpen(file) && isUndecided(queryClient.getQueryData(keys.seen(file.id))))
        if (next) return { id: next.id, index: -1 }
      }
      return null
    },
  }
}

const isUndecided = (seen: File | undefined) => !seen || seen.review.decision === 'pending'
