import { expect, test } from 'vitest'
import { type Priced, priceChanges } from './compare'

const line = (description: string, quantity: number, unit_price: number) => ({ description, quantity, unit_price })
const version = (line_items: Priced['line_items'], more: Partial<Priced> = {}): Priced => ({
  currency: 'EUR',
  discount: null,
  tax_rate: 0,
  line_items,
  ...more,
})

test('a price that changed is one change, not one line removed and one added', () => {
  const before = version([line('Banner', 2, 50), line('Shoot', 1, 900), line('Old', 1, 1)], { tax_rate: 19 })
  const now = version([line('Banner', 3, 45.5), line('Shoot', 1, 900), line('New', 1, 2)], {
    tax_rate: 20,
    discount: { type: 'percent', value: 5 },
  })
  expect(priceChanges(now, before)).toEqual([
    { kind: 'removed', text: 'Old (1 × 1.00)' },
    { kind: 'changed', text: 'Banner', before: '2 × 50.00', now: '3 × 45.50' },
    { kind: 'added', text: 'New (1 × 2.00)' },
    { kind: 'added', text: 'Discount of 5%' },
    { kind: 'changed', text: 'Tax', before: '19%', now: '20%' },
  ])
})

test('of lines called alike the equal ones pair first, and none is lost', () => {
  const before = version([line('Banner', 1, 10), line('Banner', 1, 20)])
  expect(priceChanges(version([line('Banner', 1, 20), line('Banner', 1, 12)]), before)).toEqual([
    { kind: 'changed', text: 'Banner', before: '1 × 10.00', now: '1 × 12.00' },
  ])
  expect(priceChanges(version([line('Banner', 1, 10)]), before)).toEqual([
    { kind: 'removed', text: 'Banner (1 × 20.00)' },
  ])
  expect(priceChanges(before, before)).toEqual([])
})

test('another currency is said', () => {
  const lines = [line('Banner', 1, 10)]
  expect(priceChanges(version(lines, { currency: 'JPY' }), version(lines))).toEqual([
    { kind: 'changed', text: 'Currency', before: 'EUR', now: 'JPY' },
    { kind: 'changed', text: 'Banner', before: '1 × 10.00', now: '1 × 10' },
  ])
})
