import { describe, expect, it } from 'vitest'
import { Comparison } from './compare'
import { fieldsOf, ratioOf, spansOf, stillOf } from './media'
import { rowsOf, fieldsOf as statedIn } from './pdf'

describe('what second engines print', () => {
  it('is read as ratios and stretches', () => {
    expect(ratioOf('30000/1001')).toBeCloseTo(29.97, 2)
    expect(ratioOf('0/0')).toBeNull()
    expect(spansOf('[x] black_start:1.2 black_end:3 black_duration:1.8', /black_start:(\S+) black_end:(\S+)/g)).toEqual(
      [{ start: 1.2, end: 3 }],
    )
  })

  it('is still until the end where no end is said', () => {
    const said = 'freeze_start: 1\nfreeze_duration: 1\nfreeze_end: 2\nfreeze_start: 4\n'
    expect(stillOf(said, 6)).toEqual([
      { start: 1, end: 2 },
      { start: 4, end: 6 },
    ])
  })

  it('says of fields what most frames are, and nothing of a few', () => {
    const said = (top: number, progressive: number) =>
      `Multi frame detection: TFF:${top} BFF:     0 Progressive:   ${progressive} Undetermined:     1`
    expect(fieldsOf(said(40, 2))).toBe('two')
    expect(fieldsOf(said(2, 40))).toBe('one')
    expect(fieldsOf(said(1, 1))).toBeNull()
    expect(fieldsOf('')).toBeNull()
  })

  it('is read by names and by rows', () => {
    expect(statedIn('Pages:           3\nPDF version:     1.7\n')).toEqual({ Pages: '3', 'PDF version': '1.7' })
    expect(rowsOf('name   type\n-----------\nArial  TrueType\n', /^name/)).toEqual(['Arial  TrueType'])
    expect(rowsOf('Syntax Error', /^name/)).toEqual([])
  })
})

describe('a comparison', () => {
  it('counts what both say', () => {
    const comparison = new Comparison()
    comparison.same('width', 320, '320')
    comparison.same('codec', 'h264', 'hevc')
    comparison.same('matrix', null, 'bt709')
    comparison.near('loudness', -23.04, -23, 0.1)
    comparison.near('loudness', -22, -23, 0.1)
    comparison.near('range', null, 4, 1)
    comparison.near('peak', -3, Number.NaN, 1)
    expect(comparison.all.map(({ what, agrees }) => [what, agrees])).toEqual([
      ['width', true],
      ['codec', false],
      ['loudness', true],
      ['loudness', false],
    ])
  })
})
