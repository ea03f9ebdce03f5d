import Big from 'big.js'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isCurrency, minorUnits } from '@/lib/currencies'
import { decimalOf, decimalsIn, totalsOf } from './money'

const plain = { currency: 'EUR', discount: null, taxRate: '0' }
const one = (quantity: string, unitPrice: string, currency = 'EUR') =>
  totalsOf([{ quantity, unitPrice }], { ...plain, currency }).amounts[0]

describe('money', () => {
  it.each([
    ['1', '0.005', 'EUR', '0.01'],
    ['1', '0.0049', 'EUR', '0.00'],
    ['1', '-0.005', 'EUR', '-0.01'],
    ['3', '0.335', 'EUR', '1.01'],
    ['1.5', '1', 'JPY', '2'],
    ['1', '0.0005', 'KWD', '0.001'],
    ['0.1', '0.2', 'EUR', '0.02'],
    ['1000000000', '1000', 'EUR', '1000000000000.00'],
  ])('%s at %s %s is %s', (quantity, price, currency, amount) => {
    expect(one(quantity, price, currency)).toBe(amount)
  })

  it('rounds each line, then sums', () => {
    const lines = Array.from({ length: 3 }, () => ({ quantity: '1', unitPrice: '0.005' }))
    expect(totalsOf(lines, plain).subtotal).toBe('0.03')
  })

  it('takes the discount before the tax', () => {
    const totals = totalsOf([{ quantity: '2', unitPrice: '100' }], {
      currency: 'EUR',
      discount: { type: 'percent', value: '10' },
      taxRate: '19',
    })
    expect(totals).toMatchObject({ subtotal: '200.00', discountAmount: '20.00', taxAmount: '34.20', total: '214.20' })
  })

  it('counts nothing of what is declined', () => {
    const lines = [
      { quantity: '1', unitPrice: '10' },
      { quantity: '1', unitPrice: '5', isDeclined: true },
    ]
    expect(totalsOf(lines, plain)).toMatchObject({ amounts: ['10.00', '5.00'], subtotal: '10.00', total: '10.00' })
  })

  it('knows the minor units of currencies, and which codes are currencies', () => {
    expect(['EUR', 'JPY', 'KWD'].map(minorUnits)).toEqual([2, 0, 3])
    expect(['EUR', 'eur', 'XXY', ''].map(isCurrency)).toEqual([true, false, false, false])
  })

  it('reads a JSON number exactly as it is written', () => {
    expect([decimalOf(0.1), decimalOf(1e21), decimalOf(1e-7), decimalOf(Number.NaN)]).toEqual([
      '0.1',
      '1000000000000000000000',
      '0.0000001',
      null,
    ])
    expect(decimalsIn('1.2300')).toBe(2)
  })

  const decimal = fc
    .tuple(fc.integer({ min: -1_000_000, max: 1_000_000 }), fc.integer({ min: 0, max: 9999 }))
    .map(([whole, rest]) => `${whole}.${String(rest).padStart(4, '0')}`)
  const currency = fc.constantFrom('EUR', 'JPY', 'KWD')

  it('sums exactly whatever the order of the lines', () => {
    fc.assert(
      fc.property(fc.array(decimal, { minLength: 1, maxLength: 30 }), currency, (prices, code) => {
        const lines = prices.map((unitPrice) => ({ quantity: '1', unitPrice }))
        const there = totalsOf(lines, { ...plain, currency: code })
        const back = totalsOf([...lines].reverse(), { ...plain, currency: code })
        expect(back.total).toBe(there.total)
        expect(there.amounts.reduce((sum, amount) => sum.plus(amount), new Big(0)).eq(there.subtotal)).toBe(true)
      }),
    )
  })

  it('is never off by more than half a unit a line, and a credit takes back exactly its charge', () => {
    fc.assert(
      fc.property(decimal, decimal, currency, (quantity, unitPrice, code) => {
        const amount = new Big(one(quantity, unitPrice, code) ?? 0)
        const exact = new Big(quantity).times(unitPrice)
        expect(
          amount
            .minus(exact)
            .abs()
            .lte(new Big(10).pow(-minorUnits(code)).div(2)),
        ).toBe(true)
        expect(new Big(one(quantity, new Big(unitPrice).times(-1).toFixed(), code) ?? 0).plus(amount).eq(0)).toBe(true)
      }),
    )
  })

  it('total = subtotal - discount + tax, in every currency', () => {
    fc.assert(
      fc.property(
        decimal,
        fc.integer({ min: 0, max: 100 }),
        fc.integer({ min: 0, max: 100 }),
        currency,
        (price, off, tax, code) => {
          const totals = totalsOf([{ quantity: '1', unitPrice: price }], {
            currency: code,
            discount: { type: 'percent', value: String(off) },
            taxRate: String(tax),
          })
          const sum = new Big(totals.subtotal).minus(totals.discountAmount).plus(totals.taxAmount)
          expect(sum.eq(totals.total)).toBe(true)
          expect(decimalsIn(totals.total)).toBeLessThanOrEqual(minorUnits(code))
        },
      ),
    )
  })
})
