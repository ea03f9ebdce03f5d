import { minorUnits } from '@/lib/currencies'
import type { Estimate } from '@/lib/domain/cost-estimates/schema'
import { formatDecimal } from '@/lib/format'

/** Amounts without their currency, which the head of the column says: `1,234.50`, JPY `1,235`. */
export const formatAmount = (amount: number | string, currency: string): string =>
  formatDecimal(amount, minorUnits(currency))

/** Unit prices have the digits of their currency, and may be finer than it: `45.00`, `0.0125`, JPY `45`. */
export const formatUnitPrice = (amount: number, currency: string): string =>
  formatDecimal(amount, minorUnits(currency), 4)

export const formatQuantity = (quantity: number): string => formatDecimal(quantity, 0, 4)

/** How many digits stand after the point. */
export const fractionOf = (amount: string): number => amount.split('.')[1]?.length ?? 0

/** What stands behind the whole number where there are so many digits after the point. */
export const tailOf = (digits: number): string => (digits === 0 ? '' : `.${'0'.repeat(digits)}`)

/** The most digits after the point that any number of a column has. */
export const longestFraction = (amounts: readonly string[]): number =>
  amounts.reduce((most, amount) => Math.max(most, fractionOf(amount)), 0)

type Sums = { subtotal: number | string; discountAmount: number | string; taxAmount: number | string }

/** What leads from the lines to the total: the subtotal, and discount and tax where there are any. */
export function sumsOf(
  { discount, tax_rate }: Pick<Estimate, 'discount' | 'tax_rate'>,
  { subtotal, discountAmount, taxAmount }: Sums,
): { label: string; value: number | string }[] {
  const sums = [{ label: 'Subtotal', value: subtotal }]
  if (discount) {
    const label = discount.type === 'percent' ? `Discount ${formatQuantity(discount.value)}%` : 'Discount'
    sums.push({ label, value: -Number(discountAmount) })
  }
  if (tax_rate > 0) sums.push({ label: `Tax ${formatQuantity(tax_rate)}%`, value: taxAmount })
  return sums
}
