import type { Readable } from 'node:stream'

/** A backup, its target, or what is restored into is not as it must be. The message is for the administrator. */
export class BackupError extends Error {
  override readonly name = 'BackupError'
}

/**
 * Where backups lie: a folder, or a bucket below a prefix. Names are ours alone, see `assertName`. What is put appears
 * whole or not at all, and survives a power cut once `put` resolves.
 * Every method throws BackupError with a sentence when the target cannot do it.
 */
export interface Target {
  /** As people named it. */
  readonly address: string
  /** Prepares it to be written to, and removes what a broken-off backup left half written. */
  open(): Promise<void>
  /** `size`: bytes, as far as they are known before. When `bytes` fails, nothing is there. */
  put(name: string, bytes: AsyncIterable<Uint8Array>, size?: number): Promise<void>
  /** Length in bytes; null when there is no such thing. */
  size(name: string): Promise<number | null>
  read(name: string): Promise<Readable>
  /** The names below `backups/`, in no order. */
  list(): AsyncIterable<string>
  /** True when it holds nothing at all that is not ours. */
  isOurs(): Promise<boolean>
}

const ID = '\\d{4}-\\d\\d-\\d\\dT\\d\\d-\\d\\d-\\d\\d\\.\\d{3}Z'
const SHA256 = '[0-9a-f]{64}'
const name = new RegExp(
  `^(?:objects/[0-9a-f]{2}/${SHA256}|backups/${ID}/(?:manifest\\.json|objects\\.jsonl\\.gz|secrets\\.json|rows/[a-z][a-z0-9_]{0,62}\\.copy\\.gz))$`,
)

/** Nothing a manifest says may lead out of its target: a name is one of these, or it is refused. */
export function assertName(value: string): string {
  if (!name.test(value)) throw new BackupError(`“${value.slice(0, 200)}” is no name of something in a backup.`)
  return value
}

export const isName = (value: string) => name.test(value)

/** By content: the same bytes lie there once, whichever backup they belong to. */
export const objectName = (sha256: string) => assertName(`objects/${sha256.slice(0, 2)}/${sha256}`)

/** The moment of a backup as its name, and back. */
export const idOf = (takenAt: Date) => takenAt.toISOString().replaceAll(':', '-')
export const manifestName = (id: string) => assertName(`backups/${id}/manifest.json`)
export const listingName = (id: string) => assertName(`backups/${id}/objects.jsonl.gz`)
export const secretsName = (id: string) => assertName(`backups/${id}/secrets.json`)
export const rowsName = (id: string, table: string) => assertName(`backups/${id}/rows/${table}.copy.gz`)
