import { describe, expect, it } from 'vitest'
import { toCsv } from './csv'

const line = (...cells: (string | number | null)[]) => toCsv([cells]).slice(1, -2)

describe('CSV', () => {
  it('is UTF-8 with a mark that says so, in lines of CR LF', () => {
    expect(toCsv([['a'], ['b']])).toBe('\ufeffa\r\nb\r\n')
  })

  it('quotes what would break a line apart', () => {
    expect(line('a,b', 'say "so"', 'two\r\nlines', 'plain', null, 0.5)).toBe(
      '"a,b","say ""so""","two\r\nlines",plain,,0.5',
    )
  })

  it.each([
    ...['=1+1', '+49', '-1', '@sum', '\t=x', '\r=x', '\n=x', '\tx', '  =cmd', '\u00a0=1', '\u3000=1'],
    ...['\uff1d1', '\uff0b1', '\uff0d1', '\uff20x', '\ufe661', '\ufe621', '\ufe631', '\ufe6bx', '\u22121'],
    ...['\u200b=1', '\ufeff=1', '\u202e=1', '\u2066=1', '\u0000=1'],
  ])('never lets %j run as a formula', (text) => {
    expect(line(text).replace(/^"/, '')).toMatch(/^'/)
  })

  it.each(['a;=1+1', 'a\t=1+1'])('keeps %j in one cell, whatever separates cells where it is opened', (text) => {
    expect(line(text)).toBe(`"${text}"`)
  })

  it('leaves numbers numbers, negative ones too', () => {
    expect(line(-3.5)).toBe('-3.5')
  })
})
