import { formatMoney } from '@/lib/currencies'
import type { Estimate } from '@/lib/domain/cost-estimates/schema'
import { formatQuantity, formatUnitPrice } from './amounts'

type Line = Pick<Estimate['line_items'][number], 'description' | 'quantity' | 'unit_price'>
export type Priced = Pick<Estimate, 'currency' | 'discount' | 'tax_rate'> & { line_items: readonly Line[] }

/** One difference between two versions; `before` and `now` are what stands on either side of a change. */
export type PriceChange =
  | { kind: 'removed' | 'added'; text: string }
  | { kind: 'changed'; text: string; before: string; now: string }

const amountsOf = ({ quantity, unit_price }: Line, currency: string) =>
  `${formatQuantity(quantity)} × ${formatUnitPrice(unit_price, currency)}`

const discountOf = ({ discount, currency }: Priced) =>
  discount === null
    ? null
    : discount.type === 'percent'
      ? `${formatQuantity(discount.value)}%`
      : formatMoney(discount.value, currency)

const taxOf = ({ tax_rate }: Priced) => (tax_rate > 0 ? `${formatQuantity(tax_rate)}%` : null)

/**
 * What differs in price between two versions. Lines are the same when their description is; of several with the same
 * one, those with the same numbers pair first, the others in their order. A line that only changed its description is
 * one removed and one added.
 */
export function priceChanges(now: Priced, before: Priced): PriceChange[] {
  const left = [...before.line_items]
  const take = (is: (line: Line) => boolean) => {
    const at = left.findIndex(is)
    return at === -1 ? null : (left.splice(at, 1)[0] ?? null)
  }
  const same = (a: Line, b: Line) =>
    a.description === b.description && amountsOf(a, now.currency) === amountsOf(b, before.currency)
  const open = now.line_items.filter((line) => take((other) => same(line, other)) === null)
  const paired = open.map((line) => ({ line, was: take(({ description }) => description === line.description) }))
  return [
    ...changeOf('Currency', before.currency, now.currency),
    ...left.map((line): PriceChange => ({ kind: 'removed', text: worded(line, before.currency) })),
    ...paired.flatMap(({ line, was }): PriceChange[] =>
      was
        ? changeOf(line.description, amountsOf(was, before.currency), amountsOf(line, now.currency))
        : [{ kind: 'added', text: worded(line, now.currency) }],
    ),
    ...changeOf('Discount', discountOf(before), discountOf(now)),
    ...changeOf('Tax', taxOf(before), taxOf(now)),
  ]
}

const worded = (line: Line, currency: string) => `${line.description} (${amountsOf(line, currency)})`

function changeOf(text: string, before: string | null, now: string | null): PriceChange[] {
  if (before === now) return []
  if (before === null) return [{ kind: 'added', text: `${text} of ${now}` }]
  if (now === null) return [{ kind: 'removed', text: `${text} of ${before}` }]
  return [{ kind: 'changed', text, before, now }]
}
