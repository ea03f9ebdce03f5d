import type { UnexpectedReason } from './align'
import { displayName, findLookAlikes, nameCharacters, plainCharacter, plainText, quote } from './characters'
import type { NamingContext, Token } from './tokens'
import type { NamingCode } from './violation'

/** The sentences of a verdict: what is wrong, quoted; what was expected; how to fix it. */

export type Finding = { code: NamingCode; message: string }

const lower = (token: Token) => token.label.toLowerCase()

/** `after “ACME_Spring”`; a long name is shown by its end. */
function where(before: string): string {
  const characters = Array.from(before)
  const end = characters.length > 24 ? `…${characters.slice(-24).join('')}` : before
  return before === '' ? 'at the beginning' : `after ${quote(end)}`
}

/** A token for which the name holds nothing. `written`: an example of what fills the gap. */
export function explainMissing(token: Token, expected: string, written: string, before: string): Finding {
  return {
    code: token.name === 'ext' ? 'missing_extension' : 'missing_token',
    message: `The ${lower(token)} is missing ${where(before)}. Expected: ${expected}. Write it there as in ${quote(written)}.`,
  }
}

export type WrongValue = {
  text: string
  expected: string
  /** What to write instead, when that is known. */
  fixed: string | null
  /** Text of the template that is to be written with it. */
  prefix: string
  canBeLeftOut: boolean
}

/** A value that its token does not accept. */
export function explainValue(token: Token, value: WrongValue, context: NamingContext): Finding {
  const { text, fixed } = value
  const write = fixed === null ? '' : ` Write ${quote(value.prefix + fixed)}.`
  const remedy = fixed === null && value.canBeLeftOut ? ' It may also be left out.' : write
  const end = `Expected: ${value.expected}.${remedy}`
  const isMeant = (candidate: string) => candidate !== text && token.isValid(candidate, context)
  if (isMeant(text.toLowerCase())) {
    return { code: 'wrong_case', message: `Capital and small letters matter in ${quote(text)}. ${end}` }
  }
  if (isMeant(plainText(text))) {
    const characters = Array.from(text)
    const hidden = findLookAlikes(characters)
    const alike = characters.filter((character, at) => hidden[at] || plainCharacter(character) !== character)
    return { code: 'lookalike_character', message: `In ${quote(text)}, ${sayLookAlikes(alike)}. ${end}` }
  }
  const reason = token.kind === 'open' ? explainCharacters(token, text) : token.explain(text, context)
  const because = reason === null ? '' : ` ${reason}`
  return {
    code: token.name === 'ext' ? 'wrong_extension' : 'invalid_token',
    message: `${quote(text)} is not a valid ${lower(token)}.${because} ${end}`,
  }
}

/** `the Cyrillic “е” only looks like “e”`. */
function sayLookAlikes(characters: readonly string[]): string {
  const different = [...new Set(characters)]
  const areAll = (script: RegExp) => different.every((character) => script.test(character))
  const cyrillicOrGreek = areAll(/^\p{Script=Cyrillic}$/u)
    ? 'the Cyrillic '
    : areAll(/^\p{Script=Greek}$/u)
      ? 'the Greek '
      : ''
  const verb = different.length === 1 ? 'only looks' : 'only look'
  return `${cyrillicOrGreek}${nameCharacters(different)} ${verb} like ${quote(plainText(different.join('')))}`
}

function explainCharacters(token: Token, text: string): string | null {
  const wrong = Array.from(text).filter((character) => !token.hasCharacter(character))
  return wrong.length === 0 ? null : `It cannot hold ${nameCharacters(wrong)}.`
}

/** A value that stands elsewhere in the name as `found`. */
export function explainMisplaced(token: Token, found: string, expected: string): Finding {
  return {
    code: 'misplaced_token',
    message: `The ${lower(token)} ${quote(found)} stands in the wrong place. Expected here: ${expected}. Move it here.`,
  }
}

/** Literal text of the template that the name has otherwise, or not at all. */
export function explainLiteral(found: string, expected: string, before: string): Finding {
  if (found === '') {
    const message = `${quote(expected)} is missing ${where(before)}. Write ${quote(expected)} there.`
    return { code: 'missing_text', message }
  }
  const message = `${sayFound(found)} stands ${where(before)}, where ${quote(expected)} was expected. Write ${quote(expected)}.`
  if (found.toLowerCase() === expected.toLowerCase()) return { code: 'wrong_case', message }
  if (plainText(found).toLowerCase() === plainText(expected).toLowerCase()) {
    const lookAlikeDetail = `${quote(found)}, ${where(before)}, only looks like ${quote(expected)}. Write ${quote(expected)}.`
    return { code: 'lookalike_character', message: lookAlikeDetail }
  }
  if (expected.includes(found)) return { code: 'missing_text', message }
  return { code: wordsOf(found) === wordsOf(expected) ? 'wrong_separator' : 'wrong_text', message }
}

const wordsOf = (text: string) => text.replace(/[^\p{L}\p{N}]+/gu, '')

/** A lone space cannot be seen between quotation marks. */
const sayFound = (text: string) => (text === ' ' ? 'A space' : quote(text))

/** Text for which the template has no place. */
export function explainUnexpected(text: string, reason: UnexpectedReason): Finding {
  if (reason === 'copy_marker') {
    const message = `${quote(text)} was added when the file was copied or downloaded twice. Remove it; if the file has changed, raise its version.`
    return { code: 'copy_marker', message }
  }
  if (reason === 'doubled_extension') {
    const message = `The name has two extensions; ${quote(text)} is one too many. Remove it.`
    return { code: 'doubled_extension', message }
  }
  const shown = /^\s+$/u.test(text) && text !== ' ' ? `“${displayName(text)}” (spaces)` : sayFound(text)
  return { code: 'unexpected_text', message: `${shown} has no place in this naming convention. Remove it.` }
}

/** A value that is written properly and that the file itself contradicts. */
export function sayFact(token: Token, written: string, measured: string): string {
  return `The name says ${quote(written)} for the ${lower(token)}; the file itself has ${quote(measured)}.`
}
