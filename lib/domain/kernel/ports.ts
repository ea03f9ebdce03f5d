import type { Readable } from 'node:stream'
import type { MediaKind } from '@/lib/vocabulary'
import type { Violation } from './errors'

/** What the domain needs of the world outside, said without naming who provides it. */

/** A finished upload on local disk that no row claims yet. */
export type StagedFile = { path: string; size: number; sha256: string; discard(): Promise<void> }

export type BlobRange = { start: number; end: number }

export type Blobs = {
  /** Makes a staged file durable under a new key; it exists before any row names it. */
  commit(staged: StagedFile): Promise<string>
  read(key: string, range?: BlobRange): Promise<Readable>
  remove(key: string): Promise<void>
}

/** What a decoder found in a file it read to the end. */
export type Inspection = {
  mediaType: string
  kind: MediaKind
  media: Record<string, unknown>
  violations: Violation[]
  /** False: the packets are all there, the rest of the decode was cut short by the time it may take. */
  complete: boolean
}

export type Outside = {
  blobs: Blobs
  inspect(path: string, options: { extension: string; size: number }): Promise<Inspection>
  /** Keeps a link's token readable for those who may see it, and for nobody who only has the database. */
  secrets: { encrypt(text: string): string; decrypt(sealed: string): string }
  /** Address of the service, without a trailing slash. */
  baseUrl: string
  maxFileSize: number
}
