import { describe, expect, it } from 'vitest'
import { excerptOf, gramsOf, gramsOfAll, isClose, marked, piecesOf, wordsOf } from './rules'

describe('what was typed', () => {
  it('is words, folded and composed', () => {
    expect(wordsOf('  Héro \t300x250 ')).toEqual(['héro', '300x250'])
    expect(wordsOf('a '.repeat(50))).toHaveLength(8)
  })

  it('is looked for by parts of three characters, a long word by few of them', () => {
    expect(gramsOf('ab')).toEqual([])
    expect(gramsOf('hero')).toEqual(['her', 'ero'])
    expect(gramsOf('skyscraper_v1')).toEqual(['sky', 'ysc', 'scr', 'rap', 'per', 'er_', '_v1'])
  })

  it('is looked for by few parts of all its words together, and by one of each at least', () => {
    expect(gramsOfAll(['ab', 'c'])).toEqual([])
    expect(gramsOfAll(['hero'])).toEqual(['her', 'ero'])
    expect(gramsOfAll(['zebrafish'])).toEqual(['zeb', 'bra', 'afi', 'ish'])
    expect(gramsOfAll(['red', 'banner', 'xy', 'skyscraper', 'summer', 'autumn'])).toHaveLength(5)
  })

  it('has parts of which one is whole, however few keys are wrong', () => {
    expect(piecesOf('hero')).toEqual([])
    expect(piecesOf('banner')).toEqual(['ban', 'ner'])
    expect(piecesOf('launching')).toEqual(['lau', 'nch', 'ing'])
    expect(piecesOf('heros')).toEqual([])
  })

  it.each([
    ['spring_banner_v2.png', 'bannar', true],
    ['spring_banner_v2.png', 'bannre', true],
    ['spring_banner_v2.png', 'spring', true],
    ['spring_banner_v2.png', 'bonnet', false],
    ['launching.mp4', 'lonchng', false],
    ['launching.mp4', 'lanuchign', true],
    ['launching.mp4', 'launchi', true],
    ['', 'banner', false],
  ])('%s is close to %s: %s', (name, word, is) => {
    expect(isClose(name, word)).toBe(is)
  })
})

describe('what is shown of a text', () => {
  it('is the part around the first word', () => {
    const text = `${'before '.repeat(50)}the needle is here ${'after '.repeat(50)}`
    const part = excerptOf(text, ['needle'])
    expect(part).toMatch(/^… .*the needle is here.* …$/)
    expect(part.length).toBeLessThan(200)
    expect(excerptOf('short\n text', ['x'])).toBe('short text')
    expect(excerptOf('a'.repeat(500), ['x'])).toHaveLength(182)
  })

  it('has its words marked, whatever characters they hold', () => {
    expect(marked('A (b) of B', ['(b)', 'of'])).toEqual([
      { text: 'A ', isHit: false },
      { text: '(b)', isHit: true },
      { text: ' ', isHit: false },
      { text: 'of', isHit: true },
      { text: ' B', isHit: false },
    ])
    expect(marked('<b>', [])).toEqual([{ text: '<b>', isHit: false }])
  })
})
