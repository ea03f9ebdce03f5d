import { isBidiControl, isControl, isIllFormed, isInvisible, listWords, nameCharacters, quote } from './characters'
import { findSameTypeExtension } from './token-values'
import type { NamingCode, NamingViolation } from './violation'

/** Characters, counted as Unicode code points. */
const MAX_NAME_LENGTH = 200
/** UTF-16 units beyond which a name is refused unread; no hostile name costs more than its first check. */
export const MAX_READ_LENGTH = 1000

const PATH_SEPARATORS = '/\\'
/** Besides the path separators; Microsoft, "Naming Files, Paths, and Namespaces". */
const RESERVED_CHARACTERS = '<>:"|?*'
/** Device names, with any extension, in any case; Microsoft counts the superscript digits as digits. */
const RESERVED_NAME = /^(?:CON|PRN|AUX|NUL|CONIN\$|CONOUT\$|(?:COM|LPT)[1-9¹²³])$/i

type CharacterRule = { code: NamingCode; applies: (character: string) => boolean; describe: (list: string) => string }

const CHARACTER_RULES: readonly CharacterRule[] = [
  {
    code: 'ill_formed_unicode',
    applies: isIllFormed,
    describe: (list) => `The name holds code points that are no characters: ${list}. Type the name again.`,
  },
  {
    code: 'path_separator',
    applies: (character) => PATH_SEPARATORS.includes(character),
    describe: (list) => `The name holds ${list}, which separates folders. Give the file's own name, without a folder.`,
  },
  {
    code: 'control_character',
    applies: isControl,
    describe: (list) => `The name holds control characters that cannot be seen: ${list}. Remove them.`,
  },
  {
    code: 'bidirectional_control',
    applies: isBidiControl,
    describe: (list) =>
      `The name holds characters that turn the direction of text and can disguise it: ${list}. Remove them.`,
  },
  {
    code: 'invisible_character',
    applies: isInvisible,
    describe: (list) => `The name holds characters that cannot be seen: ${list}. Remove them.`,
  },
  {
    code: 'reserved_character',
    applies: (character) => RESERVED_CHARACTERS.includes(character),
    describe: (list) =>
      `The name holds ${list}, which Windows does not allow in a file name. Replace it, such as by “-”.`,
  },
]

/**
 * The rules every file name keeps, template or not: 1 to 200 characters, well-formed Unicode, nothing that separates
 * paths, controls text or is reserved on Windows, no space or dot at either end.
 * @param extensions lower case, without the dot; the name must end in one of them. Empty: any extension will do.
 *   Null: the extension is checked elsewhere.
 */
export function checkPortableName(name: string, extensions: readonly string[] | null): NamingViolation[] {
  if (name === '') return [violation('empty_name', 'The file has no name. Give it one, with its extension.')]
  const characters = Array.from(name)
  const violations: NamingViolation[] = []
  if (name.length > MAX_READ_LENGTH) return [tooLong(characters.length)]
  if (characters.length > MAX_NAME_LENGTH) violations.push(tooLong(characters.length))
  for (const rule of CHARACTER_RULES) {
    const found = characters.filter(rule.applies)
    if (found.length > 0) violations.push(violation(rule.code, rule.describe(nameCharacters(found))))
  }
  const device = deviceName(name)
  if (device !== null) {
    violations.push(
      violation(
        'reserved_name',
        `${quote(device)} is the name of a device on Windows, with any extension. Choose another name.`,
      ),
    )
  }
  const edges = [/^[\s.]/u.test(name) ? 'begins' : null, /[\s.]$/u.test(name) ? 'ends' : null].filter(
    (end) => end !== null,
  )
  if (edges.length > 0) {
    violations.push(
      violation(
        'edge_space_or_dot',
        `The name ${quote(name)} ${edges.join(' and ')} with a space or a dot, which some systems drop. Remove it.`,
      ),
    )
  }
  if (extensions !== null) violations.push(...checkExtension(name, extensions))
  return violations
}

function tooLong(length: number): NamingViolation {
  const excess = length - MAX_NAME_LENGTH
  const message = `The name has ${length} characters; at most ${MAX_NAME_LENGTH} are allowed. Shorten it by ${excess}.`
  return violation('name_too_long', message, `1 to ${MAX_NAME_LENGTH} characters`)
}

function checkExtension(name: string, extensions: readonly string[]): NamingViolation[] {
  const expected = describeExtensions(extensions)
  const extension = readExtension(name.trimEnd())
  if (extension === null) {
    const message = `The name ${quote(name)} has no extension. End it with ${expected}.`
    return [{ ...violation('missing_extension', message, expected), token: 'ext' }]
  }
  if (isAllowed(extension, extensions)) return []
  const message = `Files ending in ${quote(`.${extension}`)} are not accepted here. Expected: ${expected}.`
  return [{ ...violation('wrong_extension', message, expected), token: 'ext' }]
}

/** `.jpg`, `.jpg or .png`; with no list, words. */
function describeExtensions(extensions: readonly string[]): string {
  if (extensions.length === 0) return 'an extension that fits the content, such as .jpg'
  return listWords(
    extensions.map((extension) => `.${extension}`),
    'or',
  )
}

/** The text after the last dot, as written; null when there is no dot, nothing before it, or nothing usable after it. */
function readExtension(name: string): string | null {
  const dot = name.lastIndexOf('.')
  const extension = name.slice(dot + 1)
  return dot > 0 && /^[A-Za-z0-9]{1,10}$/.test(extension) ? extension : null
}

function isAllowed(extension: string, extensions: readonly string[]): boolean {
  return extensions.length === 0 || extensions.includes(extension.toLowerCase())
}

function deviceName(name: string): string | null {
  const base = (name.split('.', 1)[0] ?? '').trimEnd()
  return RESERVED_NAME.test(base) ? base : null
}

/** The nearest name that keeps `checkPortableName`; null when what is missing cannot be known. */
export function suggestPortableName(name: string, extensions: readonly string[]): string | null {
  if (name.length > MAX_READ_LENGTH) return null
  const leaf =
    Array.from(name.normalize('NFC'))
      .filter((character) => !isIllFormed(character))
      .join('')
      .split(/[/\\]/)
      .at(-1) ?? ''
  const characters = Array.from(leaf)
    .filter((character) => !isControl(character) && !isBidiControl(character) && !isInvisible(character))
    .map((character) => (RESERVED_CHARACTERS.includes(character) ? '-' : character))
    .join('')
    .replace(/^[\s.]+/u, '')
    .replace(/[\s.]+$/u, '')
  const written = readExtension(characters)
  const extension = written !== null && isAllowed(written, extensions) ? written : fixExtension(written, extensions)
  if (extension === null) return null
  const stem = written === null ? characters : characters.slice(0, -(written.length + 1))
  const room = MAX_NAME_LENGTH - extension.length - 1
  const shortened = Array.from(stem)
    .slice(0, room)
    .join('')
    .replace(/[\s.-]+$/u, '')
  if (shortened === '') return null
  const fixed = `${shortened}.${extension}`
  const suggestion = deviceName(fixed) === null ? fixed : `file-${fixed}`
  return suggestion !== name && checkPortableName(suggestion, extensions).length === 0 ? suggestion : null
}

function fixExtension(written: string | null, extensions: readonly string[]): string | null {
  if (written !== null) return findSameTypeExtension(written, extensions)
  return extensions.length === 1 ? (extensions[0] ?? null) : null
}

/**
 * The form under which two names are the same file to people and to case-insensitive disks: Unicode NFC with full
 * case folding (Unicode 3.13, toCasefold), so that `STRASSE.PDF` and `straße.pdf` meet.
 */
export function nameKey(name: string): string {
  return Array.from(name.normalize('NFC'), foldCharacter).join('').normalize('NFC')
}

/** Folding is lower, upper, lower again, one character at a time; the dotless ı alone folds to itself. */
function foldCharacter(character: string): string {
  return character === 'ı' ? character : character.toLowerCase().toUpperCase().toLowerCase()
}

function violation(code: NamingCode, message: string, expected?: string): NamingViolation {
  return { rule: 'naming_convention', code, message, ...(expected === undefined ? {} : { expected }) }
}
