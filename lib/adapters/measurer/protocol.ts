import type { Failure } from '@/lib/checks/check'
import type { MediaKind } from '@/lib/checks/facts'
import type { PixelFacts } from '@/lib/checks/measure/pixels'

/** What the child is asked, one JSON line each, and what it answers. Pictures travel as base64. */
export type Task = 'pixels' | 'pictures'
export type Request = { task: Task; path: string; kind: MediaKind; mediaType: string; page?: number }

export type Answers = {
  pixels: PixelFacts
  pictures: { thumbnail: string; preview: string } | null
}
export type Answer<T extends Task = Task> = { done: Answers[T] } | Failure
