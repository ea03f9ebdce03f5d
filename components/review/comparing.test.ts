import { expect, test } from 'vitest'
import { comparisonWords, readComparison } from './comparing'

const id = (n: number) => `00000000-0000-4000-8000-00000000000${n}`
const batch = { project_id: id(1), batch_id: id(2) }
const own = (n: number) => ({ ...batch, file_id: id(n) })
const other = { project_id: id(7), batch_id: id(8), file_id: id(9) }
const read = (words: string) => readComparison(batch, id(3), new URLSearchParams(words))

test('what an address names of a comparison is what is compared', () => {
  const comparison = { others: [own(4), other, own(5)], mode: 'difference' as const, pair: id(9) }
  const words = comparisonWords(batch, comparison)
  expect(words).toBe(`compare=${id(4)},${id(7)}.${id(8)}.${id(9)},${id(5)}&mode=difference&against=${id(9)}`)
  expect(read(words)).toEqual(comparison)
})

test('what is malformed, named twice, the file itself or a fifth is left out', () => {
  const refs = ['x', id(3), id(4), id(4), `${id(7)}.${id(4)}`, id(5), id(6), id(8)]
  expect(read(`compare=${refs.join(',')}&mode=upside`)).toEqual({
    others: [own(4), own(5), own(6)],
    mode: 'side',
    pair: id(4),
  })
  expect(read('compare=')).toEqual({ others: [], mode: 'side', pair: null })
  expect(read('comment=x')).toBeNull()
})
