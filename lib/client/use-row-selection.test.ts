import { expect, it } from 'vitest'
import { keepVisible, toggleRow } from './use-row-selection'

const keys = ['a', 'b', 'c', 'd']

it('chooses and drops one row', () => {
  const chosen = toggleRow(new Set(), keys, 'b', null, false)
  expect([...chosen]).toEqual(['b'])
  expect([...toggleRow(chosen, keys, 'b', 'b', false)]).toEqual([])
})

it('gives all rows of a Shift range the state of the row pressed, in both directions', () => {
  expect([...toggleRow(new Set(['d']), keys, 'b', 'd', true)].sort()).toEqual(['b', 'c', 'd'])
  expect([...toggleRow(new Set(keys), keys, 'c', 'b', true)].sort()).toEqual(['a', 'd'])
})

it('takes a single row when the row pressed before is gone', () => {
  expect([...toggleRow(new Set(), keys, 'c', 'gone', true)]).toEqual(['c'])
})

it('forgets rows that left the list', () => {
  expect([...keepVisible(new Set(['a', 'z']), keys)]).toEqual(['a'])
})
