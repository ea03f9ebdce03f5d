import type { Failure, Measures } from '@/lib/checks/check'
import type { MediaKind } from '@/lib/checks/facts'

/** What the child is asked, one JSON line each, and what it answers. Pictures travel as base64. */
export type Task = 'look' | 'pictures'
export type Request = { task: Task; path: string; kind: MediaKind; mediaType: string; page?: number }

export type Answers = {
  /** Each measure by itself: one that fails leaves the others standing. */
  look: { [M in 'pixels' | 'codes' | 'placed']?: Measures[M] | Failure }
  pictures: { thumbnail: string; preview: string } | null
}
export type Answer<T extends Task = Task> = { done: Answers[T] } | Failure
