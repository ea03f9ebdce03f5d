import { describe, expect, test } from 'vitest'
import type { TextReading } from '@/lib/media/measurements'
import { isEmptyPhrase, matchCopy, phraseKey } from './match-copy'

/** Words of a line, each ten wide at ten times its place; those after a `?` were read with little confidence. */
const reading = (text: string, changes: Partial<TextReading> = {}): TextReading => ({
  how: 'recognised',
  words: text.split(' ').map((word, index) => ({
    text: word.replace(/^\?/, ''),
    confidence: word.startsWith('?') ? 0.4 : 0.95,
    region: { x: index * 10, y: 0, width: 10, height: 5 },
  })),
  ...changes,
})
const match = (phrase: string, ...texts: string[]) =>
  matchCopy(
    phrase,
    texts.map((text) => reading(text)),
  )
const wordsOf = ({ words }: { words: { text: string }[] }) => words.map(({ text }) => text).join(' ')

describe('a phrase is found', () => {
  test.each([
    ['in capitals', 'Summer sale', 'THE SUMMER SALE IS ON', 'SUMMER SALE'],
    ['with other quotes and dashes', "It's new - today", 'It’s new — today', 'It’s new — today'],
    ['with other spaces, of all kinds', 'Up to 50 % off', 'Up to\u00a050% off', 'Up to\u00a050% off'],
    [
      'over a word that was divided at the end of a line',
      'Geschäftsbedingungen',
      'Geschäftsbe- dingungen gelten',
      'Geschäftsbe- dingungen',
    ],
    ['when the reader drew two words together', 'Summer sale now', 'SummerSale now', 'SummerSale now'],
    [
      'when letters were read that look the same',
      'Only 100 illuminated modern lamps',
      'OnIy l0O i1luminated modem Iamps',
      'OnIy l0O i1luminated modem Iamps',
    ],
    ['with composed and decomposed accents', 'Café'.normalize('NFD'), 'Le Café', 'Café'],
  ])('%s', (_name, phrase, text, words) => {
    const found = match(phrase, text)
    expect(found.likeness).toBe(1)
    expect(wordsOf(found)).toBe(words)
    expect(found.differing).toEqual([])
  })

  test('where it was read best, of several readings', () => {
    const found = match('Summer sale', 'Summer ?sole', '?Summer ?sale', 'Summer sale')
    expect(found).toMatchObject({ likeness: 1, words: [{ confidence: 0.95 }, { confidence: 0.95 }] })
  })
})

describe('a phrase is not found', () => {
  test.each([
    ['by another number', 'Up to 50 % off', 'Up to 30 % off', '30'],
    ['by a price with the point elsewhere', 'Only 19.90', 'Only 1.990', '1.990'],
    ['by a missing letter', 'Summer sale', 'Sumer sale', 'Sumer'],
    ['by an added word', 'Terms apply', 'Terms may apply', 'may'],
    ['by other signs', 'Only 20 €', 'Only 20 $', '$'],
  ])('%s, and the words that differ are named', (_name, phrase, text, differing) => {
    const found = match(phrase, `Before ${text} after`)
    expect(found.likeness).toBeLessThan(1)
    expect(found.likeness).toBeGreaterThan(0.5)
    expect(found.differing.map((word) => word.text)).toContain(differing)
  })

  test('inside a longer word', () => {
    expect(match('sale', 'wholesale prices').likeness).toBeLessThan(1)
    expect(match('art', 'the smartest start').likeness).toBeLessThan(1)
  })

  test('in words that lie about, and nothing is where nothing was read', () => {
    expect(match('Terms and conditions apply', 'Fresh coffee every morning').likeness).toBeLessThan(0.5)
    expect(matchCopy('Terms apply', [])).toMatchObject({ likeness: 0, words: [], reading: null })
    expect(
      matchCopy('Terms apply', [reading('').words.length ? { how: 'recognised', words: [] } : reading('x')]),
    ).toMatchObject({ likeness: 0 })
  })
})

test('a part that was not read is distinguished from a part that reads otherwise', () => {
  expect(match('Terms and conditions apply. 18+ only.', 'Terms and conditions apply.')).toMatchObject({ isCut: true })
  expect(match('Summer sale', 'ummer sale')).toMatchObject({ isCut: true })
  expect(match('Summer sale', 'Sumer sale')).toMatchObject({ isCut: false })
  expect(match('Terms and conditions apply. 18+ only.', 'Terms and conditions apply. 16+ only.')).toMatchObject({
    isCut: false,
  })
})

test('a difference in accents alone is distinguished from one in letters', () => {
  expect(match('C’est l’été', 'C’est l’ete')).toMatchObject({ differsInAccents: true })
  expect(match('C’est l’été', 'C’est lété')).toMatchObject({ likeness: 1 })
  expect(match('C’est l’été', 'C’est l’ité')).toMatchObject({ differsInAccents: false })
})

test('phrases of which nothing remains to be compared are reported, and two that any text would match alike', () => {
  expect(['—', '“ ”', '…!', ''].every(isEmptyPhrase)).toBe(true)
  expect(['A', '50 %', '年'].some(isEmptyPhrase)).toBe(false)
  expect(phraseKey('Summer  Sale!')).toBe(phraseKey('“SUMMER SALE”'))
  expect(phraseKey('Only 19.90')).not.toBe(phraseKey('Only 1990'))
})

test('a long phrase is compared with a long text before anybody wonders', () => {
  const text = Array.from({ length: 4000 }, (_, index) => `word${index}`).join(' ')
  expect(match('word3998 word3999', text).likeness).toBe(1)
})
