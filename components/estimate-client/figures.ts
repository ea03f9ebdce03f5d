import { minorUnits } from '@/lib/domain/kernel/money'

/** Amounts without their currency, which the head of the column says: `1,234.50`, JPY `1,235`. */
export function formatAmount(amount: number | string, currency: string): string {
  const digits = minorUnits(currency)
  return decimals(amount, digits, digits)
}

/** Unit prices may be finer than the currency: `0.0125`. */
export function formatUnitPrice(amount: number, currency: string): string {
  return decimals(amount, minorUnits(currency), 4)
}

function decimals(amount: number | string, least: number, most: number): string {
  return new Intl.NumberFormat('en-GB', {
    minimumFractionDigits: least,
    maximumFractionDigits: Math.max(least, most),
  }).format(amount as number)
}
