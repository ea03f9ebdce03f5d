'use client'

import { type QueryClient, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo, useRef, useState } from 'react'
import { toast } from 'sonner'
import { announce } from '@/components/ui/announcer'
import { type ApiProblem, api } from '@/lib/client/api'
import { loadImage } from '@/lib/client/image-cache'
import { toastProblem } from '@/lib/client/use-api-mutation'
import { useLive } from '@/lib/client/use-live'
import type { Batch } from '@/lib/domain/batches/schema'
import { whyNotApprovable } from '@/lib/domain/files/rules'
import type { File } from '@/lib/domain/files/schema'
import type { PreQcResult } from '@/lib/domain/pre-qc/schema'
import type { Comment } from '@/lib/domain/review/schema'
import type { RejectionReason, ReviewDecision } from '@/lib/vocabulary'
import { imageOf, slimFile } from './room-file'

export type ReviewInput = { decision: 'approve' } | { decision: 'reject'; comment: string; reason?: RejectionReason }
/** Who looks, and what they may do in the room. */
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
const UNDO_MS = 10_000

const keys = {
  files: (batchId: string) => ['review files', batchId],
  comments: (batchId: string) => ['comments', batchId],
  result: (fileId: string) => ['result', fileId],
}

type Given = {
  batch: Batch
  files: readonly File[]
  comments: readonly Comment[]
  result: PreQcResult | null
  firstId: string | null
  mayReview: boolean
}

const byName = new Intl.Collator('en', { numeric: true })

/** The files of a batch under review, the one that is looked at, and what is decided: shown at once, sent behind. */
export function useRoom({ batch, files: given, comments: said, result: firstResult, firstId, mayReview }: Given) {
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

const resultQuery = (batchId: string, fileId: string) => ({
  queryKey: keys.result(fileId),
  queryFn: async () => (await api('GET /api/pre-qc/results', { query: { batchId, fileId } })).results[0] ?? null,
  staleTime: 60_000,
})

const refetchAll = (queryClient: QueryClient, batchId: string) =>
  Promise.all([
    queryClient.invalidateQueries({ queryKey: keys.files(batchId) }),
    queryClient.invalidateQueries({ queryKey: keys.comments(batchId) }),
    queryClient.invalidateQueries({ queryKey: ['result'] }),
  ])

/** What others do is asked for once things have settled, and never between a decision and its answer. */
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

function useDecisions({
  batch,
  queryClient,
  open,
}: {
  batch: { project_id: string; batch_id: string }
  queryClient: QueryClient
  open: (id: string) => void
}) {
  const last = useRef<File | null>(null)
  const batchId = batch.batch_id
  const put = (changed: readonly File[]) =>
    queryClient.setQueryData<File[]>(keys.files(batchId), (files = []) =>
      files.map((file) => changed.find(({ id }) => id === file.id) ?? file),
    )
  // One after the other: each says what it saw, and that is what the one before it left.
  const scope = { id: `review ${batchId}` }
  const review = useMutation<File, ApiProblem, { file: File; verdict: ReviewInput }>({
    scope,
    mutationFn: ({ file, verdict }) =>
      api('POST /api/projects/{project_id}/batches/{batch_id}/files/{file_id}/review', {
        params: { ...batch, file_id: file.id },
        body: { ...verdict, sha256: file.sha256, expected_decision: file.review.decision },
      }),
    onMutate: async ({ file, verdict }) => {
      await queryClient.cancelQueries({ queryKey: keys.files(batchId) })
      put([{ ...file, review: decidedBy(verdict) }])
    },
    onSuccess: (answer) => put([slimFile(answer)]),
    onError: (problem, { file }) => {
      put([file])
      toast.dismiss(toastOf(file))
      toastProblem(problem)
      open(file.id)
      void refetchAll(queryClient, batchId)
    },
  })
  const undo = useMutation<{ files: File[] }, ApiProblem, File>({
    scope,
    mutationFn: (file) =>
      api('POST /api/projects/{project_id}/batches/{batch_id}/review/undo', {
        params: batch,
        body: { file_ids: [file.id] },
      }),
    onSuccess: ({ files }, file) => {
      put(files.map(slimFile))
      last.current = null
      toast.dismiss(toastOf(file))
      announce(`The decision on ${file.name} is taken back`)
      open(file.id)
    },
    onError: toastProblem,
  })
  return {
    decide(file: File, verdict: ReviewInput) {
      const word = verdict.decision === 'approve' ? 'approved' : 'rejected'
      last.current = file
      const sent = review.mutateAsync({ file, verdict }).catch(() => undefined)
      toast.success(`${file.name} ${word}`, {
        id: toastOf(file),
        // The buttons that decide stand at the lower right.
        position: 'bottom-center',
        duration: UNDO_MS,
        // What is not sent yet cannot be taken back.
        action: { label: 'Undo', onClick: () => void sent.then((answer) => answer && undo.mutate(file)) },
      })
    },
    undoLast() {
      if (last.current) undo.mutate(last.current)
    },
  }
}

const toastOf = (file: File) => `review ${file.id}`

const decidedBy = (verdict: ReviewInput): File['review'] => ({
  decision: verdict.decision === 'approve' ? 'approved' : 'rejected',
  comment: verdict.decision === 'reject' ? verdict.comment : null,
  reason: verdict.decision === 'reject' ? (verdict.reason ?? null) : null,
  reviewed_by: null,
  reviewed_at: null,
})
