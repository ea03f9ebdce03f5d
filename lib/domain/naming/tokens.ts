import { explainDay, isCalendarDay, readDays, sayDay } from './calendar-day'
import {
  findLookAlikes,
  isAsciiLetter,
  isDigit,
  isWordCharacter,
  listWords,
  plainCharacter,
  plainText,
} from './characters'
import { COUNTRY_CODES, findCountryCode } from './iso-countries'
import { isCode, isKnownCode, longestCode } from './known-codes'
import { findNearest } from './nearest'
import * as values from './token-values'

export const TOKEN_NAMES = [
  'agency',
  'campaign',
  'title',
  'width',
  'height',
  'duration',
  'fps',
  'ratio',
  'language',
  'market',
  'date',
  'version',
  'placement',
  'channel',
  'text',
  'number',
  'ext',
] as const
export type TokenName = (typeof TOKEN_NAMES)[number]

/** What the records say: the closed lists that some tokens are validated by. */
export type NamingContext = {
  /** Null: not known; any code of letters, digits and hyphens is accepted. */
  agencyCode: string | null
  /** Empty: not known; any code of letters, digits and hyphens is accepted. */
  campaignCodes: readonly string[]
  /** Lower case, without the dot. Empty: any extension. */
  extensions: readonly string[]
}

/** What was measured in the file that carries the name, where known: pixels, seconds, frames per second. */
export type KnownFacts = { width?: number; height?: number; durationSeconds?: number; fps?: number }

export type Token = {
  name: TokenName
  label: string
  /** What it accepts, for the author of a template. */
  accepts: string
  /** What belongs here, as part of a sentence; knows the codes of the project. */
  expected(context: NamingContext): string
  example(context: NamingContext): string
  /** Can this character be part of a value? */
  hasCharacter(character: string): boolean
  /** `open`: any run of its characters is a value. `closed`: the value is validated as a whole. */
  kind: 'open' | 'closed'
  /** Characters of the longest value. */
  longest(context: NamingContext): number
  hasFixedLength: boolean
  isValid(text: string, context: NamingContext): boolean
  /** The value that this text was probably meant to be; null when it says too little. */
  fix(text: string, context: NamingContext): string | null
  /** Looks like an attempt at this token, though it is no value and cannot be fixed. */
  resembles(text: string): boolean
  /** What to write when the name says nothing; null when it cannot be known. */
  fallback(context: NamingContext): string | null
  /** A further sentence on why this text is no value. */
  explain(text: string, context: NamingContext): string | null
}

type ClosedToken = Pick<Token, 'name' | 'label' | 'accepts' | 'isValid' | 'fix' | 'hasCharacter'> & {
  example: string | Token['example']
  expected?: Token['expected']
  longest: number | Token['longest']
} & Partial<Pick<Token, 'resembles' | 'fallback' | 'explain' | 'hasFixedLength'>>

function closedToken({ example, expected, longest, ...token }: ClosedToken): Token {
  const exampleOf = typeof example === 'string' ? () => example : example
  return {
    kind: 'closed',
    hasFixedLength: false,
    resembles: (text) => Array.from(text).every(token.hasCharacter),
    fallback: () => null,
    explain: () => null,
    ...token,
    example: exampleOf,
    longest: typeof longest === 'number' ? () => longest : longest,
    expected: expected ?? ((context) => `${token.accepts}, such as ${exampleOf(context)}`),
  }
}

function openToken(name: TokenName, label: string, example: string, allowsUnderscore = false): Token {
  const accepts = allowsUnderscore ? 'letters, digits, hyphens and underscores' : 'letters, digits and hyphens'
  const hasCharacter = (character: string) =>
    isWordCharacter(character) || character === '-' || (allowsUnderscore && character === '_')
  return {
    kind: 'open',
    name,
    label,
    accepts,
    hasCharacter,
    longest: () => Number.POSITIVE_INFINITY,
    hasFixedLength: false,
    expected: () => `${accepts}, such as ${example}`,
    example: () => example,
    isValid: (text) => {
      const characters = Array.from(text)
      return text !== '' && characters.every(hasCharacter) && !findLookAlikes(characters).includes(true)
    },
    fix: (text) => fixWords(text, hasCharacter),
    resembles: () => false,
    fallback: () => null,
    explain: () => null,
  }
}

/** Look-alikes become what they look like, everything else that is not allowed becomes a hyphen. */
function fixWords(text: string, hasCharacter: (character: string) => boolean): string | null {
  const characters = Array.from(text)
  const lookAlikes = findLookAlikes(characters)
  const fixed = characters.map((character, at) => {
    if (hasCharacter(character) && !lookAlikes[at]) return character
    const plain = plainCharacter(character)
    return hasCharacter(plain) ? plain : '-'
  })
  const words = fixed
    .join('')
    .replace(/-{2,}/g, '-')
    .replace(/^[-_]+/, '')
    .replace(/[-_]+$/, '')
  return words === '' ? null : words
}

function pixelsToken(name: 'width' | 'height', example: string): Token {
  return closedToken({
    name,
    label: name === 'width' ? 'Width' : 'Height',
    accepts: `the ${name} in pixels, 1 to 99999`,
    example,
    longest: 5,
    hasCharacter: isDigit,
    isValid: (text) => /^[1-9]\d{0,4}$/.test(text),
    fix: (text) => {
      const digits = values.fixDigits(text)?.replace(/^0+/, '') ?? ''
      return /^\d{1,5}$/.test(digits) ? digits : null
    },
    explain: (text) => (/^0+\d+$/.test(text) ? 'A size has no leading zeros.' : null),
  })
}

const isCodeCharacter = (character: string) => isAsciiLetter(character) || isDigit(character) || character === '-'

function codeToken(
  name: 'agency' | 'campaign',
  example: string,
  codesOf: (context: NamingContext) => readonly string[],
): Token {
  const label = name === 'agency' ? 'Agency' : 'Campaign'
  return closedToken({
    name,
    label,
    accepts: `the code of the ${name}`,
    longest: (context) => longestCode(codesOf(context)),
    example: (context) => codesOf(context)[0] ?? example,
    expected: (context) => {
      const codes = codesOf(context)
      if (codes.length === 0) return `the code of the ${name}: letters, digits and hyphens, such as ${example}`
      return codes.length === 1 ? `the ${name} code ${codes[0]}` : `one of the ${name} codes ${listWords(codes, 'or')}`
    },
    hasCharacter: isCodeCharacter,
    isValid: (text, context) => isKnownCode(text, codesOf(context)),
    fix: (text, context) => {
      const plain = plainText(text)
      const codes = codesOf(context)
      if (codes.length === 0) return isCode(plain) ? plain : null
      return codes.find((code) => code.toLowerCase() === plain.toLowerCase()) ?? findNearest(plain, codes)
    },
    resembles: (text) => text.length <= 24 && isCode(text) && !/^\d+$/.test(text),
    fallback: (context) => (codesOf(context).length === 1 ? (codesOf(context)[0] ?? null) : null),
    explain: (text, context) =>
      name === 'campaign' && context.agencyCode?.toLowerCase() === text.toLowerCase()
        ? 'That is the code of the agency.'
        : null,
  })
}

const agencyCodes = (context: NamingContext) => (context.agencyCode === null ? [] : [context.agencyCode])

/** Every token of a naming template: the one table that templates, verdicts and the public page are made from. */
export const TOKENS: Readonly<Record<TokenName, Token>> = {
  agency: codeToken('agency', 'ACME', agencyCodes),
  campaign: codeToken('campaign', 'SPRING24', (context) => context.campaignCodes),
  title: openToken('title', 'Title', 'Hero'),
  width: pixelsToken('width', '300'),
  height: pixelsToken('height', '250'),
  duration: closedToken({
    name: 'duration',
    label: 'Duration',
    accepts: 'the length in seconds with “s”',
    example: '30s',
    longest: 10,
    hasCharacter: (character) => isDigit(character) || character === '.' || character === 's',
    isValid: values.isDuration,
    fix: values.fixDuration,
    resembles: (text) => /^\d[\d.]*[a-z"']*$/i.test(text) && text.length <= 10,
  }),
  fps: closedToken({
    name: 'fps',
    label: 'Frame rate',
    accepts: 'frames per second, 1 to 300',
    example: '25',
    longest: 7,
    hasCharacter: (character) => isDigit(character) || character === '.',
    isValid: (text) => values.readFrameRate(text) !== null,
    fix: values.fixFrameRate,
  }),
  ratio: closedToken({
    name: 'ratio',
    label: 'Aspect ratio',
    accepts: 'width and height with “x” between',
    example: '16x9',
    longest: 17,
    hasCharacter: (character) => isDigit(character) || character === '.' || character === 'x',
    isValid: (text) => values.readRatio(text) !== null,
    fix: values.fixRatio,
  }),
  language: closedToken({
    name: 'language',
    label: 'Language',
    accepts: 'a language code of two letters (ISO 639-1), optionally with a region',
    expected: () => 'a language code of two letters (ISO 639-1), optionally with a region, such as en or en-GB',
    example: 'en',
    longest: 6,
    hasCharacter: (character) => isAsciiLetter(character) || isDigit(character) || character === '-',
    isValid: values.isLanguage,
    fix: values.fixLanguage,
    resembles: (text) => /^[A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,3})?$/.test(text),
  }),
  market: closedToken({
    name: 'market',
    label: 'Market',
    accepts: 'a country code of two letters (ISO 3166-1)',
    example: 'GB',
    longest: 2,
    hasFixedLength: true,
    hasCharacter: isAsciiLetter,
    isValid: (text) => COUNTRY_CODES.has(text.toUpperCase()),
    fix: (text) => findCountryCode(plainText(text)),
    resembles: (text) => /^[A-Za-z]{2,3}$/.test(text),
    explain: (text) => (text.toUpperCase() === 'EU' ? 'The European Union is not a country of that list.' : null),
  }),
  date: closedToken({
    name: 'date',
    label: 'Date',
    accepts: 'a real day as year, month, day (YYYYMMDD)',
    example: '20250314',
    longest: 8,
    hasFixedLength: true,
    hasCharacter: isDigit,
    isValid: isCalendarDay,
    fix: (text) => {
      const days = readDays(plainText(text))
      return days.length === 1 ? (days[0] ?? null) : null
    },
    resembles: (text) => /^\d{1,4}[^\p{L}]?\d{1,4}[^\p{L}]?\d{1,4}$/u.test(text) && text.length >= 5,
    explain: (text) => {
      const days = readDays(plainText(text))
      if (days.length > 1)
        return `It can mean ${listWords(
          days.map((day) => `${sayDay(day)} (${day})`),
          'or',
        )}.`
      return days.length === 1 ? null : explainDay(text)
    },
  }),
  version: closedToken({
    name: 'version',
    label: 'Version',
    accepts: 'the version in digits',
    example: '01',
    longest: 6,
    hasCharacter: isDigit,
    isValid: (text) => /^\d{1,6}$/.test(text),
    fix: values.fixVersion,
    fallback: () => '01',
    explain: (text) => (values.isVersionWord(text) ? 'A word does not say which version is the newer.' : null),
  }),
  placement: openToken('placement', 'Placement', 'Homepage'),
  channel: openToken('channel', 'Channel', 'Social'),
  text: openToken('text', 'Free text', 'Summer-sale', true),
  number: closedToken({
    name: 'number',
    label: 'Number',
    accepts: 'digits',
    example: '12',
    longest: 12,
    hasCharacter: isDigit,
    isValid: (text) => /^\d{1,12}$/.test(text),
    fix: (text) => {
      const digits = values.fixDigits(text)
      return digits !== null && digits.length <= 12 ? digits : null
    },
  }),
  ext: closedToken({
    name: 'ext',
    label: 'File extension',
    accepts: 'the extension of the file',
    longest: 10,
    example: (context) => context.extensions[0] ?? 'jpg',
    expected: (context) => {
      if (context.extensions.length === 0) return 'an extension that fits the content, such as jpg'
      return context.extensions.length === 1
        ? `the extension ${context.extensions[0]}`
        : `one of the extensions ${listWords(context.extensions, 'or')}`
    },
    hasCharacter: (character) => isAsciiLetter(character) || isDigit(character),
    isValid: (text, context) => {
      if (context.extensions.length === 0) return /^[A-Za-z0-9]{1,10}$/.test(text)
      return context.extensions.includes(text.toLowerCase())
    },
    fix: (text, context) => values.findSameTypeExtension(plainText(text), context.extensions),
    explain: (text, context) =>
      values.findSameTypeExtension(text, context.extensions) === null
        ? 'Another ending does not change what is inside, so save the file in the right format.'
        : null,
    resembles: (text) => /^[A-Za-z0-9]{1,10}$/.test(text),
    fallback: (context) => (context.extensions.length === 1 ? (context.extensions[0] ?? null) : null),
  }),
}

export const isTokenName = (text: string): text is TokenName => Object.hasOwn(TOKENS, text)
