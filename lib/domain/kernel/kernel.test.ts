import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { ROLES } from '@/lib/vocabulary'
import { DomainError, quote } from './errors'
import { changesBetween } from './events'
import { type Actor, can, PERMISSIONS, type Permission } from './permissions'
import { contains, decodeCursor, encodeCursor, isUuid, line, page, parseInput, prose } from './shapes'

describe('permissions', () => {
  const actor = (role: (typeof ROLES)[number]): Actor => ({
    type: 'user',
    id: '',
    name: '',
    email: '',
    role,
    scope: 'write',
    via: 'session',
  })

  it('are all that those before have, and more', () => {
    for (const permission of Object.keys(PERMISSIONS) as Permission[]) {
      const allowed = ROLES.map((role) => can(actor(role), permission))
      expect(allowed, permission).toEqual([...allowed].sort())
      expect(allowed.at(-1), permission).toBe(true)
    }
  })

  it('are none for strangers, none for links, and all for the service itself', () => {
    for (const permission of Object.keys(PERMISSIONS) as Permission[]) {
      expect(can({ type: 'anonymous' }, permission)).toBe(false)
      expect(can({ type: 'upload_link', id: '', name: '' }, permission)).toBe(false)
      expect(can({ type: 'system', name: '' }, permission)).toBe(true)
    }
  })
})

describe('cursors', () => {
  it('come back as the id they were made of', () => {
    fc.assert(
      fc.property(fc.uuid(), (id) => {
        expect(decodeCursor(encodeCursor(id))).toBe(id)
      }),
    )
  })

  it('of anybody else are refused, never misread', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        try {
          expect(isUuid(decodeCursor(text))).toBe(true)
        } catch (error) {
          expect(error).toMatchObject({ code: 'invalid_query' })
        }
      }),
    )
  })

  it('are given only when there is more', () => {
    const rows = [3, 2, 1].map((n) => ({ id: `0000000${n}-0000-7000-8000-000000000000` }))
    expect(page(rows, undefined).next_cursor).toBeNull()
    expect(page(rows, 3)).toEqual({ rows, next_cursor: null })
    const { rows: shown, next_cursor } = page(rows, 2)
    expect(shown).toEqual(rows.slice(0, 2))
    expect(decodeCursor(next_cursor ?? '')).toBe(rows[1]?.id)
  })
})

describe('text', () => {
  it.each(['a\nb', 'a\u0000', '\u0085', 'half \ud800 a pair', '', '   ', '\t'])('of one line is not %j', (text) => {
    expect(line(50).safeParse(text).success).toBe(false)
  })

  it.each(['Žluťoučký kůň', '日本語', 'שלום', '👩🏽‍🎨', "O'Brien & Søn <b>"])('of one line may be %j', (text) => {
    expect(line(50).parse(`  ${text} `)).toBe(text)
  })

  it('of several lines keeps its breaks, and nothing that steers a terminal', () => {
    expect(prose(50).parse('one\n\ttwo')).toBe('one\n\ttwo')
    expect(prose(50).safeParse('\u001b[31mred').success).toBe(false)
    expect(prose(3).safeParse('four').success).toBe(false)
  })

  it('in a sentence is quoted, shortened, and cannot turn the direction of reading', () => {
    expect(quote('plain')).toBe('“plain”')
    expect(quote('x'.repeat(200))).toHaveLength(80)
    expect(quote('a\u202egnp.exe\u0007')).toBe('“a�gnp.exe�”')
    expect(quote({ a: 1 })).toBe('“{"a":1}”')
    expect(quote(undefined)).toBe('“undefined”')
  })

  it('in a search means itself', () => {
    expect(contains('100%_\\')).toBe('%100\\%\\_\\\\%')
  })
})

describe('what is said of a wrong input', () => {
  const shape = z.strictObject({
    name: line(10),
    size: z.int().min(1).max(9).optional(),
    kind: z.enum(['a', 'b']).optional(),
    items: z
      .array(z.strictObject({ id: z.uuid() }))
      .min(1)
      .max(2)
      .optional(),
    at: z.iso.datetime().optional(),
    mail: z.email().optional(),
  })
  const errorsOf = (input: unknown) => {
    try {
      parseInput(shape, input, 'validation_failed')
      return []
    } catch (error) {
      if (error instanceof DomainError) return error.facts.errors?.map(({ path, message }) => [path, message])
      throw error
    }
  }

  it.each([
    [{}, [['name', 'name must be text; it is missing.']]],
    [{ name: 7 }, [['name', 'name must be text; got “7”.']]],
    [{ name: ' ' }, [['name', 'name must not be empty.']]],
    [{ name: 'x'.repeat(11) }, [['name', 'name must have at most 10 characters; got “xxxxxxxxxxx”.']]],
    [{ name: 'x', size: 0 }, [['size', 'size must be at least 1; got “0”.']]],
    [{ name: 'x', size: 10 }, [['size', 'size must be at most 9; got “10”.']]],
    [{ name: 'x', size: 1.5 }, [['size', 'size must be a whole number; got “1.5”.']]],
    [{ name: 'x', kind: 'c' }, [['kind', 'kind must be one of “a”, “b”; got “c”.']]],
    [{ name: 'x', items: [] }, [['items', 'items must have at least 1 entry; got “[]”.']]],
    [{ name: 'x', items: [{ id: 'y' }] }, [['items.0.id', 'items.0.id must be an identifier (UUID); got “y”.']]],
    [{ name: 'x', at: 'noon' }, [['at', 'at must be a time such as 2026-03-01T12:00:00.000Z; got “noon”.']]],
    [{ name: 'x', mail: 'me' }, [['mail', 'mail must be an e-mail address; got “me”.']]],
    [
      { name: 'x', nmae: 'y' },
      [['nmae', '“nmae” is not a field of this request. Leave it out, or check its spelling.']],
    ],
    [
      { name: 'x', items: [{ id: '01890000-0000-7000-8000-000000000000', no: 1 }] },
      [['items.0.no', '“no” is not a field of this request. Leave it out, or check its spelling.']],
    ],
  ])('%j: which field, what was expected, what came', (input, expected) => {
    expect(errorsOf(input)).toEqual(expected)
  })

  it('sees through keys that mean something to JavaScript', () => {
    const hostile = JSON.parse('{"name":"x","__proto__":{"size":3},"constructor":1}')
    expect(errorsOf(hostile)?.map(([path]) => path)).toEqual(expect.arrayContaining(['__proto__', 'constructor']))
  })
})

describe('changes', () => {
  it('are the fields that differ, in the words of the interface, whatever the order of keys', () => {
    const before = { name: 'a', maxFileSize: 1, preQc: { enabled: true, checks: { a: 1, b: 2 } } }
    expect(changesBetween(before, { ...before, preQc: { checks: { b: 2, a: 1 }, enabled: true } })).toBeNull()
    expect(changesBetween(before, { name: 'a', maxFileSize: 2 })).toEqual({
      before: { max_file_size: 1 },
      after: { max_file_size: 2 },
    })
  })
})
