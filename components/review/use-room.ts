'use client'

import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { versionsOf } from '@/components/files/versions'
import { announce } from '@/components/ui/announcer'
import { api } from '@/lib/client/api'
import { loadImage } from '@/lib/client/image-cache'
import { toast } from '@/lib/client/toast'
import { useLive } from '@/lib/client/use-live'
import type { Batch } from '@/lib/domain/batches/schema'
import type { File, FileSummaryList } from '@/lib/domain/files/schema'
import { whyNotApprovable } from '@/lib/domain/files/states'
import type { PreQcResult } from '@/lib/domain/pre-qc/schema'
import type { Comment } from '@/lib/domain/review/schema'
import { imageOf } from './room-file'
import { commentsQuery, keys, type RailFilter, refetchAll, resultQuery, seenQuery, versionsQuery } from './room-queries'
import { type ReviewInput, useDecisions } from './use-decisions'
import { useRail } from './use-rail'

/** Who views it, and what they may do in the room. */
export type Reviewer = {
  id: string
  mayReview: boolean
  mayComment: boolean
  mayModerate: boolean
  mayRerun: boolean
  mayWaive: boolean
  mayWaiveBlocking: boolean
  mayProposeRepair: boolean
  mayDecideRepair: boolean
}

/** Files fetched ahead: those that j and k reach next. */
const AHEAD = [1, 2, 3, -1]
const SETTLE_MS = 700

/** The file the room opens with, and what is known of it. */
export type OpenedFile = {
  file: File
  versions: readonly File[]
  comments: readonly Comment[]
  result: PreQcResult | null
}

type RoomProps = {
  batch: Batch
  /** The part of the list that holds the file. */
  list: FileSummaryList
  opened: OpenedFile | null
  mayReview: boolean
}

/** The files of a batch under review, the one that is viewed, and what is decided: shown at once, sent behind. */
export function useRoom({ batch: given, list, opened, mayReview }: RoomProps) {
  const queryClient = useQueryClient()
  const params = { project_id: given.project_id, batch_id: given.id }
  const held = { staleTime: Number.POSITIVE_INFINITY, refetchOnWindowFocus: false }
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

  const isFirst = opened !== null && opened.file.id === openId
  const of = openId ?? ''
  const { data: file = null, error } = useQuery({
    ...seenQuery(params, of),
    ...held,
    enabled: openId !== null,
    ...(isFirst && { initialData: opened.file }),
  })
  const { data: known } = useQuery({
    ...versionsQuery(params, of),
    ...held,
    enabled: openId !== null,
    ...(isFirst && { initialData: [...opened.versions] }),
  })
  const { data: comments = [] } = useQuery({
    ...commentsQuery(params, of),
    ...held,
    enabled: openId !== null,
    ...(isFirst && { initialData: [...opened.comments] }),
  })
  const { data: result = null, isPending: isResultPending } = useQuery({
    ...resultQuery(given.id, of),
    enabled: openId !== null,
    ...(isFirst && opened.result && { initialData: opened.result }),
  })
  const versions = file ? versionsOf(file, [...(known ?? []).filter(({ id }) => id !== file.id), file]) : []

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
  const newest = file && !file.is_current ? versions.find(({ is_current }) => is_current) : null
  // biome-ignore lint/correctness/useExhaustiveDependencies: `open` is another function each time
  useEffect(() => {
    if (newest) open(newest.id)
  }, [newest?.id])

  useHints(given.id, queryClient)
  const decisions = useDecisions({ batch: params, queryClient, open })

  const decide = (verdict: ReviewInput) => {
    if (!file || !mayReview) return
    const whyNot = verdict.decision === 'approve' ? whyNotApprovable(file) : null
    if (whyNot) {
      toast.warning(`Cannot be approved: ${whyNot}`)
      return
    }
    // Approved already: there is nothing to say, only to go on.
    if (verdict.decision !== 'approve' || file.review.decision !== 'approved') decisions.decide(file, verdict)
    void rail.nextPending(file.id, at).then(
      (next) =>
        next ? open(next.id, next.index < 0 ? undefined : next.index) : announce('Every file shown is decided.'),
      // Without an answer the file stays; it says why where the decision could not be sent either.
      () => undefined,
    )
  }
  const refetch = () => refetchAll(queryClient, given.id)
  return {
    rail,
    openId,
    file,
    /** Why the file is not there. */
    error,
    at,
    versions,
    counts: batch.counts,
    comments,
    result,
    isResultPending,
    filter,
    setFilter,
    open,
    move: (step: number) => void move(step),
    decide,
    undoLast: decisions.undoLast,
    refetch,
    /** Names the batch in paths of /api. */
    batch: params,
  }
}

export type Room = ReturnType<typeof useRoom>

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
