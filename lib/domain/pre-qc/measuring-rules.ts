import { isFailure } from '@/lib/checks/check'
import type { MediaKind, PreQcDepth } from '@/lib/vocabulary'
import { sha256Hex } from '../kernel/sha256'
import type { Measured } from './port'

/** Which measurements are the same, and which may be used again. Pure. */

/** What a measurement depends on besides the bytes. */
export type WayOfMeasuring = {
  kind: MediaKind
  mediaType: string
  /** A file is read as what its name says it is. */
  extension: string
  depth: PreQcDepth
  /** Phrases that are searched for in it. */
  copy: readonly string[]
}

/** What the quick profile reads in part, or does not run; the others are read in full anyway. */
export const LONG: ReadonlySet<MediaKind> = new Set(['video', 'audio', 'archive'])

/**
 * In words: two that are equal measure the same of the same bytes. Null where the bytes alone do not decide it: an HTML5 ad
 * is run, which depends on the machine.
 */
export function wayOf({ kind, mediaType, extension, depth, copy }: WayOfMeasuring): string | null {
  const isQuick = depth === 'quick' && LONG.has(kind)
  if (kind === 'archive' && !isQuick) return null
  const words = [kind, mediaType, extension, isQuick ? 'quick' : 'full']
  return [...words, ...(copy.length > 0 ? [sha256Hex(JSON.stringify(copy))] : [])].join(' ')
}

/** Whether all was measured that can be: nothing was given up for a limit of the machine, and the bytes are intact. */
export function isWhole({ integrity, media, measures }: Measured, { kind, depth }: WayOfMeasuring): boolean {
  if (isFailure(integrity) || integrity.violations.length > 0 || isFailure(media)) return false
  if (!integrity.complete && !(depth === 'quick' && LONG.has(kind))) return false
  if (measures.text && !isFailure(measures.text) && !measures.text.isComplete) return false
  return !Object.values(measures).some(hasFailure)
}

/** Anywhere in it: a part of a measure may have failed by itself. */
const hasFailure = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && (isFailure(value) || Object.values(value).some(hasFailure))
