import type { EvidenceWanted, Subject } from '@/lib/checks/check'
import type { MediaKind, PreQcDepth } from '@/lib/vocabulary'

declare module '../kernel/ports' {
  interface SlowPorts {
    preQc: Measurer
  }
}

/** Reads files on the local disk for their checks. */
export interface Measurer {
  /** Of the code that measures: what another version measured may differ. */
  version: string
  /** Whether files are measured as soon as they are there, before anybody asks for a verdict. */
  measuresAhead: boolean
  /**
   * What a file's container says, and what its pixels, samples or pages show. `copy`: phrases to be searched for in what can
   * be read of it; without any nothing is read.
   */
  measure(
    path: string,
    file: { name: string; kind: MediaKind; mediaType: string },
    how?: HowToMeasure,
  ): Promise<Measured>
  /** Measures an image, and draws it, by one decode. `drawn`: null where it could not be drawn so. */
  measureAndDraw(
    path: string,
    file: { name: string; mediaType: string },
  ): Promise<{ measured: Measured; drawn: { thumbnail: Buffer; preview: Buffer } | null }>
  /** Draws what the checks of a file found, WebP; null where that cannot be shown. */
  drawEvidence(
    path: string,
    file: { kind: MediaKind; mediaType: string },
    wanted: EvidenceWanted[],
  ): Promise<(Buffer | null)[]>
}

export type HowToMeasure = {
  depth?: PreQcDepth
  copy?: readonly string[]
  /** No user waits for it yet: it lets everything else go first. */
  isAhead?: boolean
  /** Whose the file is: files of one agency may be read by one process. */
  agencyId?: string
}

export type Measured = Pick<Subject, 'media' | 'integrity' | 'measures'> & {
  /** WebP: what an ad looked like while it ran. */
  contactSheet?: Buffer | null
  /** WebP: what an ad shows, for lists; nothing else draws it. */
  still?: { thumbnail: Buffer; preview: Buffer } | null
}
