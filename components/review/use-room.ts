'use client'

import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { announce } from '@/components/ui/announcer'
import { api } from '@/lib/client/api'
import { loadImage } from '@/lib/client/image-cache'
import { ownQuery } from '@/lib/client/page-requests'
import { useLive } from '@/lib/client/use-live'
import type { Batch } from '@/lib/domain/batches/schema'
import type { FileSummaryList } from '@/lib/domain/files/schema'
import { imageOf } from './room-file'
import { commentsQuery, keys, type RailFilter, refetchAll, resultQuery, seenQuery } from './room-queries'
import { useDecisions } from './use-decisions'
import { useRail } from './use-rail'
import { held, type OpenedFile, type Room, useViewedFile } from './use-viewed-file'

/** Files fetched ahead: those that j and k reach next. */
const AHEAD = [1, 2, 3, -1]
const SETTLE_MS = 700

type RoomProps = {
  batch: Batch
  /** The part of the list that holds the file. */
  list: FileSummaryList
  opened: OpenedFile | null
  mayReview: boolean
}

/** The files of a batch under review, the one that is viewed, and what is decided: shown at once, sent behind. */
export function useRoom({ batch: given, list, opened, mayReview }: RoomProps) {
  useEffect(() => ownQuery(window.location.pathname), [])
  const queryClient = useQueryClient()
  const params = { project_id: given.project_id, batch_id: given.id }
  const { data: batch } = useQuery({
    queryKey: keys.batch(given.id),
    queryFn: () => api('GET /api/projects/{project_id}/batches/{batch_id}', { params }),
    initialData: given,
    ...held,
  })
  const [filter, putFilter] = useState<RailFilter>('all')
  const rail = useRail(params, filter, list)
  const [openId, setOpenId] = useState(opened?.file.id ?? null)
  // A part of the list that is not in sight is not held: then the file is where it was last.
  const lastAt = useRef(-1)
  const found = openId === null ? -1 : rail.indexOf(openId)
  if (found >= 0) lastAt.current = found
  const at = found >= 0 ? found : lastAt.current

  const viewed = useViewedFile(params, openId, opened?.file.id === openId ? opened : null)
  const { file, newest } = viewed

  const put = (id: string, index: number) => {
    lastAt.current = index
    setOpenId(id)
    // The address follows, without asking the server for anything.
    window.history.replaceState(null, '', `${window.location.pathname}?file=${id}`)
  }
  /** Shows a file; where it stands in the list is asked for, where that is not known. */
  const open = (id: string, index = rail.indexOf(id)) => {
    put(id, index)
    if (index < 0)
      void rail.locate(id).then(
        (place) => {
          lastAt.current = place
        },
        // The list stays where it is.
        () => undefined,
      )
  }
  const setFilter = (next: RailFilter) => {
    lastAt.current = -1
    putFilter(next)
    if (openId) void rail.locate(openId, next).catch(() => undefined)
  }
  const move = async (step: number) => {
    const index = at === -1 ? 0 : at + step
    const next = rail.at(index) ?? (await rail.fetchAt(index).catch(() => null))
    if (next) put(next.id, index)
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: again only when another file is viewed, or the list has come
  useEffect(() => {
    for (const step of AHEAD) {
      const near = at < 0 ? null : rail.at(at + step)
      if (!near) continue
      void queryClient.fetchQuery(seenQuery(params, near.id)).then(
        (ahead) => {
          const image = imageOf(ahead)
          if (image) void loadImage(image)
        },
        // It is asked for again when it is opened.
        () => undefined,
      )
      if (step < 0) continue
      void queryClient.prefetchQuery(resultQuery(given.id, near.id))
      void queryClient.prefetchQuery(commentsQuery(params, near.id))
    }
  }, [openId, at, rail.total])

  // A newer version came: that one is reviewed.
  // biome-ignore lint/correctness/useExhaustiveDependencies: `open` is another function each time
  useEffect(() => {
    if (newest) open(newest.id)
  }, [newest?.id])

  useHints(given.id, queryClient)
  const goOn = (fileId: string) =>
    void rail.nextPending(fileId, at).then(
      (next) =>
        next ? open(next.id, next.index < 0 ? undefined : next.index) : announce('Every file shown is decided.'),
      // Without an answer the file stays; it says why where the decision could not be sent either.
      () => undefined,
    )
  const { decide, undoLast } = useDecisions({ batch: params, queryClient, file, mayReview, open, goOn })

  const refetch = () => refetchAll(queryClient, given.id)
  const leave = async () => {
    const next = rail.at(at + 1) ?? rail.at(at - 1)
    await refetch()
    if (next) open(next.id)
    else setOpenId(null)
  }
  const own: Room = {
    ...viewed,
    batch: params,
    at,
    total: rail.total,
    move: (step) => void move(step),
    decide,
    undoLast,
    refetch,
    leave: () => void leave(),
  }
  return { ...own, rail, openId, counts: batch.counts, filter, setFilter, open }
}

/** The room with the list of the whole batch beside it. */
export type WholeRoom = ReturnType<typeof useRoom>

/** What others do is asked for once things have settled, and never between a decision and its response. */
function useHints(batchId: string, queryClient: QueryClient) {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  const later = () => {
    clearTimeout(timer.current)
    timer.current = setTimeout(() => {
      if (queryClient.isMutating() > 0) later()
      else void refetchAll(queryClient, batchId)
    }, SETTLE_MS)
  }
  useLive({ batchId, refreshes: false }, later)
}
