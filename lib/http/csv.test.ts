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

  it.each(['=1+1', '+49', '-1', '@sum', '\t=x', '\r=x', '  =cmd', '\uff1d1', '\u00a0=1'])(
    'never lets %j run as a formula',
    (text) => {
      expect(line(text).replace(/^"/, '')).toMatch(/^'/)
    },
  )

  it('leaves numbers numbers, negative ones too', () => {
    expect(line(-3.5)).toBe('-3.5')
  })
})
