import { expect, it } from 'vitest'
import { matchCommands } from './commands'

const commands = [
  { id: '1', label: 'New project' },
  { id: '2', label: 'Projects', keywords: 'list' },
  { id: '3', label: 'Žofie’s banners', hint: 'Northlight project' },
]
const ids = (query: string) => matchCommands(query, commands).map((each) => each.id)

it('finds by every word, in the label, the hint and the keywords', () => {
  expect(ids('project new')).toEqual(['1'])
  expect(ids('northlight banners')).toEqual(['3'])
  expect(ids('list')).toEqual(['2'])
  expect(ids('nothing such')).toEqual([])
})

it('puts labels that begin with the query first', () => expect(ids('proj')).toEqual(['2', '1', '3']))

it('does not mind case and accents', () => expect(ids('ZOFIE')).toEqual(['3']))

it('shows everything for an empty query', () => expect(ids('  ')).toEqual(['1', '2', '3']))
