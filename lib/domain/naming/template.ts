import { isBidiControl, isControl, isIllFormed, isInvisible, nameCharacter, quote } from './characters'
import { findNearest } from './nearest'
import { isTokenName, TOKEN_NAMES, TOKENS, type TokenName } from './tokens'

const MAX_TEMPLATE_LENGTH = 200

/** One fault of a template. `index` and `length` count UTF-16 units of the source, as a text field selects them. */
export type TemplateProblem = { index: number; length: number; message: string }

/** A piece of a template in reading order; `option` numbers the optional part it stands in. */
export type TemplatePart = { option: number | null; index: number } & (
  | { kind: 'literal'; text: string }
  | { kind: 'token'; token: TokenName }
)

/** A template whose last two parts are always the literal `.` and the token `ext`. */
export type Template = {
  source: string
  parts: readonly TemplatePart[]
  /** The extension, lower case, when the template spells it out (`.jpg`) and does not say `{ext}`. */
  fixedExtension: string | null
}

type Draft = { parts: TemplatePart[]; problems: TemplateProblem[] }

/**
 * Reads a naming template: literal text, `{tokens}`, and optional parts in square brackets, which do not nest.
 * Gives every problem at once, each with its place in the source and how to fix it.
 */
export function parseTemplate(
  source: string,
): { ok: true; template: Template } | { ok: false; problems: TemplateProblem[] } {
  const whole = (message: string) => ({ ok: false as const, problems: [{ index: 0, length: source.length, message }] })
  if (source.trim() === '') return whole('The template is empty. Write one, such as {agency}_{title}_v{version}.{ext}.')
  if (source.length > MAX_TEMPLATE_LENGTH) {
    return whole(`The template has ${source.length} characters; at most ${MAX_TEMPLATE_LENGTH} are allowed.`)
  }
  const draft = readParts(source)
  draft.problems.push(...findForbiddenCharacters(source), ...findDuplicates(draft.parts))
  const { parts, fixedExtension } = takeExtension(source, draft)
  if (draft.problems.length === 0) draft.problems.push(...findAmbiguousNeighbours(parts))
  if (draft.problems.length === 0) return { ok: true, template: { source, parts, fixedExtension } }
  return { ok: false, problems: draft.problems.sort((a, b) => a.index - b.index) }
}

function readParts(source: string): Draft {
  const parts: TemplatePart[] = []
  const problems: TemplateProblem[] = []
  const problem = (index: number, length: number, message: string) => problems.push({ index, length, message })
  let open: { index: number; partCount: number } | null = null
  let options = 0
  let at = 0
  while (at < source.length) {
    const character = source.charAt(at)
    const option = open === null ? null : options
    if (character === '{') {
      const length = readToken(source, at, option, parts, problem)
      at += length
    } else if (character === '}') {
      problem(at, 1, 'This “}” closes nothing. Remove it, or write “{” before the name of the token.')
      at++
    } else if (character === '[') {
      if (open !== null) {
        problem(at, 1, 'An optional part cannot stand inside another. Close the first with “]” before this “[”.')
      } else {
        open = { index: at, partCount: parts.length }
      }
      at++
    } else if (character === ']') {
      if (open === null)
        problem(at, 1, 'This “]” closes nothing. Remove it, or write “[” where the optional part begins.')
      else if (parts.length === open.partCount) {
        problem(
          open.index,
          at + 1 - open.index,
          'This optional part is empty. Write into it what may be left out, or remove it.',
        )
      }
      if (open !== null) options++
      open = null
      at++
    } else {
      const end = source.slice(at).search(/[{}[\]]/)
      const text = end < 0 ? source.slice(at) : source.slice(at, at + end)
      parts.push({ kind: 'literal', text: text.normalize('NFC'), option, index: at })
      at += text.length
    }
  }
  if (open !== null) {
    problem(open.index, 1, 'This “[” is never closed. Write “]” where the optional part ends.')
  }
  return { parts, problems }
}

/** Reads one `{token}`; gives the number of characters it takes in the source. */
function readToken(
  source: string,
  at: number,
  option: number | null,
  parts: TemplatePart[],
  problem: (index: number, length: number, message: string) => void,
): number {
  const body = /^[^{}[\]]*/.exec(source.slice(at + 1))?.[0] ?? ''
  const end = at + 1 + body.length
  if (source.charAt(end) !== '}') {
    problem(at, body.length + 1, `This “{” is never closed. Write “}” after the name of the token, as in {title}.`)
    return body.length + 1
  }
  if (isTokenName(body)) parts.push({ kind: 'token', token: body, option, index: at })
  else problem(at, body.length + 2, explainUnknownToken(body))
  return body.length + 2
}

function explainUnknownToken(body: string): string {
  const written = body.trim().toLowerCase()
  if (written === '') return `The braces are empty. Write the name of a token into them, such as {title}.`
  if (isTokenName(written)) return `Tokens are written in small letters and without spaces: {${written}}.`
  const nearest = findNearest(written, TOKEN_NAMES)
  if (nearest !== null) return `There is no token ${quote(body)}. Did you mean {${nearest}}?`
  return `There is no token ${quote(body)}. The tokens are: ${TOKEN_NAMES.join(', ')}.`
}

function findForbiddenCharacters(source: string): TemplateProblem[] {
  const problems: TemplateProblem[] = []
  let index = 0
  for (const character of source) {
    const cannotBeSeen = [isControl, isBidiControl, isInvisible, isIllFormed].some((is) => is(character))
    if (cannotBeSeen || '/\\<>:"|?*'.includes(character)) {
      const message = `A file name cannot hold ${nameCharacter(character)}. Use “_” or “-” to separate.`
      problems.push({ index, length: character.length, message })
    }
    index += character.length
  }
  if (/^\[?[\s.]/u.test(source)) {
    problems.push({
      index: 0,
      length: 1,
      message: 'A name must not begin with a space or a dot. Begin with a word or a token.',
    })
  }
  return problems
}

function findDuplicates(parts: readonly TemplatePart[]): TemplateProblem[] {
  const seen = new Set<TokenName>()
  return parts.flatMap((part) => {
    if (part.kind !== 'token') return []
    if (!seen.has(part.token)) {
      seen.add(part.token)
      return []
    }
    const message = `{${part.token}} stands here a second time. Each token can be used once; remove one of the two.`
    return [{ index: part.index, length: part.token.length + 2, message }]
  })
}

/** Brings the end into its one form, `.` and `ext`, whether the template says `.{ext}` or `.jpg`. */
function takeExtension(source: string, { parts, problems }: Draft): Pick<Template, 'parts' | 'fixedExtension'> {
  for (const part of parts.slice(0, -1)) {
    if (part.kind === 'token' && part.token === 'ext') {
      problems.push({ index: part.index, length: 5, message: '{ext} belongs at the very end, after a dot.' })
    }
  }
  const last = parts.at(-1)
  const beforeLast = parts.at(-2)
  const mustEnd = (
    index: number,
    message = 'A template must end with the extension. Write “.{ext}” at the end, or a fixed one such as “.jpg”.',
  ) => {
    problems.push({ index, length: Math.max(1, source.length - index), message })
    return { parts, fixedExtension: null }
  }
  if (last === undefined) return { parts, fixedExtension: null }
  if (last.option !== null)
    return mustEnd(
      last.index,
      'The extension cannot be optional. Write “.{ext}” at the end, outside the square brackets.',
    )
  if (last.kind === 'token') {
    if (last.token !== 'ext') return mustEnd(last.index)
    if (beforeLast?.kind !== 'literal' || beforeLast.option !== null || !beforeLast.text.endsWith('.')) {
      return mustEnd(last.index, 'Before {ext} a dot is needed. Write “.{ext}”.')
    }
    return {
      parts: [...parts.slice(0, -2), ...splitDot(beforeLast, beforeLast.text.slice(0, -1)), last],
      fixedExtension: null,
    }
  }
  const dot = last.text.lastIndexOf('.')
  const extension = last.text.slice(dot + 1)
  if (dot < 0 || !/^[A-Za-z0-9]{1,10}$/.test(extension) || (dot === 0 && parts.length === 1)) return mustEnd(last.index)
  const ext: TemplatePart = { kind: 'token', token: 'ext', option: null, index: last.index + dot + 1 }
  return {
    parts: [...parts.slice(0, -1), ...splitDot(last, last.text.slice(0, dot)), ext],
    fixedExtension: extension.toLowerCase(),
  }
}

function splitDot(literal: TemplatePart, before: string): TemplatePart[] {
  const dot: TemplatePart = { kind: 'literal', text: '.', option: null, index: literal.index + before.length }
  return before === '' ? [dot] : [{ kind: 'literal', text: before, option: null, index: literal.index }, dot]
}

/**
 * Two tokens are ambiguous neighbours when nothing shows where the first ends: they touch, or only characters that
 * both accept stand between them. Codes are known lists, so a hyphen after them is a clear end.
 */
function findAmbiguousNeighbours(parts: readonly TemplatePart[]): TemplateProblem[] {
  return parts.flatMap((left, from) => {
    if (left.kind !== 'token') return []
    for (const [to, right] of parts.entries()) {
      if (to <= from || right.kind !== 'token') continue
      const between = findPath(parts, from, to)
      if (between === null) continue
      const separator =
        between === '' ? 'Nothing stands between' : `Only ${quote(between)}, which both may hold, stands between`
      const message = `${separator} {${left.token}} and {${right.token}}, so it is not clear where the first ends. Put “${between.includes('_') ? '.' : '_'}” between them.`
      return [{ index: left.index, length: right.index + right.token.length + 2 - left.index, message }]
    }
    return []
  })
}

/** The separating text of one way from token to token on which both accept every character; null when there is none. */
function findPath(parts: readonly TemplatePart[], from: number, to: number): string | null {
  const [left, right] = [parts[from], parts[to]]
  if (left?.kind !== 'token' || right?.kind !== 'token') return null
  const [first, second] = [TOKENS[left.token], TOKENS[right.token]]
  const isCode = first.name === 'agency' || first.name === 'campaign'
  let between = ''
  for (const part of parts.slice(from + 1, to)) {
    const isSkippable = part.option !== null && part.option !== left.option && part.option !== right.option
    if (isSkippable) continue
    const isShared =
      part.kind === 'literal' && Array.from(part.text).every((c) => first.hasCharacter(c) && second.hasCharacter(c))
    if (!isShared) return null
    between += part.kind === 'literal' ? part.text : ''
  }
  if (between !== '') return isCode ? null : between
  if (first.hasFixedLength) return null
  const doShare = Array.from('aZ0sx.-').some((c) => first.hasCharacter(c) && second.hasCharacter(c))
  return doShare ? between : null
}
