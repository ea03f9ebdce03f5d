import type { Subject } from '@/lib/checks/check'
import type { MediaFacts } from '@/lib/media/facts'
import type { MediaKind } from '@/lib/vocabulary'
import type { Violation } from '../kernel/errors'
import type { Context } from '../kernel/operation'

declare module '../kernel/ports' {
  interface InstantPorts {
    files: FileLimits
  }
  interface SlowPorts {
    files: FileReader
  }
}

export interface FileLimits {
  /** Bytes. */
  maxFileSize: number
  /** How long an upload's response waits for the decode, milliseconds. */
  integrityWaitMs: number
  /** Whether clients may send files to the storage itself. */
  takesDirectUploads: boolean
}

/** Reads files on the local disk. */
export interface FileReader {
  /** Validates a file by its bytes. `extension` is the one it was sent under, `agencyId` whose it is. */
  inspect(
    path: string,
    options: {
      extension: string
      timeoutMs: number
      deep?: boolean
      quick?: boolean
      sha256?: string
      agencyId?: string
    },
  ): Promise<Inspection>
  /**
   * Hears of a file that is still coming in, so that `inspect` finds it half done: the bytes before `upTo` are there.
   * `mayChange`: they may yet be replaced.
   */
  followArrival(path: string, extension: string, upTo: number, options: { mayChange: boolean }): void
  /** Stores what `inspect` has measured of a file that was accepted, for its checks. Never rejects. */
  keepMeasures(ctx: Context, file: { name: string; sha256: string }, inspection: Inspection): Promise<void>
  /** Searches for malware; null where no scanner is set up. */
  scan: ((path: string) => Promise<{ found: string | null }>) | null
  /** Draws a file, of a document one page (from 1), WebP; null where there is nothing to draw. */
  drawPreviews(
    path: string,
    file: { kind: MediaKind; mediaType: string; page?: number },
  ): Promise<{ thumbnail: Buffer | null; preview: Buffer | null }>
}

/** What a decoder found in a file it read to the end. */
export type Inspection = {
  mediaType: string
  kind: MediaKind
  /** Measured facts; null when the file could not be read far enough. */
  media: MediaFacts | null
  violations: Violation[]
  /** False: the packets are all there, the rest of the decode was cut short by the time it may take. */
  complete: boolean
  /** What its frames and samples show; with `deep`, or where it was measured while it came in. */
  measures?: Subject['measures']
}
