import type { Shape } from '@/lib/domain/review/schema'

type Said = { id: string; body: string; author: string; at: string }

/** A thread of comments as annotations of a page: where, what was said, and what is drawn with it. */
export type Remark = Said & {
  number: number
  /** From 1. */
  page: number
  /** Shares of the page as it is seen. */
  place: { x: number; y: number; width: number; height: number } | null
  shapes: readonly Shape[]
  isResolved: boolean
  replies: readonly Said[]
}

/** `into`: a path in a folder that both processes may write to. */
export type PdfToAnnotate = { path: string; into: string; remarks: readonly Remark[] }

export type AnnotatorJobs = {
  annotate: { request: PdfToAnnotate; result: { annotations: number } | { refused: string } }
}
