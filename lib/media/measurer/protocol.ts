import type { EvidenceWanted } from '@/lib/checks/check'
import type { Measures } from '@/lib/media/measurements'
import type { MediaKind } from '../facts'
import type { Inspection } from '../inspection'
import type { Failure, TextFacts } from '../measurements'

export type FileToMeasure = { path: string; kind: MediaKind; mediaType: string }

/** What one decode shows. Each measure by itself: one that fails leaves the others standing. */
export type InspectedImage = { [M in 'pixels' | 'codes' | 'placed']?: Measures[M] | Failure }

export type DrawnImages = { thumbnail: string; preview: string }

/** Images are in base64, WebP unless said otherwise. */
export type MeasurerJobs = {
  inspect: { request: FileToMeasure; result: InspectedImage }
  /** Integrity and measures of an image by one decode; `stores`: it is held until the next job, which reads it; `draws`: it is drawn, too. */
  examine: {
    request: FileToMeasure & { extension: string; stores?: boolean; draws?: boolean }
    result: { inspection: Inspection; inspected: InspectedImage; drawn?: DrawnImages | null }
  }
  /** What is written in it, as far as it bears on the phrases of `copy`. */
  read: { request: FileToMeasure & { copy: readonly string[] }; result: TextFacts }
  /** One for each that was wanted, null where it could not be drawn. */
  evidence: { request: FileToMeasure & { wanted: EvidenceWanted[] }; result: (string | null)[] }
  /** Of a document: which page, from 1. */
  previews: { request: FileToMeasure & { page?: number }; result: DrawnImages | null }
  /** An image drawn anew as PNG, in base64, without its empty edges. */
  logo: {
    request: FileToMeasure & { largest: { width: number; height: number } }
    result: { png: string; width: number; height: number } | null
  }
}
