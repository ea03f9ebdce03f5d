import { expect, test } from 'vitest'
import { versionsOf } from './versions'

test('versions are found by what they replaced, whatever each is called', () => {
  const first = { id: 'a', version: 1, supersedes_id: null, name: 'hero_v1.png' }
  const second = { id: 'b', version: 2, supersedes_id: 'a', name: 'hero_v2.png' }
  const third = { id: 'c', version: 3, supersedes_id: 'b', name: 'hero_v2.png' }
  const other = { id: 'd', version: 1, supersedes_id: null, name: 'hero_v1.png' }
  const all = [other, third, first, second]
  for (const each of [first, second, third]) expect(versionsOf(each, all)).toEqual([third, second, first])
  expect(versionsOf(other, all)).toEqual([other])
})
