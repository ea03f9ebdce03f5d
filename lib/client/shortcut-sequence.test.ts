import { expect, it } from 'vitest'
import { createSequencer, isTypingTarget } from './shortcut-sequence'

const plain = (key: string) => ({ key, ctrlKey: false, metaKey: false, altKey: false })
const known = ['g p', 'g i', 'a', '?', 'p']

it('waits for the second key of a sequence', () => {
  const keys = createSequencer()
  expect(keys.press(plain('g'), 0, known)).toBeNull()
  expect(keys.press(plain('p'), 400, known)).toBe('g p')
})

it('forgets the first key after a pause', () => {
  const keys = createSequencer()
  keys.press(plain('g'), 0, known)
  expect(keys.press(plain('p'), 1300, known)).toBe('p')
})

it('takes a key that continues no sequence as a new beginning', () => {
  const keys = createSequencer()
  keys.press(plain('g'), 0, known)
  expect(keys.press(plain('a'), 100, known)).toBe('a')
  keys.press(plain('g'), 200, known)
  keys.press(plain('g'), 300, known)
  expect(keys.press(plain('i'), 400, known)).toBe('g i')
})

it('leaves the combinations of the browser alone', () => {
  const keys = createSequencer()
  expect(keys.press({ ...plain('a'), ctrlKey: true }, 0, known)).toBeNull()
  expect(keys.press({ ...plain('p'), metaKey: true }, 10, known)).toBeNull()
})

it('keeps a sequence open while Shift goes down for its second key', () => {
  const keys = createSequencer()
  expect(keys.press(plain('Shift'), 0, known)).toBeNull()
  expect(keys.press(plain('?'), 10, known)).toBe('?')
})

it.each([
  [{ tagName: 'INPUT', type: 'search' }, true],
  [{ tagName: 'INPUT', type: 'checkbox' }, false],
  [{ tagName: 'TEXTAREA' }, true],
  [{ tagName: 'DIV', isContentEditable: true }, true],
  [{ tagName: 'SPAN', role: 'combobox' }, true],
  [{ tagName: 'BUTTON' }, false],
])('knows where letters are letters: %o', (target, expected) => expect(isTypingTarget(target)).toBe(expected))
