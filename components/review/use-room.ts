'use client'

import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo, useRef, useState } from 'react'
import { toast } from 'sonner'
import { announce } from '@/components/ui/announcer'
import { api } from '@/lib/client/api'
import { loadImage } from '@/lib/client/image-cache'
import { useLive } from '@/lib/client/use-live'
import type { Batch } from '@/lib/domain/batches/schema'
import { whyNotApprovable } from '@/lib/domain/files/rules'
import type { File } from '@/lib/domain/files/schema'
import type { PreQcResult } from '@/lib/domain/pre-qc/schema'
import type { Comment } from '@/lib/domain/review/schema'
import type { ReviewDecision } from '@/lib/vocabulary'
import { imageOf, slimFile } from './room-file'
import { keys, refetchAll, resultQuery } from './room-queries'
import { type ReviewInput, useDecisions } from './use-decisions'

/** Who views it, and what they may do in the room. */
export type Reviewer = {
  id: string
  mayReview: boolean
  mayComment: boolean
  mayModerate: boolean
  mayRerun: boolean
  mayWaive: boolean
  mayWaiveBlocking: boolean
}
export type RailFilter = 'all' | ReviewDecision

/** Files fetched ahead: those that j and k reach next. */
const AHEAD = [1, 2, 3, -1]
const SETTLE_MS = 700

type RoomProps = {
  batch: Batch
  files: readonly File[]
  comments: readonly Comment[]
  result: PreQcResult | null
  firstId: string | null
  mayReview: boolean
}

const byName = new Intl.Collator('en', { numeric: true })

/** The files of a batch under review, the one that is viewed, and what is decided: shown at once, sent behind. */
export function useRoom({ batch, files: given, comments: said, result: firstResult, firstId, mayReview }: RoomProps) {
  const queryClient = useQueryClient()
  const params = { project_id: batch.project_id, batch_id: batch.id }
  const { data: all } = useQuery({
    queryKey: keys.files(batch.id),
    queryFn: async () => {
      const { files } = await api('GET /api/projects/{project_id}/batches/{batch_id}/files', {
        params,
        query: { versions: 'all' },
      })
      return files.map(slimFile)
    },
    initialData: [...given],
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
  })
  const { data: comments } = useQuery({
    queryKey: keys.comments(batch.id),
    queryFn: async () => (await api('GET /api/projects/{project_id}/batches/{batch_id}/comments', { params })).comments,
    initialData: [...said],
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
  })
  const current = useMemo(
    () => all.filter((file) => file.is_current).sort((a, b) => byName.compare(a.name, b.name)),
    [all],
  )
  const [filter, setFilter] = useState<RailFilter>('all')
  const [openId, setOpenId] = useState(firstId)
  const shown = useMemo(
    () => (filter === 'all' ? current : current.filter(({ review }) => review.decision === filter)),
    [current, filter],
  )
  const file = current.find(({ id }) => id === openId) ?? shown[0] ?? current[0] ?? null
  const at = shown.findIndex(({ id }) => id === file?.id)

  const { data: result = null, isPending: isResultPending } = useQuery({
    ...resultQuery(batch.id, file?.id ?? ''),
    enabled: file !== null,
    ...(firstResult && firstResult.file_id === file?.id && { initialData: firstResult }),
  })

  const open = (id: string) => {
    setOpenId(id)
    // The address follows, without asking the server for anything.
    window.history.replaceState(null, '', `${window.location.pathname}?file=${id}`)
  }
  const move = (step: number) => {
    const next = shown[at === -1 ? 0 : at + step]
    if (next) open(next.id)
  }

  useEffect(() => {
    for (const step of AHEAD) {
      const near = shown[at + step]
      const image = near && imageOf(near)
      if (image) void loadImage(image)
      if (near && step > 0) void queryClient.prefetchQuery(resultQuery(batch.id, near.id))
    }
  }, [shown, at, queryClient, batch.id])

  useHints(batch.id, queryClient)
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
    const later = [...shown.slice(at + 1), ...shown.slice(0, Math.max(0, at))]
    const next = later.find(({ id, review }) => id !== file.id && review.decision === 'pending')
    if (next) open(next.id)
    else announce('Every file shown is decided.')
  }
  const counts = { approved: 0, rejected: 0, pending: 0 }
  for (const { review } of current) counts[review.decision] += 1
  const refetch = () => refetchAll(queryClient, batch.id)
  return {
    all,
    current,
    shown,
    file,
    at,
    counts,
    comments,
    result,
    isResultPending,
    filter,
    setFilter,
    open,
    move,
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
