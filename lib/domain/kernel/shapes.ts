import { z } from 'zod'
import { DomainError, type ErrorCode, type FieldError, invalid, quote } from './errors'

/** Building blocks of the shapes that requests and responses have. */

export const timestamp = z.iso.datetime().describe('ISO 8601, UTC, milliseconds')
export const uuid = z.uuid()
export const ref = z.object({ id: uuid, name: z.string() })

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters that are refused
const CONTROL = /[\u0000-\u001f\u007f-\u009f]/
// biome-ignore lint/suspicious/noControlCharactersInRegex: as above, line breaks and tabs allowed
const CONTROL_BUT_LINES = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/
const isWellFormed = (text: string) =>
  !/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/.test(text)

/** Whether PostgreSQL can hold the text: it knows no NUL, and no half of a surrogate pair. */
export const isStorable = (text: string) => !text.includes('\0') && isWellFormed(text)

/** Any text of up to `max` characters: the shape of every text input that has no narrower one. */
export const text = (max: number) =>
  z.string().max(max).refine(isStorable, 'NUL characters and broken Unicode are not allowed here; type the text again.')

/** Embeddings, overrides and isolates of the Unicode bidirectional algorithm: what makes text read as another text. */
const DIRECTION = /[\u202a-\u202e\u2066-\u2069]/g

/**
 * One line of text people read: trimmed, 1 to `max` characters, no control characters. Characters that turn the direction
 * of what stands around them are dropped: names that are copied bring them along, unseen.
 */
export const line = (max: number) =>
  z
    .string()
    .overwrite((text) => text.replace(DIRECTION, ''))
    .trim()
    .min(1)
    .max(max)
    .refine(
      (text) => !CONTROL.test(text) && isWellFormed(text),
      'Control characters and broken Unicode are not allowed here; type the text again.',
    )

/** Free text of several lines, up to `max` characters. */
export const prose = (max: number) =>
  z
    .string()
    .trim()
    .max(max)
    .refine(
      (text) => !CONTROL_BUT_LINES.test(text) && isWellFormed(text),
      'Control characters and broken Unicode are not allowed here; type the text again.',
    )

/** How many rows of a list are returned to who names no limit. */
const MOST_UNASKED = 1000

/** `limit` and `cursor` of every list. Without `limit` the first MOST_UNASKED are returned. */
export const paging = {
  limit: z.coerce.number().int().min(1).max(500).optional(),
  cursor: text(200).optional(),
}

export const listOf = <K extends string, T extends z.ZodType>(key: K, item: T) =>
  z.object({ [key]: z.array(item), next_cursor: z.string().nullable() } as { [k in K]: z.ZodArray<T> } & {
    next_cursor: z.ZodNullable<z.ZodString>
  })

export const iso = (at: Date) => at.toISOString()
/** A time as PostgreSQL writes it in UTC (`2026-11-20 09:30:00.5+00`), for lists where a Date a cell costs too much. */
export const isoOfText = (text: string) => `${text.slice(0, 10)}T${text.slice(11, -3).padEnd(9, '.').padEnd(12, '0')}Z`
/** The day of UTC, `YYYY-MM-DD`. */
export const dayOf = (at: Date) => at.toISOString().slice(0, 10)
export const isoOrNull = (at: Date | null) => at?.toISOString() ?? null

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
export const isUuid = (text: string) => UUID.test(text)

/** A pattern for `ilike` in which `%` and `_` mean themselves. */
export const contains = (text: string) => `%${text.replace(/[\\%_]/g, '\\$&')}%`

/** A cursor is the id of the last row shown: ids are in order of creation. */
export const encodeCursor = (id: string) => Buffer.from(id.replaceAll('-', ''), 'hex').toString('base64url')

/** @throws `invalid_query` */
export function decodeCursor(cursor: string): string {
  const hex = Buffer.from(cursor, 'base64url').toString('hex')
  const id = hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
  if (!isUuid(id)) throw foreignCursor(cursor)
  return id
}

/** The refusal of a cursor that no page of ours gave. */
export const foreignCursor = (cursor: string) =>
  new DomainError(
    'invalid_query',
    `The cursor ${quote(cursor)} is not one of ours. Use the next_cursor of the page before, unchanged.`,
    {
      errors: [
        { path: 'cursor', code: 'invalid_cursor', message: 'Use the next_cursor of the page before, unchanged.' },
      ],
    },
  )

/** How many rows to ask for: one more than the page, which shows whether there is a next one. */
export const upTo = (limit = MOST_UNASKED) => limit + 1

/** Cuts what was found, one row more than `limit` at least where there is a next page, into a page and the cursor of the next. */
export function page<T extends { id: string }>(
  rows: T[],
  limit = MOST_UNASKED,
  cursorOf: (last: T) => string = ({ id }) => encodeCursor(id),
): { rows: T[]; next_cursor: string | null } {
  if (rows.length <= limit) return { rows, next_cursor: null }
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)
  return { rows: shown, next_cursor: last ? cursorOf(last) : null }
}

/** Every wrong field of an input and a sentence for each; empty when nothing is wrong. */
export function fieldErrors(shape: z.ZodType, input: unknown): FieldError[] {
  const parsed = shape.safeParse(input)
  return parsed.success ? [] : parsed.error.issues.flatMap((issue) => explain(issue, input))
}

/** @throws `invalid_query` or `validation_failed`, with every wrong field and a sentence for each */
export function parseInput<I extends z.ZodType>(shape: I | undefined, input: unknown, code: ErrorCode): z.output<I> {
  if (!shape) {
    const unknown = input !== undefined && input !== null && typeof input === 'object' ? Object.keys(input) : []
    if (unknown.length > 0) throw refuse(unknown.map(unrecognized), code)
    return undefined as z.output<I>
  }
  const parsed = shape.safeParse(input ?? {})
  if (parsed.success) return parsed.data
  throw refuse(
    parsed.error.issues.flatMap((issue) => explain(issue, input)),
    code,
  )
}

function refuse(errors: FieldError[], code: ErrorCode) {
  return code === 'validation_failed'
    ? invalid(errors)
    : new DomainError(code, errors.map((e) => e.message).join(' '), { errors })
}

const unrecognized = (key: string): FieldError => ({
  path: key,
  code: 'unrecognized_keys',
  message: `${quote(key)} is not a field of this request. Leave it out, or check its spelling.`,
})

function explain(issue: z.core.$ZodIssue, input: unknown): FieldError[] {
  const path = issue.path.map(String).join('.')
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({ ...unrecognized(key), path: path ? `${path}.${key}` : key }))
  }
  const value = issue.path.reduce<unknown>(
    (at, key) => (at !== null && typeof at === 'object' ? (at as Record<PropertyKey, unknown>)[key] : undefined),
    input,
  )
  return [{ path, code: issue.code, message: sentence(issue, path || 'The body', value) }]
}

const KINDS: Record<string, string> = {
  string: 'text',
  int: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  null: 'null',
}

function sentence(issue: z.core.$ZodIssue, field: string, value: unknown): string {
  const got =
    value === undefined ? 'it is missing' : `got ${isEndless(value) ? 'one too large to compute with' : quote(value)}`
  switch (issue.code) {
    case 'invalid_type':
      return `${field} must be ${KINDS[issue.expected] ?? issue.expected}; ${got}.`
    case 'invalid_value':
      return `${field} must be one of ${issue.values.map((v) => quote(v)).join(', ')}; ${got}.`
    case 'too_small':
      return issue.origin === 'string' && Number(issue.minimum) === 1
        ? `${field} must not be empty.`
        : `${field} must ${count(issue.origin, issue.inclusive === false ? 'more than' : 'at least', issue.minimum)}; ${got}.`
    case 'too_big':
      return `${field} must ${count(issue.origin, issue.inclusive === false ? 'less than' : 'at most', issue.maximum)}; ${got}.`
    case 'invalid_format':
      if (issue.format === 'uuid') return `${field} must be an identifier (UUID); ${got}.`
      if (issue.format === 'datetime') return `${field} must be a time such as 2026-03-01T12:00:00.000Z; ${got}.`
      if (issue.format === 'date') return `${field} must be a day such as 2026-03-01; ${got}.`
      if (issue.format === 'email') return `${field} must be an e-mail address; ${got}.`
      // A shape that says itself what it wants is quoted; the library's own words for a pattern are no help.
      return issue.message.startsWith('Invalid')
        ? `${field} does not have the expected form; ${got}.`
        : `${field}: ${issue.message.replace(/\.?$/, '')}; ${got}.`
    case 'invalid_union':
      return 'options' in issue && Array.isArray(issue.options)
        ? `${field} must be one of ${issue.options.map((option) => quote(option)).join(', ')}; ${got}.`
        : `${field}: ${issue.message.replace(/\.?$/, '.')}`
    default:
      // A number that was refused is quoted; text may be a secret, and says itself what it wants.
      return typeof value === 'number'
        ? `${field} must be ${issue.message.replace(/\.$/, '')}; ${got}.`
        : `${field}: ${issue.message.replace(/\.?$/, '.')}`
  }
}

/** JSON has numbers that JavaScript reads as infinite. */
const isEndless = (value: unknown) => typeof value === 'number' && !Number.isFinite(value)

function count(origin: string, bound: string, limit: number | bigint | Date) {
  const isOne = Number(limit) === 1
  if (origin === 'string') return `have ${bound} ${limit} ${isOne ? 'character' : 'characters'}`
  if (origin === 'array') return `have ${bound} ${limit} ${isOne ? 'entry' : 'entries'}`
  return `be ${bound} ${limit}`
}
