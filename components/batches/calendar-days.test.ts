import { expect, test } from 'vitest'
import { daysOf, monthAfter, monthOf } from './calendar-days'

test('a month lies in whole weeks that begin on Monday', () => {
  const november = daysOf('2026-11')
  expect([november[0], november.at(-1), november.length]).toEqual(['2026-10-26', '2026-12-06', 42])
  const february = daysOf('2027-02')
  expect([february[0], february.at(-1), february.length]).toEqual(['2027-02-01', '2027-02-28', 28])
  expect(daysOf('2028-02')).toContain('2028-02-29')
})

test.each([
  ['2026-12', 1, '2027-01'],
  ['2026-01', -1, '2025-12'],
  ['2026-11', 0, '2026-11'],
])('%s and %i months is %s', (month, step, after) => expect(monthAfter(month, step)).toBe(after))

test.each([['2026-13'], ['26-1'], ['2026-11-01'], [''], [undefined]])('%s is no month', (text) =>
  expect(monthOf(text)).toBeNull(),
)
