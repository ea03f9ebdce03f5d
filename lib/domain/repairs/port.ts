import type { Readable } from 'node:stream'
import type { RepairStep } from '@/lib/repairs/steps'
import type { MediaKind } from '@/lib/vocabulary'

declare module '../kernel/ports' {
  interface SlowPorts {
    repairs: Repairer
  }
}

/** Writes repaired copies of files on the local disk. */
export interface Repairer {
  /**
   * Carries out the steps, and gives the copy to `use`; it is gone once that settles. `failed`: a sentence for people why
   * there is no copy. Never rejects but by what `use` throws.
   */
  repair<R>(
    path: string,
    file: { mediaType: string; kind: MediaKind; steps: readonly RepairStep[] },
    use: (copy: RepairedCopy & { size: number; read(): Readable }) => Promise<R>,
  ): Promise<R | { failed: string }>
}

export type RepairedCopy = {
  mediaType: string
  /** What was changed, in one sentence. */
  sentence: string
  /** Streams, entries or samples of the copy, and whether the original holds the very same. */
  parts: { name: string; sha256: string; is_untouched: boolean }[]
}
