/** What a character is, and how it is shown, for rules about names. One character = one Unicode code point. */

export const isDigit = (character: string) => character >= '0' && character <= '9' && character.length === 1
export const isAsciiLetter = (character: string) => /^[A-Za-z]$/.test(character)
/** Letters of any script with their marks. */
export const isLetter = (character: string) => isAsciiLetter(character) || /^[\p{L}\p{M}]$/u.test(character)
/** Letters and digits of any script: what words are made of. Everything else separates them. */
export const isWordCharacter = (character: string) => isLetter(character) || /^\p{Nd}$/u.test(character)

/** Controls that steer the direction of text: they can make `gpj.exe` read as `exe.jpg` (UAX #9). */
export const isBidiControl = (character: string) => /^[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]$/u.test(character)
/** C0 and C1 controls, and the line and paragraph separators. */
export const isControl = (character: string) => /^[\p{Cc}\u2028\u2029]$/u.test(character)
/** Takes no place on the screen and has no part in spelling; the joiners of Persian, Indic scripts and emoji have. */
export function isInvisible(character: string): boolean {
  const code = character.codePointAt(0) ?? 0
  return INVISIBLE_RANGES.some(([first, last]) => code >= first && code <= last)
}

/** Unicode's Default_Ignorable_Code_Point without joiners, direction controls and variation selectors. */
const INVISIBLE_RANGES: readonly (readonly [number, number])[] = [
  [0xad, 0xad],
  [0x34f, 0x34f],
  [0x115f, 0x1160],
  [0x17b4, 0x17b5],
  [0x180e, 0x180e],
  [0x200b, 0x200b],
  [0x2060, 0x2065],
  [0x206a, 0x206f],
  [0x3164, 0x3164],
  [0xfeff, 0xfeff],
  [0xffa0, 0xffa0],
  [0xfff0, 0xfffb],
  [0x1bca0, 0x1bca3],
  [0x1d173, 0x1d17a],
  [0xe0000, 0xe00ff],
  [0xe01f0, 0xe0fff],
]

/** Half of a surrogate pair, or one of the 66 code points that Unicode promises never to assign. */
export const isIllFormed = (character: string) => /^[\p{Cs}\p{Noncharacter_Code_Point}]$/u.test(character)

const CYRILLIC_AND_GREEK = 'АВЕЅІЈКМНОРСТУХҮасеѕіјорухһԁԛԝΑΒΕΖΗΙΚΜΝΟΡΤΥΧονօ'
const LATIN_LOOK_ALIKES = 'ABESIJKMHOPCTYXYacesijopyxhdqwABEZHIKMNOPTYXovo'
const lookAlikes = new Map([...CYRILLIC_AND_GREEK].map((character, at) => [character, LATIN_LOOK_ALIKES.charAt(at)]))
for (const dash of '‐‑‒–—―−﹘﹣') lookAlikes.set(dash, '-')
for (const cross of '×✕✖⨯') lookAlikes.set(cross, 'x')
lookAlikes.set('․', '.')
lookAlikes.set('‿', '_')

/** The ASCII character that this one looks like or stands for (`А`, `Ａ` -> `A`, `–` -> `-`, `٣` -> `3`); else itself. */
export function plainCharacter(character: string): string {
  if (character <= '\u007f') return character
  const latin = lookAlikes.get(character)
  if (latin !== undefined) return latin
  const compatible = character.normalize('NFKC')
  if (compatible.length === 1 && compatible <= '\u007f') return compatible
  if (/^\p{Nd}$/u.test(character)) return String(digitValue(character))
  if (/^\p{Zs}$/u.test(character)) return ' '
  return character
}

/** `plainCharacter` for every character of a text. */
export function plainText(text: string): string {
  return /^[ -~]*$/.test(text) ? text : Array.from(text, plainCharacter).join('')
}

/** Unicode keeps the decimal digits of a script in one ascending run of ten. */
function digitValue(character: string): number {
  const code = character.codePointAt(0) ?? 0
  let value = 0
  while (value < 9 && /^\p{Nd}$/u.test(String.fromCodePoint(code - value - 1))) value++
  return value
}

/**
 * Where a character of another script hides in a Latin word, as the Cyrillic `а` in `Hаppy`. A word wholly in one
 * script is left alone, whatever it looks like.
 */
export function findLookAlikes(characters: readonly string[]): boolean[] {
  const found = characters.map(() => false)
  for (let start = 0; start < characters.length; start++) {
    let end = start
    while (end < characters.length && isLetter(characters[end] ?? '')) end++
    const word = characters.slice(start, end)
    if (word.some((character) => /^\p{Script=Latin}$/u.test(character))) {
      word.forEach((character, at) => {
        if (lookAlikes.has(character) || /^[\uFF21-\uFF3A\uFF41-\uFF5A]$/u.test(character)) found[start + at] = true
      })
    }
    start = end
  }
  return found
}

/** A text made safe to read in a message: what would be invisible or steer the line is written as `[U+202E]`. */
export function displayName(text: string, maxCharacters = 200): string {
  const characters = Array.from(text)
  const shown = characters
    .slice(0, maxCharacters)
    .map((character) => (isHidden(character) ? codePoint(character) : character))
  return shown.join('') + (characters.length > maxCharacters ? '…' : '')
}

const isHidden = (character: string) =>
  isControl(character) ||
  isBidiControl(character) ||
  isInvisible(character) ||
  isIllFormed(character) ||
  /^(?:\u200C|\u200D|\p{Co})$/u.test(character)

function codePoint(character: string): string {
  return `[U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}]`
}

/** A found text in quotation marks, shortened and safe to read. */
export const quote = (text: string) => `“${displayName(text, 60)}”`

/** `a space`, or the character in quotation marks. */
export function nameCharacter(character: string): string {
  if (character === ' ') return 'a space'
  if (/^\p{Zs}$/u.test(character)) return `a special space ${codePoint(character)}`
  return quote(character)
}

/** `“/”`, `“/” and a space`, `“:”, “*” and “?”`: each different one once, at most five. */
export function nameCharacters(characters: readonly string[]): string {
  return listWords([...new Set(characters)].map(nameCharacter), 'and')
}

/** `a`, `a or b`, `a, b or c`; beyond five: `a, b, c, d, e or 3 others`. */
export function listWords(words: readonly string[], conjunction: 'and' | 'or'): string {
  const shown = words.length > 6 ? [...words.slice(0, 5), `${words.length - 5} others`] : words
  if (shown.length < 2) return shown.join('')
  return `${shown.slice(0, -1).join(', ')} ${conjunction} ${shown.at(-1)}`
}
