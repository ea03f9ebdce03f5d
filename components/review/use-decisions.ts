import { type QueryClient, useMutation } from '@tanstack/react-query'
import { useRef } from 'react'
import { announce } from '@/components/ui/announcer'
import { type ApiProblem, api } from '@/lib/client/api'
import { reviewScope } from '@/lib/client/review-scope'
import { toast } from '@/lib/client/toast'
import { toastProblem } from '@/lib/client/use-api-mutation'
import { useUnsavedGuard } from '@/lib/client/use-unsaved-guard'
import type { Batch } from '@/lib/domain/batches/schema'
import type { File, FileSummaryList } from '@/lib/domain/files/schema'
import { whyNotApprovable } from '@/lib/domain/files/states'
import type { RejectionReason } from '@/lib/vocabulary'
import { slimFile } from './room-file'
import { type BatchPath, keys, refetchAll } from './room-queries'

export type ReviewInput = { decision: 'approve' } | { decision: 'reject'; comment: string; reason?: RejectionReason }
const UNDO_MS = 10_000

/** What is decided is shown at once and sent behind; each decision can be taken back. */
export function useDecisions({
  batch,
  queryClient,
  file: viewed,
  mayReview,
  open,
  goOn,
  onDone,
}: {
  batch: BatchPath
  queryClient: QueryClient
  /** The file that is viewed, which is decided on. */
  file: File | null
  mayReview: boolean
  open: (id: string) => void
  /** On to the next file that is to be decided, once this one is. */
  goOn: (fileId: string) => void
  /** Once the server has a decision, or has taken it back. */
  onDone?: () => void
}) {
  const last = useRef<File | null>(null)
  const batchId = batch.batch_id
  const put = (changed: readonly File[]) => {
    for (const file of changed) {
      const now = file.review.decision
      const was = queryClient.getQueryData<File>(keys.seen(file.id))?.review.decision ?? now
      queryClient.setQueryData(keys.seen(file.id), file)
      queryClient.setQueryData<Batch>(
        keys.batch(batchId),
        (batch) =>
          batch && {
            ...batch,
            counts:
              was === now
                ? batch.counts
                : { ...batch.counts, [was]: batch.counts[was] - 1, [now]: batch.counts[now] + 1 },
          },
      )
    }
    const decisionOf = new Map(changed.map(({ id, review }) => [id, review.decision]))
    queryClient.setQueriesData<FileSummaryList>(
      { queryKey: keys.list(batchId) },
      (list) =>
        list && {
          ...list,
          files: list.files.map((file) => ({ ...file, decision: decisionOf.get(file.id) ?? file.decision })),
        },
    )
  }
  /** Lists of one decision hold other files now. */
  const refetchFiltered = () =>
    queryClient.invalidateQueries({
      queryKey: keys.list(batchId),
      predicate: ({ queryKey }) => queryKey[2] !== 'all',
    })
  // One after the other: each says what it saw, and that is what the one before it left.
  const scope = { id: reviewScope(batchId) }
  const review = useMutation<File, ApiProblem, { file: File; verdict: ReviewInput }>({
    scope,
    mutationFn: ({ file, verdict }) =>
      api('POST /api/projects/{project_id}/batches/{batch_id}/files/{file_id}/review', {
        params: { ...batch, file_id: file.id },
        body: { ...verdict, sha256: file.sha256, expected_decision: file.review.decision },
      }),
    onMutate: async ({ file, verdict }) => {
      for (const queryKey of [keys.list(batchId), keys.batch(batchId), keys.seen(file.id)])
        await queryClient.cancelQueries({ queryKey })
      put([{ ...file, review: decidedBy(verdict) }])
    },
    onSuccess: (result) => {
      put([slimFile(result)])
      void refetchFiltered()
      onDone?.()
    },
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
      void refetchFiltered()
      last.current = null
      toast.dismiss(toastOf(file))
      announce(`The decision on ${file.name} is taken back`)
      open(file.id)
      onDone?.()
    },
    onError: toastProblem,
  })
  // The last of those that wait is the last to arrive.
  useUnsavedGuard(review.isPending || undo.isPending, true)
  const send = (file: File, verdict: ReviewInput) => {
    const word = verdict.decision === 'approve' ? 'approved' : 'rejected'
    last.current = file
    const sent = review.mutateAsync({ file, verdict }).catch(() => undefined)
    toast.success(`${file.name} ${word}`, {
      id: toastOf(file),
      // The buttons that decide stand at the lower right.
      position: 'bottom-center',
      duration: UNDO_MS,
      // What is not sent yet cannot be taken back.
      action: { label: 'Undo', onClick: () => void sent.then((result) => result && undo.mutate(file)) },
    })
  }
  return {
    decide(verdict: ReviewInput) {
      if (!viewed || !mayReview) return
      const whyNot = verdict.decision === 'approve' ? whyNotApprovable(viewed) : null
      if (whyNot) {
        toast.warning(`Cannot be approved: ${whyNot}`)
        return
      }
      // Approved already: there is nothing to say, only to go on.
      if (verdict.decision !== 'approve' || viewed.review.decision !== 'approved') send(viewed, verdict)
      goOn(viewed.id)
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
