import { quote } from '@/lib/domain/kernel/errors'
import { isStorable } from '@/lib/domain/kernel/shapes'

/** JSON (RFC 8259) as a person wrote it: what it says, and on which line each value begins. */
export type LocatedJson =
  | { ok: true; value: unknown; lineOf: (path: string) => number }
  | { ok: false; line: number; message: string }

/** Deeper nesting than any specification has; without a limit, brackets alone would exhaust the stack. */
const MAX_DEPTH = 20

const TOKEN =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: a string of JSON holds none of them
  /[{}[\],:]|"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y
const SPACE = /[ \t\r\n]*/y
/** What is quoted of a place where no token can be read. */
const WORD = /[^\s,:[\]{}]{1,40}|./suy

class SyntaxFault extends Error {}

/**
 * Reads one JSON document. `lineOf` takes a path such as `requirements.0.clause` and gives the line, from 1, of its value, or
 * of the nearest part around it that is there. A key that stands twice in one object is an error: one of them would be lost.
 */
export function readLocatedJson(text: string): LocatedJson {
  const lines = new Map<string, number>()
  let at = 0
  let [line, counted] = [1, 0]
  /** Of the place that is read now: places only follow one another. */
  const lineHere = () => {
    for (; counted < at; counted++) if (text[counted] === '\n') line++
    return line
  }

  const next = () => {
    SPACE.lastIndex = at
    SPACE.test(text)
    at = SPACE.lastIndex
    TOKEN.lastIndex = at
    const token = TOKEN.exec(text)?.[0] ?? null
    if (token?.startsWith('"') && !isStorable(JSON.parse(token)))
      throw new SyntaxFault('NUL characters and broken Unicode are not allowed in text.')
    return token
  }
  const refuse = (wanted: string): never => {
    WORD.lastIndex = at
    const found = WORD.exec(text)?.[0]
    throw new SyntaxFault(
      `Expected ${wanted}; ${found === undefined ? 'the document ends here' : `got ${quote(found)}`}.`,
    )
  }
  const take = (wanted: string, ...tokens: string[]): string => {
    const token = next()
    if (token === null || !tokens.includes(token)) return refuse(wanted)
    at += token.length
    return token
  }

  function value(path: string, depth: number) {
    if (depth > MAX_DEPTH) throw new SyntaxFault(`Values are nested deeper than ${MAX_DEPTH} levels.`)
    const token = next()
    lines.set(path, lineHere())
    if (token === null || '}],:'.includes(token)) return refuse('a value')
    at += token.length
    if (token === '{') members(path, depth)
    else if (token === '[') items(path, depth)
  }

  function members(path: string, depth: number) {
    const keys = new Set<string>()
    if (next() === '}') return void take('}', '}')
    do {
      const token = next()
      if (!token?.startsWith('"')) return refuse('a key in double quotes')
      const key = JSON.parse(token) as string
      if (keys.has(key)) throw new SyntaxFault(`The key ${quote(key)} stands here for the second time; leave one out.`)
      keys.add(key)
      at += token.length
      take('a colon', ':')
      value(path === '' ? key : `${path}.${key}`, depth + 1)
    } while (take('a comma or }', ',', '}') === ',')
  }

  function items(path: string, depth: number) {
    if (next() === ']') return void take(']', ']')
    let index = 0
    do value(path === '' ? `${index++}` : `${path}.${index++}`, depth + 1)
    while (take('a comma or ]', ',', ']') === ',')
  }

  try {
    value('', 0)
    next()
    if (at < text.length) refuse('the end of the document')
  } catch (fault) {
    if (!(fault instanceof SyntaxFault)) throw fault
    return { ok: false, line: lineHere(), message: fault.message }
  }
  const lineOf = (path: string): number => lines.get(path) ?? lineOf(path.slice(0, Math.max(0, path.lastIndexOf('.'))))
  return { ok: true, value: JSON.parse(text), lineOf }
}
