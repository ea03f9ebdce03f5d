import { v4 as uuid } from 'uuid'
import type { Violation } from '@/lib/domain/kernel/errors'

/**
 * new: its name was not validated yet; misnamed: refused before a byte was sent, can be renamed; waiting, sending,
 * validating: on its way; retrying: the server does not respond at the moment, it goes on by itself; stored, refused: the server's
 * verdict; failed: no verdict, can be tried again; cancelled: taken back by the person.
 */
export type UploadState =
  | 'new'
  | 'misnamed'
  | 'waiting'
  | 'sending'
  | 'retrying'
  | 'validating'
  | 'stored'
  | 'refused'
  | 'failed'
  | 'cancelled'

export type UploadItem = {
  /** A UUID: no other file of this or of an earlier visit has it. */
  id: string
  /** What it is sent under: every attempt means the same thing, another name means another. */
  idempotencyKey: string
  file: File
  /** The folder inside what was chosen, `Spring/300x250`; empty for single files. */
  folder: string
  state: UploadState
  sentBytes: number
  /** Bytes a second, of late; null while nothing moves. */
  speed: number | null
  violations: readonly Violation[]
  /** Why it failed, or why it waits. */
  failure: string | null
  version: number | null
  sha256: string | null
}

export const newItem = (id: string, file: File, folder: string): UploadItem => ({
  id,
  idempotencyKey: uuid(),
  file,
  folder,
  state: 'new',
  sentBytes: 0,
  speed: null,
  violations: [],
  failure: null,
  version: null,
  sha256: null,
})

export const isOnItsWay = ({ state }: UploadItem) =>
  state === 'waiting' || state === 'sending' || state === 'retrying' || state === 'validating'

/** The name under which the file would be taken, where the rules could propose one. */
export function proposedName({ state, file, violations }: UploadItem): string | null {
  if (state !== 'misnamed' && state !== 'refused') return null
  const name = violations.find(({ suggestion }) => suggestion)?.suggestion
  return name && name !== file.name ? name : null
}

export type Totals = {
  stored: number
  refused: number
  failed: number
  running: number
  retrying: number
  renamable: number
  bytes: number
  sentBytes: number
}

export function totalsOf(items: readonly UploadItem[]): Totals {
  const totals = { stored: 0, refused: 0, failed: 0, running: 0, retrying: 0, renamable: 0, bytes: 0, sentBytes: 0 }
  for (const item of items) {
    const { state, file } = item
    if (state === 'stored') totals.stored += 1
    if (state === 'refused' || state === 'misnamed') totals.refused += 1
    if (state === 'failed') totals.failed += 1
    if (state === 'new' || isOnItsWay(item)) totals.running += 1
    if (state === 'retrying') totals.retrying += 1
    if (proposedName(item)) totals.renamable += 1
    if (state === 'misnamed' || state === 'cancelled') continue
    totals.bytes += file.size
    totals.sentBytes += state === 'refused' || state === 'failed' ? file.size : item.sentBytes
  }
  return totals
}
