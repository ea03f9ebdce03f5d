'use client'

import { useQueries, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useState } from 'react'
import { keys, refetchFiles } from '@/components/review/room-queries'
import { api } from '@/lib/client/api'
import type { File, FileFilters, FileSummary, FileSummaryList } from '@/lib/domain/files/schema'
import { directionOf } from '@/lib/domain/files/states'

/** As many files are asked for at once. */
const PAGE_FILES = 100
/** From here on only what is in sight is on the page. */
export const PART_FROM = 60

type BatchPath = { project_id: string; batch_id: string }

/** The page the server rendered, and for which filters. */
export type FirstFiles = { filters: FileFilters; list: FileSummaryList }

export type FileSummaries = {
  /** How many files the filters leave. */
  total: number
  couldNotRun: number
  /** The files of other filters, until those that were asked for have come. */
  isOld: boolean
  /** The file at a place of the list, from 0; null while it is on its way. */
  at: (index: number) => FileSummary | null
  /** All that were loaded and are in use. */
  loaded: () => FileSummary[]
  /** Its place among those; -1 when it is not. */
  indexOf: (fileId: string) => number
  /** Loads the files from one place to another, both included. */
  show: (from: number, to: number) => void
  /** The file at a place of the list, loaded if need be; null beyond its end. */
  fetchAt: (index: number) => Promise<FileSummary | null>
  /** The first file behind this one that is not decided, or else the first of the list; null where there is none. */
  nextPending: (fileId: string) => Promise<string | null>
}

/** Without what says nothing, in one order of its names. */
const cleaned = ({ q, verdict, decision, kind, check, sender, order, direction }: FileFilters): FileFilters => ({
  ...(q?.trim() && { q: q.trim() }),
  ...(verdict && { verdict }),
  ...(decision && { decision }),
  ...(kind && { kind }),
  ...(check && { check }),
  ...(sender && { sender }),
  ...(order && order !== 'newest' && { order }),
  ...(direction && direction !== directionOf(order ?? 'newest') && { direction }),
})

const summariesKey = (batchId: string) => ['file summaries', batchId]

/**
 * The files of a batch, any part of the list: what was shown is kept, and asked for anew when the page is. `hasChecks`:
 * with what each check says.
 */
export function useFileSummaries(
  batch: BatchPath,
  given: FileFilters,
  first: FirstFiles,
  hasChecks: boolean,
): FileSummaries {
  const queryClient = useQueryClient()
  const filters = cleaned(given)
  const [shown, setShown] = useState({ of: '', pages: [0] })
  const of = JSON.stringify(filters)
  const pages = shown.of === of ? shown.pages : [0]

  const pageQuery = (page: number) => ({
    queryKey: [...summariesKey(batch.batch_id), filters, hasChecks, page],
    queryFn: () =>
      api('GET /api/projects/{project_id}/batches/{batch_id}/file-summaries', {
        params: batch,
        query: {
          ...filters,
          offset: page * PAGE_FILES,
          limit: PAGE_FILES,
          ...(hasChecks && { checks: 'all' as const }),
        },
      }),
    staleTime: 60_000,
  })

  // The page came anew: something has changed.
  useEffect(() => {
    const own = [...summariesKey(batch.batch_id), cleaned(first.filters), false, 0]
    queryClient.setQueryData(own, first.list)
    const isOwn = (key: readonly unknown[]) => JSON.stringify(key) === JSON.stringify(own)
    void queryClient.invalidateQueries({
      queryKey: summariesKey(batch.batch_id),
      predicate: ({ queryKey }) => !isOwn(queryKey),
    })
    void refetchFiles(queryClient, batch.batch_id)
  }, [queryClient, batch.batch_id, first])

  const isFirst = !hasChecks && of === JSON.stringify(cleaned(first.filters))
  const results = useQueries({
    queries: pages.map((page) => ({
      ...pageQuery(page),
      // Of the same page, by other filters.
      placeholderData: (last: FileSummaryList | undefined, query?: { queryKey: readonly unknown[] }) =>
        query?.queryKey.at(-1) === page ? last : undefined,
      ...(page === 0 && isFirst && { initialData: first.list }),
    })),
  })
  const lists = new Map(pages.map((page, index) => [page, results[index]?.data]))
  const counted = results.find(({ data }) => data)?.data ?? first.list

  const show = useCallback(
    (from: number, to: number) => {
      const wanted = new Set([0])
      for (let page = Math.floor(from / PAGE_FILES); page <= Math.floor(to / PAGE_FILES); page++) wanted.add(page)
      const next = [...wanted].sort((a, b) => a - b)
      setShown((last) => (last.of === of && last.pages.join() === next.join() ? last : { of, pages: next }))
    },
    [of],
  )
  const at = (index: number) => lists.get(Math.floor(index / PAGE_FILES))?.files[index % PAGE_FILES] ?? null
  return {
    total: counted.total,
    couldNotRun: counted.could_not_run,
    isOld: results.some(({ isPlaceholderData }) => isPlaceholderData),
    at,
    loaded: () => [...lists.values()].flatMap((list) => list?.files ?? []),
    indexOf: (fileId) => {
      for (const [page, list] of lists) {
        const found = list?.files.findIndex(({ id }) => id === fileId) ?? -1
        if (found >= 0) return page * PAGE_FILES + found
      }
      return -1
    },
    show,
    fetchAt: async (index) => {
      if (index < 0) return null
      const list = await queryClient.ensureQueryData(pageQuery(Math.floor(index / PAGE_FILES)))
      return list.files[index % PAGE_FILES] ?? null
    },
    nextPending: async (fileId) => {
      if (filters.decision && filters.decision !== 'pending') return null
      for (const from of [{ after: fileId }, {}]) {
        const query = { ...filters, ...from, decision: 'pending' as const, limit: PAGE_FILES }
        const path = 'GET /api/projects/{project_id}/batches/{batch_id}/file-summaries'
        const { files } = await api(path, { params: batch, query })
        // What was decided a moment ago the server may not know yet.
        const next = files.find(
          ({ id }) =>
            id !== fileId &&
            (queryClient.getQueryData<File>(keys.seen(id))?.review.decision ?? 'pending') === 'pending',
        )
        if (next) return next.id
      }
      return null
    },
  }
}
