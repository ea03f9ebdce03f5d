import { alignName, MAX_ALIGNED_LENGTH } from './align'
import type { TokenValues } from './claims'
import { nameKey } from './portable-name'
import { parseTemplate } from './template'
import type { NamingContext, TokenName } from './tokens'
import { validateName } from './validate-name'

/**
 * Which name matches a rejected file, and which one is proposed. A name matches when it is the same, or differs only in
 * a higher `{version}`, or in tokens that the reasons of the rejection demand to change. Pure: the server and the
 * browser ask here.
 */

export type Naming = {
  /** Null: any portable name will do. */
  template: string | null
  context: NamingContext
}

/** A rejected file, as far as the names of its next version depend on it. */
export type AwaitedName = {
  name: string
  /** Tokens that the reasons of the rejection demand to change, besides the version. */
  changeable: readonly TokenName[]
  /** Values that the proposed name holds instead of the present ones, such as the size that was measured. */
  proposed?: TokenValues
  /** The proposed name, where it is known already, as in a browser. */
  suggested?: string
}

/** `several`: the name could mean any of these files, so it means none. */
type FileMatch<T> =
  | { kind: 'none' }
  | { kind: 'one'; file: T }
  /** Not a response, but it differs from this file's name only in a version that is not higher. */
  | { kind: 'not_newer'; file: T }
  | { kind: 'several'; files: T[] }

/** A stretch of a name that fits; `option` numbers the optional part of the template it stands in. */
type Part = { id: string; token: TokenName | null; option: number | null; text: string }

export type NextVersions<T> = {
  /** Which of the rejected files the name matches. */
  matchOf(name: string): FileMatch<T>
  /** The one name to propose for the next version; `matchOf` finds the file by it. */
  suggestedName(file: T): string
}

/**
 * @param taken keys of names that are in use, with the rejected file of which the name is an earlier version's; null when
 *   it belongs to any other file, or to one that is still to come
 */
export function nextVersions<T extends AwaitedName>(
  naming: Naming,
  rejected: readonly T[],
  taken: ReadonlyMap<string, T | null>,
): NextVersions<T> {
  const read = nameReader(naming)
  const byKey = groupBy(rejected, (file) => nameKey(file.name))
  // Read only when a name is not simply the same: of most batches that is never.
  let prepared: Prepared<T> | null = null
  const prepare = () => {
    prepared ??= prepareAll(naming, rejected, read)
    return prepared
  }

  function matchOf(name: string): FileMatch<T> {
    const key = nameKey(name)
    const same = byKey.get(key)
    if (same) return oneOf(same)
    const owner = taken.get(key)
    if (owner === null || rejected.length === 0) return { kind: 'none' }
    const result = findMatch(name, key)
    return owner !== undefined && result.kind === 'one' && result.file !== owner ? { kind: 'none' } : result
  }

  function findMatch(name: string, key: string): FileMatch<T> {
    const { fixed, steps, bases } = prepare()
    const corrected = fixed.get(key)
    if (corrected) return oneOf(corrected)
    const parts = read(name)
    if (!parts) return { kind: 'none' }
    let older: T | undefined
    // Few changes before many: what differs in the version alone is meant, whatever else could be. Demands of the same
    // number of tokens are considered together, so that the order of the files decides nothing.
    for (const step of steps) {
      const found = step.flatMap(({ changeable, files }) => {
        const alike = files.get(skeleton(parts, changeable)) ?? []
        older ??= changeable.length === 0 ? alike[0] : undefined
        return alike.filter((file) => isNewer(parts, bases.get(file), changeable))
      })
      if (found.length > 0) return oneOf(found)
    }
    return older ? { kind: 'not_newer', file: older } : { kind: 'none' }
  }

  function suggestedName(file: T): string {
    if (file.suggested !== undefined) return file.suggested
    const parts = prepare().bases.get(file)
    if (!parts) return file.name
    const proposed = file.proposed ?? {}
    const candidates = [proposed, {}].flatMap((values) => [
      ...raisedVersions(parts).map((version) => write(parts, { ...values, version })),
      write(parts, values),
    ])
    const isRight = (name: string) => {
      const result = matchOf(name)
      return result.kind === 'one' && result.file === file && validateName({ ...naming, name }).accepted
    }
    return candidates.find(isRight) ?? file.name
  }

  return { matchOf, suggestedName }
}

/** The name a next version is given when no other file stands in the way: a higher version, and what is proposed. */
export function nextName(naming: Naming, file: AwaitedName): string {
  return nextVersions(naming, [file], new Map()).suggestedName(file)
}

const oneOf = <T>(files: T[]): FileMatch<T> => {
  const [file] = files
  return file !== undefined && files.length === 1 ? { kind: 'one', file } : { kind: 'several', files }
}

type Prepared<T> = {
  /** By the key of the name that the template makes of one that does not fit it any more. */
  fixed: Map<string, T[]>
  bases: Map<T, Part[]>
  /** What may change, from nothing to much: one step for each number of tokens. */
  steps: { changeable: readonly TokenName[]; files: Map<string, T[]> }[][]
}

function prepareAll<T extends AwaitedName>(
  naming: Naming,
  rejected: readonly T[],
  read: (name: string) => Part[] | null,
): Prepared<T> {
  const bases = new Map<T, Part[]>()
  const corrected: { file: T; name: string }[] = []
  for (const file of rejected) {
    const own = read(file.name)
    const name = own ? file.name : validateName({ ...naming, name: file.name }).suggestion
    const parts = own ?? (name === null ? null : read(name))
    if (parts) bases.set(file, parts)
    if (!own && name !== null) corrected.push({ file, name })
  }
  const readable = rejected.filter((file) => bases.has(file))
  const demands = new Map(readable.map(({ changeable }) => [changeable.join(), changeable]))
  demands.delete('')
  const patterns = [[], ...demands.values()].map((changeable) => ({
    changeable,
    files: groupBy(
      readable.filter((file) => changeable.length === 0 || file.changeable.join() === changeable.join()),
      (file) => skeleton(bases.get(file) ?? [], changeable),
    ),
  }))
  const byLength = groupBy(patterns, ({ changeable }) => String(changeable.length))
  const steps = [...byLength.values()].sort((a, b) => (a[0]?.changeable.length ?? 0) - (b[0]?.changeable.length ?? 0))
  const fixed = groupBy(corrected, ({ name }) => nameKey(name))
  return { bases, steps, fixed: new Map([...fixed].map(([key, found]) => [key, found.map(({ file }) => file)])) }
}

/** Reads names that fit the template, or that end in an extension where there is none; null for others. */
function nameReader({ template: source, context }: Naming): (name: string) => Part[] | null {
  if (source === null) {
    return (name) => {
      const [, stem, extension] = /^(.+)\.([A-Za-z0-9]{1,10})$/su.exec(name.normalize('NFC')) ?? []
      return stem === undefined || extension === undefined
        ? null
        : [
            { id: 'stem', token: null, option: null, text: stem },
            { id: 'dot', token: null, option: null, text: '.' },
            { id: 'ext', token: 'ext', option: null, text: extension },
          ]
    }
  }
  const parsed = parseTemplate(source)
  if (!parsed.ok) return () => null
  const { template } = parsed
  const rules = template.fixedExtension === null ? context : { ...context, extensions: [template.fixedExtension] }
  return (fileName) => {
    const name = fileName.normalize('NFC')
    if (Array.from(name).length > MAX_ALIGNED_LENGTH) return null
    const { fits, pieces } = alignName(template, name, rules)
    if (!fits) return null
    return pieces.flatMap((piece) => {
      const part = piece.kind === 'part' ? template.parts[piece.part] : undefined
      if (!part || piece.kind !== 'part') return []
      const token = part.kind === 'token' ? part.token : null
      return [{ id: String(piece.part), token, option: part.option, text: piece.text }]
    })
  }
}

/** What two names have in common that differ only in the version and in these tokens. */
function skeleton(parts: readonly Part[], changeable: readonly TokenName[]): string {
  const isFree = (token: TokenName | null) => token === 'version' || (token !== null && changeable.includes(token))
  const freeOptions = new Set(parts.filter(({ token }) => isFree(token)).map(({ option }) => option))
  return parts
    .filter(({ token, option }) => !isFree(token) && !(token === null && option !== null && freeOptions.has(option)))
    .map(({ id, text }) => `${id}:${nameKey(text)}`)
    .join('\n')
}

const versionOf = (parts: readonly Part[]) => parts.find(({ token }) => token === 'version')?.text

/** A higher version; or the same one, where other tokens were to change. No version written is the first. */
function isNewer(parts: readonly Part[], base: readonly Part[] | undefined, changeable: readonly TokenName[]): boolean {
  if (!base) return false
  const [found, was] = [versionOf(parts), versionOf(base)]
  return Number(found ?? 1) > Number(was ?? 1) || (changeable.length > 0 && found === was)
}

/** Versions tried for one that no other file has. */
const MOST_RAISED = 20

/** The next versions with as many digits (`v09` -> `v10`); none where the name has none, or no digits are left. */
function raisedVersions(parts: readonly Part[]): string[] {
  const version = versionOf(parts)
  if (version === undefined) return []
  return Array.from({ length: MOST_RAISED }, (_, step) =>
    String(Number(version) + 1 + step).padStart(version.length, '0'),
  ).filter((raised) => raised.length <= 6)
}

const write = (parts: readonly Part[], values: TokenValues) =>
  parts.map(({ token, text }) => (token === null ? text : (values[token] ?? text))).join('')

function groupBy<T>(items: readonly T[], keyOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>()
  for (const item of items) {
    const key = keyOf(item)
    const group = groups.get(key)
    if (group) group.push(item)
    else groups.set(key, [item])
  }
  return groups
}
