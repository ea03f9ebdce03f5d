import fc from 'fast-check'
import { expect, it } from 'vitest'
import { nameKey } from '../naming/portable-name'
import { uniqueNames } from './archive-names'

const named = (...files: [name: string, version: number][]) => files.map(([name, version]) => ({ name, version }))

it('leaves names alone that differ', () => {
  expect(uniqueNames(named(['a.png', 1], ['b.png', 3]))).toEqual(['a.png', 'b.png'])
})

it('distinguishes files of one name by their version, whatever its case', () => {
  expect(uniqueNames(named(['Hero.png', 2], ['hero.PNG', 1], ['other.png', 1]))).toEqual([
    'Hero (version 2).png',
    'hero (version 1).PNG',
    'other.png',
  ])
  expect(uniqueNames(named(['.profile', 1], ['.profile', 2]))).toEqual(['.profile (version 1)', '.profile (version 2)'])
})

it('counts on where the name with its version is taken', () => {
  expect(uniqueNames(named(['a (version 1).png', 1], ['a.png', 1], ['a.png', 2]))).toEqual([
    'a (version 1).png',
    'a (version 1, 2).png',
    'a (version 2).png',
  ])
})

it('never gives one name twice', () => {
  const name = fc.constantFrom('a.png', 'A.PNG', 'a (version 1).png', 'a (version 2).png', 'a (version 1, 2).png', 'b')
  const file = fc.record({ name, version: fc.integer({ min: 1, max: 3 }) })
  fc.assert(
    fc.property(fc.array(file, { maxLength: 12 }), (files) => {
      const names = uniqueNames(files)
      expect(new Set(names.map(nameKey)).size).toBe(files.length)
    }),
  )
})
