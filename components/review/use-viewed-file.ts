'use client'

import { useQuery } from '@tanstack/react-query'
import { versionsOf } from '@/components/files/versions'
import type { File } from '@/lib/domain/files/schema'
import type { PreQcResult } from '@/lib/domain/pre-qc/schema'
import type { Comment } from '@/lib/domain/review/schema'
import { type BatchPath, commentsQuery, resultQuery, seenQuery, versionsQuery } from './room-queries'
import type { ReviewInput } from './use-decisions'

/** A file, and what is known of it. */
export type OpenedFile = {
  file: File
  versions: readonly File[]
  comments: readonly Comment[]
  result: PreQcResult | null
}

/** What the parts around a file need: they are the same in the review room and in the drawer of the batch page. */
export type Room = {
  /** Names the batch in paths of /api. */
  batch: BatchPath
  file: File | null
  /** Why the file is not there. */
  error: Error | null
  /** Asks for the file again. */
  retry: () => void
  versions: readonly File[]
  comments: readonly Comment[]
  result: PreQcResult | null
  isResultPending: boolean
  /** Where the file stands in the list beside it, from 0; -1 while that is not known. */
  at: number
  total: number
  move: (step: number) => void
  decide: (verdict: ReviewInput) => void
  undoLast: () => void
  refetch: () => Promise<unknown>
  /** The file was deleted. */
  leave: () => void
}

/** What changes on its own is asked for anew by hints, not by age. */
export const held = { staleTime: Number.POSITIVE_INFINITY, refetchOnWindowFocus: false }

/** The file that is viewed, with its versions, its comments and its newest result. `first`: what the page came with. */
export function useViewedFile(batch: BatchPath, fileId: string | null, first: OpenedFile | null) {
  const of = fileId ?? ''
  const enabled = fileId !== null
  const {
    data: file = null,
    error,
    refetch,
  } = useQuery({
    ...seenQuery(batch, of),
    ...held,
    enabled,
    ...(first && { initialData: first.file }),
  })
  const { data: known } = useQuery({
    ...versionsQuery(batch, of),
    ...held,
    enabled,
    ...(first && { initialData: [...first.versions] }),
  })
  const { data: comments = [] } = useQuery({
    ...commentsQuery(batch, of),
    ...held,
    enabled,
    ...(first && { initialData: [...first.comments] }),
  })
  const { data: result = null, isPending: isResultPending } = useQuery({
    ...resultQuery(batch.batch_id, of),
    enabled,
    ...(first?.result && { initialData: first.result }),
  })
  const versions = file ? versionsOf(file, [...(known ?? []).filter(({ id }) => id !== file.id), file]) : []
  return {
    file,
    error,
    retry: () => void refetch(),
    versions,
    comments,
    result,
    isResultPending,
    /** The version that replaced the one that is viewed. */
    newest: file && !file.is_current ? (versions.find(({ is_current }) => is_current) ?? null) : null,
  }
}
