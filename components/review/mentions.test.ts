import { expect, test } from 'vitest'
import { nameAt, namedIn, piecesOf } from './mentions'

const ann = { id: '1', name: 'Ann' }
const anna = { id: '2', name: 'Anna Lee' }

test('a name begins at an @ that stands alone, and ends after three words', () => {
  const at = (text: string) => nameAt(text, text.length)?.q ?? null
  expect(at('Hello @')).toBe('')
  expect(at('@an')).toBe('an')
  expect(at('(@Anna Le')).toBe('Anna Le')
  expect(at('mail@an')).toBeNull()
  expect(at('@one two three four')).toBeNull()
  expect(at('@an\n')).toBeNull()
  expect(nameAt('@an and more', 3)).toEqual({ from: 0, q: 'an' })
})

test('the longer of two names that begin alike is meant, and other words stay words', () => {
  expect(namedIn('@Anna Lee', [ann, anna])).toEqual([anna])
  expect(piecesOf('Hi @Anna Lee, @Ann and @Bob', [ann, anna])).toEqual([
    { text: 'Hi ', isName: false },
    { text: '@Anna Lee', isName: true },
    { text: ', ', isName: false },
    { text: '@Ann', isName: true },
    { text: ' and @Bob', isName: false },
  ])
  expect(piecesOf('', [ann])).toEqual([])
})
