import { describe, expect, test } from 'vitest'
import { ReceiptBook, type ReceiptLine, receiptAsCsv, receiptAsText, type Shelf } from './receipt'

function shelfOf(limit = Number.POSITIVE_INFINITY): Shelf & { stored: Map<string, string> } {
  const stored = new Map<string, string>()
  return {
    stored,
    get length() {
      return stored.size
    },
    key: (index) => [...stored.keys()][index] ?? null,
    getItem: (key) => stored.get(key) ?? null,
    setItem: (key, value) => {
      if (value.length > limit) throw new DOMException('Full', 'QuotaExceededError')
      stored.set(key, value)
    },
    removeItem: (key) => stored.delete(key),
  }
}

const line = (id: string, change: Partial<ReceiptLine> = {}): ReceiptLine => ({
  id,
  at: new Date().toISOString(),
  name: `${id}.png`,
  folder: '',
  size: 10,
  result: 'accepted',
  version: 1,
  sha256: 'ab',
  reasons: [],
  ...change,
})

describe('a receipt', () => {
  test('survives the page, with refused files and their reasons', () => {
    const shelf = shelfOf()
    const book = new ReceiptBook('token', shelf)
    book.put(line('a'), 'Spring, Banners')
    book.put(line('b', { result: 'refused', sha256: null, reasons: ['The file ends early.'] }), 'Spring, Banners')
    book.write()
    const again = new ReceiptBook('token', shelf).current()
    expect(again?.lines.map(({ name, result, reasons }) => [name, result, reasons])).toEqual([
      ['a.png', 'accepted', []],
      ['b.png', 'refused', ['The file ends early.']],
    ])
    expect(new ReceiptBook('another', shelf).current()).toBeNull()
  })

  test('keeps what was accepted or refused when it is taken off the list, and lets go what was never sent', () => {
    const book = new ReceiptBook('token', shelfOf())
    book.put(line('a'), 's')
    book.put(line('b', { result: 'refused' }), 's')
    book.put(line('c', { result: 'not_sent' }), 's')
    for (const id of ['a', 'b', 'c']) book.dropUnsent(id)
    expect(book.current()?.lines.map(({ id }) => id)).toEqual(['a', 'b'])
  })

  test('has one line for a file that was renamed and then accepted', () => {
    const book = new ReceiptBook('token', shelfOf())
    book.put(line('a', { result: 'not_sent' }), 's')
    book.dropUnsent('a')
    book.put(line('a', { name: 'right.png' }), 's')
    expect(book.current()?.lines).toMatchObject([{ name: 'right.png', result: 'accepted' }])
  })

  test('is finished by "Done" and goes on with the next file', () => {
    const book = new ReceiptBook('token', shelfOf())
    book.put(line('a'), 's')
    book.finish('2026-11-22T12:00:00.000Z')
    expect(book.current()?.finishedAt).toBe('2026-11-22T12:00:00.000Z')
    book.put(line('b'), 's')
    expect(book.current()).toMatchObject({ finishedAt: null, lines: [{ id: 'a' }, { id: 'b' }] })
  })

  test('is written by two tabs without loss', () => {
    const shelf = shelfOf()
    const one = new ReceiptBook('token', shelf)
    const other = new ReceiptBook('token', shelf)
    one.put(line('a'), 's')
    one.write()
    other.put(line('b'), 's')
    other.write()
    expect(new ReceiptBook('token', shelf).current()?.lines.map(({ id }) => id)).toEqual(['a', 'b'])
  })

  test('says when the browser has no room, and lives on in the page', () => {
    const book = new ReceiptBook('token', shelfOf(20))
    book.put(line('a'), 's')
    book.write()
    expect(book.isStored).toBe(false)
    expect(book.current()?.lines).toHaveLength(1)
    expect(new ReceiptBook('token', null).isStored).toBe(false)
  })

  test('goes thirty days after its last line; what is no receipt goes at once', () => {
    const shelf = shelfOf()
    const old = new ReceiptBook('old', shelf)
    old.put(line('a', { at: new Date(Date.now() - 31 * 86_400_000).toISOString() }), 's')
    old.write()
    shelf.setItem('greenroom:receipt:broken', '{"lines":')
    shelf.setItem('something-else', 'stays')
    new ReceiptBook('new', shelf)
    expect([...shelf.stored.keys()]).toEqual(['something-else'])
  })
})

test('a receipt as text and as CSV names folder, bytes, fingerprint and reasons; formulas are defused', () => {
  const lines = [
    line('a', { at: '2026-11-22T12:00:00.000Z', folder: 'Spring', name: '=cmd.png' }),
    line('b', { at: '2026-11-22T12:00:01.000Z', result: 'refused', sha256: null, reasons: ['Too large, by far.'] }),
  ]
  expect(receiptAsText({ subject: 'Spring, Banners', finishedAt: null, lines })).toBe(
    [
      'Spring, Banners',
      '2026-11-22T12:00:00.000Z  Accepted  Spring/=cmd.png  10 bytes  SHA-256 ab',
      '2026-11-22T12:00:01.000Z  Refused  b.png  10 bytes  Too large, by far.',
    ].join('\n'),
  )
  expect(receiptAsCsv(lines).split('\r\n').slice(1, 3)).toEqual([
    "'=cmd.png,Spring,Accepted,10,1,ab,2026-11-22T12:00:00.000Z,",
    'b.png,,Refused,10,1,,2026-11-22T12:00:01.000Z,"Too large, by far."',
  ])
})
