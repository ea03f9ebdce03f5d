import Big from 'big.js'
import { minorUnits } from '@/lib/currencies'

/**
 * Exact decimals. Values are decimal text (`"1234.50"`); nothing here passes through floating point. The editor computes
 * with the same functions as the server.
 */

export type Discount = { type: 'percent' | 'amount'; value: string }
export type PricedLine = { quantity: string; unitPrice: string; isDeclined?: boolean }
export type Totals = { amounts: string[]; subtotal: string; discountAmount: string; taxAmount: string; total: string }

/** Half away from zero: the commercial rounding, which treats a credit like the charge it takes back. */
const HALF_UP = 1

/** A JSON number as exact decimal text; null for what is no finite number. */
export const decimalOf = (value: number): string | null => (Number.isFinite(value) ? new Big(value).toFixed() : null)

/** Digits after the point, without trailing zeros. */
export const decimalsIn = (decimal: string): number => {
  const { c, e } = new Big(decimal)
  return Math.max(0, c.length - e - 1)
}

export const isBeyond = (decimal: string, limit: number): boolean => new Big(decimal).abs().gt(limit)

/** Amounts per line, each rounded to the currency's minor unit, then summed; then discount; then tax on what is left. */
export function totalsOf(
  lines: readonly PricedLine[],
  { currency, discount, taxRate }: { currency: string; discount: Discount | null; taxRate: string },
): Totals {
  const digits = minorUnits(currency)
  const round = (value: Big) => value.round(digits, HALF_UP)
  const amounts = lines.map(({ quantity, unitPrice }) => round(new Big(quantity).times(unitPrice)))
  const subtotal = amounts.reduce(
    (sum, amount, index) => (lines[index]?.isDeclined ? sum : sum.plus(amount)),
    new Big(0),
  )
  const discountAmount = discount
    ? round(discount.type === 'percent' ? subtotal.times(discount.value).div(100) : new Big(discount.value))
    : new Big(0)
  const taxed = subtotal.minus(discountAmount)
  const taxAmount = round(taxed.times(taxRate).div(100))
  const text = (value: Big) => value.toFixed(digits)
  return {
    amounts: amounts.map(text),
    subtotal: text(subtotal),
    discountAmount: text(discountAmount),
    taxAmount: text(taxAmount),
    total: text(taxed.plus(taxAmount)),
  }
}
