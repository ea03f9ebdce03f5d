import { expect, test } from 'vitest'
import {
  emptyDraft,
  emptyLine,
  foreignPrices,
  inCurrency,
  isSameRequest,
  requestOf,
  rowOfItem,
  totalsOfDraft,
  withoutForeignSigns,
} from './draft'
import { linesFrom, rowsOf } from './pasted-rows'
import { currencyIn, numberFrom, priceText } from './typed-numbers'

test.each([
  ['1234.5', 1234.5],
  ['1,234.50', 1234.5],
  ['1.234,50', 1234.5],
  ['1 234,5', 1234.5],
  ['0,5', 0.5],
  ['1,234', 1234],
  ['€ 20', 20],
  ['20 EUR', 20],
  ['1.234,50 €', 1234.5],
  ['−3', -3],
  ['$20', null],
  ['US$ 20', null],
  ['20 kr.', null],
  ['-3', -3],
  ['', null],
  ['twelve', null],
  ['1e300', null],
])('%s is read as %s', (text, value) => {
  expect(numberFrom(text, 'EUR')).toBe(value)
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

test.each([
  ['$20', 'USD', 20],
  ['$20', 'CAD', 20],
  ['20 kr.', 'SEK', 20],
  ['¥1,200', 'JPY', 1200],
  ['CHF 49.50', 'CHF', 49.5],
  ['$20', 'EUR', null],
  ['20', undefined, 20],
])('%s in an estimate in %s is read as %s', (text, currency, value) => {
  expect(numberFrom(text, currency)).toBe(value)
})

test('a price in another currency is not taken for one of this: it is named, and waits for a decision', () => {
  const lines = ['$20', '20', 'USD 7.50', '€5', 'a dozen'].map((unitPrice) => ({
    ...emptyLine(),
    description: 'B',
    unitPrice,
  }))
  const draft = { ...emptyDraft(), lines }
  expect(foreignPrices(draft)).toMatchObject([
    { row: 0, text: '$20', mark: '$' },
    { row: 2, text: 'USD 7.50', mark: 'USD' },
  ])
  expect(requestOf(draft).line_items.map(({ unit_price }) => unit_price)).toEqual(['$20', 20, 'USD 7.50', 5, 'a dozen'])
  expect(totalsOfDraft(draft).subtotal).toBe('25.00')
  const dollars = inCurrency(draft, 'USD')
  expect(dollars.lines.map(({ unitPrice }) => unitPrice)).toEqual(['20.00', '20.00', '7.50', '€5', 'a dozen'])
  expect(foreignPrices(dollars)).toMatchObject([{ row: 3 }])
  const prices = withoutForeignSigns(draft).lines.map(({ unitPrice }) => unitPrice)
  expect(prices).toEqual(['20.00', '20', '7.50', '€5', 'a dozen'])
  expect(currencyIn('a dozen')).toBeNull()
  expect(currencyIn('$')).toBeNull()
})

test('a cell of several lines is one cell, and quotes that are words stay words', () => {
  expect(rowsOf('"Banner set\nin ""three"" sizes"\t3\t120\r\n5" tape\t1\t2\n"Hero" still\t1\t4')).toEqual([
    ['Banner set\nin "three" sizes', '3', '120'],
    ['5" tape', '1', '2'],
    ['"Hero" still', '1', '4'],
  ])
  expect(rowsOf('"never closed\t1\nnext\t2')).toEqual([
    ['"never closed', '1'],
    ['next', '2'],
  ])
  const lines = linesFrom('Item\tQty\tPrice\n"Shoot\ntwo days"\t2\t$18,500\n')
  expect(lines).toMatchObject([{ description: 'Shoot\ntwo days', quantity: '2', unitPrice: '$18,500' }])
})

test('a draft computes what the server will, and leaves out empty lines', () => {
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

test('what was typed and taken back changes nothing; another word, price, order or currency does', () => {
  const line = { ...emptyLine(), description: 'Banner', quantity: '2', unitPrice: '1,234' }
  const other = { ...emptyLine(), description: 'Video', unitPrice: '$7' }
  const draft = { ...emptyDraft(), title: 'Set', lines: [line, other] }
  const saved = requestOf(draft)
  const isSame = (changed: Partial<typeof draft>) => isSameRequest(requestOf({ ...draft, ...changed }), saved)
  expect(isSame({ lines: [{ ...line, description: 'Banner' }, other, emptyLine()] })).toBe(true)
  expect(isSame({ lines: [{ ...line, description: 'Banners' }, other] })).toBe(false)
  expect(isSame({ lines: [{ ...line, unitPrice: '1,235' }, other] })).toBe(false)
  expect(isSame({ lines: [other, line] })).toBe(false)
  expect(isSame({ lines: [line] })).toBe(false)
  expect(isSame({ title: 'Sets' })).toBe(false)
  expect(isSame({ currency: 'USD' })).toBe(false)
  // What was read of a line is read anew in another currency.
  expect(requestOf({ ...draft, currency: 'USD' }).line_items[1]?.unit_price).toBe(7)
  expect(saved.line_items[1]?.unit_price).toBe('$7')
})
