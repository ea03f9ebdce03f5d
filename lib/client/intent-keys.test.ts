import { expect, it } from 'vitest'
import { createIntentKeys } from './intent-keys'

it('keeps the key while the same thing is tried again', () => {
  const keys = createIntentKeys()
  expect(keys.keyFor('submit a')).toBe(keys.keyFor('submit a'))
})

it('gives a new key to another body, and to the same body after a response', () => {
  const keys = createIntentKeys()
  const first = keys.keyFor('submit a')
  expect(keys.keyFor('submit b')).not.toBe(first)
  const second = keys.keyFor('submit a')
  keys.settle()
  expect(keys.keyFor('submit a')).not.toBe(second)
})
