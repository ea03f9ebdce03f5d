import { quote } from '../kernel/errors'

/** Where files are put below a target, and when a delivery is tried again. Pure, and the browser runs the same. */

/** What may stand in braces in a template, with what is put there. */
export const DESTINATION_TOKENS = {
  agency: 'Name of the agency',
  project: 'Name of the project',
  batch: 'Name of the batch',
  round: 'Round of the batch',
  file: 'Name of the file with its extension',
  name: 'Name of the file without its extension',
  ext: 'Extension of the file',
  version: 'Version of the file',
  date: 'Day of the delivery, such as 2026-11-25',
} as const
type DestinationToken = keyof typeof DESTINATION_TOKENS
export type DestinationValues = Record<DestinationToken, string>

export const DEFAULT_TEMPLATE = '{project}/{batch}/{file}'
const MAX_PART_BYTES = 255
/** S3 takes keys of 1024 bytes, of which the target's own prefix is a part. */
const MAX_PATH_BYTES = 800

type Part = { text: string } | { token: DestinationToken }

const isToken = (name: string): name is DestinationToken => Object.hasOwn(DESTINATION_TOKENS, name)

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters that are refused
const UNSAFE = /[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\\<>:"|?*]/gu

/** The template as parts, or a sentence that says what is wrong with it. */
function parse(template: string): Part[] | string {
  const parts: Part[] = []
  for (const [piece] of template.matchAll(/\{[^{}]*\}|[^{}]+|[{}]/g)) {
    if (piece === '{' || piece === '}')
      return `The brace ${quote(piece)} has no other half. Write tokens as in ${quote('{project}')}.`
    if (!piece.startsWith('{')) {
      parts.push({ text: piece })
      continue
    }
    const name = piece.slice(1, -1)
    if (!isToken(name)) {
      const known = Object.keys(DESTINATION_TOKENS).map((token) => `{${token}}`)
      return `${quote(piece)} is no token. Write one of ${known.join(', ')}.`
    }
    parts.push({ token: name })
  }
  return parts
}

/** What is wrong with a naming template for destinations, as a sentence; null when nothing is. */
export function explainTemplate(template: string): string | null {
  const parts = parse(template)
  if (typeof parts === 'string') return parts
  const [unsafe] = template.match(UNSAFE) ?? []
  if (unsafe) return `${quote(unsafe)} cannot stand in a path on every system. Leave it out.`
  const names = parts.flatMap((part) => ('token' in part ? [part.token] : []))
  if (!names.includes('file') && !names.includes('name'))
    return `The template has no ${quote('{file}')} and no ${quote('{name}')}: all files would have one path. Add one of them.`
  for (const folder of template.split('/')) {
    if (folder.trim() === '')
      return `There is an empty folder name in ${quote(template)}. Paths have no slash at either end, and never two in a row.`
    if (/^\.+$/.test(folder.trim()))
      return `The folder ${quote(folder)} would lead out of the place files are delivered to. Leave it out.`
  }
  return null
}

/** A value inside a path: never a separator, nothing that no file system takes. */
const tame = (value: string) => value.normalize('NFC').replace(UNSAFE, '_').replaceAll('/', '_')

/**
 * The path of a file below its target. Throws nothing for a template that `explainTemplate` takes: what a name would break is
 * replaced by `_`.
 */
export function pathOf(template: string, values: DestinationValues): string {
  const parts = parse(template)
  if (typeof parts === 'string') throw new Error(parts)
  const written = parts.map((part) => ('token' in part ? tame(values[part.token]) : part.text)).join('')
  return written.split('/').map(folderName).join('/')
}

/** No name of dots, no space or dot at its end: Windows drops those, and then two names are one. */
function folderName(folder: string): string {
  const trimmed = folder.trim().replace(/[. ]+$/, '')
  return trimmed === '' ? '_' : trimmed
}

/** What is wrong with the path of a file, as a sentence; null when nothing is. */
export function explainPath(path: string): string | null {
  const bytes = (text: string) => new TextEncoder().encode(text).length
  const long = path.split('/').find((part) => bytes(part) > MAX_PART_BYTES)
  if (long) return `${quote(long)} is longer than the ${MAX_PART_BYTES} bytes that file systems take.`
  return bytes(path) > MAX_PATH_BYTES ? `The path ${quote(path)} is longer than ${MAX_PATH_BYTES} bytes.` : null
}

/** Files that would have one path: on targets that do not tell letters of either case apart, too. */
export function collisionsOf<T extends { path: string }>(files: readonly T[]): [T, T][] {
  const first = new Map<string, T>()
  return files.flatMap((file): [T, T][] => {
    const key = file.path.normalize('NFC').toLowerCase()
    const other = first.get(key)
    if (other) return [[other, file]]
    first.set(key, file)
    return []
  })
}

/** `spot.final.mp4` as `spot.final` and `mp4`. */
export function splitName(name: string): { name: string; ext: string } {
  const at = name.lastIndexOf('.')
  return at > 0 ? { name: name.slice(0, at), ext: name.slice(at + 1) } : { name, ext: '' }
}

const SECOND = 1_000
const MINUTE = 60 * SECOND
/** Waits before each attempt, milliseconds. */
const SCHEDULE = [0, 10 * SECOND, MINUTE, 5 * MINUTE, 30 * MINUTE, 2 * 60 * MINUTE]
/** A worker says that often that it is at it, and is taken for dead after this time. */
export const HEARTBEAT_MS = 5 * SECOND
export const LEASE_MS = 60 * SECOND

/** When to try again after an attempt that failed. `step`: how many there were, this one included. Null: no more. */
export function nextAttempt(step: number, now: Date): Date | null {
  const wait = SCHEDULE[step]
  return wait === undefined ? null : new Date(now.getTime() + wait)
}
