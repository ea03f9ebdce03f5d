import type { EvidenceWanted } from '@/lib/checks/check'
import type { Measures } from '@/lib/media/measurements'
import type { MediaKind } from '../facts'
import type { Inspection } from '../inspection'
import type { Failure, TextFacts } from '../measurements'

/** What the child is asked, one JSON line each, and what it answers. Pictures travel as base64. */
export type Task = 'look' | 'pictures' | 'examine' | 'evidence' | 'read'
export type Request = {
  task: Task
  path: string
  kind: MediaKind
  mediaType: string
  page?: number
  extension?: string
  wanted?: EvidenceWanted[]
  /** Of `examine`: the picture is held until the next request, which reads it. */
  keeps?: boolean
  /** Of `read`: the phrases that are looked for. */
  copy?: readonly string[]
}

export type Answers = {
  /** Each measure by itself: one that fails leaves the others standing. */
  look: { [M in 'pixels' | 'codes' | 'placed']?: Measures[M] | Failure }
  /** Integrity and measures of a picture by one decode. */
  examine: { inspection: Inspection; looked: Answers['look'] }
  /** One WebP for each that was wanted, null where it could not be drawn. */
  evidence: (string | null)[]
  /** What is written in it. */
  read: TextFacts
  pictures: { thumbnail: string; preview: string } | null
}
export type Answer<T extends Task = Task> = { done: Answers[T] } | Failure
