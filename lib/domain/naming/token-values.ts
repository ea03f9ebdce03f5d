import { plainText } from './characters'
import { COUNTRY_CODES, findCountryCode } from './iso-countries'
import { findLanguageCode, LANGUAGE_CODES } from './iso-languages'

/** How the values of single tokens are read, written properly and fixed. Every pattern here is linear and our own. */

/** ISO 639-1, optionally with a region of ISO 3166-1 alpha-2 or UN M.49 (`en`, `en-GB`, `es-419`), in any case (RFC 5646). */
export function isLanguage(text: string): boolean {
  const [language = '', region, ...rest] = text.split('-')
  if (rest.length > 0 || !LANGUAGE_CODES.has(language.toLowerCase())) return false
  return region === undefined || COUNTRY_CODES.has(region.toUpperCase()) || /^\d{3}$/.test(region)
}

/** `en_GB`, `enGB`, `eng`, `English` -> `en-GB`, `en-GB`, `en`, `en`; null when no language can be read. */
export function fixLanguage(text: string): string | null {
  const plain = plainText(text)
  const [language = '', region, ...rest] = plain.split(/[^\p{L}\p{N}]+/u)
  if (rest.length > 0) return null
  const code = findLanguageCode(language)
  if (region !== undefined) {
    const country = findCountryCode(region) ?? region
    return code !== null && isLanguage(`${code}-${country}`) ? `${code}-${country}` : null
  }
  if (code !== null) return code
  const joined = /^([a-z]{2})([A-Z]{2}|\d{3})$/.exec(plain)
  return joined ? fixLanguage(`${joined[1]}-${joined[2]}`) : null
}

/** Whole or decimal seconds followed by `s`, more than zero: `30s`, `6.5s`. */
export function isDuration(text: string): boolean {
  return /^\d{1,5}(?:\.\d{1,3})?s$/.test(text) && Number.parseFloat(text) > 0
}

/** `30sec`, `30"`, `30`, `1m30s`, `01-30` -> seconds with `s`; null when no duration can be read. */
export function fixDuration(text: string): string | null {
  const plain = plainText(text).toLowerCase().replace(/[”″]/gu, '"')
  const seconds = /^(\d{1,5}(?:\.\d{1,3})?) ?-?(?:s|sec|secs|second|seconds|sek|"|'')?$/.exec(plain)
  if (seconds?.[1] !== undefined) return durationOrNull(seconds[1])
  const minutes = /^(\d{1,2})(?:m|min|[:-])(?:(\d{1,2})(?:s|sec)?)?$/.exec(plain)
  return minutes ? durationOrNull(String(Number(minutes[1]) * 60 + Number(minutes[2] ?? 0))) : null
}

const durationOrNull = (seconds: string) => (isDuration(`${seconds}s`) ? `${seconds}s` : null)

/** Rates that are often written without their dot. */
const UNDOTTED_RATES: Readonly<Record<string, number>> = {
  '2397': 23.976,
  '2398': 23.976,
  '23976': 23.976,
  '2997': 29.97,
  '4795': 47.952,
  '47952': 47.952,
  '5994': 59.94,
  '11988': 119.88,
}

/** Frames per second, 1 to 300, with or without decimals; `2997` and its like are 29.97. Null when it is none. */
export function readFrameRate(text: string): number | null {
  const undotted = UNDOTTED_RATES[text]
  if (undotted !== undefined) return undotted
  if (!/^[1-9]\d{0,2}(?:\.\d{1,3})?$/.test(text)) return null
  const rate = Number(text)
  return rate <= 300 ? rate : null
}

/** `25fps`, `25p`, `29,97`, `23_976` -> `25`, `25`, `29.97`, `23.976`. */
export function fixFrameRate(text: string): string | null {
  const rate = /^(\d{1,5})(?:[.,_-](\d{1,3}))? ?(?:fps|p|i|hz|f)?$/.exec(plainText(text).toLowerCase())
  if (!rate) return null
  const fixed = rate[2] === undefined ? rate[1] : `${rate[1]}.${rate[2]}`
  return fixed !== undefined && readFrameRate(fixed) !== null ? fixed : null
}

/** `16x9`, `1.91x1`: both sides more than zero. Null when it is none. */
export function readRatio(text: string): { width: number; height: number } | null {
  const sides = /^(\d{1,4}(?:\.\d{1,3})?)x(\d{1,4}(?:\.\d{1,3})?)$/.exec(text)
  if (!sides) return null
  const [width, height] = [Number(sides[1]), Number(sides[2])]
  return width > 0 && height > 0 ? { width, height } : null
}

const JOINED_RATIOS: Readonly<Record<string, string>> = {
  '11': '1x1',
  '43': '4x3',
  '34': '3x4',
  '45': '4x5',
  '54': '5x4',
  '23': '2x3',
  '32': '3x2',
  '169': '16x9',
  '916': '9x16',
  '219': '21x9',
}

/** `16:9`, `16-9`, `16by9`, `169` -> `16x9`. */
export function fixRatio(text: string): string | null {
  const plain = plainText(text).toLowerCase()
  const joined = JOINED_RATIOS[plain]
  if (joined !== undefined) return joined
  const sides = /^(\d{1,4})(?:x|by| x |[:_-])(\d{1,4})$/.exec(plain)
  const fixed = sides ? `${sides[1]}x${sides[2]}` : null
  return fixed !== null && readRatio(fixed) !== null ? fixed : null
}

/** The digits meant by `3OO`, `w300`, `300px`, `３００`; null when there are none or several numbers. */
export function fixDigits(text: string): string | null {
  const plain = plainText(text)
  const unit = plain
    .replace(/^(?:#|n|no|nr|w|h|b|width|height)[ .=-]?(?=\d)/i, '')
    .replace(/ ?(?:px|pix|pixels?)$/i, '')
  for (const candidate of [plain, unit]) {
    const digits = /\d/.test(candidate) ? candidate.replace(/[Oo]/g, '0').replace(/[lI|]/g, '1') : candidate
    if (/^\d+$/.test(digits)) return digits
  }
  return null
}

/** Words that agencies write where a version belongs; they order nothing. */
const VERSION_WORD =
  /^(?:v|ver|version|rev|r)?[ ._-]?(?:final|finals|finale|fin|def|definitive|latest|last|newest|new|approved|master|old|draft|wip|ok)(?:[ ._-]?(?:final|v)?(\d{1,6})?)?$/i

export const isVersionWord = (text: string) => VERSION_WORD.test(plainText(text))

/** `v2`, `ver02`, `final` , `final3` -> `2`, `02`, `01`, `3`. */
export function fixVersion(text: string): string | null {
  const plain = plainText(text)
  const word = VERSION_WORD.exec(plain)
  if (word) return word[1] ?? '01'
  const marked = /^(?:v|ver|vers|version|rev|r)[ ._-]?(\d{1,6})$/i.exec(plain)
  const digits = marked?.[1] ?? fixDigits(plain)
  return digits !== null && digits.length <= 6 ? digits : null
}

/** Spellings of one file type: renaming one to the other keeps the promise the extension makes. */
const SAME_TYPE = [
  ['jpg', 'jpeg', 'jpe', 'jfif'],
  ['tif', 'tiff'],
  ['mp4', 'm4v', 'mpeg4'],
  ['mov', 'qt'],
  ['wav', 'wave'],
  ['aif', 'aiff', 'aifc'],
  ['heic', 'heif', 'hif'],
]

/** The allowed extension of the very same file type (`jpeg` -> `jpg`); null when there is none. */
export function findSameTypeExtension(extension: string, extensions: readonly string[]): string | null {
  const spellings = SAME_TYPE.find((group) => group.includes(extension.toLowerCase())) ?? []
  return spellings.find((spelling) => extensions.includes(spelling)) ?? null
}
