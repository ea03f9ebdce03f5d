import { expect, test } from 'vitest'
import {
  emptyDraft,
  emptyLine,
  inCurrency,
  linesFrom,
  numberFrom,
  priceText,
  requestOf,
  rowOfItem,
  totalsOfDraft,
} from './draft'

test.each([
  ['1234.5', 1234.5],
  ['1,234.50', 1234.5],
  ['1.234,50', 1234.5],
  ['1 234,5', 1234.5],
  ['0,5', 0.5],
  ['1,234', 1234],
  ['€ 20', 20],
  ['-3', -3],
  ['', null],
  ['twelve', null],
  ['1e300', null],
])('%s is read as %s', (text, value) => {
  expect(numberFrom(text)).toBe(value)
})

test.each([
  ['49.5', 'EUR', '49.50'],
  ['1.234,5', 'EUR', '1234.50'],
  ['0.0125', 'EUR', '0.0125'],
  ['45', 'JPY', '45'],
  ['45.00', 'JPY', '45'],
  ['0.5', 'JPY', '0.5'],
  ['-7', 'KWD', '-7.000'],
  ['a dozen', 'EUR', 'a dozen'],
  ['', 'EUR', ''],
])('the unit price %s in %s is written %s', (text, currency, written) => {
  expect(priceText(text, currency)).toBe(written)
})

test('another currency writes the same prices in its own way, and changes none', () => {
  const draft = { ...emptyDraft(), lines: ['49.5', '0.0125'].map((unitPrice) => ({ ...emptyLine(), unitPrice })) }
  const dinars = inCurrency(draft, 'KWD')
  expect(dinars.lines.map(({ unitPrice }) => unitPrice)).toEqual(['49.500', '0.0125'])
  expect(requestOf(dinars).line_items).toEqual(requestOf(draft).line_items)
})

test('rows of a spreadsheet become lines, its head does not', () => {
  const lines = linesFrom('Description\tQty\tPrice\r\nBanner set\t3\t120,50\r\nRetouching\t1\t80\r\n\r\n')
  expect(lines.map(({ description, quantity, unitPrice }) => [description, quantity, unitPrice])).toEqual([
    ['Banner set', '3', '120,50'],
    ['Retouching', '1', '80'],
  ])
  expect(linesFrom('Express\t50').map(({ quantity, unitPrice }) => [quantity, unitPrice])).toEqual([['1', '50']])
})

test('a draft computes what the server will, and leaves out lines nobody wrote', () => {
  const draft = {
    ...emptyDraft(),
    title: 'Set',
    taxRate: '19',
    lines: [emptyLine(), { ...emptyLine(), description: 'Banner', quantity: '2', unitPrice: '49.995' }],
  }
  expect(totalsOfDraft(draft)).toMatchObject({ subtotal: '99.99', taxAmount: '19.00', total: '118.99' })
  expect(requestOf(draft).line_items).toEqual([
    { description: 'Banner', quantity: 2, unit_price: 49.995, unit: null, optional: false },
  ])
  expect(rowOfItem(draft, 0)).toBe(1)
})
